/*
 * The one-shot proof (Lyubashevsky, Nguyen, Plancon, CRYPTO 2022, eprint 2022/284, "LNP22"): knowledge of a
 * short witness that satisfies scalar quadratic relations and an approximate range proof, in five rounds.
 *
 * Ring: R = Z_q[Y]/(Y^64+1), q = 5 mod 8; sigma: Y -> Y^-1; <a, b> = constant coefficient of sigma(a) b.
 * The witness w1 is m1 elements in blocks; derived forms are affine in w1 (they need no commitment).
 *
 * A statement is data: how many elements, which derived forms, which scalar relations, which weights in the
 * range proof.  Two statements use it, Join's and Create's (scheme/).
 */
#ifndef VLDAA_ONESHOT_H
#define VLDAA_ONESHOT_H

#include "arena.h"
#include "debug.h"
#include "random/rng.h"
#include "ring/ring.h"
#include "scheme/scheme.h"
#include "wire/bits.h"

enum {
	VLDAA_OS_D = 64,      /* degree of R */
	VLDAA_OS_PAIRS = 2,   /* garbage elements g_1, g_2; each carries two scalar challenges */
	VLDAA_OS_SCALARS = 4, /* nu = 1..4 */
	VLDAA_OS_ROWS = 256,  /* rows of the range proof */
	VLDAA_OS_GROUP = 4,   /* of them are made, and used, at a time */
	VLDAA_OS_MASK = 4,    /* elements of y3: 256 coefficients */
	VLDAA_OS_B_ROWS = VLDAA_OS_MASK + VLDAA_OS_PAIRS + 1, /* y3, g, g1 */
	VLDAA_OS_KAPPA = 9,                                   /* coefficients of a challenge */
	VLDAA_OS_ETA = 72,                                    /* its operator norm */
	VLDAA_OS_WEIGHT = 29, /* of committed entries in the range proof */
	VLDAA_OS_DIGEST = 64,
	VLDAA_OS_SEED = 32,
	VLDAA_OS_MASK_BOUND =
	    64, /* masks are below 64 width, 16 deviations, but for 2^-184 a coefficient */
	VLDAA_OS_MAX_BLOCKS = 4,
	VLDAA_OS_MAX_RELATIONS = 4,
	VLDAA_OS_MAX_DERIVED = 24,
	VLDAA_OS_MAX_WEIGHTED = 32, /* a form may stand there with two weights */
	VLDAA_OS_MAX_HINT =
	    7 /* ||c||_1 2^(cut-1) q^-1 2^keep + 1 is below 13 + 1; honest hints are within 2 */
};

/* Responses of one block: elements, deviation 4 width, largest squared norm (low, high), Rice parameter. */
typedef struct {
	uint32_t elements;
	uint32_t rice;
	uint64_t width;
	uint64_t bound2_low;
	uint64_t bound2_high;
	uint64_t max; /* floor of the root: largest coefficient */
} vldaa_os_block;

/* A scalar relation: sum over elements [first, first + count) of <w, w> + sum_i 2^i theta_(digit + i) = bound,
 * theta the element `digits`; or, with binary 1, sum of <w, w - 1> = 0 with 1 the all-one polynomial. */
typedef struct {
	uint32_t first, count;
	uint32_t binary;
	uint32_t digits, digit, bits;
	int64_t bound;
} vldaa_os_relation;

/* The numbers of one statement of one set. */
typedef struct {
	uint32_t m1;
	uint32_t blocks;
	vldaa_os_block block[VLDAA_OS_MAX_BLOCKS];
	uint32_t relations;
	vldaa_os_relation relation[VLDAA_OS_MAX_RELATIONS];
	uint32_t derived;  /* derived forms */
	uint32_t weighted; /* derived forms in the range proof, in order: form and weight */
	uint8_t form[VLDAA_OS_MAX_WEIGHTED];
	uint32_t weight[VLDAA_OS_MAX_WEIGHTED];
	vldaa_os_block z2; /* width of all m2 elements; bound for the m2 - n that are sent */
	vldaa_os_block z3;
	uint32_t max_bytes; /* of a proof; a prover retries above, a verifier refuses */
	uint64_t identity_low,
	    identity_high; /* squared norm of what stands for z2's identity part */
} vldaa_os_statement_set;

/* The proof system of one set. */
typedef struct {
	uint32_t id;                    /* the parameter set's */
	vldaa_ring ring;                /* d = 64 */
	uint32_t n;                     /* rows of t_A */
	uint32_t m2;                    /* elements of the randomness */
	uint32_t cut;                   /* D: low bits of t_A that are dropped */
	uint32_t keep;                  /* b: bits of Compress(w) */
	uint64_t randomness_bound2;     /* ||w2||^2, else redrawn */
	int64_t log_m1, log_m2, log_m3; /* ln M of the three rejections, units of 2^-52 */
	uint32_t max_m1;                /* columns of A1 */
} vldaa_os_set;

/* 1 when no sum of products of this statement's proofs can pass what the auxiliary primes hold. */
int vldaa_os_ranges_hold(const vldaa_os_set *set, const vldaa_os_statement_set *s);

