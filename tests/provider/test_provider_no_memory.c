/*
 * Promises: whichever allocation of the provider's or the library's fails, the operation fails or does without, in any case
 * without a crash; what it gives out is right; and it works when there is memory again.  (That nothing leaks, the
 * sanitizers tell.)
 *
 * Allocations are counted through the linker's --wrap, and of those that go through libcrypto the ones that this project's
 * files ask for; in a second test libcrypto's own, evenly chosen among many, and the last ones, where an operation is in
 * the provider.  Then there is an error in the queue.
 */
#include <check.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "evp.h"
#include "sets.h"

OSSL_provider_init_fn OSSL_provider_init;

/* --- allocation that fails -------------------------------------------------------------------- */

static struct {
	int armed;
	int of_libcrypto; /* libcrypto's own fail, not this project's */
	long calls, fail_at;
	int hit;
	int silent;         /* it failed where OpenSSL 3.0 raises nothing */
	const char *before; /* whose the allocation before this one was */
} memory;

static int refused(void)
{
	if (!memory.armed || memory.calls++ != memory.fail_at)
		return 0;
	memory.hit = 1;
	return 1;
}

static int ours_refused(void)
{
	return !memory.of_libcrypto && refused();
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);
void *__real_mmap(void *at, size_t size, int rights, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t size, int rights, int flags, int file, off_t offset);

void *__wrap_malloc(size_t size)
{
	return ours_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return ours_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return ours_refused() ? NULL : __real_realloc(p, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return ours_refused() ? NULL : __real_aligned_alloc(alignment, size);
}

void __wrap_free(void *p)
{
	__real_free(p);
}

void *__wrap_mmap(void *at, size_t size, int rights, int flags, int file, off_t offset)
{
	return ours_refused() ? MAP_FAILED : __real_mmap(at, size, rights, flags, file, offset);
}

/* Files are named from the top of the tree on; libcrypto's begin with "../". */
static int is_ours(const char *file)
{
	return file != NULL &&
	       (strncmp(file, "provider/", 9) == 0 || strncmp(file, "core/", 5) == 0);
}

static int is_of(const char *file, const char *name)
{
	return file != NULL && strstr(file, name) != NULL;
}

/* EVP_MD_CTX_new, EVP_PKEY_CTX_dup in the middle of EVP_DigestVerifyFinal, and what OSSL_ENCODER_to_bio
 * makes of the caller's BIO: first an object, then its lock. */
static int is_silent(const char *file)
{
	return is_of(file, "crypto/evp/digest.c") || is_of(file, "crypto/evp/pmeth_lib.c") ||
	       is_of(file, "crypto/bio/ossl_core_bio.c") ||
	       (is_of(file, "crypto/threads_") &&
		is_of(memory.before, "crypto/bio/ossl_core_bio.c"));
}

/* Of what goes through libcrypto. */
static int file_refused(const char *file)
{
	const int fails = is_ours(file) != memory.of_libcrypto && refused();

	if (fails)
		memory.silent = is_silent(file);
	memory.before = file;
	return fails;
}

static void *crypto_malloc(size_t size, const char *file, int line)
{
	(void)line;
	return size == 0 || file_refused(file) ? NULL : __real_malloc(size);
}

static void *crypto_realloc(void *p, size_t size, const char *file, int line)
{
	if (p == NULL)
		return crypto_malloc(size, file, line);
	if (size == 0) {
		__real_free(p);
		return NULL;
	}
	return file_refused(file) ? NULL : __real_realloc(p, size);
}

static void crypto_free(void *p, const char *file, int line)
{
	(void)file;
	(void)line;
	__real_free(p);
}

/* --- operations --------------------------------------------------------------------------------
 */

static evp_world e;
static EVP_PKEY *member, *group, *issuer;
static buffer signature, pem, sealed;
static const uint8_t message[] = "brake";
enum { LEN = sizeof message - 1 };

/* While allocations fail, Check must not need one to say so: it is asserted afterwards. */
static int broken;

/* All return 1 when they worked. */
static int load_private(void)
{
	BIO *in = BIO_new_mem_buf(pem.data, (int)pem.len);
	EVP_PKEY *key =
	    in != NULL ? PEM_read_bio_PrivateKey_ex(in, NULL, NULL, NULL, e.libctx, NULL) : NULL;

	broken |= key != NULL && EVP_PKEY_eq(key, member) != 1;
	EVP_PKEY_free(key);
	BIO_free(in);
	return key != NULL;
}

static int load_sealed(void)
{
	BIO *in = BIO_new_mem_buf(sealed.data, (int)sealed.len);
	char passphrase[] = "secret";
	EVP_PKEY *key = in != NULL
			    ? PEM_read_bio_PrivateKey_ex(in, NULL, NULL, passphrase, e.libctx, NULL)
			    : NULL;

	EVP_PKEY_free(key);
	BIO_free(in);
	return key != NULL;
}

static int write_private(void)
{
	BIO *out = BIO_new(BIO_s_mem());
	int done = out != NULL && PEM_write_bio_PrivateKey_ex(out, member, NULL, NULL, 0, NULL,
							      NULL, e.libctx, NULL) == 1;
	char *text = NULL;
	long len = out != NULL ? BIO_get_mem_data(out, &text) : 0;

	broken |= done == 1 && ((size_t)len != pem.len || memcmp(text, pem.data, pem.len) != 0);
	BIO_free(out);
	return done == 1;
}

static int write_sealed(void)
{
	BIO *out = BIO_new(BIO_s_mem());
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(e.libctx, "AES-128-CBC", NULL);
	int done = out != NULL && cipher != NULL &&
		   PEM_write_bio_PrivateKey_ex(out, member, cipher, (const uint8_t *)"secret", 6,
					       NULL, NULL, e.libctx, NULL) == 1;
	char *text = NULL;
	long len = out != NULL ? BIO_get_mem_data(out, &text) : 0;

	/* whatever happens, the key does not get out as it is */
	broken |= len > 10 && strncmp(text, "-----BEGIN PRIVATE", 18) == 0;
	EVP_CIPHER_free(cipher);
	BIO_free(out);
	return done == 1;
}

static int write_public(void)
{
	BIO *out = BIO_new(BIO_s_mem());
	int done = out != NULL && PEM_write_bio_PUBKEY_ex(out, group, e.libctx, NULL) == 1;

	BIO_free(out);
	return done == 1;
}

static int print(void)
{
	BIO *out = BIO_new(BIO_s_mem());
	int done = out != NULL && EVP_PKEY_print_private(out, member, 0, NULL) == 1;

	BIO_free(out);
	return done == 1;
}

static int check(void)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(e.libctx, member, NULL);
	int done = ctx != NULL && EVP_PKEY_check(ctx) == 1;

	EVP_PKEY_CTX_free(ctx);
	return done;
}

