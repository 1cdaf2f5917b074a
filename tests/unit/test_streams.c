/*
 * Promises, for the published sets: a seed that repeats (a snapshot restored, a source that is
 * stuck) repeats what it made when everything else is the same, and never masks two different
 * things alike: two responses z = y + c s and z' = y + c' s under one mask would give the secret s
 * away.
 *
 * The masks are computed here from the secret: y = z - c s.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oracle.h"
#include "../support/sets.h"
#include "../support/world.h"
#include "role/tpm_state.h"
#include "role/verifier_state.h"
#include "sampler/uniform.h"
#include "scheme/published.h"
#include "wire/pack.h"

enum { D = VLDAA_MAX_DEGREE, HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES, STUCK = 1000 };

/* One world; each test runs in its own process. */
static world w;
static const vldaa_published_set *n;
static const vldaa_ring *r;
static oracle_public public;

static void setup_set(int i)
{
	vldaa_group_key key;

	world_init(&w, published_set(i), 41);
	n = w.set->numbers;
	r = &n->ring;
	ck_assert_int_eq(vldaa_read_group_key(&key, w.group_key.data, w.group_key.len), VLDAA_OK);
	oracle_public_init(&public, n, key.payload);
}

static void start_car(car *c, uint64_t label)
{
	car_init(c, &w, label);
	car_join(c);
}

/* From here on the car's source gives the same bytes as after the last call. */
static void rewind_source(car *c)
{
	c->random = (test_random){77, STUCK, -1};
}

/* e_T0, e_T1, and e_N of this basename. */
static void tpm_secret(car *c, vldaa_bytes basename, int64_t e[3 * D])
{
	const size_t d = r->d;
	uint32_t hat[VLDAA_MAX_PRIMES * D];
	uint8_t nym[VLDAA_MAX_POLY_BYTES];
	int64_t b[D];
	vldaa_member m;
	vldaa_reader rd;

	ck_assert_int_eq(vldaa_tpm_load(c->tpm, w.verifier->group.key_id, &m), VLDAA_OK);
	vldaa_get_init(&rd, m.key.secret, vldaa_member_pack_size(n));
	vldaa_member_unpack(n, &rd, e);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
	ck_assert_int_eq(vldaa_published_tpm_nym(&m.key, c->tpm->workspace, basename, nym),
			 VLDAA_OK);
	vldaa_get_init(&rd, nym, sizeof nym);
	vldaa_unpack_uniform(r, &rd, e + 2 * d);
	vldaa_basename_hat(n, hat, w.verifier->group.key_id, basename, b);
	oracle_mul_add(r, e + 2 * d, -1, b, e + d);
	vldaa_tpm_forget(c->tpm);
}

/* z := z - c s */
static void unmask(const uint8_t *c_tilde, size_t polys, int64_t *z, const int64_t *s)
{
	int64_t c[D];

	vldaa_challenge_vartime(r, c, n->kappa, n->rate, n->id, c_tilde, n->challenge_bytes);
	for (size_t i = 0; i < r->d; i++)
		c[i] = -c[i];
	for (size_t i = 0; i < polys; i++)
		oracle_challenge_times(r, z + i * r->d, c, s + i * r->d);
}

/* Masks are at least 2^12 wide: independent ones have next to no coefficient in common. */
static int alike(const int64_t *a, const int64_t *b, size_t polys)
{
	size_t equal = 0;

	for (size_t i = 0; i < polys * r->d; i++)
		equal += a[i] == b[i];
	return equal > polys * r->d / 20;
}

/* A bare signature's masks: y_1, y_N. */
static void sign_masks(car *c, vldaa_bytes basename, const uint8_t *bare, size_t len,
		       int64_t y[2 * D])
{
	int64_t e[3 * D];
	vldaa_reader rd;

	tpm_secret(c, basename, e);
	vldaa_get_init(&rd, bare + n->challenge_bytes, len - n->challenge_bytes);
	vldaa_fswa_get(r, &n->sign[VLDAA_SIGN_E1], &rd, y);
	vldaa_fswa_get(r, &n->sign[VLDAA_SIGN_NYM], &rd, y + r->d);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
	unmask(bare, 2, y, e + r->d);
}

static const vldaa_bytes here = {(const uint8_t *)"here", 4};
static const uint8_t digest_1[VLDAA_DIGEST_BYTES] = {1};
static const uint8_t digest_2[VLDAA_DIGEST_BYTES] = {2};

