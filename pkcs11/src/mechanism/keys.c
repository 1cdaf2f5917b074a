#include "keys.h"

#include <string.h>
#include <time.h>

#include "../result.h"
#include "../store/secret.h"
#include "../store/trace.h"
#include "vldaa/default_basename.h"
#include "vldaa/keyfile.h"

const vldaa_set *vldaa_p11_key_set(const vldaa_p11_object *key)
{
	const vldaa_p11_attribute *name =
	    vldaa_p11_attributes_find(&key->attributes, CKA_VLDAA_SET);
	char text[32] = "";

	if (name == NULL || name->len == 0 || name->len >= sizeof text)
		return NULL;
	memcpy(text, name->value, name->len);
	return vldaa_set_by_name(text);
}

vldaa_p11_object *vldaa_p11_group_of(const vldaa_p11_slot *slot,
				     const vldaa_p11_attributes *attributes)
{
	const vldaa_p11_attribute *wanted = vldaa_p11_attributes_find(attributes, CKA_VLDAA_KEY_ID);

	for (size_t i = 0; i < slot->count && wanted != NULL; i++) {
		vldaa_p11_object *o = slot->objects[i];
		const vldaa_p11_attribute *id =
		    vldaa_p11_attributes_find(&o->attributes, CKA_VLDAA_KEY_ID);

		if (o->kind == VLDAA_P11_GROUP && id != NULL && id->len == wanted->len &&
		    memcmp(id->value, wanted->value, id->len) == 0)
			return o;
	}
	return NULL;
}

int vldaa_p11_set_group(vldaa_p11_attributes *a, const vldaa_set *set,
			const uint8_t key_id[VLDAA_KEY_ID_BYTES])
{
	const char *name = vldaa_set_name(set);

	return vldaa_p11_attributes_set(a, CKA_VLDAA_SET, name, strlen(name)) != 0 ||
	       vldaa_p11_attributes_set(a, CKA_VLDAA_KEY_ID, key_id, VLDAA_KEY_ID_BYTES) != 0;
}

/* CKA_PUBLIC_KEY_INFO: what key files have; err is what making it has given. */
static int set_info(vldaa_p11_attributes *a, uint8_t *info, size_t len, int err)
{
	if (!err && vldaa_p11_attributes_set(a, CKA_PUBLIC_KEY_INFO, info, len) != 0)
		err = VLDAA_ERR_MEMORY;
	vldaa_keyfile_free(info, len);
	return err;
}

/* --- groups ------------------------------------------------------------------------------------
 */

static int set_group_info(vldaa_p11_attributes *a, const uint8_t *group, size_t group_len)
{
	uint8_t *info = NULL;
	size_t len = 0;
	const int err = vldaa_keyfile_encode(&info, &len, VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_DER,
					     group, group_len, NULL, NULL);

	return set_info(a, info, len, err);
}

CK_RV vldaa_p11_group_draft(vldaa_p11_draft *draft, const uint8_t *group, size_t len)
{
	static const CK_MECHANISM_TYPE allowed[] = {CKM_VLDAA_SIGN, CKM_VLDAA_SIGN_COMPACT};
	static const char label[] = "group";
	vldaa_object_info info;
	vldaa_verifier *verifier = NULL;
	CK_RV rv;
	int err = vldaa_object_inspect(&info, group, len);

	if (!err && info.kind != VLDAA_KIND_GROUP_KEY)
		err = VLDAA_ERR_KIND;
	/* The whole key, not its head only. */
	if (!err)
		err = vldaa_verifier_new(&verifier, group, len);
	vldaa_verifier_free(verifier);
	if (err) {
		memset(draft, 0, sizeof *draft);
		return vldaa_p11_result(err);
	}
	rv = vldaa_p11_draft_begin(draft, VLDAA_P11_GROUP);
	if (rv == CKR_OK &&
	    (vldaa_p11_set_group(&draft->attributes, info.set, info.key_id) != 0 ||
	     vldaa_p11_attributes_set(&draft->attributes, CKA_VALUE, group, len) != 0 ||
	     vldaa_p11_attributes_set(&draft->attributes, CKA_LABEL, label, sizeof label - 1) !=
		 0 ||
	     vldaa_p11_attributes_set(&draft->attributes, CKA_ID, info.key_id, 20) != 0 ||
	     vldaa_p11_attributes_set(&draft->attributes, CKA_ALLOWED_MECHANISMS, allowed,
				      sizeof allowed) != 0))
		rv = CKR_HOST_MEMORY;
	if (rv == CKR_OK)
		rv = vldaa_p11_result(set_group_info(&draft->attributes, group, len));
	if (rv != CKR_OK)
		vldaa_p11_draft_clear(draft);
	return rv;
}