static inline void vldaa_os_debug_ranges(const vldaa_os_set *set, const vldaa_os_statement_set *s)
{
#if defined(VLDAA_DEBUG_ASSERT) && VLDAA_DEBUG_ASSERT
	vldaa_debug_assert(vldaa_os_ranges_hold(set, s),
			   "oneshot: sums within the primes' product");
#else
	(void)set;
	(void)s;
#endif
}

/* Elements of the witness, the masks and the rest of the range proof: entries of WS. */
static inline uint32_t vldaa_os_dim(const vldaa_os_statement_set *s)
{
	return (s->m1 + s->weighted) * VLDAA_OS_D;
}

/* The CRS: A1 (n x max_m1), A2 (n x (m2 - n)), B (7 x (m2 - n)), in the hat domain.  Depends on the set only. */
typedef struct {
	const vldaa_os_set *set;
	uint32_t *a1, *a2, *b;
} vldaa_os_crs;
void vldaa_os_crs_layout(vldaa_os_crs *crs, const vldaa_os_set *set, vldaa_arena *a);
void vldaa_os_crs_expand(vldaa_os_crs *crs, const vldaa_os_set *set);
/* The process's own of a set that is offered, made at the first call; any thread may call.  NULL for another set. */
const vldaa_os_crs *vldaa_os_crs_of(const vldaa_os_set *set);

/* n uniform residues, centred, from a SHAKE128 stream.  Public. */
void vldaa_os_uniform(const vldaa_ring *r, vldaa_shake *s, int64_t *out, size_t n);

/* One term of a derived form: coefficient (hat domain) times w1[column]. */
typedef struct {
	uint32_t form, column;
	const uint32_t *coefficient;
} vldaa_os_term;

/* A statement about public values: derived form f = constant_f + sum of its terms, modulo q. */
typedef struct {
	const vldaa_os_set *set;
	const vldaa_os_statement_set *numbers;
	const vldaa_os_term *terms;
	size_t terms_len;
	const int64_t *constants;      /* derived elements, centred */
	uint8_t bind[VLDAA_OS_DIGEST]; /* seed_0: everything public, hashed */
} vldaa_os_statement;

/* A proof, decoded. */
typedef struct {
	uint32_t *ta1;               /* n elements: the high part of t_A, below 2^(q_bits - cut) */
	int64_t *tb;                 /* 7 elements, centred */
	int64_t *z3;                 /* 256 */
	int64_t *h;                  /* 2 elements, centred; coefficients 0 and 32 are 0 */
	uint8_t seed[VLDAA_OS_SEED]; /* of c */
	int64_t *z1;                 /* m1 elements */
	int64_t *z2;                 /* m2 - n elements */
	int64_t *hint;               /* n elements */
} vldaa_os_proof;
void vldaa_os_proof_layout(vldaa_os_proof *p, const vldaa_os_set *set,
			   const vldaa_os_statement_set *s, vldaa_arena *a);
/* The squared norm of a response of so many elements is within its bound, exactly. */
int vldaa_os_within(const vldaa_ring *r, const vldaa_os_block *b, const int64_t *z,
		    size_t elements);
/* t_A1 | t_B | z3 | h | seed | z1 | z2 | hint.  put returns VLDAA_ERR_NORM when a bound of the encoding is passed. */
int vldaa_os_proof_put(const vldaa_os_set *set, const vldaa_os_statement_set *s, vldaa_writer *w,
		       const vldaa_os_proof *p);
void vldaa_os_proof_get(const vldaa_os_set *set, const vldaa_os_statement_set *s, vldaa_reader *rd,
			vldaa_os_proof *p);

/*
 * What prover and verifier share: the functionals that the four scalar challenges make of the relations, with
 * f_j the linear part of derived form j (without its constant, which went into K):
 *   H_nu(w) = sum_r G[nu][r] sum_(cols of r) sigma(w) w + sum_col L[nu][col] w_col + sum_j M[nu][j] f_j(w)
 *             + K[nu] + sum_i sigma(gy[nu][i]) y3_i.
 */
typedef struct {
	uint32_t *linear;  /* 4 x m1: L, hat domain */
	uint32_t *forms;   /* 4 x derived: M, hat domain */
	int64_t *constant; /* 4 elements: K, centred */
	uint32_t *gy;      /* 4 x 4: sigma(gamma's part for y3), hat domain */
	int64_t square[VLDAA_OS_SCALARS]
		      [VLDAA_OS_MAX_RELATIONS]; /* gamma of each relation, centred */
	uint32_t *mu;                           /* 2, hat domain */
	int8_t *rm;                             /* 4 x dim: the rows of Rm in hand */
	int64_t *gamma;                         /* 4 x (256 + relations), scratch */
	int64_t (*column)[VLDAA_OS_SCALARS];    /* dim, scratch */
	int64_t *poly;                          /* 2 elements, scratch */
	uint32_t *hat;                          /* 2, scratch */
} vldaa_os_aggregate;
void vldaa_os_aggregate_layout(vldaa_os_aggregate *g, const vldaa_os_set *set,
			       const vldaa_os_statement_set *s, vldaa_arena *a);

