/* The endorsement key: made once for a token, it signs join requests and nothing else. */
#ifndef VLDAA_P11_ENDORSEMENT_H
#define VLDAA_P11_ENDORSEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "../store/store.h"
#include "bytes.h"

/* Which key: NULL when the name is none of vldaa/pkcs11-vldaa.h's; no name is P-256. */
typedef struct vldaa_p11_endorsement_kind vldaa_p11_endorsement_kind;
const vldaa_p11_endorsement_kind *vldaa_p11_endorsement_kind_of(const uint8_t *name, size_t len);

/* A new key, as PKCS#8, and a request (PKCS#10, DER) for its certificate, for the token with this
 * serial number. */
int vldaa_p11_endorsement_new(vldaa_p11_bytes *key, vldaa_p11_bytes *request,
			      const vldaa_p11_endorsement_kind *kind,
			      const uint8_t serial[VLDAA_P11_SERIAL]);

/* What a certificate (DER) says; each is DER. */
typedef struct {
	vldaa_p11_bytes subject, issuer, serial;
} vldaa_p11_certificate;
/* VLDAA_ERR_ENCODING when it is none. */
int vldaa_p11_certificate_read(vldaa_p11_certificate *c, const uint8_t *der, size_t len);
void vldaa_p11_certificate_clear(vldaa_p11_certificate *c);

/* The chain of vldaa/tpm_services.h for this key out of a heap of certificates: the key's own, then
 * each one's issuer, as far as there is one.  VLDAA_ERR_CERTIFICATE when the key has none. */
typedef struct {
	const uint8_t *der;
	size_t len;
} vldaa_p11_der;
int vldaa_p11_endorsement_chain(vldaa_p11_bytes *chain, const uint8_t *key, size_t key_len,
				const vldaa_p11_der *heap, size_t count);

#endif
