/* The TPM role's own structures, shared by tpm_state.c, tpm.c (keys, Join, Create, Sign) and
 * tpm_revoke.c. */
#ifndef VLDAA_TPM_STATE_H
#define VLDAA_TPM_STATE_H

#include "role/source.h"
#include "vldaa/tpm.h"
#include "wire/object.h"

/* An opened answer or order; the largest answer (VLDAA-256) has 26 KB. */
enum { VLDAA_TPM_PLAIN = VLDAA_TPM_CHAIN_MAX, VLDAA_TPM_BIND = 64 };

/*
 * Invariant: between two calls record, next, plain and the scheme's workspace are zero, and the
 * fields of a signature in progress are zero unless signing is 1.
 */
struct vldaa_tpm {
	const vldaa_tpm_services *services;
	size_t size; /* of the whole, from this struct to the end of the scheme's workspace */
	void *workspace;
	size_t workspace_size;
	const vldaa_set *set; /* whose workspace it was last; NULL: zero */
	int signing;
	uint8_t key_id[VLDAA_KEY_ID_BYTES];
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t basename_len;
	uint8_t attestation_digest[VLDAA_DIGEST_BYTES];
	vldaa_message message;
	uint8_t record[VLDAA_RECORD_MAX]; /* the member record as loaded */
	uint8_t next[VLDAA_RECORD_MAX];   /* a record that is being made */
	uint8_t plain[VLDAA_TPM_PLAIN];   /* opened bytes, certificate chains */
};

/* The member record, decoded: pointers into tpm->record. */
typedef struct {
	vldaa_group_key group;
	vldaa_bytes group_bytes;
	vldaa_tpm_key key;
	size_t secret_len;
	int joined;
	const uint8_t *fleet_key;   /* 32 bytes, when joined */
	vldaa_bytes revocation_key; /* SubjectPublicKeyInfo, when joined */
} vldaa_member;

/* Bytes of workspace that the set's scheme needs. */
size_t vldaa_scheme_workspace(const vldaa_set *set);
/* Prepares the scheme's workspace for this set: VLDAA_ERR_ARGUMENT when it is too small. */
int vldaa_tpm_use(vldaa_tpm *tpm, const vldaa_set *set);
/* Loads and decodes the member record of this group; the scheme's workspace is checked to fit.
 * VLDAA_ERR_NO_KEY when there is none, VLDAA_ERR_EXPELLED when there can be none any more. */
int vldaa_tpm_load(vldaa_tpm *tpm, const uint8_t *key_id, vldaa_member *m);
/* The same, and the member must have joined and the pseudonym not be revoked. */
int vldaa_tpm_load_for(vldaa_tpm *tpm, const uint8_t *key_id, vldaa_bytes basename,
		       vldaa_member *m);
void vldaa_put_member(vldaa_writer *w, const vldaa_member *m);
/* Decodes a TPM_KEY object; m points into it. */
int vldaa_read_member(vldaa_member *m, const uint8_t *in, size_t len);
/* Wipes everything that an operation left. */
void vldaa_tpm_forget(vldaa_tpm *tpm);
/* The end of an operation: forgets, and on an error zeroes out and *len. */
int vldaa_tpm_end(vldaa_tpm *tpm, int err, uint8_t *out, size_t cap, size_t *len);
int vldaa_tpm_source_start(vldaa_tpm *tpm, vldaa_rng *rng, const vldaa_member *m,
			   enum vldaa_operation operation, vldaa_bytes input);

/*
 * What a service answered, as the TPM passes it on.  A service that failed in a way that the TPM
 * would be misunderstood with (a buffer too small, a code that is none) becomes `instead`.
 */
int vldaa_tpm_answered(int err, int instead);
/* Reads a record: VLDAA_OK with *len <= cap, VLDAA_ERR_NO_KEY when there is none, or an error. */
int vldaa_tpm_load_record(vldaa_tpm *tpm, enum vldaa_record record, const uint8_t *name,
			  uint8_t *out, size_t cap, size_t *len);
/* 1: there is such a record; 0: none; negative: an error.  Overwrites tpm->next. */
int vldaa_tpm_exists(vldaa_tpm *tpm, enum vldaa_record record, const uint8_t *name);
int vldaa_tpm_commit(vldaa_tpm *tpm, const vldaa_change *changes, size_t count);
int vldaa_tpm_check(vldaa_tpm *tpm, vldaa_bytes spki, vldaa_bytes message, vldaa_bytes signature);

/* May one more pseudonym of this key be shown?  VLDAA_ERR_EXHAUSTED when not: asked before the work. */
int vldaa_tpm_may_show(vldaa_tpm *tpm, const vldaa_member *m);
/* Counts it durably: after the work, when nothing else can fail, and before anything leaves. */
int vldaa_tpm_count_shown(vldaa_tpm *tpm, const vldaa_member *m);

/* Name of the tombstone record. */
void vldaa_tombstone_name(const vldaa_set *set, const uint8_t *key_id, vldaa_bytes basename,
			  uint8_t name[VLDAA_RECORD_NAME]);
/* The revocation secret = PRF(member secret, key id, basename). */
void vldaa_revocation_secret(const vldaa_member *m, vldaa_bytes basename,
			     uint8_t secret[VLDAA_REVOCATION_SECRET_BYTES]);

#endif
