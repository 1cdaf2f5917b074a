#include "tokens.h"

#include <check.h>
#include <openssl/err.h>
#include <openssl/store.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

evp_world e;
static EVP_PKEY *group;
static const uint8_t message[] = "brake";
enum { LEN = sizeof message - 1 };

void write_pin(const char *pin)
{
	char path[160];
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/../pin", world_directory(CAR));
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_gt(fprintf(f, "%s\n", pin), 0);
	ck_assert_int_eq(fclose(f), 0);
}

void tokens_enter(void)
{
	world_enter();
	write_pin(USER_PIN);
	memset(&e, 0, sizeof e);
	e.w.set = evp_set(0);
	e.libctx = OSSL_LIB_CTX_new();
	ck_assert_ptr_nonnull(e.libctx);
	ck_assert_int_eq(OSSL_PROVIDER_set_default_search_path(e.libctx, evp_module_directory()),
			 1);
	if (evp_builtin != NULL)
		ck_assert_int_eq(OSSL_PROVIDER_add_builtin(e.libctx, "vldaa", evp_builtin), 1);
	e.ours = OSSL_PROVIDER_load(e.libctx, "vldaa");
	e.standard = OSSL_PROVIDER_load(e.libctx, "default");
	ck_assert(e.ours != NULL && e.standard != NULL);
	group = token_public("group");
}

void tokens_leave(void)
{
	EVP_PKEY_free(group);
	if (e.ours != NULL)
		ck_assert_int_eq(OSSL_PROVIDER_unload(e.ours), 1);
	ck_assert_int_eq(OSSL_PROVIDER_unload(e.standard), 1);
	OSSL_LIB_CTX_free(e.libctx);
	world_leave();
}

/* --- keys --------------------------------------------------------------------------------------
 */

static EVP_PKEY *take(OSSL_STORE_INFO *info)
{
	EVP_PKEY *key = NULL;

	if (info != NULL && OSSL_STORE_INFO_get_type(info) == OSSL_STORE_INFO_PKEY)
		key = OSSL_STORE_INFO_get1_PKEY(info);
	else if (info != NULL && OSSL_STORE_INFO_get_type(info) == OSSL_STORE_INFO_PUBKEY)
		key = OSSL_STORE_INFO_get1_PUBKEY(info);
	OSSL_STORE_INFO_free(info);
	return key;
}

static EVP_PKEY *load(const char *uri, int expected)
{
	OSSL_STORE_CTX *store =
	    OSSL_STORE_open_ex(uri, e.libctx, NULL, NULL, NULL, NULL, NULL, NULL);
	EVP_PKEY *key = NULL;

	if (store == NULL)
		return NULL;
	if (OSSL_STORE_expect(store, expected) == 1) {
		while (key == NULL && !OSSL_STORE_eof(store))
			key = take(OSSL_STORE_load(store));
	}
	(void)OSSL_STORE_close(store);
	return key;
}

void token_uri(char *uri, size_t size, const char *object, const char *query)
{
	(void)snprintf(uri, size, "vldaa:token=car;object=%s?module-path=%s%s%s", object,
		       module_file(), query != NULL ? "&" : "", query != NULL ? query : "");
}

EVP_PKEY *token_key(const char *object, const char *query)
{
	char uri[512];

	token_uri(uri, sizeof uri, object, query);
	return load(uri, OSSL_STORE_INFO_PKEY);
}

EVP_PKEY *token_key_by_file(const char *object)
{
	char query[200];
	EVP_PKEY *key;

	(void)snprintf(query, sizeof query, "pin-source=%s/../pin", world_directory(CAR));
	key = token_key(object, query);
	ck_assert_msg(key != NULL, "%s", evp_reason());
	return key;
}

EVP_PKEY *token_key_by_value(const char *object)
{
	EVP_PKEY *key = token_key(object, PIN_VALUE);

	ck_assert_ptr_nonnull(key);
	return key;
}

EVP_PKEY *token_public(const char *object)
{
	char uri[512];
	EVP_PKEY *key;

	token_uri(uri, sizeof uri, object, NULL);
	key = load(uri, OSSL_STORE_INFO_PUBKEY);
	ck_assert_msg(key != NULL, "%s", evp_reason());
	return key;
}

/* --- signatures --------------------------------------------------------------------------------
 */

int signs(EVP_PKEY *key, const char *basename)
{
	buffer signature;
	int valid;

	if (evp_try_sign(&e, key, basename, NULL, message, LEN, &signature) != 1)
		return 0;
	valid = evp_verify(&e, group, signature, basename, message, LEN) == 1 &&
		evp_verify(&e, group, signature, basename, message, LEN - 1) != 1;
	ERR_clear_error();
	buffer_free(&signature);
	return valid;
}

void refuses(EVP_PKEY *key, const char *basename, const char *words)
{
	const char *reason;

	ERR_clear_error();
	ck_assert_int_eq(signs(key, basename), 0);
	reason = evp_reason();
	ck_assert_msg(strstr(reason, words) != NULL, "%s", reason);
}

/* --- processes ---------------------------------------------------------------------------------
 */

void in_child(child_work *run, void *arg)
{
	const pid_t child = fork();
	int status;

	if (child == 0)
		_exit(run(arg) == 1 ? 0 : 1);
	ck_assert_int_gt(child, 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
