/*
 * Promises of Join against bad input: an answer serves the member and the request that it was made
 * for; what the issuer's authority did not sign, or what is not in form, is refused although it was
 * sealed to the member; a credential that does not satisfy equation (1), or (C) of the one-shot
 * sets, is refused by who keeps it (the host; in the one-shot sets the TPM), and the TPM's store and
 * the host's old credential are what they were.  The issuer refuses requests
 * that the endorsement key did not sign, whose certificate has no chain, or whose proofs were made
 * for another nonce or another certificate.  Authority keys of the largest size that the encodings
 * allow work.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/damage.h"
#include "role/evp.h"
#include "wire/object.h"

enum { HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES, ANSWER_HEAD = HEAD + VLDAA_DIGEST_BYTES };

/* Two members; both have a request out, c's was answered. */
static struct {
	world w;
	car c, other;
	buffer request, other_request;
	buffer answer, other_answer;
} t;

static void set_up(const vldaa_set *set)
{
	memset(&t, 0, sizeof t);
	world_init(&t.w, set, 10);
	car_init(&t.c, &t.w, 11);
	car_init(&t.other, &t.w, 12);
	car_join(&t.c);
	car_join(&t.other);
	t.request = car_request(&t.c, (const uint8_t[32]){1});
	t.other_request = car_request(&t.other, (const uint8_t[32]){2});
	t.other_answer = world_answer(&t.w, t.other_request);
	t.answer = world_answer(&t.w, t.request);
}

/* Also checks that both members still do their work. */
static void tear_down(void)
{
	buffer att = car_create(&t.c, "one");
	vldaa_attestation *a = world_attestation(&t.w, att);

	vldaa_attestation_free(a);
	buffer_free(&att);
	buffer_free(&t.c.credential);
	car_accept(&t.c, t.answer);
	att = car_create(&t.c, "one");
	buffer_free(&att);
	buffer_free(&t.request);
	buffer_free(&t.other_request);
	buffer_free(&t.answer);
	buffer_free(&t.other_answer);
	car_free(&t.c);
	car_free(&t.other);
	world_free(&t.w);
}

/* The TPM's refusal: this error, no output, nothing stored. */
static void refuse_answer(buffer answer, int expected)
{
	const store_state before = store_now(&t.c.store);
	buffer out = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_CREDENTIAL));
	size_t len = 1;
	int err;

	memset(out.data, 0xaa, out.len);
	err = vldaa_tpm_accept(t.c.tpm, answer.data, answer.len, out.data, out.len, &len);
	ck_assert_msg(err == expected, "%s instead of %s", vldaa_error_name(err),
		      vldaa_error_name(expected));
	ck_assert_uint_eq(len, 0);
	ck_assert(all_zero(out.data, out.len));
	ck_assert(store_same(&t.c.store, before));
	buffer_free(&out);
}

/* The private key that the pending request's answer is sealed to: the end of the PENDING record. */
static const uint8_t *answer_key(const car *c)
{
	size_t i = 0;

	while (c->store.rows[i].record != VLDAA_RECORD_PENDING)
		i++;
	return c->store.rows[i].value + VLDAA_DIGEST_BYTES;
}

/* What an answer says, taken apart. */
typedef struct {
	uint8_t head[ANSWER_HEAD];
	buffer plain;
	vldaa_bytes credential, fleet, revocation, authority, signature;
} opened;

static opened open_answer(const car *c, buffer answer)
{
	opened o;
	vldaa_reader rd;

	memcpy(o.head, answer.data, ANSWER_HEAD);
	o.plain = buffer_new(answer.len);
	ck_assert_int_eq(vldaa_unseal(o.plain.data, o.plain.len, &o.plain.len, answer_key(c),
				      answer.data, ANSWER_HEAD, answer.data + ANSWER_HEAD + 4,
				      answer.len - ANSWER_HEAD - 4),
			 VLDAA_OK);
	vldaa_get_init(&rd, o.plain.data, o.plain.len);
	o.credential = vldaa_get_bytes_block(&rd, o.plain.len);
	o.fleet = (vldaa_bytes){vldaa_get_view(&rd, 32), 32};
	o.revocation = vldaa_get_bytes_block(&rd, o.plain.len);
	o.authority = vldaa_get_bytes_block(&rd, o.plain.len);
	o.signature = vldaa_get_bytes_block(&rd, o.plain.len);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
	return o;
}

