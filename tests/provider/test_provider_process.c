/*
 * Promises about the process that the provider is loaded into: it comes and goes a thousand times, beside other providers
 * and in either order; a forked child signs with randomness of its own; keys outlive the application's reference to the
 * provider; threads end after it; what is fetched comes from the application's library context, and without random bytes
 * nothing is signed.
 */
#include <check.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "evp.h"

static const uint8_t message[] = "brake";
enum { LEN = sizeof message - 1 };

static OSSL_LIB_CTX *new_context(void)
{
	OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();

	ck_assert_ptr_nonnull(libctx);
	ck_assert_int_eq(OSSL_PROVIDER_set_default_search_path(libctx, evp_module_directory()), 1);
	return libctx;
}

static OSSL_PROVIDER *load(OSSL_LIB_CTX *libctx, const char *name)
{
	OSSL_PROVIDER *provider = OSSL_PROVIDER_load(libctx, name);

	ck_assert_msg(provider != NULL, "%s", name);
	return provider;
}

/* Whether the provider's algorithms are there. */
static int is_there(OSSL_LIB_CTX *libctx)
{
	EVP_SIGNATURE *signature = EVP_SIGNATURE_fetch(libctx, "VLDAA2-44", NULL);
	const int there = signature != NULL;

	EVP_SIGNATURE_free(signature);
	ERR_clear_error();
	return there;
}

/* Unloading leaves the module with its library context, in case that it is loaded again; a thousand contexts load it a
 * thousand times. */
START_TEST(it_is_loaded_and_unloaded_a_thousand_times)
{
	for (int i = 0; i < 1000; i++) {
		OSSL_LIB_CTX *libctx = new_context();
		OSSL_PROVIDER *ours = load(libctx, "vldaa");

		ck_assert(is_there(libctx));
		if (i % 2 == 0) {
			ck_assert_int_eq(OSSL_PROVIDER_unload(ours), 1);
			ck_assert(!is_there(libctx));
			ours = load(libctx, "vldaa");
			ck_assert(is_there(libctx));
		}
		ck_assert_int_eq(OSSL_PROVIDER_unload(ours), 1);
		OSSL_LIB_CTX_free(libctx);
	}
}
END_TEST

START_TEST(other_providers_come_and_go_in_any_order)
{
	static const char *const orders[][3] = {
	    {"vldaa", "default", "legacy"}, {"default", "vldaa", "legacy"},
	    {"legacy", "default", "vldaa"}, {"vldaa", "legacy", "default"},
	    {"default", "legacy", "vldaa"}, {"legacy", "vldaa", "default"},
	};
	OSSL_PROVIDER *loaded[3];

	for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
		for (size_t out = 0; out < sizeof orders / sizeof orders[0]; out++) {
			OSSL_LIB_CTX *libctx = new_context();

			ck_assert_int_eq(OSSL_PROVIDER_set_default_search_path(libctx, NULL), 1);
			for (size_t j = 0; j < 3; j++) {
				const int ours = strcmp(orders[i][j], "vldaa") == 0;

				ck_assert_int_eq(OSSL_PROVIDER_set_default_search_path(
						     libctx, ours ? evp_module_directory() : NULL),
						 1);
				loaded[j] = load(libctx, orders[i][j]);
			}
			ck_assert(is_there(libctx));
			for (size_t j = 0; j < 3; j++) {
				for (size_t k = 0; k < 3; k++) {
					if (strcmp(orders[i][k], orders[out][j]) == 0)
						ck_assert_int_eq(OSSL_PROVIDER_unload(loaded[k]),
								 1);
				}
			}
			OSSL_LIB_CTX_free(libctx);
		}
	}
}
END_TEST

/* A key that is there keeps the provider there. */
START_TEST(a_key_outlives_the_applications_hold_on_the_provider)
{
	evp_world e;
	EVP_PKEY *member, *group;
	buffer signature;

	evp_init(&e, evp_set(_i));
	member = evp_member(&e);
	group = evp_group(&e);
	ck_assert_int_eq(OSSL_PROVIDER_unload(e.ours), 1);
	signature = evp_sign(&e, member, "here", NULL, message, LEN);
	ck_assert_int_eq(evp_verify(&e, group, signature, NULL, message, LEN), 1);
	EVP_PKEY_free(member);
	EVP_PKEY_free(group);
	e.ours = load(e.libctx, "vldaa");
	buffer_free(&signature);
	evp_free(&e);
}
END_TEST

