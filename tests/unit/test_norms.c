/*
 * Promises, for the published sets, for every block of every proof, for credentials and keys: a
 * response exactly as long as its bound is let through, one just over it is VLDAA_ERR_NORM, and so
 * is one that takes more bytes than the block may; signers hold themselves to the same bounds.
 *
 * "Let through" shows as the next error: the proof is not one (VLDAA_ERR_PROOF).
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/sets.h"
#include "../support/world.h"
#include "role/memory.h"
#include "role/verifier_state.h"
#include "scheme/published.h"
#include "wire/object.h"
#include "wire/pack.h"

enum { D = VLDAA_MAX_DEGREE, HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES };

/* How long the response under test is. */
enum length { ZERO, AT_THE_BOUND, JUST_OVER, TOO_MANY_BYTES };

/* One world; each test runs in its own process. */
static struct {
	world world;
	const vldaa_set *set;
	const vldaa_published_set *n;
	const vldaa_ring *r;
	void *group;
	vldaa_published_workspace *workspace;
	void *pseudonym;
	int64_t z[4 * D];
	uint8_t bytes[1 << 18];
} t;

static void setup_set(int i)
{
	t.set = published_set(i);
	world_init(&t.world, t.set, 61);
	t.n = t.set->numbers;
	t.r = &t.n->ring;
	t.group = t.world.verifier->group.context;
	t.workspace = vldaa_memory_new(t.set->scheme->size(t.set, VLDAA_PART_VERIFY_WORKSPACE));
	t.pseudonym = vldaa_memory_new(t.set->scheme->size(t.set, VLDAA_PART_PSEUDONYM_CONTEXT));
	(void)vldaa_published_place_workspace(t.n, t.workspace);
}

/* floor(sqrt(x)) for x < 2^126 */
static int64_t root(vldaa_u128 x)
{
	uint64_t low = 0;

	for (uint64_t bit = UINT64_C(1) << 62; bit > 0; bit >>= 1) {
		if ((vldaa_u128)(low + bit) * (low + bit) <= x)
			low += bit;
	}
	return (int64_t)low;
}

/*
 * count coefficients with exactly this squared norm: one near the largest allowed at the beginning,
 * the rest made up from the end, so that every polynomial of a block counts.
 */
static void fill_norm(int64_t *z, size_t count, vldaa_u128 norm2, uint64_t max)
{
	const int64_t large = (int64_t)max - 1;

	memset(z, 0, count * sizeof *z);
	z[0] = -large;
	norm2 -= (vldaa_u128)large * (vldaa_u128)large;
	for (size_t i = count - 1; norm2 > 0; i--) {
		ck_assert_uint_gt(i, 0);
		z[i] = root(norm2);
		norm2 -= (vldaa_u128)z[i] * (vldaa_u128)z[i];
	}
}

/*
 * A Rice code's worst case within the norm: multiples k and k + 1 of 2^rice, as the unary part is
 * what grows.
 */
static void fill_bytes(int64_t *z, size_t count, vldaa_u128 norm2, uint32_t rice)
{
	const uint64_t k = (uint64_t)root(norm2 / count) >> rice;
	vldaa_u128 rest = (norm2 >> (2 * rice)) - (vldaa_u128)k * k * count;

	for (size_t i = 0; i < count; i++) {
		const uint64_t more = rest >= 2 * k + 1;

		rest -= more * (2 * k + 1);
		z[i] = (int64_t)((k + more) << rice) * (i % 2 ? -1 : 1);
	}
}

static void fill(const vldaa_block *b, int64_t *z, enum length how)
{
	const size_t count = (size_t)b->polys * t.r->d;
	const vldaa_u128 bound = (vldaa_u128)b->bound2_high << 64 | b->bound2_low;
	vldaa_writer w;

	memset(z, 0, count * sizeof *z);
	if (how == AT_THE_BOUND || how == JUST_OVER)
		fill_norm(z, count, bound + (how == JUST_OVER), b->max);
	if (how == TOO_MANY_BYTES)
		fill_bytes(z, count, bound, b->rice);
	/* The test itself: only what is under test is out of bounds. */
	vldaa_put_init(&w, NULL, 0);
	vldaa_rice_encode_vartime(&w, z, count, b->rice);
	ck_assert_int_eq(w.len > b->max_bytes, how == TOO_MANY_BYTES);
	ck_assert_int_eq(vldaa_fswa_within(t.r, b, z), how != JUST_OVER);
}

