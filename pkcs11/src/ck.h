/*
 * PKCS#11: p11-kit's header for v2.40, and what it lacks of 3.0 and 3.2, by the numbers of the OASIS
 * standard (PKCS #11 Specification Version 3.0, 2020, and Version 3.2, 2025).
 */
#ifndef VLDAA_P11_CK_H
#define VLDAA_P11_CK_H

#include <p11-kit/pkcs11.h>

#include "vldaa/pkcs11-vldaa.h"

/* --- 3.0 -------------------------------------------------------------------------------------- */

#ifndef CKR_OPERATION_CANCEL_FAILED
#define CKR_OPERATION_CANCEL_FAILED 0x202UL
#endif
#ifndef CKA_UNIQUE_ID
#define CKA_UNIQUE_ID 0x4UL
#endif
#ifndef CKA_COPYABLE
#define CKA_COPYABLE 0x171UL
#endif
#ifndef CKA_DESTROYABLE
#define CKA_DESTROYABLE 0x172UL
#endif
#ifndef CKA_PUBLIC_KEY_INFO
#define CKA_PUBLIC_KEY_INFO 0x129UL
#endif

typedef struct {
	CK_UTF8CHAR_PTR name;
	void *functions;
	CK_FLAGS flags;
} vldaa_ck_interface;

/* --- 3.2: ML-DSA ------------------------------------------------------------------------------ */

#ifndef CKK_ML_DSA
#define CKK_ML_DSA 0x4aUL
#endif
#ifndef CKM_ML_DSA
#define CKM_ML_DSA 0x1dUL
#endif
#ifndef CKA_PARAMETER_SET
#define CKA_PARAMETER_SET 0x61dUL
#endif

enum { VLDAA_CKP_ML_DSA_44 = 1, VLDAA_CKP_ML_DSA_65 = 2, VLDAA_CKP_ML_DSA_87 = 3 };

/* CK_SIGN_ADDITIONAL_CONTEXT. */
typedef struct {
	CK_ULONG hedge; /* 0 preferred, 1 required, 2 deterministic required */
	CK_BYTE_PTR context;
	CK_ULONG context_len;
} vldaa_ck_sign_context;

enum { VLDAA_CKH_DETERMINISTIC_REQUIRED = 2 };

#endif
