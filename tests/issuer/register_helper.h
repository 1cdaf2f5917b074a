/* What the register's tests share: a directory of their own, and members whose bytes follow from
 * small numbers. */
#ifndef VLDAA_TEST_REGISTER_HELPER_H
#define VLDAA_TEST_REGISTER_HELPER_H

#include "vldaa/register.h"

enum {
	TEST_SET = 42,
	TEST_NOW = 1750000000,
	TEST_LIFETIME = 3600,
};

/* Check fixtures: test_path is a register's path (no file yet) in a fresh directory, which teardown
 * removes. */
extern char test_dir[];
extern char test_path[];
extern const uint8_t test_key_id[32];
void test_setup(void);
void test_teardown(void);

/* dir/name, in one of a few static buffers. */
const char *test_file(const char *name);
void test_copy(const char *from, const char *to);
/* The whole file, to free. */
uint8_t *test_read(const char *path, size_t *len);
void test_write(const char *path, const void *bytes, size_t len);

/* 32 bytes that follow from kind and n. */
void test_id(uint8_t id[32], char kind, int n);

/* A member that fits its pointers. */
struct test_member {
	vldaa_register_member m;
	uint8_t tag[16];
	uint8_t key[64];
	uint8_t certificate[48];
	uint8_t answer[600];
};

/* Number n: tag, keys, request and answer follow from n, the certificate from certificate. */
void test_member_init(struct test_member *t, int n, int certificate);

vldaa_register *test_create(void);
vldaa_register *test_open(void);
/* For vldaa_register_add: all members, the rogue list not at all. */
extern const vldaa_register_seen test_seen_members;
/* A new nonce and vldaa_register_add of member n. */
int test_join(vldaa_register *reg, int n, int certificate, int replace, int64_t *id);
/* Result of vldaa_register_find_answer for member n; when it is VLDAA_OK, the bytes are those of
 * test_member_init. */
int test_find(vldaa_register *reg, int n);
/* State of the row with this id; 0 when there is none. */
int test_state(vldaa_register *reg, int64_t id);

#endif