static int duplicate(void)
{
	EVP_PKEY *copy = EVP_PKEY_dup(member);

	broken |= copy != NULL && EVP_PKEY_eq(copy, member) != 1;
	EVP_PKEY_free(copy);
	return copy != NULL;
}

static int generate(void)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(e.libctx, "VLDAA-42", NULL);
	EVP_PKEY *key = NULL;
	int done =
	    ctx != NULL && EVP_PKEY_keygen_init(ctx) == 1 && EVP_PKEY_generate(ctx, &key) == 1;

	EVP_PKEY_free(key);
	EVP_PKEY_CTX_free(ctx);
	return done;
}

/* With a copy of the key, so that everything is made anew. */
static int sign_anew(void)
{
	EVP_PKEY *copy = evp_private(&e, e.member);
	EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *second = EVP_MD_CTX_new();
	size_t len = signature.len;
	char basename[] = "there";
	const OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_octet_string("basename", basename, 5),
	    OSSL_PARAM_construct_end(),
	};
	uint8_t *out = __real_malloc(len + 4096);
	int done;

	len += 4096;
	done = copy != NULL && ctx != NULL && second != NULL &&
	       EVP_DigestSignInit_ex(ctx, NULL, NULL, e.libctx, NULL, copy, params) == 1 &&
	       EVP_DigestSignUpdate(ctx, message, 2) == 1 && EVP_MD_CTX_copy_ex(second, ctx) == 1 &&
	       EVP_DigestSignUpdate(second, message + 2, LEN - 2) == 1 &&
	       EVP_DigestSignFinal(second, out, &len) == 1;
	EVP_MD_CTX_free(ctx);
	EVP_MD_CTX_free(second);
	EVP_PKEY_free(copy);
	__real_free(out);
	return done;
}