CK_RV vldaa_p11_group_draft_info(vldaa_p11_draft *draft, const uint8_t *info, size_t len)
{
	vldaa_key key;
	int err = VLDAA_ERR_KIND;
	CK_RV rv;

	memset(draft, 0, sizeof *draft);
	/* DER begins so; PEM, which the decoder takes too, does not. */
	if (len > 0 && info[0] == 0x30)
		err = vldaa_keyfile_decode(&key, info, len, NULL, NULL, NULL);
	/* Codes of files have no names here. */
	if (err)
		return vldaa_p11_result(err == VLDAA_ERR_MEMORY ? err : VLDAA_ERR_KIND);
	rv = key.type == VLDAA_KEYFILE_PUBLIC ? vldaa_p11_group_draft(draft, key.octets, key.len)
					      : vldaa_p11_result(VLDAA_ERR_KIND);
	vldaa_key_clear(&key);
	return rv;
}

static int add_list(vldaa_verifier *verifier, const vldaa_p11_object *group, CK_ATTRIBUTE_TYPE type)
{
	const vldaa_p11_attribute *list = vldaa_p11_attributes_find(&group->attributes, type);

	return list != NULL && list->len > 0
		   ? vldaa_verifier_add_list(verifier, list->value, list->len)
		   : VLDAA_OK;
}

CK_RV vldaa_p11_group_verifier(vldaa_verifier **verifier, const vldaa_p11_object *group)
{
	const vldaa_p11_attribute *key = vldaa_p11_attributes_find(&group->attributes, CKA_VALUE);
	int err = vldaa_verifier_new(verifier, key->value, key->len);

	if (!err)
		err = add_list(*verifier, group, CKA_VLDAA_ROGUE_LIST);
	if (!err)
		err = add_list(*verifier, group, CKA_VLDAA_REVOKED_LIST);
	if (err) {
		vldaa_verifier_free(*verifier);
		*verifier = NULL;
	}
	return vldaa_p11_result(err);
}

/* --- certificates ------------------------------------------------------------------------------
 */

size_t vldaa_p11_certificates(const vldaa_p11_slot *slot, vldaa_p11_der *list)
{
	size_t count = 0;

	for (size_t i = 0; i < slot->count; i++) {
		const vldaa_p11_object *o = slot->objects[i];
		const vldaa_p11_attribute *value =
		    vldaa_p11_attributes_find(&o->attributes, CKA_VALUE);

		if (o->kind != VLDAA_P11_CERTIFICATE || value == NULL)
			continue;
		if (list != NULL)
			list[count] = (vldaa_p11_der){value->value, value->len};
		count++;
	}
	return count;
}

/* --- members -----------------------------------------------------------------------------------
 */

CK_RV vldaa_p11_member_open(vldaa_p11_open_member *m, vldaa_p11_slot *slot,
			    const vldaa_p11_object *key)
{
	CK_RV rv;

	memset(m, 0, sizeof *m);
	rv = vldaa_p11_object_secret(slot, key, &m->secret, &m->secret_len);
	if (rv == CKR_OK)
		rv = vldaa_p11_result(vldaa_p11_member_init(&m->member, &slot->store, slot->master,
							    m->secret, m->secret_len));
	if (rv != CKR_OK)
		vldaa_p11_member_close(m);
	return rv;
}

void vldaa_p11_member_close(vldaa_p11_open_member *m)
{
	vldaa_p11_secret_free(m->secret, m->secret_len);
	memset(m, 0, sizeof *m);
}

CK_RV vldaa_p11_member_basename(const vldaa_p11_object *member, const uint8_t *parameter,
				size_t parameter_len, uint8_t basename[VLDAA_MAX_BASENAME],
				size_t *len)
{
	const vldaa_p11_attribute *text =
	    vldaa_p11_attributes_find(&member->attributes, CKA_VLDAA_BASENAME);
	vldaa_default_basename policy;

	*len = 0;
	if (parameter_len == 0) {
		int err = vldaa_default_basename_read(&policy, text->value, text->len);

		if (!err)
			err =
			    vldaa_default_basename_at(&policy, (int64_t)time(NULL), basename, len);
		return vldaa_p11_result(err);
	}
	if (parameter_len > VLDAA_MAX_BASENAME)
		return CKR_MECHANISM_PARAM_INVALID;
	memcpy(basename, parameter, parameter_len);
	*len = parameter_len;
	return CKR_OK;
}

/* --- pseudonyms --------------------------------------------------------------------------------
 */

/* Of FIPS 204: bytes of a signature of each set. */
static CK_ULONG mldsa_set(size_t signature_len)
{
	switch (signature_len) {
	case 2420:
		return VLDAA_CKP_ML_DSA_44;
	case 3309:
		return VLDAA_CKP_ML_DSA_65;
	default:
		return VLDAA_CKP_ML_DSA_87;
	}
}

