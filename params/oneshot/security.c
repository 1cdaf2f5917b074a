/* What a one-shot set gives, in words. */
#include "oneshot/check.h"

#include "lattice/arora_ge.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What breaking the problem means. */
static const char *meaning(const char *name)
{
	static const struct {
		const char *name, *says;
	} table[] = {
	    {"msis-attestation", "opening an attestation's commitment in two ways (Module-SIS)"},
	    {"msis-join", "opening a Join's commitment in two ways (Module-SIS)"},
	    {"mlwe-commitments", "seeing through a proof's commitments (Module-LWE)"},
	    {"ntru", "finding the issuer's private key behind h (NTRU)"},
	    {"isis", "a credential without the issuer (NTRU-ISIS)"},
	    {"mlwe-pseudonyms", "a member's key from any number of pseudonyms (Module-LWE)"},
	    {"lwe-u_T", "a member's key from its Join request (LWE)"},
	    {"mldsa-forgery", "a message signature under another's pseudonym (ML-DSA)"},
	    {"arora-ge", "a member's key by polynomial equations"},
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(table[i].name, name) == 0)
			return table[i].says;
	return name;
}

static void judge_equations(vldaa_verdict *out, const vldaa_oneshot_problem *problem,
			    const vldaa_oneshot_choice *choice, int ok)
{
	vldaa_arora_ge instance = {.n = 256 * choice->l,
				   .eta = 2,
				   .samples = (256 * (uint64_t)choice->k) << choice->creates_log2};
	vldaa_arora_ge_estimate estimate;
	vldaa_arora_ge_solve(&estimate, &instance);
	vldaa_verdict_set(out, problem->name, ok,
			  "%s takes at least 2^%.0f as long as a key serves at most 2^%" PRIu32
			  " Creates (degree %" PRIu32
			  ", 2^%.1f monomials); with 2^%.1f samples, degree 5 would "
			  "do: 2^%.0f.",
			  meaning(problem->name), floor(problem->classical), choice->creates_log2,
			  estimate.degree, estimate.monomial_bits, estimate.linearise_bits,
			  2.0 * estimate.linearise_bits);
}

void vldaa_oneshot_judge(vldaa_verdict *out, const vldaa_oneshot_problem *problem,
			 const vldaa_oneshot_choice *choice)
{
	int ok = problem->classical >= choice->level;
	const char *says = meaning(problem->name);
	if (strcmp(problem->name, "arora-ge") == 0)
		judge_equations(out, problem, choice, ok);
	else if (problem->primal > 0.0)
		vldaa_verdict_set(
		    out, problem->name, ok,
		    "%s takes core-SVP 2^%.1f by the primal attack and 2^%.1f by the dual "
		    "one with guessing; quantum 2^%.0f.",
		    says, problem->primal, problem->dual, floor(problem->quantum));
	else
		vldaa_verdict_set(out, problem->name, ok,
				  "%s takes BKZ with block size %" PRIu32
				  ": core-SVP 2^%.1f, quantum 2^%.0f (%s).",
				  says, problem->block, problem->classical, floor(problem->quantum),
				  problem->attack);
}
