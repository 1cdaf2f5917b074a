#include "rules.h"

#include <string.h>

/* Sets of kinds. */
enum {
	DATA = 1 << VLDAA_P11_DATA,
	CERT = 1 << VLDAA_P11_CERTIFICATE,
	GROUP = 1 << VLDAA_P11_GROUP,
	ISSUER = 1 << VLDAA_P11_ISSUER,
	MEMBER_PUBLIC = 1 << VLDAA_P11_MEMBER_PUBLIC,
	MEMBER = 1 << VLDAA_P11_MEMBER,
	PSEUDONYM_PUBLIC = 1 << VLDAA_P11_PSEUDONYM_PUBLIC,
	PSEUDONYM = 1 << VLDAA_P11_PSEUDONYM,
	PUBLIC = GROUP | MEMBER_PUBLIC | PSEUDONYM_PUBLIC,
	PRIVATE = ISSUER | MEMBER | PSEUDONYM,
	KEYS = PUBLIC | PRIVATE,
	ALL = DATA | CERT | KEYS
};

/* What a template may do: give it when the object is made or copied, change it later; LATCH: change
 * it to the default's opposite, and never back.  The rest is fixed. */
enum { FIXED = 0, GIVE = 1, CHANGE = 2, COPY = 4, LATCH = 8 };

/* What a value is when nobody gives one: for BOOL and ULONG the number, else empty. */
typedef struct {
	CK_ATTRIBUTE_TYPE type;
	enum vldaa_p11_form form;
	unsigned kinds;
	unsigned flags;
	CK_ULONG initial;
} rule;

#define UNAVAILABLE ((CK_ULONG)-1)