static void put_block(vldaa_writer *w, const vldaa_block *b, enum length how)
{
	fill(b, t.z, how);
	vldaa_rice_encode_vartime(w, t.z, (size_t)b->polys * t.r->d, b->rice);
}

static void put_zeroes(vldaa_writer *w, size_t len)
{
	ck_assert_uint_le(w->len + len, sizeof t.bytes);
	memset(t.bytes + w->len, 0, len);
	w->len += len;
}

static const vldaa_block *attestation_block(size_t i)
{
	return i < VLDAA_HOST_BLOCKS ? &t.n->host[i] : &t.n->tpm[i - VLDAA_HOST_BLOCKS];
}

static int verify_attestation(size_t block, enum length how)
{
	const vldaa_bytes basename = {(const uint8_t *)"x", 1};
	vldaa_writer w;

	vldaa_put_init(&w, t.bytes, sizeof t.bytes);
	put_zeroes(&w, 5 * vldaa_pack_uniform_size(t.r) + t.n->challenge_bytes +
			   VLDAA_CREATE_NONCE_BYTES);
	for (size_t i = 0; i < VLDAA_HOST_BLOCKS + VLDAA_TPM_BLOCKS; i++)
		put_block(&w, attestation_block(i), i == block ? how : ZERO);
	ck_assert_uint_le(w.len, w.cap);
	return vldaa_published_attestation_verify(t.group, t.workspace, basename,
						  (vldaa_bytes){t.bytes, w.len}, t.pseudonym);
}

START_TEST(every_response_of_an_attestation_is_held_to_its_bound)
{
	setup_set(_i);
	for (size_t i = 0; i < VLDAA_HOST_BLOCKS + VLDAA_TPM_BLOCKS; i++) {
		ck_assert_int_eq(verify_attestation(i, AT_THE_BOUND), VLDAA_ERR_PROOF);
		ck_assert_int_eq(verify_attestation(i, JUST_OVER), VLDAA_ERR_NORM);
		ck_assert_int_eq(verify_attestation(i, TOO_MANY_BYTES), VLDAA_ERR_NORM);
	}
}
END_TEST

static int verify_signature(size_t block, enum length how)
{
	static const uint8_t digest[VLDAA_MESSAGE_DIGEST_BYTES];
	const vldaa_sign_subject about = {
	    VLDAA_SIGN_MESSAGE, t.world.verifier->group.key_id, {digest, 1}, digest};
	int64_t nym[D] = {0};
	uint32_t hat[VLDAA_MAX_PRIMES * D] = {0};
	vldaa_writer w;

	vldaa_put_init(&w, t.bytes, sizeof t.bytes);
	put_zeroes(&w, t.n->challenge_bytes);
	for (size_t i = 0; i < VLDAA_SIGN_BLOCKS; i++)
		put_block(&w, &t.n->sign[i], i == block ? how : ZERO);
	return vldaa_nym_verify_run(t.n, &t.workspace->nym, hat, nym, hat, &about, digest,
				    (vldaa_bytes){t.bytes, w.len});
}

START_TEST(both_responses_of_a_message_signature_are_held_to_their_bounds)
{
	setup_set(_i);
	for (size_t i = 0; i < VLDAA_SIGN_BLOCKS; i++) {
		ck_assert_int_eq(verify_signature(i, AT_THE_BOUND), VLDAA_ERR_PROOF);
		ck_assert_int_eq(verify_signature(i, JUST_OVER), VLDAA_ERR_NORM);
		ck_assert_int_eq(verify_signature(i, TOO_MANY_BYTES), VLDAA_ERR_NORM);
	}
}
END_TEST

static int verify_join(enum length how)
{
	const vldaa_public_keys *k = &((const vldaa_published_group *)t.group)->keys;
	vldaa_writer w;

	vldaa_put_init(&w, t.bytes, sizeof t.bytes);
	put_zeroes(&w, vldaa_pack_uniform_size(t.r) + t.n->challenge_bytes);
	put_block(&w, &t.n->join, how);
	return vldaa_knowledge_verify(t.n, &t.workspace->knowledge, VLDAA_JOIN_TPM, k->key_id,
				      (vldaa_bytes){t.bytes, 0}, k->at1,
				      (vldaa_bytes){t.bytes, w.len});
}