/* The public key of the pending request, from the request: before the chain's block. */
static const uint8_t *sealed_to(buffer request)
{
	vldaa_reader rd;

	vldaa_get_init(&rd, request.data, request.len);
	(void)vldaa_get_view(&rd, HEAD + VLDAA_NONCE_BYTES);
	(void)vldaa_get_bytes_block(&rd, request.len);
	(void)vldaa_get_bytes_block(&rd, request.len);
	return vldaa_get_view(&rd, 32);
}

enum forgery { AS_IT_IS, UNSIGNED, ONE_MORE_BYTE, ONE_BYTE_LESS, JOINED_BLOCKS };

/* An answer with these contents, signed by this key (unless `how` says otherwise) and sealed. */
static buffer make_answer(const opened *o, const ordinary_key *signer, enum forgery how)
{
	buffer plain = buffer_new(65536), message = buffer_new(65536), answer = buffer_new(131072);
	uint8_t signature[VLDAA_MAX_ORDINARY_SIGNATURE];
	size_t signature_len, sealed_len;
	vldaa_writer w;

	vldaa_put_init(&w, plain.data, plain.len);
	vldaa_put_block(&w, o->credential.bytes, o->credential.len);
	vldaa_put_bytes(&w, o->fleet.bytes, o->fleet.len);
	vldaa_put_block(&w, o->revocation.bytes, o->revocation.len);
	vldaa_put_block(&w, o->authority.bytes, o->authority.len);
	memcpy(message.data, o->head, ANSWER_HEAD);
	memcpy(message.data + ANSWER_HEAD, plain.data, w.len);
	ck_assert_int_eq(vldaa_evp_sign(signature, sizeof signature, &signature_len,
					signer->pkcs8.data, signer->pkcs8.len, message.data,
					ANSWER_HEAD + w.len),
			 VLDAA_OK);
	if (how == UNSIGNED)
		signature[5] ^= 1;
	vldaa_put_block(&w, signature, signature_len);
	if (how == ONE_MORE_BYTE)
		vldaa_put_u8(&w, 0);
	if (how == ONE_BYTE_LESS)
		w.len--;
	if (how == JOINED_BLOCKS) /* a credential block that goes on to the end */
		memcpy(plain.data, (const uint8_t[]){0, 0, 0xff, 0xff}, 4);
	plain.len = w.len;
	vldaa_put_init(&w, answer.data, answer.len);
	vldaa_put_bytes(&w, o->head, ANSWER_HEAD);
	vldaa_put_u32(&w, (uint32_t)(plain.len + VLDAA_SEAL_OVERHEAD));
	ck_assert_int_eq(vldaa_seal(answer.data + w.len, answer.len - w.len, &sealed_len,
				    sealed_to(t.request), o->head, ANSWER_HEAD, plain.data,
				    plain.len),
			 VLDAA_OK);
	answer.len = w.len + sealed_len;
	buffer_free(&plain);
	buffer_free(&message);
	return answer;
}

START_TEST(another_members_answer_is_refused)
{
	buffer relabelled;

	set_up(vldaa_set_at((size_t)_i));
	refuse_answer(t.other_answer, VLDAA_ERR_CREDENTIAL);
	/* Under this member's request, it does not open. */
	relabelled = buffer_new(t.other_answer.len);
	memcpy(relabelled.data, t.other_answer.data, relabelled.len);
	memcpy(relabelled.data, t.answer.data, ANSWER_HEAD);
	refuse_answer(relabelled, VLDAA_ERR_UNSEAL);
	buffer_free(&relabelled);
	tear_down();
}
END_TEST

