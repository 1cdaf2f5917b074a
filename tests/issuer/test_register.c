/*
 * Promises of vldaa/register.h on what is registered: a nonce serves once and in time; a tag and a
 * member key are in one row for ever; a certificate has one live member, unless the operator
 * replaces it; the same request finds the same bytes; bans and the rogue list keep members out;
 * nothing of an addition that is refused stays behind; rows cannot be deleted by hand.
 */
#include <check.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "register_helper.h"

static vldaa_register *reg;

static void setup(void)
{
	test_setup();
	reg = test_create();
}

static void teardown(void)
{
	/* Whatever a test did, the file is whole. */
	ck_assert_msg(vldaa_register_check(reg) == VLDAA_OK, "%s", vldaa_register_reason(reg));
	vldaa_register_close(reg);
	test_teardown();
}

static void new_nonce(uint8_t nonce[32])
{
	ck_assert_int_eq(vldaa_register_nonce_new(reg, nonce, TEST_NOW, TEST_LIFETIME), VLDAA_OK);
}

static void join(int n, int certificate, int replace, int64_t expected_id)
{
	int64_t id = -1;

	ck_assert_int_eq(test_join(reg, n, certificate, replace, &id), VLDAA_OK);
	ck_assert_int_eq(id, expected_id);
}

/* What both admit and add answer for member n. */
static int try_both(struct test_member *t, int replace)
{
	uint8_t nonce[32];
	int64_t id = -1;

	new_nonce(nonce);
	int advice = vldaa_register_admit(reg, nonce, t->m.key_digest, t->m.certificate_id, replace,
					  TEST_NOW);
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t->m, nonce, replace, &test_seen_members),
			 advice);
	ck_assert_int_eq(id != 0, advice == VLDAA_OK);
	return advice;
}

START_TEST(a_member_is_admitted_added_and_found_again)
{
	struct test_member t;
	uint8_t nonce[32];
	int64_t id;

	test_member_init(&t, 1, 1);
	new_nonce(nonce);
	ck_assert_int_eq(test_find(reg, 1), VLDAA_ERR_NO_CREDENTIAL);
	ck_assert_int_eq(
	    vldaa_register_admit(reg, nonce, t.m.key_digest, t.m.certificate_id, 0, TEST_NOW),
	    VLDAA_OK);
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 0, &test_seen_members),
			 VLDAA_OK);
	ck_assert_int_eq(id, 1);
	ck_assert_int_eq(test_find(reg, 1), VLDAA_OK);
	ck_assert_int_eq(test_find(reg, 2), VLDAA_ERR_NO_CREDENTIAL);
	/* In another handle, too: it is in the file. */
	vldaa_register *other = test_open();
	ck_assert_int_eq(test_find(other, 1), VLDAA_OK);
	vldaa_register_close(other);
}
END_TEST

START_TEST(an_answers_size_is_told)
{
	struct test_member t;
	uint8_t out[600];
	size_t len = 99;

	test_member_init(&t, 1, 1);
	ck_assert_int_eq(vldaa_register_find_answer(reg, NULL, 0, &len, t.m.request_digest),
			 VLDAA_ERR_NO_CREDENTIAL);
	ck_assert_uint_eq(len, 0);
	join(1, 1, 0, 1);
	ck_assert_int_eq(vldaa_register_find_answer(reg, NULL, 0, &len, t.m.request_digest),
			 VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, sizeof out);
	ck_assert_int_eq(vldaa_register_find_answer(reg, out, len - 1, &len, t.m.request_digest),
			 VLDAA_ERR_BUFFER);
	ck_assert_int_eq(vldaa_register_find_answer(reg, out, len, &len, t.m.request_digest),
			 VLDAA_OK);
}
END_TEST

