/*
 * Services of libcrypto that the roles of the issuer, the host, the revocation authority and the
 * software TPM use: bytes in, bytes out.  A chip that implements the TPM brings its own instead.
 *
 * All functions use libcrypto's default library context and keep no state of their own.  They
 * return VLDAA_OK or a code of vldaa/error.h.  For an output buffer (out, cap, *len): when cap is
 * too small the result is VLDAA_ERR_BUFFER and *len is the size that suffices (out may be NULL
 * then, with cap 0); on every other error *len is 0 and the cap bytes at out are zero.  Outputs
 * must not overlap inputs.  Pointers to inputs of length 0 may be NULL.  libcrypto's error queue is
 * left as it was found.
 *
 * Refusals of keys, signatures and certificates are not for want of memory: see evp_doubt.h.
 */
#ifndef VLDAA_EVP_H
#define VLDAA_EVP_H

#include <stddef.h>
#include <stdint.h>

#include "vldaa/error.h"

/* No input of the functions below may be longer than this; the objects of this project are far
 * smaller. */
#define VLDAA_EVP_MAX_INPUT ((size_t)1 << 28)

/* Fresh secret random bytes of 256 bits of strength.  VLDAA_ERR_RANDOM; then out is zero. */
VLDAA_MUST_CHECK int vldaa_evp_random(void *out, size_t len);

/* SHA-256 (FIPS 180-4). */
VLDAA_MUST_CHECK int vldaa_evp_sha256(uint8_t out[32], const void *in, size_t len);

/*
 * Sealing to a one-time public key: X25519 (RFC 7748) with an ephemeral key, HKDF-SHA256 (RFC
 * 5869), AES-256-GCM.
 *
 *   key    = HKDF-SHA256(secret = X25519(ephemeral, recipient), no salt,
 *                        info = "vldaa-seal-1" || ephemeral public key || recipient public key),
 *            32 bytes
 *   sealed = ephemeral public key (32) || AES-256-GCM(key, nonce 0, aad, in) || tag (16)
 *
 * The nonce is constant because each key encrypts once: the ephemeral key pair is fresh in every
 * call. Nothing here authenticates the sender.
 *
 * THIS IS NOT POST-QUANTUM.  Who records a sealed answer of Join and later has a quantum computer
 * that breaks X25519 learns what was in it: the credential (the tag, and so who the member is in
 * the issuer's register, and the short preimage) and the fleet's broadcast key.  That attacker can
 * then read the revocation orders that were sent to the fleet.  The credential alone signs nothing:
 * attestations and messages need the TPM's secret e_T, which is in no sealed answer; and an order
 * needs the revocation authority's signature.
 */
#define VLDAA_SEAL_KEY_BYTES 32
#define VLDAA_SEAL_OVERHEAD 48

/* A key pair for one sealed answer.  The caller wipes priv after use. */
VLDAA_MUST_CHECK int vldaa_seal_keypair(uint8_t priv[VLDAA_SEAL_KEY_BYTES],
					uint8_t pub[VLDAA_SEAL_KEY_BYTES]);

/* Seals in to pub; *len = in_len + VLDAA_SEAL_OVERHEAD.  VLDAA_ERR_ENCODING when pub is a point of
 * small order (the shared secret would be zero, known to everyone). */
VLDAA_MUST_CHECK int vldaa_seal(uint8_t *out, size_t cap, size_t *len,
				const uint8_t pub[VLDAA_SEAL_KEY_BYTES], const void *aad,
				size_t aad_len, const void *in, size_t in_len);

/* Opens what vldaa_seal made; *len = in_len - VLDAA_SEAL_OVERHEAD.  VLDAA_ERR_UNSEAL for everything
 * that was not sealed, in these very bytes and with this aad, to this key. */
VLDAA_MUST_CHECK int vldaa_unseal(uint8_t *out, size_t cap, size_t *len,
				  const uint8_t priv[VLDAA_SEAL_KEY_BYTES], const void *aad,
				  size_t aad_len, const void *in, size_t in_len);

/*
 * The fleet's broadcast encryption: AES-256-GCM under a key that all members hold, with a random
 * nonce.
 *
 *   sealed = nonce (12) || ciphertext || tag (16)
 *
 * Random nonces allow 2^32 messages under one key (NIST SP 800-38D, section 8.3).  Every member can
 * make such a message; what authenticates an order is the authority's signature inside.
 */
#define VLDAA_FLEET_KEY_BYTES 32
#define VLDAA_FLEET_OVERHEAD 28

VLDAA_MUST_CHECK int vldaa_fleet_seal(uint8_t *out, size_t cap, size_t *len,
				      const uint8_t key[VLDAA_FLEET_KEY_BYTES], const void *aad,
				      size_t aad_len, const void *in, size_t in_len);
