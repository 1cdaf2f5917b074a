/*
 * Promises about a key in a token, in a program that uses the token itself as well: it is copied, compared and asked like
 * one in a file, and its private half does not come out; of two groups each member signs as its own pseudonym; it signs
 * again after whatever the program has done to the module in the meantime, or says that it is not logged in; a thousand of
 * them leave nothing behind, and a hundred basenames at most 64 objects; it may live longer than the provider's last user,
 * or the process.
 */
#include <check.h>
#include <dirent.h>
#include <malloc.h>
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/store.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tokens.h"

static const uint8_t message[] = "brake";
enum { LEN = sizeof message - 1 };

static CK_TOKEN_INFO token_info(void)
{
	CK_TOKEN_INFO info;

	assert_ok(p11->C_GetTokenInfo(CAR, &info));
	return info;
}

/* --- keys --------------------------------------------------------------------------------------
 */

START_TEST(members_and_pseudonyms_sign)
{
	EVP_PKEY *member = token_key_by_file("member"), *pseudonym = token_key_by_file("platoon-7");

	ck_assert_int_eq(signs(member, "here"), 1);
	ck_assert_int_eq(signs(member, "platoon-7"), 1);
	ck_assert_int_eq(signs(pseudonym, NULL), 1);
	refuses(pseudonym, "here", "basename");
	EVP_PKEY_free(member);
	EVP_PKEY_free(pseudonym);
}
END_TEST

START_TEST(keys_are_compared)
{
	EVP_PKEY *member = token_key_by_file("member"), *again = token_key_by_file("member");
	EVP_PKEY *pseudonym = token_key_by_file("platoon-7"), *public = token_public("platoon-7");
	EVP_PKEY *group = token_public("group");

	ck_assert_int_eq(EVP_PKEY_eq(member, again), 1);
	ck_assert_int_eq(EVP_PKEY_eq(member, group), 1);
	ck_assert_int_eq(EVP_PKEY_eq(pseudonym, public), 1);
	ck_assert_int_ne(EVP_PKEY_eq(member, pseudonym), 1);
	EVP_PKEY_free(member);
	EVP_PKEY_free(again);
	EVP_PKEY_free(pseudonym);
	EVP_PKEY_free(public);
	EVP_PKEY_free(group);
}
END_TEST

START_TEST(a_copy_signs_when_the_first_has_gone)
{
	EVP_PKEY *key = token_key_by_file("member"), *copy, *third;

	ck_assert_int_eq(signs(key, "here"), 1);
	copy = EVP_PKEY_dup(key);
	ck_assert_ptr_nonnull(copy);
	ck_assert_int_eq(EVP_PKEY_eq(key, copy), 1);
	ck_assert_int_eq(signs(copy, "here"), 1);
	EVP_PKEY_free(key);
	ck_assert_int_eq(signs(copy, "here"), 1);
	ck_assert_int_eq(signs(copy, "there"), 1);
	third = EVP_PKEY_dup(copy);
	EVP_PKEY_free(copy);
	ck_assert_int_eq(signs(third, "here"), 1);
	EVP_PKEY_free(third);
}
END_TEST

/* Another group's, whose keys get labels of their own. */
static CK_OBJECT_HANDLE join_another_group(CK_SESSION_HANDLE s)
{
	const CK_SESSION_HANDLE issuer = make_token(EMPTY);
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	CK_ULONG role = CK_VLDAA_ROLE_GROUP;
	char as_member[] = "other-member", as_group[] = "other-group";
	CK_ATTRIBUTE member_label = {CKA_LABEL, as_member, sizeof as_member - 1},
		     group_label = {CKA_LABEL, as_group, sizeof as_group - 1};
	CK_OBJECT_HANDLE member;
	bytes id;

	found_group(issuer);
	member = join(issuer, s);
	assert_ok(p11->C_SetAttributeValue(s, member, &member_label, 1));
	id = get_attribute(s, member, CKA_VLDAA_KEY_ID);
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_VLDAA_ROLE, &role, sizeof role},
				{CKA_VLDAA_KEY_ID, id.data, id.len}};
	assert_ok(p11->C_SetAttributeValue(s, find_one(s, templ, 3), &group_label, 1));
	bytes_free(&id);
	return member;
}

