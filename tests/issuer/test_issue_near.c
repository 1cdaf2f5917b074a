/*
 * Promises of vldaa/issue.h about keys that are near to each other (one secret could stand behind
 * both), for both one-shot sets: such a key is refused by name, whether the other member is live,
 * replaced or banned, also when the two join at once and in two processes; honest keys are not near;
 * nothing of a refused request stays behind.  A leaked key is refused with another error, too.  (Where
 * the bound is exactly: tests/unit/test_oneshot_link.c.)
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "register_helper.h"
#include "scheme/oneshot_set.h"
#include "scheme/scheme.h"
#include "support/world.h"
#include "vldaa/issue.h"
#include "wire/pack.h"

enum { CARS = 3, SETS = 2, SMALL = 2, MAX_N = 1024 };

static const char *const names[SETS] = {"VLDAA2-44", "VLDAA2-87"};

static world w;
static car cars[CARS];
static vldaa_group_services services;
static vldaa_issue_desk desk;
static buffer answer; /* room for one */
static vldaa_issue_result result;

static void open_desk(void)
{
	ck_assert_int_eq(vldaa_register_open(&desk.reg, test_path, vldaa_set_id(w.set),
					     vldaa_issuer_key_id(w.issuer)),
			 VLDAA_OK);
}

static void set_up(int i)
{
	test_setup();
	world_init(&w, vldaa_set_by_name(names[i]), 77);
	for (size_t c = 0; c < CARS; c++)
		car_init(&cars[c], &w, 100 + c);
	services =
	    (vldaa_group_services){w.revocation.spki.data, w.revocation.spki.len, w.fleet_key};
	desk = (vldaa_issue_desk){NULL, w.issuer, &services, w.roots_pem.data, w.roots_pem.len};
	ck_assert_int_eq(vldaa_register_create(&desk.reg, test_path, vldaa_set_id(w.set),
					       vldaa_issuer_key_id(w.issuer)),
			 VLDAA_OK);
	answer = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_JOIN_ANSWER));
}

static void tear_down(void)
{
	ck_assert_int_eq(vldaa_register_check(desk.reg), VLDAA_OK);
	vldaa_register_close(desk.reg);
	buffer_free(&answer);
	for (size_t c = 0; c < CARS; c++)
		car_free(&cars[c]);
	world_free(&w);
	test_teardown();
}

static buffer new_request(car *c)
{
	uint8_t nonce[32];

	ck_assert_int_eq(vldaa_register_nonce_new(desk.reg, nonce, w.now, TEST_LIFETIME), VLDAA_OK);
	return car_request(c, nonce);
}

static int issue(buffer request, int replace)
{
	size_t len;

	return vldaa_issue(&desk, request.data, request.len, w.now, replace, answer.data,
			   answer.len, &len, &result);
}

static int64_t rows(void)
{
	vldaa_register_counts c;

	ck_assert_int_eq(vldaa_register_count(desk.reg, &c), VLDAA_OK);
	return c.live + c.replaced + c.banned;
}

static uint8_t **record(car *c, size_t *len)
{
	for (size_t i = 0; i < c->store.count; i++) {
		if (c->store.rows[i].record == VLDAA_RECORD_MEMBER) {
			*len = c->store.rows[i].len;
			return &c->store.rows[i].value;
		}
	}
	ck_abort_msg("no member record");
	return NULL;
}

/* e_T in a member record: after its head, the group key and s. */
static uint8_t *error_of(car *c)
{
	const vldaa_oneshot_set *n = w.set->numbers;
	size_t len;
	uint8_t *bytes = *record(c, &len);
	const size_t s_len = vldaa_pack_small_size((size_t)n->mldsa->l * VLDAA_MLDSA_N, SMALL);

	return bytes + VLDAA_OBJECT_HEADER + 4 + w.group_key.len + s_len;
}

static void read_error(car *c, int64_t *e)
{
	const vldaa_oneshot_set *n = w.set->numbers;
	vldaa_reader rd;

	vldaa_get_init(&rd, error_of(c), vldaa_pack_small_size(n->N, SMALL));
	vldaa_unpack_small(&rd, e, n->N, SMALL);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
}

/* A TPM that its owner opened: from's s, and -e_T, which is as far from e_T as an error of its
 * length can be. */
