/*
 * The issuer: Setup and its part of Join.  It keeps no register here: whoever answers requests
 * records each answer durably before it leaves (libvldaa-issuer does).
 */
#ifndef VLDAA_ISSUER_H
#define VLDAA_ISSUER_H

#include "vldaa/object.h"

typedef struct vldaa_issuer vldaa_issuer;

/*
 * Solves f G - g F = p over Z[X]/(X^N+1), N = 2^log_n: what the issuer key of a one-shot set needs besides this
 * library.  libvldaa-issuer has one, vldaa_ntru_solve.
 */
typedef int vldaa_ntru_solver(int64_t *F, int64_t *G, const int64_t *f, const int64_t *g,
			      unsigned log_n, uint32_t p);

/*
 * Setup: the secret ISSUER_KEY object.  solve: NULL for a published set.  authority: a PKCS#8 DER private key of any kind that
 * libcrypto signs with; it signs answers, so that members know whose revocation authority they
 * obey.  Its public half is bound into the group key.
 */
VLDAA_API int vldaa_issuer_keygen(const vldaa_set *set, vldaa_ntru_solver *solve,
				  const uint8_t *authority, size_t authority_len, uint8_t *out,
				  size_t cap, size_t *len) VLDAA_MUST_CHECK;

/* Loads an issuer key; checks that trapdoor and authority belong to the group key in it. */
VLDAA_API int vldaa_issuer_new(vldaa_issuer **issuer, const uint8_t *key,
			       size_t len) VLDAA_MUST_CHECK;
VLDAA_API void vldaa_issuer_free(vldaa_issuer *issuer);
VLDAA_API const vldaa_set *vldaa_issuer_set(const vldaa_issuer *issuer);
VLDAA_API const uint8_t *vldaa_issuer_key_id(const vldaa_issuer *issuer);
/* The group's public key object; valid as long as the issuer. */
VLDAA_API const uint8_t *vldaa_issuer_group_key(const vldaa_issuer *issuer, size_t *len);

/* The NONCE object for these 32 random bytes, and back. */
VLDAA_API int vldaa_issuer_nonce(const vldaa_issuer *issuer, const uint8_t nonce[VLDAA_NONCE_BYTES],
				 uint8_t *out, size_t cap, size_t *len) VLDAA_MUST_CHECK;

/* What the issuer learns from a request whose proofs hold. */
typedef struct {
	uint8_t nonce[VLDAA_NONCE_BYTES];
	uint8_t digest[VLDAA_DIGEST_BYTES];         /* the request's identity */
	uint8_t member_digest[VLDAA_DIGEST_BYTES];  /* of the TPM's public member key */
	uint8_t host_digest[VLDAA_DIGEST_BYTES];    /* of the host's public member key */
	uint8_t certificate_id[VLDAA_DIGEST_BYTES]; /* of the endorsement certificate */
	const uint8_t *member_key; /* public member keys, TPM's then host's; inside the issuer */
	size_t member_key_len;
	const uint8_t *certificate; /* the leaf certificate, DER; inside the request */
	size_t certificate_len;
	const char *reason; /* why the certificate was refused, or NULL */
} vldaa_request_info;

/* The identity of a request, before anything is checked but its frame: to look up an answer that
 * was given before. */
VLDAA_API int vldaa_issuer_request_digest(const vldaa_issuer *issuer, const uint8_t *request,
					  size_t len,
					  uint8_t digest[VLDAA_DIGEST_BYTES]) VLDAA_MUST_CHECK;

/*
 * Checks a request: endorsement chain against the manufacturer roots (PEM or DER) at the time
 * `now`, endorsement signature, both proofs.  Whether the nonce, the key and the certificate are
 * fresh is for the register to say.  A refused request is forgotten, and so is the one before it;
 * of info only the reason is told then.
 */
VLDAA_API int vldaa_issuer_check(vldaa_issuer *issuer, const uint8_t *request, size_t len,
				 const uint8_t *roots, size_t roots_len, int64_t now,
				 vldaa_request_info *info) VLDAA_MUST_CHECK;

/* 1 when the member key of the last checked request belongs to an entry of this rogue list. */
VLDAA_API int vldaa_issuer_is_rogue(vldaa_issuer *issuer, const uint8_t *rogue_list,
				    size_t len) VLDAA_MUST_CHECK;
/* The same for public member keys as vldaa_request_info gave them. */
VLDAA_API int vldaa_issuer_is_rogue_member(vldaa_issuer *issuer, const uint8_t *member_key,
					   size_t member_key_len, const uint8_t *rogue_list,
					   size_t len) VLDAA_MUST_CHECK;

/*
 * 1 when the TPM's key of the last checked request is so near to that of another member (keys as
 * vldaa_request_info gave them) that one secret key could stand behind both: nobody could tell these
 * two members' pseudonyms from each other.  0 when it is not; equal keys are near.
 */
VLDAA_API int vldaa_issuer_is_near(const vldaa_issuer *issuer, const uint8_t *member_key,
				   size_t member_key_len) VLDAA_MUST_CHECK;

/* The id (as in vldaa_request_info) of the first certificate of a PEM file or of one DER
 * certificate, unchecked: for an operator who names a certificate. */
VLDAA_API int vldaa_issuer_certificate_id(uint8_t id[VLDAA_DIGEST_BYTES], const uint8_t *in,
					  size_t len) VLDAA_MUST_CHECK;

/* What members get besides the credential. */
typedef struct {
	const uint8_t *revocation_key; /* SubjectPublicKeyInfo of the revocation authority */
	size_t revocation_key_len;
	const uint8_t *fleet_key; /* 32 bytes: the fleet's broadcast key */
} vldaa_group_services;

enum { VLDAA_MAX_TAG_BYTES = 64 };
/*
 * Answers the last checked request.  tag: what must be new in the register (*tag_len bytes); when
 * it is not, call again, which draws another.  Nothing may leave before the register has the
 * answer.
 */
VLDAA_API int vldaa_issuer_answer(vldaa_issuer *issuer, const vldaa_group_services *services,
				  uint8_t tag[VLDAA_MAX_TAG_BYTES], size_t *tag_len, uint8_t *out,
				  size_t cap, size_t *len) VLDAA_MUST_CHECK;

#endif