START_TEST(an_answer_to_an_earlier_request_is_refused)
{
	set_up(vldaa_set_at((size_t)_i));
	buffer_free(&t.request);
	t.request = car_request(&t.c, (const uint8_t[32]){3});
	refuse_answer(t.answer, VLDAA_ERR_CREDENTIAL);
	buffer_free(&t.answer);
	t.answer = world_answer(&t.w, t.request);
	tear_down();
}
END_TEST

START_TEST(a_sealed_answer_is_refused_unless_the_issuers_authority_signed_it)
{
	opened o;
	buffer forged;

	set_up(vldaa_set_at((size_t)_i));
	o = open_answer(&t.c, t.answer);
	/* The tools of this test make answers that are taken. */
	forged = make_answer(&o, &t.w.authority, AS_IT_IS);
	buffer_free(&t.c.credential);
	car_accept(&t.c, forged);
	buffer_free(&forged);
	/* Everybody can seal; only the authority signs. */
	forged = make_answer(&o, &t.w.revocation, AS_IT_IS);
	refuse_answer(forged, VLDAA_ERR_WRONG_ISSUER);
	buffer_free(&forged);
	forged = make_answer(&o, &t.w.authority, UNSIGNED);
	refuse_answer(forged, VLDAA_ERR_WRONG_ISSUER);
	buffer_free(&forged);
	/* Another authority that signs under its own key. */
	o.authority = (vldaa_bytes){t.w.revocation.spki.data, t.w.revocation.spki.len};
	forged = make_answer(&o, &t.w.revocation, AS_IT_IS);
	refuse_answer(forged, VLDAA_ERR_WRONG_ISSUER);
	buffer_free(&forged);
	buffer_free(&o.plain);
	tear_down();
}
END_TEST

START_TEST(a_signed_answer_that_is_not_in_form_is_refused)
{
	opened o;
	buffer forged;
	uint8_t *large;
	static const struct {
		enum forgery how;
		int error;
	} cases[] = {{ONE_MORE_BYTE, VLDAA_ERR_TRAILING},
		     {ONE_BYTE_LESS, VLDAA_ERR_TRUNCATED},
		     {JOINED_BLOCKS, VLDAA_ERR_ENCODING}};

	set_up(vldaa_set_at((size_t)_i));
	o = open_answer(&t.c, t.answer);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		forged = make_answer(&o, &t.w.authority, cases[i].how);
		refuse_answer(forged, cases[i].error);
		buffer_free(&forged);
	}
	large = calloc(1, 8192);
	o.revocation = (vldaa_bytes){large, VLDAA_MAX_SPKI + 1};
	forged = make_answer(&o, &t.w.authority, AS_IT_IS);
	refuse_answer(forged, VLDAA_ERR_ENCODING);
	buffer_free(&forged);
	free(large);
	buffer_free(&o.plain);
	tear_down();
}
END_TEST

START_TEST(the_largest_keys_that_an_answer_may_carry_work)
{
	opened o;
	buffer forged;
	uint8_t large[VLDAA_MAX_SPKI + 1] = {1, 2, 3};
	const vldaa_group_services services = {large, VLDAA_MAX_SPKI, t.w.fleet_key};
	const vldaa_group_services too_large = {large, VLDAA_MAX_SPKI + 1, t.w.fleet_key};
	vldaa_request_info info;
	uint8_t tag[VLDAA_MAX_TAG_BYTES];
	size_t tag_len, len;

	set_up(vldaa_set_at((size_t)_i));
	ck_assert_int_eq(vldaa_issuer_check(t.w.issuer, t.request.data, t.request.len,
					    t.w.roots_pem.data, t.w.roots_pem.len, t.w.now, &info),
			 VLDAA_OK);
	forged = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_JOIN_ANSWER));
	ck_assert_int_eq(vldaa_issuer_answer(t.w.issuer, &too_large, tag, &tag_len, forged.data,
					     forged.len, &len),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_issuer_answer(t.w.issuer, &services, tag, &tag_len, forged.data,
					     forged.len, &len),
			 VLDAA_OK);
	buffer_free(&t.c.credential);
	car_accept(&t.c, (buffer){forged.data, len});
	buffer_free(&forged);
	/* The record is read back whole. */
	o = open_answer(&t.c, t.answer);
	o.revocation = (vldaa_bytes){large, VLDAA_MAX_SPKI};
	forged = make_answer(&o, &t.w.authority, AS_IT_IS);
	buffer_free(&t.c.credential);
	car_accept(&t.c, forged);
	buffer_free(&forged);
	buffer_free(&o.plain);
	tear_down();
}
END_TEST