/* Signs with the repeated seed; the signature's masks in y, its bytes in bare. */
static size_t stuck_sign(car *c, const uint8_t *digest, const void *message, size_t len,
			 uint8_t bare[8192], int64_t y[2 * D])
{
	size_t bare_len;

	rewind_source(c);
	ck_assert_int_eq(
	    vldaa_tpm_sign_begin(c->tpm, w.verifier->group.key_id, here.bytes, here.len, digest),
	    VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_sign_update(c->tpm, message, len), VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_sign_end(c->tpm, bare, 8192, &bare_len), VLDAA_OK);
	sign_masks(c, here, bare, bare_len, y);
	return bare_len;
}

START_TEST(signing_repeats_with_its_seed_and_masks_other_messages_and_attestations_otherwise)
{
	static uint8_t first[8192], again[8192];
	static int64_t y[2 * D], other[2 * D];
	size_t len;
	car c, d;

	setup_set(_i);
	start_car(&c, 42);
	start_car(&d, 43);
	len = stuck_sign(&c, digest_1, "go", 2, first, y);
	ck_assert_uint_eq(stuck_sign(&c, digest_1, "go", 2, again, other), len);
	ck_assert_mem_eq(first, again, len);
	ck_assert(alike(y, other, 2));
	(void)stuck_sign(&c, digest_1, "gp", 2, again, other);
	ck_assert(!alike(y, other, 2));
	(void)stuck_sign(&c, digest_2, "go", 2, again, other);
	ck_assert(!alike(y, other, 2));
	/* another member whose source gives the same bytes */
	(void)stuck_sign(&d, digest_1, "go", 2, again, other);
	ck_assert(!alike(y, other, 2));
	car_free(&c);
	car_free(&d);
	world_free(&w);
}
END_TEST

/* A host may have the very bytes signed as a message that the TPM signs in a token. */
START_TEST(a_token_and_a_message_of_the_same_bytes_have_other_masks)
{
	static uint8_t token[16384], bare[8192];
	static int64_t y[2 * D], other[2 * D];
	const size_t nym_at = HEAD + 1 + here.len;
	const uint8_t *secret_digest;
	size_t len, bare_at;
	car c;

	setup_set(_i);
	start_car(&c, 42);
	rewind_source(&c);
	ck_assert_int_eq(vldaa_tpm_token(c.tpm, w.verifier->group.key_id, here.bytes, here.len,
					 digest_1, token, sizeof token, &len),
			 VLDAA_OK);
	secret_digest = token + nym_at + vldaa_pack_uniform_size(r) + VLDAA_DIGEST_BYTES;
	bare_at = (size_t)(secret_digest - token) + VLDAA_DIGEST_BYTES;
	sign_masks(&c, here, token + bare_at, len - bare_at, y);
	(void)stuck_sign(&c, digest_1, secret_digest, VLDAA_DIGEST_BYTES, bare, other);
	ck_assert(!alike(y, other, 2));
	car_free(&c);
	world_free(&w);
}
END_TEST

/* The host's call under this host seed, and the TPM's masks y_T, y_N for it under the stuck one. */
static void stuck_reply(car *c, uint64_t host_seed, vldaa_bytes basename, buffer *call,
			int64_t y[3 * D])
{
	buffer reply = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_CREATE_REPLY));
	const uint8_t *payload = reply.data + HEAD;
	int64_t e[3 * D];
	vldaa_reader rd;

	*call = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_ATTESTATION));
	c->random = (test_random){host_seed, 0, -1};
	ck_assert_int_eq(vldaa_host_create_begin(c->host, basename.bytes, basename.len, call->data,
						 call->len, &call->len),
			 VLDAA_OK);
	rewind_source(c);
	ck_assert_int_eq(
	    vldaa_tpm_create(c->tpm, call->data, call->len, reply.data, reply.len, &reply.len),
	    VLDAA_OK);
	tpm_secret(c, basename, e);
	vldaa_get_init(&rd, payload, reply.len - HEAD);
	(void)vldaa_get_view(&rd, n->challenge_bytes + VLDAA_CREATE_NONCE_BYTES +
				      vldaa_pack_uniform_size(r));
	vldaa_fswa_get(r, &n->tpm[VLDAA_TPM_E], &rd, y);
	vldaa_fswa_get(r, &n->tpm[VLDAA_TPM_NYM], &rd, y + 2 * r->d);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
	unmask(payload, 3, y, e);
	buffer_free(&reply);
}

