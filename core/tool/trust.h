/*
 * What an issuer trusts: the revocation authority's public key and the manufacturers' root
 * certificates, read strictly, so that a file that was mixed up is noticed before there is a group.
 *
 * Functions that return an exit status have said on stderr why it is not 0; it is never
 * VLDAA_EXIT_INVALID: nothing was decided.
 */
#ifndef VLDAA_TOOL_TRUST_H
#define VLDAA_TOOL_TRUST_H

#include "files.h"

enum { VLDAA_FINGERPRINT = 32, VLDAA_ROOTS_MAX = 1 << 22 };

/* A public key that signatures are verified with, from PEM (SubjectPublicKeyInfo), as DER.  A
 * certificate or a private key is refused, even where the public key could be had from it: neither
 * is what its owner meant to give away. */
int vldaa_load_revocation_key(vldaa_buffer *spki, const char *path);

/* Certificates in PEM, all self-signed and of certificate authorities: an intermediate one would be
 * no root, and end trust in ways that nobody expects. */
int vldaa_load_roots(vldaa_buffer *pem, const char *path);

/* One root: its subject, and SHA-256 of its DER. */
typedef void vldaa_visit_root(void *arg, const char *subject,
			      const uint8_t fingerprint[VLDAA_FINGERPRINT]);
/* Visits roots that were loaded. */
int vldaa_each_root(const vldaa_buffer *pem, vldaa_visit_root *visit, void *arg);

/* SHA-256. */
int vldaa_fingerprint(uint8_t fingerprint[VLDAA_FINGERPRINT], const uint8_t *data, size_t len);

/* The subject of a certificate as one line (RFC 2253), to free with OPENSSL_free; NULL when it
 * cannot be read.  A stranger's text. */
char *vldaa_subject_of(const uint8_t *der, size_t len);

#endif