/* VLDAA_ERR_UNSEAL as above. */
VLDAA_MUST_CHECK int vldaa_fleet_open(uint8_t *out, size_t cap, size_t *len,
				      const uint8_t key[VLDAA_FLEET_KEY_BYTES], const void *aad,
				      size_t aad_len, const void *in, size_t in_len);

/*
 * Ordinary signatures (endorsement key, revocation authority) with any key that EVP signs with.
 * Keys are DER: PKCS#8 PrivateKeyInfo (not encrypted) and SubjectPublicKeyInfo.  The digest follows
 * from the key: none for keys that take none (Ed25519, Ed448, ML-DSA), SHA-384 and SHA-512 for EC
 * keys above 256 and 384 bits, the restricted digest of a restricted RSA-PSS key, else SHA-256. RSA
 * keys sign with PKCS#1 v1.5 padding, RSA-PSS keys with PSS.
 *
 * A key that does not parse is VLDAA_ERR_ENCODING or VLDAA_ERR_TRAILING; VLDAA_ERR_CRYPTO when
 * libcrypto cannot use it.
 */
/* The signature is verified before it leaves: VLDAA_ERR_KEY when it does not verify, because the
 * private key does not belong to its public part or the computation failed unnoticed. */
VLDAA_MUST_CHECK int vldaa_evp_sign(uint8_t *sig, size_t cap, size_t *len, const void *pkcs8,
				    size_t pkcs8_len, const void *msg, size_t msg_len);
/* VLDAA_ERR_PROOF when sig, however malformed, is not a signature of msg under the key. */
VLDAA_MUST_CHECK int vldaa_evp_verify(const void *spki, size_t spki_len, const void *msg,
				      size_t msg_len, const void *sig, size_t sig_len);
VLDAA_MUST_CHECK int vldaa_evp_public_from_private(uint8_t *spki, size_t cap, size_t *len,
						   const void *pkcs8, size_t pkcs8_len);

/*
 * X.509 chains of endorsement certificates.
 *
 *   chain = { length (4 bytes, big-endian) || certificate in DER }*, the leaf first, then any
 * intermediates
 */
#define VLDAA_X509_MAX_CERTIFICATES 8          /* of a chain, the root included */
#define VLDAA_X509_MAX_CERTIFICATE_BYTES 65536 /* of one certificate */
#define VLDAA_X509_MAX_ROOTS_BYTES 4194304
#define VLDAA_X509_ID_BYTES 32

/*
 * Checks the chain at the time now (seconds since 1970) against roots, a non-empty PEM or
 * concatenated DER list of self-signed certificates, and gives the leaf's public key as
 * SubjectPublicKeyInfo and its certificate id.
 *
 * Refused with VLDAA_ERR_CERTIFICATE: chains that do not end in one of the roots, certificates
 * outside their validity, intermediates that are no CA, path lengths, unknown critical extensions,
 * keys and digests below 112 bits of security (libcrypto's authentication level 2), a leaf that is
 * itself a CA's or self-signed or whose key usage excludes signatures, a leaf's key that does not
 * name its curve, and malformed or oversized input. VLDAA_ERR_ARGUMENT when the roots cannot be
 * read.  Certificate revocation lists are not consulted.
 *
 * The certificate id is SHA-256 of that SubjectPublicKeyInfo, which is encoded anew, points of
 * curves uncompressed: it names the endorsement key, so that neither a renewed certificate for the
 * same TPM nor another spelling of one certificate passes for a second member.
 *
 * *reason (when reason is not NULL) becomes a constant string that says why in English, or NULL on
 * success and on failures that are nobody's fault.
 */
VLDAA_MUST_CHECK int vldaa_x509_check_chain(uint8_t *spki, size_t cap, size_t *len,
					    uint8_t id[VLDAA_X509_ID_BYTES], const char **reason,
					    const void *roots, size_t roots_len, const void *chain,
					    size_t chain_len, int64_t now);

/* The id of the first certificate of a PEM file or of one DER certificate, unchecked: for an
 * operator who names a certificate.  VLDAA_ERR_ENCODING or _TRAILING when it does not parse,
 * VLDAA_ERR_CERTIFICATE when its key has no canonical encoding. */
VLDAA_MUST_CHECK int vldaa_x509_certificate_id(uint8_t id[VLDAA_X509_ID_BYTES], const void *in,
					       size_t in_len);

/* A PEM file's certificates, in the file's order, as a chain; other kinds of PEM blocks are
 * skipped. VLDAA_ERR_ENCODING when there is none, or more or larger ones than a chain may have. */
VLDAA_MUST_CHECK int vldaa_x509_chain_from_pem(uint8_t *chain, size_t cap, size_t *len,
					       const void *pem, size_t pem_len);

#endif
