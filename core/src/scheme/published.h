/*
 * The scheme of the published sets: contexts shared by its files.  published.c has the table and
 * Setup, published_join.c Join, published_member.c Create and Sign, published_verify.c the
 * verifier's side.
 */
#ifndef VLDAA_PUBLISHED_H
#define VLDAA_PUBLISHED_H

#include "proof/nym_sign.h"
#include "sampler/trapdoor.h"
#include "scheme/scheme.h"

/* Everybody's view of a group. */
typedef struct {
	vldaa_public_keys keys;
} vldaa_published_group;

typedef struct {
	const vldaa_published_group *group;
	uint32_t *R_hat;      /* 4 elements, row-major */
	uint32_t *aprime_hat; /* 2: a_0, a_1 side by side */
	vldaa_perturb *perturb;
	int64_t *R;      /* 4 polynomials */
	int64_t *target; /* 1 */
	int64_t *s;      /* 4 */
	int64_t *poly;   /* 2 */
	void *scratch;   /* of vldaa_sample_gaussian */
} vldaa_published_issuer;

typedef struct {
	const vldaa_published_group *group;
	int has_credential;
	int64_t tag[2];
	int64_t *e;      /* 2: e_H */
	int64_t *s;      /* 4 */
	int64_t *u;      /* 1: u_T + u_H + u */
	uint32_t *e_hat; /* 2 */
	uint32_t *s_hat; /* 4 */
	vldaa_knowledge knowledge;
	vldaa_blind_host blind;
	vldaa_blind_verify verify;
	uint32_t *b_hat; /* 1 */
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t basename_len;
	int creating; /* a call is out, its masks are in blind */
	int rounds;   /* calls made in this Create */
} vldaa_published_host;

/* The TPM's workspace. */
typedef struct {
	vldaa_blind_tpm blind;
	vldaa_knowledge knowledge;
} vldaa_published_tpm;

/* A pseudonym as verifiers keep it. */
typedef struct {
	const vldaa_published_set *set;
	uint32_t *b_hat;    /* 1: H(bsn) */
	uint32_t *nym_hat;  /* 1 */
	int64_t *nym;       /* 1 */
	uint8_t *nym_bytes; /* packed */
} vldaa_published_pseudonym;

/* Workspace of verification, shared by Join's proofs, attestations and message signatures. */
typedef struct {
	vldaa_knowledge knowledge;
	vldaa_blind_verify blind;
	vldaa_nym_verify nym;
	uint32_t *hat; /* 2 */
	int64_t *poly; /* 2 */
} vldaa_published_workspace;

static inline const vldaa_published_set *vldaa_published_numbers(const vldaa_set *set)
{
	return set->numbers;
}

/* Places a context in the memory at `at` (NULL: counts only) and returns its size. */
size_t vldaa_published_place_group(const vldaa_published_set *n, void *at);
size_t vldaa_published_place_issuer(const vldaa_published_set *n, void *at);
size_t vldaa_published_place_host(const vldaa_published_set *n, void *at);
size_t vldaa_published_place_tpm(const vldaa_published_set *n, void *at);
size_t vldaa_published_place_pseudonym(const vldaa_published_set *n, void *at);
size_t vldaa_published_place_workspace(const vldaa_published_set *n, void *at);

/* The secret payload of the TPM: e_T packed, then K_T. */
enum { VLDAA_PRF_KEY_BYTES = 32 };
/* e_T into t->blind.e; returns K_T's place. */
int vldaa_published_load_tpm(const vldaa_tpm_key *key, vldaa_published_tpm *t,
			     const uint8_t **prf_key);

/* The credential payload: i_0, i_1 (each below q, 4 bytes), then s_1 and s_2 Rice-coded. */
int vldaa_published_put_credential(const vldaa_published_set *n, vldaa_writer *w,
				   const int64_t tag[2], const int64_t *s);
void vldaa_published_get_credential(const vldaa_published_set *n, vldaa_reader *rd, int64_t tag[2],
				    int64_t *s);

/* The functions of the table. */
int vldaa_published_issuer_keygen(const vldaa_set *set, vldaa_ntru_solver *solve, vldaa_rng *rng,
				  uint8_t *issuer, uint8_t *group);
int vldaa_published_group_init(void *group, const vldaa_set *set, const uint8_t *payload,
			       const uint8_t *key_id);
int vldaa_published_issuer_init(void *issuer, const void *group, const uint8_t *payload);
int vldaa_published_tpm_keygen(const vldaa_set *set, void *workspace, const vldaa_tpm_key *group,
			       vldaa_rng *rng, uint8_t *secret);
