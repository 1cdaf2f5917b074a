/*
 * Promises, for every parameter set, about the very object files of the library (run under
 * valgrind's memcheck; its error report is the verdict): from key generation to the order that it
 * obeys, no branch and no address of the TPM depends on a secret; the stored key is a secret all
 * the time; whatever the TPM hands out was declassified on purpose.  The same of the host's key and
 * masks, and of a pseudonym's key in software (not of the credential's encoding: it is decoded in
 * variable time).
 *
 * How: random/secret.c is linked in here once more with VLDAA_CTIME=1, in place of the library's.
 * Marked bytes count as uninitialised, and so does all that is computed from them.  The stores and
 * services of the test world only copy them.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "../support/world.h"
#include "random/secret.h"
#include "role/evp.h"
#include "scheme/scheme.h"
#include "vldaa/member_key.h"

/* How many of these bytes are (partly) marked secret. */
static size_t secret_bytes(const void *p, size_t len)
{
	const char *bytes = p;
	size_t count = 0;

	for (size_t i = 0; i < len; i++) {
		char bits = 0;

		ck_assert_uint_eq(VALGRIND_GET_VBITS(bytes + i, &bits, 1), 1);
		count += bits != 0;
	}
	return count;
}

/* The issuer, the verifier and the authorities are other parties, under their own rules: no reports
 * while they run, and what they send is public. */
static void others_begin(void)
{
	VALGRIND_DISABLE_ERROR_REPORTING;
}

static void others_end(void)
{
	VALGRIND_ENABLE_ERROR_REPORTING;
}

static void received(buffer *b)
{
	vldaa_secret_declassify(b, sizeof *b, "how long a message is can be seen");
	vldaa_secret_declassify(b->data, b->len, "it came over a public channel");
}

/* Services that hand out secrets mark them, and take the mark off before libcrypto sees them. */
static int (*plain_answer_key)(void *, uint8_t *, uint8_t *);
static int (*plain_open)(void *, enum vldaa_seal_kind, const uint8_t *, const uint8_t *, size_t,
			 const uint8_t *, size_t, uint8_t *, size_t, size_t *);

static int secret_answer_key(void *ctx, uint8_t private_key[32], uint8_t public_key[32])
{
	int err = plain_answer_key(ctx, private_key, public_key);

	vldaa_secret_mark(private_key, 32);
	return err;
}

static int secret_open(void *ctx, enum vldaa_seal_kind kind, const uint8_t key[32],
		       const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t in_len,
		       uint8_t *out, size_t cap, size_t *len)
{
	uint8_t copy[32];

	memcpy(copy, key, sizeof copy);
	if (kind == VLDAA_SEAL_ANSWER)
		ck_assert_uint_eq(secret_bytes(copy, sizeof copy), sizeof copy);
	vldaa_secret_declassify(copy, sizeof copy, "libcrypto keeps its own rules");
	return plain_open(ctx, kind, copy, aad, aad_len, in, in_len, out, cap, len);
}

/* The member record holds the secret payload behind the group key (role/tpm.c). */
static void assert_key_is_secret(const car *c)
{
	const size_t secret = c->world->set->scheme->size(c->world->set, VLDAA_PART_TPM_SECRET);
	const size_t before = VLDAA_OBJECT_HEADER + 4 + c->world->group_key.len;

	for (size_t i = 0; i < c->store.count; i++) {
		const uint8_t *value = c->store.rows[i].value;

		if (c->store.rows[i].record != VLDAA_RECORD_MEMBER)
			continue;
		ck_assert_uint_eq(secret_bytes(value, before), 0);
		ck_assert_uint_eq(secret_bytes(value + before, secret), secret);
		ck_assert_uint_eq(
		    secret_bytes(value + before + secret, c->store.rows[i].len - before - secret),
		    0);
		return;
	}
	ck_abort_msg("no member record");
}

