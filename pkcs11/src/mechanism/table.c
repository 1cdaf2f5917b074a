#include "table.h"

#include <string.h>

enum {
	GROUP = 1 << VLDAA_P11_GROUP,
	ISSUER = 1 << VLDAA_P11_ISSUER,
	MEMBER = 1 << VLDAA_P11_MEMBER,
	PSEUDONYM_PUBLIC = 1 << VLDAA_P11_PSEUDONYM_PUBLIC,
	PSEUDONYM = 1 << VLDAA_P11_PSEUDONYM
};

static const vldaa_p11_mechanism mechanisms[] = {
    {.type = CKM_VLDAA_SETUP, .flags = CKF_GENERATE_KEY_PAIR},
    {.type = CKM_VLDAA_MEMBER, .flags = CKF_GENERATE_KEY_PAIR},
    {.type = CKM_VLDAA_ENDORSEMENT, .flags = CKF_GENERATE},
    {.type = CKM_VLDAA_JOIN_NONCE,
     .flags = CKF_SIGN,
     .sign_kinds = ISSUER,
     .run = vldaa_p11_join_nonce,
     .output = VLDAA_KIND_NONCE},
    {.type = CKM_VLDAA_JOIN_REQUEST,
     .flags = CKF_SIGN,
     .sign_kinds = MEMBER,
     .run = vldaa_p11_join_request,
     .output = VLDAA_KIND_JOIN_REQUEST},
    {.type = CKM_VLDAA_JOIN_ISSUE,
     .flags = CKF_SIGN,
     .sign_kinds = ISSUER,
     .run = vldaa_p11_join_issue,
     .parameter = "replace",
     .output = VLDAA_KIND_JOIN_ANSWER},
    {.type = CKM_VLDAA_JOIN_FINISH, .flags = CKF_UNWRAP},
    {.type = CKM_VLDAA_CREATE, .flags = CKF_DERIVE},
    {.type = CKM_VLDAA_SIGN,
     .flags = CKF_SIGN | CKF_VERIFY,
     .sign_kinds = PSEUDONYM | MEMBER,
     .verify_kinds = GROUP | PSEUDONYM_PUBLIC,
     .output = VLDAA_KIND_SIGNATURE,
     .form = VLDAA_FORM_SELF_CONTAINED},
    {.type = CKM_VLDAA_SIGN_COMPACT,
     .flags = CKF_SIGN | CKF_VERIFY,
     .sign_kinds = PSEUDONYM | MEMBER,
     .verify_kinds = GROUP | PSEUDONYM_PUBLIC,
     .output = VLDAA_KIND_COMPACT,
     .form = VLDAA_FORM_COMPACT},
    {.type = CKM_ML_DSA,
     .flags = CKF_SIGN | CKF_VERIFY,
     .sign_kinds = PSEUDONYM,
     .verify_kinds = PSEUDONYM_PUBLIC,
     .form = VLDAA_FORM_BARE},
    {.type = CKM_VLDAA_REVOKE,
     .flags = CKF_SIGN,
     .sign_kinds = MEMBER,
     .run = vldaa_p11_revoke,
     .output = VLDAA_KIND_CONFIRMATION},
    {.type = CKM_VLDAA_REVOCATION_TOKEN,
     .flags = CKF_SIGN,
     .sign_kinds = PSEUDONYM,
     .run = vldaa_p11_revocation_token,
     .output = VLDAA_KIND_TOKEN},
};
enum { MECHANISMS = sizeof mechanisms / sizeof mechanisms[0] };

const vldaa_p11_mechanism *vldaa_p11_mechanism_at(size_t index)
{
	return index < MECHANISMS ? &mechanisms[index] : NULL;
}

const vldaa_p11_mechanism *vldaa_p11_mechanism_find(CK_MECHANISM_TYPE type)
{
	for (size_t i = 0; i < MECHANISMS; i++) {
		if (mechanisms[i].type == type)
			return &mechanisms[i];
	}
	return NULL;
}

int vldaa_p11_mechanism_suits(const vldaa_p11_mechanism *m, const vldaa_p11_object *key,
			      unsigned kinds)
{
	const vldaa_p11_attribute *allowed =
	    vldaa_p11_attributes_find(&key->attributes, CKA_ALLOWED_MECHANISMS);

	if ((kinds >> key->kind & 1u) == 0)
		return 0;
	if (m->type == CKM_ML_DSA &&
	    vldaa_p11_attributes_ulong(&key->attributes, CKA_KEY_TYPE) != CKK_ML_DSA)
		return 0;
	/* Empty: no restriction. */
	if (allowed == NULL || allowed->len == 0)
		return 1;
	for (size_t i = 0; i < allowed->len / sizeof(CK_MECHANISM_TYPE); i++) {
		CK_MECHANISM_TYPE type;

		memcpy(&type, allowed->value + i * sizeof type, sizeof type);
		if (type == m->type)
			return 1;
	}
	return 0;
}
