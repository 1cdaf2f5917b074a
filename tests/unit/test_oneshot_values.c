/*
 * Promises, for the one-shot sets, through the roles: a value that is out of range, or said in
 * another spelling, is refused by name wherever it comes in: h of a group key (RANGE), the issuer's
 * f, g, F (RANGE; KEY when they are another h's), t of a pseudonym in attestations, signatures,
 * orders and lists (RANGE), u_T of a request that was endorsed all the same (RANGE), x and v_2 of a
 * credential that the authority signed (RANGE, ENCODING, TRAILING), the host's empty parts of Join
 * and Create (ENCODING, TRAILING), message signatures (ENCODING, NORM).  Nothing is changed by it.
 *
 * The proof's bytes: test_oneshot_bytes.c; what a store gives back: test_bad_record.c; lengths and
 * frames: test_bad_objects.c.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_member.h"
#include "../support/sets.h"
#include "../support/stage.h"
#include "role/evp.h"
#include "role/tpm_state.h"
#include "sampler/ntru_set.h"
#include "wire/object.h"
#include "wire/pack.h"

enum { P = 12289, Q1 = VLDAA_MLDSA_Q, N = VLDAA_MLDSA_N, HEAD = MEMBER_HEAD };

static const vldaa_oneshot_set *n;

static void set_up(int i)
{
	stage_set_up(oneshot_set(i));
	n = vldaa_oneshot_numbers(t.w.set);
}

static buffer copy_of(buffer b)
{
	buffer copy = buffer_new(b.len);

	memcpy(copy.data, b.data, b.len);
	return copy;
}

static void check_refused(int err, int expected)
{
	ck_assert_msg(err == expected, "%s instead of %s", vldaa_error_name(err),
		      vldaa_error_name(expected));
	ck_assert_uint_eq(t.len, 0);
	ck_assert(all_zero(t.out, sizeof t.out));
	stage_spoil();
}

/* --- keys --------------------------------------------------------------------------------------
 */

START_TEST(a_group_key_whose_h_is_out_of_range_is_refused_by_everybody)
{
	const size_t h_at = VLDAA_OBJECT_HEADER + VLDAA_DIGEST_BYTES + 32;
	const uint64_t bad[2] = {P, (1 << 14) - 1};
	vldaa_verifier *v;
	vldaa_host *h;
	store_state before;

	set_up(_i);
	before = store_now(&t.c.store);
	for (size_t i = 0; i < 4; i++) {
		buffer key = copy_of(t.w.group_key);

		packed_field_set(key.data + h_at, 14, i / 2 ? n->N - 1 : 0, bad[i % 2]);
		ck_assert_int_eq(vldaa_verifier_new(&v, key.data, key.len), VLDAA_ERR_RANGE);
		ck_assert_ptr_null(v);
		ck_assert_int_eq(vldaa_host_new(&h, key.data, key.len), VLDAA_ERR_RANGE);
		ck_assert_ptr_null(h);
		ck_assert_int_eq(vldaa_tpm_keygen(t.c.tpm, key.data, key.len), VLDAA_ERR_RANGE);
		ck_assert(store_same(&t.c.store, before));
		/* the largest residue is another group's key */
		packed_field_set(key.data + h_at, 14, i / 2 ? n->N - 1 : 0, P - 1);
		ck_assert_int_eq(vldaa_verifier_new(&v, key.data, key.len), VLDAA_OK);
		vldaa_verifier_free(v);
		buffer_free(&key);
	}
	stage_tear_down();
}
END_TEST

/* Bits of a coefficient from -max to max. */
static uint32_t width(uint32_t max)
{
	uint32_t bits = 1;

	while ((2U * max + 1) > 1U << bits)
		bits++;
	return bits;
}

