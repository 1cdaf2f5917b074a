#include "ntru_memory.h"

#include <flint/flint.h>
#include <gmp.h>
#include <malloc.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

/* The functions that were there before; written once, under run_once. */
static struct {
	void *(*alloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
} flint;
static struct {
	void *(*alloc)(size_t);
	void *(*realloc)(void *, size_t, size_t);
	void (*free)(void *, size_t);
} gmp;

/* GMP wants no NULL, and FLINT ends the process when it gets one. */
static void *or_abort(void *p)
{
	if (p == NULL)
		abort();
	return p;
}

static void *flint_new(size_t size)
{
	return or_abort(flint.alloc(size));
}

static void *flint_zeroes(size_t count, size_t size)
{
	return or_abort(flint.calloc(count, size));
}

static void flint_release(void *p)
{
	if (p == NULL)
		return;
	/* All of the block, which may be longer than what was asked for. */
	OPENSSL_cleanse(p, malloc_usable_size(p));
	flint.free(p);
}

/* Never in place: a block that moves must not leave its contents behind. */
static void *flint_resize(void *p, size_t size)
{
	void *moved = flint_new(size);

	if (p != NULL) {
		const size_t old = malloc_usable_size(p);

		memcpy(moved, p, old < size ? old : size);
		flint_release(p);
	}
	return moved;
}

static void *gmp_new(size_t size)
{
	return or_abort(gmp.alloc(size));
}

static void gmp_release(void *p, size_t size)
{
	OPENSSL_cleanse(p, size);
	gmp.free(p, size);
}

static void *gmp_resize(void *p, size_t old, size_t size)
{
	void *moved = gmp_new(size);

	memcpy(moved, p, old < size ? old : size);
	gmp_release(p, old);
	return moved;
}

static void install(void)
{
	__flint_get_memory_functions(&flint.alloc, &flint.calloc, &flint.realloc, &flint.free);
	__flint_set_memory_functions(flint_new, flint_zeroes, flint_resize, flint_release);
	mp_get_memory_functions(&gmp.alloc, &gmp.realloc, &gmp.free);
	mp_set_memory_functions(gmp_new, gmp_resize, gmp_release);
}

void vldaa_ntru_memory_install(void)
{
	static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;

	if (!CRYPTO_THREAD_run_once(&once, install))
		abort();
}

void vldaa_ntru_memory_flush(void)
{
	flint_cleanup();
}
