#include "values.h"

#include "../role/authority.h"
#include "keys.h"
#include "vldaa/default_basename.h"

enum { FLEET_KEY = 32 };

/* Empty is: not given. */
static const vldaa_p11_attribute *given(const vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type)
{
	const vldaa_p11_attribute *value = vldaa_p11_attributes_find(a, type);

	return value != NULL && value->len > 0 ? value : NULL;
}

/* Its key, and its lists; before the key is made there is a list at most. */
static CK_RV check_group(const vldaa_p11_attributes *a)
{
	const vldaa_p11_object group = {.kind = VLDAA_P11_GROUP, .attributes = *a};
	vldaa_verifier *verifier;
	CK_RV rv;

	if (given(a, CKA_VALUE) == NULL)
		return CKR_OK;
	rv = vldaa_p11_group_verifier(&verifier, &group);
	vldaa_verifier_free(verifier);
	return rv >= CKR_VLDAA ? CKR_ATTRIBUTE_VALUE_INVALID : rv;
}

static int is_issuers(const vldaa_p11_attributes *a)
{
	const vldaa_p11_attribute *key = given(a, CKA_VLDAA_REVOCATION_KEY);
	const vldaa_p11_attribute *roots = given(a, CKA_VLDAA_ROOTS);
	const vldaa_p11_attribute *fleet = given(a, CKA_VLDAA_FLEET_KEY);

	return (key == NULL || vldaa_p11_public_key_check(key->value, key->len) == VLDAA_OK) &&
	       (roots == NULL || vldaa_p11_roots_check(roots->value, roots->len) == VLDAA_OK) &&
	       (fleet == NULL || fleet->len == FLEET_KEY);
}

static int is_members(const vldaa_p11_attributes *a)
{
	const vldaa_p11_attribute *basename = given(a, CKA_VLDAA_BASENAME);
	vldaa_default_basename policy;

	return basename == NULL ||
	       vldaa_default_basename_read(&policy, basename->value, basename->len) == VLDAA_OK;
}

CK_RV vldaa_p11_values_check(enum vldaa_p11_kind kind, const vldaa_p11_attributes *a)
{
	switch (kind) {
	case VLDAA_P11_GROUP:
		return check_group(a);
	case VLDAA_P11_ISSUER:
		return is_issuers(a) ? CKR_OK : CKR_ATTRIBUTE_VALUE_INVALID;
	case VLDAA_P11_MEMBER:
		return is_members(a) ? CKR_OK : CKR_ATTRIBUTE_VALUE_INVALID;
	default:
		return CKR_OK;
	}
}
