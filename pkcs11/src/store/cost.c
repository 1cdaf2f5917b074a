/*
 * The cost of guessing a PIN, in a file of its own: the tests' module has another, so that thousands
 * of logins take seconds.  A token keeps the cost that it was made with, and either module opens it.
 */
#include "cipher.h"

/* 2^16 * 8 * 128 bytes = 64 MiB. */
const vldaa_p11_cost vldaa_p11_default_cost = {65536, 8, 1};
