#include "oneshot/estimate.h"

#include "lattice/arora_ge.h"
#include "lattice/cost.h"
#include "lattice/lwe.h"
#include "lattice/sis.h"
#include "oneshot/challenges.h"

#include <math.h>

/* More samples than any attack uses. */
static const uint32_t unlimited = UINT32_C(1) << 24;

static void from_block(vldaa_oneshot_problem *out, uint32_t block)
{
	out->block = block;
	out->classical = vldaa_cost_classical(block);
	out->quantum = vldaa_cost_quantum(block);
}

/* The cheaper of the primal and the dual attack. */
static void lwe(vldaa_oneshot_problem *out, const vldaa_lwe *instance, double secret_values)
{
	vldaa_lwe_estimate primal;
	vldaa_lwe_dual_estimate dual;
	vldaa_lwe_primal(&primal, instance);
	vldaa_lwe_dual(&dual, instance, secret_values);
	from_block(out, primal.block);
	out->attack = "primal";
	out->primal = out->classical;
	out->dual = dual.classical;
	out->quantum = fmin(out->quantum, dual.quantum);
	if (dual.classical >= out->classical)
		return;
	out->attack = "dual, guessing a part of the secret";
	out->block = dual.block;
	out->classical = dual.classical;
}

/* Two openings of t_A: a short vector of [A1 | A2 | I]. */
static void msis(vldaa_oneshot_problem *out, const vldaa_oneshot_derived *derived,
		 const vldaa_oneshot_statement *s)
{
	vldaa_sis instance = {.n = derived->choice->n * VLDAA_ONESHOT_DEGREE,
			      .columns = (s->m1 + derived->m2) * VLDAA_ONESHOT_DEGREE,
			      .q = vldaa_exact_double(derived->q),
			      .bound = sqrt(vldaa_exact_double(s->sis2))};
	vldaa_sis_estimate estimate;
	vldaa_sis_solve(&estimate, &instance);
	out->breaks = VLDAA_BREAKS_FORGERY;
	out->attack = "short vector";
	from_block(out, estimate.trivial ? 0 : estimate.block);
}

/* [A2 I; B 0] w2: the commitments t_A and t_B hide what they commit to. */
static void mlwe(vldaa_oneshot_problem *out, const vldaa_oneshot_derived *derived)
{
	const vldaa_oneshot_choice *choice = derived->choice;
	double ternary = vldaa_lwe_uniform_deviation(1);
	vldaa_lwe instance = {.n = choice->mlwe_rank * VLDAA_ONESHOT_DEGREE,
			      .samples = (choice->n + VLDAA_ONESHOT_GARBAGE) * VLDAA_ONESHOT_DEGREE,
			      .q = vldaa_exact_double(derived->q),
			      .secret_deviation = ternary,
			      .error_deviation = ternary};
	out->breaks = VLDAA_BREAKS_ANONYMITY;
	lwe(out, &instance, 3.0);
}

/* f and g behind h, by Falcon's own formula. */
static void ntru(vldaa_oneshot_problem *out, const vldaa_oneshot_choice *choice)
{
	double deviation = 1.17 * sqrt(VLDAA_ONESHOT_P / (2.0 * choice->degree));
	out->breaks = VLDAA_BREAKS_FORGERY;
	out->attack = "key recovery";
	from_block(out, vldaa_falcon_key_block(choice->degree, VLDAA_ONESHOT_P, deviation));
}

/*
 * A credential without the issuer: v_1 + h v_2 - b_x X - D s = u with ||v|| <= beta, by Falcon's
 * formula; with the columns of s and x at their true budgets; and with as many columns as help that
 * cost no more than those of v.
 */
static void isis(vldaa_oneshot_problem *out, const vldaa_oneshot_choice *choice)
{
	double beta = sqrt((double)choice->beta2);
	uint32_t falcon = vldaa_falcon_forgery_block(choice->degree, VLDAA_ONESHOT_P, beta);
	vldaa_sis_mixed mixed = {.n = choice->degree,
				 .q = VLDAA_ONESHOT_P,
				 .long_columns = 2 * choice->degree,
				 .long_bound = beta,
				 .short_columns = 256 * choice->l + VLDAA_ONESHOT_TAG,
				 /* x around 1/2 */
				 .short_bound = sqrt((double)choice->s2 + VLDAA_ONESHOT_TAG / 4.0)};
	vldaa_sis_mixed_estimate budgets;
	vldaa_sis_mixed_solve(&budgets, &mixed);
	vldaa_sis free_columns = {.n = choice->degree,
				  .columns = 2 * choice->degree + mixed.short_columns,
				  .q = VLDAA_ONESHOT_P,
				  .bound = beta};
	vldaa_sis_estimate free_estimate;
	vldaa_sis_solve(&free_estimate, &free_columns);
	out->breaks = VLDAA_BREAKS_FORGERY;
	uint32_t block = falcon;
	out->attack = "Falcon's forgery";
	if (budgets.block < block) {
		block = budgets.block;
		out->attack = "forgery with columns of s and x";
	}
	if (free_estimate.block < block) {
		block = free_estimate.block;
		out->attack = "forgery with columns of s and x that cost nothing";
	}
	from_block(out, block);
}

