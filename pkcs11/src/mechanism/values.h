/* Attributes whose values must be something of ours, whoever sets them and when. */
#ifndef VLDAA_P11_VALUES_H
#define VLDAA_P11_VALUES_H

#include "../object/rules.h"

/* CKR_ATTRIBUTE_VALUE_INVALID for what would be refused when it is used. */
CK_RV vldaa_p11_values_check(enum vldaa_p11_kind kind, const vldaa_p11_attributes *a);

#endif
