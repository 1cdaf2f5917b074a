/* The one-shot sets: what follows from the choice, in exact arithmetic. */
#ifndef VLDAA_PARAMS_ONESHOT_DERIVE_H
#define VLDAA_PARAMS_ONESHOT_DERIVE_H

#include "exact.h"
#include "oneshot/sets.h"

enum { VLDAA_ONESHOT_BLOCKS = 4, VLDAA_ONESHOT_RELATIONS = 4, VLDAA_ONESHOT_WEIGHTED = 32 };

/* Responses that share one deviation. */
typedef struct {
	const char *meaning;
	uint32_t elements;
	uint64_t secret2; /* ||secret||^2 is at most this, always */
	fmpz_t width;     /* K: the mask's deviation is xi = 4 K */
	fmpz_t bound2;    /* the largest squared norm that is accepted */
	fmpz_t max;       /* floor of its root */
	uint32_t rice;
} vldaa_oneshot_block;

/* sum over elements [first, first + count) of <w, w> + sum_i 2^i theta_(digit + i) = bound; or,
 * binary, <w, w - 1> = 0.
 */
typedef struct {
	const char *meaning;
	uint32_t first, count;
	int binary;
	uint32_t digit, bits;
	uint64_t bound;
} vldaa_oneshot_relation;

/* One statement: Create's or Join's. */
typedef struct {
	const char *name; /* "attestation", "join" */
	uint32_t m1;
	uint32_t theta; /* the element of digits */
	uint32_t blocks;
	vldaa_oneshot_block block[VLDAA_ONESHOT_BLOCKS];
	uint32_t relations;
	vldaa_oneshot_relation relation[VLDAA_ONESHOT_RELATIONS];
	uint32_t derived;  /* elements of derived forms */
	uint32_t weighted; /* their places in the range proof */
	uint32_t form[VLDAA_ONESHOT_WEIGHTED];
	uint32_t weight[VLDAA_ONESHOT_WEIGHTED];
	uint32_t dim;      /* entries of W S */
	uint32_t binaries; /* coefficients that the binary relation covers */
	fmpz_t ws2;        /* ||W S||^2 of an honest prover is at most this */
	vldaa_oneshot_block
	    z2; /* secret2: of all m2 elements; bound2: of the m2 - n that are sent */
	vldaa_oneshot_block z3; /* 4 elements; secret2 unused */
	double bytes;           /* of an encoded proof, expected */
	uint32_t max_bytes;     /* and at most: eight deviations more */
	fmpz_t identity2;       /* what stands for z2's identity part */
	fmpq_t proven2;         /* B'^2: ||W S||^2 modulo q after a proof was accepted */
	fmpz_t sis2;            /* squared norm of a solution that two openings of t_A would give */
} vldaa_oneshot_statement;

typedef struct {
	const vldaa_oneshot_choice *choice;
	fmpz_t q;
	uint32_t m2;
	uint64_t randomness2; /* ||w2||^2 */
	uint64_t accept2;     /* floor((beta - margin)^2) */
	int64_t log_m[3];     /* ln M of z1, z2, z3 in units of 2^-52, rounded up */
	double m[3];          /* M itself; that of z2 without the factor 2 of its sign */
	uint32_t proof_primes, big_primes; /* auxiliary primes of the two rings */
	uint32_t v2_rice, v2_bytes;
	vldaa_oneshot_statement attestation;
	vldaa_oneshot_statement join;
} vldaa_oneshot_derived;

void vldaa_oneshot_derive(vldaa_oneshot_derived *out, const vldaa_oneshot_choice *choice);
void vldaa_oneshot_derived_clear(vldaa_oneshot_derived *derived);

/* Deviation of Decompress(w) - w' in units of q / 2^b: how far an honest hint is from 0. */
double vldaa_oneshot_hint_deviation(const vldaa_oneshot_derived *derived,
				    const vldaa_oneshot_statement *s);

#endif