START_TEST(a_nonce_that_was_never_given_out_is_refused)
{
	struct test_member t;
	uint8_t nonce[32];
	int64_t id;

	test_member_init(&t, 1, 1);
	new_nonce(nonce);
	nonce[31] ^= 1;
	ck_assert_int_eq(
	    vldaa_register_admit(reg, nonce, t.m.key_digest, t.m.certificate_id, 0, TEST_NOW),
	    VLDAA_ERR_NONCE);
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 0, &test_seen_members),
			 VLDAA_ERR_NONCE);
	ck_assert_int_eq(id, 0);
	ck_assert_int_eq(test_find(reg, 1), VLDAA_ERR_NO_CREDENTIAL);
}
END_TEST

START_TEST(a_nonce_serves_once)
{
	struct test_member a;
	struct test_member b;
	uint8_t nonce[32];
	int64_t id;

	test_member_init(&a, 1, 1);
	test_member_init(&b, 2, 2);
	new_nonce(nonce);
	ck_assert_int_eq(vldaa_register_add(reg, &id, &a.m, nonce, 0, &test_seen_members),
			 VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_register_admit(reg, nonce, b.m.key_digest, b.m.certificate_id, 0, TEST_NOW),
	    VLDAA_ERR_NONCE);
	ck_assert_int_eq(vldaa_register_add(reg, &id, &b.m, nonce, 0, &test_seen_members),
			 VLDAA_ERR_NONCE);
	/* The same request once more: the caller is told to look for its answer. */
	ck_assert_int_eq(vldaa_register_add(reg, &id, &a.m, nonce, 0, &test_seen_members),
			 VLDAA_ERR_NONCE);
	ck_assert_int_eq(test_find(reg, 1), VLDAA_OK);
}
END_TEST

START_TEST(a_nonce_serves_until_its_last_second_and_not_after)
{
	struct test_member t;
	uint8_t nonce[32];
	uint8_t other[32];
	int64_t id;
	vldaa_register_counts c;

	test_member_init(&t, 1, 1);
	new_nonce(nonce);
	t.m.created = TEST_NOW + TEST_LIFETIME + 1;
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 0, &test_seen_members),
			 VLDAA_ERR_NONCE);
	/* Giving out another one, in its last second, does not forget it. */
	ck_assert_int_eq(
	    vldaa_register_nonce_new(reg, other, TEST_NOW + TEST_LIFETIME, TEST_LIFETIME),
	    VLDAA_OK);
	ck_assert_mem_ne(nonce, other, 32);
	t.m.created = TEST_NOW + TEST_LIFETIME;
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 0, &test_seen_members),
			 VLDAA_OK);
	/* Later they are forgotten: the unused one, too. */
	ck_assert_int_eq(vldaa_register_count(reg, &c), VLDAA_OK);
	ck_assert_int_eq(c.nonces, 1);
	ck_assert_int_eq(vldaa_register_nonce_new(reg, nonce, TEST_NOW + 3 * TEST_LIFETIME, 1),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_register_count(reg, &c), VLDAA_OK);
	ck_assert_int_eq(c.nonces, 1);
	/* The answer is not. */
	ck_assert_int_eq(test_find(reg, 1), VLDAA_OK);
}
END_TEST

START_TEST(a_tag_is_taken_for_ever_and_the_nonce_is_not_lost_by_trying)
{
	struct test_member t;
	uint8_t nonce[32];
	int64_t id;
	int used = 0;

	join(1, 1, 0, 1);
	test_member_init(&t, 1, 1);
	ck_assert_int_eq(vldaa_register_tag_used(reg, &used, t.tag, sizeof t.tag), VLDAA_OK);
	ck_assert_int_eq(used, 1);
	/* Replaced and banned members keep their tags. */
	join(2, 1, 1, 2);
	ck_assert_int_eq(vldaa_register_ban_member(reg, 1, "", TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_tag_used(reg, &used, t.tag, sizeof t.tag), VLDAA_OK);
	ck_assert_int_eq(used, 1);
	test_member_init(&t, 3, 3);
	ck_assert_int_eq(vldaa_register_tag_used(reg, &used, t.tag, sizeof t.tag), VLDAA_OK);
	ck_assert_int_eq(used, 0);
	struct test_member first;
	test_member_init(&first, 1, 1);
	t.m.tag = first.tag;
	new_nonce(nonce);
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 0, &test_seen_members),
			 VLDAA_ERR_TAG);
	ck_assert_int_eq(id, 0);
	t.m.tag = t.tag;
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 0, &test_seen_members),
			 VLDAA_OK);
}
END_TEST

