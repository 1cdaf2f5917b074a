/* Marks for memcheck, wiping and comparing (secret.h). */
#include "random/secret.h"

#include <string.h>

#if defined(VLDAA_CTIME) && VLDAA_CTIME
#include <valgrind/memcheck.h>

void vldaa_secret_mark(const void *p, size_t len)
{
	(void)VALGRIND_MAKE_MEM_UNDEFINED(p, len);
}

void vldaa_secret_declassify(const void *p, size_t len, const char *because)
{
	(void)because;
	(void)VALGRIND_MAKE_MEM_DEFINED(p, len);
}
#else
void vldaa_secret_mark(const void *p, size_t len)
{
	(void)p;
	(void)len;
}

void vldaa_secret_declassify(const void *p, size_t len, const char *because)
{
	(void)p;
	(void)len;
	(void)because;
}
#endif

/* The pointer is volatile, so the compiler cannot know that the call is memset's and a dead store.
 */
static void *(*const volatile fill)(void *, int, size_t) = memset;

void vldaa_wipe(void *p, size_t len)
{
	fill(p, 0, len);
}

void vldaa_wipe_stack(void)
{
	uint8_t below[VLDAA_STACK_WIPED];

	vldaa_wipe(below, sizeof below);
}

int vldaa_equal(const void *a, const void *b, size_t len)
{
	const uint8_t *x = a;
	const uint8_t *y = b;
	uint32_t differences = 0;

	for (size_t i = 0; i < len; i++)
		differences |= (uint32_t)(x[i] ^ y[i]);
	/* differences is at most 255: minus one borrows into bit 31 when it is 0, and only then. */
	return (int)((differences - 1) >> 31);
}