/* A thread that draws random bytes, says that it is done with the library context, and waits until that is gone. */
typedef struct late {
	evp_world e;
	EVP_PKEY *key;
	int (*what)(const struct late *l);
	int done;
	pthread_barrier_t used, gone;
} late;

static int just_sign(const late *l)
{
	buffer signature;
	const int done = evp_try_sign(&l->e, l->key, "here", NULL, message, LEN, &signature) == 1;

	if (done)
		buffer_free(&signature);
	return done;
}

static int seal(const late *l)
{
	BIO *out = BIO_new(BIO_s_mem());
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(l->e.libctx, "AES-256-CBC", NULL);
	const int done = PEM_write_bio_PKCS8PrivateKey(out, l->key, cipher, "x", 1, NULL, NULL);

	EVP_CIPHER_free(cipher);
	BIO_free(out);
	return done == 1;
}

static void *end_late(void *arg)
{
	late *l = arg;

	l->done = l->what(l);
	OPENSSL_thread_stop_ex(l->e.libctx);
	(void)pthread_barrier_wait(&l->used);
	(void)pthread_barrier_wait(&l->gone);
	return NULL;
}

/* As OPENSSL_thread_stop_ex promises of a library context; the provider's own is none of theirs to stop. */
START_TEST(a_thread_that_stopped_may_end_after_the_provider)
{
	late l;
	pthread_t thread;

	evp_init(&l.e, evp_set(0));
	l.what = _i == 0 ? just_sign : seal;
	l.key = evp_member(&l.e);
	ck_assert_int_eq(pthread_barrier_init(&l.used, NULL, 2), 0);
	ck_assert_int_eq(pthread_barrier_init(&l.gone, NULL, 2), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, end_late, &l), 0);
	(void)pthread_barrier_wait(&l.used);
	ck_assert_int_eq(l.done, 1);
	EVP_PKEY_free(l.key);
	evp_free(&l.e);
	(void)pthread_barrier_wait(&l.gone);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	(void)pthread_barrier_destroy(&l.used);
	(void)pthread_barrier_destroy(&l.gone);
}
END_TEST

