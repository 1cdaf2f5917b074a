/*
 * Range checks of a debugging build (cmake -DVLDAA_DEBUG_ASSERT=ON); nothing is left of them
 * otherwise.
 *
 * They state at run time what the comments beside the functions state: bounds that hold for every
 * input of an honest caller.  A broken bound is a bug in the library, so the program stops.
 * The checks branch on what they check: a debugging build does not run in constant time.
 */
#ifndef VLDAA_DEBUG_H
#define VLDAA_DEBUG_H

#include <stddef.h>
#include <stdint.h>

#if defined(VLDAA_DEBUG_ASSERT) && VLDAA_DEBUG_ASSERT

#include <stdio.h>
#include <stdlib.h>

/* what: the condition or bound in words, for the message. */
static inline void vldaa_debug_assert(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "vldaa: broken invariant: %s\n", what);
		abort();
	}
}

/* low <= a[i] <= high for all i < n. */
static inline void vldaa_debug_bound(const int64_t *a, size_t n, int64_t low, int64_t high,
				     const char *what)
{
	for (size_t i = 0; i < n; i++)
		vldaa_debug_assert(a[i] >= low && a[i] <= high, what);
}

/* a[i] < bound for all i < n. */
static inline void vldaa_debug_below(const uint32_t *a, size_t n, uint64_t bound, const char *what)
{
	for (size_t i = 0; i < n; i++)
		vldaa_debug_assert(a[i] < bound, what);
}

#else

static inline void vldaa_debug_assert(int holds, const char *what)
{
	(void)holds;
	(void)what;
}

static inline void vldaa_debug_bound(const int64_t *a, size_t n, int64_t low, int64_t high,
				     const char *what)
{
	(void)a;
	(void)n;
	(void)low;
	(void)high;
	(void)what;
}

static inline void vldaa_debug_below(const uint32_t *a, size_t n, uint64_t bound, const char *what)
{
	(void)a;
	(void)n;
	(void)bound;
	(void)what;
}

#endif

#endif