static const rule rules[] = {
    {CKA_CLASS, VLDAA_P11_FORM_ULONG, DATA, FIXED, CKO_DATA},
    {CKA_CLASS, VLDAA_P11_FORM_ULONG, CERT, FIXED, CKO_CERTIFICATE},
    {CKA_CLASS, VLDAA_P11_FORM_ULONG, PUBLIC, FIXED, CKO_PUBLIC_KEY},
    {CKA_CLASS, VLDAA_P11_FORM_ULONG, PRIVATE, FIXED, CKO_PRIVATE_KEY},
    /* What a TPM or an issuer keeps outlives sessions. */
    {CKA_TOKEN, VLDAA_P11_FORM_BOOL, ALL & ~(ISSUER | MEMBER | MEMBER_PUBLIC), GIVE | COPY,
     CK_FALSE},
    {CKA_TOKEN, VLDAA_P11_FORM_BOOL, ISSUER | MEMBER | MEMBER_PUBLIC, FIXED, CK_TRUE},
    {CKA_PRIVATE, VLDAA_P11_FORM_BOOL, DATA | CERT | PUBLIC, GIVE | COPY, CK_FALSE},
    {CKA_PRIVATE, VLDAA_P11_FORM_BOOL, PRIVATE, FIXED, CK_TRUE},
    {CKA_MODIFIABLE, VLDAA_P11_FORM_BOOL, ALL, GIVE | COPY, CK_TRUE},
    {CKA_COPYABLE, VLDAA_P11_FORM_BOOL, DATA | CERT | GROUP, GIVE | COPY | CHANGE | LATCH, CK_TRUE},
    {CKA_COPYABLE, VLDAA_P11_FORM_BOOL, PRIVATE | MEMBER_PUBLIC | PSEUDONYM_PUBLIC, FIXED,
     CK_FALSE},
    {CKA_DESTROYABLE, VLDAA_P11_FORM_BOOL, ALL & ~(MEMBER_PUBLIC | PSEUDONYM_PUBLIC), GIVE | COPY,
     CK_TRUE},
    /* They die with the private key. */
    {CKA_DESTROYABLE, VLDAA_P11_FORM_BOOL, MEMBER_PUBLIC | PSEUDONYM_PUBLIC, FIXED, CK_FALSE},
    {CKA_LABEL, VLDAA_P11_FORM_BYTES, ALL, GIVE | CHANGE | COPY, 0},
    {CKA_UNIQUE_ID, VLDAA_P11_FORM_BYTES, ALL, FIXED, 0},

    {CKA_APPLICATION, VLDAA_P11_FORM_BYTES, DATA, GIVE | CHANGE | COPY, 0},
    {CKA_OBJECT_ID, VLDAA_P11_FORM_BYTES, DATA, GIVE | CHANGE | COPY, 0},
    {CKA_VALUE, VLDAA_P11_FORM_BYTES, DATA, GIVE | CHANGE | COPY, 0},

    {CKA_CERTIFICATE_TYPE, VLDAA_P11_FORM_ULONG, CERT, FIXED, CKC_X_509},
    {CKA_CERTIFICATE_CATEGORY, VLDAA_P11_FORM_ULONG, CERT, GIVE, 0},
    {CKA_TRUSTED, VLDAA_P11_FORM_BOOL, CERT | PUBLIC, FIXED, CK_FALSE},
    {CKA_VALUE, VLDAA_P11_FORM_BYTES, CERT, GIVE, 0},
    {CKA_ISSUER, VLDAA_P11_FORM_BYTES, CERT, GIVE | CHANGE | COPY, 0},
    {CKA_SERIAL_NUMBER, VLDAA_P11_FORM_BYTES, CERT, GIVE | CHANGE | COPY, 0},
    {CKA_CHECK_VALUE, VLDAA_P11_FORM_BYTES, CERT, FIXED, 0},

    {CKA_KEY_TYPE, VLDAA_P11_FORM_ULONG, KEYS, FIXED, CKK_VLDAA},
    {CKA_ID, VLDAA_P11_FORM_BYTES, KEYS | CERT, GIVE | CHANGE | COPY, 0},
    {CKA_START_DATE, VLDAA_P11_FORM_DATE, KEYS | CERT, GIVE | CHANGE | COPY, 0},
    {CKA_END_DATE, VLDAA_P11_FORM_DATE, KEYS | CERT, GIVE | CHANGE | COPY, 0},
    {CKA_SUBJECT, VLDAA_P11_FORM_BYTES, KEYS | CERT, GIVE | CHANGE | COPY, 0},
    {CKA_LOCAL, VLDAA_P11_FORM_BOOL, KEYS, FIXED, CK_TRUE},
    {CKA_KEY_GEN_MECHANISM, VLDAA_P11_FORM_ULONG, KEYS, FIXED, UNAVAILABLE},
    {CKA_ALLOWED_MECHANISMS, VLDAA_P11_FORM_ULONGS, KEYS, FIXED, 0},
    {CKA_DERIVE, VLDAA_P11_FORM_BOOL, MEMBER, GIVE | CHANGE | COPY, CK_TRUE},
    {CKA_DERIVE, VLDAA_P11_FORM_BOOL, KEYS & ~MEMBER, FIXED, CK_FALSE},
    {CKA_PUBLIC_KEY_INFO, VLDAA_P11_FORM_BYTES, KEYS, FIXED, 0},

    {CKA_VERIFY, VLDAA_P11_FORM_BOOL, GROUP | PSEUDONYM_PUBLIC, GIVE | CHANGE | COPY, CK_TRUE},
    {CKA_VERIFY, VLDAA_P11_FORM_BOOL, MEMBER_PUBLIC, FIXED, CK_FALSE},
    {CKA_VERIFY_RECOVER, VLDAA_P11_FORM_BOOL, PUBLIC, FIXED, CK_FALSE},
    {CKA_ENCRYPT, VLDAA_P11_FORM_BOOL, PUBLIC, FIXED, CK_FALSE},
    {CKA_WRAP, VLDAA_P11_FORM_BOOL, PUBLIC, FIXED, CK_FALSE},
    {CKA_VALUE, VLDAA_P11_FORM_BYTES, PUBLIC, FIXED, 0},

    {CKA_SENSITIVE, VLDAA_P11_FORM_BOOL, PRIVATE, FIXED, CK_TRUE},
    {CKA_ALWAYS_SENSITIVE, VLDAA_P11_FORM_BOOL, PRIVATE, FIXED, CK_TRUE},
    {CKA_EXTRACTABLE, VLDAA_P11_FORM_BOOL, PRIVATE, FIXED, CK_FALSE},
    {CKA_NEVER_EXTRACTABLE, VLDAA_P11_FORM_BOOL, PRIVATE, FIXED, CK_TRUE},
    {CKA_ALWAYS_AUTHENTICATE, VLDAA_P11_FORM_BOOL, PRIVATE, FIXED, CK_FALSE},
    {CKA_WRAP_WITH_TRUSTED, VLDAA_P11_FORM_BOOL, PRIVATE, FIXED, CK_FALSE},
    {CKA_SIGN, VLDAA_P11_FORM_BOOL, PRIVATE, GIVE | CHANGE | COPY, CK_TRUE},
    {CKA_SIGN_RECOVER, VLDAA_P11_FORM_BOOL, PRIVATE, FIXED, CK_FALSE},
    {CKA_DECRYPT, VLDAA_P11_FORM_BOOL, PRIVATE, FIXED, CK_FALSE},
    {CKA_UNWRAP, VLDAA_P11_FORM_BOOL, MEMBER, GIVE | CHANGE | COPY, CK_TRUE},
    {CKA_UNWRAP, VLDAA_P11_FORM_BOOL, PRIVATE & ~MEMBER, FIXED, CK_FALSE},

    {CKA_VLDAA_ROLE, VLDAA_P11_FORM_ULONG, GROUP, FIXED, CK_VLDAA_ROLE_GROUP},
    {CKA_VLDAA_ROLE, VLDAA_P11_FORM_ULONG, ISSUER, FIXED, CK_VLDAA_ROLE_ISSUER},
    {CKA_VLDAA_ROLE, VLDAA_P11_FORM_ULONG, MEMBER | MEMBER_PUBLIC, FIXED, CK_VLDAA_ROLE_MEMBER},
    {CKA_VLDAA_ROLE, VLDAA_P11_FORM_ULONG, PSEUDONYM | PSEUDONYM_PUBLIC, FIXED,
     CK_VLDAA_ROLE_PSEUDONYM},
    {CKA_VLDAA_SET, VLDAA_P11_FORM_BYTES, KEYS, FIXED, 0},
    {CKA_VLDAA_KEY_ID, VLDAA_P11_FORM_BYTES, KEYS, FIXED, 0},
    {CKA_VLDAA_BASENAME, VLDAA_P11_FORM_BYTES, MEMBER, GIVE | CHANGE, 0},
    {CKA_VLDAA_BASENAME, VLDAA_P11_FORM_BYTES, PSEUDONYM | PSEUDONYM_PUBLIC, FIXED, 0},
    {CKA_VLDAA_NYM, VLDAA_P11_FORM_BYTES, PSEUDONYM | PSEUDONYM_PUBLIC, FIXED, 0},
    {CKA_VLDAA_ATTESTATION, VLDAA_P11_FORM_BYTES, PSEUDONYM_PUBLIC, FIXED, 0},
    {CKA_VLDAA_JOINED, VLDAA_P11_FORM_BOOL, MEMBER, FIXED, CK_FALSE},
    {CKA_VLDAA_REVOCATION_KEY, VLDAA_P11_FORM_BYTES, ISSUER, GIVE | CHANGE, 0},
    {CKA_VLDAA_ROOTS, VLDAA_P11_FORM_BYTES, ISSUER, GIVE | CHANGE, 0},
    {CKA_VLDAA_FLEET_KEY, VLDAA_P11_FORM_BYTES, ISSUER, GIVE, 0},
    {CKA_VLDAA_ROGUE_LIST, VLDAA_P11_FORM_BYTES, GROUP, GIVE | CHANGE | COPY, 0},
    {CKA_VLDAA_REVOKED_LIST, VLDAA_P11_FORM_BYTES, GROUP, GIVE | CHANGE | COPY, 0},
    /* Only pseudonyms that are ML-DSA keys have one. */
    {CKA_PARAMETER_SET, VLDAA_P11_FORM_ULONG, 0, FIXED, 0},
};
enum { RULES = sizeof rules / sizeof rules[0] };