static void assert_public(buffer b)
{
	ck_assert_uint_gt(b.len, 0);
	ck_assert_uint_eq(secret_bytes(b.data, b.len), 0);
}

static buffer fresh(const vldaa_set *set, enum vldaa_kind kind)
{
	return buffer_new(vldaa_object_max_size(set, kind));
}

/* A new host's key, made and then loaded, as every process of a host but the first does. */
static void host_keys(car *c, world *w)
{
	const size_t head = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES;

	for (int load = 0; load < 2; load++) {
		vldaa_host_free(c->host);
		ck_assert_int_eq(vldaa_host_new(&c->host, w->group_key.data, w->group_key.len), 0);
		if (load) {
			ck_assert_int_eq(
			    vldaa_host_load(c->host, c->host_key.data, c->host_key.len, NULL, 0),
			    0);
		} else {
			ck_assert_int_eq(vldaa_host_keygen(c->host, c->host_key.data,
							   c->host_key.len, &c->host_key.len),
					 0);
		}
		ck_assert_uint_eq(secret_bytes(c->host_key.data, head), 0);
		ck_assert_uint_eq(secret_bytes(c->host_key.data + head, c->host_key.len - head),
				  c->host_key.len - head);
	}
}

static void join(car *c, world *w)
{
	const uint8_t nonce_bytes[VLDAA_NONCE_BYTES] = {7};
	buffer nonce = fresh(w->set, VLDAA_KIND_NONCE);
	buffer call = fresh(w->set, VLDAA_KIND_JOIN_CALL);
	buffer request = fresh(w->set, VLDAA_KIND_JOIN_REQUEST);
	buffer public = buffer_new(4096);
	buffer answer;

	c->credential = fresh(w->set, VLDAA_KIND_CREDENTIAL);
	ck_assert_int_eq(
	    vldaa_issuer_nonce(w->issuer, nonce_bytes, nonce.data, nonce.len, &nonce.len), 0);
	received(&nonce);
	ck_assert_int_eq(
	    vldaa_host_join(c->host, nonce.data, nonce.len, call.data, call.len, &call.len), 0);
	assert_public(call);
	ck_assert_int_eq(
	    vldaa_tpm_request(c->tpm, call.data, call.len, request.data, request.len, &request.len),
	    0);
	assert_public(request);
	others_begin();
	answer = world_answer(w, request);
	received(&answer);
	others_end();
	ck_assert_int_eq(vldaa_tpm_accept(c->tpm, answer.data, answer.len, c->credential.data,
					  c->credential.len, &c->credential.len),
			 0);
	ck_assert_int_eq(vldaa_tpm_public_key(c->tpm, vldaa_host_key_id(c->host), public.data,
					      public.len, &public.len),
			 0);
	assert_public(public);
	ck_assert_int_eq(vldaa_host_accept(c->host, c->credential.data, c->credential.len,
					   public.data, public.len),
			 0);
	assert_key_is_secret(c);
	buffer_free(&nonce);
	buffer_free(&call);
	buffer_free(&request);
	buffer_free(&public);
	buffer_free(&answer);
}

static buffer create(car *c, const char *basename)
{
	const vldaa_set *set = c->world->set;
	buffer out = fresh(set, VLDAA_KIND_ATTESTATION);
	buffer reply = fresh(set, VLDAA_KIND_CREATE_REPLY);
	const size_t cap = out.len, reply_cap = reply.len;
	int done = 0;

	ck_assert_int_eq(vldaa_host_create_begin(c->host, (const uint8_t *)basename,
						 strlen(basename), out.data, cap, &out.len),
			 0);
	while (!done) {
		assert_public(out);
		ck_assert_int_eq(
		    vldaa_tpm_create(c->tpm, out.data, out.len, reply.data, reply_cap, &reply.len),
		    0);
		assert_public(reply);
		ck_assert_int_eq(vldaa_host_create_step(c->host, reply.data, reply.len, out.data,
							cap, &out.len, &done),
				 0);
	}
	assert_public(out);
	buffer_free(&reply);
	return out;
}