int vldaa_p11_set_pseudonym_type(vldaa_p11_attributes *a, const vldaa_set *set)
{
	static const CK_MECHANISM_TYPE allowed[] = {CKM_VLDAA_SIGN, CKM_VLDAA_SIGN_COMPACT,
						    CKM_ML_DSA};
	const size_t bare = vldaa_set_bare_size(set);
	const size_t len = bare != 0 ? sizeof allowed : sizeof allowed - sizeof allowed[0];

	if (vldaa_p11_attributes_set(a, CKA_ALLOWED_MECHANISMS, allowed, len) != 0)
		return -1;
	return bare == 0
		   ? 0
		   : vldaa_p11_attributes_set_ulong(a, CKA_KEY_TYPE, CKK_ML_DSA) != 0 ||
			 vldaa_p11_attributes_set_ulong(a, CKA_PARAMETER_SET, mldsa_set(bare)) != 0;
}

static int set_mldsa_info(vldaa_p11_attributes *a, const uint8_t *key, size_t key_len)
{
	uint8_t *info = NULL;
	size_t len = 0;
	const int err = vldaa_keyfile_encode_mldsa(&info, &len, VLDAA_KEYFILE_DER, key, key_len);

	return set_info(a, info, len, err);
}

/* CKA_VALUE, the type and what goes with it. */
static int set_key(vldaa_p11_attributes *a, const vldaa_attestation *attestation,
		   const vldaa_set *set)
{
	uint8_t key[4096];
	const int is_mldsa = vldaa_set_bare_size(set) != 0;
	const uint8_t *nym;
	size_t len;

	nym = vldaa_attestation_nym(attestation, &len);
	if (vldaa_p11_attributes_set(a, CKA_VLDAA_NYM, nym, len) != 0 ||
	    vldaa_p11_set_pseudonym_type(a, set) != 0)
		return VLDAA_ERR_MEMORY;
	if (!is_mldsa)
		return vldaa_p11_attributes_set(a, CKA_VALUE, nym, len) == 0 ? VLDAA_OK
									     : VLDAA_ERR_MEMORY;
	if (vldaa_attestation_public_key(attestation, key, sizeof key, &len) != VLDAA_OK)
		return VLDAA_ERR_INTERNAL;
	return vldaa_p11_attributes_set(a, CKA_VALUE, key, len) == 0 ? set_mldsa_info(a, key, len)
								     : VLDAA_ERR_MEMORY;
}

static int describe(vldaa_p11_attributes *a, const vldaa_attestation *attestation,
		    const vldaa_object_info *info, const uint8_t *bytes, size_t len)
{
	int err = set_key(a, attestation, info->set);

	if (!err &&
	    (vldaa_p11_set_group(a, info->set, info->key_id) != 0 ||
	     vldaa_p11_attributes_set(a, CKA_VLDAA_ATTESTATION, bytes, len) != 0 ||
	     vldaa_p11_attributes_set(a, CKA_VLDAA_BASENAME, info->basename, info->basename_len) !=
		 0 ||
	     vldaa_p11_attributes_set(a, CKA_LABEL, info->basename, info->basename_len) != 0 ||
	     vldaa_p11_attributes_set(a, CKA_ID, vldaa_attestation_digest(attestation), 20) != 0))
		err = VLDAA_ERR_MEMORY;
	return err;
}

CK_RV vldaa_p11_pseudonym_draft(vldaa_p11_draft *draft, const vldaa_p11_slot *slot,
				const uint8_t *attestation, size_t len)
{
	vldaa_verifier *verifier = NULL;
	vldaa_attestation *verified = NULL;
	vldaa_object_info info;
	const vldaa_p11_object *group = NULL;
	CK_RV rv = vldaa_p11_draft_begin(draft, VLDAA_P11_PSEUDONYM_PUBLIC);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_result(vldaa_object_inspect(&info, attestation, len));
	if (rv == CKR_OK && info.kind != VLDAA_KIND_ATTESTATION)
		rv = vldaa_p11_result(VLDAA_ERR_KIND);
	if (rv == CKR_OK && vldaa_p11_set_group(&draft->attributes, info.set, info.key_id) != 0)
		rv = CKR_HOST_MEMORY;
	if (rv == CKR_OK) {
		group = vldaa_p11_group_of(slot, &draft->attributes);
		if (group == NULL) {
			vldaa_p11_trace("the token has no public key of the attestation's group");
			rv = vldaa_p11_result(VLDAA_ERR_WRONG_ISSUER);
		}
	}
	if (rv == CKR_OK)
		rv = vldaa_p11_group_verifier(&verifier, group);
	if (rv == CKR_OK)
		rv = vldaa_p11_result(vldaa_attestation_new(&verified, verifier, attestation, len));
	if (rv == CKR_OK)
		rv = vldaa_p11_result(
		    describe(&draft->attributes, verified, &info, attestation, len));
	vldaa_attestation_free(verified);
	vldaa_verifier_free(verifier);
	if (rv != CKR_OK)
		vldaa_p11_draft_clear(draft);
	return rv;
}