static void share_secret(car *to, car *from)
{
	const vldaa_oneshot_set *n = w.set->numbers;
	int64_t e[MAX_N];
	vldaa_writer out;
	size_t len, from_len;
	uint8_t *bytes = *record(to, &len);

	memcpy(bytes, *record(from, &from_len), len);
	ck_assert_uint_eq(len, from_len);
	read_error(to, e);
	for (uint32_t i = 0; i < n->N; i++)
		e[i] = -e[i];
	vldaa_put_init(&out, error_of(to), vldaa_pack_small_size(n->N, SMALL));
	vldaa_pack_small(&out, e, n->N, SMALL);
}

START_TEST(a_second_error_of_a_registered_secret_is_refused_whatever_became_of_its_member)
{
	buffer first, second, replacing, third, mine;
	buffer chain;

	set_up(_i);
	share_secret(&cars[1], &cars[0]);
	first = new_request(&cars[0]);
	second = new_request(&cars[1]);
	third = new_request(&cars[2]);
	ck_assert_int_eq(issue(first, 0), VLDAA_OK);
	ck_assert_int_eq(result.near, 0);
	ck_assert_int_eq(issue(second, 0), VLDAA_ERR_KEY_NEAR);
	ck_assert_int_eq(result.near, 1);
	ck_assert_int_eq(result.member, 0);
	for (size_t i = 0; i < answer.len; i++)
		ck_assert_uint_eq(answer.data[i], 0);
	ck_assert_int_eq(issue(second, 1), VLDAA_ERR_KEY_NEAR);
	ck_assert_int_eq(rows(), 1);
	/* Honest keys, and the same request again, are as ever. */
	ck_assert_int_eq(issue(third, 0), VLDAA_OK);
	ck_assert_int_eq(issue(first, 0), VLDAA_OK);
	ck_assert_int_eq(result.repeated, 1);
	/* The same key in another request is the same key. */
	mine = new_request(&cars[0]);
	ck_assert_int_eq(issue(mine, 1), VLDAA_ERR_KEY_REGISTERED);
	/* Banned, and the second member replaced by one that is near to the first. */
	ck_assert_int_eq(vldaa_register_ban_member(desk.reg, 1, "", w.now), VLDAA_OK);
	ck_assert_int_eq(issue(second, 0), VLDAA_ERR_KEY_NEAR);
	ck_assert_int_eq(result.near, 1);
	chain = cars[1].chain;
	cars[1].chain = cars[2].chain;
	cars[2].chain = chain;
	buffer key = cars[1].endorsement.pkcs8;
	cars[1].endorsement.pkcs8 = cars[2].endorsement.pkcs8;
	cars[2].endorsement.pkcs8 = key;
	replacing = new_request(&cars[1]);
	ck_assert_int_eq(issue(replacing, 0), VLDAA_ERR_MEMBER_EXISTS);
	ck_assert_int_eq(issue(replacing, 1), VLDAA_ERR_KEY_NEAR);
	ck_assert_int_eq(test_state(desk.reg, 2), VLDAA_MEMBER_LIVE);
	ck_assert_int_eq(rows(), 2);
	buffer_free(&first);
	buffer_free(&second);
	buffer_free(&third);
	buffer_free(&mine);
	buffer_free(&replacing);
	tear_down();
}
END_TEST

/* A random source that at its first use, which is when the answer is drawn, lets another process
 * answer another request. */
typedef struct {
	test_random random;
	buffer request;
	int calls;
} racing_source;

static int racing_bytes(void *ctx, uint8_t *out, size_t len)
{
	racing_source *s = ctx;

	if (s->calls++ == 0) {
		vldaa_issue_desk other = desk;
		buffer room = buffer_new(answer.len);
		vldaa_issue_result r;
		size_t n;

		ck_assert_int_eq(
		    vldaa_issuer_new(&other.issuer, w.issuer_key.data, w.issuer_key.len), VLDAA_OK);
		ck_assert_int_eq(vldaa_register_open(&other.reg, test_path, vldaa_set_id(w.set),
						     vldaa_issuer_key_id(w.issuer)),
				 VLDAA_OK);
		ck_assert_int_eq(vldaa_issue(&other, s->request.data, s->request.len, w.now, 0,
					     room.data, room.len, &n, &r),
				 VLDAA_OK);
		vldaa_register_close(other.reg);
		vldaa_issuer_free(other.issuer);
		buffer_free(&room);
	}
	return test_random_bytes(&s->random, out, len);
}