START_TEST(an_issuers_key_that_is_out_of_range_or_another_hs_is_refused)
{
	const vldaa_ntru_set *s = _i == 0 ? &vldaa_ntru_512 : &vldaa_ntru_1024;
	const uint32_t max[3] = {s->fg_max, s->fg_max, s->FG_max};
	vldaa_issuer *is;
	size_t at;

	set_up(_i);
	ck_assert_uint_eq(s->ring.d, n->N);
	at = VLDAA_OBJECT_HEADER + 4 + t.w.group_key.len;
	for (size_t part = 0; part < 3; part++) {
		const uint32_t bits = width(max[part]);
		buffer key = copy_of(t.w.issuer_key);
		const uint64_t last = packed_field(key.data + at, bits, n->N - 1);

		/* the largest field says max + 1 */
		ck_assert_uint_eq(2 * max[part] + 2, 1U << bits);
		packed_field_set(key.data + at, bits, n->N - 1, (1U << bits) - 1);
		ck_assert_int_eq(vldaa_issuer_new(&is, key.data, key.len), VLDAA_ERR_RANGE);
		ck_assert_ptr_null(is);
		packed_field_set(key.data + at, bits, n->N - 1,
				 last == max[part] ? last - 1 : last + 1);
		ck_assert_int_eq(vldaa_issuer_new(&is, key.data, key.len), VLDAA_ERR_KEY);
		ck_assert_ptr_null(is);
		packed_field_set(key.data + at, bits, n->N - 1, last);
		ck_assert_int_eq(vldaa_issuer_new(&is, key.data, key.len), VLDAA_OK);
		vldaa_issuer_free(is);
		at += n->N * bits / 8;
		buffer_free(&key);
	}
	stage_tear_down();
}
END_TEST

/* --- pseudonyms --------------------------------------------------------------------------------
 */

static int attest(buffer att)
{
	vldaa_attestation *a = NULL;
	int err = vldaa_attestation_new(&a, t.w.verifier, att.data, att.len);

	ck_assert_int_eq(a == NULL, err != VLDAA_OK);
	vldaa_attestation_free(a);
	return err;
}

START_TEST(a_pseudonyms_residue_of_q1_or_more_is_refused_wherever_it_stands)
{
	const size_t nym_at = HEAD + 1 + 3;
	const uint64_t bad[2] = {Q1, (1 << 23) - 1};
	uint8_t digest[VLDAA_DIGEST_BYTES];
	vldaa_order_terms terms;
	buffer sig;
	size_t places[4], count;

	set_up(_i);
	sig = car_sign(&t.c, t.att, VLDAA_FORM_SELF_CONTAINED, "go", 2);
	/* first and last coefficient of each proven row */
	count = 2 * n->rows;
	for (size_t i = 0; i < count; i++)
		places[i] = i / 2 * N + (i % 2 ? N - 1 : 0);
	for (size_t i = 0; i < 2 * count; i++) {
		buffer att = copy_of(t.att), signature = copy_of(sig), order = copy_of(t.order);
		buffer list = buffer_new(16384);

		packed_field_set(att.data + nym_at, 23, places[i / 2], bad[i % 2]);
		ck_assert_int_eq(attest(att), VLDAA_ERR_RANGE);
		/* the attestation is the signature's first block */
		packed_field_set(signature.data + HEAD + 4 + nym_at, 23, places[i / 2], bad[i % 2]);
		ck_assert_int_eq(world_verify(&t.w, signature, NULL, "go", 2), VLDAA_ERR_RANGE);
		ck_assert_int_eq(vldaa_revoked_list((const uint8_t *const[]){order.data},
						    &order.len, 1, list.data, list.len, &list.len),
				 VLDAA_OK);
		packed_field_set(order.data + nym_at, 23, places[i / 2], bad[i % 2]);
		ck_assert_int_eq(vldaa_order_read(order.data, order.len, &terms, digest),
				 VLDAA_ERR_RANGE);
		packed_field_set(list.data + nym_at + 4, 23, places[i / 2], bad[i % 2]);
		ck_assert_int_eq(vldaa_verifier_add_list(t.w.verifier, list.data, list.len),
				 VLDAA_ERR_RANGE);
		buffer_free(&att);
		buffer_free(&signature);
		buffer_free(&order);
		buffer_free(&list);
	}
	ck_assert_int_eq(attest(t.att), VLDAA_OK);
	ck_assert_int_eq(world_verify(&t.w, sig, NULL, "go", 2), VLDAA_OK);
	buffer_free(&sig);
	stage_tear_down();
}
END_TEST

