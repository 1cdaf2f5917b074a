/*
 * Promises: an honest proof is accepted; each equation of P1 to P4 alone refuses a prover that is
 * honest everywhere but in that one equation's witness; the challenge covers everything that is
 * sent beside the responses.
 *
 * The prover here is the tests' own, on slow arithmetic (support/oracle.h).  It needs no issuer: in
 * the published sets a witness of (2) follows by linear algebra modulo q.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oracle.h"
#include "../support/sets.h"
#include "role/memory.h"
#include "sampler/uniform.h"
#include "scheme/published.h"
#include "wire/pack.h"

enum { D = VLDAA_MAX_DEGREE, HOST = VLDAA_HOST_POLYS, TPM = VLDAA_TPM_POLYS };

/* Where the prover deviates: in one witness, and honestly everywhere else. */
enum lie {
	HONEST,
	R_IS_NOT_IN_T1,
	R2_IS_NOT_IN_T1P,
	RSIGMA_IS_NOT_SIGMA_R,
	TAG_IS_NOT_FIXED,
	T2P_HAS_ANOTHER_MULTIPLE,
	CREDENTIAL_IS_OFF_BY_ONE,
	CREDENTIAL_IS_FOR_ANOTHER_TAG,
	S3_IS_OFF_BY_ONE,
	HOST_KEY_IS_ANOTHER,
	TPM_KEY_IS_ANOTHER,
	NYM_HAS_ANOTHER_E_T1,
	NYM_ERROR_IS_ANOTHER,
};

static const struct {
	enum lie lie;
	enum vldaa_first_message wrong; /* the one that the verifier finds to be another */
} lies[] = {
    {R_IS_NOT_IN_T1, VLDAA_W_1},                /* P1: t_1 = A_1 r */
    {R2_IS_NOT_IN_T1P, VLDAA_W_1P},             /* P1: t'_1 = A_1 r' */
    {T2P_HAS_ANOTHER_MULTIPLE, VLDAA_W_D},      /* P1: t'_2 - delta t_2 = A_2 (r' - delta r) */
    {RSIGMA_IS_NOT_SIGMA_R, VLDAA_W_1S},        /* P2: sigma(t_1) = sigma(A_1) r~ */
    {TAG_IS_NOT_FIXED, VLDAA_W_2},              /* P2: t_2 - sigma(t_2) = A_2 r - sigma(A_2) r~ */
    {CREDENTIAL_IS_OFF_BY_ONE, VLDAA_W_3},      /* P3 */
    {CREDENTIAL_IS_FOR_ANOTHER_TAG, VLDAA_W_3}, /* P3 */
    {S3_IS_OFF_BY_ONE, VLDAA_W_3},              /* P3 */
    {HOST_KEY_IS_ANOTHER, VLDAA_W_3},           /* P3 */
    {TPM_KEY_IS_ANOTHER, VLDAA_W_3},            /* P3 */
    {NYM_HAS_ANOTHER_E_T1, VLDAA_W_N},          /* P4 */
    {NYM_ERROR_IS_ANOTHER, VLDAA_W_N},          /* P4 */
};
enum { LIES = sizeof lies / sizeof lies[0] };

static const uint8_t key_id[VLDAA_KEY_ID_BYTES] = {7};
static const vldaa_bytes basename = {(const uint8_t *)"crossing 12", 11};

/* One prover and one verifier; each test runs in its own process. */
static struct {
	const vldaa_published_set *set;
	vldaa_rng rng;
	oracle_public keys;
	int64_t b[D];
	/* the statement */
	int64_t t[VLDAA_COMMITMENTS * D];
	int64_t nym[D];
	/* the witness, in the responses' order */
	int64_t host[HOST * D];
	int64_t tpm[TPM * D];
	/* a run */
	int64_t w[VLDAA_FIRST_MESSAGES * D];
	int64_t z_host[HOST * D];
	int64_t z_tpm[TPM * D];
	uint8_t payload[1 << 17];
	size_t len;
	/* the verifier's side */
	void *group;
	vldaa_published_workspace *workspace;
	void *pseudonym;
} p;

