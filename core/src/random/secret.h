/*
 * Secrets: marking, declassifying, wiping, comparing.
 *
 * The two marks do nothing in an ordinary build.  With VLDAA_CTIME=1 they tell valgrind that bytes
 * are (un)defined, so that memcheck reports every branch and address that depends on a secret.
 */
#ifndef VLDAA_SECRET_H
#define VLDAA_SECRET_H

#include <stddef.h>
#include <stdint.h>

/* From here on these bytes are secret. */
void vldaa_secret_mark(const void *p, size_t len);
/* These bytes may be known to everyone; because says why, for the reader. */
void vldaa_secret_declassify(const void *p, size_t len, const char *because);
/* Zeroes memory in a way that the compiler does not remove. */
void vldaa_wipe(void *p, size_t len);
/* Zeroes VLDAA_STACK_WIPED bytes of stack below the caller: what the functions that it called left
 * there, as far as they reached.  C promises nothing about that; test_tpm_memory looks. */
enum { VLDAA_STACK_WIPED = 8192 };
void vldaa_wipe_stack(void);
/* 1 when equal, 0 when not, in time that depends on len only. */
int vldaa_equal(const void *a, const void *b, size_t len);

#endif
