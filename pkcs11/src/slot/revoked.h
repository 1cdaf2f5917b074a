/* What revocation, by whichever process, has left of a slot's pseudonyms. */
#ifndef VLDAA_P11_REVOKED_H
#define VLDAA_P11_REVOKED_H

#include "slot.h"

/* How many revocations the TPM role has obeyed: when it grows, pseudonyms may have ended. */
int vldaa_p11_revocations(const vldaa_p11_slot *slot, int64_t *count);
/* 1 when this pseudonym's private key has ended, or when that cannot be told. */
int vldaa_p11_is_revoked(vldaa_p11_slot *slot, const vldaa_p11_object *pseudonym);

#endif
