/* Which attributes each kind of object has, what form their values have, and who may set them. */
#ifndef VLDAA_P11_RULES_H
#define VLDAA_P11_RULES_H

#include "attributes.h"

enum vldaa_p11_kind {
	VLDAA_P11_DATA,
	VLDAA_P11_CERTIFICATE,
	VLDAA_P11_GROUP,
	VLDAA_P11_ISSUER,
	VLDAA_P11_MEMBER_PUBLIC,
	VLDAA_P11_MEMBER,
	VLDAA_P11_PSEUDONYM_PUBLIC,
	VLDAA_P11_PSEUDONYM
};

enum vldaa_p11_form {
	VLDAA_P11_FORM_BOOL,
	VLDAA_P11_FORM_ULONG,
	VLDAA_P11_FORM_ULONGS,
	VLDAA_P11_FORM_DATE, /* CK_DATE or empty */
	VLDAA_P11_FORM_BYTES
};

/* The form of this attribute's value; of unknown ones bytes. */
enum vldaa_p11_form vldaa_p11_rule_form(CK_ATTRIBUTE_TYPE type);

/* What an object of this kind has when it is made without a template: every attribute of its kind,
 * with its default.  0, or -1 when there is no memory. */
int vldaa_p11_rules_defaults(vldaa_p11_attributes *a, enum vldaa_p11_kind kind);

/* What was read from a file: what a newer release would have beside it gets its default.  0, -1 when
 * there is no memory, -2 when it is not what an object of this kind says. */
int vldaa_p11_rules_complete(vldaa_p11_attributes *a, enum vldaa_p11_kind kind);

/* What a template says about an object that is being made (or copied, changed): checked, and put
 * over what a has.  What may not be given may be said if it is so anyway.  On error a is of no use.
 */
enum vldaa_p11_moment {
	VLDAA_P11_MAKE,
	VLDAA_P11_COPY,
	VLDAA_P11_CHANGE,
	VLDAA_P11_KEEP /* nothing may be changed */
};
CK_RV vldaa_p11_rules_apply(vldaa_p11_attributes *a, enum vldaa_p11_kind kind,
			    enum vldaa_p11_moment moment, const CK_ATTRIBUTE *given,
			    CK_ULONG count);

/* The value of a key that never leaves: CKR_ATTRIBUTE_SENSITIVE. */
int vldaa_p11_rules_is_sensitive(enum vldaa_p11_kind kind, CK_ATTRIBUTE_TYPE type);

#endif
