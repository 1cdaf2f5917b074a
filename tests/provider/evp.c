#include "evp.h"

#include <check.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

#include "vldaa/member_key.h"

const char *evp_module_directory(void)
{
	const char *chosen = getenv("VLDAA_PROVIDER_DIR");

	return chosen != NULL ? chosen : VLDAA_TEST_PROVIDER_DIR;
}

const vldaa_set *evp_set(int index)
{
	return vldaa_set_by_name(index == 0 ? "VLDAA2-44" : "VLDAA-128");
}

/* --- the world ---------------------------------------------------------------------------------
 */

OSSL_provider_init_fn *evp_builtin;
const char *evp_standard = "default";

static buffer member_of(const car *c)
{
	buffer out = buffer_new(vldaa_object_max_size(c->world->set, VLDAA_KIND_MEMBER));
	const vldaa_member_parts p = car_parts(c);

	ck_assert_int_eq(vldaa_member_key_encode(&p, out.data, out.len, &out.len), VLDAA_OK);
	return out;
}

void evp_init(evp_world *e, const vldaa_set *set)
{
	world_init(&e->w, set, 1);
	car_init(&e->c, &e->w, 2);
	car_init(&e->other, &e->w, 3);
	car_join(&e->c);
	car_join(&e->other);
	e->member = member_of(&e->c);
	e->second = member_of(&e->other);
	e->libctx = OSSL_LIB_CTX_new();
	ck_assert_ptr_nonnull(e->libctx);
	ck_assert_int_eq(OSSL_PROVIDER_set_default_search_path(e->libctx, evp_module_directory()),
			 1);
	if (evp_builtin != NULL)
		ck_assert_int_eq(OSSL_PROVIDER_add_builtin(e->libctx, "vldaa", evp_builtin), 1);
	e->ours = OSSL_PROVIDER_load(e->libctx, "vldaa");
	ck_assert_ptr_nonnull(e->ours);
	e->standard = OSSL_PROVIDER_load(e->libctx, evp_standard);
	ck_assert_ptr_nonnull(e->standard);
}

void evp_free(evp_world *e)
{
	ck_assert_int_eq(OSSL_PROVIDER_unload(e->ours), 1);
	ck_assert_int_eq(OSSL_PROVIDER_unload(e->standard), 1);
	OSSL_LIB_CTX_free(e->libctx);
	buffer_free(&e->member);
	buffer_free(&e->second);
	car_free(&e->other);
	car_free(&e->c);
	world_free(&e->w);
}

/* --- keys --------------------------------------------------------------------------------------
 */

static EVP_PKEY *from_octets(const evp_world *e, const char *name, int selection, buffer object)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(e->libctx, vldaa_set_name(e->w.set), NULL);
	OSSL_PARAM params[2];
	EVP_PKEY *key = NULL;

	params[0] = OSSL_PARAM_construct_octet_string(name, object.data, object.len);
	params[1] = OSSL_PARAM_construct_end();
	if (ctx == NULL || EVP_PKEY_fromdata_init(ctx) != 1 ||
	    EVP_PKEY_fromdata(ctx, &key, selection, params) != 1)
		key = NULL;
	EVP_PKEY_CTX_free(ctx);
	return key;
}

EVP_PKEY *evp_private(const evp_world *e, buffer object)
{
	return from_octets(e, OSSL_PKEY_PARAM_PRIV_KEY, EVP_PKEY_KEYPAIR, object);
}

EVP_PKEY *evp_public(const evp_world *e, buffer object)
{
	return from_octets(e, OSSL_PKEY_PARAM_PUB_KEY, EVP_PKEY_PUBLIC_KEY, object);
}

EVP_PKEY *evp_member(const evp_world *e)
{
	EVP_PKEY *key = evp_private(e, e->member);

	ck_assert_ptr_nonnull(key);
	return key;
}

EVP_PKEY *evp_group(const evp_world *e)
{
	EVP_PKEY *key = evp_public(e, e->w.group_key);

	ck_assert_ptr_nonnull(key);
	return key;
}

/* --- signatures --------------------------------------------------------------------------------
 */

static size_t options(OSSL_PARAM params[3], const char *basename, const char *form)
{
	size_t n = 0;

	if (basename != NULL)
		params[n++] = OSSL_PARAM_construct_octet_string(
		    "basename", (void *)(uintptr_t)basename, strlen(basename));
	if (form != NULL)
		params[n++] = OSSL_PARAM_construct_utf8_string("form", (char *)(uintptr_t)form, 0);
	params[n] = OSSL_PARAM_construct_end();
	return n;
}

int evp_try_sign(const evp_world *e, EVP_PKEY *key, const char *basename, const char *form,
		 const void *message, size_t len, buffer *signature)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	OSSL_PARAM params[3];
	int done;

	(void)options(params, basename, form);
	*signature = buffer_new(vldaa_object_max_size(e->w.set, VLDAA_KIND_SIGNATURE));
	done = EVP_DigestSignInit_ex(ctx, NULL, NULL, e->libctx, NULL, key, params);
	if (done == 1)
		done = EVP_DigestSign(ctx, signature->data, &signature->len, message, len);
	EVP_MD_CTX_free(ctx);
	if (done != 1)
		buffer_free(signature);
	return done;
}

buffer evp_sign(const evp_world *e, EVP_PKEY *key, const char *basename, const char *form,
		const void *message, size_t len)
{
	buffer signature;

	ck_assert_int_eq(evp_try_sign(e, key, basename, form, message, len, &signature), 1);
	return signature;
}

int evp_verify(const evp_world *e, EVP_PKEY *key, buffer signature, const char *basename,
	       const void *message, size_t len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	OSSL_PARAM params[3];
	int result;

	(void)options(params, basename, NULL);
	result = EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e->libctx, NULL, key, params);
	if (result == 1)
		result = EVP_DigestVerify(ctx, signature.data, signature.len, message, len);
	EVP_MD_CTX_free(ctx);
	return result;
}

void evp_digest(buffer signature, uint8_t digest[VLDAA_DIGEST_BYTES])
{
	vldaa_object_info info;

	ck_assert_int_eq(vldaa_object_inspect(&info, signature.data, signature.len), VLDAA_OK);
	ck_assert_int_eq(info.has_digest, 1);
	memcpy(digest, info.digest, sizeof info.digest);
}

const char *evp_reason(void)
{
	const char *reason = NULL;
	unsigned long code;

	while ((code = ERR_get_error()) != 0) {
		const char *library = ERR_lib_error_string(code);

		if (library != NULL && strcmp(library, "vldaa") == 0)
			reason = ERR_reason_error_string(code);
	}
	ck_assert_ptr_nonnull(reason);
	return reason;
}
