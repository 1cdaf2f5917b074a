/*
 * The one-shot sets (VLDAA2-44, VLDAA2-87): what is chosen.  Notation: core/README.md; v, x, s, E,
 * k, ... are the integers that an attestation proves something about.
 */
#ifndef VLDAA_PARAMS_ONESHOT_SETS_H
#define VLDAA_PARAMS_ONESHOT_SETS_H

#include <stdint.h>

/* What a set chooses; everything else is derived. */
typedef struct {
	const char *name; /* "VLDAA2-44" */
	const char
	    *symbol; /* suffix of identifiers in the generated code, and of the ML-DSA set's */
	const char *origin;
	uint32_t id;
	/* pseudonyms: ML-DSA */
	uint32_t k, l;            /* t = A s + s2, A of k rows and l columns over R_256 */
	uint32_t rows;            /* r: rows of t that an attestation proves */
	uint64_t s2;              /* ||s||^2 */
	uint64_t e2;              /* ||E||^2, E the first r rows of s2 */
	uint64_t all2;            /* ||s2||^2 over all rows */
	uint32_t mldsa_sis_block; /* BKZ block size of a (strong) forgery, as published */
	/* credentials: Falcon's ring and sampler */
	uint32_t degree;   /* N */
	const char *sigma; /* of the preimage sampler, decimal digits of the Falcon specification */
	uint64_t beta2;    /* ||(v_1, v_2)||^2 */
	uint64_t et2;      /* ||e_T||^2 in u_T = D s + e_T */
	uint32_t margin;   /* the issuer accepts ||(v', v_2)|| <= beta - margin */
	uint64_t kc;       /* ||k_c|| of an attestation */
	uint64_t kc_accept; /* ||k'||, which issuer and member check */
	uint64_t k_carry;   /* ||k|| over the r proven rows */
	uint64_t kj;        /* ||k_J|| of a Join */
	/* the proof: q = 2^q_bits - q_below */
	uint32_t q_bits;
	uint32_t q_below;
	uint32_t n;         /* rows of t_A */
	uint32_t mlwe_rank; /* m2 - n - 7 */
	uint32_t cut;       /* D: low bits of t_A that are not sent */
	uint32_t keep;      /* b: bits of Compress(w) */
	/* binary digits in theta */
	uint32_t beta_digits, s_digits, e_digits, et_digits;
	uint32_t creates_log2; /* at most 2^this Creates with one key */
	uint32_t level;        /* core-SVP, classical, that every problem must reach */
} vldaa_oneshot_choice;

extern const vldaa_oneshot_choice vldaa_oneshot_choices[];
extern const uint32_t vldaa_oneshot_count;

/* The same in all sets. */
enum {
	VLDAA_ONESHOT_P = 12289,          /* Falcon's modulus */
	VLDAA_ONESHOT_Q1 = 8380417,       /* ML-DSA's */
	VLDAA_ONESHOT_DEGREE = 64,        /* of the proof's ring */
	VLDAA_ONESHOT_TAG = 256,          /* coefficients of x */
	VLDAA_ONESHOT_GARBAGE = 7,        /* elements of t_B */
	VLDAA_ONESHOT_KAPPA = 9,          /* |c_i| */
	VLDAA_ONESHOT_ETA = 72,           /* operator norm of c */
	VLDAA_ONESHOT_WEIGHT = 29,        /* of committed entries in the range proof */
	VLDAA_ONESHOT_CARRY_WEIGHT = 128, /* of k there */
	VLDAA_ONESHOT_HINT = 7,           /* |hint| */
};

#endif
