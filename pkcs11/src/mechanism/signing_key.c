#include "signing_key.h"

#include <string.h>

#include "../result.h"
#include "../slot/passing.h"
#include "../store/secret.h"
#include "keys.h"

CK_RV vldaa_p11_pseudonym_signer(vldaa_p11_slot *slot, vldaa_p11_object *key,
				 vldaa_p11_signer **signer)
{
	uint8_t *secret = NULL;
	size_t len = 0;
	CK_RV rv = CKR_OK;

	if (key->signer == NULL) {
		rv = vldaa_p11_object_secret(slot, key, &secret, &len);
		if (rv == CKR_OK)
			rv = vldaa_p11_result(vldaa_p11_signer_new(&key->signer, secret, len));
		vldaa_p11_secret_free(secret, len);
	}
	*signer = rv == CKR_OK ? vldaa_p11_signer_share(key->signer) : NULL;
	return rv;
}

static vldaa_p11_object *find_pseudonym(const vldaa_p11_slot *slot, const vldaa_p11_object *member,
					const uint8_t *basename, size_t basename_len)
{
	for (size_t i = 0; i < slot->count; i++) {
		vldaa_p11_object *o = slot->objects[i];
		const vldaa_p11_attribute *a =
		    vldaa_p11_attributes_find(&o->attributes, CKA_VLDAA_BASENAME);

		if (o->kind == VLDAA_P11_PSEUDONYM && o->parent == member->handle && a != NULL &&
		    a->len == basename_len && memcmp(a->value, basename, basename_len) == 0)
			return o;
	}
	return NULL;
}

static CK_RV make_in_passing(vldaa_p11_slot *slot, const vldaa_p11_object *member,
			     const uint8_t *basename, size_t basename_len,
			     vldaa_p11_signer **signer)
{
	vldaa_p11_bytes attestation, pseudonym;
	vldaa_p11_open_member m;
	CK_RV rv = vldaa_p11_member_open(&m, slot, member);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_result(
	    vldaa_p11_member_create(&m.member, basename, basename_len, &attestation, &pseudonym));
	vldaa_p11_member_close(&m);
	if (rv == CKR_OK)
		rv = vldaa_p11_result(vldaa_p11_signer_new(signer, pseudonym.data, pseudonym.len));
	vldaa_p11_bytes_free(&attestation);
	vldaa_p11_bytes_free(&pseudonym);
	return rv;
}

CK_RV vldaa_p11_member_signer(vldaa_p11_slot *slot, vldaa_p11_object *key, const uint8_t *basename,
			      size_t basename_len, vldaa_p11_signer **signer)
{
	vldaa_p11_object *pseudonym = find_pseudonym(slot, key, basename, basename_len);
	CK_RV rv;

	*signer = NULL;
	if (pseudonym != NULL)
		return vldaa_p11_pseudonym_signer(slot, pseudonym, signer);
	*signer = vldaa_p11_passing_find(slot, key, basename, basename_len);
	if (*signer != NULL)
		return CKR_OK;
	rv = make_in_passing(slot, key, basename, basename_len, signer);
	if (rv == CKR_OK)
		vldaa_p11_passing_keep(slot, key, *signer);
	return rv;
}