START_TEST(a_member_key_is_registered_once_also_after_it_was_replaced)
{
	struct test_member t;

	join(1, 1, 0, 1);
	test_member_init(&t, 2, 2);
	test_id(t.m.key_digest, 'K', 1);
	ck_assert_int_eq(try_both(&t, 0), VLDAA_ERR_KEY_REGISTERED);
	join(3, 1, 1, 2);
	ck_assert_int_eq(try_both(&t, 1), VLDAA_ERR_KEY_REGISTERED);
	test_id(t.m.key_digest, 'K', 2);
	ck_assert_int_eq(try_both(&t, 0), VLDAA_OK);
}
END_TEST

START_TEST(a_certificate_has_one_live_member_unless_it_is_replaced)
{
	struct test_member t;

	join(1, 1, 0, 1);
	test_member_init(&t, 2, 1);
	ck_assert_int_eq(try_both(&t, 0), VLDAA_ERR_MEMBER_EXISTS);
	ck_assert_int_eq(test_state(reg, 1), VLDAA_MEMBER_LIVE);
	ck_assert_int_eq(try_both(&t, 1), VLDAA_OK);
	ck_assert_int_eq(test_state(reg, 1), VLDAA_MEMBER_REPLACED);
	ck_assert_int_eq(test_state(reg, 2), VLDAA_MEMBER_LIVE);
	/* The one that was replaced gets its answer no more; the new one does. */
	ck_assert_int_eq(test_find(reg, 1), VLDAA_ERR_MEMBER_EXISTS);
	ck_assert_int_eq(test_find(reg, 2), VLDAA_OK);
	/* Replacing nobody is no mistake. */
	test_member_init(&t, 3, 3);
	ck_assert_int_eq(try_both(&t, 1), VLDAA_OK);
}
END_TEST

START_TEST(a_refused_replacement_leaves_the_live_member)
{
	struct test_member t;
	struct test_member first;
	uint8_t nonce[32];
	int64_t id;

	join(1, 1, 0, 1);
	test_member_init(&first, 1, 1);
	test_member_init(&t, 2, 1);
	t.m.tag = first.tag;
	new_nonce(nonce);
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 1, &test_seen_members),
			 VLDAA_ERR_TAG);
	/* A request digest that is there already fails in the very last step, the insertion. */
	t.m.tag = t.tag;
	memcpy(t.m.request_digest, first.m.request_digest, 32);
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 1, &test_seen_members),
			 VLDAA_ERR_STORE);
	ck_assert_str_ne(vldaa_register_reason(reg), "");
	ck_assert_int_eq(test_state(reg, 1), VLDAA_MEMBER_LIVE);
	ck_assert_int_eq(test_find(reg, 1), VLDAA_OK);
	test_id(t.m.request_digest, 'R', 2);
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 1, &test_seen_members),
			 VLDAA_OK);
	ck_assert_str_eq(vldaa_register_reason(reg), "");
}
END_TEST

