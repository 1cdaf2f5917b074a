/*
 * The numbers of a one-shot set (VLDAA2-44, VLDAA2-87) beyond its proof system's.  Generated from params/.
 */
#ifndef VLDAA_ONESHOT_SET_H
#define VLDAA_ONESHOT_SET_H

#include "mldsa/mldsa.h"
#include "proof/oneshot_sets.h"

enum { VLDAA_OS_P = 12289, VLDAA_OS_P_BITS = 14, VLDAA_OS_TAG_BITS = 256 };

typedef struct {
	const char *name;
	uint32_t id;
	uint32_t N;            /* degree of the credential's ring R_N: 512 or 1024 */
	vldaa_ring big;        /* R_N modulo p, for the equation (C) */
	uint32_t rows;         /* r: rows of t that the attestation proves */
	double sigma;          /* deviation of the preimage */
	uint64_t beta2;        /* ||(v_1, v_2)||^2 in the attestation */
	uint64_t accept2;      /* the same for v' = v_1 + e_T, which issuer and member check */
	uint64_t kc_bound2;    /* ||k_c||^2 in the attestation */
	uint64_t kc_accept2;   /* ||k'||^2, checked by issuer and member */
	uint64_t k_bound2;     /* ||k||^2 over all proven rows */
	uint64_t kj_bound2;    /* ||k_J||^2 */
	uint64_t s_bound2;     /* ||s||^2 */
	uint64_t e_bound2;     /* ||E||^2 over the proven rows of s2 */
	uint64_t s2_bound2;    /* ||s2||^2 over all rows */
	uint64_t et_bound2;    /* ||e_T||^2 */
	uint64_t link_bound2;  /* distance of the proven rows of two pseudonyms, squared */
	uint64_t rogue_bound2; /* ||t - A s||^2 over the proven rows, s a key of the rogue list */
	uint64_t duplicate2;   /* distance of two registered u_T, squared */
	uint32_t v2_rice;      /* credential encoding */
	uint32_t v2_max;       /* largest |coefficient| of v_2 */
	uint32_t v2_max_bytes;
	uint32_t creates; /* at most so many Creates with one key */
	const vldaa_mldsa_set *mldsa;
	const vldaa_os_set *proof;
	const vldaa_os_statement_set *attestation;
	const vldaa_os_statement_set *join;
	int32_t
	    signature_bits; /* least classical cost of what forging needs: core-SVP, or guessing challenges */
	int32_t key_bits;       /* of finding s */
	int32_t anonymity_bits; /* of telling who made an attestation */
	const char *assumptions;
	const char *warning; /* NULL */
} vldaa_oneshot_set;

extern const vldaa_oneshot_set vldaa_oneshot_44;
extern const vldaa_oneshot_set vldaa_oneshot_87;

#endif