static int verify(EVP_PKEY *key, size_t len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	int result = -1;

	if (ctx != NULL)
		result = EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL, key, NULL);
	if (result == 1)
		result = EVP_DigestVerifyUpdate(ctx, message, len);
	if (result == 1)
		result = EVP_DigestVerifyFinal(ctx, signature.data, signature.len);
	else
		result = -1;
	EVP_MD_CTX_free(ctx);
	return result;
}

/* Whether the error queue has it. */
static int is_want_of_memory(void)
{
	unsigned long code;
	int found = 0;

	while ((code = ERR_get_error()) != 0) {
		const char *reason = ERR_reason_error_string(code);

		found |= ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
		found |= reason != NULL && strcmp(reason, vldaa_error_text(VLDAA_ERR_MEMORY)) == 0;
	}
	return found;
}

static int verify_valid(void)
{
	EVP_PKEY *copy = evp_public(&e, e.w.group_key);
	int result = copy != NULL ? verify(copy, LEN) : -1;

	/* For want of memory nobody's signature becomes invalid; but EVP_DigestVerifyFinal has only 0 to say
	 * when it cannot copy its context. */
	broken |= result == 0 && !memory.silent && !is_want_of_memory();
	EVP_PKEY_free(copy);
	return result == 1;
}

static int verify_invalid(void)
{
	int result = verify(group, LEN - 1);

	broken |= result == 1;
	return result == 0;
}

static int load_provider(void)
{
	OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
	OSSL_PROVIDER *provider = NULL;

	if (libctx != NULL && OSSL_PROVIDER_add_builtin(libctx, "vldaa", OSSL_provider_init) == 1)
		provider = OSSL_PROVIDER_load(libctx, "vldaa");
	if (provider != NULL)
		OSSL_PROVIDER_unload(provider);
	OSSL_LIB_CTX_free(libctx);
	return provider != NULL;
}