static const rule *find_rule(enum vldaa_p11_kind kind, CK_ATTRIBUTE_TYPE type)
{
	for (size_t i = 0; i < RULES; i++) {
		if (rules[i].type == type && (rules[i].kinds >> kind & 1u) != 0)
			return &rules[i];
	}
	return NULL;
}

enum vldaa_p11_form vldaa_p11_rule_form(CK_ATTRIBUTE_TYPE type)
{
	for (size_t i = 0; i < RULES; i++) {
		if (rules[i].type == type)
			return rules[i].form;
	}
	return VLDAA_P11_FORM_BYTES;
}

static int set_default(vldaa_p11_attributes *a, const rule *r)
{
	switch (r->form) {
	case VLDAA_P11_FORM_BOOL:
		return vldaa_p11_attributes_set_bool(a, r->type, r->initial != 0);
	case VLDAA_P11_FORM_ULONG:
		return vldaa_p11_attributes_set_ulong(a, r->type, r->initial);
	default:
		return vldaa_p11_attributes_set(a, r->type, NULL, 0);
	}
}

int vldaa_p11_rules_defaults(vldaa_p11_attributes *a, enum vldaa_p11_kind kind)
{
	int failed = 0;

	for (size_t i = 0; i < RULES && !failed; i++) {
		if ((rules[i].kinds >> kind & 1u) != 0)
			failed = set_default(a, &rules[i]);
	}
	return failed;
}

