/* The assertions of Check that tests/support uses, for programs that are not Check's: a broken
 * promise ends the program. */
#ifndef VLDAA_FUZZ_CHECK_H
#define VLDAA_FUZZ_CHECK_H

#include <stdlib.h>
#include <string.h>

#define ck_assert(holds) ((holds) ? (void)0 : abort())
#define ck_assert_msg(holds, ...) ck_assert(holds)
#define ck_assert_ptr_nonnull(p) ck_assert((p) != NULL)
#define ck_assert_int_eq(a, b) ck_assert((a) == (b))
#define ck_assert_int_gt(a, b) ck_assert((a) > (b))
#define ck_assert_uint_eq(a, b) ck_assert((a) == (b))
#define ck_assert_uint_lt(a, b) ck_assert((a) < (b))
#define ck_assert_mem_eq(a, b, len) ck_assert(memcmp((a), (b), (len)) == 0)

#endif