static const struct {
	const char *name;
	int (*run)(void);
} operations[] = {
    {"loading the provider", load_provider},
    {"reading a private key", load_private},
    {"reading an encrypted key", load_sealed},
    {"writing a private key", write_private},
    {"encrypting a key", write_sealed},
    {"writing a public key", write_public},
    {"printing a key", print},
    {"checking a key", check},
    {"duplicating a key", duplicate},
    {"generating a key", generate},
    {"signing", sign_anew},
    {"verifying", verify_valid},
    {"verifying what is invalid", verify_invalid},
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static buffer drain(BIO *out)
{
	char *text = NULL;
	long len = BIO_get_mem_data(out, &text);
	buffer b = buffer_new((size_t)len);

	memcpy(b.data, text, b.len);
	BIO_free(out);
	return b;
}

static buffer written(const char *cipher_name)
{
	BIO *out = BIO_new(BIO_s_mem());
	EVP_CIPHER *cipher =
	    cipher_name != NULL ? EVP_CIPHER_fetch(e.libctx, cipher_name, NULL) : NULL;

	ck_assert_int_eq(PEM_write_bio_PrivateKey_ex(out, member, cipher, (const uint8_t *)"secret",
						     6, NULL, NULL, e.libctx, NULL),
			 1);
	EVP_CIPHER_free(cipher);
	return drain(out);
}

static void set_up(int set)
{
	evp_builtin = OSSL_provider_init;
	evp_init(&e, evp_set(set));
	member = evp_member(&e);
	group = evp_group(&e);
	issuer = evp_private(&e, e.w.issuer_key);
	ck_assert_ptr_nonnull(issuer);
	signature = evp_sign(&e, member, "here", NULL, message, LEN);
	pem = written(NULL);
	sealed = written("AES-128-CBC");
}

static void tear_down(void)
{
	buffer_free(&sealed);
	buffer_free(&pem);
	buffer_free(&signature);
	EVP_PKEY_free(issuer);
	EVP_PKEY_free(group);
	EVP_PKEY_free(member);
	evp_free(&e);
}

START_TEST(an_allocation_that_fails_fails_the_operation_and_nothing_else)
{
	set_up(_i);
	for (size_t i = 0; i < OPERATIONS; i++) {
		long failures = 0, done = 0;

		ck_assert_msg(operations[i].run() == 1, "%s", operations[i].name);
		for (memory.fail_at = 0;; memory.fail_at++) {
			int worked;

			memory.calls = 0;
			memory.hit = 0;
			memory.armed = 1;
			worked = operations[i].run();
			memory.armed = 0;
			ERR_clear_error();
			ck_assert_msg(!broken, "%s, allocation %ld", operations[i].name,
				      memory.fail_at);
			if (!memory.hit) {
				ck_assert_msg(worked, "%s", operations[i].name);
				break;
			}
			failures += !worked;
			done += worked;
		}
		/* OpenSSL does without an encoder or a decoder that another one stands in for, and prints that it
		 * cannot print */
		ck_assert_msg(failures > 0 || operations[i].run == print,
			      "%s: no failure of %ld matters", operations[i].name, done);
		ck_assert_msg(operations[i].run() == 1, "%s, afterwards", operations[i].name);
		ERR_clear_error();
	}
	tear_down();
}
END_TEST

/* How many allocations of libcrypto's an operation takes; it works. */
static long count(size_t operation)
{
	memory.calls = 0;
	memory.fail_at = -1;
	memory.armed = 1;
	ck_assert_msg(operations[operation].run() == 1, "%s", operations[operation].name);
	memory.armed = 0;
	return memory.calls;
}

/* With libcrypto's n-th allocation failing: whether the operation worked. */
static int run_without(size_t operation, long n)
{
	int worked, raised;

	ERR_clear_error();
	memory.calls = 0;
	memory.fail_at = n;
	memory.hit = memory.silent = 0;
	memory.armed = 1;
	worked = operations[operation].run();
	memory.armed = 0;
	/* a verification has looked at its errors itself */
	raised = ERR_peek_error() != 0 || operations[operation].run == verify_valid;
	ERR_clear_error();
	ck_assert_msg(!broken, "%s, allocation %ld", operations[operation].name, n);
	ck_assert_msg(worked || raised || memory.silent, "%s, allocation %ld: no error",
		      operations[operation].name, n);
	return worked;
}

START_TEST(an_allocation_of_libcrypto_that_fails_fails_the_operation_with_an_error)
{
	const long samples = getenv("VLDAA_EVERY_ALLOCATION") != NULL ? 1000 : 20;

	set_up(_i);
	memory.of_libcrypto = 1;
	for (size_t i = 0; i < OPERATIONS; i++) {
		long total, step, failures = 0;

		/* a library context that cannot be made is OpenSSL's affair alone */
		if (operations[i].run == load_provider)
			continue;
		ck_assert_msg(operations[i].run() == 1, "%s", operations[i].name);
		total = count(i);
		step = total > samples ? total / samples : 1;
		for (long n = 0; n < total; n += n < total - samples - step ? step : 1)
			failures += !run_without(i, n);
		ck_assert_msg(failures > 0, "%s", operations[i].name);
		ck_assert_msg(operations[i].run() == 1, "%s, afterwards", operations[i].name);
	}
	memory.of_libcrypto = 0;
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s;
	TCase *tc;
	SRunner *sr;

	if (CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free) != 1)
		return EXIT_FAILURE;
	s = suite_create("the provider without memory");
	tc = tcase_create("sets");
	sr = srunner_create(s);
	tcase_set_timeout(tc, 600);
	tcase_add_loop_test(tc, an_allocation_that_fails_fails_the_operation_and_nothing_else, 0,
			    EVP_SETS);
	tcase_add_loop_test(tc,
			    an_allocation_of_libcrypto_that_fails_fails_the_operation_with_an_error,
			    0, EVP_SETS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
