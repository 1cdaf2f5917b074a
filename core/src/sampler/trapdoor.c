/* TrapGen: the matrix R.  Choice: uniform ternary, as scheme section "Setup" has it, where SC24's
 * bound on s1(R) is one for Gaussian R; perturb.c says what that means for gamma. */
#include "sampler/trapdoor.h"

#include "random/secret.h"
#include "sampler/uniform.h"
#include "vldaa/error.h"

int vldaa_trapdoor_generate(const vldaa_published_set *set, int64_t *R, vldaa_rng *rng)
{
	const size_t len = (size_t)4 * set->ring.d;

	for (int attempt = 0; attempt < VLDAA_MAX_ATTEMPTS; attempt++) {
		vldaa_ternary(R, len, rng);
		if (vldaa_trapdoor_check(set, R) == VLDAA_OK)
			return VLDAA_OK;
	}
	vldaa_wipe(R, len * sizeof *R);
	return VLDAA_ERR_ATTEMPTS;
}