/* A TPM that sends such a pseudonym: its host does not put it out. */
START_TEST(a_host_refuses_a_reply_with_a_pseudonym_out_of_range)
{
	int done = 1;

	set_up(_i);
	packed_field_set(t.reply.data + HEAD, 23, 0, Q1);
	stage_spoil();
	check_refused(vldaa_host_create_step(t.c.host, t.reply.data, t.reply.len, t.out,
					     sizeof t.out, &t.len, &done),
		      VLDAA_ERR_RANGE);
	ck_assert_int_eq(done, 0);
	stage_tear_down();
}
END_TEST

/* --- Join and Create ---------------------------------------------------------------------------
 */

/* The request as it is in t.request, endorsed again after a change. */
static buffer endorse_again(void)
{
	buffer out = copy_of(t.request);
	uint8_t signature[VLDAA_MAX_ORDINARY_SIGNATURE];
	size_t len, end;
	vldaa_reader rd;
	vldaa_writer w;

	vldaa_get_init(&rd, out.data, out.len);
	(void)vldaa_get_view(&rd, HEAD + VLDAA_NONCE_BYTES);
	(void)vldaa_get_bytes_block(&rd, out.len); /* u_T and the proof */
	(void)vldaa_get_bytes_block(&rd, out.len); /* the host's */
	(void)vldaa_get_view(&rd, 32);
	(void)vldaa_get_bytes_block(&rd, out.len); /* the chain */
	end = rd.pos;
	ck_assert_int_eq(vldaa_evp_sign(signature, sizeof signature, &len,
					t.c.endorsement.pkcs8.data, t.c.endorsement.pkcs8.len,
					out.data, end),
			 VLDAA_OK);
	vldaa_put_init(&w, out.data, out.len);
	w.len = end;
	vldaa_put_block(&w, signature, len);
	ck_assert_uint_eq(w.len, out.len);
	return out;
}

static int check_request(buffer request)
{
	vldaa_request_info info;

	return vldaa_issuer_check(t.w.issuer, request.data, request.len, t.w.roots_pem.data,
				  t.w.roots_pem.len, t.w.now, &info);
}

START_TEST(a_members_public_key_of_p_or_more_is_refused_though_it_was_endorsed)
{
	const uint64_t bad[2] = {P, (1 << 14) - 1};
	uint8_t *u_t;
	buffer request;

	set_up(_i);
	u_t = t.request.data + HEAD + VLDAA_NONCE_BYTES + 4;
	for (size_t i = 0; i < 4; i++) {
		const size_t place = i / 2 ? n->N - 1 : 0;
		const uint64_t kept = packed_field(u_t, 14, place);

		packed_field_set(u_t, 14, place, bad[i % 2]);
		request = endorse_again();
		ck_assert_int_eq(check_request(request), VLDAA_ERR_RANGE);
		buffer_free(&request);
		/* another residue: the proof is for this one */
		packed_field_set(u_t, 14, place, (kept + 1) % P);
		request = endorse_again();
		ck_assert_int_eq(check_request(request), VLDAA_ERR_PROOF);
		buffer_free(&request);
		packed_field_set(u_t, 14, place, kept);
	}
	request = endorse_again();
	ck_assert_int_eq(check_request(request), VLDAA_OK);
	buffer_free(&request);
	stage_tear_down();
}
END_TEST

START_TEST(a_host_has_nothing_to_say_in_join_and_create)
{
	store_state before;
	buffer call;

	set_up(_i);
	before = store_now(&t.c.store);
	/* one byte in the host's block of Join */
	call = buffer_new(t.call.len + 1);
	memcpy(call.data, t.call.data, t.call.len);
	call.data[t.call.len - 1] = 1;
	stage_spoil();
	check_refused(vldaa_tpm_request(t.c.tpm, call.data, call.len, t.out, sizeof t.out, &t.len),
		      VLDAA_ERR_ENCODING);
	buffer_free(&call);
	call = buffer_new(t.create_call.len + 1);
	memcpy(call.data, t.create_call.data, t.create_call.len);
	check_refused(vldaa_tpm_create(t.c.tpm, call.data, call.len, t.out, sizeof t.out, &t.len),
		      VLDAA_ERR_TRAILING);
	buffer_free(&call);
	ck_assert(store_same(&t.c.store, before));
	stage_tear_down();
}
END_TEST

/* What the TPM says to the credential of an answer, once the answer was opened and its signature
 * checked. */
