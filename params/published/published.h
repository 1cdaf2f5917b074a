/*
 * The published sets (VLDAA-42, -128, -256): what is chosen (sets.c) and what follows from it.
 * Sources: Lesaignoux and Carmona, SECRYPT 2024, section 2.4 ("SC24").
 */
#ifndef VLDAA_PARAMS_PUBLISHED_H
#define VLDAA_PARAMS_PUBLISHED_H

#include "exact.h"
#include "lattice/lwe.h"

/* What a set chooses; everything else is derived. */
typedef struct {
	const char *name;   /* "VLDAA-128" */
	const char *symbol; /* suffix of identifiers in the generated code */
	const char *origin;
	uint32_t id; /* the set identifier of encodings and hashes */
	uint32_t degree;
	uint64_t q;
	uint32_t kappa;           /* weight of a challenge */
	uint32_t challenge_goal;  /* the challenge set is meant to have 2^challenge_goal elements */
	uint32_t lambda;          /* in eta */
	uint32_t challenge_bytes; /* length of c~ */
	uint32_t rate;            /* SHAKE rate of the random oracle */
	double claimed_bits_low;  /* the Ring-LWE estimate that SC24 reports; 0: none */
	double claimed_bits_high;
	const char *printed_sigma; /* decimals as SC24 prints them; NULL: not printed */
	const char *printed_alpha;
	const char *printed_gamma;
} vldaa_published_choice;

extern const vldaa_published_choice vldaa_published_choices[];
extern const uint32_t vldaa_published_count;

/* n, m, k of SC24: one relation of four polynomials, gadget (1, delta). */
enum { VLDAA_PUBLISHED_M = 4, VLDAA_PUBLISHED_K = 2 };

/* What SC24 section 2.4's formulas give. */
typedef struct {
	uint32_t log_degree;
	uint32_t q_bits;
	uint64_t delta;  /* ceil(sqrt q) */
	uint64_t sigma2; /* sigma^2 = 4 log2 d: an integer */
	mpfr_t sigma;
	mpfr_t eta;
	mpfr_t alpha;
	mpfr_t s1; /* the bound on the trapdoor's largest singular value */
	mpfr_t gamma;
	fmpq_t gamma2_low; /* encloses gamma^2 */
	fmpq_t gamma2_high;
} vldaa_published_derived;

void vldaa_published_derive(vldaa_published_derived *out, const vldaa_published_choice *choice);
void vldaa_published_derived_clear(vldaa_published_derived *derived);

/* The least kappa with 2^kappa C(d, kappa) >= 2^goal; 0: none. */
uint32_t vldaa_published_least_kappa(uint32_t degree, uint32_t goal);
/* log2(2^kappa C(d, kappa)). */
double vldaa_published_challenge_bits(uint32_t degree, uint32_t kappa);

/* A squared length: factor, or factor * gamma^2. */
typedef struct {
	fmpq_t factor;
	int times_gamma2;
} vldaa_published_square;

/* floor(x), and the least w with w^2 >= scale x. */
void vldaa_published_square_floor(fmpz_t out, const vldaa_published_square *x,
				  const vldaa_published_derived *derived);
void vldaa_published_square_ceil_sqrt(fmpz_t out, const vldaa_published_square *x,
				      const fmpq_t scale, const vldaa_published_derived *derived);

/* Bounds outside the proofs; see vldaa_published_set. */
typedef struct {
	fmpz_t error2;      /* floor(1.21 sigma^2 d) */
	fmpz_t credential2; /* floor(1.21 gamma^2 2 d) */
	fmpz_t credential;  /* floor of its root */
	fmpz_t s3_2;        /* floor((2 d gamma)^2) */
	fmpz_t link2;       /* floor(q^2 d / 64) */
	uint32_t credential_rice;
	uint32_t credential_bytes;
} vldaa_published_bounds;

void vldaa_published_bounds_init(vldaa_published_bounds *out, const vldaa_published_choice *choice,
				 const vldaa_published_derived *derived);
void vldaa_published_bounds_clear(vldaa_published_bounds *bounds);

/* The proofs' blocks, in the order of the enumerations in core/src/scheme/published_set.h. */
typedef enum {
	VLDAA_PROOF_HOST, /* the host in Create */
	VLDAA_PROOF_TPM,  /* the TPM in Create */
	VLDAA_PROOF_SIGN,
	VLDAA_PROOF_JOIN
} vldaa_proof_role;

typedef struct {
	vldaa_proof_role role;
	const char *index; /* the enumerator in core, NULL when the role has one block only */
	const char *meaning;
	uint32_t polys;
	fmpz_t width;  /* K = ceil(xi / 4), xi = 12 sqrt(B) kappa T; the mask's deviation is 4 K */
	fmpz_t bound2; /* 16 K^2 * 2 d polys */
	fmpz_t max;    /* floor of its root */
	uint32_t rice;
	uint32_t bytes;
} vldaa_published_block;

enum { VLDAA_PUBLISHED_BLOCKS = 12 };

void vldaa_published_blocks_init(vldaa_published_block out[VLDAA_PUBLISHED_BLOCKS],
				 const vldaa_published_choice *choice,
				 const vldaa_published_derived *derived);
void vldaa_published_blocks_clear(vldaa_published_block blocks[VLDAA_PUBLISHED_BLOCKS]);

/* Auxiliary primes that the ring needs (core/src/ring/ring.h). */
uint32_t vldaa_published_ring_primes(const vldaa_published_choice *choice,
				     const vldaa_published_bounds *bounds);

/* A sentence about what the set does not give, for users. */
const char *vldaa_published_warning(const vldaa_published_choice *choice);

/* Writes core/src/scheme/gen_published.c below a directory.  0, or -1 with errno. */
int vldaa_published_generate(const char *directory);

#endif
