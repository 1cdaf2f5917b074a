/*
 * Promises, for every set: a pseudonym's private key in software, in each form that it is kept in,
 * lies in memory that is locked and left out of core dumps, and nowhere else in the process, also
 * after it has signed; a MEMBER object that is open lies in such memory, too; little is locked for a
 * key, since public matrices are not; memory that is given back is unlocked and has nothing of the
 * key; where the system refuses to lock, keys work all the same.
 *
 * What the kernel says of this process's memory is in /proc/self/smaps and /proc/self/status.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../support/world.h"
#include "locked.h"
#include "mldsa/poly.h"
#include "scheme/oneshot.h"
#include "scheme/scheme.h"

int __real_mlock(const void *p, size_t len);
int __wrap_mlock(const void *p, size_t len);
int __real_munmap(void *p, size_t len);
int __wrap_munmap(void *p, size_t len);

/* --- pieces of a key ---------------------------------------------------------------------------
 */

/* Masked, so that the list is not what is found. */
enum { PIECE = 24, PIECES = 4, MASK = 0x5a };
static uint8_t pieces[PIECES][PIECE];
static size_t piece_count;

static void learn(const void *p)
{
	const uint8_t *piece = p;

	ck_assert_uint_lt(piece_count, PIECES);
	for (size_t i = 0; i < PIECE; i++)
		pieces[piece_count][i] = (uint8_t)(piece[i] ^ MASK);
	piece_count++;
}

/* How often a piece is in memory.  Volatile: no copy of it is to come about. */
static size_t count_piece(const uint8_t *masked, const volatile uint8_t *p, size_t len)
{
	size_t count = 0, same;

	for (size_t i = 0; i + PIECE <= len; i++) {
		for (same = 0; same < PIECE && (p[i + same] ^ MASK) == masked[same]; same++)
			;
		count += same == PIECE;
	}
	return count;
}

/* An element of s1 or s2, as signing has it. */
static void learn_transformed(const uint8_t *packed)
{
	static vldaa_mldsa_poly a;

	vldaa_mldsa_unpack(&a, packed, 3, 2, 1);
	vldaa_mldsa_ntt(&a);
	learn(&a.c[17]);
	memset(&a, 0, sizeof a);
}

/* The object's secret comes last in it: K, s, s2 or, of a published set, e_N, e_T1.  Of s as it is
 * packed the TPM has a copy. */
static void learn_pieces(const vldaa_set *set, const buffer *object)
{
	const uint8_t *secret =
	    object->data + object->len - set->scheme->size(set, VLDAA_PART_NYM_SECRET);
	const size_t element = VLDAA_MLDSA_N * 3 / 8;

	piece_count = 0;
	learn(secret);
	if (vldaa_set_bare_size(set) != 0) {
		const uint8_t *s2 = secret + 32 + vldaa_oneshot_numbers(set)->mldsa->l * element;

		learn(s2);
		learn_transformed(secret + 32);
		learn_transformed(s2);
	}
}

/* --- what the kernel says ----------------------------------------------------------------------
 */

static struct {
	size_t pieces[PIECES]; /* found in memory that may be written to */
	size_t unlocked;       /* of them: in mappings that are not locked */
	size_t dumped;         /* of them: in mappings that dumps have */
	size_t left_out;       /* bytes that dumps do not have */
} memory;

static void look_at(const uint8_t *begin, const uint8_t *end, int is_locked, int is_left_out)
{
	for (size_t i = 0; i < piece_count; i++) {
		const size_t count = count_piece(pieces[i], begin, (size_t)(end - begin));

		memory.pieces[i] += count;
		if (!is_locked)
			memory.unlocked += count;
		if (!is_left_out)
			memory.dumped += count;
	}
	if (is_left_out)
		memory.left_out += (size_t)(end - begin);
}

static void look(void)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	unsigned long begin = 0, end = 0;
	char line[512], rights[8] = "";

	ck_assert_ptr_nonnull(f);
	memset(&memory, 0, sizeof memory);
	while (fgets(line, sizeof line, f) != NULL) {
		unsigned long from, to;

		if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) == 3) {
			begin = from;
			end = to;
		} else if (strncmp(line, "VmFlags:", 8) == 0 && strncmp(rights, "rw", 2) == 0) {
			look_at((const uint8_t *)begin, (const uint8_t *)end,
				strstr(line, " lo") != NULL, strstr(line, " dd") != NULL);
		}
	}
	(void)fclose(f);
}

/* kB that this process has locked. */
static long locked_now(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long kb = -1;

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof line, f) != NULL)
		(void)sscanf(line, "VmLck: %ld kB", &kb);
	(void)fclose(f);
	ck_assert_int_ge(kb, 0);
	return kb;
}

/* Whether this process may lock so much at all: an unprivileged one may not, everywhere. */
static int may_lock;
static int refuses;
static size_t given_back, dirty;

int __wrap_mlock(const void *p, size_t len)
{
	if (!refuses)
		return __real_mlock(p, len);
	errno = EPERM;
	return -1;
}

int __wrap_munmap(void *p, size_t len)
{
	for (size_t i = 0; i < piece_count; i++)
		dirty += count_piece(pieces[i], p, len);
	given_back++;
	return __real_munmap(p, len);
}

