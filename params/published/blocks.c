/*
 * Norm bounds, masks and encoded sizes.  Every bound is computed from exact rationals (gamma^2 from
 * an enclosure), so that each floor and ceiling is the true one.
 */
#include "published/published.h"
#include "rice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The two ends of gamma^2's enclosure must round alike; that they do not is as good as impossible.
 */
static void must_agree(const fmpz_t low, const fmpz_t high)
{
	if (fmpz_equal(low, high))
		return;
	fprintf(stderr,
		"vldaa-params: a bound is too close to an integer; raise VLDAA_REAL_PRECISION\n");
	abort();
}

void vldaa_published_square_floor(fmpz_t out, const vldaa_published_square *x,
				  const vldaa_published_derived *derived)
{
	if (!x->times_gamma2) {
		vldaa_exact_floor(out, x->factor);
		return;
	}
	fmpq_t product;
	fmpz_t high;
	fmpq_init(product);
	fmpz_init(high);
	fmpq_mul(product, x->factor, derived->gamma2_low);
	vldaa_exact_floor(out, product);
	fmpq_mul(product, x->factor, derived->gamma2_high);
	vldaa_exact_floor(high, product);
	must_agree(out, high);
	fmpq_clear(product);
	fmpz_clear(high);
}

void vldaa_published_square_ceil_sqrt(fmpz_t out, const vldaa_published_square *x,
				      const fmpq_t scale, const vldaa_published_derived *derived)
{
	fmpq_t scaled;
	fmpq_t product;
	fmpq_init(scaled);
	fmpq_init(product);
	fmpq_mul(scaled, x->factor, scale);
	if (!x->times_gamma2) {
		vldaa_exact_ceil_sqrt(out, scaled);
	} else {
		fmpz_t high;
		fmpz_init(high);
		fmpq_mul(product, scaled, derived->gamma2_low);
		vldaa_exact_ceil_sqrt(out, product);
		fmpq_mul(product, scaled, derived->gamma2_high);
		vldaa_exact_ceil_sqrt(high, product);
		must_agree(out, high);
		fmpz_clear(high);
	}
	fmpq_clear(scaled);
	fmpq_clear(product);
}

/* --- bounds T on secrets, squared ----------------------------------------------------------------
 */

static const uint32_t hundred = 100;

/* r, r', r~: three ternary polynomials, 3 d. */
static void square_of_randomness(vldaa_published_square *x, uint64_t d, uint64_t sigma2)
{
	(void)sigma2;
	fmpq_set_si(x->factor, (slong)(3 * d), 1);
	x->times_gamma2 = 0;
}

/* s_1, s_2: the issuer redraws until (1.1 gamma)^2 2 d holds. */
static void square_of_credential(vldaa_published_square *x, uint64_t d, uint64_t sigma2)
{
	(void)sigma2;
	fmpq_set_si(x->factor, (slong)(121 * 2 * d), hundred);
	x->times_gamma2 = 1;
}

/* s_3 = r s_20 + r' s_21: the host redraws r, r' until (2 d gamma)^2 holds. */
static void square_of_product(vldaa_published_square *x, uint64_t d, uint64_t sigma2)
{
	(void)sigma2;
	fmpq_set_si(x->factor, (slong)(4 * d * d), 1);
	x->times_gamma2 = 1;
}

/* e_N, e_T0: redrawn until (1.1 sigma)^2 d holds. */
static void square_of_error(vldaa_published_square *x, uint64_t d, uint64_t sigma2)
{
	fmpq_set_si(x->factor, (slong)(121 * sigma2 * d), hundred);
	x->times_gamma2 = 0;
}

/* e_T1: one ternary polynomial, d. */
static void square_of_ternary(vldaa_published_square *x, uint64_t d, uint64_t sigma2)
{
	(void)sigma2;
	fmpq_set_si(x->factor, (slong)d, 1);
	x->times_gamma2 = 0;
}

/* e_T, e_H: an error and a ternary polynomial. */
static void square_of_key(vldaa_published_square *x, uint64_t d, uint64_t sigma2)
{
	fmpq_set_si(x->factor, (slong)(121 * sigma2 * d + 100 * d), hundred);
	x->times_gamma2 = 0;
}

/* --- masks -------------------------------------------------------------------------------------
 */

typedef struct {
	vldaa_proof_role role;
	const char *index;
	const char *meaning;
	uint32_t polys;
	void (*square)(vldaa_published_square *x, uint64_t d, uint64_t sigma2);
} block_kind;