/* 1 when the host holds the credential (and a part of the member key), 0 when the TPM does and the
 * host only relays: it has a key of no bytes then. */
static int host_checks(void)
{
	return vldaa_object_max_size(t.w.set, VLDAA_KIND_HOST_KEY) > HEAD;
}

static void public_key(const car *c, uint8_t *out, size_t cap, size_t *len)
{
	ck_assert_int_eq(vldaa_tpm_public_key(c->tpm, vldaa_host_key_id(c->host), out, cap, len),
			 VLDAA_OK);
}

START_TEST(a_credential_that_is_another_members_is_refused_by_who_keeps_it)
{
	uint8_t mine[4096], others[4096];
	size_t len, others_len;
	opened o, from_other;
	buffer forged, out;

	set_up(vldaa_set_at((size_t)_i));
	public_key(&t.c, mine, sizeof mine, &len);
	public_key(&t.other, others, sizeof others, &others_len);
	ck_assert_uint_eq(len, others_len);
	ck_assert_mem_ne(mine, others, len);
	ck_assert_int_eq(
	    vldaa_host_accept(t.c.host, t.c.credential.data, t.c.credential.len, mine, len - 1),
	    VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(
	    vldaa_host_accept(t.c.host, t.other.credential.data, t.other.credential.len, mine, len),
	    VLDAA_ERR_CREDENTIAL);
	ck_assert_int_eq(vldaa_host_accept(t.c.host, t.c.credential.data, t.c.credential.len,
					   others, others_len),
			 VLDAA_ERR_CREDENTIAL);
	/* Also when an issuer signed it for this member. */
	o = open_answer(&t.c, t.answer);
	from_other = open_answer(&t.other, t.other_answer);
	o.credential = from_other.credential;
	forged = make_answer(&o, &t.w.authority, AS_IT_IS);
	if (host_checks()) {
		out = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_CREDENTIAL));
		ck_assert_int_eq(
		    vldaa_tpm_accept(t.c.tpm, forged.data, forged.len, out.data, out.len, &out.len),
		    VLDAA_OK);
		ck_assert_int_eq(vldaa_host_accept(t.c.host, out.data, out.len, mine, len),
				 VLDAA_ERR_CREDENTIAL);
		buffer_free(&out);
	} else {
		refuse_answer(forged, VLDAA_ERR_CREDENTIAL);
		/* Nothing of the credential reaches the host: a digest is all it gets. */
		ck_assert_uint_eq(t.c.credential.len, HEAD + VLDAA_DIGEST_BYTES);
		ck_assert_mem_ne(t.c.credential.data + HEAD, t.other.credential.data + HEAD,
				 VLDAA_DIGEST_BYTES);
		for (size_t at = 0; at + VLDAA_DIGEST_BYTES <= o.plain.len; at++)
			ck_assert_mem_ne(o.plain.data + at, t.c.credential.data + HEAD,
					 VLDAA_DIGEST_BYTES);
	}
	buffer_free(&forged);
	buffer_free(&o.plain);
	buffer_free(&from_other.plain);
	tear_down();
}
END_TEST

