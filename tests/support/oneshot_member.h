/*
 * What a one-shot member keeps and makes, as tests look into it: its record in the TPM's store, read
 * by the documented bytes, and its proofs, decoded.
 */
#ifndef VLDAA_TEST_ONESHOT_MEMBER_H
#define VLDAA_TEST_ONESHOT_MEMBER_H

#include "scheme/oneshot.h"
#include "world.h"

enum {
	MEMBER_S = VLDAA_MLDSA_MAX_L * VLDAA_MLDSA_N,
	MEMBER_HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES
};

typedef struct {
	const vldaa_oneshot_set *n;
	int64_t s[MEMBER_S]; /* l polynomials of 256 */
	int64_t e_t[VLDAA_OS_MAX_N];
	uint8_t prf_key[VLDAA_OS_PRF_BYTES]; /* K_T */
	int joined;
	vldaa_os_credential credential; /* zeroes until then */
} oneshot_member;

/* The car's member record: its bytes in the store, and where the secret begins in them. */
uint8_t *oneshot_member_record(car *c, size_t *len, size_t *secret_at);
void oneshot_member_read(oneshot_member *m, car *c);

/* The world's public elements. */
const vldaa_os_group *oneshot_group_of(const world *w);

/* Number `index` of the fields of so many bits, least significant first. */
uint64_t packed_field(const uint8_t *bytes, uint32_t bits, size_t index);
void packed_field_set(uint8_t *bytes, uint32_t bits, size_t index, uint64_t value);

/* A decoded proof in memory of its own, to be freed. */
vldaa_os_proof *oneshot_proof_new(const vldaa_os_set *set, const vldaa_os_statement_set *s,
				  const uint8_t *bytes, size_t len);

#endif