static const block_kind kinds[VLDAA_PUBLISHED_BLOCKS] = {
    {VLDAA_PROOF_HOST, "VLDAA_HOST_R", "r", 3, square_of_randomness},
    {VLDAA_PROOF_HOST, "VLDAA_HOST_R2", "r'", 3, square_of_randomness},
    {VLDAA_PROOF_HOST, "VLDAA_HOST_RSIGMA", "r~", 3, square_of_randomness},
    {VLDAA_PROOF_HOST, "VLDAA_HOST_S1", "s_1", 2, square_of_credential},
    {VLDAA_PROOF_HOST, "VLDAA_HOST_S2", "s_2", 2, square_of_credential},
    {VLDAA_PROOF_HOST, "VLDAA_HOST_S3", "s_3", 2, square_of_product},
    {VLDAA_PROOF_HOST, "VLDAA_HOST_E", "e_H", 2, square_of_key},
    {VLDAA_PROOF_TPM, "VLDAA_TPM_E", "e_T", 2, square_of_key},
    {VLDAA_PROOF_TPM, "VLDAA_TPM_NYM", "e_N", 1, square_of_error},
    {VLDAA_PROOF_SIGN, "VLDAA_SIGN_E1", "e_T1", 1, square_of_ternary},
    {VLDAA_PROOF_SIGN, "VLDAA_SIGN_NYM", "e_N", 1, square_of_error},
    {VLDAA_PROOF_JOIN, NULL, "e_T or e_H", 2, square_of_key},
};

static uint32_t blocks_of_role(vldaa_proof_role role)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++)
		count += kinds[i].role == role;
	return count;
}

static void block_init(vldaa_published_block *out, const block_kind *kind,
		       const vldaa_published_choice *choice, const vldaa_published_derived *derived)
{
	out->role = kind->role;
	out->index = kind->index;
	out->meaning = kind->meaning;
	out->polys = kind->polys;
	fmpz_init(out->width);
	fmpz_init(out->bound2);
	fmpz_init(out->max);

	vldaa_published_square secret;
	fmpq_init(secret.factor);
	kind->square(&secret, choice->degree, derived->sigma2);
	/* (xi / 4)^2 = (12 kappa / 4)^2 B T^2 = 9 kappa^2 B T^2. */
	fmpq_t scale;
	fmpq_init(scale);
	fmpq_set_si(scale, 9L * choice->kappa * choice->kappa * blocks_of_role(kind->role), 1);
	vldaa_published_square_ceil_sqrt(out->width, &secret, scale, derived);

	/* beta'^2 = xi^2 2 d m' with xi = 4 K. */
	fmpz_mul(out->bound2, out->width, out->width);
	fmpz_mul_ui(out->bound2, out->bound2, 16UL * 2 * choice->degree * kind->polys);
	fmpz_sqrt(out->max, out->bound2);

	double deviation = 4.0 * vldaa_exact_double(out->width);
	vldaa_rice_choose(&out->rice, &out->bytes, kind->polys * choice->degree, deviation);
	fmpq_clear(secret.factor);
	fmpq_clear(scale);
}

void vldaa_published_blocks_init(vldaa_published_block out[VLDAA_PUBLISHED_BLOCKS],
				 const vldaa_published_choice *choice,
				 const vldaa_published_derived *derived)
{
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++)
		block_init(&out[i], &kinds[i], choice, derived);
}

void vldaa_published_blocks_clear(vldaa_published_block blocks[VLDAA_PUBLISHED_BLOCKS])
{
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++) {
		fmpz_clear(blocks[i].width);
		fmpz_clear(blocks[i].bound2);
		fmpz_clear(blocks[i].max);
	}
}

/* --- bounds outside the proofs -------------------------------------------------------------------
 */

void vldaa_published_bounds_init(vldaa_published_bounds *out, const vldaa_published_choice *choice,
				 const vldaa_published_derived *derived)
{
	vldaa_published_square square;
	fmpq_init(square.factor);
	fmpz_init(out->error2);
	fmpz_init(out->credential2);
	fmpz_init(out->credential);
	fmpz_init(out->s3_2);
	fmpz_init(out->link2);

	square_of_error(&square, choice->degree, derived->sigma2);
	vldaa_published_square_floor(out->error2, &square, derived);
	square_of_credential(&square, choice->degree, derived->sigma2);
	vldaa_published_square_floor(out->credential2, &square, derived);
	fmpz_sqrt(out->credential, out->credential2);
	square_of_product(&square, choice->degree, derived->sigma2);
	vldaa_published_square_floor(out->s3_2, &square, derived);

	/* ||nym - nym'|| <= q sqrt(d) / 8. */
	fmpz_set_ui(out->link2, choice->q);
	fmpz_mul(out->link2, out->link2, out->link2);
	fmpz_mul_ui(out->link2, out->link2, choice->degree);
	fmpz_fdiv_q_2exp(out->link2, out->link2, 6);

	vldaa_rice_choose(&out->credential_rice, &out->credential_bytes, 2 * choice->degree,
			  mpfr_get_d(derived->gamma, MPFR_RNDN));
	fmpq_clear(square.factor);
}

void vldaa_published_bounds_clear(vldaa_published_bounds *bounds)
{
	fmpz_clear(bounds->error2);
	fmpz_clear(bounds->credential2);
	fmpz_clear(bounds->credential);
	fmpz_clear(bounds->s3_2);
	fmpz_clear(bounds->link2);
}