/* A group key whose B is random: nobody has a trapdoor. */
static void make_group(const vldaa_set *set)
{
	static const uint8_t seed[VLDAA_SEED_BYTES] = {1, 2, 3};
	uint8_t payload[VLDAA_RHO_BYTES + 2 * VLDAA_MAX_POLY_BYTES];
	int64_t poly[D];
	uint32_t hat[VLDAA_MAX_PRIMES * D];
	vldaa_writer w;

	p.set = set->numbers;
	vldaa_rng_init(&p.rng, seed, p.set->id);
	vldaa_put_init(&w, payload, sizeof payload);
	vldaa_rng_bytes(&p.rng, payload, VLDAA_RHO_BYTES);
	w.len = VLDAA_RHO_BYTES;
	for (int i = 0; i < 2; i++) {
		vldaa_uniform_vartime(&p.set->ring, poly, &p.rng.shake);
		vldaa_pack_uniform(&p.set->ring, &w, poly);
	}
	oracle_public_init(&p.keys, p.set, payload);
	vldaa_basename_hat(p.set, hat, key_id, basename, p.b);

	p.group = vldaa_memory_new(set->scheme->size(set, VLDAA_PART_GROUP_CONTEXT));
	p.workspace = vldaa_memory_new(set->scheme->size(set, VLDAA_PART_VERIFY_WORKSPACE));
	p.pseudonym = vldaa_memory_new(set->scheme->size(set, VLDAA_PART_PSEUDONYM_CONTEXT));
	ck_assert_int_eq(vldaa_published_group_init(p.group, set, payload, key_id), VLDAA_OK);
}

static int64_t *host_secret(int block)
{
	return p.host + vldaa_host_block_start[block] * p.set->ring.d;
}

/* t_1, t_2 of `message`; x: r or r'. */
static void commit(int64_t *t1, int64_t *t2, const int64_t *x, const int64_t *message)
{
	const vldaa_ring *r = &p.set->ring;
	const size_t d = r->d;

	oracle_pair(r, t1, x, p.keys.element[VLDAA_EL_A11], x + d, NULL, NULL);
	oracle_mul_add(r, t1, 1, p.keys.element[VLDAA_EL_A12], x + 2 * d);
	oracle_pair(r, t2, x + d, p.keys.element[VLDAA_EL_A2], x + 2 * d, NULL, NULL);
	oracle_add(r, t2, 1, message);
}

/*
 * s with [A' | B + (m_0, m_1)] s = u + u_T + u_H: s_2 and the second of s_1 chosen short, the first
 * of s_1 by division.  Every residue is far below the credential's bound.
 */
static void make_credential(const int64_t *m0, const int64_t *m1)
{
	const vldaa_ring *r = &p.set->ring;
	const size_t d = r->d;
	int64_t *s1 = host_secret(VLDAA_HOST_S1), *s2 = host_secret(VLDAA_HOST_S2);
	const int64_t *e_h = host_secret(VLDAA_HOST_E);
	int64_t target[D] = {0}, column[D], inverse[D];

	vldaa_mask_sample(s1 + d, d, 25, &p.rng);
	vldaa_mask_sample(s2, 2 * d, 25, &p.rng);
	oracle_add(r, target, 1, p.keys.element[VLDAA_EL_U]);
	oracle_add(r, target, 1, p.tpm);
	oracle_mul_add(r, target, 1, p.keys.element[VLDAA_EL_AT1], p.tpm + d);
	oracle_add(r, target, 1, e_h);
	oracle_mul_add(r, target, 1, p.keys.element[VLDAA_EL_AH1], e_h + d);
	oracle_mul_add(r, target, -1, p.keys.element[VLDAA_EL_A1], s1 + d);
	for (int j = 0; j < 2; j++) {
		memcpy(column, p.keys.B[j], d * sizeof *column);
		oracle_add(r, column, 1, j ? m1 : m0);
		oracle_mul_add(r, target, -1, column, s2 + (size_t)j * d);
	}
	oracle_invert(r, inverse, p.keys.element[VLDAA_EL_A0]);
	oracle_mul(r, s1, target, inverse);
}

