/*
 * The one-shot proof's CRS: A1, A2, B of a set, in the hat domain.  They depend on the set and on nothing else, and
 * are megabytes, so that a process has them once, for all its members, verifiers and issuers: storage that is filled
 * when somebody first proves or verifies, and only read from then on.  An address space pays for pages that it
 * touches, so a set that is not used costs nothing.
 *
 * This is for processes, not for chips: what a chip does with a one-shot set, Sign, needs no CRS.
 */
#include "proof/oneshot_sets.h"

#include <pthread.h>

void vldaa_os_crs_layout(vldaa_os_crs *crs, const vldaa_os_set *set, vldaa_arena *a)
{
	crs->a1 = vldaa_arena_hats(a, &set->ring, (size_t)set->n * set->max_m1);
	crs->a2 = vldaa_arena_hats(a, &set->ring, (size_t)set->n * (set->m2 - set->n));
	crs->b = vldaa_arena_hats(a, &set->ring, (size_t)VLDAA_OS_B_ROWS * (set->m2 - set->n));
}

/* One stream an entry: SHAKE128("crs", set, matrix, row, column). */
static void expand_matrix(const vldaa_os_set *set, uint32_t *out, uint8_t matrix, uint32_t rows,
			  uint32_t columns)
{
	const vldaa_ring *r = &set->ring;
	int64_t poly[VLDAA_OS_D];

	for (uint32_t i = 0; i < rows; i++) {
		for (uint32_t j = 0; j < columns; j++) {
			const uint8_t place[] = {(uint8_t)(set->id >> 24),
						 (uint8_t)(set->id >> 16),
						 (uint8_t)(set->id >> 8),
						 (uint8_t)set->id,
						 matrix,
						 (uint8_t)i,
						 (uint8_t)(i >> 8),
						 (uint8_t)j,
						 (uint8_t)(j >> 8)};
			vldaa_shake s;

			vldaa_shake_init(&s, VLDAA_SHAKE128_RATE);
			vldaa_shake_absorb(&s, "crs", 3);
			vldaa_shake_absorb(&s, place, sizeof place);
			vldaa_os_uniform(r, &s, poly, VLDAA_OS_D);
			vldaa_hat_from_poly(r, out + ((size_t)i * columns + j) * vldaa_hat_len(r),
					    poly);
		}
	}
}

void vldaa_os_crs_expand(vldaa_os_crs *crs, const vldaa_os_set *set)
{
	crs->set = set;
	expand_matrix(set, crs->a1, 1, set->n, set->max_m1);
	expand_matrix(set, crs->a2, 2, set->n, set->m2 - set->n);
	expand_matrix(set, crs->b, 3, VLDAA_OS_B_ROWS, set->m2 - set->n);
}

/* --- one for each process ---------------------------------------------------------------------- */

enum {
	HAT_WORDS = 4 * VLDAA_OS_D, /* four auxiliary primes in both sets */
	/* n max_m1 + (n + 7) (m2 - n) elements */
	WORDS_44 = (23 * 41 + (23 + VLDAA_OS_B_ROWS) * (62 - 23)) * HAT_WORDS,
	WORDS_87 = (38 * 73 + (38 + VLDAA_OS_B_ROWS) * (100 - 38)) * HAT_WORDS
};

static _Alignas(VLDAA_ARENA_ALIGN) uint32_t words_44[WORDS_44];
static _Alignas(VLDAA_ARENA_ALIGN) uint32_t words_87[WORDS_87];
static vldaa_os_crs crs_44, crs_87;
static pthread_once_t once_44 = PTHREAD_ONCE_INIT, once_87 = PTHREAD_ONCE_INIT;

static void fill(vldaa_os_crs *crs, const vldaa_os_set *set, uint32_t *words, size_t size)
{
	vldaa_arena a;

	vldaa_arena_init(&a, words, size);
	vldaa_os_crs_layout(crs, set, &a);
	vldaa_debug_assert(a.used == size, "oneshot: the storage of the CRS has its size");
	vldaa_os_crs_expand(crs, set);
}

static void fill_44(void)
{
	fill(&crs_44, &vldaa_os_44, words_44, sizeof words_44);
}

static void fill_87(void)
{
	fill(&crs_87, &vldaa_os_87, words_87, sizeof words_87);
}

const vldaa_os_crs *vldaa_os_crs_of(const vldaa_os_set *set)
{
	static const struct {
		const vldaa_os_set *set;
		const vldaa_os_crs *crs;
		pthread_once_t *once;
		void (*fill)(void);
	} shared[] = {
	    {&vldaa_os_44, &crs_44, &once_44, fill_44},
	    {&vldaa_os_87, &crs_87, &once_87, fill_87},
	};

	for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
		if (shared[i].set == set && pthread_once(shared[i].once, shared[i].fill) == 0)
			return shared[i].crs;
	}
	return NULL;
}
