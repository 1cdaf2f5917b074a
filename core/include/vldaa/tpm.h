/*
 * The TPM: holds the member's secret key, makes its half of Join, Create and Sign, obeys
 * revocation.
 *
 * Written for a chip: no heap, no files, no threads, no libcrypto.  The caller gives a workspace
 * and a table of services; bytes go in, bytes come out.  (Join and Create of the one-shot sets need
 * a process besides: their proof's public matrices are its own, made once; a chip does their Sign.)
 * Nothing secret is kept in the workspace between two calls (but for a signature in progress,
 * between sign_begin and sign_end): every operation loads the member key from the caller's durable
 * store, so that several processes can share one store.
 *
 * After a hard order every function that needs the member key is VLDAA_ERR_EXPELLED, and so is
 * keygen for that group, for ever.
 *
 * Every function checks its input completely before it changes anything; for outputs and errors see
 * object.h.
 */
#ifndef VLDAA_TPM_H
#define VLDAA_TPM_H

#include "vldaa/object.h"

/* What the TPM asks its durable store to keep.  `name` is 32 bytes. */
enum vldaa_record {
	VLDAA_RECORD_MEMBER = 1,      /* secret: the member key; name: key id */
	VLDAA_RECORD_PENDING = 2,     /* secret: a join request waiting for its answer; key id */
	VLDAA_RECORD_DEAD = 3,        /* the group expelled this TPM; key id */
	VLDAA_RECORD_TOMBSTONE = 4,   /* a revoked pseudonym; hash of key id and basename */
	VLDAA_RECORD_SEQUENCE = 5,    /* last order obeyed; hash of key id and authority */
	VLDAA_RECORD_CREATES = 7,     /* how many pseudonyms were shown; key id */
	VLDAA_RECORD_CONFIRMATION = 6 /* the answer to an order; digest of the order */
};
enum { VLDAA_RECORD_NAME = 32, VLDAA_RECORD_MAX = 12288 };

/* Bytes of an endorsement certificate chain, at most. */
enum { VLDAA_TPM_CHAIN_MAX = 32768 };

/* One change of the durable store; value NULL deletes. */
typedef struct {
	enum vldaa_record record;
	const uint8_t *name; /* VLDAA_RECORD_NAME bytes */
	const uint8_t *value;
	size_t len;
} vldaa_change;

enum vldaa_seal_kind {
	VLDAA_SEAL_ANSWER = 1, /* a join answer, sealed to the key pair of answer_key */
	VLDAA_SEAL_ORDER = 2   /* a revocation order under the fleet's broadcast key */
};

/*
 * The TPM's surroundings.  Each service returns VLDAA_OK or a code of vldaa/error.h; output buffers
 * follow the library's convention (cap in, *len out, VLDAA_ERR_BUFFER when too small).  The TPM
 * passes a service's error on, but for VLDAA_ERR_BUFFER and positive codes, which its caller would
 * misunderstand: these become VLDAA_ERR_SERVICE, of load and commit VLDAA_ERR_STORE.  Every error
 * of random is VLDAA_ERR_RANDOM.
 */
typedef struct {
	void *ctx;
	/* Fresh secret random bytes. */
	int (*random)(void *ctx, uint8_t *out, size_t len);
	/* Seconds since 1970-01-01 UTC. */
	int (*now)(void *ctx, int64_t *seconds);
	/* A one-time key pair to which the issuer seals its answer. */
	int (*answer_key)(void *ctx, uint8_t private_key[32], uint8_t public_key[32]);
	/* Opens sealed bytes; VLDAA_ERR_UNSEAL when they do not open. */
	int (*open)(void *ctx, enum vldaa_seal_kind kind, const uint8_t key[32], const uint8_t *aad,
		    size_t aad_len, const uint8_t *in, size_t in_len, uint8_t *out, size_t cap,
		    size_t *len);
	/* Checks an ordinary signature; VLDAA_ERR_PROOF when it is not one. */
	int (*check)(void *ctx, const uint8_t *spki, size_t spki_len, const uint8_t *message,
		     size_t message_len, const uint8_t *signature, size_t signature_len);
	/* The endorsement certificate chain: { length (4 bytes) | DER }*, leaf first. */
	int (*certificate)(void *ctx, uint8_t *out, size_t cap, size_t *len);
	/* Signs with the endorsement key.  The TPM asks for nothing but join requests. */
	int (*endorse)(void *ctx, const uint8_t *message, size_t message_len, uint8_t *out,
		       size_t cap, size_t *len);
	/* Reads a record: VLDAA_OK, VLDAA_ERR_NO_KEY when there is none, or VLDAA_ERR_STORE. */
	int (*load)(void *ctx, enum vldaa_record record, const uint8_t *name, uint8_t *out,
		    size_t cap, size_t *len);
	/* Makes all changes durable, or none of them. */
	int (*commit)(void *ctx, const vldaa_change *changes, size_t count);
} vldaa_tpm_services;

typedef struct vldaa_tpm vldaa_tpm;