/* Statement and witness, true but for the lie. */
static void make_witness(enum lie lie)
{
	const vldaa_published_set *n = p.set;
	const vldaa_ring *r = &n->ring;
	const size_t d = r->d;
	const int64_t multiple = n->delta + (lie == T2P_HAS_ANOTHER_MULTIPLE);
	int64_t *rand = host_secret(VLDAA_HOST_R), *rand2 = host_secret(VLDAA_HOST_R2);
	int64_t *rand_sigma = host_secret(VLDAA_HOST_RSIGMA), *s3 = host_secret(VLDAA_HOST_S3);
	const int64_t *s2 = host_secret(VLDAA_HOST_S2);
	int64_t tag[D] = {0}, tag2[D] = {0}, other[2 * D];

	vldaa_ternary(rand, 6 * d, &p.rng);
	for (size_t j = 0; j < 3; j++)
		oracle_sigma(r, rand_sigma + j * d, rand + j * d);
	tag[0] = -17;
	tag[d / 2] = 3001;
	tag[1] = lie == TAG_IS_NOT_FIXED;
	oracle_add(r, tag2, multiple, tag);
	commit(p.t + VLDAA_T_1 * d, p.t + VLDAA_T_2 * d, rand, tag);
	commit(p.t + VLDAA_T_1P * d, p.t + VLDAA_T_2P * d, rand2, tag2);

	ck_assert_int_eq(vldaa_member_sample(n, p.tpm, &p.rng), VLDAA_OK);
	ck_assert_int_eq(vldaa_member_sample(n, host_secret(VLDAA_HOST_E), &p.rng), VLDAA_OK);
	if (lie == CREDENTIAL_IS_FOR_ANOTHER_TAG) {
		tag[d / 2] += 1;
		tag2[d / 2] += multiple;
	}
	make_credential(tag, tag2);
	for (size_t j = 0; j < 2; j++) {
		oracle_mul(r, s3 + j * d, rand + (1 + j) * d, s2);
		oracle_mul_add(r, s3 + j * d, 1, rand2 + (1 + j) * d, s2 + d);
	}

	ck_assert_int_eq(vldaa_member_sample(n, other, &p.rng), VLDAA_OK);
	memcpy(p.tpm + 2 * d, other, d * sizeof *other); /* e_N */
	oracle_pair(r, p.nym, p.tpm + 2 * d, p.b,
		    lie == NYM_HAS_ANOTHER_E_T1 ? other + d : p.tpm + d, NULL, NULL);

	/* The first entries of A_2 and sigma(A_2) are 0: these change one equation each. */
	rand[0] += lie == R_IS_NOT_IN_T1;
	rand2[0] += lie == R2_IS_NOT_IN_T1P;
	rand_sigma[0] += lie == RSIGMA_IS_NOT_SIGMA_R;
	host_secret(VLDAA_HOST_S1)[d - 1] += lie == CREDENTIAL_IS_OFF_BY_ONE;
	s3[d] += lie == S3_IS_OFF_BY_ONE;
	host_secret(VLDAA_HOST_E)[1] += lie == HOST_KEY_IS_ANOTHER;
	p.tpm[2] += lie == TPM_KEY_IS_ANOTHER;
	p.tpm[2 * d + 5] += lie == NYM_ERROR_IS_ANOTHER;
}

/* One attempt at the proof; 1 when its responses are within the bounds. */
static int attempt(void)
{
	const vldaa_published_set *n = p.set;
	const vldaa_ring *r = &n->ring;
	const size_t d = r->d;
	uint8_t digest[VLDAA_COMMIT_DIGEST_BYTES];
	uint8_t nonce[VLDAA_CREATE_NONCE_BYTES];
	uint8_t c_tilde[VLDAA_MAX_CHALLENGE_BYTES];
	int64_t c[D];
	vldaa_writer w;
	int err = VLDAA_OK;

	for (size_t i = 0; i < VLDAA_HOST_BLOCKS; i++)
		vldaa_fswa_mask(r, &n->host[i], p.z_host + vldaa_host_block_start[i] * d, &p.rng);
	vldaa_fswa_mask(r, &n->tpm[VLDAA_TPM_E], p.z_tpm, &p.rng);
	vldaa_fswa_mask(r, &n->tpm[VLDAA_TPM_NYM], p.z_tpm + 2 * d, &p.rng);
	oracle_first_messages(&p.keys, p.b, p.t, p.nym, p.z_host, p.z_tpm, NULL, p.w);
	vldaa_rng_bytes(&p.rng, nonce, sizeof nonce);
	vldaa_commit_digest(n, key_id, p.t, p.w, digest);
	vldaa_create_challenge(n, key_id, basename, p.nym, digest, p.w + VLDAA_W_3 * d,
			       p.w + VLDAA_W_N * d, nonce, c_tilde);
	vldaa_challenge_vartime(r, c, n->kappa, n->rate, n->id, c_tilde, n->challenge_bytes);
	for (size_t j = 0; j < HOST; j++)
		oracle_challenge_times(r, p.z_host + j * d, c, p.host + j * d);
	for (size_t j = 0; j < TPM; j++)
		oracle_challenge_times(r, p.z_tpm + j * d, c, p.tpm + j * d);

	vldaa_put_init(&w, p.payload, sizeof p.payload);
	vldaa_pack_uniform(r, &w, p.nym);
	for (size_t i = 0; i < VLDAA_COMMITMENTS; i++)
		vldaa_pack_uniform(r, &w, p.t + i * d);
	vldaa_put_bytes(&w, c_tilde, n->challenge_bytes);
	vldaa_put_bytes(&w, nonce, sizeof nonce);
	for (size_t i = 0; i < VLDAA_HOST_BLOCKS && !err; i++)
		err = vldaa_fswa_put(r, &n->host[i], &w, p.z_host + vldaa_host_block_start[i] * d);
	if (!err)
		err = vldaa_fswa_put(r, &n->tpm[VLDAA_TPM_E], &w, p.z_tpm);
	if (!err)
		err = vldaa_fswa_put(r, &n->tpm[VLDAA_TPM_NYM], &w, p.z_tpm + 2 * d);
	p.len = w.len;
	return !err;
}

