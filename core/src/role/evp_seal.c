/* Random bytes, SHA-256, sealing to a one-time key, the fleet's broadcast encryption. */
#include "role/evp.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

enum {
	KEY_BYTES = 32,
	POINT_BYTES = 32,
	NONCE_BYTES = 12,
	TAG_BYTES = 16,
};

static const char seal_label[] = "vldaa-seal-1";

int vldaa_evp_random(void *out, size_t len)
{
	if (!out && len > 0)
		return VLDAA_ERR_ARGUMENT;
	if (len == 0)
		return VLDAA_OK;
	ERR_set_mark();
	int ok = RAND_priv_bytes_ex(NULL, out, len, 256) == 1;
	if (!ok)
		OPENSSL_cleanse(out, len);
	ERR_pop_to_mark();
	return ok ? VLDAA_OK : VLDAA_ERR_RANDOM;
}

int vldaa_evp_sha256(uint8_t out[32], const void *in, size_t len)
{
	if (!out || (!in && len > 0))
		return VLDAA_ERR_ARGUMENT;
	size_t out_len = 0;
	ERR_set_mark();
	int ok = EVP_Q_digest(NULL, "SHA256", NULL, in ? in : "", len, out, &out_len) == 1 &&
		 out_len == 32;
	if (!ok)
		memset(out, 0, 32);
	ERR_pop_to_mark();
	return ok ? VLDAA_OK : VLDAA_ERR_CRYPTO;
}

/* What all functions with an output buffer check first: needed is the size of the result. */
static int check_buffers(uint8_t *out, size_t cap, size_t *len, size_t needed, const void *aad,
			 size_t aad_len, const void *in, size_t in_len)
{
	if ((!aad && aad_len > 0) || (!in && in_len > 0) || aad_len > VLDAA_EVP_MAX_INPUT ||
	    in_len > VLDAA_EVP_MAX_INPUT || (!out && cap > 0))
		return VLDAA_ERR_ARGUMENT;
	if (cap < needed) {
		*len = needed;
		return VLDAA_ERR_BUFFER;
	}
	return VLDAA_OK;
}

/*
 * AES-256-GCM of in: encrypting, out receives in_len bytes and tag is written; decrypting, tag is
 * compared and VLDAA_ERR_UNSEAL is the answer "no".  in_len and aad_len fit in an int
 * (VLDAA_EVP_MAX_INPUT).
 */
static int gcm(int encrypt, uint8_t *out, uint8_t tag[TAG_BYTES], const uint8_t key[KEY_BYTES],
	       const uint8_t nonce[NONCE_BYTES], const void *aad, size_t aad_len, const void *in,
	       size_t in_len)
{
	int ret = VLDAA_ERR_CRYPTO;
	int n = 0;
	uint8_t rest[TAG_BYTES]; /* GCM has no last block: nothing is written here */
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	if (!cipher || !ctx || EVP_CipherInit_ex2(ctx, cipher, key, nonce, encrypt, NULL) != 1)
		goto done;
	if (aad_len > 0 && EVP_CipherUpdate(ctx, NULL, &n, aad, (int)aad_len) != 1)
		goto done;
	if (in_len > 0 &&
	    (EVP_CipherUpdate(ctx, out, &n, in, (int)in_len) != 1 || n != (int)in_len))
		goto done;
	if (!encrypt && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, TAG_BYTES, tag) != 1)
		goto done;
	if (EVP_CipherFinal_ex(ctx, rest, &n) != 1) {
		ret = encrypt ? VLDAA_ERR_CRYPTO : VLDAA_ERR_UNSEAL;
		goto done;
	}
	if (encrypt && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TAG_BYTES, tag) != 1)
		goto done;
	ret = VLDAA_OK;
done:
	EVP_CIPHER_CTX_free(ctx);
	EVP_CIPHER_free(cipher);
	return ret;
}

/* X25519 of own and peer; VLDAA_ERR_ENCODING when the result is zero. */
static int shared_secret(uint8_t secret[KEY_BYTES], EVP_PKEY *own, const uint8_t peer[POINT_BYTES])
{
	static const uint8_t zero[KEY_BYTES];
	int ret = VLDAA_ERR_CRYPTO;
	size_t len = KEY_BYTES;
	EVP_PKEY *other = EVP_PKEY_new_raw_public_key_ex(NULL, "X25519", NULL, peer, POINT_BYTES);
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL);

	if (!other || !ctx || EVP_PKEY_derive_init(ctx) != 1 ||
	    EVP_PKEY_derive_set_peer(ctx, other) != 1)
		goto done;
	/* libcrypto's X25519 fails for one reason only: RFC 7748 section 6.1's check for zero.  It
	 * is made here again, as another provider may leave it out. */
	if (EVP_PKEY_derive(ctx, secret, &len) != 1 || len != KEY_BYTES ||
	    CRYPTO_memcmp(secret, zero, KEY_BYTES) == 0) {
		ret = VLDAA_ERR_ENCODING;
		goto done;
	}
	ret = VLDAA_OK;
