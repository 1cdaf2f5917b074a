/*
 * Promise: every block of heap memory that the library gives back is zero then, so that no key,
 * mask or trapdoor stays behind; and all of them are given back.
 *
 * aligned_alloc and free, which only role/memory.c calls, are wrapped by the linker.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"
#include "role/memory.h"

void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);

enum { BLOCKS = 256 };

/* The library's blocks that are in use; those that were freed; those of them that were not zero,
 * and those that held something before. */
static struct {
	unsigned char *p;
	size_t size;
} blocks[BLOCKS];
static size_t freed, dirty;

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	void *p = __real_aligned_alloc(alignment, size);

	for (size_t i = 0; i < BLOCKS; i++) {
		if (!blocks[i].p) {
			blocks[i].p = p;
			blocks[i].size = size;
			return p;
		}
	}
	ck_abort_msg("too many blocks");
	return NULL;
}

void __wrap_free(void *p)
{
	for (size_t i = 0; p && i < BLOCKS; i++) {
		if (blocks[i].p == p) {
			size_t used = 0;

			for (size_t j = 0; j < blocks[i].size; j++)
				used += blocks[i].p[j] != 0;
			dirty += used > 0;
			freed++;
			blocks[i].p = NULL;
		}
	}
	__real_free(p);
}

static size_t in_use(void)
{
	size_t count = 0;

	for (size_t i = 0; i < BLOCKS; i++)
		count += blocks[i].p != NULL;
	return count;
}

START_TEST(a_block_that_is_not_wiped_is_noticed)
{
	unsigned char *p = vldaa_memory_new(128);
	volatile unsigned char *last = p + 127;

	*last = 1;
	ck_assert_uint_eq(in_use(), 1);
	vldaa_memory_free(p, 127);
	ck_assert_uint_eq(freed, 1);
	ck_assert_uint_eq(dirty, 1);
	ck_assert_uint_eq(in_use(), 0);
}
END_TEST

START_TEST(what_the_roles_free_is_zero)
{
	static const char message[] = "message";
	world w;
	car c, d;
	buffer att, sig, compact, pseudonym;
	vldaa_member_key *member;
	vldaa_pseudonym_key *key = NULL;
	vldaa_signing *signing = NULL;
	vldaa_attestation *a = NULL;
	vldaa_verification *v = NULL;
	vldaa_host *host = NULL;
	size_t before;

	world_init(&w, vldaa_set_at((size_t)_i), 1);
	car_init(&c, &w, 2);
	car_init(&d, &w, 3);
	car_join(&c);
	att = car_create(&c, "here");
	sig = car_sign(&c, att, VLDAA_FORM_SELF_CONTAINED, message, sizeof message);
	compact = car_sign(&c, att, VLDAA_FORM_COMPACT, message, sizeof message);
	ck_assert_int_eq(vldaa_attestation_new(&a, w.verifier, att.data, att.len), VLDAA_OK);
	ck_assert_int_eq(world_verify(&w, sig, NULL, message, sizeof message), VLDAA_OK);
	ck_assert_int_eq(world_verify(&w, compact, a, message, sizeof message), VLDAA_OK);

	/* in software, without the TPM; one message is given up half way */
	member = car_member_key(&c);
	pseudonym = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_PSEUDONYM));
	ck_assert_int_eq(vldaa_member_key_create(member, (const uint8_t *)"there", 5,
						 pseudonym.data, pseudonym.len, &pseudonym.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_pseudonym_key_new(&key, pseudonym.data, pseudonym.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_new(&signing, key, VLDAA_FORM_COMPACT), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_update(signing, message, sizeof message), VLDAA_OK);
	vldaa_signing_free(signing);
	ck_assert_int_eq(vldaa_signing_new(&signing, key, VLDAA_FORM_COMPACT), VLDAA_OK);
	compact.len = vldaa_object_max_size(w.set, VLDAA_KIND_COMPACT);
	ck_assert_int_eq(vldaa_signing_end(signing, compact.data, compact.len, &compact.len),
			 VLDAA_OK);
	vldaa_signing_free(signing);
	vldaa_pseudonym_key_free(key);
	pseudonym.data[pseudonym.len - 1] ^= 0xff;
	ck_assert_int_ne(vldaa_pseudonym_key_new(&key, pseudonym.data, pseudonym.len), VLDAA_OK);
	vldaa_member_key_free(member);
	buffer_free(&pseudonym);
	buffer_free(&compact);
	compact = car_sign(&c, att, VLDAA_FORM_COMPACT, message, sizeof message);

	/* refused, and given up half way */
	before = in_use();
	sig.data[sig.len - 9] ^= 1;
	ck_assert_int_ne(world_verify(&w, sig, NULL, message, sizeof message), VLDAA_OK);
	att.data[att.len / 2] ^= 1;
	{
		vldaa_attestation *refused = NULL;
		ck_assert_int_ne(vldaa_attestation_new(&refused, w.verifier, att.data, att.len),
				 VLDAA_OK);
	}
	ck_assert_int_eq(
	    vldaa_verification_new(&v, w.verifier, compact.data, compact.len, a, NULL, 0),
	    VLDAA_OK);
	vldaa_verification_free(v);
	w.group_key.data[0] ^= 1;
	ck_assert_int_ne(vldaa_host_new(&host, w.group_key.data, w.group_key.len), VLDAA_OK);
	w.group_key.data[0] ^= 1;
	ck_assert_int_eq(vldaa_host_load(c.host, c.host_key.data, c.host_key.len, c.credential.data,
					 c.credential.len),
			 VLDAA_OK);
	c.host_key.data[c.host_key.len - 1] ^= 0xff;
	ck_assert_int_ne(vldaa_host_load(c.host, c.host_key.data, c.host_key.len, c.credential.data,
					 c.credential.len),
			 VLDAA_OK);
	ck_assert_uint_eq(in_use(), before);
	{
		/* masks of a Create that nobody goes on with */
		buffer call = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_CREATE_CALL));
		ck_assert_int_eq(vldaa_host_create_begin(c.host, (const uint8_t *)"there", 5,
							 call.data, call.len, &call.len),
				 VLDAA_OK);
		buffer_free(&call);
	}
	buffer_free(&att);
	buffer_free(&sig);
	buffer_free(&compact);
	vldaa_attestation_free(a);
	car_free(&c);
	car_free(&d);
	world_free(&w);
	ck_assert_uint_gt(freed, 10);
	ck_assert_uint_eq(dirty, 0);
	ck_assert_uint_eq(in_use(), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("wiped memory");
	TCase *tc = tcase_create("heap");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_block_that_is_not_wiped_is_noticed);
	tcase_add_loop_test(tc, what_the_roles_free_is_zero, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