static void signs_for(EVP_PKEY *member, EVP_PKEY *group, EVP_PKEY *other_group)
{
	buffer signature = evp_sign(&e, member, "platoon-7", NULL, message, LEN);

	ck_assert_int_eq(evp_verify(&e, group, signature, "platoon-7", message, LEN), 1);
	ck_assert_int_ne(evp_verify(&e, other_group, signature, "platoon-7", message, LEN), 1);
	ERR_clear_error();
	buffer_free(&signature);
}

START_TEST(a_member_of_each_of_two_groups_signs_under_one_basename_as_its_own_pseudonym)
{
	const CK_SESSION_HANDLE s = user_session(CAR);
	const CK_OBJECT_HANDLE other = join_another_group(s);
	EVP_PKEY *keys[2], *groups[2];
	CK_OBJECT_HANDLE pseudonym;

	assert_ok(try_create(s, other, "platoon-7", 1, &pseudonym));
	keys[0] = token_key_by_file("member");
	keys[1] = token_key_by_file("other-member");
	groups[0] = token_public("group");
	groups[1] = token_public("other-group");
	for (int i = 0; i < 2; i++)
		signs_for(keys[i], groups[i], groups[1 - i]);
	for (int i = 0; i < 2; i++) {
		EVP_PKEY_free(keys[i]);
		EVP_PKEY_free(groups[i]);
	}
}
END_TEST

START_TEST(the_private_half_does_not_come_out)
{
	EVP_PKEY *key = token_key_by_file(_i == 0 ? "member" : "platoon-7");
	OSSL_PARAM *params = NULL;
	uint8_t octets[8];
	size_t len = 0;
	const char *reason;

	ck_assert_int_eq(EVP_PKEY_todata(key, EVP_PKEY_KEYPAIR, &params), 0);
	reason = evp_reason();
	ck_assert_msg(strstr(reason, "in a token, and stays there") != NULL, "%s", reason);
	ck_assert_int_eq(EVP_PKEY_todata(key, EVP_PKEY_PUBLIC_KEY, &params), 1);
	ck_assert_ptr_nonnull(OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PUB_KEY));
	ck_assert_ptr_null(OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY));
	OSSL_PARAM_free(params);
	ck_assert_int_ne(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PRIV_KEY, octets,
							 sizeof octets, &len),
			 1);
	ck_assert_uint_eq(len, 0);
	EVP_PKEY_free(key);
}
END_TEST

/* The store as OpenSSL calls it for who has another provider manage its keys. */
typedef struct {
	void *(*open)(void *provctx, const char *uri);
	int (*load)(void *ctx, OSSL_CALLBACK *callback, void *arg, OSSL_PASSPHRASE_CALLBACK *ask,
		    void *ask_arg);
	int (*close)(void *ctx);
	int (*export_object)(void *ctx, const void *reference, size_t size, OSSL_CALLBACK *callback,
			     void *arg);
} store_functions;

static store_functions find_store(void)
{
	int no_cache;
	const OSSL_ALGORITHM *a = OSSL_PROVIDER_query_operation(e.ours, OSSL_OP_STORE, &no_cache);
	store_functions f = {NULL, NULL, NULL, NULL};

	ck_assert_ptr_nonnull(a);
	for (const OSSL_DISPATCH *d = a->implementation; d->function_id != 0; d++) {
		if (d->function_id == OSSL_FUNC_STORE_OPEN)
			f.open = OSSL_FUNC_store_open(d);
		if (d->function_id == OSSL_FUNC_STORE_LOAD)
			f.load = OSSL_FUNC_store_load(d);
		if (d->function_id == OSSL_FUNC_STORE_CLOSE)
			f.close = OSSL_FUNC_store_close(d);
		if (d->function_id == OSSL_FUNC_STORE_EXPORT_OBJECT)
			f.export_object = OSSL_FUNC_store_export_object(d);
	}
	OSSL_PROVIDER_unquery_operation(e.ours, OSSL_OP_STORE, a);
	return f;
}

