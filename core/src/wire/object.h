/* The frame of all objects (vldaa/object.h), and fields that several of them share. */
#ifndef VLDAA_WIRE_OBJECT_H
#define VLDAA_WIRE_OBJECT_H

#include "scheme/scheme.h"
#include "vldaa/object.h"
#include "wire/bits.h"

enum { VLDAA_ENCODING_VERSION = 1 };

void vldaa_put_header(vldaa_writer *w, enum vldaa_kind kind, const vldaa_set *set);
/* Fails the reader unless the object is of this kind and of a known set; NULL then. */
const vldaa_set *vldaa_get_header(vldaa_reader *rd, enum vldaa_kind kind);
/* The same, and the group must be this one. */
void vldaa_get_group_header(vldaa_reader *rd, enum vldaa_kind kind, const vldaa_set *set,
			    const uint8_t *key_id);

/* One byte of length (1 to 255), then the basename. */
void vldaa_put_basename(vldaa_writer *w, vldaa_bytes basename);
vldaa_bytes vldaa_get_basename(vldaa_reader *rd);

/* One byte of length (0 to 255), then the text, of vldaa/default_basename.h, without capitals in
 * "epoch:": its form is checked (VLDAA_ERR_ENCODING). */
void vldaa_put_default_basename(vldaa_writer *w, vldaa_bytes text);
vldaa_bytes vldaa_get_default_basename(vldaa_reader *rd);

/* Four bytes of length, then the bytes. */
vldaa_bytes vldaa_get_bytes_block(vldaa_reader *rd, size_t max);
/* All that is left. */
vldaa_bytes vldaa_get_rest(vldaa_reader *rd);

/* A block whose length is known only after it was written: begin reserves the length. */
size_t vldaa_put_block_begin(vldaa_writer *w);
void vldaa_put_block_end(vldaa_writer *w, size_t begin);

/* Ends an output: VLDAA_OK with *len, or VLDAA_ERR_BUFFER with *len the size that is needed.  On an
 * error err (or the buffer's) zeroes the cap bytes of out. */
int vldaa_finish_output(const vldaa_writer *w, int err, size_t *len);

/* The end of a function that refuses before it has begun an output: zeroes the cap bytes of out,
 * and *len unless err is VLDAA_ERR_BUFFER; either may be NULL.  Returns err. */
int vldaa_refuse_output(uint8_t *out, size_t cap, size_t *len, int err);

/* VLDAA_ERR_BUFFER with *len the maximum size of this kind, unless cap has room for it: roles ask
 * before they change anything. */
int vldaa_need(const vldaa_set *set, enum vldaa_kind kind, size_t cap, size_t *len);

/* The decoded GROUP_KEY object; pointers into its bytes. */
typedef struct {
	const vldaa_set *set;
	const uint8_t *authority_digest; /* VLDAA_DIGEST_BYTES: of the issuer's authority key */
	const uint8_t *payload;          /* of the scheme */
	uint8_t key_id[VLDAA_KEY_ID_BYTES];
} vldaa_group_key;

size_t vldaa_group_key_size(const vldaa_set *set);
void vldaa_put_group_key(vldaa_writer *w, const vldaa_set *set, const uint8_t *authority_digest,
			 const uint8_t *payload);
int vldaa_read_group_key(vldaa_group_key *key, const uint8_t *in, size_t len);

/* The digest of an issuer's authority key (SubjectPublicKeyInfo). */
void vldaa_authority_digest(const vldaa_set *set, vldaa_bytes spki,
			    uint8_t digest[VLDAA_DIGEST_BYTES]);
/* The digest by which an attestation is named: of exactly its bytes. */
void vldaa_attestation_bytes_digest(const vldaa_set *set, vldaa_bytes attestation,
				    uint8_t digest[VLDAA_DIGEST_BYTES]);

/* The digest of the endorsement chain that a TPM's proof is tied to, and a join request's identity.
 */
void vldaa_request_chain_digest(const vldaa_set *set, vldaa_bytes chain,
				uint8_t digest[VLDAA_DIGEST_BYTES]);
void vldaa_request_digest(const vldaa_set *set, vldaa_bytes request,
			  uint8_t digest[VLDAA_DIGEST_BYTES]);

/* The digest of a TPM's public member key. */
void vldaa_member_digest(const vldaa_set *set, vldaa_bytes member_tpm,
			 uint8_t digest[VLDAA_DIGEST_BYTES]);

/* Lists: header | key id | count (4 bytes) | entries; every entry is decoded once here.
 * A rogue list's entries have PART_ROGUE bytes each; a revoked list's are basename, nym. */
int vldaa_read_rogue_list(const vldaa_set *set, const uint8_t *key_id, const uint8_t *in,
			  size_t len, vldaa_bytes *entries);
int vldaa_read_revoked_list(const vldaa_set *set, const uint8_t *key_id, const uint8_t *in,
			    size_t len, vldaa_bytes *entries);

/* The decoded ATTESTATION object. */
typedef struct {
	const vldaa_set *set;
	const uint8_t *key_id;
	vldaa_bytes basename;
	vldaa_bytes payload;
} vldaa_attestation_parts;
int vldaa_read_attestation(vldaa_attestation_parts *parts, const uint8_t *in, size_t len);

/* The decoded ORDER object. */
typedef struct {
	const vldaa_set *set;
	const uint8_t *key_id;
	vldaa_bytes basename;
	const uint8_t *nym;
	const uint8_t *attestation_digest;
	uint8_t mode;
	uint8_t reason;
	uint64_t sequence;
	uint64_t expiry;
	vldaa_bytes signed_part; /* all before the signature's block */
	vldaa_bytes signature;
	uint8_t digest[VLDAA_DIGEST_BYTES]; /* of the signed part */
} vldaa_order_parts;
int vldaa_read_order(vldaa_order_parts *parts, const uint8_t *in, size_t len);
/* An order in the padded form that is encrypted: all orders of a set have this many bytes. */
size_t vldaa_padded_order_size(const vldaa_set *set);

/* What a confirmation signs: the order's digest and the revocation secret. */
enum {
	VLDAA_REVOCATION_SECRET_BYTES = 32,
	VLDAA_MAX_ORDINARY_SIGNATURE = 5120,
	VLDAA_MAX_SPKI = 4096
};
void vldaa_revocation_secret_digest(const vldaa_set *set, const uint8_t *secret,
				    uint8_t digest[VLDAA_DIGEST_BYTES]);

#endif
