/*
 * Promises of vldaa/issue.h, under one set (TEST_ISSUE_SET): an answer leaves only when its row is durable, whatever the moment of
 * kill -9; the same request gets the same bytes, from whichever process; no tag serves twice; a
 * nonce serves one request; what is banned, leaked, damaged or another issuer's gets nothing, the
 * output is zero then and nothing is stored.
 */
#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault_vfs.h"
#include "register_helper.h"
#include "support/world.h"
#include "vldaa/issue.h"

enum { CARS = 3, MAX_STEPS = 300 };

static world w;
static car cars[CARS];
static vldaa_group_services services;
static vldaa_issue_desk desk;
static buffer answer; /* room for one */
static size_t answer_len;
static vldaa_issue_result result;

static void open_desk(void)
{
	int ret = vldaa_register_open(&desk.reg, test_path, vldaa_set_id(w.set),
				      vldaa_issuer_key_id(w.issuer));

	ck_assert_msg(ret == VLDAA_OK, "%d: %s", ret, vldaa_register_reason(desk.reg));
}

static void setup(void)
{
	test_setup();
	world_init(&w, vldaa_set_by_name(TEST_ISSUE_SET), 77);
	for (size_t i = 0; i < CARS; i++)
		car_init(&cars[i], &w, 100 + i);
	services =
	    (vldaa_group_services){w.revocation.spki.data, w.revocation.spki.len, w.fleet_key};
	desk = (vldaa_issue_desk){NULL, w.issuer, &services, w.roots_pem.data, w.roots_pem.len};
	ck_assert_int_eq(vldaa_register_create(&desk.reg, test_path, vldaa_set_id(w.set),
					       vldaa_issuer_key_id(w.issuer)),
			 VLDAA_OK);
	answer = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_JOIN_ANSWER));
}

static void teardown(void)
{
	vldaa_register_close(desk.reg);
	buffer_free(&answer);
	for (size_t i = 0; i < CARS; i++)
		car_free(&cars[i]);
	world_free(&w);
	test_teardown();
}

/* A request with a nonce of the register's. */
static buffer new_request(car *c)
{
	uint8_t nonce[32];

	ck_assert_int_eq(vldaa_register_nonce_new(desk.reg, nonce, w.now, TEST_LIFETIME), VLDAA_OK);
	return car_request(c, nonce);
}

/* vldaa_issue into answer; on an error all of it is zero. */
static int issue_at(buffer request, int64_t now, int replace)
{
	int err;

	memset(answer.data, 0xaa, answer.len);
	err = vldaa_issue(&desk, request.data, request.len, now, replace, answer.data, answer.len,
			  &answer_len, &result);
	for (size_t i = 0; err && i < answer.len; i++)
		ck_assert_uint_eq(answer.data[i], 0);
	if (err)
		ck_assert_uint_eq(answer_len, 0);
	return err;
}

static int issue(buffer request)
{
	return issue_at(request, w.now, 0);
}

static buffer copy(const void *bytes, size_t len)
{
	buffer b = buffer_new(len);

	memcpy(b.data, bytes, len);
	return b;
}

static int64_t rows(void)
{
	vldaa_register_counts c;

	ck_assert_int_eq(vldaa_register_count(desk.reg, &c), VLDAA_OK);
	return c.live + c.replaced + c.banned;
}

/* The second car gets the first one's endorsement: a TPM that was reset and made a new key. */
static void same_endorsement(car *to, const car *from)
{
	buffer_free(&to->chain);
	to->chain = copy(from->chain.data, from->chain.len);
	buffer_free(&to->endorsement.pkcs8);
	to->endorsement.pkcs8 = copy(from->endorsement.pkcs8.data, from->endorsement.pkcs8.len);
}