enum { SAME, NEAR, STRANGER, OTHERS };

/* _i / SETS: who joins meanwhile. */
START_TEST(a_near_key_that_joins_while_an_answer_is_being_made_leaves_it_none)
{
	static const int expected[OTHERS] = {VLDAA_ERR_KEY_REGISTERED, VLDAA_ERR_KEY_NEAR,
					     VLDAA_OK};
	racing_source source = {.random = {5, 0, -1}};
	const int other = _i / SETS;
	buffer request;

	set_up(_i % SETS);
	share_secret(&cars[1], &cars[0]);
	request = new_request(&cars[0]);
	source.request = new_request(&cars[other]);
	vldaa_issuer_set_source(w.issuer, (vldaa_source){racing_bytes, &source});
	ck_assert_int_eq(issue(request, 0), expected[other]);
	ck_assert_int_eq(result.member, other == STRANGER ? 2 : 0);
	ck_assert_int_eq(result.near, other == NEAR);
	ck_assert_int_eq(rows(), other == STRANGER ? 2 : 1);
	ck_assert_int_ge(source.calls, 1);
	buffer_free(&source.request);
	buffer_free(&request);
	tear_down();
}
END_TEST

START_TEST(of_processes_that_issue_for_near_keys_one_succeeds)
{
	enum { ROUNDS = 3 };

	for (int round = 0; round < ROUNDS; round++) {
		int start[2], won = 0;
		buffer request[2];
		pid_t child[2];

		set_up(0);
		share_secret(&cars[1], &cars[0]);
		for (int p = 0; p < 2; p++)
			request[p] = new_request(&cars[p]);
		vldaa_register_close(desk.reg);
		ck_assert_int_eq(pipe(start), 0);
		for (int p = 0; p < 2; p++) {
			child[p] = fork();
			ck_assert_int_ge(child[p], 0);
			if (child[p] == 0) {
				char byte;
				int err;

				/* The beginning is the pipe's end. */
				(void)close(start[1]);
				if (read(start[0], &byte, 1) != 0)
					_exit(9);
				open_desk();
				err = issue(request[p], 0);
				_exit(err == VLDAA_OK ? 1 : err == VLDAA_ERR_KEY_NEAR ? 0 : 9);
			}
		}
		(void)close(start[0]);
		(void)close(start[1]);
		for (int p = 0; p < 2; p++) {
			int status;

			ck_assert_int_eq(waitpid(child[p], &status, 0), child[p]);
			ck_assert(WIFEXITED(status) && WEXITSTATUS(status) < 2);
			won += WEXITSTATUS(status);
			buffer_free(&request[p]);
		}
		ck_assert_int_eq(won, 1);
		open_desk();
		ck_assert_int_eq(rows(), 1);
		tear_down();
	}
}
END_TEST

START_TEST(a_leaked_secret_is_refused_with_another_error_too)
{
	buffer request, other;
	int64_t banned = -1;
	size_t len;
	uint8_t *key;

	set_up(_i);
	share_secret(&cars[1], &cars[0]);
	key = *record(&cars[0], &len);
	ck_assert_int_eq(vldaa_issue_rogue(&desk, key, len, w.now, &banned), VLDAA_OK);
	ck_assert_int_eq(banned, 0);
	request = new_request(&cars[1]);
	ck_assert_int_eq(issue(request, 0), VLDAA_ERR_BANNED);
	ck_assert_ptr_nonnull(strstr(result.reason, "rogue"));
	/* A member that joined with another error than the leaked record has is found too. */
	other = new_request(&cars[2]);
	ck_assert_int_eq(issue(other, 0), VLDAA_OK);
	share_secret(&cars[0], &cars[2]);
	key = *record(&cars[0], &len);
	ck_assert_int_eq(vldaa_issue_rogue(&desk, key, len, w.now, &banned), VLDAA_OK);
	ck_assert_int_eq(banned, 1);
	ck_assert_int_eq(test_state(desk.reg, 1), VLDAA_MEMBER_BANNED);
	buffer_free(&request);
	buffer_free(&other);
	tear_down();
}
END_TEST

