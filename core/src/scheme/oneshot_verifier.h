/* Contexts of the verifier's, the host's and the issuer's side of the one-shot sets. */
#ifndef VLDAA_ONESHOT_VERIFIER_H
#define VLDAA_ONESHOT_VERIFIER_H

#include "scheme/oneshot_group.h"
#include "scheme/oneshot_tpm.h"

typedef struct {
	vldaa_os_tables tables;
	vldaa_os_nym nym;
	vldaa_mldsa_workspace *mldsa;
	int64_t *ut, *poly;
	uint32_t *hat;
	void *verifier;
} vldaa_os_workspace;

typedef struct {
	const vldaa_oneshot_set *n;
	vldaa_os_nym nym;
	uint8_t tr[VLDAA_MLDSA_TR_BYTES];
	vldaa_mldsa_verifying key; /* of nym.public_key */
	uint8_t *nym_bytes;
} vldaa_os_pseudonym;

typedef struct {
	const vldaa_os_group *group;
	int has_credential;
	int creating;
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t basename_len;
	void *workspace;
	void *pseudonym;
} vldaa_os_host;

size_t vldaa_os_place_workspace(const vldaa_oneshot_set *n, void *at);
size_t vldaa_os_place_pseudonym(const vldaa_oneshot_set *n, void *at);
size_t vldaa_os_place_host(const vldaa_oneshot_set *n, void *at);

int vldaa_oneshot_attestation_verify(const void *group, void *workspace, vldaa_bytes basename,
				     vldaa_bytes payload, void *pseudonym);
int vldaa_oneshot_nym_init(const void *group, void *workspace, vldaa_bytes basename,
			   const uint8_t *nym, void *pseudonym);
int vldaa_oneshot_verify_begin(const void *group, const void *pseudonym,
			       const vldaa_sign_subject *about, vldaa_message *message);
int vldaa_oneshot_verify_end(const void *group, void *workspace, const void *pseudonym,
			     const vldaa_sign_subject *about, vldaa_message *message,
			     vldaa_bytes signature);
const uint8_t *vldaa_oneshot_pseudonym_nym(const void *pseudonym);
int vldaa_oneshot_linked(const vldaa_set *set, const uint8_t *nym, const uint8_t *other);
int vldaa_oneshot_rogue_nym(const void *group, void *workspace, const void *pseudonym,
			    const uint8_t *entry);
int vldaa_oneshot_rogue_member(const void *group, void *workspace, const uint8_t *member_tpm,
			       const uint8_t *entry);
int vldaa_oneshot_rogue_check(const vldaa_set *set, const uint8_t *entry);
int vldaa_oneshot_rogue_entry(const vldaa_set *set, const uint8_t *tpm_secret, uint8_t *entry);
int vldaa_oneshot_member_near(const vldaa_set *set, const uint8_t *member_tpm,
			      const uint8_t *other);
int vldaa_oneshot_join_verify(const void *group, void *workspace, vldaa_bytes bind_tpm,
			      vldaa_bytes bind_host, vldaa_bytes join_tpm, vldaa_bytes join_host,
			      uint8_t *member_tpm, uint8_t *member_host);

int vldaa_oneshot_host_keygen(const void *group, void *host, vldaa_rng *rng, uint8_t *secret);
int vldaa_oneshot_host_init(void *host, const void *group, const uint8_t *secret,
			    vldaa_bytes credential);
int vldaa_oneshot_host_join(void *host, vldaa_bytes bind, vldaa_rng *rng, vldaa_writer *out);
int vldaa_oneshot_host_accept(void *host, const uint8_t *member_tpm, vldaa_bytes credential);
int vldaa_oneshot_host_create_begin(void *host, vldaa_bytes basename, vldaa_rng *rng,
				    vldaa_writer *call);
int vldaa_oneshot_host_create_step(void *host, vldaa_bytes reply, vldaa_rng *rng, vldaa_writer *out,
				   int *done);

#endif