START_TEST(an_answered_member_signs_and_is_in_the_register)
{
	buffer request = new_request(&cars[0]), attestation;

	ck_assert_int_eq(issue(request), VLDAA_OK);
	ck_assert_int_eq(result.member, 1);
	ck_assert_int_eq(result.repeated, 0);
	ck_assert_int_eq(test_state(desk.reg, 1), VLDAA_MEMBER_LIVE);
	car_accept(&cars[0], (buffer){answer.data, answer_len});
	attestation = car_create(&cars[0], "here");
	buffer_free(&attestation);
	buffer_free(&request);
}
END_TEST

START_TEST(the_same_request_gets_the_same_bytes_and_no_second_row)
{
	buffer request = new_request(&cars[0]), first;

	ck_assert_int_eq(issue(request), VLDAA_OK);
	first = copy(answer.data, answer_len);
	/* Also when its nonce is over. */
	ck_assert_int_eq(issue_at(request, w.now + 2 * TEST_LIFETIME, 0), VLDAA_OK);
	ck_assert_int_eq(result.repeated, 1);
	ck_assert_uint_eq(answer_len, first.len);
	ck_assert_mem_eq(answer.data, first.data, first.len);
	ck_assert_int_eq(rows(), 1);
	buffer_free(&first);
	buffer_free(&request);
}
END_TEST

START_TEST(a_nonce_that_is_used_or_unknown_or_over_is_refused)
{
	uint8_t nonce[32];
	buffer first, second, unknown, late;

	ck_assert_int_eq(vldaa_register_nonce_new(desk.reg, nonce, w.now, TEST_LIFETIME), VLDAA_OK);
	first = car_request(&cars[0], nonce);
	second = car_request(&cars[1], nonce);
	ck_assert_int_eq(issue(first), VLDAA_OK);
	ck_assert_int_eq(issue(second), VLDAA_ERR_NONCE);
	memset(nonce, 9, sizeof nonce);
	unknown = car_request(&cars[1], nonce);
	ck_assert_int_eq(issue(unknown), VLDAA_ERR_NONCE);
	late = new_request(&cars[1]);
	ck_assert_int_eq(issue_at(late, w.now + TEST_LIFETIME + 1, 0), VLDAA_ERR_NONCE);
	ck_assert_int_eq(rows(), 1);
	ck_assert_int_eq(issue_at(late, w.now + TEST_LIFETIME, 0), VLDAA_OK);
	buffer_free(&first);
	buffer_free(&second);
	buffer_free(&unknown);
	buffer_free(&late);
}
END_TEST

START_TEST(a_second_live_credential_is_refused_until_the_operator_replaces_the_first)
{
	buffer first = new_request(&cars[0]), second;

	same_endorsement(&cars[1], &cars[0]);
	second = new_request(&cars[1]);
	ck_assert_int_eq(issue(first), VLDAA_OK);
	ck_assert_int_eq(issue(second), VLDAA_ERR_MEMBER_EXISTS);
	ck_assert_int_eq(rows(), 1);
	ck_assert_int_eq(issue_at(second, w.now, 1), VLDAA_OK);
	ck_assert_int_eq(test_state(desk.reg, 1), VLDAA_MEMBER_REPLACED);
	ck_assert_int_eq(test_state(desk.reg, 2), VLDAA_MEMBER_LIVE);
	/* What the first did not fetch in time it does not get any more. */
	ck_assert_int_eq(issue(first), VLDAA_ERR_MEMBER_EXISTS);
	ck_assert_int_eq(issue_at(first, w.now, 1), VLDAA_ERR_MEMBER_EXISTS);
	buffer_free(&first);
	buffer_free(&second);
}
END_TEST

START_TEST(a_member_key_that_is_registered_is_refused_also_when_replacing)
{
	buffer first = new_request(&cars[0]), again = new_request(&cars[0]);

	ck_assert_int_eq(issue(first), VLDAA_OK);
	ck_assert_int_eq(issue(again), VLDAA_ERR_KEY_REGISTERED);
	ck_assert_int_eq(issue_at(again, w.now, 1), VLDAA_ERR_KEY_REGISTERED);
	ck_assert_int_eq(rows(), 1);
	buffer_free(&first);
	buffer_free(&again);
}
END_TEST