START_TEST(a_registered_key_that_is_none_of_the_set_is_the_registers_damage)
{
	static uint8_t no_key[MAX_N * 2];
	struct test_member t;
	uint8_t nonce[32];
	buffer request;
	int64_t id;

	set_up(_i);
	memset(no_key, 0xff, sizeof no_key);
	for (int other = 0; other < 2; other++) {
		test_member_init(&t, 5 + other, 5 + other);
		/* another length; coefficients over p */
		if (other) {
			t.m.member_key = no_key;
			t.m.member_key_len = w.set->scheme->size(w.set, VLDAA_PART_MEMBER_TPM);
		}
		ck_assert_int_eq(vldaa_register_nonce_new(desk.reg, nonce, w.now, TEST_LIFETIME),
				 VLDAA_OK);
		t.m.created = w.now;
		ck_assert_int_eq(
		    vldaa_register_add(desk.reg, &id, &t.m, nonce, 0, &test_seen_members),
		    VLDAA_OK);
		request = new_request(&cars[0]);
		ck_assert_int_eq(issue(request, 0), VLDAA_ERR_STORE);
		ck_assert_ptr_nonnull(strstr(result.reason, "damaged"));
		buffer_free(&request);
		vldaa_register_close(desk.reg);
		ck_assert_int_eq(unlink(test_path), 0);
		ck_assert_int_eq(vldaa_register_create(&desk.reg, test_path, vldaa_set_id(w.set),
						       vldaa_issuer_key_id(w.issuer)),
				 VLDAA_OK);
	}
	tear_down();
}
END_TEST

START_TEST(the_issuer_role_compares_with_the_request_that_it_checked_last)
{
	vldaa_request_info info;
	buffer first, second;
	uint8_t near[MAX_N * 2];

	set_up(_i);
	share_secret(&cars[1], &cars[0]);
	first = new_request(&cars[0]);
	second = new_request(&cars[1]);
	ck_assert_int_eq(vldaa_issuer_check(w.issuer, first.data, first.len, w.roots_pem.data,
					    w.roots_pem.len, w.now, &info),
			 VLDAA_OK);
	ck_assert_uint_le(info.member_key_len, sizeof near);
	memcpy(near, info.member_key, info.member_key_len);
	ck_assert_int_eq(vldaa_issuer_is_near(w.issuer, near, info.member_key_len), 1);
	ck_assert_int_eq(vldaa_issuer_is_near(w.issuer, near, info.member_key_len - 1),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_issuer_is_near(NULL, near, info.member_key_len), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_issuer_is_near(w.issuer, NULL, info.member_key_len),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_issuer_check(w.issuer, second.data, second.len, w.roots_pem.data,
					    w.roots_pem.len, w.now, &info),
			 VLDAA_OK);
	ck_assert_mem_ne(near, info.member_key, info.member_key_len);
	ck_assert_int_eq(vldaa_issuer_is_near(w.issuer, near, info.member_key_len), 1);
	/* What is no key: 14 one bits are over p. */
	memset(near, 0xff, 2);
	ck_assert_int_eq(vldaa_issuer_is_near(w.issuer, near, info.member_key_len),
			 VLDAA_ERR_RANGE);
	second.data[second.len - 1] ^= 1;
	ck_assert_int_ne(vldaa_issuer_check(w.issuer, second.data, second.len, w.roots_pem.data,
					    w.roots_pem.len, w.now, &info),
			 VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_issuer_is_near(w.issuer, near, w.set->scheme->size(w.set, VLDAA_PART_MEMBER_TPM)),
	    VLDAA_ERR_STATE);
	buffer_free(&first);
	buffer_free(&second);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("issue: near keys");
	TCase *tc = tcase_create("near keys");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(
	    tc, a_second_error_of_a_registered_secret_is_refused_whatever_became_of_its_member, 0,
	    SETS);
	tcase_add_loop_test(tc, a_near_key_that_joins_while_an_answer_is_being_made_leaves_it_none,
			    0, OTHERS * SETS);
	tcase_add_test(tc, of_processes_that_issue_for_near_keys_one_succeeds);
	tcase_add_loop_test(tc, a_leaked_secret_is_refused_with_another_error_too, 0, SETS);
	tcase_add_loop_test(tc, a_registered_key_that_is_none_of_the_set_is_the_registers_damage, 0,
			    SETS);
	tcase_add_loop_test(tc, the_issuer_role_compares_with_the_request_that_it_checked_last, 0,
			    SETS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