static CK_RV check_form(enum vldaa_p11_form form, const CK_ATTRIBUTE *given)
{
	const CK_ULONG len = given->ulValueLen;
	CK_BBOOL b;
	int ok;

	if (given->pValue == NULL && len != 0)
		return CKR_ATTRIBUTE_VALUE_INVALID;
	switch (form) {
	case VLDAA_P11_FORM_BOOL:
		ok = len == sizeof b;
		if (ok) {
			memcpy(&b, given->pValue, sizeof b);
			ok = b == CK_TRUE || b == CK_FALSE;
		}
		break;
	case VLDAA_P11_FORM_ULONG:
		ok = len == sizeof(CK_ULONG);
		break;
	case VLDAA_P11_FORM_ULONGS:
		ok = len % sizeof(CK_ULONG) == 0 && len <= VLDAA_P11_MAX_VALUE;
		break;
	case VLDAA_P11_FORM_DATE:
		ok = len == 0 || len == sizeof(CK_DATE);
		break;
	default:
		ok = len <= VLDAA_P11_MAX_VALUE;
		break;
	}
	return ok ? CKR_OK : CKR_ATTRIBUTE_VALUE_INVALID;
}

/* --- what is read ------------------------------------------------------------------------------
 */

/* Without these no object of these kinds is of use: so many bytes at least. */
static const struct {
	CK_ATTRIBUTE_TYPE type;
	unsigned kinds;
	size_t len;
} essentials[] = {
    {CKA_VALUE, CERT | PUBLIC, 1},
    {CKA_VLDAA_SET, KEYS, 1},
    {CKA_VLDAA_KEY_ID, KEYS, 32},
    {CKA_VLDAA_ATTESTATION, PSEUDONYM_PUBLIC, 1},
    {CKA_VLDAA_BASENAME, PSEUDONYM | PSEUDONYM_PUBLIC, 1},
    {CKA_VLDAA_FLEET_KEY, ISSUER, 32},
};

static int has_essentials(const vldaa_p11_attributes *a, enum vldaa_p11_kind kind)
{
	for (size_t i = 0; i < sizeof essentials / sizeof essentials[0]; i++) {
		const vldaa_p11_attribute *at = vldaa_p11_attributes_find(a, essentials[i].type);

		if ((essentials[i].kinds >> kind & 1u) != 0 &&
		    (at == NULL || at->len < essentials[i].len))
			return 0;
	}
	return 1;
}

int vldaa_p11_rules_complete(vldaa_p11_attributes *a, enum vldaa_p11_kind kind)
{
	for (size_t i = 0; i < RULES; i++) {
		const vldaa_p11_attribute *at = vldaa_p11_attributes_find(a, rules[i].type);

		if ((rules[i].kinds >> kind & 1u) == 0)
			continue;
		if (at == NULL) {
			if (set_default(a, &rules[i]) != 0)
				return -1;
		} else {
			const CK_ATTRIBUTE value = {at->type, at->value, at->len};

			if (check_form(rules[i].form, &value) != CKR_OK)
				return -2;
		}
	}
	/* The kind comes from the role: the class must be the kind's, and a private key is private. */
	return has_essentials(a, kind) &&
		       vldaa_p11_attributes_ulong(a, CKA_CLASS) ==
			   find_rule(kind, CKA_CLASS)->initial &&
		       (vldaa_p11_attributes_bool(a, CKA_PRIVATE) || (PRIVATE >> kind & 1u) == 0)
		   ? 0
		   : -2;
}

