/*
 * How secrets lie on the disk: AES-256-GCM under the token's master key, and the master key under
 * a key that scrypt makes of a PIN (RFC 7914).
 *
 * A sealed string is nonce (12 bytes) | ciphertext | tag (16 bytes), with a fresh random nonce each
 * time; a token would need 2^32 of them before two equal ones are likelier than 2^-32.  `place`
 * says where the string lies (associated data), so that none opens in another's place.
 */
#ifndef VLDAA_P11_CIPHER_H
#define VLDAA_P11_CIPHER_H

#include <stddef.h>
#include <stdint.h>

enum { VLDAA_P11_KEY_BYTES = 32, VLDAA_P11_SALT_BYTES = 32, VLDAA_P11_SEAL_OVERHEAD = 12 + 16 };

/* out has len + VLDAA_P11_SEAL_OVERHEAD bytes. */
int vldaa_p11_seal(const uint8_t key[VLDAA_P11_KEY_BYTES], const uint8_t *place, size_t place_len,
		   const uint8_t *in, size_t len, uint8_t *out);
/* out has len - VLDAA_P11_SEAL_OVERHEAD bytes.  VLDAA_ERR_UNSEAL, with out zeroed, when it does not
 * open. */
int vldaa_p11_open(const uint8_t key[VLDAA_P11_KEY_BYTES], const uint8_t *place, size_t place_len,
		   const uint8_t *in, size_t len, uint8_t *out);

/* The cost of guessing one PIN: 128 N r bytes of memory, p times. */
typedef struct {
	uint64_t n;
	uint32_t r;
	uint32_t p;
} vldaa_p11_cost;

/* 64 MiB; about 0.2 s on a machine of 2023. */
extern const vldaa_p11_cost vldaa_p11_default_cost;

/* VLDAA_P11_ERR_FOREIGN for a cost that no token of ours has, such as one of hours. */
int vldaa_p11_stretch(const uint8_t *pin, size_t pin_len, const uint8_t salt[VLDAA_P11_SALT_BYTES],
		      const vldaa_p11_cost *cost, uint8_t key[VLDAA_P11_KEY_BYTES]);

#endif