static int try_to_lock(void)
{
	enum { MUCH = 1 << 20 };
	void *p = mmap(NULL, MUCH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int may = p != MAP_FAILED && __real_mlock(p, MUCH) == 0;

	if (p != MAP_FAILED)
		(void)__real_munmap(p, MUCH);
	if (!may)
		(void)printf("this process may not lock 1 MiB: locks are not looked at\n");
	return may;
}

/* --- tests -------------------------------------------------------------------------------------
 */

static const char message[] = "message";

static world w;
static car c;
static buffer object;

static void set_up(int number)
{
	vldaa_member_key *member;

	world_init(&w, vldaa_set_at((size_t)number), 1);
	car_init(&c, &w, 2);
	car_join(&c);
	member = car_member_key(&c);
	object = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_PSEUDONYM));
	ck_assert_int_eq(vldaa_member_key_create(member, (const uint8_t *)"here", 4, object.data,
						 object.len, &object.len),
			 VLDAA_OK);
	vldaa_member_key_free(member);
}

static void tear_down(void)
{
	buffer_free(&object);
	car_free(&c);
	world_free(&w);
}

static vldaa_pseudonym_key *open_key(void)
{
	vldaa_pseudonym_key *key = NULL;

	ck_assert_int_eq(vldaa_pseudonym_key_new(&key, object.data, object.len), VLDAA_OK);
	return key;
}

static void sign_with(const vldaa_pseudonym_key *key)
{
	buffer signature = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_COMPACT));
	vldaa_signing *signing = NULL;

	ck_assert_int_eq(vldaa_signing_new(&signing, key, VLDAA_FORM_COMPACT), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_update(signing, message, sizeof message), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_end(signing, signature.data, signature.len, &signature.len),
			 VLDAA_OK);
	vldaa_signing_free(signing);
	buffer_free(&signature);
}

START_TEST(a_decoded_key_is_in_locked_memory_only)
{
	vldaa_pseudonym_key *key;

	set_up(_i);
	learn_pieces(w.set, &object);
	key = open_key();
	sign_with(key);
	memset(object.data, 0, object.len);
	look();
	for (size_t i = 0; i < piece_count; i++)
		ck_assert_msg(memory.pieces[i] > 0, "piece %zu is nowhere", i);
	ck_assert_uint_eq(memory.dumped, 0);
	if (may_lock)
		ck_assert_uint_eq(memory.unlocked, 0);
	given_back = 0;
	vldaa_pseudonym_key_free(key);
	ck_assert_uint_eq(given_back, 1);
	ck_assert_uint_eq(dirty, 0);
	tear_down();
}
END_TEST

START_TEST(little_is_locked_for_a_key_and_given_back_with_it)
{
	enum { KEYS = 4, MOST_KB = 36 };
	vldaa_pseudonym_key *keys[KEYS];
	long before, each;

	set_up(_i);
	before = locked_now();
	for (int i = 0; i < KEYS; i++)
		keys[i] = open_key();
	each = (locked_now() - before) / KEYS;
	if (may_lock) {
		ck_assert_int_gt(each, 0);
		ck_assert_int_le(each, MOST_KB);
	}
	for (int i = 0; i < KEYS; i++)
		vldaa_pseudonym_key_free(keys[i]);
	ck_assert_int_eq(locked_now(), before);
	/* Damaged, it is refused and leaves nothing locked. */
	object.data[object.len - 1] ^= 0xff;
	ck_assert_int_ne(vldaa_pseudonym_key_new(&keys[0], object.data, object.len), VLDAA_OK);
	ck_assert_int_eq(locked_now(), before);
	tear_down();
}
END_TEST

START_TEST(a_member_is_in_locked_memory)
{
	const vldaa_member_parts *parts;
	vldaa_member_parts p;
	size_t left_out;
	vldaa_member_key *member;
	long before;

	set_up(_i);
	p = car_parts(&c);
	parts = &p;
	before = locked_now();
	look();
	left_out = memory.left_out;
	member = car_member_key(&c);
	look();
	ck_assert_uint_ge(memory.left_out - left_out, parts->tpm_key_len + parts->host_key_len);
	if (may_lock)
		ck_assert_int_ge((locked_now() - before) * 1024,
				 (long)(parts->tpm_key_len + parts->host_key_len));
	vldaa_member_key_free(member);
	look();
	ck_assert_uint_eq(memory.left_out, left_out);
	ck_assert_int_eq(locked_now(), before);
	tear_down();
}
END_TEST

START_TEST(keys_work_where_nothing_can_be_locked)
{
	vldaa_pseudonym_key *key;
	int refused = 0;
	void *p;

	set_up(0);
	learn_pieces(w.set, &object);
	refuses = 1;
	p = vldaa_locked_new(1, 1, &refused);
	ck_assert_ptr_nonnull(p);
	ck_assert_int_eq(refused, EPERM);
	vldaa_locked_free(p, 1, 1);
	key = open_key();
	sign_with(key);
	memset(object.data, 0, object.len);
	look();
	ck_assert_uint_gt(memory.unlocked, 0);
	ck_assert_uint_eq(memory.dumped, 0);
	vldaa_pseudonym_key_free(key);
	ck_assert_uint_eq(dirty, 0);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("locked memory");
	TCase *tc = tcase_create("locked");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	may_lock = try_to_lock();
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_decoded_key_is_in_locked_memory_only, 0, sets);
	tcase_add_loop_test(tc, little_is_locked_for_a_key_and_given_back_with_it, 0, sets);
	tcase_add_loop_test(tc, a_member_is_in_locked_memory, 0, sets);
	tcase_add_test(tc, keys_work_where_nothing_can_be_locked);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