START_TEST(a_tpm_that_keeps_its_credential_refuses_one_that_misses_the_equation_or_a_norm)
{
	uint8_t damaged[4096];
	opened o;
	buffer forged;

	set_up(vldaa_set_at((size_t)_i));
	if (!host_checks()) {
		o = open_answer(&t.c, t.answer);
		ck_assert_uint_lt(o.credential.len, sizeof damaged);
		memcpy(damaged, o.credential.bytes, o.credential.len);
		/* bits of x, and the sign and low bits of v_2's first coefficients: short still,
		 * but v_1 is not */
		for (size_t at = 0; at < 40; at += 13) {
			damaged[at] ^= 1;
			o.credential.bytes = damaged;
			forged = make_answer(&o, &t.w.authority, AS_IT_IS);
			refuse_answer(forged, VLDAA_ERR_CREDENTIAL);
			buffer_free(&forged);
			damaged[at] ^= 1;
		}
		/* and with nothing changed it is taken */
		forged = make_answer(&o, &t.w.authority, AS_IT_IS);
		buffer_free(&t.c.credential);
		car_accept(&t.c, forged);
		buffer_free(&forged);
		/* bytes that are no credential */
		o.credential.len--;
		forged = make_answer(&o, &t.w.authority, AS_IT_IS);
		refuse_answer(forged, VLDAA_ERR_TRUNCATED);
		buffer_free(&forged);
		o.credential.len += 2;
		damaged[o.credential.len - 1] = 0;
		forged = make_answer(&o, &t.w.authority, AS_IT_IS);
		refuse_answer(forged, VLDAA_ERR_TRAILING);
		buffer_free(&forged);
		o.credential.len = 0;
		forged = make_answer(&o, &t.w.authority, AS_IT_IS);
		refuse_answer(forged, VLDAA_ERR_TRUNCATED);
		buffer_free(&forged);
		buffer_free(&o.plain);
	}
	tear_down();
}
END_TEST

/* --- requests ----------------------------------------------------------------------------------
 */

static void refuse_request(buffer request, buffer roots, int expected, int has_reason)
{
	vldaa_request_info info;
	int err = vldaa_issuer_check(t.w.issuer, request.data, request.len, roots.data, roots.len,
				     t.w.now, &info);

	ck_assert_msg(err == expected, "%s instead of %s", vldaa_error_name(err),
		      vldaa_error_name(expected));
	ck_assert_int_eq(info.reason != NULL, has_reason);
	info.reason = NULL;
	ck_assert(all_zero(&info, sizeof info));
}

/* The request with c's proofs and another chain, endorsed by this key. */
static buffer endorse_again(buffer request, buffer chain, const ordinary_key *key)
{
	buffer out = buffer_new(request.len + chain.len + VLDAA_MAX_ORDINARY_SIGNATURE);
	uint8_t signature[VLDAA_MAX_ORDINARY_SIGNATURE];
	const uint8_t *end = sealed_to(request) + 32;
	size_t n;
	vldaa_writer w;

	vldaa_put_init(&w, out.data, out.len);
	vldaa_put_bytes(&w, request.data, (size_t)(end - request.data));
	vldaa_put_block(&w, chain.data, chain.len);
	ck_assert_int_eq(vldaa_evp_sign(signature, sizeof signature, &n, key->pkcs8.data,
					key->pkcs8.len, out.data, w.len),
			 VLDAA_OK);
	vldaa_put_block(&w, signature, n);
	out.len = w.len;
	return out;
}

