#include "register_helper.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PATH_BYTES = 512,
};

char test_dir[PATH_BYTES / 2];
char test_path[PATH_BYTES];
const uint8_t test_key_id[32] = {0x11, 0x22, 0x33};

const vldaa_register_seen test_seen_members = {0, INT64_MAX};

void test_setup(void)
{
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(test_dir, sizeof test_dir, "%s/vldaa-register-XXXXXX", tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(test_dir));
	(void)snprintf(test_path, sizeof test_path, "%s/issuer.db", test_dir);
}

void test_teardown(void)
{
	DIR *d = opendir(test_dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			(void)remove(test_file(e->d_name));
	}
	if (d)
		(void)closedir(d);
	ck_assert_int_eq(rmdir(test_dir), 0);
}

const char *test_file(const char *name)
{
	static char paths[4][PATH_BYTES];
	static int next;

	next = (next + 1) % 4;
	(void)snprintf(paths[next], sizeof paths[next], "%s/%s", test_dir, name);
	return paths[next];
}

uint8_t *test_read(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	struct stat st;

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(stat(path, &st), 0);
	*len = (size_t)st.st_size;
	uint8_t *bytes = malloc(*len + 1);
	ck_assert_uint_eq(fread(bytes, 1, *len, f), *len);
	(void)fclose(f);
	return bytes;
}

void test_write(const char *path, const void *bytes, size_t len)
{
	FILE *f = fopen(path, "wb");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, len, f), len);
	ck_assert_int_eq(fclose(f), 0);
}

void test_copy(const char *from, const char *to)
{
	size_t len;
	uint8_t *bytes = test_read(from, &len);

	test_write(to, bytes, len);
	free(bytes);
}

void test_id(uint8_t id[32], char kind, int n)
{
	memset(id, kind, 32);
	for (int i = 0; i < 4; i++)
		id[i] = (uint8_t)((unsigned)n >> (8 * i));
}

static void fill(uint8_t *out, size_t len, char kind, int n)
{
	uint8_t id[32];

	test_id(id, kind, n);
	for (size_t i = 0; i < len; i++)
		out[i] = id[i % 32];
}

void test_member_init(struct test_member *t, int n, int certificate)
{
	memset(t, 0, sizeof *t);
	fill(t->tag, sizeof t->tag, 'T', n);
	fill(t->key, sizeof t->key, 'P', n);
	fill(t->certificate, sizeof t->certificate, 'D', certificate);
	fill(t->answer, sizeof t->answer, 'A', n);
	test_id(t->m.key_digest, 'K', n);
	test_id(t->m.host_key_digest, 'H', n);
	test_id(t->m.certificate_id, 'C', certificate);
	test_id(t->m.request_digest, 'R', n);
	t->m.tag = t->tag;
	t->m.tag_len = sizeof t->tag;
	t->m.member_key = t->key;
	t->m.member_key_len = sizeof t->key;
	t->m.certificate = t->certificate;
	t->m.certificate_len = sizeof t->certificate;
	t->m.answer = t->answer;
	t->m.answer_len = sizeof t->answer;
	t->m.created = TEST_NOW;
}

vldaa_register *test_create(void)
{
	vldaa_register *reg;

	ck_assert_int_eq(vldaa_register_create(&reg, test_path, TEST_SET, test_key_id), VLDAA_OK);
	return reg;
}

vldaa_register *test_open(void)
{
	vldaa_register *reg;
	int ret = vldaa_register_open(&reg, test_path, TEST_SET, test_key_id);

	ck_assert_msg(ret == VLDAA_OK, "%d: %s", ret, vldaa_register_reason(reg));
	return reg;
}

int test_join(vldaa_register *reg, int n, int certificate, int replace, int64_t *id)
{
	uint8_t nonce[32];
	struct test_member t;

	test_member_init(&t, n, certificate);
	int ret = vldaa_register_nonce_new(reg, nonce, TEST_NOW, TEST_LIFETIME);
	return ret == VLDAA_OK
		   ? vldaa_register_add(reg, id, &t.m, nonce, replace, &test_seen_members)
		   : ret;
}

int test_find(vldaa_register *reg, int n)
{
	struct test_member t;
	uint8_t out[sizeof t.answer];
	size_t len;

	test_member_init(&t, n, 0);
	int ret = vldaa_register_find_answer(reg, out, sizeof out, &len, t.m.request_digest);
	if (ret == VLDAA_OK) {
		ck_assert_uint_eq(len, sizeof out);
		ck_assert_mem_eq(out, t.answer, sizeof out);
	}
	return ret;
}

static int take_state(void *arg, const vldaa_register_member *m)
{
	*(int *)arg = (int)m->state;
	return VLDAA_OK;
}

int test_state(vldaa_register *reg, int64_t id)
{
	int state = 0;
	int ret = vldaa_register_get(reg, id, take_state, &state);

	ck_assert(ret == VLDAA_OK || ret == VLDAA_ERR_NO_CREDENTIAL);
	return state;
}