typedef struct {
	store_functions store;
	void *ctx;
	int exported, has_public, has_private;
} export_try;

static int look_at_export(const OSSL_PARAM params[], void *arg)
{
	export_try *t = arg;

	t->has_public = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PUB_KEY) != NULL;
	t->has_private = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY) != NULL;
	return 1;
}

/* Leaves the key to the store, who frees it. */
static int try_export(const OSSL_PARAM params[], void *arg)
{
	export_try *t = arg;
	const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_OBJECT_PARAM_REFERENCE);

	ck_assert_ptr_nonnull(p);
	t->exported = t->store.export_object(t->ctx, p->data, p->data_size, look_at_export, t);
	return 1;
}

static export_try export_of(const char *uri)
{
	export_try t = {find_store(), NULL, -1, 0, 0};

	t.ctx = t.store.open(OSSL_PROVIDER_get0_provider_ctx(e.ours), uri);
	ck_assert_ptr_nonnull(t.ctx);
	ck_assert_int_eq(t.store.load(t.ctx, try_export, &t, NULL, NULL), 1);
	ck_assert_int_eq(t.store.close(t.ctx), 1);
	return t;
}

START_TEST(for_another_providers_manager_only_public_keys_come_out)
{
	char uri[512];
	const char *reason;
	export_try t;

	token_uri(uri, sizeof uri, "group", NULL);
	t = export_of(uri);
	ck_assert_int_eq(t.exported, 1);
	ck_assert_int_eq(t.has_public, 1);
	ck_assert_int_eq(t.has_private, 0);
	token_uri(uri, sizeof uri, "member", PIN_VALUE);
	ERR_clear_error();
	t = export_of(uri);
	ck_assert_int_eq(t.exported, 0);
	ck_assert_int_eq(t.has_public, 0);
	reason = evp_reason();
	ck_assert_msg(strstr(reason, "in a token, and stays there") != NULL, "%s", reason);
}
END_TEST

/* --- signatures on their way -------------------------------------------------------------------
 */

static EVP_MD_CTX *begin(EVP_PKEY *key, const char *basename, const uint8_t *in, size_t len)
{
	const OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_octet_string("basename", (void *)(uintptr_t)basename,
					      strlen(basename)),
	    OSSL_PARAM_construct_end(),
	};
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	ck_assert_int_eq(EVP_DigestSignInit_ex(ctx, NULL, NULL, e.libctx, NULL, key, params), 1);
	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, in, len), 1);
	return ctx;
}

static buffer end(EVP_MD_CTX *ctx, const uint8_t *in, size_t len)
{
	buffer signature = buffer_new(vldaa_object_max_size(e.w.set, VLDAA_KIND_SIGNATURE));

	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, in, len), 1);
	ck_assert_int_eq(EVP_DigestSignFinal(ctx, signature.data, &signature.len), 1);
	return signature;
}

static buffer told(EVP_MD_CTX *ctx, const char *name)
{
	buffer b = buffer_new(65536);
	OSSL_PARAM params[2];

	params[0] = OSSL_PARAM_construct_octet_string(name, b.data, b.len);
	params[1] = OSSL_PARAM_construct_end();
	ck_assert_int_eq(EVP_PKEY_CTX_get_params(EVP_MD_CTX_get_pkey_ctx(ctx), params), 1);
	b.len = params[0].return_size;
	return b;
}