START_TEST(what_is_banned_gets_nothing_also_not_its_old_answer)
{
	buffer first = new_request(&cars[0]), second = new_request(&cars[1]);
	uint8_t id[VLDAA_DIGEST_BYTES];

	ck_assert_int_eq(issue(first), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_ban_member(desk.reg, 1, "", w.now), VLDAA_OK);
	ck_assert_int_eq(issue(first), VLDAA_ERR_BANNED);
	/* The certificate alone, from its file. */
	ck_assert_int_eq(
	    vldaa_issuer_certificate_id(id, cars[1].chain.data + 4, cars[1].chain.len - 4),
	    VLDAA_OK);
	ck_assert_int_eq(vldaa_register_ban_certificate(desk.reg, id, "", w.now), VLDAA_OK);
	ck_assert_int_eq(issue(second), VLDAA_ERR_BANNED);
	buffer_free(&first);
	buffer_free(&second);
}
END_TEST

/* The member record of a car's TPM: what leaks when a TPM is opened. */
static buffer leaked_key(const car *c)
{
	for (size_t i = 0; i < c->store.count; i++) {
		if (c->store.rows[i].record == VLDAA_RECORD_MEMBER)
			return copy(c->store.rows[i].value, c->store.rows[i].len);
	}
	ck_abort_msg("no member record");
	return buffer_new(0);
}

START_TEST(a_leaked_key_bans_its_member_and_never_joins_and_verifiers_learn_it)
{
	buffer first = new_request(&cars[0]), second = new_request(&cars[1]);
	buffer third = new_request(&cars[2]), key, list, attestation;
	vldaa_attestation *a = NULL;
	int64_t banned = -1;
	size_t len;

	ck_assert_int_eq(issue(first), VLDAA_OK);
	car_accept(&cars[0], (buffer){answer.data, answer_len});
	attestation = car_create(&cars[0], "here");
	/* One of a member, one of a TPM that has not joined yet. */
	key = leaked_key(&cars[0]);
	ck_assert_int_eq(vldaa_issue_rogue(&desk, key.data, key.len, w.now, &banned), VLDAA_OK);
	ck_assert_int_eq(banned, 1);
	ck_assert_int_eq(test_state(desk.reg, 1), VLDAA_MEMBER_BANNED);
	buffer_free(&key);
	key = leaked_key(&cars[1]);
	ck_assert_int_eq(vldaa_issue_rogue(&desk, key.data, key.len, w.now, &banned), VLDAA_OK);
	ck_assert_int_eq(banned, 0);
	buffer_free(&key);
	ck_assert_int_eq(issue(second), VLDAA_ERR_BANNED);
	ck_assert_ptr_nonnull(strstr(result.reason, "rogue"));
	ck_assert_int_eq(issue(third), VLDAA_OK);

	ck_assert_int_eq(vldaa_attestation_new(&a, w.verifier, attestation.data, attestation.len),
			 VLDAA_OK);
	vldaa_attestation_free(a);
	list = buffer_new(1);
	ck_assert_int_eq(vldaa_issue_rogue_list(&desk, list.data, list.len, &len),
			 VLDAA_ERR_BUFFER);
	buffer_free(&list);
	list = buffer_new(len);
	ck_assert_int_eq(vldaa_issue_rogue_list(&desk, list.data, list.len, &len), VLDAA_OK);
	ck_assert_int_eq(vldaa_verifier_add_list(w.verifier, list.data, len), VLDAA_OK);
	ck_assert_int_eq(vldaa_attestation_new(&a, w.verifier, attestation.data, attestation.len),
			 VLDAA_ERR_ROGUE);
	/* The list itself can be taken over, and says no more than what is there. */
	ck_assert_int_eq(vldaa_issue_rogue(&desk, list.data, len, w.now, &banned), VLDAA_OK);
	ck_assert_int_eq(banned, 1);
	ck_assert_int_eq(test_state(desk.reg, 2), VLDAA_MEMBER_LIVE);
	buffer_free(&list);
	buffer_free(&attestation);
	buffer_free(&first);
	buffer_free(&second);
	buffer_free(&third);
}
END_TEST

