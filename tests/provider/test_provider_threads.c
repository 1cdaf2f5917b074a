/*
 * Promises: threads share a key.  Sixteen of them sign ten thousand messages with one member key, which makes each
 * pseudonym once, while it is copied, printed and verified with; every signature is valid.
 */
#include <check.h>
#include <openssl/err.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "evp.h"

enum { THREADS = 16, BASENAMES = 4 };

enum { SIGNATURES = 10000 };

/* A sanitizer makes everything ten times slower: all of them when VLDAA_ALL_SIGNATURES is set. */
static unsigned signatures(void)
{
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	if (getenv("VLDAA_ALL_SIGNATURES") == NULL)
		return 1600;
#endif
	return SIGNATURES;
}

static evp_world e;
static EVP_PKEY *member, *group;

/* What one thread found. */
typedef struct {
	unsigned id;
	unsigned signatures, bad;
	uint8_t digests[BASENAMES][VLDAA_DIGEST_BYTES];
} worker;

static int sign(const char *basename, const uint8_t *message, size_t len, int verify,
		buffer *signature)
{
	if (evp_try_sign(&e, member, basename, NULL, message, len, signature) != 1)
		return 0;
	/* Verification takes many times as long; every sixteenth will do. */
	return !verify || evp_verify(&e, len % 8 == 0 ? member : group, *signature, basename,
				     message, len) == 1;
}

/* The digest is the same whenever it is seen. */
static int note(worker *w, unsigned which, buffer signature)
{
	static const uint8_t none[VLDAA_DIGEST_BYTES];
	vldaa_object_info info;

	if (vldaa_object_inspect(&info, signature.data, signature.len) != VLDAA_OK)
		return 0;
	if (memcmp(w->digests[which], none, sizeof none) == 0)
		memcpy(w->digests[which], info.digest, sizeof info.digest);
	return memcmp(w->digests[which], info.digest, sizeof info.digest) == 0;
}

static void *work(void *arg)
{
	worker *w = arg;

	for (unsigned i = 0; i < w->signatures; i++) {
		const unsigned which = (i + w->id) % BASENAMES;
		char basename[] = {(char)('a' + which), '\0'};
		uint8_t message[64] = {(uint8_t)w->id, (uint8_t)i, (uint8_t)(i >> 8)};
		const size_t len = 3 + i % 60;
		EVP_PKEY *copy = i % 256 == 0 ? EVP_PKEY_dup(group) : NULL;
		buffer signature = {NULL, 0};

		if (!sign(basename, message, len, i % 16 == 0, &signature) ||
		    !note(w, which, signature) || (copy != NULL && EVP_PKEY_eq(copy, member) != 1))
			w->bad++;
		EVP_PKEY_free(copy);
		buffer_free(&signature);
	}
	/* What a thread of the caller's would do before it ends, or OpenSSL does for it. */
	ERR_clear_error();
	return NULL;
}

START_TEST(sixteen_threads_sign_with_one_key)
{
	static worker workers[THREADS];
	pthread_t threads[THREADS];

	evp_init(&e, evp_set(_i));
	member = evp_member(&e);
	group = evp_group(&e);
	memset(workers, 0, sizeof workers);
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i].id = i;
		workers[i].signatures = signatures() / THREADS / (_i == 0 ? 1 : 5);
		ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	for (unsigned i = 0; i < THREADS; i++) {
		ck_assert_uint_eq(workers[i].bad, 0);
		/* one Create a basename, whoever came first */
		ck_assert_mem_eq(workers[i].digests, workers[0].digests, sizeof workers[0].digests);
	}
	EVP_PKEY_free(member);
	EVP_PKEY_free(group);
	evp_free(&e);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("threads that share a key");
	TCase *tc = tcase_create("sets");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 600);
	tcase_add_loop_test(tc, sixteen_threads_sign_with_one_key, 0, EVP_SETS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
