/* What mechanisms need of key objects; callers have entered the slot. */
#ifndef VLDAA_P11_KEYS_H
#define VLDAA_P11_KEYS_H

#include "../role/member.h"
#include "../slot/objects.h"
#include "vldaa/verify.h"

/* The parameter set that a key names; NULL when it is no key. */
const vldaa_set *vldaa_p11_key_set(const vldaa_p11_object *key);
/* The group's public key object with this CKA_VLDAA_KEY_ID; NULL: there is none. */
vldaa_p11_object *vldaa_p11_group_of(const vldaa_p11_slot *slot,
				     const vldaa_p11_attributes *attributes);
/* What both halves of a pseudonym say of what kind of key it is, which its set tells. */
int vldaa_p11_set_pseudonym_type(vldaa_p11_attributes *a, const vldaa_set *set);
/* A draft's attributes that say of which set and group it is. */
int vldaa_p11_set_group(vldaa_p11_attributes *a, const vldaa_set *set,
			const uint8_t key_id[VLDAA_KEY_ID_BYTES]);
/* The draft of a group's public key. */
CK_RV vldaa_p11_group_draft(vldaa_p11_draft *draft, const uint8_t *group, size_t len);
/* The same, of what key files have: SubjectPublicKeyInfo, DER. */
CK_RV vldaa_p11_group_draft_info(vldaa_p11_draft *draft, const uint8_t *info, size_t len);

/* All certificates that the token has, the newest last: the endorsement key's chain is among them.
 * How many; list may be NULL. */
size_t vldaa_p11_certificates(const vldaa_p11_slot *slot, vldaa_p11_der *list);

/* A member key, ready for the roles. */
typedef struct {
	vldaa_p11_member member;
	uint8_t *secret;
	size_t secret_len;
} vldaa_p11_open_member;
CK_RV vldaa_p11_member_open(vldaa_p11_open_member *m, vldaa_p11_slot *slot,
			    const vldaa_p11_object *key);
void vldaa_p11_member_close(vldaa_p11_open_member *m);

/* The draft of the public half of a pseudonym, with all that an attestation says, which was checked
 * against the group. */
CK_RV vldaa_p11_pseudonym_draft(vldaa_p11_draft *draft, const vldaa_p11_slot *slot,
				const uint8_t *attestation, size_t len);
/* A verifier for the group, with its lists. */
CK_RV vldaa_p11_group_verifier(vldaa_verifier **verifier, const vldaa_p11_object *group);

/* The basename that a mechanism's parameter gives, or else the member key's own. */
CK_RV vldaa_p11_member_basename(const vldaa_p11_object *member, const uint8_t *parameter,
				size_t parameter_len, uint8_t basename[VLDAA_MAX_BASENAME],
				size_t *len);

#endif