START_TEST(create_masks_other_calls_otherwise)
{
	static int64_t y[3 * D], other[3 * D];
	const vldaa_bytes there = {(const uint8_t *)"her", 3};
	buffer call, another;
	car c;

	setup_set(_i);
	start_car(&c, 42);
	stuck_reply(&c, 1, here, &call, y);
	stuck_reply(&c, 1, here, &another, other);
	ck_assert_mem_eq(call.data, another.data, call.len);
	ck_assert(alike(y, other, 3));
	buffer_free(&another);
	/* another first message of the host: D_H and w_3 differ, the basename does not */
	stuck_reply(&c, 2, here, &another, other);
	ck_assert_mem_ne(call.data, another.data, call.len);
	ck_assert(!alike(y, other, 3));
	buffer_free(&another);
	/* another basename */
	stuck_reply(&c, 1, there, &another, other);
	ck_assert(!alike(y, other, 3));
	/* the host's stream is bound to the basename too: nothing of its call comes again */
	ck_assert_mem_ne(call.data + HEAD + 1 + here.len, another.data + HEAD + 1 + there.len, 8);
	buffer_free(&call);
	buffer_free(&another);
	car_free(&c);
	world_free(&w);
}
END_TEST

/* Masks of a join proof: bytes of u, c~, z. */
static void join_masks(vldaa_bytes proof, const int64_t *e, int64_t y[2 * D])
{
	const size_t poly = vldaa_pack_uniform_size(r);
	vldaa_reader rd;

	vldaa_get_init(&rd, proof.bytes, proof.len);
	(void)vldaa_get_view(&rd, poly + n->challenge_bytes);
	vldaa_fswa_get(r, &n->join, &rd, y);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
	unmask(proof.bytes + poly, 2, y, e);
}

START_TEST(join_masks_other_nonces_otherwise)
{
	static int64_t y[3][2][2 * D], e[2][3 * D];
	car c;

	setup_set(_i);
	car_init(&c, &w, 42);
	tpm_secret(&c, here, e[0]);
	{
		vldaa_reader rd;
		vldaa_get_init(&rd, c.host_key.data + HEAD, c.host_key.len - HEAD);
		vldaa_member_unpack(n, &rd, e[1]);
		ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
	}
	for (int i = 0; i < 3; i++) {
		const uint8_t nonce[VLDAA_NONCE_BYTES] = {i == 2};
		buffer request;
		vldaa_reader rd;

		rewind_source(&c);
		request = car_request(&c, nonce);
		vldaa_get_init(&rd, request.data, request.len);
		(void)vldaa_get_view(&rd, HEAD + VLDAA_NONCE_BYTES);
		for (int part = 0; part < 2; part++)
			join_masks(vldaa_get_bytes_block(&rd, rd.len), e[part], y[i][part]);
		buffer_free(&request);
	}
	for (int part = 0; part < 2; part++) {
		ck_assert(alike(y[0][part], y[1][part], 2));
		ck_assert(!alike(y[0][part], y[2][part], 2));
	}
	car_free(&c);
	world_free(&w);
}
END_TEST

/* A second credential for one tag, or two from one stream, would leak the trapdoor. */
START_TEST(the_issuer_draws_other_tags_and_preimages_for_other_requests)
{
	static int64_t s[3][4 * D];
	int64_t tag[3][2];
	car c[2];
	buffer request[2];

	setup_set(_i);
	for (int i = 0; i < 2; i++) {
		const uint8_t nonce[VLDAA_NONCE_BYTES] = {5};

		car_init(&c[i], &w, 50 + (uint64_t)i);
		request[i] = car_request(&c[i], nonce);
	}
	for (int i = 0; i < 3; i++) {
		car *who = &c[i == 2];
		buffer answer;
		vldaa_reader rd;

		w.random = (test_random){77, STUCK, -1};
		answer = world_answer(&w, request[i == 2]);
		buffer_free(&who->credential);
		car_accept(who, answer);
		vldaa_get_init(&rd, who->credential.data + HEAD, who->credential.len - HEAD);
		vldaa_published_get_credential(n, &rd, tag[i], s[i]);
		ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
		buffer_free(&answer);
	}
	ck_assert_mem_eq(tag[0], tag[1], sizeof tag[0]);
	ck_assert(alike(s[0], s[1], 4));
	ck_assert_mem_ne(tag[0], tag[2], sizeof tag[0]);
	ck_assert(!alike(s[0], s[2], 4));
	for (int i = 0; i < 2; i++) {
		buffer_free(&request[i]);
		car_free(&c[i]);
	}
	world_free(&w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("streams of randomness");
	TCase *tc = tcase_create("repeated seeds");
	SRunner *sr = srunner_create(s);
	const int sets = published_sets();

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(
	    tc, signing_repeats_with_its_seed_and_masks_other_messages_and_attestations_otherwise,
	    0, sets);
	tcase_add_loop_test(tc, a_token_and_a_message_of_the_same_bytes_have_other_masks, 0, sets);
	tcase_add_loop_test(tc, create_masks_other_calls_otherwise, 0, sets);
	tcase_add_loop_test(tc, join_masks_other_nonces_otherwise, 0, sets);
	tcase_add_loop_test(tc, the_issuer_draws_other_tags_and_preimages_for_other_requests, 0,
			    sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