/* Bytes of workspace for members of groups of this set; NULL: for every set. */
VLDAA_API size_t vldaa_tpm_workspace_size(const vldaa_set *set);
/* Starts a TPM in the workspace (any alignment).  services must live as long as the TPM. */
VLDAA_API int vldaa_tpm_open(vldaa_tpm **tpm, void *workspace, size_t size,
			     const vldaa_tpm_services *services) VLDAA_MUST_CHECK;
/* Wipes the workspace. */
VLDAA_API void vldaa_tpm_close(vldaa_tpm *tpm);

/*
 * Makes the member key for the group of this public key.  One generation for each group, for ever:
 * a key that served under two issuers would give itself away, so there is no import and no second
 * one. VLDAA_ERR_HAVE_KEY when there is one already.
 */
VLDAA_API int vldaa_tpm_keygen(vldaa_tpm *tpm, const uint8_t *group_key,
			       size_t group_key_len) VLDAA_MUST_CHECK;

/* Join: the host's call in, the endorsed request for the issuer out. */
VLDAA_API int vldaa_tpm_request(vldaa_tpm *tpm, const uint8_t *call, size_t call_len, uint8_t *out,
				size_t cap, size_t *len) VLDAA_MUST_CHECK;
/* Join: the issuer's answer in; the credential for the host out.  The TPM keeps the revocation
 * authority's key and the fleet's broadcast key, which the issuer's authority signed. */
VLDAA_API int vldaa_tpm_accept(vldaa_tpm *tpm, const uint8_t *answer, size_t answer_len,
			       uint8_t *out, size_t cap, size_t *len) VLDAA_MUST_CHECK;

/* The TPM's public member key (u_T), for the host's check of the credential. */
VLDAA_API int vldaa_tpm_public_key(vldaa_tpm *tpm, const uint8_t key_id[VLDAA_KEY_ID_BYTES],
				   uint8_t *out, size_t cap, size_t *len) VLDAA_MUST_CHECK;

/* Create: the host's call in, the reply out.  VLDAA_ERR_TOMBSTONE for a revoked pseudonym.  A key of
 * a one-shot set shows at most 2^24 pseudonyms, by Creates and tokens together, also when they are
 * the same ones; then both are VLDAA_ERR_EXHAUSTED, and everything else goes on. */
VLDAA_API int vldaa_tpm_create(vldaa_tpm *tpm, const uint8_t *call, size_t call_len, uint8_t *out,
			       size_t cap, size_t *len) VLDAA_MUST_CHECK;

/* Sign: a message of any length in pieces.  The output is the bare signature that the host puts
 * into one of the forms.  attestation_digest: of the pseudonym's attestation.  begin ends the
 * signature in progress before it, if any; so does end, with every result but VLDAA_ERR_BUFFER. */
VLDAA_API int
vldaa_tpm_sign_begin(vldaa_tpm *tpm, const uint8_t key_id[VLDAA_KEY_ID_BYTES],
		     const uint8_t *basename, size_t basename_len,
		     const uint8_t attestation_digest[VLDAA_DIGEST_BYTES]) VLDAA_MUST_CHECK;
VLDAA_API int vldaa_tpm_sign_update(vldaa_tpm *tpm, const void *message,
				    size_t len) VLDAA_MUST_CHECK;
VLDAA_API int vldaa_tpm_sign_end(vldaa_tpm *tpm, uint8_t *out, size_t cap,
				 size_t *len) VLDAA_MUST_CHECK;

/* The revocation token of a pseudonym: an object for the revocation authority.  Counted as a Create
 * is. */
VLDAA_API int vldaa_tpm_token(vldaa_tpm *tpm, const uint8_t key_id[VLDAA_KEY_ID_BYTES],
			      const uint8_t *basename, size_t basename_len,
			      const uint8_t attestation_digest[VLDAA_DIGEST_BYTES], uint8_t *out,
			      size_t cap, size_t *len) VLDAA_MUST_CHECK;

/*
 * Revoke: a sealed order in.  VLDAA_OK: it was for this TPM, the pseudonym (soft) or the whole key
 * (hard) is gone durably, and out is the confirmation; the same order again gives the same
 * confirmation. VLDAA_ERR_NOT_MINE: a valid order for somebody else, nothing changed.
 */
VLDAA_API int vldaa_tpm_obey(vldaa_tpm *tpm, const uint8_t *order, size_t order_len, uint8_t *out,
			     size_t cap, size_t *len) VLDAA_MUST_CHECK;

/* What the TPM has for this group. */
typedef struct {
	int has_key;
	int joined;  /* an answer was accepted */
	int pending; /* a request is out */
	int dead;    /* hard-revoked */
} vldaa_tpm_status;
VLDAA_API int vldaa_tpm_get_status(vldaa_tpm *tpm, const uint8_t key_id[VLDAA_KEY_ID_BYTES],
				   vldaa_tpm_status *status) VLDAA_MUST_CHECK;

#endif
