/*
 * Promises: every block that FLINT or GMP releases or moves is zero when it goes back, key
 * generation included; nothing that key generation allocated is left when it returns, in any
 * thread; blocks from before the installation may be released after it; threads do not disturb each
 * other.
 *
 * The libraries get functions of this program first, which stand where malloc and free would: they
 * see each block at the moment that it is given back.
 */
#include <check.h>
#include <gmp.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ntru_common.h"
#include "ntru_memory.h"
#include "vldaa/error.h"

static atomic_long live, released, dirty; /* blocks */

static void *new_block(size_t size)
{
	void *p = malloc(size);

	live += p != NULL;
	return p;
}

static void *new_zeroes(size_t count, size_t size)
{
	void *p = calloc(count, size);

	live += p != NULL;
	return p;
}

static void give_back(void *p, size_t size)
{
	const unsigned char *bytes = p;
	unsigned char all = 0;

	if (p == NULL)
		return;
	for (size_t i = 0; i < size; i++)
		all |= bytes[i];
	dirty += all != 0;
	released++;
	live--;
	free(p);
}

static void give_back_all(void *p)
{
	give_back(p, p == NULL ? 0 : malloc_usable_size(p));
}

/* In place, without wiping, as realloc does: it must never be asked. */
static void *never(void *p, size_t size)
{
	dirty++;
	return realloc(p, size);
}

static void *never_sized(void *p, size_t old, size_t size)
{
	(void)old;
	return never(p, size);
}

static void counting_functions(void)
{
	__flint_set_memory_functions(new_block, new_zeroes, never, give_back_all);
	mp_set_memory_functions(new_block, never_sized, give_back);
}

static void install(void)
{
	counting_functions();
	vldaa_ntru_memory_install();
	vldaa_ntru_memory_install(); /* once more changes nothing */
}

START_TEST(what_flint_releases_is_zero)
{
	install();
	for (size_t size = 1; size < 5000; size = size * 3 + 1) {
		unsigned char *p = flint_malloc(size), *zeroes = flint_calloc(size, 1);

		for (size_t i = 0; i < size; i++)
			ck_assert_uint_eq(zeroes[i], 0);
		memset(p, 0xaa, size);
		p = flint_realloc(p, 2 * size);
		for (size_t i = 0; i < size; i++)
			ck_assert_uint_eq(p[i], 0xaa);
		memset(p, 0xbb, 2 * size);
		p = flint_realloc(p, size / 2 + 1);
		for (size_t i = 0; i < size / 2 + 1; i++)
			ck_assert_uint_eq(p[i], 0xbb);
		flint_free(p);
		flint_free(zeroes);
	}
	flint_free(NULL);
	flint_free(flint_realloc(NULL, 10));
	ck_assert_int_ge(released, 4);
	ck_assert_int_eq(dirty, 0);
	ck_assert_int_eq(live, 0);
}
END_TEST

START_TEST(what_gmp_releases_is_zero)
{
	mpz_t a, b;

	install();
	mpz_init_set_ui(a, 12289);
	mpz_init(b);
	for (unsigned long i = 0; i < 9; i++)
		mpz_mul(a, a, a);
	mpz_pow_ui(b, a, 20);
	ck_assert_int_ne(mpz_divisible_p(b, a), 0);
	mpz_realloc2(a, 1);
	mpz_clear(a);
	mpz_clear(b);
	ck_assert_int_ge(released, 10);
	ck_assert_int_eq(dirty, 0);
	ck_assert_int_eq(live, 0);
}
END_TEST

START_TEST(blocks_from_before_may_be_released_after)
{
	fmpz_t kept;
	mpz_t number;

	counting_functions();
	fmpz_init(kept);
	fmpz_set_ui(kept, 7);
	fmpz_pow_ui(kept, kept, 1000);
	mpz_init_set_ui(number, 9);
	vldaa_ntru_memory_install();
	dirty = 0; /* nobody promised anything so far */
	released = 0;
	mpz_pow_ui(number, number, 1000);
	fmpz_mul(kept, kept, kept);
	ck_assert_int_eq(fmpz_remove(kept, kept, (fmpz[]){7}), 2000);
	fmpz_clear(kept);
	mpz_clear(number);
	vldaa_ntru_memory_flush();
	ck_assert_int_ge(released, 4);
	ck_assert_int_eq(dirty, 0);
	ck_assert_int_eq(live, 0);
}
END_TEST

START_TEST(key_generation_leaves_nothing_behind)
{
	static vldaa_ntru_key key;
	static int64_t h[VLDAA_MAX_DEGREE];

	counting_functions(); /* key generation installs by itself */
	for (uint8_t seed = 0; seed < 3; seed++)
		ntru_key_of(ntru_sets[_i], seed, &key, h);
	ck_assert_int_ge(released, 1000);
	ck_assert_int_eq(dirty, 0);
	ck_assert_int_eq(live, 0);
}
END_TEST

typedef struct {
	vldaa_ntru_key key[3];
	int64_t h[3][VLDAA_MAX_DEGREE];
} keys;

static void *generate(void *out)
{
	keys *k = out;

	for (uint8_t seed = 0; seed < 3; seed++)
		ntru_key_of(&vldaa_ntru_512, seed, &k->key[seed], k->h[seed]);
	return NULL;
}

START_TEST(threads_make_the_same_keys_and_leave_nothing_behind)
{
	enum { THREADS = 4 };
	static keys alone, together[THREADS];
	pthread_t thread[THREADS];

	counting_functions();
	generate(&alone);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, generate, &together[i]), 0);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
	for (int i = 0; i < THREADS; i++)
		ck_assert_mem_eq(&together[i], &alone, sizeof alone);
	ck_assert_int_eq(dirty, 0);
	ck_assert_int_eq(live, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("Memory of big integers");
	TCase *tc = tcase_create("memory");
	SRunner *sr = srunner_create(s);

	/* Each test is a process of its own: what is installed stays. */
	srunner_set_fork_status(sr, CK_FORK);
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, what_flint_releases_is_zero);
	tcase_add_test(tc, what_gmp_releases_is_zero);
	tcase_add_test(tc, blocks_from_before_may_be_released_after);
	tcase_add_loop_test(tc, key_generation_leaves_nothing_behind, 0, 2);
	tcase_add_test(tc, threads_make_the_same_keys_and_leave_nothing_behind);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