/* A random source that at its first use, which is when the answer is drawn, lets another process's
 * work on the register happen: a leaked key gets onto the rogue list. */
typedef struct {
	test_random random;
	buffer key;
	int calls;
} leaking_source;

static int leaking_bytes(void *ctx, uint8_t *out, size_t len)
{
	leaking_source *s = ctx;

	if (s->calls++ == 0) {
		vldaa_issue_desk other = desk;
		int64_t banned = -1;

		ck_assert_int_eq(vldaa_register_open(&other.reg, test_path, vldaa_set_id(w.set),
						     vldaa_issuer_key_id(w.issuer)),
				 VLDAA_OK);
		ck_assert_int_eq(vldaa_issue_rogue(&other, s->key.data, s->key.len, w.now, &banned),
				 VLDAA_OK);
		ck_assert_int_eq(banned, 0);
		vldaa_register_close(other.reg);
	}
	return test_random_bytes(&s->random, out, len);
}

/* _i 0: the key that leaks is the one that is joining; 1: it is another's. */
START_TEST(a_key_that_leaks_while_its_answer_is_being_made_gets_none)
{
	buffer request = new_request(&cars[0]), early = new_request(&cars[2]);
	leaking_source source = {{5, 0, -1}, leaked_key(&cars[_i]), 0};
	buffer listed = leaked_key(&cars[2]);

	/* The list is not empty before. */
	ck_assert_int_eq(vldaa_issue_rogue(&desk, listed.data, listed.len, w.now, NULL), VLDAA_OK);
	vldaa_issuer_set_source(w.issuer, (vldaa_source){leaking_bytes, &source});
	ck_assert_int_eq(issue(early), VLDAA_ERR_BANNED);
	ck_assert_int_eq(source.calls, 0);
	if (_i) {
		ck_assert_int_eq(issue(request), VLDAA_OK);
		ck_assert_int_eq(test_state(desk.reg, 1), VLDAA_MEMBER_LIVE);
		car_accept(&cars[0], (buffer){answer.data, answer_len});
	} else {
		ck_assert_int_eq(issue(request), VLDAA_ERR_BANNED);
		ck_assert_ptr_nonnull(strstr(result.reason, "rogue"));
		ck_assert_int_eq(result.member, 0);
		ck_assert_int_eq(rows(), 0);
	}
	ck_assert_int_ge(source.calls, 1);
	buffer_free(&listed);
	buffer_free(&source.key);
	buffer_free(&early);
	buffer_free(&request);
}
END_TEST

START_TEST(an_empty_rogue_list_is_a_list_that_refuses_nobody)
{
	buffer list = buffer_new(4096);
	size_t len;

	ck_assert_int_eq(vldaa_issue_rogue_list(&desk, list.data, list.len, &len), VLDAA_OK);
	ck_assert_int_eq(vldaa_verifier_add_list(w.verifier, list.data, len), VLDAA_OK);
	buffer_free(&list);
}
END_TEST

START_TEST(a_leaked_key_of_another_group_or_no_key_is_refused_and_not_stored)
{
	vldaa_register_counts counts;
	world other;
	car stranger;
	buffer key;

	world_init(&other, w.set, 78);
	car_init(&stranger, &other, 300);
	key = leaked_key(&stranger);
	ck_assert_int_eq(vldaa_issue_rogue(&desk, key.data, key.len, w.now, NULL),
			 VLDAA_ERR_WRONG_ISSUER);
	ck_assert_int_eq(vldaa_issue_rogue(&desk, key.data, 40, w.now, NULL), VLDAA_ERR_TRUNCATED);
	ck_assert_int_eq(vldaa_issue_rogue(&desk, w.group_key.data, w.group_key.len, w.now, NULL),
			 VLDAA_ERR_KIND);
	ck_assert_int_eq(vldaa_register_count(desk.reg, &counts), VLDAA_OK);
	ck_assert_int_eq(counts.rogue, 0);
	buffer_free(&key);
	car_free(&stranger);
	world_free(&other);
}
END_TEST

