#include "import.h"

#include <string.h>

#include "../result.h"
#include "../role/endorsement.h"
#include "keys.h"
#include "values.h"

static const CK_ATTRIBUTE *find(const CK_ATTRIBUTE *given, CK_ULONG count, CK_ATTRIBUTE_TYPE type)
{
	for (CK_ULONG i = 0; i < count; i++) {
		if (given[i].type == type)
			return &given[i];
	}
	return NULL;
}

/* CKR_TEMPLATE_INCOMPLETE when it is not given. */
static CK_RV get_ulong(CK_ULONG *value, const CK_ATTRIBUTE *given, CK_ULONG count,
		       CK_ATTRIBUTE_TYPE type)
{
	const CK_ATTRIBUTE *a = find(given, count, type);

	if (a == NULL)
		return CKR_TEMPLATE_INCOMPLETE;
	if (a->pValue == NULL || a->ulValueLen != sizeof *value)
		return CKR_ATTRIBUTE_VALUE_INVALID;
	memcpy(value, a->pValue, sizeof *value);
	return CKR_OK;
}

static CK_RV get_bytes(const CK_ATTRIBUTE **a, const CK_ATTRIBUTE *given, CK_ULONG count,
		       CK_ATTRIBUTE_TYPE type)
{
	*a = find(given, count, type);
	if (*a == NULL)
		return CKR_TEMPLATE_INCOMPLETE;
	return (*a)->pValue != NULL && (*a)->ulValueLen > 0 &&
		       (*a)->ulValueLen <= VLDAA_P11_MAX_VALUE
		   ? CKR_OK
		   : CKR_ATTRIBUTE_VALUE_INVALID;
}

/* What it is of ours is wrong: the caller's value is. */
static CK_RV as_value(CK_RV rv)
{
	return rv >= CKR_VLDAA ? CKR_ATTRIBUTE_VALUE_INVALID : rv;
}

static CK_RV certificate_draft(vldaa_p11_draft *draft, const CK_ATTRIBUTE *given, CK_ULONG count)
{
	vldaa_p11_certificate c;
	const CK_ATTRIBUTE *value;
	CK_ULONG type = CKC_X_509;
	CK_RV rv = get_bytes(&value, given, count, CKA_VALUE);

	if (rv == CKR_OK)
		rv = get_ulong(&type, given, count, CKA_CERTIFICATE_TYPE);
	if (rv == CKR_TEMPLATE_INCOMPLETE && value != NULL)
		rv = CKR_OK;
	if (rv == CKR_OK && type != CKC_X_509)
		rv = CKR_ATTRIBUTE_VALUE_INVALID;
	if (rv == CKR_OK &&
	    vldaa_p11_certificate_read(&c, value->pValue, value->ulValueLen) != VLDAA_OK)
		rv = CKR_ATTRIBUTE_VALUE_INVALID;
	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_draft_begin(draft, VLDAA_P11_CERTIFICATE);
	/* Certificates are for the endorsement key, which outlives C_InitToken. */
	draft->is_kept = 1;
	if (rv == CKR_OK && (vldaa_p11_attributes_set(&draft->attributes, CKA_SUBJECT,
						      c.subject.data, c.subject.len) != 0 ||
			     vldaa_p11_attributes_set(&draft->attributes, CKA_ISSUER, c.issuer.data,
						      c.issuer.len) != 0 ||
			     vldaa_p11_attributes_set(&draft->attributes, CKA_SERIAL_NUMBER,
						      c.serial.data, c.serial.len) != 0))
		rv = CKR_HOST_MEMORY;
	vldaa_p11_certificate_clear(&c);
	return rv;
}

static CK_RV public_key_draft(vldaa_p11_draft *draft, const vldaa_p11_slot *slot,
			      const CK_ATTRIBUTE *given, CK_ULONG count)
{
	const CK_ATTRIBUTE *attestation, *value;
	CK_ULONG type;
	CK_RV rv = get_ulong(&type, given, count, CKA_KEY_TYPE);

	if (rv != CKR_OK)
		return rv;
	if (type != CKK_VLDAA && type != CKK_ML_DSA)
		return CKR_ATTRIBUTE_VALUE_INVALID;
	if (get_bytes(&attestation, given, count, CKA_VLDAA_ATTESTATION) == CKR_OK) {
		rv = as_value(vldaa_p11_pseudonym_draft(draft, slot, attestation->pValue,
							attestation->ulValueLen));
		/* Nobody's other half: it may go on its own. */
		if (rv == CKR_OK &&
		    vldaa_p11_attributes_set_bool(&draft->attributes, CKA_DESTROYABLE, 1) != 0)
			rv = CKR_HOST_MEMORY;
	} else {
		rv = get_bytes(&value, given, count, CKA_VALUE);
		if (rv == CKR_OK)
			rv = as_value(
			    vldaa_p11_group_draft(draft, value->pValue, value->ulValueLen));
		else if (value == NULL &&
			 get_bytes(&value, given, count, CKA_PUBLIC_KEY_INFO) == CKR_OK)
			rv = as_value(
			    vldaa_p11_group_draft_info(draft, value->pValue, value->ulValueLen));
	}
	if (rv == CKR_OK && vldaa_p11_attributes_set_bool(&draft->attributes, CKA_LOCAL, 0) != 0)
		rv = CKR_HOST_MEMORY;
	return rv;
}

CK_RV vldaa_p11_create_draft(vldaa_p11_draft *draft, const vldaa_p11_slot *slot,
			     const CK_ATTRIBUTE *given, CK_ULONG count)
{
	CK_ULONG class;
	CK_RV rv = given != NULL || count == 0 ? get_ulong(&class, given, count, CKA_CLASS)
					       : CKR_ARGUMENTS_BAD;

	memset(draft, 0, sizeof *draft);
	if (rv != CKR_OK)
		return rv;
	switch (class) {
	case CKO_DATA:
		rv = vldaa_p11_draft_begin(draft, VLDAA_P11_DATA);
		break;
	case CKO_CERTIFICATE:
		rv = certificate_draft(draft, given, count);
		break;
	case CKO_PUBLIC_KEY:
		rv = public_key_draft(draft, slot, given, count);
		break;
	default:
		/* Private keys are made here, and come from nowhere else. */
		rv = CKR_ATTRIBUTE_VALUE_INVALID;
		break;
	}
	if (rv == CKR_OK)
		rv = vldaa_p11_rules_apply(&draft->attributes, draft->kind, VLDAA_P11_MAKE, given,
					   count);
	if (rv == CKR_OK)
		rv = vldaa_p11_values_check(draft->kind, &draft->attributes);
	if (rv != CKR_OK)
		vldaa_p11_draft_clear(draft);
	return rv;
}