/* Signs in a child and gives the signature through a pipe. */
static buffer sign_in_child(const evp_world *e, EVP_PKEY *key, const char *basename)
{
	buffer signature = buffer_new(vldaa_object_max_size(e->w.set, VLDAA_KIND_SIGNATURE));
	size_t n = 0;
	ssize_t got;
	int ends[2], status;
	pid_t child;

	ck_assert_int_eq(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		buffer made;
		const int done =
		    evp_try_sign(e, key, basename, "compact", message, LEN, &made) == 1 &&
		    write(ends[1], made.data, made.len) == (ssize_t)made.len;

		_exit(done ? 0 : 1);
	}
	ck_assert_int_gt(child, 0);
	close(ends[1]);
	while ((got = read(ends[0], signature.data + n, signature.len - n)) > 0)
		n += (size_t)got;
	close(ends[0]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	signature.len = n;
	return signature;
}

/*
 * Two children and their parent sign the same message under a pseudonym that was made before they parted: with one and the
 * same randomness they would make the same signature.
 */
START_TEST(forked_children_sign_with_randomness_of_their_own)
{
	evp_world e;
	EVP_PKEY *member;
	buffer first, a, b, c;

	evp_init(&e, evp_set(_i));
	member = evp_member(&e);
	first = evp_sign(&e, member, "here", NULL, message, LEN);
	a = sign_in_child(&e, member, "here");
	b = sign_in_child(&e, member, "here");
	c = evp_sign(&e, member, "here", "compact", message, LEN);
	ck_assert_uint_gt(a.len, 100);
	/* the same pseudonym, as compact signatures say */
	ck_assert_mem_eq(a.data, b.data, 10 + 32 + 32);
	ck_assert_mem_eq(a.data, c.data, 10 + 32 + 32);
	ck_assert(a.len != b.len || memcmp(a.data, b.data, a.len) != 0);
	ck_assert(a.len != c.len || memcmp(a.data, c.data, a.len) != 0);
	ck_assert(b.len != c.len || memcmp(b.data, c.data, b.len) != 0);
	buffer_free(&a);
	/* a pseudonym that the child makes */
	a = sign_in_child(&e, member, "elsewhere");
	ck_assert_mem_ne(a.data, b.data, 10 + 32 + 32);
	buffer_free(&first);
	buffer_free(&a);
	buffer_free(&b);
	buffer_free(&c);
	EVP_PKEY_free(member);
	evp_free(&e);
}
END_TEST

/* What the provider fetches comes from the application's library context, not from the process's default one. */
START_TEST(the_applications_library_context_is_the_one_that_is_used)
{
	OSSL_LIB_CTX *empty = OSSL_LIB_CTX_new(), *before;
	OSSL_PROVIDER *nothing = OSSL_PROVIDER_load(empty, "null");
	evp_world e;
	EVP_PKEY *member;
	buffer signature;

	ck_assert_ptr_nonnull(nothing);
	evp_init(&e, evp_set(_i));
	member = evp_member(&e);
	/* a default context without anything in it, random bytes included */
	before = OSSL_LIB_CTX_set0_default(empty);
	signature = evp_sign(&e, member, "here", NULL, message, LEN);
	ck_assert_ptr_eq(OSSL_LIB_CTX_set0_default(before), empty);
	ck_assert_int_eq(evp_verify(&e, member, signature, NULL, message, LEN), 1);
	buffer_free(&signature);
	EVP_PKEY_free(member);
	evp_free(&e);
	ck_assert_int_eq(OSSL_PROVIDER_unload(nothing), 1);
	OSSL_LIB_CTX_free(empty);
}
END_TEST

/* The base provider reads files and has no random bytes. */
START_TEST(without_random_bytes_nothing_is_signed_and_all_is_verified)
{
	evp_world e;
	EVP_PKEY *member, *group, *made = NULL;
	EVP_PKEY_CTX *ctx;
	buffer signature;

	evp_init(&e, evp_set(_i));
	member = evp_member(&e);
	signature = evp_sign(&e, member, "here", NULL, message, LEN);
	EVP_PKEY_free(member);
	evp_free(&e);

	evp_standard = "base";
	evp_init(&e, evp_set(_i));
	evp_standard = "default";
	member = evp_member(&e);
	group = evp_group(&e);
	ck_assert_int_eq(evp_verify(&e, group, signature, "here", message, LEN), 1);
	buffer_free(&signature);
	ck_assert_int_le(evp_try_sign(&e, member, "here", NULL, message, LEN, &signature), 0);
	ck_assert_str_eq(evp_reason(), vldaa_error_text(VLDAA_ERR_RANDOM));
	ctx = EVP_PKEY_CTX_new_from_name(e.libctx, "VLDAA-128", NULL);
	ck_assert_int_eq(EVP_PKEY_keygen_init(ctx), 1);
	ck_assert_int_le(EVP_PKEY_generate(ctx, &made), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "authority's key cannot be had"));
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(member);
	EVP_PKEY_free(group);
	evp_free(&e);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("the provider in a process");
	TCase *tc = tcase_create("process");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, it_is_loaded_and_unloaded_a_thousand_times);
	tcase_add_test(tc, other_providers_come_and_go_in_any_order);
	tcase_add_loop_test(tc, a_key_outlives_the_applications_hold_on_the_provider, 0, EVP_SETS);
	tcase_add_loop_test(tc, a_thread_that_stopped_may_end_after_the_provider, 0, 2);
	tcase_add_loop_test(tc, forked_children_sign_with_randomness_of_their_own, 0, EVP_SETS);
	tcase_add_loop_test(tc, the_applications_library_context_is_the_one_that_is_used, 0,
			    EVP_SETS);
	tcase_add_loop_test(tc, without_random_bytes_nothing_is_signed_and_all_is_verified, 0,
			    EVP_SETS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
