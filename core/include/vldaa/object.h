/*
 * Objects: every byte string that roles exchange or keep starts with the same ten bytes,
 *
 *   "VLDA" | kind (1 byte) | version (1 byte) | parameter set (4 bytes, big-endian)
 *
 * so that a wrong file is told from a damaged one.  core/README.md gives each kind byte by byte.
 *
 * Outputs, in all roles: (out, cap, *len) is a buffer, its size, and how much of it was used.  On
 * every error the cap bytes of out are zero, and *len is 0, except for VLDAA_ERR_BUFFER: then *len
 * is the cap that suffices, and the call may be repeated with it.  On every error the other outputs
 * (contexts, digests, terms, flags) are NULL or zero too.  Outputs must not overlap inputs.
 *
 * An error changes nothing, unless the function says so: what could be done before it can be done
 * after it.  VLDAA_ERR_ARGUMENT for a pointer that is NULL and may not be; functions that return a
 * pointer or a size give NULL or 0 for a context that is NULL.
 */
#ifndef VLDAA_OBJECT_H
#define VLDAA_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "vldaa/params.h"

enum vldaa_kind {
	VLDAA_KIND_GROUP_KEY = 1,     /* the issuer's public key, by which everybody verifies */
	VLDAA_KIND_ISSUER_KEY = 2,    /* secret: the issuer's private key */
	VLDAA_KIND_TPM_KEY = 3,       /* secret: the TPM's part of the member key */
	VLDAA_KIND_HOST_KEY = 4,      /* secret: the host's part of the member key */
	VLDAA_KIND_NONCE = 5,         /* issuer to member: makes a join request fresh */
	VLDAA_KIND_JOIN_CALL = 6,     /* host to TPM: the host's part of a join request */
	VLDAA_KIND_JOIN_REQUEST = 7,  /* member to issuer */
	VLDAA_KIND_JOIN_ANSWER = 8,   /* issuer to member: the sealed credential */
	VLDAA_KIND_CREDENTIAL = 9,    /* secret: what the host keeps after Join */
	VLDAA_KIND_CREATE_CALL = 10,  /* host to TPM */
	VLDAA_KIND_CREATE_REPLY = 11, /* TPM to host */
	VLDAA_KIND_ATTESTATION = 12,  /* a pseudonym and the proof that a member made it */
	VLDAA_KIND_SIGNATURE = 13,    /* a message signature with its attestation */
	VLDAA_KIND_COMPACT = 14,      /* a message signature with the digest of its attestation */
	VLDAA_KIND_TOKEN = 15, /* member to revocation authority: ties a pseudonym to a secret */
	VLDAA_KIND_ORDER = 16, /* a revocation order in clear, as the authority keeps it */
	VLDAA_KIND_SEALED_ORDER = 17, /* the order as it is broadcast */
	VLDAA_KIND_CONFIRMATION = 18, /* member to authority: the order was obeyed */
	VLDAA_KIND_ROGUE_LIST = 19,   /* extracted member keys that nobody accepts any more */
	VLDAA_KIND_REVOKED_LIST = 20, /* pseudonyms whose revocation is not confirmed yet */
	VLDAA_KIND_MEMBER = 21,       /* secret: a whole member in software (vldaa/member_key.h) */
	VLDAA_KIND_PSEUDONYM = 22     /* secret: a pseudonym's private key with its attestation */
};

enum {
	VLDAA_OBJECT_HEADER = 10,
	VLDAA_KEY_ID_BYTES = 32,
	VLDAA_NONCE_BYTES = 32,
	VLDAA_DIGEST_BYTES = 32,
	VLDAA_MAX_BASENAME = 255
};

/* What can be told of an object without any key. */
typedef struct {
	enum vldaa_kind kind;
	const vldaa_set *set;
	uint8_t key_id[VLDAA_KEY_ID_BYTES]; /* the group; zero where has_key_id is 0 */
	int has_key_id;
	uint8_t basename[VLDAA_MAX_BASENAME]; /* of a MEMBER: its default, see
					       * vldaa/default_basename.h */
	size_t basename_len;                  /* 0: the object has none */
	uint8_t digest[VLDAA_DIGEST_BYTES];   /* of the attestation it is or names (a confirmation
					     * names its order); see has_digest */
	int has_digest;
	uint32_t entries; /* of a list, as it says */
	size_t len;       /* the object's length in bytes */
} vldaa_object_info;

/* Reads the header and the public head of an object; checks lengths of what it reads, not proofs.
 */
VLDAA_API int vldaa_object_inspect(vldaa_object_info *info, const uint8_t *in,
				   size_t len) VLDAA_MUST_CHECK;

/* The public object that this one carries, or is: the GROUP_KEY of an ISSUER_KEY, TPM_KEY or
 * MEMBER, the ATTESTATION of a SIGNATURE or PSEUDONYM; *found points into in.  VLDAA_ERR_KIND when
 * it carries none; else the errors of vldaa_object_inspect, which checks as much, and of a MEMBER
 * VLDAA_ERR_ENCODING when there is no TPM_KEY of its set in it. */
VLDAA_API int vldaa_object_public(const uint8_t **found, size_t *found_len, const uint8_t *in,
				  size_t len) VLDAA_MUST_CHECK;

/* "attestation", "join request", ...; "unknown object" for other numbers. */
VLDAA_API const char *vldaa_kind_name(enum vldaa_kind kind);

/* The most bytes that an object of this kind can have; 0 for an unknown kind.  JOIN_REQUEST, lists
 * and orders have variable parts; their limit is a limit of the decoder. */
VLDAA_API size_t vldaa_object_max_size(const vldaa_set *set, enum vldaa_kind kind);

#endif
