/*
 * Promises: threads that come first all at once get one CRS of each set, complete and made once; it
 * is what its expansion says; a proof system that is not offered has none.
 *
 * Under the thread sanitizer (preset `thread`) the same test shows that there is no race.
 */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../support/planted.h"

enum { SETS = 2, THREADS = 8 };

static const vldaa_os_set *const sets[SETS] = {&vldaa_os_44, &vldaa_os_87};

/* One transform an element is what an expansion takes. */
static atomic_size_t transforms;

void __real_vldaa_hat_from_poly(const vldaa_ring *r, uint32_t *hat, const int64_t *a);
void __wrap_vldaa_hat_from_poly(const vldaa_ring *r, uint32_t *hat, const int64_t *a);

void __wrap_vldaa_hat_from_poly(const vldaa_ring *r, uint32_t *hat, const int64_t *a)
{
	atomic_fetch_add(&transforms, 1);
	__real_vldaa_hat_from_poly(r, hat, a);
}

static size_t elements(const vldaa_os_set *set)
{
	const size_t short_rows = set->m2 - set->n;

	return (size_t)set->n * set->max_m1 + (set->n + VLDAA_OS_B_ROWS) * short_rows;
}

/* Everything in it, weighted by place. */
static uint64_t sum(const vldaa_os_crs *crs)
{
	const size_t len = vldaa_hat_len(&crs->set->ring);
	const size_t short_rows = crs->set->m2 - crs->set->n;
	const uint32_t *const part[] = {crs->a1, crs->a2, crs->b};
	const size_t count[] = {(size_t)crs->set->n * crs->set->max_m1, crs->set->n * short_rows,
				VLDAA_OS_B_ROWS * short_rows};
	uint64_t s = 0;

	for (size_t k = 0; k < sizeof part / sizeof part[0]; k++) {
		for (size_t i = 0; i < count[k] * len; i++)
			s = s * UINT64_C(6364136223846793005) + part[k][i];
	}
	return s;
}

typedef struct {
	size_t first;
	pthread_barrier_t *start;
	const vldaa_os_crs *crs[SETS];
	uint64_t sums[SETS];
} user;

static void *use(void *arg)
{
	user *u = arg;

	pthread_barrier_wait(u->start);
	for (size_t i = 0; i < SETS; i++) {
		const size_t k = (u->first + i) % SETS;

		u->crs[k] = vldaa_os_crs_of(sets[k]);
		u->sums[k] = sum(u->crs[k]);
	}
	return NULL;
}

START_TEST(threads_that_come_first_share_one_crs)
{
	static user users[THREADS];
	pthread_t threads[THREADS];
	pthread_barrier_t start;

	ck_assert_int_eq(pthread_barrier_init(&start, NULL, THREADS), 0);
	for (size_t i = 0; i < THREADS; i++) {
		users[i].first = i;
		users[i].start = &start;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, use, &users[i]), 0);
	}
	for (size_t i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	pthread_barrier_destroy(&start);
	ck_assert_uint_eq(transforms, elements(sets[0]) + elements(sets[1]));
	for (size_t k = 0; k < SETS; k++) {
		vldaa_os_crs own;
		vldaa_arena a;

		vldaa_arena_init(&a, NULL, SIZE_MAX);
		vldaa_os_crs_layout(&own, sets[k], &a);
		vldaa_arena_init(&a, planted_memory(a.used), a.used);
		vldaa_os_crs_layout(&own, sets[k], &a);
		vldaa_os_crs_expand(&own, sets[k]);
		for (size_t i = 0; i < THREADS; i++) {
			ck_assert_ptr_eq(users[i].crs[k], users[0].crs[k]);
			ck_assert_ptr_eq(users[i].crs[k]->set, sets[k]);
			ck_assert_uint_eq(users[i].sums[k], sum(&own));
		}
		free(a.base);
	}
}
END_TEST

START_TEST(a_proof_system_of_nobody_has_none)
{
	vldaa_os_set copy = vldaa_os_44;

	ck_assert_ptr_null(vldaa_os_crs_of(&copy));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("the shared CRS");
	TCase *tc = tcase_create("first use");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, threads_that_come_first_share_one_crs);
	tcase_add_test(tc, a_proof_system_of_nobody_has_none);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