int vldaa_published_tpm_join(const vldaa_tpm_key *key, void *workspace, vldaa_bytes bind,
			     vldaa_rng *rng, vldaa_writer *out);
int vldaa_published_host_keygen(const void *group, void *host, vldaa_rng *rng, uint8_t *secret);
int vldaa_published_host_init(void *host, const void *group, const uint8_t *secret,
			      vldaa_bytes credential);
int vldaa_published_host_join(void *host, vldaa_bytes bind, vldaa_rng *rng, vldaa_writer *out);
int vldaa_published_join_verify(const void *group, void *workspace, vldaa_bytes bind_tpm,
				vldaa_bytes bind_host, vldaa_bytes join_tpm, vldaa_bytes join_host,
				uint8_t *member_tpm, uint8_t *member_host);
int vldaa_published_issue(void *issuer, const uint8_t *member_tpm, const uint8_t *member_host,
			  vldaa_rng *rng, uint8_t *tag, vldaa_writer *credential);
int vldaa_published_tpm_accept(const vldaa_tpm_key *key, void *workspace, vldaa_bytes credential,
			       vldaa_writer *keep, vldaa_writer *hand_over);
int vldaa_published_tpm_public(const vldaa_tpm_key *key, void *workspace, uint8_t *member_tpm);
int vldaa_published_host_accept(void *host, const uint8_t *member_tpm, vldaa_bytes credential);
/* A pseudonym's private key: e_N and e_T1. */
size_t vldaa_published_nym_key_size(const vldaa_published_set *n);
int vldaa_published_nym_secret(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			       uint8_t *secret, uint8_t *nym);
int vldaa_published_nym_load(const vldaa_set *set, void *context, void *workspace,
			     const uint8_t *key_id, vldaa_bytes basename, const uint8_t *secret,
			     const uint8_t *nym);
int vldaa_published_nym_sign_begin(const void *context, const vldaa_sign_subject *about,
				   vldaa_message *message);
int vldaa_published_nym_sign_end(const void *context, void *workspace,
				 const vldaa_sign_subject *about, vldaa_message *message,
				 vldaa_rng *rng, vldaa_writer *out);
int vldaa_published_host_create_begin(void *host, vldaa_bytes basename, vldaa_rng *rng,
				      vldaa_writer *call);
int vldaa_published_tpm_create(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			       vldaa_bytes call, vldaa_rng *rng, vldaa_writer *reply);
int vldaa_published_host_create_step(void *host, vldaa_bytes reply, vldaa_rng *rng,
				     vldaa_writer *out, int *done);
int vldaa_published_tpm_nym(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			    uint8_t *nym);
int vldaa_published_sign_begin(const vldaa_tpm_key *key, void *workspace,
			       const vldaa_sign_subject *about, vldaa_message *message);
int vldaa_published_sign_end(const vldaa_tpm_key *key, void *workspace,
			     const vldaa_sign_subject *about, vldaa_message *message,
			     vldaa_rng *rng, vldaa_writer *out);
int vldaa_published_attestation_verify(const void *group, void *workspace, vldaa_bytes basename,
				       vldaa_bytes payload, void *pseudonym);
int vldaa_published_nym_init(const void *group, void *workspace, vldaa_bytes basename,
			     const uint8_t *nym, void *pseudonym);
int vldaa_published_verify_begin(const void *group, const void *pseudonym,
				 const vldaa_sign_subject *about, vldaa_message *message);
int vldaa_published_verify_end(const void *group, void *workspace, const void *pseudonym,
			       const vldaa_sign_subject *about, vldaa_message *message,
			       vldaa_bytes signature);
const uint8_t *vldaa_published_pseudonym_nym(const void *pseudonym);
int vldaa_published_linked(const vldaa_set *set, const uint8_t *nym, const uint8_t *other);
int vldaa_published_rogue_nym(const void *group, void *workspace, const void *pseudonym,
			      const uint8_t *entry);
int vldaa_published_rogue_member(const void *group, void *workspace, const uint8_t *member_tpm,
				 const uint8_t *entry);
int vldaa_published_member_near(const vldaa_set *set, const uint8_t *member_tpm,
				const uint8_t *other);
int vldaa_published_rogue_check(const vldaa_set *set, const uint8_t *entry);
int vldaa_published_rogue_entry(const vldaa_set *set, const uint8_t *tpm_secret, uint8_t *entry);

#endif