/* --- what templates say ------------------------------------------------------------------------
 */

static int is_same(const vldaa_p11_attribute *a, const CK_ATTRIBUTE *given)
{
	return a != NULL && a->len == given->ulValueLen &&
	       (a->len == 0 || memcmp(a->value, given->pValue, a->len) == 0);
}

static unsigned needed_flag(enum vldaa_p11_moment moment)
{
	switch (moment) {
	case VLDAA_P11_MAKE:
		return GIVE;
	case VLDAA_P11_COPY:
		return COPY;
	case VLDAA_P11_CHANGE:
		return CHANGE;
	default:
		return 0;
	}
}

/* 1 when it was given before in the same template, with another value. */
static int contradicts(const CK_ATTRIBUTE *given, CK_ULONG i)
{
	for (CK_ULONG j = 0; j < i; j++) {
		if (given[j].type == given[i].type &&
		    (given[j].ulValueLen != given[i].ulValueLen ||
		     (given[i].ulValueLen > 0 &&
		      memcmp(given[j].pValue, given[i].pValue, given[i].ulValueLen) != 0)))
			return 1;
	}
	return 0;
}

/* What no template gives, of whatever object: the token says it. */
static int is_tokens_own(CK_ATTRIBUTE_TYPE type)
{
	static const CK_ATTRIBUTE_TYPE own[] = {
	    CKA_UNIQUE_ID,         CKA_LOCAL,       CKA_KEY_GEN_MECHANISM, CKA_ALWAYS_SENSITIVE,
	    CKA_NEVER_EXTRACTABLE, CKA_VLDAA_ROLE,  CKA_VLDAA_SET,         CKA_VLDAA_KEY_ID,
	    CKA_VLDAA_NYM,         CKA_VLDAA_JOINED};

	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
		if (own[i] == type)
			return 1;
	}
	return 0;
}

static CK_RV apply_one(vldaa_p11_attributes *a, enum vldaa_p11_kind kind,
		       enum vldaa_p11_moment moment, const CK_ATTRIBUTE *given)
{
	const rule *r = find_rule(kind, given->type);
	const vldaa_p11_attribute *now = vldaa_p11_attributes_find(a, given->type);
	CK_RV rv;

	if (now == NULL)
		return vldaa_p11_rules_is_sensitive(kind, given->type) ? CKR_ATTRIBUTE_READ_ONLY
								       : CKR_ATTRIBUTE_TYPE_INVALID;
	rv = check_form(vldaa_p11_rule_form(given->type), given);
	if (rv != CKR_OK)
		return rv;
	if (is_same(now, given))
		return CKR_OK;
	if (r == NULL || (r->flags & needed_flag(moment)) == 0)
		return moment == VLDAA_P11_MAKE && !is_tokens_own(given->type)
			   ? CKR_TEMPLATE_INCONSISTENT
			   : CKR_ATTRIBUTE_READ_ONLY;
	/* A latch that has left its default does not go back. */
	if ((r->flags & LATCH) != 0 && moment != VLDAA_P11_MAKE &&
	    vldaa_p11_attributes_bool(a, given->type) != (r->initial != 0))
		return CKR_ATTRIBUTE_READ_ONLY;
	return vldaa_p11_attributes_set(a, given->type, given->pValue, given->ulValueLen) == 0
		   ? CKR_OK
		   : CKR_HOST_MEMORY;
}

CK_RV vldaa_p11_rules_apply(vldaa_p11_attributes *a, enum vldaa_p11_kind kind,
			    enum vldaa_p11_moment moment, const CK_ATTRIBUTE *given, CK_ULONG count)
{
	CK_RV rv = CKR_OK;

	if (given == NULL && count > 0)
		return CKR_ARGUMENTS_BAD;
	for (CK_ULONG i = 0; i < count && rv == CKR_OK; i++) {
		rv = apply_one(a, kind, moment, &given[i]);
		if (rv == CKR_OK && contradicts(given, i))
			rv = CKR_TEMPLATE_INCONSISTENT;
	}
	return rv;
}

int vldaa_p11_rules_is_sensitive(enum vldaa_p11_kind kind, CK_ATTRIBUTE_TYPE type)
{
	return (PRIVATE >> kind & 1) != 0 && type == CKA_VALUE;
}