START_TEST(a_context_that_is_copied_in_the_middle_makes_both_signatures)
{
	EVP_PKEY *key = token_key_by_file("member"), *group = token_public("group");
	EVP_MD_CTX *ctx = begin(key, "here", message, 2), *copy = EVP_MD_CTX_new();
	buffer one, other;

	ck_assert_int_eq(EVP_MD_CTX_copy_ex(copy, ctx), 1);
	one = end(ctx, message + 2, LEN - 2);
	EVP_MD_CTX_free(ctx);
	other = end(copy, (const uint8_t *)"ead", 3);
	EVP_MD_CTX_free(copy);
	ck_assert_int_eq(evp_verify(&e, group, one, "here", message, LEN), 1);
	ck_assert_int_eq(evp_verify(&e, group, other, "here", "bread", 5), 1);
	ck_assert_int_ne(evp_verify(&e, group, other, "here", message, LEN), 1);
	buffer_free(&one);
	buffer_free(&other);
	EVP_PKEY_free(key);
	EVP_PKEY_free(group);
}
END_TEST

/* what: before the end of the signature its pseudonym goes from the token, and another one is made for it. */
static void check_told(EVP_PKEY *key, const char *basename, void (*what)(void))
{
	EVP_MD_CTX *ctx = begin(key, basename, message, 2);
	vldaa_object_info info;
	buffer signature, a, digest, b;
	uint8_t of_attestation[VLDAA_DIGEST_BYTES];
	vldaa_object_info attestation;

	if (what != NULL)
		what();
	signature = end(ctx, message + 2, LEN - 2);
	a = told(ctx, "attestation");
	digest = told(ctx, "attestation-digest");
	b = told(ctx, "basename");
	ck_assert_int_eq(vldaa_object_inspect(&info, signature.data, signature.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_object_inspect(&attestation, a.data, a.len), VLDAA_OK);
	memcpy(of_attestation, attestation.digest, sizeof of_attestation);
	ck_assert_uint_eq(digest.len, VLDAA_DIGEST_BYTES);
	ck_assert_mem_eq(info.digest, digest.data, VLDAA_DIGEST_BYTES);
	ck_assert_mem_eq(of_attestation, digest.data, VLDAA_DIGEST_BYTES);
	ck_assert_uint_eq(b.len, strlen(basename));
	ck_assert_mem_eq(b.data, basename, b.len);
	buffer_free(&signature);
	buffer_free(&a);
	buffer_free(&digest);
	buffer_free(&b);
	EVP_MD_CTX_free(ctx);
}

static void lose_sessions(void)
{
	assert_ok(p11->C_CloseAllSessions(CAR));
}

START_TEST(what_a_signature_tells_is_what_it_was_made_with)
{
	EVP_PKEY *member = token_key_by_file("member"), *pseudonym = token_key_by_file("platoon-7");

	check_told(member, "here", NULL);
	check_told(member, "here", lose_sessions);
	check_told(pseudonym, "platoon-7", NULL);
	check_told(pseudonym, "platoon-7", lose_sessions);
	EVP_PKEY_free(member);
	EVP_PKEY_free(pseudonym);
}
END_TEST

/* --- the program's own use of the module -------------------------------------------------------
 */

static void log_out(void)
{
	const CK_SESSION_HANDLE s = open_session(CAR, 0);

	assert_ok(p11->C_Logout(s));
	assert_ok(p11->C_CloseSession(s));
}

static void finalise(void)
{
	assert_ok(p11->C_Finalize(NULL));
}

static void begin_anew(void)
{
	finalise();
	assert_ok(p11->C_Initialize(NULL));
}

static const struct {
	void (*run)(void);
	int is_gone; /* the program initialises it again, for itself */
} doings[] = {{log_out, 0}, {lose_sessions, 0}, {finalise, 1}, {begin_anew, 0}};
enum { DOINGS = sizeof doings / sizeof doings[0] };

static void initialise_again(int i)
{
	if (doings[i].is_gone)
		assert_rv(p11->C_Initialize(NULL), CKR_CRYPTOKI_ALREADY_INITIALIZED);
}

START_TEST(keys_sign_again_by_the_pins_file_whatever_the_program_does)
{
	EVP_PKEY *member = token_key_by_file("member"), *pseudonym = token_key_by_file("platoon-7");

	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(signs(member, "here"), 1);
		ck_assert_int_eq(signs(pseudonym, NULL), 1);
		doings[_i].run();
		ck_assert_int_eq(
		    signs(i % 2 == 0 ? member : pseudonym, NULL) || signs(member, "here"), 1);
		initialise_again(_i);
	}
	ck_assert_int_eq(signs(member, "platoon-7"), 1);
	EVP_PKEY_free(member);
	EVP_PKEY_free(pseudonym);
}
END_TEST

