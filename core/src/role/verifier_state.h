/* The verifier's structures, which the revocation authority builds on. */
#ifndef VLDAA_VERIFIER_STATE_H
#define VLDAA_VERIFIER_STATE_H

#include "role/group.h"
#include "role/memory.h"
#include "vldaa/verify.h"

/* Entries of one list object, checked when it was added. */
typedef struct vldaa_list {
	struct vldaa_list *next;
	size_t len;
	int rogue; /* 1: rogue keys; 0: basename and nym, alternating */
	uint8_t entries[];
} vldaa_list;

struct vldaa_verifier {
	vldaa_group group; /* alone 1: without the group's key */
	int alone;         /* for one pseudonym, whose attestation nobody verified */
	vldaa_list *lists;
	/* Names the list objects added so far and their order; zero when there is none.  It is not
	 * a count: attestations are used with verifiers other than the one that made them. */
	uint8_t lists_digest[VLDAA_DIGEST_BYTES];
};

/* Read-only once made. */
struct vldaa_attestation {
	const vldaa_set *set;
	uint8_t key_id[VLDAA_KEY_ID_BYTES];
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t basename_len;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	int unverified; /* it is of a verifier for one pseudonym, and good for nothing else */
	uint8_t lists_digest[VLDAA_DIGEST_BYTES]; /* of the lists that it was checked against */
	void *pseudonym;                          /* of the scheme */
	size_t pseudonym_len;
};

#endif