START_TEST(a_banned_member_stays_out_but_its_certificate_can_be_replaced)
{
	struct test_member t;

	join(1, 1, 0, 1);
	ck_assert_int_eq(vldaa_register_ban_member(reg, 1, "cloned", TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_ban_member(reg, 1, "again", TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_ban_member(reg, 2, "", TEST_NOW), VLDAA_ERR_NO_CREDENTIAL);
	ck_assert_int_eq(test_state(reg, 1), VLDAA_MEMBER_BANNED);
	ck_assert_int_eq(test_find(reg, 1), VLDAA_ERR_BANNED);
	/* Its key is banned with any certificate. */
	test_member_init(&t, 2, 2);
	test_id(t.m.key_digest, 'K', 1);
	ck_assert_int_eq(try_both(&t, 1), VLDAA_ERR_BANNED);
	test_member_init(&t, 2, 1);
	ck_assert_int_eq(try_both(&t, 0), VLDAA_ERR_MEMBER_EXISTS);
	ck_assert_int_eq(try_both(&t, 1), VLDAA_OK);
	ck_assert_int_eq(test_state(reg, 1), VLDAA_MEMBER_BANNED);
	ck_assert_int_eq(test_state(reg, 2), VLDAA_MEMBER_LIVE);
}
END_TEST

START_TEST(a_banned_certificate_stays_out_with_any_key)
{
	struct test_member t;
	uint8_t id[32];

	join(1, 1, 0, 1);
	join(2, 2, 0, 2);
	test_id(id, 'C', 1);
	ck_assert_int_eq(vldaa_register_ban_certificate(reg, id, "stolen", TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_ban_certificate(reg, id, "stolen", TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(test_state(reg, 1), VLDAA_MEMBER_BANNED);
	ck_assert_int_eq(test_state(reg, 2), VLDAA_MEMBER_LIVE);
	ck_assert_int_eq(test_find(reg, 1), VLDAA_ERR_BANNED);
	test_member_init(&t, 3, 1);
	ck_assert_int_eq(try_both(&t, 0), VLDAA_ERR_BANNED);
	ck_assert_int_eq(try_both(&t, 1), VLDAA_ERR_BANNED);
	/* One that never joined. */
	test_id(id, 'C', 4);
	ck_assert_int_eq(vldaa_register_ban_certificate(reg, id, "", TEST_NOW), VLDAA_OK);
	test_member_init(&t, 4, 4);
	ck_assert_int_eq(try_both(&t, 0), VLDAA_ERR_BANNED);
}
END_TEST

struct bans {
	int count;
	int members;
	char reasons[128];
};

static int collect_ban(void *arg, const uint8_t *certificate_id, int64_t member_id,
		       const char *reason, int64_t created)
{
	struct bans *b = arg;

	ck_assert_int_eq(certificate_id == NULL, member_id != 0);
	ck_assert_int_eq(created, TEST_NOW);
	b->count++;
	b->members += member_id != 0;
	strcat(b->reasons, reason);
	strcat(b->reasons, ";");
	return VLDAA_OK;
}

START_TEST(bans_are_listed_with_their_reasons)
{
	struct bans b = {0};
	uint8_t id[32];

	join(1, 1, 0, 1);
	test_id(id, 'C', 9);
	ck_assert_int_eq(vldaa_register_ban_certificate(reg, id, "stolen", TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_ban_member(reg, 1, "cloned", TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_ban_member(reg, 1, "other", TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_list_bans(reg, collect_ban, &b), VLDAA_OK);
	ck_assert_int_eq(b.count, 2);
	ck_assert_int_eq(b.members, 1);
	ck_assert_str_eq(b.reasons, "stolen;cloned;");
	char long_reason[VLDAA_REGISTER_MAX_REASON + 2];
	memset(long_reason, 'x', sizeof long_reason);
	long_reason[VLDAA_REGISTER_MAX_REASON + 1] = '\0';
	ck_assert_int_eq(vldaa_register_ban_member(reg, 1, long_reason, TEST_NOW),
			 VLDAA_ERR_ARGUMENT);
}
END_TEST

static int collect_rogue(void *arg, const uint8_t *entry, size_t len)
{
	char *out = arg;

	strncat(out, (const char *)entry, len);
	strcat(out, ";");
	return VLDAA_OK;
}

START_TEST(a_key_on_the_rogue_list_is_refused_and_its_member_banned)
{
	struct test_member t;
	uint8_t digest[32];
	char out[64] = "";
	const uint8_t *first = (const uint8_t *)"first";
	const uint8_t *second = (const uint8_t *)"second";

	join(1, 1, 0, 1);
	join(2, 2, 0, 2);
	/* Without a digest it is only listed. */
	ck_assert_int_eq(vldaa_register_rogue_add(reg, first, 5, NULL, TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(test_state(reg, 1), VLDAA_MEMBER_LIVE);
	test_id(digest, 'K', 1);
	ck_assert_int_eq(vldaa_register_rogue_add(reg, first, 5, digest, TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(test_state(reg, 1), VLDAA_MEMBER_BANNED);
	ck_assert_int_eq(test_state(reg, 2), VLDAA_MEMBER_LIVE);
	/* A key that nobody registered yet. */
	test_id(digest, 'K', 3);
	ck_assert_int_eq(vldaa_register_rogue_add(reg, second, 6, digest, TEST_NOW), VLDAA_OK);
	test_member_init(&t, 3, 3);
	ck_assert_int_eq(try_both(&t, 0), VLDAA_ERR_BANNED);
	ck_assert_int_eq(vldaa_register_rogue_each(reg, collect_rogue, out), VLDAA_OK);
	ck_assert_str_eq(out, "first;second;");
}
END_TEST

struct listing {
	int64_t ids[16];
	int count;
	int stop_at;
	int add;
};

static int collect_member(void *arg, const vldaa_register_member *m)
{
	struct listing *l = arg;

	l->ids[l->count++] = m->id;
	if (l->add) {
		int64_t id;
		l->add = 0;
		ck_assert_int_eq(test_join(reg, 50, 50, 0, &id), VLDAA_OK);
	}
	return l->count == l->stop_at ? 7 : VLDAA_OK;
}

START_TEST(listings_are_in_order_and_filtered)
{
	struct listing l = {0};
	uint8_t id[32];

	join(1, 1, 0, 1);
	join(2, 2, 0, 2);
	join(3, 1, 1, 3);
	join(4, 4, 0, 4);
	ck_assert_int_eq(vldaa_register_ban_member(reg, 4, "", TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_list(reg, NULL, collect_member, &l), VLDAA_OK);
	ck_assert_int_eq(l.count, 4);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(l.ids[i], i + 1);

	l = (struct listing){0};
	vldaa_register_filter f = {.states = 1u << VLDAA_MEMBER_LIVE};
	ck_assert_int_eq(vldaa_register_list(reg, &f, collect_member, &l), VLDAA_OK);
	ck_assert_int_eq(l.count, 2);
	ck_assert_int_eq(l.ids[0], 2);
	ck_assert_int_eq(l.ids[1], 3);

	l = (struct listing){0};
	test_id(id, 'C', 1);
	f = (vldaa_register_filter){.certificate_id = id};
	ck_assert_int_eq(vldaa_register_list(reg, &f, collect_member, &l), VLDAA_OK);
	ck_assert_int_eq(l.count, 2);
	ck_assert_int_eq(l.ids[0], 1);
	ck_assert_int_eq(l.ids[1], 3);

	l = (struct listing){0};
	f = (vldaa_register_filter){.after = 3};
	ck_assert_int_eq(vldaa_register_list(reg, &f, collect_member, &l), VLDAA_OK);
	ck_assert_int_eq(l.count, 1);
	ck_assert_int_eq(l.ids[0], 4);
}
END_TEST

START_TEST(a_listing_can_be_ended_and_the_register_used_in_the_middle)
{
	struct listing l = {.stop_at = 2};

	join(1, 1, 0, 1);
	join(2, 2, 0, 2);
	join(3, 3, 0, 3);
	ck_assert_int_eq(vldaa_register_list(reg, NULL, collect_member, &l), 7);
	ck_assert_int_eq(l.count, 2);
	l = (struct listing){.add = 1};
	ck_assert_int_eq(vldaa_register_list(reg, NULL, collect_member, &l), VLDAA_OK);
	ck_assert_int_eq(l.count, 4);
}
END_TEST

static int compare_member(void *arg, const vldaa_register_member *m)
{
	const struct test_member *t = arg;

	ck_assert_mem_eq(m->key_digest, t->m.key_digest, 32);
	ck_assert_mem_eq(m->host_key_digest, t->m.host_key_digest, 32);
	ck_assert_mem_eq(m->certificate_id, t->m.certificate_id, 32);
	ck_assert_mem_eq(m->request_digest, t->m.request_digest, 32);
	ck_assert_uint_eq(m->tag_len, sizeof t->tag);
	ck_assert_mem_eq(m->tag, t->tag, sizeof t->tag);
	ck_assert_uint_eq(m->member_key_len, sizeof t->key);
	ck_assert_mem_eq(m->member_key, t->key, sizeof t->key);
	ck_assert_uint_eq(m->certificate_len, sizeof t->certificate);
	ck_assert_mem_eq(m->certificate, t->certificate, sizeof t->certificate);
	ck_assert_uint_eq(m->answer_len, sizeof t->answer);
	ck_assert_mem_eq(m->answer, t->answer, sizeof t->answer);
	ck_assert_int_eq(m->created, TEST_NOW);
	ck_assert_int_eq(m->replaced_by, 3);
	return 5;
}

START_TEST(a_row_is_given_back_as_it_was_added)
{
	struct test_member t;

	join(1, 1, 0, 1);
	join(2, 2, 0, 2);
	join(3, 1, 1, 3);
	test_member_init(&t, 1, 1);
	ck_assert_int_eq(vldaa_register_get(reg, 1, compare_member, &t), 5);
	ck_assert_int_eq(vldaa_register_get(reg, 4, compare_member, &t), VLDAA_ERR_NO_CREDENTIAL);
}
END_TEST

START_TEST(counts_count)
{
	vldaa_register_counts c;
	uint8_t nonce[32];
	uint8_t id[32];

	join(1, 1, 0, 1);
	join(2, 2, 0, 2);
	join(3, 1, 1, 3);
	join(4, 4, 0, 4);
	join(5, 5, 0, 5);
	new_nonce(nonce);
	test_id(id, 'C', 4);
	ck_assert_int_eq(vldaa_register_ban_certificate(reg, id, "", TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_rogue_add(reg, (const uint8_t *)"e", 1, NULL, TEST_NOW),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_register_count(reg, &c), VLDAA_OK);
	ck_assert_int_eq(c.live, 3);
	ck_assert_int_eq(c.replaced, 1);
	ck_assert_int_eq(c.banned, 1);
	ck_assert_int_eq(c.bans, 1);
	ck_assert_int_eq(c.rogue, 1);
	ck_assert_int_eq(c.nonces, 1);
}
END_TEST

START_TEST(rows_cannot_be_deleted_changed_or_revived_by_hand)
{
	static const char *const refused[] = {
	    "DELETE FROM members",
	    "UPDATE members SET tag = x'00' WHERE id = 2",
	    "UPDATE members SET answer = x'00'",
	    "UPDATE members SET key_digest = zeroblob(32) WHERE id = 2",
	    "UPDATE members SET state = 1 WHERE id = 1",
	    "UPDATE members SET state = 4 WHERE id = 1",
	    ("INSERT INTO members SELECT 9, tag, zeroblob(32), host_key_digest, member_key, "
	     "certificate_id, certificate, zeroblob(32), answer, created, 2, NULL FROM members"),
	};
	sqlite3 *db;

	join(1, 1, 0, 1);
	join(2, 1, 1, 2);
	ck_assert_int_eq(sqlite3_open(test_path, &db), SQLITE_OK);
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		int rc = sqlite3_exec(db, refused[i], NULL, NULL, NULL);
		ck_assert_msg(rc == SQLITE_CONSTRAINT, "%s: %d", refused[i], rc);
	}
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	ck_assert_int_eq(test_find(reg, 2), VLDAA_OK);
}
END_TEST

START_TEST(missing_arguments_are_the_callers_mistake)
{
	struct test_member t;
	uint8_t nonce[32];
	int64_t id;
	int used;
	size_t len;

	new_nonce(nonce);
	ck_assert_int_eq(vldaa_register_nonce_new(NULL, nonce, TEST_NOW, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_nonce_new(reg, NULL, TEST_NOW, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_nonce_new(reg, nonce, -1, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_nonce_new(reg, nonce, INT64_MAX, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_nonce_new(reg, nonce, TEST_NOW, 0), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_nonce_new(reg, nonce, TEST_NOW, INT64_MAX),
			 VLDAA_ERR_ARGUMENT);
	new_nonce(nonce);
	for (int i = 0; i < 8; i++) {
		test_member_init(&t, 1, 1);
		switch (i) {
		case 0:
			t.m.tag = NULL;
			break;
		case 1:
			t.m.tag_len = 0;
			break;
		case 2:
			t.m.answer_len = 0;
			break;
		case 3:
			t.m.answer = NULL;
			break;
		case 4:
			t.m.member_key = NULL;
			break;
		case 5:
			t.m.certificate_len = (size_t)VLDAA_REGISTER_MAX_BLOB + 1;
			break;
		case 6:
			t.m.created = -1;
			break;
		default:
			break;
		}
		ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 0, &test_seen_members),
				 i < 7 ? VLDAA_ERR_ARGUMENT : VLDAA_OK);
	}
	ck_assert_int_eq(vldaa_register_add(reg, NULL, &t.m, nonce, 0, &test_seen_members),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_add(reg, &id, NULL, nonce, 0, &test_seen_members),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 0, NULL), VLDAA_ERR_ARGUMENT);
	for (int i = 0; i < 2; i++) {
		const vldaa_register_seen seen = {-i, i - 1};
		ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 0, &seen),
				 VLDAA_ERR_ARGUMENT);
	}
	ck_assert_int_eq(vldaa_register_tag_used(reg, &used, NULL, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_find_answer(reg, NULL, 1, &len, t.m.request_digest),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_list(reg, NULL, NULL, NULL), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_count(reg, NULL), VLDAA_ERR_ARGUMENT);
	vldaa_register_close(NULL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("register");
	TCase *tc = tcase_create("register");
	SRunner *sr = srunner_create(s);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, a_member_is_admitted_added_and_found_again);
	tcase_add_test(tc, an_answers_size_is_told);
	tcase_add_test(tc, a_nonce_that_was_never_given_out_is_refused);
	tcase_add_test(tc, a_nonce_serves_once);
	tcase_add_test(tc, a_nonce_serves_until_its_last_second_and_not_after);
	tcase_add_test(tc, a_tag_is_taken_for_ever_and_the_nonce_is_not_lost_by_trying);
	tcase_add_test(tc, a_member_key_is_registered_once_also_after_it_was_replaced);
	tcase_add_test(tc, a_certificate_has_one_live_member_unless_it_is_replaced);
	tcase_add_test(tc, a_refused_replacement_leaves_the_live_member);
	tcase_add_test(tc, a_banned_member_stays_out_but_its_certificate_can_be_replaced);
	tcase_add_test(tc, a_banned_certificate_stays_out_with_any_key);
	tcase_add_test(tc, bans_are_listed_with_their_reasons);
	tcase_add_test(tc, a_key_on_the_rogue_list_is_refused_and_its_member_banned);
	tcase_add_test(tc, listings_are_in_order_and_filtered);
	tcase_add_test(tc, a_listing_can_be_ended_and_the_register_used_in_the_middle);
	tcase_add_test(tc, a_row_is_given_back_as_it_was_added);
	tcase_add_test(tc, counts_count);
	tcase_add_test(tc, rows_cannot_be_deleted_changed_or_revived_by_hand);
	tcase_add_test(tc, missing_arguments_are_the_callers_mistake);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