START_TEST(the_response_of_a_join_proof_is_held_to_its_bound)
{
	setup_set(_i);
	ck_assert_int_eq(verify_join(AT_THE_BOUND), VLDAA_ERR_PROOF);
	ck_assert_int_eq(verify_join(JUST_OVER), VLDAA_ERR_NORM);
	ck_assert_int_eq(verify_join(TOO_MANY_BYTES), VLDAA_ERR_NORM);
}
END_TEST

/* The host keeps (1) or asks again (0), unless the TPM's reply is out of bounds. */
static int respond_to(size_t block, enum length how)
{
	const vldaa_public_keys *k = &((const vldaa_published_group *)t.group)->keys;
	const size_t size = t.set->scheme->size(t.set, VLDAA_PART_HOST_CONTEXT);
	vldaa_published_host *h = vldaa_memory_new(size);
	vldaa_rng rng;
	vldaa_writer w, out;
	int result;

	(void)vldaa_published_place_host(t.n, h);
	vldaa_rng_init(&rng, k->key_id, t.n->id);
	vldaa_put_init(&w, t.bytes, sizeof t.bytes);
	put_zeroes(&w,
		   t.n->challenge_bytes + VLDAA_CREATE_NONCE_BYTES + vldaa_pack_uniform_size(t.r));
	for (size_t i = 0; i < VLDAA_TPM_BLOCKS; i++)
		put_block(&w, &t.n->tpm[i], i == block ? how : ZERO);
	vldaa_put_init(&out, NULL, 0);
	result = vldaa_blind_host_respond(k, &h->blind, (vldaa_bytes){t.bytes, w.len}, &rng, &out);
	ck_assert_int_eq(out.len > 0, result == 1);
	vldaa_memory_free(h, size);
	return result;
}

START_TEST(the_host_refuses_a_reply_that_is_out_of_bounds)
{
	setup_set(_i);
	for (size_t i = 0; i < VLDAA_TPM_BLOCKS; i++) {
		ck_assert_int_ge(respond_to(i, AT_THE_BOUND), 0);
		ck_assert_int_eq(respond_to(i, JUST_OVER), VLDAA_ERR_NORM);
		ck_assert_int_eq(respond_to(i, TOO_MANY_BYTES), VLDAA_ERR_NORM);
	}
}
END_TEST

START_TEST(signers_put_out_nothing_over_the_bounds)
{
	setup_set(_i);
	for (size_t i = 0; i < VLDAA_HOST_BLOCKS + VLDAA_TPM_BLOCKS + VLDAA_SIGN_BLOCKS + 1; i++) {
		const size_t sign = i - VLDAA_HOST_BLOCKS - VLDAA_TPM_BLOCKS;
		const vldaa_block *b = i < VLDAA_HOST_BLOCKS + VLDAA_TPM_BLOCKS
					   ? attestation_block(i)
				       : sign < VLDAA_SIGN_BLOCKS ? &t.n->sign[sign]
								  : &t.n->join;

		for (int how = ZERO; how <= TOO_MANY_BYTES; how++) {
			vldaa_writer w;

			vldaa_put_init(&w, t.bytes, sizeof t.bytes);
			fill(b, t.z, (enum length)how);
			ck_assert_int_eq(vldaa_fswa_put(t.r, b, &w, t.z),
					 how <= AT_THE_BOUND ? VLDAA_OK : VLDAA_ERR_NORM);
		}
	}
}
END_TEST

/* --- the credential ----------------------------------------------------------------------------
 */

static size_t put_credential(size_t half, enum length how, int64_t s[4 * D])
{
	const vldaa_u128 bound =
	    (vldaa_u128)t.n->credential_bound2_high << 64 | t.n->credential_bound2_low;
	const size_t count = 2 * (size_t)t.r->d;
	vldaa_writer w;

	vldaa_put_init(&w, t.bytes, sizeof t.bytes);
	vldaa_put_header(&w, VLDAA_KIND_CREDENTIAL, t.set);
	vldaa_put_bytes(&w, t.world.verifier->group.key_id, VLDAA_KEY_ID_BYTES);
	vldaa_put_u32(&w, 1);
	vldaa_put_u32(&w, 0);
	memset(s, 0, 2 * count * sizeof *s);
	for (size_t i = 0; i < 2; i++) {
		int64_t *half_s = s + i * count;
		const size_t before = w.len;

		if (i == half && how == TOO_MANY_BYTES)
			fill_bytes(half_s, count, bound, t.n->credential_rice);
		else if (i == half && how != ZERO)
			fill_norm(half_s, count, bound + (how == JUST_OVER), t.n->credential_max);
		vldaa_rice_encode_vartime(&w, half_s, count, t.n->credential_rice);
		ck_assert_int_eq(w.len - before > t.n->credential_max_bytes,
				 i == half && how == TOO_MANY_BYTES);
	}
	return w.len;
}