START_TEST(without_a_file_they_say_that_nobody_is_logged_in)
{
	EVP_PKEY *member = token_key_by_value("member"), *pseudonym;
	CK_SESSION_HANDLE s;

	pseudonym = token_key_by_value("platoon-7");
	ck_assert_int_eq(signs(member, "here"), 1);
	ck_assert_int_eq(signs(pseudonym, NULL), 1);
	doings[_i].run();
	for (int i = 0; i < 3; i++) {
		refuses(pseudonym, NULL, "not logged in to the token any more");
		refuses(member, "here", "not logged in to the token any more");
		refuses(member, "there", "not logged in to the token any more");
	}
	initialise_again(_i);
	/* until the program is */
	s = user_session(CAR);
	ck_assert_int_eq(signs(pseudonym, NULL), 1);
	ck_assert_int_eq(signs(member, "here"), 1);
	assert_ok(p11->C_CloseSession(s));
	EVP_PKEY_free(member);
	EVP_PKEY_free(pseudonym);
	ck_assert_uint_eq(token_info().flags & CKF_USER_PIN_COUNT_LOW, 0);
}
END_TEST

START_TEST(a_program_that_is_logged_in_needs_no_pin)
{
	CK_SESSION_HANDLE s;
	EVP_PKEY *key = token_key("member", NULL);

	ck_assert_ptr_null(key);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "needs the token's PIN"));
	s = user_session(CAR);
	key = token_key("member", NULL);
	ck_assert_ptr_nonnull(key);
	ck_assert_int_eq(signs(key, "here"), 1);
	assert_ok(p11->C_Logout(s));
	refuses(key, "here", "not logged in to the token any more");
	EVP_PKEY_free(key);
}
END_TEST

/* A session of the key's is closed after an error, so that the next signature opens a new one; in between the program has
 * the module begin anew, and make what gets the handle of the key's own pseudonym. */
START_TEST(a_handle_that_means_another_pseudonym_now_is_not_used)
{
	EVP_PKEY *key = token_key_by_file("member");
	buffer signature = evp_sign(&e, key, "here", "compact", message, LEN);
	EVP_MD_CTX *ctx = begin(key, "here", message, LEN);
	CK_OBJECT_HANDLE other;
	CK_SESSION_HANDLE s;
	size_t len = 1;

	ck_assert_int_ne(EVP_DigestSignFinal(ctx, signature.data, &len), 1);
	EVP_MD_CTX_free(ctx);
	ERR_clear_error();
	begin_anew();
	s = user_session(CAR);
	assert_ok(
	    try_create(s, find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), "there", 0, &other));
	ck_assert_int_eq(signs(key, "here"), 1);
	assert_ok(p11->C_CloseSession(s));
	buffer_free(&signature);
	EVP_PKEY_free(key);
}
END_TEST

/* The program goes on with what it has, whatever keys come and go. */
START_TEST(the_programs_own_sessions_and_login_outlive_the_keys)
{
	const CK_SESSION_HANDLE s = user_session(CAR);
	EVP_PKEY *key = token_key_by_file("member");

	ck_assert_int_eq(signs(key, "here"), 1);
	EVP_PKEY_free(key);
	ck_assert_uint_ne(find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), 0);
	assert_ok(p11->C_Logout(s));
}
END_TEST

