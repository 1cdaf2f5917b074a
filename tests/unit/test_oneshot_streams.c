/*
 * Promises, for the one-shot sets: a seed that repeats (a snapshot restored, a source that is stuck)
 * repeats what it made when everything else is the same, and never masks two different things alike:
 * two responses z = y + c s and z' = y + c' s under one mask would give the secret s away.  Nor do
 * two commitments share their one-time randomness.
 *
 * The masks are computed here from the secret: y = z - c s.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_member.h"
#include "../support/oracle.h"
#include "../support/sets.h"
#include "mldsa/poly.h"
#include "role/source.h"
#include "wire/object.h"

enum { STUCK = 1000, BYTES = 1 << 17 };

/* One world; each test runs in its own process. */
static world w;
static const vldaa_oneshot_set *n;

static void setup_set(int i)
{
	world_init(&w, oneshot_set(i), 41);
	n = vldaa_oneshot_numbers(w.set);
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

/* --- proofs ------------------------------------------------------------------------------------
 */

/* What must not come again: the masks of s in the last round; B w2a + g, which w2 and g determine. */
typedef struct {
	uint8_t bytes[BYTES];
	size_t len;
	int64_t y[MEMBER_S];
	int64_t garbage[VLDAA_OS_PAIRS * VLDAA_OS_D];
} run;

/* z - c s for the block of s, which begins at element `first` of the witness. */
static void open_run(run *r, car *c, const vldaa_os_statement_set *numbers, uint32_t first,
		     vldaa_bytes proof)
{
	static oneshot_member m;
	vldaa_os_proof *p = oneshot_proof_new(n->proof, numbers, proof.bytes, proof.len);
	int64_t challenge[VLDAA_OS_D];

	oneshot_member_read(&m, c);
	vldaa_os_challenge(challenge, p->seed);
	for (size_t i = 0; i < VLDAA_OS_D; i++)
		challenge[i] = -challenge[i];
	for (size_t i = 0; i < (size_t)n->mldsa->l * VLDAA_OS_QUARTERS; i++) {
		const int64_t *poly = m.s + i / VLDAA_OS_QUARTERS * VLDAA_MLDSA_N;
		int64_t *y = r->y + i * VLDAA_OS_D, element[VLDAA_OS_D];

		for (size_t j = 0; j < VLDAA_OS_D; j++)
			element[j] = poly[i % VLDAA_OS_QUARTERS + j * VLDAA_OS_QUARTERS];
		memcpy(y, p->z1 + (first + i) * VLDAA_OS_D, sizeof element);
		oracle_challenge_times(&n->proof->ring, y, challenge, element);
	}
	memcpy(r->garbage, p->tb + VLDAA_OS_MASK * VLDAA_OS_D, sizeof r->garbage);
	free(p);
}

/* Masks are tens of thousands wide: independent ones have next to no coefficient in common. */
static int alike(const int64_t *a, const int64_t *b, size_t len)
{
	size_t equal = 0;

	for (size_t i = 0; i < len; i++)
		equal += a[i] == b[i];
	return equal > len / 20;
}

static void check_same(const run *a, const run *b)
{
	ck_assert_uint_eq(a->len, b->len);
	ck_assert_mem_eq(a->bytes, b->bytes, a->len);
	ck_assert_mem_eq(a->y, b->y, sizeof a->y);
}

static void check_apart(const run *a, const run *b)
{
	ck_assert(!alike(a->y, b->y, (size_t)n->mldsa->l * VLDAA_MLDSA_N));
	ck_assert(!alike(a->garbage, b->garbage, VLDAA_OS_PAIRS * VLDAA_OS_D));
}

/* The TPM's reply to a Create under this basename, with the repeated seed. */
static void stuck_create(run *r, car *c, const char *basename)
{
	const uint32_t first = 2 * n->N / VLDAA_OS_D + VLDAA_OS_QUARTERS + 1;
	const size_t nym = vldaa_os_nym_size(n);
	uint8_t call[1024];
	size_t call_len;

	ck_assert_int_eq(vldaa_host_create_begin(c->host, (const uint8_t *)basename,
						 strlen(basename), call, sizeof call, &call_len),
			 VLDAA_OK);
	rewind_source(c);
	memset(r, 0, sizeof *r);
	ck_assert_int_eq(
	    vldaa_tpm_create(c->tpm, call, call_len, r->bytes, sizeof r->bytes, &r->len), VLDAA_OK);
	open_run(r, c, n->attestation, first,
		 (vldaa_bytes){r->bytes + MEMBER_HEAD + nym, r->len - MEMBER_HEAD - nym});
}

/* Joins once more: another credential for the same key. */
static void join_again(car *c)
{
	buffer request = car_request(c, (const uint8_t[32]){9});
	buffer answer = world_answer(&w, request);

	buffer_free(&c->credential);
	car_accept(c, answer);
	buffer_free(&request);
	buffer_free(&answer);
}

START_TEST(create_repeats_with_its_seed_and_masks_everything_else_otherwise)
{
	static run first, again;
	static oneshot_member before, after;
	car c, d;

	setup_set(_i);
	start_car(&c, 42);
	start_car(&d, 43);
	stuck_create(&first, &c, "here");
	stuck_create(&again, &c, "here");
	check_same(&first, &again);
	/* another basename */
	stuck_create(&again, &c, "her");
	check_apart(&first, &again);
	/* another member whose source gives the same bytes */
	stuck_create(&again, &d, "here");
	check_apart(&first, &again);
	/* another credential */
	oneshot_member_read(&before, &c);
	join_again(&c);
	oneshot_member_read(&after, &c);
	ck_assert_mem_eq(before.s, after.s, sizeof before.s);
	ck_assert_mem_ne(&before.credential, &after.credential, sizeof before.credential);
	stuck_create(&again, &c, "here");
	check_apart(&first, &again);
	car_free(&c);
	car_free(&d);
	world_free(&w);
}
END_TEST

/* The TPM's part of a request for this nonce, with the repeated seed. */
static void stuck_join(run *r, car *c, uint8_t number)
{
	const uint8_t nonce[VLDAA_NONCE_BYTES] = {number};
	const size_t ut = vldaa_os_ut_size(n);
	buffer request;
	vldaa_bytes part;
	vldaa_reader rd;

	rewind_source(c);
	request = car_request(c, nonce);
	vldaa_get_init(&rd, request.data, request.len);
	(void)vldaa_get_view(&rd, MEMBER_HEAD + VLDAA_NONCE_BYTES);
	part = vldaa_get_bytes_block(&rd, request.len);
	memset(r, 0, sizeof *r);
	ck_assert_ptr_nonnull(part.bytes);
	memcpy(r->bytes, part.bytes, part.len);
	r->len = part.len;
	open_run(r, c, n->join, 0, (vldaa_bytes){r->bytes + ut, r->len - ut});
	buffer_free(&request);
}

START_TEST(join_masks_other_nonces_and_certificates_otherwise)
{
	static run first, again;
	buffer chain;
	car c;

	setup_set(_i);
	car_init(&c, &w, 42);
	stuck_join(&first, &c, 1);
	stuck_join(&again, &c, 1);
	check_same(&first, &again);
	stuck_join(&again, &c, 2);
	check_apart(&first, &again);
	/* a longer chain for the same endorsement key: the leaf twice */
	chain = buffer_new(2 * c.chain.len);
	memcpy(chain.data, c.chain.data, c.chain.len);
	memcpy(chain.data + c.chain.len, c.chain.data, c.chain.len);
	buffer_free(&c.chain);
	c.chain = chain;
	stuck_join(&again, &c, 1);
	check_apart(&first, &again);
	car_free(&c);
	world_free(&w);
}
END_TEST

/* Both draw w2 and g first, from streams of the same seed and secret. */
START_TEST(join_and_create_share_no_randomness)
{
	static run join, create;
	car c;

	setup_set(_i);
	start_car(&c, 42);
	stuck_join(&join, &c, 1);
	stuck_create(&create, &c, "here");
	check_apart(&join, &create);
	car_free(&c);
	world_free(&w);
}
END_TEST

/* --- signatures --------------------------------------------------------------------------------
 */

static const uint8_t digest[VLDAA_DIGEST_BYTES] = {1};

/* z - c s1 of an ML-DSA signature. */
static void sign_masks(car *c, const uint8_t *signature, int64_t y[MEMBER_S])
{
	static oneshot_member m;
	const vldaa_mldsa_set *set = n->mldsa;
	const vldaa_ring r = {.d = VLDAA_MLDSA_N, .q = VLDAA_MLDSA_Q};
	const uint32_t bits = set->gamma1_bits + 1;
	const uint8_t *z = signature + set->ctilde_bytes;
	vldaa_mldsa_poly poly;
	int64_t challenge[VLDAA_MLDSA_N];

	oneshot_member_read(&m, c);
	vldaa_mldsa_sample_in_ball(set, &poly, signature);
	for (size_t i = 0; i < VLDAA_MLDSA_N; i++)
		challenge[i] = -poly.c[i];
	memset(y, 0, MEMBER_S * sizeof *y);
	for (size_t j = 0; j < set->l; j++, z += VLDAA_MLDSA_N / 8 * bits, y += VLDAA_MLDSA_N) {
		for (size_t i = 0; i < VLDAA_MLDSA_N; i++)
			y[i] = (INT64_C(1) << set->gamma1_bits) - (int64_t)packed_field(z, bits, i);
		oracle_challenge_times(&r, y, challenge, m.s + j * VLDAA_MLDSA_N);
	}
}

/* Signs with the repeated seed: the signature's bytes, its masks in y. */
static void stuck_sign(car *c, const char *basename, const void *message, size_t len,
		       uint8_t bare[VLDAA_MLDSA_MAX_SIGNATURE], int64_t y[MEMBER_S])
{
	size_t bare_len;

	rewind_source(c);
	ck_assert_int_eq(vldaa_tpm_sign_begin(c->tpm, vldaa_verifier_key_id(w.verifier),
					      (const uint8_t *)basename, strlen(basename), digest),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_sign_update(c->tpm, message, len), VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_sign_end(c->tpm, bare, VLDAA_MLDSA_MAX_SIGNATURE, &bare_len),
			 VLDAA_OK);
	ck_assert_uint_eq(bare_len, n->mldsa->signature_bytes);
	sign_masks(c, bare, y);
}

static int masks_alike(const int64_t *a, const int64_t *b)
{
	return alike(a, b, (size_t)n->mldsa->l * VLDAA_MLDSA_N);
}

START_TEST(signing_repeats_with_its_seed_and_masks_everything_else_otherwise)
{
	static uint8_t first[VLDAA_MLDSA_MAX_SIGNATURE], again[VLDAA_MLDSA_MAX_SIGNATURE];
	static int64_t y[MEMBER_S], other[MEMBER_S];
	car c, d;

	setup_set(_i);
	start_car(&c, 42);
	start_car(&d, 43);
	stuck_sign(&c, "here", "go", 2, first, y);
	for (size_t i = 0; i < MEMBER_S; i++)
		ck_assert(y[i] > -(1 << n->mldsa->gamma1_bits) &&
			  y[i] <= 1 << n->mldsa->gamma1_bits);
	stuck_sign(&c, "here", "go", 2, again, other);
	ck_assert_mem_eq(first, again, n->mldsa->signature_bytes);
	ck_assert(masks_alike(y, other));
	stuck_sign(&c, "here", "gp", 2, again, other);
	ck_assert(!masks_alike(y, other));
	stuck_sign(&c, "her", "go", 2, again, other);
	ck_assert(!masks_alike(y, other));
	stuck_sign(&d, "here", "go", 2, again, other);
	ck_assert(!masks_alike(y, other));
	car_free(&c);
	car_free(&d);
	world_free(&w);
}
END_TEST

/* A host may have the very bytes signed as a message that the TPM signs in a token. */
START_TEST(a_token_and_a_message_of_the_same_bytes_have_other_masks)
{
	static uint8_t token[16384], bare[VLDAA_MLDSA_MAX_SIGNATURE];
	static int64_t y[MEMBER_S], other[MEMBER_S];
	const size_t nym_at = MEMBER_HEAD + 1 + strlen("here");
	const uint8_t *secret_digest;
	size_t len;
	car c;

	setup_set(_i);
	start_car(&c, 42);
	rewind_source(&c);
	ck_assert_int_eq(vldaa_tpm_token(c.tpm, vldaa_verifier_key_id(w.verifier),
					 (const uint8_t *)"here", 4, digest, token, sizeof token,
					 &len),
			 VLDAA_OK);
	secret_digest = token + nym_at + vldaa_os_nym_size(n) + VLDAA_DIGEST_BYTES;
	ck_assert_uint_eq(len, (size_t)(secret_digest - token) + VLDAA_DIGEST_BYTES +
				   n->mldsa->signature_bytes);
	sign_masks(&c, secret_digest + VLDAA_DIGEST_BYTES, y);
	stuck_sign(&c, "here", secret_digest, VLDAA_DIGEST_BYTES, bare, other);
	ck_assert(!masks_alike(y, other));
	car_free(&c);
	world_free(&w);
}
END_TEST

/* --- keys and credentials ----------------------------------------------------------------------
 */

/* Two preimages of one target, or one stream for two, would give the issuer's key away. */
START_TEST(the_issuer_draws_other_tags_and_preimages_for_other_requests)
{
	static oneshot_member m[4];
	car c[2];
	buffer request[3];

	setup_set(_i);
	for (uint64_t i = 0; i < 2; i++)
		car_init(&c[i], &w, 50 + i);
	request[0] = car_request(&c[1], (const uint8_t[32]){5});
	request[1] = car_request(&c[0], (const uint8_t[32]){6});
	/* c[0]: the same request twice, then another one; c[1] */
	for (size_t i = 0; i < 4; i++) {
		car *who = &c[i == 3];
		buffer answer;

		if (i == 2) {
			buffer_free(&request[1]);
			request[1] = car_request(who, (const uint8_t[32]){7});
		}
		w.random = (test_random){77, STUCK, -1};
		answer = world_answer(&w, request[i != 3]);
		buffer_free(&who->credential);
		car_accept(who, answer);
		oneshot_member_read(&m[i], who);
		buffer_free(&answer);
	}
	ck_assert_mem_eq(&m[0].credential, &m[1].credential, sizeof m[0].credential);
	for (size_t i = 2; i < 4; i++) {
		size_t equal = 0;

		ck_assert_mem_ne(m[0].credential.x, m[i].credential.x, VLDAA_OS_X_BYTES);
		/* one coefficient in 590 is equal by chance: 1 / (2 sqrt(pi) 166) */
		for (size_t j = 0; j < n->N; j++)
			equal += m[0].credential.v2[j] == m[i].credential.v2[j];
		ck_assert_uint_lt(equal, n->N / 20);
	}
	for (int i = 0; i < 2; i++) {
		buffer_free(&request[i]);
		car_free(&c[i]);
	}
	world_free(&w);
}
END_TEST

/* One s in two groups would link them. */
START_TEST(a_tpm_draws_other_keys_for_other_groups)
{
	static oneshot_member a, b;
	world other;
	size_t equal = 0;
	car c, d;

	setup_set(_i);
	world_init(&other, w.set, 44);
	car_init(&c, &w, 42);
	car_init(&d, &other, 42); /* the same source */
	oneshot_member_read(&a, &c);
	oneshot_member_read(&b, &d);
	ck_assert_mem_ne(a.prf_key, b.prf_key, sizeof a.prf_key);
	/* one in five by chance */
	for (size_t i = 0; i < (size_t)n->mldsa->l * VLDAA_MLDSA_N; i++)
		equal += a.s[i] == b.s[i];
	ck_assert_uint_lt(equal, (size_t)n->mldsa->l * VLDAA_MLDSA_N * 3 / 10);
	car_free(&c);
	car_free(&d);
	world_free(&other);
	world_free(&w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("streams of randomness, one-shot sets");
	TCase *tc = tcase_create("repeated seeds");
	SRunner *sr = srunner_create(s);
	const int sets = oneshot_sets();

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, create_repeats_with_its_seed_and_masks_everything_else_otherwise, 0,
			    sets);
	tcase_add_loop_test(tc, join_masks_other_nonces_and_certificates_otherwise, 0, sets);
	tcase_add_loop_test(tc, join_and_create_share_no_randomness, 0, sets);
	tcase_add_loop_test(tc, signing_repeats_with_its_seed_and_masks_everything_else_otherwise,
			    0, sets);
	tcase_add_loop_test(tc, a_token_and_a_message_of_the_same_bytes_have_other_masks, 0, sets);
	tcase_add_loop_test(tc, the_issuer_draws_other_tags_and_preimages_for_other_requests, 0,
			    sets);
	tcase_add_loop_test(tc, a_tpm_draws_other_keys_for_other_groups, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