START_TEST(requests_that_are_damaged_or_for_another_issuer_get_nothing_and_leave_their_nonce)
{
	buffer request = new_request(&cars[0]), foreign;
	uint8_t nonce[32];
	world other;
	car stranger;

	request.data[request.len - 1] ^= 1; /* the endorsement signature */
	ck_assert_int_lt(issue(request), 0);
	request.data[request.len - 1] ^= 1;
	request.data[200] ^= 1; /* the TPM's proof, which the endorsement covers */
	ck_assert_int_lt(issue(request), 0);
	request.data[200] ^= 1;
	ck_assert_int_eq(issue((buffer){request.data, request.len - 1}), VLDAA_ERR_TRUNCATED);
	world_init(&other, w.set, 78);
	car_init(&stranger, &other, 300);
	ck_assert_int_eq(vldaa_register_nonce_new(desk.reg, nonce, w.now, TEST_LIFETIME), VLDAA_OK);
	foreign = car_request(&stranger, nonce);
	ck_assert_int_eq(issue(foreign), VLDAA_ERR_WRONG_ISSUER);
	/* A manufacturer that this issuer does not know. */
	desk.roots = other.roots_pem.data;
	desk.roots_len = other.roots_pem.len;
	if (other.roots_pem.len != w.roots_pem.len ||
	    memcmp(other.roots_pem.data, w.roots_pem.data, w.roots_pem.len) != 0) {
		ck_assert_int_eq(issue(request), VLDAA_ERR_CERTIFICATE);
		ck_assert_ptr_nonnull(result.reason);
	}
	desk.roots = w.roots_pem.data;
	desk.roots_len = w.roots_pem.len;
	ck_assert_int_eq(rows(), 0);
	ck_assert_int_eq(issue(request), VLDAA_OK);
	buffer_free(&foreign);
	buffer_free(&request);
	car_free(&stranger);
	world_free(&other);
}
END_TEST

START_TEST(too_little_room_does_nothing_and_says_how_much_is_needed)
{
	buffer request = new_request(&cars[0]);
	size_t len = 0;

	ck_assert_int_eq(vldaa_issue(&desk, request.data, request.len, w.now, 0, answer.data,
				     answer.len - 1, &len, &result),
			 VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, answer.len);
	ck_assert_int_eq(rows(), 0);
	buffer_free(&request);
}
END_TEST

/* A random source that gives the same bytes `left` times before it goes on. */
typedef struct {
	int left;
	uint8_t fill;
} stuck_source;