static void sign(car *c, const vldaa_object_info *about)
{
	buffer bare = buffer_new(16384);

	for (int message = 0; message < 3; message++) {
		buffer out = {bare.data, bare.len};

		ck_assert_int_eq(vldaa_tpm_sign_begin(c->tpm, about->key_id, about->basename,
						      about->basename_len, about->digest),
				 0);
		for (int piece = 0; piece < message; piece++)
			ck_assert_int_eq(vldaa_tpm_sign_update(c->tpm, "piece", 5), 0);
		ck_assert_int_eq(vldaa_tpm_sign_end(c->tpm, out.data, bare.len, &out.len), 0);
		assert_public(out);
	}
	buffer_free(&bare);
}

static void token(car *c, const vldaa_object_info *about)
{
	buffer out = fresh(c->world->set, VLDAA_KIND_TOKEN);

	ck_assert_int_eq(vldaa_tpm_token(c->tpm, about->key_id, about->basename,
					 about->basename_len, about->digest, out.data, out.len,
					 &out.len),
			 0);
	assert_public(out);
	buffer_free(&out);
}

/* The member as an object, one of its pseudonyms as another, and a message signed with that. */
static void sign_in_software(car *c, buffer attestation)
{
	const vldaa_set *set = c->world->set;
	buffer object = fresh(set, VLDAA_KIND_MEMBER);
	buffer pseudonym = fresh(set, VLDAA_KIND_PSEUDONYM);
	buffer out = fresh(set, VLDAA_KIND_COMPACT);
	vldaa_member_parts parts = {.host_key = c->host_key.data,
				    .host_key_len = c->host_key.len,
				    .credential = c->credential.data,
				    .credential_len = c->credential.len};
	vldaa_member_key *member = NULL;
	vldaa_pseudonym_key *key = NULL;
	vldaa_signing *signing = NULL;

	for (size_t i = 0; i < c->store.count; i++) {
		if (c->store.rows[i].record == VLDAA_RECORD_MEMBER) {
			parts.tpm_key = c->store.rows[i].value;
			parts.tpm_key_len = c->store.rows[i].len;
		}
	}
	ck_assert_int_eq(vldaa_member_key_encode(&parts, object.data, object.len, &object.len), 0);
	ck_assert_uint_gt(secret_bytes(object.data, object.len), 0);
	ck_assert_int_eq(vldaa_member_key_new(&member, object.data, object.len), 0);
	ck_assert_int_eq(vldaa_member_key_pseudonym(member, attestation.data, attestation.len,
						    pseudonym.data, pseudonym.len, &pseudonym.len),
			 0);
	ck_assert_uint_gt(secret_bytes(pseudonym.data, pseudonym.len), 0);
	ck_assert_int_eq(vldaa_pseudonym_key_new(&key, pseudonym.data, pseudonym.len), 0);
	ck_assert_int_eq(vldaa_signing_new(&signing, key, VLDAA_FORM_COMPACT), 0);
	ck_assert_int_eq(vldaa_signing_update(signing, "piece", 5), 0);
	ck_assert_int_eq(vldaa_signing_end(signing, out.data, out.len, &out.len), 0);
	assert_public(out);
	vldaa_signing_free(signing);
	vldaa_pseudonym_key_free(key);
	vldaa_member_key_free(member);
	buffer_free(&object);
	buffer_free(&pseudonym);
	buffer_free(&out);
}

