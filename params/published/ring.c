/* How many auxiliary primes exact products need (core/src/ring/ring.h). */
#include "published/published.h"
#include "tables/primes.h"

/* At most this many products of centred residues are summed before one reduction. */
enum { SUMMED_PRODUCTS = 10 };

uint32_t vldaa_published_ring_primes(const vldaa_published_choice *choice,
				     const vldaa_published_bounds *bounds)
{
	fmpz_t residues;
	fmpz_t integers;
	fmpz_t product;
	fmpz_init(residues);
	fmpz_init(integers);
	fmpz_init_set_ui(product, 1);

	/* 2 * 10 d (q/2)^2, with q/2 rounded up. */
	fmpz_set_ui(residues, (choice->q + 1) / 2);
	fmpz_mul(residues, residues, residues);
	fmpz_mul_ui(residues, residues, 2UL * SUMMED_PRODUCTS * choice->degree);
	/* Exact integers: r s_20 + r' s_21, 2 * 2 d max|s|; R z is smaller, as alpha is below
	 * gamma. */
	fmpz_mul_ui(integers, bounds->credential, 2UL * 2 * choice->degree);
	if (fmpz_cmp(integers, residues) > 0)
		fmpz_set(residues, integers);
	/* c s_3, 2 * kappa max|s_3|, the largest of the c s. */
	fmpz_sqrt(integers, bounds->s3_2);
	fmpz_mul_ui(integers, integers, 2UL * choice->kappa);
	if (fmpz_cmp(integers, residues) > 0)
		fmpz_set(residues, integers);

	uint32_t count = 0;
	while (fmpz_cmp(product, residues) <= 0) {
		fmpz_mul_ui(product, product, vldaa_table_prime(count));
		count++;
	}
	fmpz_clear(residues);
	fmpz_clear(integers);
	fmpz_clear(product);
	return count;
}