/* s from pseudonyms: as many samples as help. */
static void pseudonyms(vldaa_oneshot_problem *out, const vldaa_oneshot_choice *choice)
{
	double small = vldaa_lwe_uniform_deviation(2);
	vldaa_lwe instance = {.n = 256 * choice->l,
			      .samples = unlimited,
			      .q = VLDAA_ONESHOT_Q1,
			      .secret_deviation = small,
			      .error_deviation = small};
	out->breaks = VLDAA_BREAKS_FORGERY | VLDAA_BREAKS_KEY | VLDAA_BREAKS_ANONYMITY;
	lwe(out, &instance, 5.0);
}

/* s from u_T. */
static void membership(vldaa_oneshot_problem *out, const vldaa_oneshot_choice *choice)
{
	double small = vldaa_lwe_uniform_deviation(2);
	vldaa_lwe instance = {.n = 256 * choice->l,
			      .samples = choice->degree,
			      .q = VLDAA_ONESHOT_P,
			      .secret_deviation = small,
			      .error_deviation = small};
	out->breaks = VLDAA_BREAKS_FORGERY | VLDAA_BREAKS_KEY | VLDAA_BREAKS_ANONYMITY;
	lwe(out, &instance, 5.0);
}

/* ML-DSA's forgery (SelfTargetMSIS, strong): block sizes of the Dilithium specification v3.1,
 * table 1. */
static void messages(vldaa_oneshot_problem *out, const vldaa_oneshot_choice *choice)
{
	out->breaks = VLDAA_BREAKS_FORGERY;
	out->attack = "short vector, as published for ML-DSA";
	from_block(out, choice->mldsa_sis_block);
}

/* s from the small errors of every row of every pseudonym. */
static void equations(vldaa_oneshot_problem *out, const vldaa_oneshot_choice *choice)
{
	vldaa_arora_ge instance = {.n = 256 * choice->l,
				   .eta = 2,
				   .samples = (256 * (uint64_t)choice->k) << choice->creates_log2};
	vldaa_arora_ge_estimate estimate;
	vldaa_arora_ge_solve(&estimate, &instance);
	out->breaks = VLDAA_BREAKS_FORGERY | VLDAA_BREAKS_KEY | VLDAA_BREAKS_ANONYMITY;
	out->attack = "polynomial equations";
	out->classical = estimate.bits;
	out->quantum = estimate.bits;
}

/* 2 / |C| (a bad challenge), q^-4 (scalar relations), 2^-128 (range proof). */
double vldaa_oneshot_soundness(const vldaa_oneshot_choice *choice)
{
	vldaa_challenge_count challenges;
	vldaa_oneshot_count_challenges(&challenges);
	return log2(exp2(1.0 - challenges.bits) + exp2(-4.0 * choice->q_bits) + exp2(-128.0));
}

void vldaa_oneshot_estimate(vldaa_oneshot_estimates *out, const vldaa_oneshot_derived *derived)
{
	static const char *const names[VLDAA_ONESHOT_PROBLEMS] = {
	    "msis-attestation", "msis-join", "mlwe-commitments", "ntru",    "isis",
	    "mlwe-pseudonyms",  "lwe-u_T",   "mldsa-forgery",    "arora-ge"};
	vldaa_oneshot_problem *problem = out->problem;
	*out = (vldaa_oneshot_estimates){0};
	for (uint32_t i = 0; i < VLDAA_ONESHOT_PROBLEMS; i++)
		problem[i].name = names[i];
	msis(&problem[0], derived, &derived->attestation);
	msis(&problem[1], derived, &derived->join);
	mlwe(&problem[2], derived);
	ntru(&problem[3], derived->choice);
	isis(&problem[4], derived->choice);
	pseudonyms(&problem[5], derived->choice);
	membership(&problem[6], derived->choice);
	messages(&problem[7], derived->choice);
	equations(&problem[8], derived->choice);
	out->soundness = vldaa_oneshot_soundness(derived->choice);
}

int vldaa_oneshot_bits(const vldaa_oneshot_estimates *estimates, unsigned breaks)
{
	double least = INFINITY;
	if (breaks & VLDAA_BREAKS_FORGERY)
		least = -estimates->soundness;
	for (uint32_t i = 0; i < VLDAA_ONESHOT_PROBLEMS; i++)
		if (estimates->problem[i].breaks & breaks)
			least = fmin(least, estimates->problem[i].classical);
	return (int)floor(least);
}

const char *vldaa_oneshot_assumptions(void)
{
	return "Module-SIS; Module-LWE, also with one bit of a hint on one-time randomness; NTRU; interactive "
	       "NTRU-ISIS_f, which is newer than the others; ML-DSA; random oracles; Joins answered one after "
	       "another";
}

const char *vldaa_oneshot_warning(const vldaa_oneshot_choice *choice)
{
	return choice->level > 128
		   ? "an attestation's proof is sound up to an error of 2^-127, whatever its lattice problems cost"
		   : NULL;
}