done:
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(other);
	return ret;
}

/* The key of a sealed answer from own key and the peer's point; info's points are in the order of
 * the formula. */
static int seal_key(uint8_t key[KEY_BYTES], EVP_PKEY *own, const uint8_t peer[POINT_BYTES],
		    const uint8_t ephemeral[POINT_BYTES], const uint8_t recipient[POINT_BYTES])
{
	uint8_t info[sizeof seal_label - 1 + 2 * POINT_BYTES];
	uint8_t secret[KEY_BYTES] = {0};
	char digest[] = "SHA256";
	EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
	EVP_KDF_CTX *ctx = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
	int ret = VLDAA_ERR_CRYPTO;

	memcpy(info, seal_label, sizeof seal_label - 1);
	memcpy(info + sizeof seal_label - 1, ephemeral, POINT_BYTES);
	memcpy(info + sizeof seal_label - 1 + POINT_BYTES, recipient, POINT_BYTES);
	if (!ctx)
		goto done;
	ret = shared_secret(secret, own, peer);
	if (ret != VLDAA_OK)
		goto done;
	OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
	    OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, secret, sizeof secret),
	    OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info, sizeof info),
	    OSSL_PARAM_construct_end(),
	};
	if (EVP_KDF_derive(ctx, key, KEY_BYTES, params) != 1)
		ret = VLDAA_ERR_CRYPTO;
done:
	EVP_KDF_CTX_free(ctx);
	EVP_KDF_free(kdf);
	OPENSSL_cleanse(secret, sizeof secret);
	return ret;
}

static int raw_public(uint8_t pub[POINT_BYTES], const EVP_PKEY *key)
{
	size_t len = POINT_BYTES;

	return EVP_PKEY_get_raw_public_key(key, pub, &len) == 1 && len == POINT_BYTES;
}

int vldaa_seal_keypair(uint8_t priv[VLDAA_SEAL_KEY_BYTES], uint8_t pub[VLDAA_SEAL_KEY_BYTES])
{
	if (!priv || !pub)
		return VLDAA_ERR_ARGUMENT;
	size_t len = KEY_BYTES;
	ERR_set_mark();
	EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "X25519");
	int ok = key && EVP_PKEY_get_raw_private_key(key, priv, &len) == 1 && len == KEY_BYTES &&
		 raw_public(pub, key);
	EVP_PKEY_free(key);
	if (!ok) {
		OPENSSL_cleanse(priv, VLDAA_SEAL_KEY_BYTES);
		memset(pub, 0, VLDAA_SEAL_KEY_BYTES);
	}
	ERR_pop_to_mark();
	return ok ? VLDAA_OK : VLDAA_ERR_CRYPTO;
}

int vldaa_seal(uint8_t *out, size_t cap, size_t *len, const uint8_t pub[VLDAA_SEAL_KEY_BYTES],
	       const void *aad, size_t aad_len, const void *in, size_t in_len)
{
	static const uint8_t nonce[NONCE_BYTES];
	uint8_t key[KEY_BYTES] = {0};

	if (!len)
		return VLDAA_ERR_ARGUMENT;
	*len = 0;
	if (!pub)
		return VLDAA_ERR_ARGUMENT;
	int ret =
	    check_buffers(out, cap, len, in_len + VLDAA_SEAL_OVERHEAD, aad, aad_len, in, in_len);
	if (ret != VLDAA_OK)
		return ret;

	ERR_set_mark();
	EVP_PKEY *ephemeral = EVP_PKEY_Q_keygen(NULL, NULL, "X25519");
	if (!ephemeral || !raw_public(out, ephemeral))
		ret = VLDAA_ERR_CRYPTO;
	if (ret == VLDAA_OK)
		ret = seal_key(key, ephemeral, pub, out, pub);
	if (ret == VLDAA_OK) {
		ret = gcm(1, out + POINT_BYTES, out + POINT_BYTES + in_len, key, nonce, aad,
			  aad_len, in, in_len);
	}
	EVP_PKEY_free(ephemeral);
	ERR_pop_to_mark();
	OPENSSL_cleanse(key, sizeof key);
	if (ret == VLDAA_OK)
		*len = in_len + VLDAA_SEAL_OVERHEAD;
	else
		memset(out, 0, cap);
	return ret;
}

