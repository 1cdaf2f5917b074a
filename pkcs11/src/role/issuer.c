#include "issuer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include "../store/trace.h"
#include "ntru_loader.h"

/* --- Setup -------------------------------------------------------------------------------------
 */

static int new_authority(vldaa_p11_bytes *out)
{
	EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	PKCS8_PRIV_KEY_INFO *info = key != NULL ? EVP_PKEY2PKCS8(key) : NULL;
	unsigned char *der = NULL;
	const int len = info != NULL ? i2d_PKCS8_PRIV_KEY_INFO(info, &der) : 0;
	int err = VLDAA_ERR_CRYPTO;

	memset(out, 0, sizeof *out);
	if (len > 0) {
		err = vldaa_p11_bytes_append(out, der, (size_t)len);
		OPENSSL_clear_free(der, (size_t)len);
	}
	PKCS8_PRIV_KEY_INFO_free(info);
	EVP_PKEY_free(key);
	ERR_clear_error();
	return err;
}

/* NULL for a set whose issuer keys want none. */
static int find_solver(vldaa_ntru_solver **solve, const vldaa_set *set)
{
	const char *reason = NULL;

	*solve = NULL;
	if (vldaa_set_bare_size(set) != 0)
		reason = vldaa_ntru_load(solve, VLDAA_ISSUER_LIBRARY);
	if (reason == NULL)
		return VLDAA_OK;
	vldaa_p11_trace("an issuer's key of %s is made with " VLDAA_ISSUER_LIBRARY
			", which cannot be loaded: %s",
			vldaa_set_name(set), reason);
	return VLDAA_P11_ERR_NO_SOLVER;
}

/* FLINT and GMP want the first call to be alone in them. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

void vldaa_p11_issuer_pause(void)
{
	(void)pthread_mutex_lock(&one_at_a_time);
}

void vldaa_p11_issuer_go_on(void)
{
	(void)pthread_mutex_unlock(&one_at_a_time);
}

int vldaa_p11_issuer_make(vldaa_p11_bytes *key, const vldaa_set *set)
{
	vldaa_ntru_solver *solve;
	vldaa_p11_bytes authority;
	int err = find_solver(&solve, set);

	memset(key, 0, sizeof *key);
	if (!err)
		err = vldaa_p11_bytes_new(key, vldaa_object_max_size(set, VLDAA_KIND_ISSUER_KEY));
	if (err)
		return err;
	err = new_authority(&authority);
	if (!err) {
		(void)pthread_mutex_lock(&one_at_a_time);
		err = vldaa_issuer_keygen(set, solve, authority.data, authority.len, key->data,
					  key->room, &key->len);
		(void)pthread_mutex_unlock(&one_at_a_time);
	}
	vldaa_p11_bytes_free(&authority);
	if (err)
		vldaa_p11_bytes_free(key);
	return err;
}

int vldaa_p11_issuer_group(const uint8_t **group, size_t *group_len, const uint8_t *key, size_t len)
{
	return vldaa_object_public(group, group_len, key, len);
}

/* --- at work -----------------------------------------------------------------------------------
 */

/* "register-" and the first half of the group's key id: one directory may have several issuers. */
static char *register_path(const vldaa_p11_store *store, const uint8_t *key_id)
{
	char name[9 + VLDAA_KEY_ID_BYTES + 3 + 1] = "register-";

	for (size_t i = 0; i < VLDAA_KEY_ID_BYTES / 2; i++)
		(void)snprintf(name + 9 + 2 * i, 3, "%02x", key_id[i]);
	memcpy(name + 9 + VLDAA_KEY_ID_BYTES, ".db", 4);
	return vldaa_p11_store_path(store, name);
}

int vldaa_p11_issuer_open(vldaa_p11_issuer *i, const vldaa_p11_store *store, const uint8_t *key,
			  size_t len, int create)
{
	char *path = NULL;
	uint32_t set_id;
	int err;

	memset(i, 0, sizeof *i);
	err = vldaa_issuer_new(&i->issuer, key, len);
	if (!err) {
		path = register_path(store, vldaa_issuer_key_id(i->issuer));
		if (path == NULL)
			err = VLDAA_ERR_MEMORY;
	}
	if (!err) {
		set_id = vldaa_set_id(vldaa_issuer_set(i->issuer));
		err = create ? vldaa_register_create(&i->reg, path, set_id,
						     vldaa_issuer_key_id(i->issuer))
			     : vldaa_register_open(&i->reg, path, set_id,
						   vldaa_issuer_key_id(i->issuer));
		if (err && i->reg != NULL)
			vldaa_p11_trace("%s: %s", path, vldaa_register_reason(i->reg));
	}
	free(path);
	if (err)
		vldaa_p11_issuer_close(i);
	return err;
}

void vldaa_p11_issuer_close(vldaa_p11_issuer *i)
{
	vldaa_register_close(i->reg);
	vldaa_issuer_free(i->issuer);
	memset(i, 0, sizeof *i);
}

int vldaa_p11_issuer_nonce(vldaa_p11_issuer *i, int64_t lifetime, uint8_t *out, size_t cap,
			   size_t *len)
{
	uint8_t nonce[VLDAA_NONCE_BYTES];
	int err = vldaa_register_nonce_new(i->reg, nonce, (int64_t)time(NULL), lifetime);

	if (err)
		vldaa_p11_trace("register: %s", vldaa_register_reason(i->reg));
	return err ? err : vldaa_issuer_nonce(i->issuer, nonce, out, cap, len);
}

int vldaa_p11_issuer_answer(vldaa_p11_issuer *i, const vldaa_p11_issuer_terms *terms,
			    const uint8_t *request, size_t request_len, int replace, uint8_t *out,
			    size_t cap, size_t *len)
{
	const vldaa_issue_desk desk = {i->reg, i->issuer, &terms->services, terms->roots,
				       terms->roots_len};
	vldaa_issue_result result = {0};
	int err = vldaa_issue(&desk, request, request_len, (int64_t)time(NULL), replace, out, cap,
			      len, &result);

	if (err && result.reason != NULL)
		vldaa_p11_trace("refused: %s", result.reason);
	return err;
}