static void prove(const vldaa_set *set, enum lie lie)
{
	int kept = 0;

	make_group(set);
	make_witness(lie);
	for (int i = 0; i < 10 && !kept; i++)
		kept = attempt();
	ck_assert(kept);
}

static int verify(void)
{
	return vldaa_published_attestation_verify(p.group, p.workspace, basename,
						  (vldaa_bytes){p.payload, p.len}, p.pseudonym);
}

START_TEST(an_honest_proof_is_accepted_and_its_first_messages_found_again)
{
	prove(published_set(_i), HONEST);
	ck_assert_int_eq(verify(), VLDAA_OK);
	for (size_t i = 0; i < VLDAA_FIRST_MESSAGES; i++)
		ck_assert(oracle_equal(&p.set->ring, p.workspace->blind.w + i * p.set->ring.d,
				       p.w + i * p.set->ring.d));
}
END_TEST

START_TEST(each_equation_alone_refuses_a_wrong_witness)
{
	const size_t d = vldaa_published_numbers(published_set(_i / LIES))->ring.d;

	prove(published_set(_i / LIES), lies[_i % LIES].lie);
	ck_assert_int_eq(verify(), VLDAA_ERR_PROOF);
	for (size_t i = 0; i < VLDAA_FIRST_MESSAGES; i++) {
		ck_assert_msg(oracle_equal(&p.set->ring, p.workspace->blind.w + i * d,
					   p.w + i * d) == (i != (size_t)lies[_i % LIES].wrong),
			      "lie %d, first message %zu", (int)lies[_i % LIES].lie, i);
	}
}
END_TEST

/* One bit of each thing that the challenge is to cover. */
START_TEST(the_challenge_covers_pseudonym_commitments_nonce_and_basename)
{
	const vldaa_bytes other = {(const uint8_t *)"crossing 13", 11};
	size_t poly;

	prove(published_set(_i), HONEST);
	poly = vldaa_pack_uniform_size(&p.set->ring);
	for (size_t i = 0; i < 1 + VLDAA_COMMITMENTS; i++) {
		p.payload[i * poly] ^= 1;
		ck_assert_int_eq(verify(), VLDAA_ERR_PROOF);
		p.payload[i * poly] ^= 1;
	}
	for (size_t i = 0; i < p.set->challenge_bytes + VLDAA_CREATE_NONCE_BYTES; i++) {
		p.payload[5 * poly + i] ^= 0x80;
		ck_assert_int_eq(verify(), VLDAA_ERR_PROOF);
		p.payload[5 * poly + i] ^= 0x80;
	}
	ck_assert_int_eq(vldaa_published_attestation_verify(p.group, p.workspace, other,
							    (vldaa_bytes){p.payload, p.len},
							    p.pseudonym),
			 VLDAA_ERR_PROOF);
	ck_assert_int_eq(verify(), VLDAA_OK);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("BlindSign and BlindVerify");
	TCase *tc = tcase_create("equations");
	SRunner *sr = srunner_create(s);
	const int sets = published_sets();

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, an_honest_proof_is_accepted_and_its_first_messages_found_again, 0,
			    sets);
	tcase_add_loop_test(tc, each_equation_alone_refuses_a_wrong_witness, 0, sets * LIES);
	tcase_add_loop_test(tc, the_challenge_covers_pseudonym_commitments_nonce_and_basename, 0,
			    sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
