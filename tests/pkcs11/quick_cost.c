/* In the place of pkcs11/src/store/cost.c: 2^4 * 8 * 128 bytes = 16 KiB. */
#include "store/cipher.h"

const vldaa_p11_cost vldaa_p11_default_cost = {16, 8, 1};
