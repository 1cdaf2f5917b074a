/* Key files, in any form: what is read has one DER spelling, and is written again as it was. */
#include <string.h>

#include "fuzz.h"
#include "vldaa/keyfile.h"

/* Whether a file is encrypted, and how, is read before the passphrase is asked for; what comes
 * afterwards would cost seconds for each input. */
static int refuse_to_ask(void *arg, char passphrase[VLDAA_KEYFILE_MAX_PASSPHRASE], size_t *len)
{
	(void)arg;
	(void)passphrase;
	(void)len;
	return VLDAA_ERR_SERVICE;
}

/* PEM may have any text around it, also text that begins as DER does. */
static int has_pem(const uint8_t *data, size_t size)
{
	static const char begin[] = "-----BEGIN";
	const size_t len = sizeof begin - 1;

	for (size_t i = 0; i + len <= size; i++) {
		if (memcmp(data + i, begin, len) == 0)
			return 1;
	}
	return 0;
}

/* An ML-DSA public key, which is no key of ours: the same promise. */
static void mldsa(const uint8_t *data, size_t size)
{
	uint8_t *key = NULL, *out = NULL;
	size_t key_len = 1, len = 0;
	int err = vldaa_keyfile_decode_mldsa(&key, &key_len, data, size);

	if (err) {
		require(key == NULL && key_len == 0);
		require(err != VLDAA_ERR_ARGUMENT && err != VLDAA_ERR_CRYPTO);
		return;
	}
	fuzz_accepted++;
	require(vldaa_keyfile_mldsa_name(key_len) != NULL);
	require(vldaa_keyfile_encode_mldsa(&out, &len, VLDAA_KEYFILE_DER, key, key_len) ==
		VLDAA_OK);
	if (!has_pem(data, size))
		require(len == size && memcmp(out, data, len) == 0);
	vldaa_keyfile_free(out, len);
	vldaa_keyfile_free(key, key_len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	vldaa_key key, again;
	uint8_t *out = NULL;
	size_t len = 0;
	int err = vldaa_keyfile_decode(&key, data, size, refuse_to_ask, NULL, NULL);

	mldsa(data, size);
	if (err) {
		require(key.octets == NULL && key.len == 0);
		require(err != VLDAA_ERR_ARGUMENT && err != VLDAA_ERR_CRYPTO);
		return 0;
	}
	fuzz_accepted++;
	require(vldaa_keyfile_encode(&out, &len, key.type, VLDAA_KEYFILE_DER, key.octets, key.len,
				     NULL, NULL) == VLDAA_OK);
	if (!has_pem(data, size))
		require(len == size && memcmp(out, data, len) == 0);
	require(vldaa_keyfile_decode(&again, out, len, NULL, NULL, NULL) == VLDAA_OK);
	require(again.len == key.len && memcmp(again.octets, key.octets, key.len) == 0);
	vldaa_key_clear(&again);
	vldaa_keyfile_free(out, len);
	vldaa_key_clear(&key);
	return 0;
}
