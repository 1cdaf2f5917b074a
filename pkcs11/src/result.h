/* Errors of the store and of libvldaa as return codes of PKCS#11: translated once, here. */
#ifndef VLDAA_P11_RESULT_H
#define VLDAA_P11_RESULT_H

#include "ck.h"

CK_RV vldaa_p11_result(int err);

#endif
