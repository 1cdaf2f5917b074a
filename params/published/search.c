#include "published/search.h"

#include <flint/flint.h>
#include <flint/ulong_extras.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The core's published scheme keeps q below this. */
static const uint64_t largest_modulus = (UINT64_C(1) << 31) - 1;

static double bits_of(const vldaa_search *search, uint64_t q)
{
	vldaa_published_choice choice = {.degree = search->degree};
	vldaa_published_estimate estimate;
	vldaa_published_estimate_keys(&estimate, &choice, (double)q, search->model);
	/* No block size that is tried suffices: beyond every level that can be asked for. */
	double bits = estimate.attack.block == 0 ? INFINITY : estimate.bits;
	if (search->progress != NULL)
		search->progress(search->context, q, bits);
	return bits;
}

static int qualifies(const vldaa_search *search, uint64_t q)
{
	return q % 4 == 3 && n_is_prime(q) && bits_of(search, q) >= search->lambda;
}

/* Honest pseudonyms differ by up to 2.2 sigma sqrt(d), which Link must accept: q / 8 >= 2.2 sigma.
 */
static uint64_t least_for_link(uint32_t degree)
{
	return (uint64_t)ceil(8.0 * 2.2 * 2.0 * sqrt(log2((double)degree)));
}

static uint64_t least_modulus(const vldaa_search *search, uint64_t floor)
{
	for (uint64_t q = floor; q <= largest_modulus; q++) {
		if (qualifies(search, q))
			return q;
		/* The estimate only falls from here. */
		if (q % 4 == 3 && n_is_prime(q))
			return 0;
	}
	return 0;
}

static uint64_t greatest_modulus(const vldaa_search *search, uint64_t floor)
{
	if (bits_of(search, floor) < search->lambda)
		return 0;
	/* Invariant: `low` costs enough; `high` does not, or lies beyond the largest modulus. */
	uint64_t low = floor;
	uint64_t high = largest_modulus + 1;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;
		if (bits_of(search, middle) >= search->lambda)
			low = middle;
		else
			high = middle;
	}
	for (uint64_t q = low; q >= floor; q--)
		if (qualifies(search, q))
			return q;
	return 0;
}

int vldaa_published_search(vldaa_published_choice *out, char name[32], const vldaa_search *search)
{
	uint64_t floor = least_for_link(search->degree);
	uint64_t q = search->aim == VLDAA_AIM_LEAST ? least_modulus(search, floor)
						    : greatest_modulus(search, floor);
	if (q == 0)
		return 0;
	snprintf(name, 32, "search-%" PRIu32 "-%" PRIu64, search->degree, q);
	int wide = search->lambda > 128;
	*out = (vldaa_published_choice){
	    .name = name,
	    .symbol = "search",
	    .origin = search->model == VLDAA_COST_SC24 ? "found with SC24's cost model"
						       : "found with core-SVP",
	    .degree = search->degree,
	    .q = q,
	    /* SC24's sets have 2^d challenges. */
	    .kappa = vldaa_published_least_kappa(search->degree, search->degree),
	    .challenge_goal = search->degree,
	    .lambda = search->lambda,
	    .challenge_bytes = wide ? 64 : 32,
	    .rate = wide ? 136 : 168,
	};
	return 1;
}