/* --- what is left behind -----------------------------------------------------------------------
 */

static CK_ULONG private_keys(CK_SESSION_HANDLE s)
{
	CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
	CK_ATTRIBUTE templ = {CKA_CLASS, &class, sizeof class};
	CK_OBJECT_HANDLE found[200];
	CK_ULONG n = 0;

	assert_ok(p11->C_FindObjectsInit(s, &templ, 1));
	assert_ok(p11->C_FindObjects(s, found, 200, &n));
	assert_ok(p11->C_FindObjectsFinal(s));
	return n;
}

START_TEST(basenames_that_are_not_used_any_more_go_from_the_token)
{
	const CK_SESSION_HANDLE s = user_session(CAR);
	const CK_ULONG before = private_keys(s);
	EVP_PKEY *key = token_key_by_file("member");
	char name[16];

	for (int i = 0; i < 80; i++) {
		buffer signature;

		(void)snprintf(name, sizeof name, "place %d", i);
		ck_assert_int_eq(evp_try_sign(&e, key, name, "compact", message, LEN, &signature),
				 1);
		buffer_free(&signature);
		ck_assert_uint_eq(private_keys(s), before + (i < 64 ? (CK_ULONG)i + 1 : 64));
	}
	/* nor when sessions have gone, and with them what was made in them */
	lose_sessions();
	for (int i = 0; i < 10; i++)
		ck_assert_int_eq(signs(key, "place 79"), 1);
	EVP_PKEY_free(key);
	ck_assert_uint_eq(private_keys(user_session(CAR)), before);
}
END_TEST

/* Of which each costs one of 2^24, and a tenth of a second. */
START_TEST(what_somebody_deletes_costs_no_other_key_its_pseudonyms)
{
	const CK_SESSION_HANDLE s = user_session(CAR);
	const CK_ULONG before = private_keys(s);
	EVP_PKEY *member = token_key_by_file("member");
	EVP_MD_CTX *ctx = begin(member, "here", message, LEN);
	buffer first = told(ctx, "attestation-digest"), second;
	CK_OBJECT_HANDLE shown;

	EVP_MD_CTX_free(ctx);
	ck_assert_int_eq(signs(member, "platoon-7"), 1);
	shown = find_one(s, &(CK_ATTRIBUTE){CKA_LABEL, (void *)(uintptr_t) "platoon-7", 9}, 1);
	ck_assert_uint_eq(shown, 0); /* both halves have it */
	CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_LABEL, (void *)(uintptr_t) "platoon-7", 9}};
	shown = find_one(s, templ, 2);
	assert_ok(p11->C_DestroyObject(s, shown));
	/* the token's own is gone, and another one made for the process */
	ck_assert_int_eq(signs(member, "platoon-7"), 1);
	ck_assert_uint_eq(private_keys(s), before + 1);
	ctx = begin(member, "here", message, LEN);
	second = told(ctx, "attestation-digest");
	EVP_MD_CTX_free(ctx);
	ck_assert_mem_eq(first.data, second.data, VLDAA_DIGEST_BYTES);
	buffer_free(&first);
	buffer_free(&second);
	EVP_PKEY_free(member);
	ck_assert_uint_eq(private_keys(s), before - 1);
}
END_TEST

/* 0 where there is no /proc, as in a folder with another system. */
static unsigned count_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	if (d == NULL)
		return 0;
	while (readdir(d) != NULL)
		n++;
	ck_assert_int_eq(closedir(d), 0);
	return n;
}

/* Bytes that are allocated; where a sanitizer has its own allocator it looks for leaks itself. */
static size_t allocated(void)
{
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	return 0;
#else
	return mallinfo2().uordblks;
#endif
}

static void load_and_free(int i)
{
	EVP_PKEY *key = token_key_by_file(i % 2 == 0 ? "member" : "platoon-7");
	EVP_PKEY *none = token_key("nothing", "pin-value=1234%20is%20the%20PIN");

	ck_assert_ptr_null(none);
	if (i % 50 == 0)
		ck_assert_int_eq(signs(key, i % 2 == 0 ? "here" : NULL), 1);
	EVP_PKEY_free(key);
	ERR_clear_error();
}

