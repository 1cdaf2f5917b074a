/*
 * Everybody in one process: a manufacturer, an issuer, a revocation authority, a verifier, and one
 * member at a time.  All functions return VLDAA_OK or a code of vldaa/error.h.
 */
#ifndef VLDAA_TOOL_BENCH_PARTIES_H
#define VLDAA_TOOL_BENCH_PARTIES_H

#include "bench/bytes.h"
#include "bench/store.h"
#include "vldaa/host.h"
#include "vldaa/issuer.h"
#include "vldaa/tpm_services.h"
#include "vldaa/verify.h"

/* Whoever is there all the time. */
typedef struct {
	const vldaa_set *set;
	vldaa_ntru_solver *solve; /* NULL: the set needs none */
	int64_t now;
	vldaa_bytes_out authority;         /* PKCS#8: signs the issuer's answers */
	vldaa_bytes_out revocation;        /* PKCS#8: signs orders */
	vldaa_bytes_out revocation_public; /* SubjectPublicKeyInfo */
	vldaa_bytes_out endorsement;       /* PKCS#8: the TPMs' */
	vldaa_bytes_out chain;             /* the endorsement certificate, as a chain */
	vldaa_bytes_out roots;             /* the manufacturer's certificate, DER */
	uint8_t fleet_key[32];
	vldaa_issuer *issuer;
	const uint8_t *group_key; /* the issuer's */
	size_t group_key_len;
	vldaa_verifier *verifier;
} vldaa_bench_parties;

int vldaa_bench_parties_new(vldaa_bench_parties *p, const vldaa_set *set);
void vldaa_bench_parties_free(vldaa_bench_parties *p);

/* A device: TPM and host. */
typedef struct {
	vldaa_memory_store store;
	vldaa_tpm_surroundings surroundings;
	vldaa_tpm_services services;
	uint8_t *workspace;
	size_t workspace_len;
	vldaa_tpm *tpm;
	vldaa_host *host;
} vldaa_bench_member;

int vldaa_bench_member_new(vldaa_bench_member *m, const vldaa_bench_parties *p);
/* Also fine for {0} and after a failed new. */
void vldaa_bench_member_free(vldaa_bench_member *m);

#endif