static int accept(vldaa_bytes credential)
{
	uint8_t keep[8192], receipt[256];
	vldaa_writer kept, handed;
	vldaa_member m;
	int err;

	vldaa_put_init(&kept, keep, sizeof keep);
	vldaa_put_init(&handed, receipt, sizeof receipt);
	ck_assert_int_eq(vldaa_tpm_load(t.c.tpm, t.key_id, &m), VLDAA_OK);
	err = t.w.set->scheme->tpm_accept(&m.key, t.c.tpm->workspace, credential, &kept, &handed);
	ck_assert_uint_eq(kept.len, err ? 0 : credential.len);
	ck_assert_uint_eq(handed.len, err ? 0 : VLDAA_DIGEST_BYTES);
	vldaa_tpm_forget(t.c.tpm);
	return err;
}

/* x and this v_2, as the issuer encodes it, but without a limit. */
static vldaa_bytes credential_of(uint8_t bytes[65536], const vldaa_os_credential *c)
{
	vldaa_writer w;

	vldaa_put_init(&w, bytes, 65536);
	vldaa_put_bytes(&w, c->x, sizeof c->x);
	vldaa_rice_encode_vartime(&w, c->v2, n->N, n->v2_rice);
	ck_assert_uint_le(w.len, w.cap);
	return (vldaa_bytes){bytes, w.len};
}

START_TEST(a_credential_that_the_authority_signed_is_still_checked)
{
	static uint8_t bytes[65536];
	static oneshot_member m;
	vldaa_os_credential c;
	vldaa_bytes in;
	unsigned padding = 0;
	uint64_t bits = 0;

	set_up(_i);
	oneshot_member_read(&m, &t.c);
	ck_assert_int_eq(accept(credential_of(bytes, &m.credential)), VLDAA_OK);
	/* any bit of x is another tag, for which v_2 is no preimage */
	for (size_t bit = 0; bit < 256; bit += 85) {
		c = m.credential;
		c.x[bit / 8] ^= (uint8_t)(1U << bit % 8);
		ck_assert_int_eq(accept(credential_of(bytes, &c)), VLDAA_ERR_CREDENTIAL);
	}
	for (size_t place = 0; place < n->N; place += n->N - 1) {
		c = m.credential;
		c.v2[place] += c.v2[place] < 0 ? 1 : -1;
		ck_assert_int_eq(accept(credential_of(bytes, &c)), VLDAA_ERR_CREDENTIAL);
		/* the largest coefficient, and the next, of either sign */
		memset(c.v2, 0, sizeof c.v2);
		for (int sign = -1; sign <= 1; sign += 2) {
			c.v2[place] = sign * (int64_t)n->v2_max;
			ck_assert_int_eq(accept(credential_of(bytes, &c)), VLDAA_ERR_CREDENTIAL);
			c.v2[place] += sign;
			ck_assert_int_eq(accept(credential_of(bytes, &c)), VLDAA_ERR_RANGE);
		}
	}
	/* (0, 0) is a preimage of nothing here */
	memset(c.v2, 0, sizeof c.v2);
	ck_assert_int_eq(accept(credential_of(bytes, &c)), VLDAA_ERR_CREDENTIAL);
	/* within the range but longer than any that is short enough */
	for (size_t i = 0; i < n->N; i++)
		c.v2[i] = 2000;
	in = credential_of(bytes, &c);
	ck_assert_uint_gt(in.len, 32 + n->v2_max_bytes);
	ck_assert_int_eq(accept(in), VLDAA_ERR_TRAILING);
	/* the bits after the last code are zero: 7 low bits, the high part in unary, a sign where
	 * there is one */
	in = credential_of(bytes, &m.credential);
	for (size_t i = 0; i < n->N; i++) {
		const uint64_t size = (uint64_t)llabs(m.credential.v2[i]);

		bits += n->v2_rice + (size >> n->v2_rice) + 1 + (size != 0);
	}
	padding = (unsigned)((8 - bits % 8) % 8);
	ck_assert_uint_eq(in.len, 32 + (bits + 7) / 8);
	for (unsigned i = 0; i < padding; i++) {
		bytes[in.len - 1] ^= (uint8_t)(0x80U >> i);
		ck_assert_int_eq(accept(in), VLDAA_ERR_ENCODING);
		bytes[in.len - 1] ^= (uint8_t)(0x80U >> i);
	}
	ck_assert_int_eq(accept(in), VLDAA_OK);
	ck_assert_int_eq(accept((vldaa_bytes){bytes, in.len - 1}), VLDAA_ERR_TRUNCATED);
	bytes[in.len] = 0;
	ck_assert_int_eq(accept((vldaa_bytes){bytes, in.len + 1}), VLDAA_ERR_TRAILING);
	ck_assert_int_eq(accept((vldaa_bytes){bytes, 0}), VLDAA_ERR_TRUNCATED);
	stage_tear_down();
}
END_TEST

