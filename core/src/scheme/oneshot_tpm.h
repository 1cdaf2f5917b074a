/* The TPM of the one-shot sets: its workspace, shared by Join, Create and Sign. */
#ifndef VLDAA_ONESHOT_TPM_H
#define VLDAA_ONESHOT_TPM_H

#include "scheme/oneshot_group.h"

/*
 * Laid out with what is small and used by Sign first, then what Join and Create need besides.  Between two
 * operations all of it is zero.
 */
typedef struct {
	size_t
	    dirty;  /* bytes from the workspace's beginning that an operation may have written to */
	int64_t *s; /* l polynomials of 256 */
	int64_t *et;   /* N */
	int64_t *ut;   /* N, centred */
	int64_t *kj;   /* N */
	int64_t *poly; /* 3 N, scratch */
	uint32_t *hat; /* 2, of `big` */
	vldaa_mldsa_private *key;
	vldaa_mldsa_workspace *mldsa;
	vldaa_mldsa_poly *t; /* k */
	vldaa_os_nym nym;
	uint8_t *nym_bytes;
	/* Join and Create: */
	vldaa_os_group group;
	vldaa_os_tables tables;
	vldaa_os_credential *credential;
	int64_t *w1; /* the witness */
	void *prover;
} vldaa_os_tpm;

/* What Sign needs; where the arena only counts, the pointers are counted's. */
vldaa_os_tpm *vldaa_os_place_sign(const vldaa_oneshot_set *n, vldaa_arena *a,
				  vldaa_os_tpm *counted);
/* All of it; its size. */
size_t vldaa_os_place_tpm(const vldaa_oneshot_set *n, void *at);
/* s, e_T of the key; K_T's place. */
int vldaa_os_load_tpm(const vldaa_tpm_key *key, vldaa_os_tpm *t, const uint8_t **prf_key);
/* Everything beyond Sign's part in its place, and the group's elements. */
int vldaa_os_load_group(const vldaa_tpm_key *key, vldaa_os_tpm *t);
/* u_T = D s + e_T modulo p, and k_J = (D s + e_T - u_T) / p. */
void vldaa_os_member_public(vldaa_os_tpm *t);
/* The pseudonym of this basename: rho, K, s2, the ML-DSA key, t, nym bytes; in t->mldsa the key expanded, for a
 * signature. */
int vldaa_os_load_nym(const vldaa_tpm_key *key, vldaa_os_tpm *t, const uint8_t *prf_key,
		      vldaa_bytes basename);

/* Secret payload: s and e_T at 3 bits a coefficient, K_T. */
size_t vldaa_os_secret_size(const vldaa_oneshot_set *n);

/* theta from the statement's norm relations: binary digits of bound - ||witness part||^2. */
int vldaa_os_fill_theta(const vldaa_os_statement_set *s, int64_t *w1);

/* group: a key without secret. */
int vldaa_oneshot_tpm_keygen(const vldaa_set *set, void *workspace, const vldaa_tpm_key *group,
			     vldaa_rng *rng, uint8_t *secret);
int vldaa_oneshot_tpm_join(const vldaa_tpm_key *key, void *workspace, vldaa_bytes bind,
			   vldaa_rng *rng, vldaa_writer *out);
int vldaa_oneshot_tpm_public(const vldaa_tpm_key *key, void *workspace, uint8_t *member_tpm);
int vldaa_oneshot_tpm_accept(const vldaa_tpm_key *key, void *workspace, vldaa_bytes credential,
			     vldaa_writer *keep, vldaa_writer *hand_over);
int vldaa_oneshot_tpm_create(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			     vldaa_bytes call, vldaa_rng *rng, vldaa_writer *reply);
int vldaa_oneshot_tpm_nym(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			  uint8_t *nym);
int vldaa_oneshot_sign_begin(const vldaa_tpm_key *key, void *workspace,
			     const vldaa_sign_subject *about, vldaa_message *message);
int vldaa_oneshot_sign_end(const vldaa_tpm_key *key, void *workspace,
			   const vldaa_sign_subject *about, vldaa_message *message, vldaa_rng *rng,
			   vldaa_writer *out);
/* ML-DSA.Sign of what `message` absorbed, hedged with bytes of the stream. */
int vldaa_os_sign_message(const vldaa_mldsa_expanded *key, vldaa_mldsa_workspace *ws,
			  vldaa_message *message, vldaa_rng *rng, vldaa_writer *out);

/* A pseudonym's private key on its own: K | s | s2, the vectors as skEncode packs them (FIPS 204,
 * Algorithm 24). */
size_t vldaa_os_nym_secret_size(const vldaa_oneshot_set *n);
size_t vldaa_os_nym_key_size(const vldaa_oneshot_set *n);
size_t vldaa_os_nym_key_secret_size(const vldaa_oneshot_set *n);
size_t vldaa_os_nym_load_size(const vldaa_oneshot_set *n);
int vldaa_oneshot_nym_secret(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			     uint8_t *secret, uint8_t *nym);
int vldaa_oneshot_nym_load(const vldaa_set *set, void *context, void *workspace,
			   const uint8_t *key_id, vldaa_bytes basename, const uint8_t *secret,
			   const uint8_t *nym);
int vldaa_oneshot_nym_sign_begin(const void *context, const vldaa_sign_subject *about,
				 vldaa_message *message);
int vldaa_oneshot_nym_sign_end(const void *context, void *workspace,
			       const vldaa_sign_subject *about, vldaa_message *message,
			       vldaa_rng *rng, vldaa_writer *out);
void vldaa_oneshot_tpm_wipe(const vldaa_set *set, void *workspace, size_t size);

/* Begins mu for a signature about this subject under this public key: context string by type, and for tokens and
 * confirmations what they are about. */
void vldaa_os_message_begin(const vldaa_oneshot_set *n, vldaa_shake *s, const uint8_t *public_key,
			    const uint8_t *tr, const vldaa_sign_subject *about);

#endif