int vldaa_unseal(uint8_t *out, size_t cap, size_t *len, const uint8_t priv[VLDAA_SEAL_KEY_BYTES],
		 const void *aad, size_t aad_len, const void *in, size_t in_len)
{
	static const uint8_t nonce[NONCE_BYTES];
	const uint8_t *sealed = in;
	uint8_t key[KEY_BYTES] = {0};
	uint8_t pub[POINT_BYTES];
	uint8_t tag[TAG_BYTES];
	uint8_t nothing[1]; /* where an empty text goes when out is NULL */

	if (!len)
		return VLDAA_ERR_ARGUMENT;
	*len = 0;
	if (!priv)
		return VLDAA_ERR_ARGUMENT;
	size_t needed = in_len < VLDAA_SEAL_OVERHEAD ? 0 : in_len - VLDAA_SEAL_OVERHEAD;
	int ret = check_buffers(out, cap, len, needed, aad, aad_len, in, in_len);
	if (ret != VLDAA_OK)
		return ret;
	if (cap > 0)
		memset(out, 0, cap);
	if (in_len < VLDAA_SEAL_OVERHEAD)
		return VLDAA_ERR_UNSEAL;

	ERR_set_mark();
	memcpy(tag, sealed + in_len - TAG_BYTES, TAG_BYTES);
	EVP_PKEY *own = EVP_PKEY_new_raw_private_key_ex(NULL, "X25519", NULL, priv, KEY_BYTES);
	if (!own || !raw_public(pub, own))
		ret = VLDAA_ERR_CRYPTO;
	if (ret == VLDAA_OK)
		ret = seal_key(key, own, sealed, sealed, pub);
	if (ret == VLDAA_OK) {
		ret = gcm(0, out ? out : nothing, tag, key, nonce, aad, aad_len,
			  sealed + POINT_BYTES, needed);
	}
	EVP_PKEY_free(own);
	ERR_pop_to_mark();
	OPENSSL_cleanse(key, sizeof key);
	if (ret == VLDAA_OK)
		*len = needed;
	else if (cap > 0)
		OPENSSL_cleanse(out, cap);
	return ret == VLDAA_ERR_ENCODING ? VLDAA_ERR_UNSEAL : ret;
}

int vldaa_fleet_seal(uint8_t *out, size_t cap, size_t *len,
		     const uint8_t key[VLDAA_FLEET_KEY_BYTES], const void *aad, size_t aad_len,
		     const void *in, size_t in_len)
{
	if (!len)
		return VLDAA_ERR_ARGUMENT;
	*len = 0;
	if (!key)
		return VLDAA_ERR_ARGUMENT;
	int ret =
	    check_buffers(out, cap, len, in_len + VLDAA_FLEET_OVERHEAD, aad, aad_len, in, in_len);
	if (ret != VLDAA_OK)
		return ret;

	/* The nonce is public, unlike what vldaa_evp_random is for; a stronger source does no harm.
	 */
	ret = vldaa_evp_random(out, NONCE_BYTES);
	if (ret == VLDAA_OK) {
		ERR_set_mark();
		ret = gcm(1, out + NONCE_BYTES, out + NONCE_BYTES + in_len, key, out, aad, aad_len,
			  in, in_len);
		ERR_pop_to_mark();
	}
	if (ret == VLDAA_OK)
		*len = in_len + VLDAA_FLEET_OVERHEAD;
	else
		memset(out, 0, cap);
	return ret;
}

int vldaa_fleet_open(uint8_t *out, size_t cap, size_t *len,
		     const uint8_t key[VLDAA_FLEET_KEY_BYTES], const void *aad, size_t aad_len,
		     const void *in, size_t in_len)
{
	const uint8_t *sealed = in;
	uint8_t tag[TAG_BYTES];
	uint8_t nothing[1];

	if (!len)
		return VLDAA_ERR_ARGUMENT;
	*len = 0;
	if (!key)
		return VLDAA_ERR_ARGUMENT;
	size_t needed = in_len < VLDAA_FLEET_OVERHEAD ? 0 : in_len - VLDAA_FLEET_OVERHEAD;
	int ret = check_buffers(out, cap, len, needed, aad, aad_len, in, in_len);
	if (ret != VLDAA_OK)
		return ret;
	if (cap > 0)
		memset(out, 0, cap);
	if (in_len < VLDAA_FLEET_OVERHEAD)
		return VLDAA_ERR_UNSEAL;

	ERR_set_mark();
	memcpy(tag, sealed + in_len - TAG_BYTES, TAG_BYTES);
	ret = gcm(0, out ? out : nothing, tag, key, sealed, aad, aad_len, sealed + NONCE_BYTES,
		  needed);
	ERR_pop_to_mark();
	if (ret == VLDAA_OK)
		*len = needed;
	else if (cap > 0)
		OPENSSL_cleanse(out, cap);
	return ret;
}