/* Digests of the rounds. */
void vldaa_os_digest_1(const vldaa_os_set *set, const uint8_t *d0, const uint32_t *ta1,
		       const int64_t *tb, uint8_t d1[VLDAA_OS_DIGEST]);
void vldaa_os_digest_2(const vldaa_os_set *set, const uint8_t *d1, const int64_t *z3,
		       uint8_t d2[VLDAA_OS_DIGEST]);
void vldaa_os_digest_3(const vldaa_os_set *set, const uint8_t *d2, const int64_t *h,
		       uint8_t d3[VLDAA_OS_DIGEST]);
/* w: n elements of Compress(w). */
void vldaa_os_digest_4(const vldaa_os_set *set, const uint8_t *d3, const int64_t *tb_last,
		       const int64_t *w, const int64_t *v, uint8_t seed[VLDAA_OS_SEED]);

/* Rm from d1: rows first .. first + 3 into g->rm.  All rows would be one or two megabytes; making them once more
 * instead takes a fifth of a millisecond. */
void vldaa_os_range_rows(vldaa_os_aggregate *g, const vldaa_os_statement *st, const uint8_t *d1,
			 uint32_t first);
/* gamma, L, M, K, gy from d1 (for Rm), d2 and z3; mu from d3. */
void vldaa_os_scalars(vldaa_os_aggregate *g, const vldaa_os_statement *st, const uint8_t *d1,
		      const uint8_t *d2, const int64_t *z3);
void vldaa_os_ring_challenge(vldaa_os_aggregate *g, const vldaa_os_statement *st,
			     const uint8_t *d3);

/* The derived forms' linear parts at x (m1 hat elements): `derived` hat elements, reduced modulo q. */
void vldaa_os_linear_forms(const vldaa_os_statement *st, uint32_t *forms_hat,
			   const uint32_t *x_hat);
/* out = sum L x + sum M f(x) + sum sigma(gy) m for scalar nu; forms_hat = f(x), m: 4 hat elements. */
void vldaa_os_linear_part(vldaa_os_aggregate *g, const vldaa_os_statement *st, uint32_t nu,
			  int64_t *out, const uint32_t *x_hat, const uint32_t *forms_hat,
			  const uint32_t *m_hat);
/* c: |c_i| <= 9, sigma(c) = c, max |c(zeta)| <= 72. */
void vldaa_os_challenge(int64_t c[VLDAA_OS_D], const uint8_t seed[VLDAA_OS_SEED]);
/* 1 when max_j |c(zeta^(2j+1))| <= 72, by the fixed-point table. */
int vldaa_os_operator_norm_ok(const int64_t c[VLDAA_OS_D]);

/* Compress to `keep` bits and back; t_A1.  x is centred or in [0, q). */
int64_t vldaa_os_compress(const vldaa_os_set *set, int64_t x);
int64_t vldaa_os_decompress(const vldaa_os_set *set, int64_t x);
uint32_t vldaa_os_high(const vldaa_os_set *set, int64_t x);

/* pair(a, b) = sym(a) + Y^32 sym(b), sym(a) = (a + sigma(a)) / 2; out may be a. */
void vldaa_os_pair(const vldaa_os_set *set, int64_t *out, const int64_t *a, const int64_t *b);

/* w' = A1 z1 + A2 z2 - c 2^cut t_A1: out n elements. */
typedef struct {
	uint32_t *z1_hat, *z2_hat, *c_hat, *hat, *scratch;
	int64_t *poly;
} vldaa_os_product;
void vldaa_os_product_layout(vldaa_os_product *p, const vldaa_os_set *set,
			     const vldaa_os_statement_set *s, vldaa_arena *a);
void vldaa_os_approximate(const vldaa_os_crs *crs, const vldaa_os_statement_set *s,
			  const vldaa_os_product *p, const uint32_t *ta1, int64_t *out);
/* The squared norm of what stands for z2's identity part: Decompress(w) - w', w = Compress(w') + hint. */
vldaa_u128 vldaa_os_identity_norm2(const vldaa_os_set *set, const int64_t *w,
				   const int64_t *approximate);

/* --- prover and verifier ---------------------------------------------------------------------- */

size_t vldaa_os_prover_size(const vldaa_os_set *set, const vldaa_os_statement_set *s);
/* w1: m1 elements of small integers (the witness).  VLDAA_ERR_INTERNAL when a relation does not hold. */
int vldaa_os_prove(void *workspace, const vldaa_os_crs *crs, const vldaa_os_statement *st,
		   const int64_t *w1, vldaa_rng *rng, vldaa_writer *out);

size_t vldaa_os_verifier_size(const vldaa_os_set *set, const vldaa_os_statement_set *s);
int vldaa_os_verify(void *workspace, const vldaa_os_crs *crs, const vldaa_os_statement *st,
		    vldaa_bytes in);

#endif