/* An order against this attestation reaches the TPM. */
static void obey(car *c, buffer attestation, enum vldaa_revoke_mode mode, uint64_t sequence,
		 int expected)
{
	world *w = c->world;
	const vldaa_order_terms terms = {mode, 1, sequence, w->now + 1000};
	buffer clear = fresh(w->set, VLDAA_KIND_ORDER);
	buffer sealed = fresh(w->set, VLDAA_KIND_SEALED_ORDER);
	buffer out = fresh(w->set, VLDAA_KIND_CONFIRMATION);
	vldaa_attestation *a = NULL;

	others_begin();
	ck_assert_int_eq(vldaa_attestation_new(&a, w->verifier, attestation.data, attestation.len),
			 0);
	ck_assert_int_eq(vldaa_order_new(a, &terms, w->revocation.pkcs8.data,
					 w->revocation.pkcs8.len, w->fleet_key, clear.data,
					 clear.len, &clear.len, sealed.data, sealed.len,
					 &sealed.len),
			 0);
	vldaa_attestation_free(a);
	received(&sealed);
	others_end();
	ck_assert_int_eq(
	    vldaa_tpm_obey(c->tpm, sealed.data, sealed.len, out.data, out.len, &out.len), expected);
	if (!expected)
		assert_public(out);
	buffer_free(&clear);
	buffer_free(&sealed);
	buffer_free(&out);
}

START_TEST(no_branch_or_address_of_a_member_depends_on_a_secret)
{
	world w;
	car c, d;
	buffer one, two, foreign;
	vldaa_object_info about;
	vldaa_tpm_status status;

	others_begin();
	world_init(&w, vldaa_set_at((size_t)_i), 1);
	received(&w.group_key);
	car_init(&d, &w, 3);
	car_join(&d);
	foreign = car_create(&d, "one");
	car_init(&c, &w, 2);
	others_end();
	/* once more, with reports: the keys that car_init made are forgotten */
	for (size_t i = 0; i < c.store.count; i++)
		free(c.store.rows[i].value);
	c.store.count = 0;
	host_keys(&c, &w);
	plain_answer_key = c.services.answer_key;
	plain_open = c.services.open;
	c.services.answer_key = secret_answer_key;
	c.services.open = secret_open;

	ck_assert_int_eq(vldaa_tpm_keygen(c.tpm, w.group_key.data, w.group_key.len), 0);
	assert_key_is_secret(&c);
	join(&c, &w);
	ck_assert_int_eq(vldaa_tpm_get_status(c.tpm, vldaa_host_key_id(c.host), &status), 0);
	ck_assert_int_eq(status.joined, 1);
	one = create(&c, "one");
	two = create(&c, "two");
	ck_assert_int_eq(vldaa_object_inspect(&about, one.data, one.len), 0);
	sign(&c, &about);
	token(&c, &about);
	sign_in_software(&c, one);
	obey(&c, foreign, VLDAA_REVOKE_HARD, 1, VLDAA_ERR_NOT_MINE);
	obey(&c, one, VLDAA_REVOKE_SOFT, 2, 0);
	ck_assert_int_eq(vldaa_tpm_sign_begin(c.tpm, about.key_id, about.basename,
					      about.basename_len, about.digest),
			 VLDAA_ERR_TOMBSTONE);
	assert_key_is_secret(&c);
	obey(&c, two, VLDAA_REVOKE_HARD, 3, 0);
	ck_assert_int_eq(vldaa_tpm_get_status(c.tpm, vldaa_host_key_id(c.host), &status), 0);
	ck_assert_int_eq(status.dead, 1);

	others_begin();
	buffer_free(&one);
	buffer_free(&two);
	buffer_free(&foreign);
	car_free(&c);
	car_free(&d);
	world_free(&w);
	others_end();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("constant time");
	TCase *tc = tcase_create("members");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	if (!RUNNING_ON_VALGRIND) {
		fprintf(stderr, "this program says something under valgrind only\n");
		return EXIT_FAILURE;
	}
	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 0);
	tcase_add_loop_test(tc, no_branch_or_address_of_a_member_depends_on_a_secret, 0, sets);
	suite_add_tcase(s, tc);
	srunner_set_fork_status(sr, CK_NOFORK); /* valgrind's verdict is this process's */
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
