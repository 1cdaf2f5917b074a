/* The issuer of the one-shot sets: an NTRU key and Falcon's preimage sampler. */
#ifndef VLDAA_ONESHOT_ISSUER_H
#define VLDAA_ONESHOT_ISSUER_H

#include "scheme/oneshot_verifier.h"

size_t vldaa_os_issuer_payload(const vldaa_oneshot_set *n);
size_t vldaa_os_place_issuer(const vldaa_oneshot_set *n, void *at);

int vldaa_oneshot_issuer_keygen(const vldaa_set *set, vldaa_ntru_solver *solve, vldaa_rng *rng,
				uint8_t *issuer, uint8_t *group);
int vldaa_oneshot_issuer_init(void *issuer, const void *group, const uint8_t *payload);
int vldaa_oneshot_issue(void *issuer, const uint8_t *member_tpm, const uint8_t *member_host,
			vldaa_rng *rng, uint8_t *tag, vldaa_writer *credential);

#endif