START_TEST(a_thousand_keys_leave_nothing_behind)
{
	const CK_SESSION_HANDLE s = user_session(CAR);
	unsigned files;
	CK_ULONG sessions;
	size_t before;

	for (int i = 0; i < 100; i++)
		load_and_free(i);
	files = count_files();
	sessions = token_info().ulSessionCount;
	before = allocated();
	for (int i = 0; i < 1000; i++)
		load_and_free(i);
	ck_assert_uint_eq(count_files(), files);
	ck_assert_uint_eq(token_info().ulSessionCount, sessions);
	ck_assert_uint_eq(sessions, 1);
	/* 100 bytes a key: of the least of its parts; caches of others grow by a fifth of that */
	ck_assert_uint_lt(allocated(), before + 100000);
	assert_ok(p11->C_CloseSession(s));
}
END_TEST

START_TEST(a_key_outlives_the_programs_hold_on_the_provider)
{
	EVP_PKEY *key = token_key_by_file("member");

	ck_assert_int_eq(OSSL_PROVIDER_unload(e.ours), 1);
	e.ours = NULL;
	ck_assert_int_eq(signs(key, "here"), 1);
	EVP_PKEY_free(key);
}
END_TEST

#ifndef __SANITIZE_ADDRESS__
/* _i: with the module in use by the program, or finalised by it. */
START_TEST(a_process_may_end_with_keys_alive)
{
	const pid_t child = fork();
	int status;

	if (child == 0) {
		const int done = signs(token_key_by_file("member"), "here") &&
				 signs(token_key_by_file("platoon-7"), NULL);

		if (_i == 1)
			(void)p11->C_Finalize(NULL);
		exit(done ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST
#endif

int main(void)
{
	Suite *s = suite_create("keys in tokens");
	TCase *c = tcase_create("keys");
	SRunner *runner = srunner_create(s);

	tcase_set_timeout(c, 600);
	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, tokens_enter, tokens_leave);
	tcase_add_test(c, members_and_pseudonyms_sign);
	tcase_add_test(c, keys_are_compared);
	tcase_add_test(
	    c, a_member_of_each_of_two_groups_signs_under_one_basename_as_its_own_pseudonym);
	tcase_add_test(c, a_copy_signs_when_the_first_has_gone);
	tcase_add_loop_test(c, the_private_half_does_not_come_out, 0, 2);
	tcase_add_test(c, for_another_providers_manager_only_public_keys_come_out);
	tcase_add_test(c, a_context_that_is_copied_in_the_middle_makes_both_signatures);
	tcase_add_test(c, what_a_signature_tells_is_what_it_was_made_with);
	tcase_add_loop_test(c, keys_sign_again_by_the_pins_file_whatever_the_program_does, 0,
			    DOINGS);
	tcase_add_loop_test(c, without_a_file_they_say_that_nobody_is_logged_in, 0, DOINGS);
	tcase_add_test(c, a_program_that_is_logged_in_needs_no_pin);
	tcase_add_test(c, a_handle_that_means_another_pseudonym_now_is_not_used);
	tcase_add_test(c, the_programs_own_sessions_and_login_outlive_the_keys);
	tcase_add_test(c, basenames_that_are_not_used_any_more_go_from_the_token);
	tcase_add_test(c, what_somebody_deletes_costs_no_other_key_its_pseudonyms);
	tcase_add_test(c, a_thousand_keys_leave_nothing_behind);
	tcase_add_test(c, a_key_outlives_the_programs_hold_on_the_provider);
	/* What is alive then would be a leak. */
#ifndef __SANITIZE_ADDRESS__
	tcase_add_loop_test(c, a_process_may_end_with_keys_alive, 0, 2);
#endif
	suite_add_tcase(s, c);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
