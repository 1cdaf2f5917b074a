/* What an issuer is given of other authorities: is it what it should be?  When it is used it would be
 * too late to say so. */
#ifndef VLDAA_P11_AUTHORITY_H
#define VLDAA_P11_AUTHORITY_H

#include <stddef.h>
#include <stdint.h>

/* One SubjectPublicKeyInfo (DER).  VLDAA_ERR_KEY. */
int vldaa_p11_public_key_check(const uint8_t *der, size_t len);
/* Certificates, one after the other (DER) or in PEM, and at least one.  VLDAA_ERR_CERTIFICATE. */
int vldaa_p11_roots_check(const uint8_t *roots, size_t len);

#endif