START_TEST(requests_need_an_endorsement_under_a_known_root)
{
	world elsewhere;
	buffer forged;

	set_up(vldaa_set_at((size_t)_i));
	world_init(&elsewhere, t.w.set, 99);
	refuse_request(t.request, elsewhere.roots_pem, VLDAA_ERR_CERTIFICATE, 1);
	refuse_request(t.request, (buffer){(uint8_t *)t.w.fleet_key, 32}, VLDAA_ERR_ARGUMENT, 1);
	t.w.now = 2200000000; /* after the certificates' end */
	refuse_request(t.request, t.w.roots_pem, VLDAA_ERR_CERTIFICATE, 1);
	t.w.now = 1800000000;
	/* The right chain, another key's signature. */
	forged = endorse_again(t.request, t.c.chain, &t.other.endorsement);
	refuse_request(forged, t.w.roots_pem, VLDAA_ERR_ENDORSEMENT, 0);
	buffer_free(&forged);
	/* Another TPM endorses this one's proof: the proof was made for this one's certificate. */
	forged = endorse_again(t.request, t.other.chain, &t.other.endorsement);
	refuse_request(forged, t.w.roots_pem, VLDAA_ERR_PROOF, 0);
	buffer_free(&forged);
	/* The proofs are tied to the nonce. */
	t.request.data[HEAD] ^= 1;
	forged = endorse_again(t.request, t.c.chain, &t.c.endorsement);
	refuse_request(forged, t.w.roots_pem, VLDAA_ERR_PROOF, 0);
	buffer_free(&forged);
	t.request.data[HEAD] ^= 1;
	/* Without any chain. */
	forged = endorse_again(t.request, (buffer){NULL, 0}, &t.c.endorsement);
	refuse_request(forged, t.w.roots_pem, VLDAA_ERR_CERTIFICATE, 1);
	buffer_free(&forged);
	/* And as it should be. */
	forged = endorse_again(t.request, t.c.chain, &t.c.endorsement);
	buffer answer = world_answer(&t.w, forged);
	buffer_free(&answer);
	buffer_free(&forged);
	world_free(&elsewhere);
	tear_down();
}
END_TEST

START_TEST(an_answer_key_of_small_order_gets_no_answer)
{
	uint8_t tag[VLDAA_MAX_TAG_BYTES];
	size_t tag_len = 1, at;
	vldaa_request_info info;
	buffer forged, out;

	set_up(vldaa_set_at((size_t)_i));
	at = (size_t)(sealed_to(t.request) - t.request.data);
	memset(t.request.data + at, 0, 32);
	forged = endorse_again(t.request, t.c.chain, &t.c.endorsement);
	ck_assert_int_eq(vldaa_issuer_check(t.w.issuer, forged.data, forged.len, t.w.roots_pem.data,
					    t.w.roots_pem.len, t.w.now, &info),
			 VLDAA_OK);
	out = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_JOIN_ANSWER));
	memset(out.data, 0xaa, out.len);
	memset(tag, 0xaa, sizeof tag);
	const size_t cap = out.len;
	const vldaa_group_services services = {t.w.revocation.spki.data, t.w.revocation.spki.len,
					       t.w.fleet_key};
	ck_assert_int_eq(
	    vldaa_issuer_answer(t.w.issuer, &services, tag, &tag_len, out.data, cap, &out.len),
	    VLDAA_ERR_ENCODING);
	ck_assert_uint_eq(out.len, 0);
	ck_assert(all_zero(out.data, cap));
	ck_assert(all_zero(tag, sizeof tag) && tag_len == 0);
	buffer_free(&out);
	buffer_free(&forged);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("bad input to Join");
	TCase *tc = tcase_create("join");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, another_members_answer_is_refused, 0, sets);
	tcase_add_loop_test(tc, an_answer_to_an_earlier_request_is_refused, 0, sets);
	tcase_add_loop_test(tc, a_sealed_answer_is_refused_unless_the_issuers_authority_signed_it,
			    0, sets);
	tcase_add_loop_test(tc, a_signed_answer_that_is_not_in_form_is_refused, 0, sets);
	tcase_add_loop_test(tc, the_largest_keys_that_an_answer_may_carry_work, 0, sets);
	tcase_add_loop_test(tc, a_credential_that_is_another_members_is_refused_by_who_keeps_it, 0,
			    sets);
	tcase_add_loop_test(
	    tc, a_tpm_that_keeps_its_credential_refuses_one_that_misses_the_equation_or_a_norm, 0,
	    sets);
	tcase_add_loop_test(tc, requests_need_an_endorsement_under_a_known_root, 0, sets);
	tcase_add_loop_test(tc, an_answer_key_of_small_order_gets_no_answer, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