START_TEST(a_call_without_a_pointer_is_the_callers_mistake_and_gives_zeroes)
{
	buffer request = new_request(&cars[0]);

	for (int missing = 0; missing < 7; missing++) {
		vldaa_issue_desk d = desk;
		size_t len = 1;

		d.reg = missing == 0 ? NULL : d.reg;
		d.issuer = missing == 1 ? NULL : d.issuer;
		d.services = missing == 2 ? NULL : d.services;
		memset(answer.data, 0xaa, answer.len);
		ck_assert_int_eq(vldaa_issue(&d, missing == 3 ? NULL : request.data, request.len,
					     w.now, 0, missing == 4 ? NULL : answer.data,
					     answer.len, missing == 5 ? NULL : &len,
					     missing == 6 ? NULL : &result),
				 VLDAA_ERR_ARGUMENT);
		for (size_t i = 0; missing != 4 && i < answer.len; i++)
			ck_assert_uint_eq(answer.data[i], 0);
		if (missing != 5)
			ck_assert_uint_eq(len, 0);
		if (missing > 1)
			continue;
		memset(answer.data, 0xaa, answer.len);
		len = 1;
		ck_assert_int_eq(vldaa_issue_rogue_list(&d, answer.data, answer.len, &len),
				 VLDAA_ERR_ARGUMENT);
		ck_assert_uint_eq(answer.data[0], 0);
		ck_assert_uint_eq(len, 0);
		ck_assert_int_eq(vldaa_issue_rogue(&d, request.data, request.len, w.now, NULL),
				 VLDAA_ERR_ARGUMENT);
	}
	ck_assert_int_eq(vldaa_issue(NULL, request.data, request.len, w.now, 0, answer.data,
				     answer.len, &answer_len, &result),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(rows(), 0);
	ck_assert_int_eq(issue(request), VLDAA_OK);
	buffer_free(&request);
}
END_TEST

static int stuck_bytes(void *ctx, uint8_t *out, size_t len)
{
	stuck_source *s = ctx;

	memset(out, s->fill, len);
	if (s->left > 0 && --s->left == 0)
		s->fill ^= 0xff;
	return VLDAA_OK;
}

static int take_tag(void *arg, const vldaa_register_member *m)
{
	buffer *tag = arg;

	*tag = copy(m->tag, m->tag_len);
	return VLDAA_OK;
}

static int take_key(void *arg, const vldaa_register_member *m)
{
	buffer *key = arg;

	*key = copy(m->member_key, m->member_key_len);
	return VLDAA_OK;
}

/* Draws for one request always the same first tag: it is put into the register before. _i 0: the
 * next draw is another one; 1: the source is stuck for ever. */
START_TEST(a_tag_that_is_taken_is_drawn_again)
{
	stuck_source source = {_i ? -1 : 1, 0x5c};
	buffer request = new_request(&cars[0]), taken = {NULL, 0}, other = {NULL, 0};
	buffer key = {NULL, 0};
	struct test_member t;
	uint8_t nonce[32];
	int64_t id;

	/* What the tag will be, from a register that is thrown away. */
	vldaa_issuer_set_source(w.issuer, (vldaa_source){stuck_bytes, &source});
	test_copy(test_path, test_file("saved"));
	ck_assert_int_eq(issue(request), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_get(desk.reg, 1, take_tag, &taken), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_get(desk.reg, 1, take_key, &key), VLDAA_OK);
	key.data[1] ^= 1; /* another member's */
	vldaa_register_close(desk.reg);
	test_copy(test_file("saved"), test_path);
	open_desk();
	test_member_init(&t, 5, 5);
	t.m.tag = taken.data;
	t.m.tag_len = taken.len;
	t.m.member_key = key.data;
	t.m.member_key_len = key.len;
	ck_assert_int_eq(vldaa_register_nonce_new(desk.reg, nonce, w.now, TEST_LIFETIME), VLDAA_OK);
	t.m.created = w.now;
	ck_assert_int_eq(vldaa_register_add(desk.reg, &id, &t.m, nonce, 0, &test_seen_members),
			 VLDAA_OK);

	source = (stuck_source){_i ? -1 : 1, 0x5c};
	if (_i) {
		ck_assert_int_eq(issue(request), VLDAA_ERR_ATTEMPTS);
		ck_assert_int_eq(rows(), 1);
	} else {
		ck_assert_int_eq(issue(request), VLDAA_OK);
		ck_assert_int_eq(source.left, 0);
		ck_assert_int_eq(vldaa_register_get(desk.reg, 2, take_tag, &other), VLDAA_OK);
		ck_assert(other.len != taken.len || memcmp(other.data, taken.data, taken.len) != 0);
		car_accept(&cars[0], (buffer){answer.data, answer_len});
		buffer_free(&other);
	}
	buffer_free(&taken);
	buffer_free(&key);
	buffer_free(&request);
}
END_TEST

/* --- crashes -----------------------------------------------------------------------------------
 */

/* In a child: issues and writes the answer to fd; killed before the disk's operation `at`, or ends
 * with 0, or with 1 when it was refused.  Returns its wait status. */
static int issue_in_child(buffer request, enum fault fault, int at, int fd)
{
	int status;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		fault_install(fault, at);
		open_desk();
		if (issue(request) != VLDAA_OK)
			_exit(1);
		_exit(write(fd, answer.data, answer_len) == (ssize_t)answer_len ? 0 : 2);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status;
}

/* What came out of the pipe, without waiting. */
static size_t read_released(int fds[2], uint8_t *out, size_t cap)
{
	size_t have = 0;
	ssize_t n;

	(void)close(fds[1]);
	while ((n = read(fds[0], out + have, cap - have)) > 0)
		have += (size_t)n;
	(void)close(fds[0]);
	return have;
}

START_TEST(killed_at_any_moment_what_was_released_is_what_is_given_again)
{
	buffer request = new_request(&cars[0]), released = buffer_new(answer.len);
	int status = -1, at = 0, found = 0, missing = 0;

	vldaa_register_close(desk.reg);
	test_copy(test_path, test_file("template"));
	while (status != 0) {
		uint8_t digest[32];
		size_t len;
		int fds[2], err;

		test_copy(test_file("template"), test_path);
		ck_assert_int_eq(pipe(fds), 0);
		status = issue_in_child(request, FAULT_KILL, ++at, fds[1]);
		len = read_released(fds, released.data, released.len);
		ck_assert(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
		/* Released only when it ended. */
		ck_assert_int_eq(len > 0, status == 0);

		open_desk();
		ck_assert_int_eq(
		    vldaa_issuer_request_digest(w.issuer, request.data, request.len, digest),
		    VLDAA_OK);
		err = vldaa_register_find_answer(desk.reg, answer.data, answer.len, &answer_len,
						 digest);
		ck_assert(err == VLDAA_OK || (err == VLDAA_ERR_NO_CREDENTIAL && len == 0));
		found += err == VLDAA_OK;
		missing += err != VLDAA_OK;
		/* Once more, and all is well. */
		ck_assert_int_eq(issue(request), VLDAA_OK);
		ck_assert_int_eq(result.repeated, err == VLDAA_OK);
		if (len > 0) {
			ck_assert_uint_eq(len, answer_len);
			ck_assert_mem_eq(released.data, answer.data, len);
		}
		ck_assert_int_eq(rows(), 1);
		vldaa_register_close(desk.reg);
		ck_assert_int_lt(at, MAX_STEPS);
	}
	ck_assert_int_gt(missing, 5);
	ck_assert_int_ge(found, 1);
	open_desk();
	buffer_free(&released);
	buffer_free(&request);
}
END_TEST

/* _i: 0 the disk is full, 1 syncs fail. */
START_TEST(a_disk_that_refuses_releases_nothing_and_the_next_attempt_succeeds)
{
	buffer request = new_request(&cars[0]);
	int failures = 0, err = -1;

	vldaa_register_close(desk.reg);
	test_copy(test_path, test_file("template"));
	for (int at = 1; err != VLDAA_OK; at++) {
		test_copy(test_file("template"), test_path);
		fault_install(_i ? FAULT_SYNC : FAULT_FULL, at);
		open_desk();
		err = issue(request);
		fault_clear();
		if (err != VLDAA_OK) {
			failures++;
			ck_assert_int_eq(err, VLDAA_ERR_STORE);
			ck_assert_ptr_nonnull(result.reason);
			ck_assert_int_eq(rows(), 0);
			ck_assert_int_eq(issue(request), VLDAA_OK);
		}
		ck_assert_int_eq(rows(), 1);
		vldaa_register_close(desk.reg);
		ck_assert_int_lt(at, MAX_STEPS);
	}
	ck_assert_int_gt(failures, 2);
	open_desk();
	buffer_free(&request);
}
END_TEST

/* Several processes with the same request: all get the same answer, and there is one row. */
START_TEST(processes_that_issue_for_the_same_request_give_the_same_bytes)
{
	enum { PROCESSES = 3, ROUNDS = 3 };
	buffer got = buffer_new(answer.len);

	for (int round = 0; round < ROUNDS; round++) {
		buffer request = new_request(&cars[round]);
		int fds[PROCESSES][2], start[2], status;
		pid_t child[PROCESSES];

		vldaa_register_close(desk.reg);
		ck_assert_int_eq(pipe(start), 0);
		for (int p = 0; p < PROCESSES; p++) {
			ck_assert_int_eq(pipe(fds[p]), 0);
			child[p] = fork();
			ck_assert_int_ge(child[p], 0);
			if (child[p] == 0) {
				char byte;
				/* The beginning is the pipe's end. */
				(void)close(start[1]);
				if (read(start[0], &byte, 1) != 0)
					_exit(1);
				open_desk();
				if (issue(request) != VLDAA_OK ||
				    write(fds[p][1], answer.data, answer_len) !=
					(ssize_t)answer_len)
					_exit(2);
				_exit(0);
			}
		}
		(void)close(start[0]);
		(void)close(start[1]);
		for (int p = 0; p < PROCESSES; p++) {
			ck_assert_int_eq(waitpid(child[p], &status, 0), child[p]);
			ck_assert_int_eq(status, 0);
		}
		open_desk();
		ck_assert_int_eq(issue(request), VLDAA_OK);
		ck_assert_int_eq(result.repeated, 1);
		for (int p = 0; p < PROCESSES; p++) {
			ck_assert_uint_eq(read_released(fds[p], got.data, got.len), answer_len);
			ck_assert_mem_eq(got.data, answer.data, answer_len);
		}
		ck_assert_int_eq(rows(), round + 1);
		buffer_free(&request);
	}
	buffer_free(&got);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("issue");
	TCase *tc = tcase_create("issue");
	SRunner *sr;
	int failed;

	tcase_set_timeout(tc, 300);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, an_answered_member_signs_and_is_in_the_register);
	tcase_add_test(tc, the_same_request_gets_the_same_bytes_and_no_second_row);
	tcase_add_test(tc, a_nonce_that_is_used_or_unknown_or_over_is_refused);
	tcase_add_test(tc,
		       a_second_live_credential_is_refused_until_the_operator_replaces_the_first);
	tcase_add_test(tc, a_member_key_that_is_registered_is_refused_also_when_replacing);
	tcase_add_test(tc, what_is_banned_gets_nothing_also_not_its_old_answer);
	tcase_add_test(tc, a_leaked_key_bans_its_member_and_never_joins_and_verifiers_learn_it);
	tcase_add_loop_test(tc, a_key_that_leaks_while_its_answer_is_being_made_gets_none, 0, 2);
	tcase_add_test(tc, an_empty_rogue_list_is_a_list_that_refuses_nobody);
	tcase_add_test(tc, a_leaked_key_of_another_group_or_no_key_is_refused_and_not_stored);
	tcase_add_test(
	    tc, requests_that_are_damaged_or_for_another_issuer_get_nothing_and_leave_their_nonce);
	tcase_add_test(tc, too_little_room_does_nothing_and_says_how_much_is_needed);
	tcase_add_test(tc, a_call_without_a_pointer_is_the_callers_mistake_and_gives_zeroes);
	tcase_add_loop_test(tc, a_tag_that_is_taken_is_drawn_again, 0, 2);
	tcase_add_test(tc, killed_at_any_moment_what_was_released_is_what_is_given_again);
	tcase_add_loop_test(tc, a_disk_that_refuses_releases_nothing_and_the_next_attempt_succeeds,
			    0, 2);
	tcase_add_test(tc, processes_that_issue_for_the_same_request_give_the_same_bytes);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
