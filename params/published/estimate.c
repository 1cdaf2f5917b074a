#include "published/estimate.h"

#include "lattice/cost.h"

#include <math.h>

static double sigma_of(const vldaa_published_choice *choice)
{
	return 2.0 * sqrt(log2((double)choice->degree));
}

void vldaa_published_estimate_keys(vldaa_published_estimate *out,
				   const vldaa_published_choice *choice, double q,
				   vldaa_cost_model model)
{
	/*
	 * u_T = e_T0 + a_T1 e_T1 and every pseudonym share the ternary secret e_T1, so an attacker
	 * has as many samples as the member has basenames; six rings' worth is more than the attack
	 * can use.
	 */
	vldaa_lwe instance = {.n = choice->degree,
			      .samples = 6 * choice->degree,
			      .q = q,
			      .secret_deviation = vldaa_lwe_uniform_deviation(1),
			      .error_deviation = sigma_of(choice)};
	if (model == VLDAA_COST_SC24) {
		instance.samples = 2 * choice->degree;
		instance.error_deviation /= sqrt(2.0 * 3.14159265358979323846);
	}
	vldaa_lwe_primal(&out->attack, &instance);
	out->quantum_bits = vldaa_cost_quantum(out->attack.block);
	out->bits = model == VLDAA_COST_SC24
			? vldaa_cost_bkz_sieve(out->attack.block, out->attack.dimension)
			: vldaa_cost_classical(out->attack.block);
}

void vldaa_published_estimate_tag(vldaa_published_estimate *out,
				  const vldaa_published_choice *choice)
{
	/*
	 * t_1 - a_11 t_2 = r_0 + (a_12 - a_11 a_2) r_2 - a_11 i and t_2 - i = r_1 + a_2 r_2: for a
	 * candidate i, two ring elements of LWE samples with the secret r_2, all ternary.
	 */
	vldaa_lwe instance = {.n = choice->degree,
			      .samples = 2 * choice->degree,
			      .q = (double)choice->q,
			      .secret_deviation = vldaa_lwe_uniform_deviation(1),
			      .error_deviation = vldaa_lwe_uniform_deviation(1)};
	vldaa_lwe_primal(&out->attack, &instance);
	out->bits = vldaa_cost_classical(out->attack.block);
	out->quantum_bits = vldaa_cost_quantum(out->attack.block);
}
