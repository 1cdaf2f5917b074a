/* C_CreateObject: what a template makes. */
#ifndef VLDAA_P11_IMPORT_H
#define VLDAA_P11_IMPORT_H

#include "../slot/objects.h"

/* A data object, a certificate, a group's public key (CKA_VALUE), a pseudonym's public key
 * (CKA_VLDAA_ATTESTATION); the slot was entered.  The draft is empty after an error. */
CK_RV vldaa_p11_create_draft(vldaa_p11_draft *draft, const vldaa_p11_slot *slot,
			     const CK_ATTRIBUTE *given, CK_ULONG count);

#endif
