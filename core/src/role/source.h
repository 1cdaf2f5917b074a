/*
 * Where an operation's randomness comes from: a fresh 32-byte seed, bound to what the operation is
 * about.
 *
 * The public API always uses libcrypto's RAND (the TPM: its service).  Known-answer tests set
 * another source through the *_set_source functions below, which the shared library does not
 * export.
 */
#ifndef VLDAA_SOURCE_H
#define VLDAA_SOURCE_H

#include "random/rng.h"
#include "scheme/scheme.h"
#include "vldaa/host.h"
#include "vldaa/issuer.h"

typedef struct {
	int (*random)(void *ctx, uint8_t *out, size_t len);
	void *ctx;
} vldaa_source;

/* What the stream is for; part of its input. */
enum vldaa_operation {
	VLDAA_OP_ISSUER_KEYGEN = 1,
	VLDAA_OP_ISSUE,
	VLDAA_OP_TPM_KEYGEN,
	VLDAA_OP_TPM_JOIN,
	VLDAA_OP_TPM_CREATE,
	VLDAA_OP_TPM_SIGN,
	VLDAA_OP_HOST_KEYGEN,
	VLDAA_OP_HOST_JOIN,
	VLDAA_OP_HOST_CREATE
};

/* libcrypto's RAND. */
vldaa_source vldaa_system_source(void);
/* Draws the seed and binds operation, secret and input (either may be empty).  VLDAA_ERR_RANDOM. */
int vldaa_source_start(const vldaa_source *source, vldaa_rng *rng, const vldaa_set *set,
		       enum vldaa_operation operation, vldaa_bytes secret, vldaa_bytes input);

void vldaa_host_set_source(vldaa_host *host, vldaa_source source);
void vldaa_issuer_set_source(vldaa_issuer *issuer, vldaa_source source);
int vldaa_issuer_keygen_from(const vldaa_source *source, const vldaa_set *set,
			     vldaa_ntru_solver *solve, const uint8_t *authority,
			     size_t authority_len, uint8_t *out, size_t cap, size_t *len);

#endif
