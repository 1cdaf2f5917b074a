#include "reference.h"

#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/params.h>
#include <string.h>

#include "errors.h"

int vldaa_prov_reference_give(vldaa_prov_key **key, OSSL_CALLBACK *callback, void *arg)
{
	int type = OSSL_OBJECT_PKEY;
	OSSL_PARAM params[4];

	params[0] = OSSL_PARAM_construct_int(OSSL_OBJECT_PARAM_TYPE, &type);
	params[1] = OSSL_PARAM_construct_utf8_string(
	    OSSL_OBJECT_PARAM_DATA_TYPE, (char *)(uintptr_t)vldaa_set_name((*key)->set), 0);
	params[2] =
	    OSSL_PARAM_construct_octet_string(OSSL_OBJECT_PARAM_REFERENCE, key, sizeof *key);
	params[3] = OSSL_PARAM_construct_end();
	return callback(params, arg);
}

vldaa_prov_key *vldaa_prov_reference_take(const void *reference, size_t size)
{
	vldaa_prov_key *key = NULL;

	if (size == sizeof key) {
		memcpy(&key, reference, sizeof key);
		/* OpenSSL's pointer to const is a matter of form: the key changes hands. */
		memset((void *)(uintptr_t)reference, 0, size);
	}
	return key;
}

int vldaa_prov_reference_export(void *ctx, const void *reference, size_t size,
				OSSL_CALLBACK *callback, void *arg)
{
	const vldaa_prov_key *key;
	OSSL_PARAM params[3];
	size_t n = 0;

	(void)ctx;
	if (size != sizeof key)
		return 0;
	memcpy(&key, reference, sizeof key);
	if (key->in_token != NULL) {
		VLDAA_PROV_RAISE(key->prov, VLDAA_PROV_ERR_IN_TOKEN);
		return 0;
	}
	if (key->secret != NULL)
		params[n++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY,
								key->secret, key->secret_len);
	params[n++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, key->public_octets,
							key->public_len);
	params[n] = OSSL_PARAM_construct_end();
	return callback(params, arg);
}