START_TEST(both_halves_of_a_credential_are_held_to_their_bound)
{
	static int64_t s[4 * D];
	const int64_t tag[2] = {1, 0};
	uint8_t tpm_public[VLDAA_MAX_POLY_BYTES] = {0};
	car c;

	setup_set(_i);
	car_init(&c, &t.world, 62);
	for (size_t half = 0; half < 2; half++) {
		for (int how = AT_THE_BOUND; how <= TOO_MANY_BYTES; how++) {
			const size_t len = put_credential(half, (enum length)how, s);
			vldaa_writer w;

			/* the host: at the bound it is equation (1) that fails */
			ck_assert_int_eq(vldaa_host_accept(c.host, t.bytes, len, tpm_public,
							   vldaa_pack_uniform_size(t.r)),
					 how == AT_THE_BOUND ? VLDAA_ERR_CREDENTIAL
							     : VLDAA_ERR_NORM);
			ck_assert_int_eq(
			    vldaa_host_load(c.host, c.host_key.data, c.host_key.len, t.bytes, len),
			    how == AT_THE_BOUND ? VLDAA_OK : VLDAA_ERR_NORM);
			/* the issuer */
			vldaa_put_init(&w, t.bytes, sizeof t.bytes);
			ck_assert_int_eq(vldaa_published_put_credential(t.n, &w, tag, s),
					 how == AT_THE_BOUND ? VLDAA_OK : VLDAA_ERR_NORM);
			ck_assert_int_eq(
			    vldaa_host_load(c.host, c.host_key.data, c.host_key.len, NULL, 0),
			    VLDAA_OK);
		}
	}
	car_free(&c);
}
END_TEST

/* --- keys --------------------------------------------------------------------------------------
 */

START_TEST(a_member_keys_error_is_held_to_its_bound)
{
	int64_t e[2 * D];

	setup_set(_i);
	for (int over = 0; over < 2; over++) {
		const vldaa_u128 norm2 = (vldaa_u128)t.n->error_bound2 + (unsigned)over;
		vldaa_u128 rest = norm2;
		vldaa_writer w;
		vldaa_reader rd;

		/* Coefficients up to the encoding's limit. */
		memset(e, 0, sizeof e);
		for (size_t i = 0; rest > 0; i++) {
			const int64_t most = t.n->error.len;

			e[i] = root(rest) < most ? root(rest) : most;
			rest -= (vldaa_u128)e[i] * (vldaa_u128)e[i];
		}
		vldaa_put_init(&w, t.bytes, sizeof t.bytes);
		vldaa_member_pack(t.n, &w, e);
		vldaa_get_init(&rd, t.bytes, w.len);
		vldaa_member_unpack(t.n, &rd, e);
		ck_assert_int_eq(vldaa_get_end(&rd), over ? VLDAA_ERR_NORM : VLDAA_OK);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("norms");
	TCase *tc = tcase_create("bounds");
	SRunner *sr = srunner_create(s);
	const int sets = published_sets();

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, every_response_of_an_attestation_is_held_to_its_bound, 0, sets);
	tcase_add_loop_test(tc, both_responses_of_a_message_signature_are_held_to_their_bounds, 0,
			    sets);
	tcase_add_loop_test(tc, the_response_of_a_join_proof_is_held_to_its_bound, 0, sets);
	tcase_add_loop_test(tc, the_host_refuses_a_reply_that_is_out_of_bounds, 0, sets);
	tcase_add_loop_test(tc, signers_put_out_nothing_over_the_bounds, 0, sets);
	tcase_add_loop_test(tc, both_halves_of_a_credential_are_held_to_their_bound, 0, sets);
	tcase_add_loop_test(tc, a_member_keys_error_is_held_to_its_bound, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