/* --- message signatures ------------------------------------------------------------------------
 */

static int verify(buffer compact)
{
	return world_verify(&t.w, compact, t.a, "go", 2);
}

START_TEST(a_message_signature_has_one_spelling)
{
	const size_t bare_at = HEAD + VLDAA_DIGEST_BYTES;
	const vldaa_mldsa_set *set;
	buffer compact;
	uint8_t *z, *hints, kept[128];

	set_up(_i);
	set = n->mldsa;
	compact = car_sign(&t.c, t.att, VLDAA_FORM_COMPACT, "go", 2);
	ck_assert_uint_eq(compact.len, bare_at + set->signature_bytes);
	z = compact.data + bare_at + set->ctilde_bytes;
	hints = z + set->l * N * (set->gamma1_bits + 1) / 8;
	ck_assert_int_eq(verify(compact), VLDAA_OK);
	compact.data[bare_at] ^= 1;
	ck_assert_int_eq(verify(compact), VLDAA_ERR_PROOF);
	compact.data[bare_at] ^= 1;
	/* z = gamma1: a field that says a number too long for a response */
	memcpy(kept, z, 8);
	packed_field_set(z, set->gamma1_bits + 1, 0, 0);
	ck_assert_int_eq(verify(compact), VLDAA_ERR_NORM);
	memcpy(z, kept, 8);
	/* hints: in order within a row, no more than omega, nothing behind the last */
	memcpy(kept, hints, set->omega + set->k);
	ck_assert_uint_ge(hints[set->omega], 2);
	hints[0] = kept[1];
	hints[1] = kept[0];
	ck_assert_int_eq(verify(compact), VLDAA_ERR_ENCODING);
	hints[0] = kept[1];
	hints[1] = kept[1];
	ck_assert_int_eq(verify(compact), VLDAA_ERR_ENCODING);
	memcpy(hints, kept, set->omega + set->k);
	ck_assert_uint_lt(hints[set->omega + set->k - 1], set->omega);
	hints[set->omega - 1] = 1;
	ck_assert_int_eq(verify(compact), VLDAA_ERR_ENCODING);
	hints[set->omega - 1] = 0;
	hints[set->omega + set->k - 1] = (uint8_t)(set->omega + 1);
	ck_assert_int_eq(verify(compact), VLDAA_ERR_ENCODING);
	memcpy(hints, kept, set->omega + set->k);
	ck_assert_int_eq(verify(compact), VLDAA_OK);
	buffer_free(&compact);
	stage_tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("bad values, one-shot sets");
	TCase *tc = tcase_create("values");
	SRunner *sr = srunner_create(s);
	const int sets = oneshot_sets();

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_group_key_whose_h_is_out_of_range_is_refused_by_everybody, 0,
			    sets);
	tcase_add_loop_test(tc, an_issuers_key_that_is_out_of_range_or_another_hs_is_refused, 0,
			    sets);
	tcase_add_loop_test(tc, a_pseudonyms_residue_of_q1_or_more_is_refused_wherever_it_stands, 0,
			    sets);
	tcase_add_loop_test(tc, a_host_refuses_a_reply_with_a_pseudonym_out_of_range, 0, sets);
	tcase_add_loop_test(tc, a_members_public_key_of_p_or_more_is_refused_though_it_was_endorsed,
			    0, sets);
	tcase_add_loop_test(tc, a_host_has_nothing_to_say_in_join_and_create, 0, sets);
	tcase_add_loop_test(tc, a_credential_that_the_authority_signed_is_still_checked, 0, sets);
	tcase_add_loop_test(tc, a_message_signature_has_one_spelling, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
