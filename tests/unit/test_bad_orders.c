/*
 * Promises of Revoke against bad input: a TPM obeys only an order that its group's revocation
 * authority signed, that is in form, in time, newer than the last one and against its own
 * pseudonym; everything else is refused by name and deletes nothing.  An authority takes a
 * confirmation only from the pseudonym's owner, for this order, with the secret that the token
 * promised.  What would poison a list for all verifiers does not get into one.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/damage.h"
#include "role/evp.h"
#include "wire/object.h"

enum { HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES };

static struct {
	world w;
	car c, other;
	buffer att, other_att;
	vldaa_attestation *a, *other_a;
} t;

static void set_up(const vldaa_set *set)
{
	memset(&t, 0, sizeof t);
	world_init(&t.w, set, 10);
	car_init(&t.c, &t.w, 11);
	car_init(&t.other, &t.w, 12);
	car_join(&t.c);
	car_join(&t.other);
	t.att = car_create(&t.c, "one");
	t.other_att = car_create(&t.other, "one");
	t.a = world_attestation(&t.w, t.att);
	t.other_a = world_attestation(&t.w, t.other_att);
}

static void tear_down(void)
{
	vldaa_attestation_free(t.a);
	vldaa_attestation_free(t.other_a);
	buffer_free(&t.att);
	buffer_free(&t.other_att);
	car_free(&t.c);
	car_free(&t.other);
	world_free(&t.w);
}

static int obey(car *c, buffer sealed, buffer *confirmation)
{
	const store_state before = store_now(&c->store);
	const size_t cap = vldaa_object_max_size(t.w.set, VLDAA_KIND_CONFIRMATION);
	int err;

	*confirmation = buffer_new(cap);
	memset(confirmation->data, 0xaa, cap);
	err = vldaa_tpm_obey(c->tpm, sealed.data, sealed.len, confirmation->data, cap,
			     &confirmation->len);
	if (err) {
		ck_assert_uint_eq(confirmation->len, 0);
		ck_assert(all_zero(confirmation->data, cap));
		ck_assert(store_same(&c->store, before));
		buffer_free(confirmation);
	}
	return err;
}

static void refuse_order(buffer sealed, int expected)
{
	buffer none;
	int err = obey(&t.c, sealed, &none);

	ck_assert_msg(err == expected, "%s instead of %s", vldaa_error_name(err),
		      vldaa_error_name(expected));
}

/* The member still signs under this pseudonym. */
static void check_alive(void)
{
	buffer sig = car_sign(&t.c, t.att, VLDAA_FORM_SELF_CONTAINED, "x", 1);

	ck_assert_int_eq(world_verify(&t.w, sig, NULL, "x", 1), VLDAA_OK);
	buffer_free(&sig);
}

/* --- orders that were made by hand --------------------------------------------------------------
 */

/* Seals these bytes as an order is: padded, under the fleet's key. */
static buffer seal(buffer clear, size_t padded_len, uint8_t padding)
{
	buffer padded = buffer_new(padded_len), sealed = buffer_new(padded_len + 4096);
	size_t sealed_len;
	vldaa_writer w;

	memset(padded.data, padding, padded.len);
	vldaa_put_init(&w, padded.data, padded.len);
	vldaa_put_block(&w, clear.data, clear.len);
	ck_assert_uint_le(w.len, padded.len);
	vldaa_put_init(&w, sealed.data, sealed.len);
	vldaa_put_header(&w, VLDAA_KIND_SEALED_ORDER, t.w.set);
	vldaa_put_bytes(&w, vldaa_verifier_key_id(t.w.verifier), VLDAA_KEY_ID_BYTES);
	vldaa_put_u32(&w, (uint32_t)(padded.len + VLDAA_FLEET_OVERHEAD));
	ck_assert_int_eq(vldaa_fleet_seal(sealed.data + w.len, sealed.len - w.len, &sealed_len,
					  t.w.fleet_key, sealed.data, HEAD, padded.data,
					  padded.len),
			 VLDAA_OK);
	sealed.len = w.len + sealed_len;
	buffer_free(&padded);
	return sealed;
}

/* The order, changed at this byte of the part that the authority signs, and signed again. */
static buffer signed_again(buffer clear, size_t at, const uint8_t *bytes, size_t len,
			   const ordinary_key *key)
{
	vldaa_order_parts parts;
	buffer out = buffer_new(clear.len + VLDAA_MAX_ORDINARY_SIGNATURE);
	uint8_t signature[VLDAA_MAX_ORDINARY_SIGNATURE];
	size_t n;
	vldaa_writer w;

	ck_assert_int_eq(vldaa_read_order(&parts, clear.data, clear.len), VLDAA_OK);
	vldaa_put_init(&w, out.data, out.len);
	vldaa_put_bytes(&w, parts.signed_part.bytes, parts.signed_part.len);
	memcpy(out.data + at, bytes, len);
	ck_assert_int_eq(vldaa_evp_sign(signature, sizeof signature, &n, key->pkcs8.data,
					key->pkcs8.len, out.data, w.len),
			 VLDAA_OK);
	vldaa_put_block(&w, signature, n);
	out.len = w.len;
	return out;
}

static void refuse_clear(buffer clear, int expected)
{
	buffer sealed = seal(clear, vldaa_padded_order_size(t.w.set), 0);

	refuse_order(sealed, expected);
	buffer_free(&sealed);
}

START_TEST(an_order_in_another_form_is_refused_although_it_is_signed)
{
	buffer clear, sealed, changed;
	size_t terms_at;
	static const uint8_t zero[8] = {0}, ones[8] = {0x80, 0xff, 0xff, 0xff}, small_mode[1] = {0},
			     large_mode[1] = {3};

	set_up(vldaa_set_at((size_t)_i));
	sealed = world_order(&t.w, t.a, VLDAA_REVOKE_HARD, 5, &clear);
	buffer_free(&sealed);
	/* mode | reason | sequence (8) | expiry (8) before the signature's block */
	terms_at = clear.len - 4 - 64 - 18;
	ck_assert_uint_eq(clear.data[terms_at], VLDAA_REVOKE_HARD);
	const struct {
		size_t at, len;
		const uint8_t *bytes;
		int error;
	} cases[] = {
	    {0, 4, zero, VLDAA_ERR_KIND},
	    {5, 1, zero, VLDAA_ERR_VERSION},
	    {6, 4, zero, VLDAA_ERR_WRONG_SET},
	    {VLDAA_OBJECT_HEADER, 8, zero, VLDAA_ERR_WRONG_ISSUER},
	    {HEAD, 1, zero, VLDAA_ERR_ENCODING}, /* no basename */
	    {HEAD + 1, 1, (const uint8_t *)"O", VLDAA_ERR_NOT_MINE},
	    {HEAD + 4, 8, zero, VLDAA_ERR_NOT_MINE}, /* another pseudonym */
	    {terms_at, 1, small_mode, VLDAA_ERR_ENCODING},
	    {terms_at, 1, large_mode, VLDAA_ERR_ENCODING},
	    {terms_at + 2, 8, ones, VLDAA_ERR_ENCODING},      /* a sequence of 2^63 or more */
	    {terms_at + 10, 8, ones, VLDAA_ERR_ENCODING},     /* an expiry of 2^63 or more */
	    {terms_at + 10, 8, zero, VLDAA_ERR_ORDER_EXPIRED} /* 1970 */
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		changed =
		    signed_again(clear, cases[i].at, cases[i].bytes, cases[i].len, &t.w.revocation);
		refuse_clear(changed, cases[i].error);
		buffer_free(&changed);
	}
	/* Too long, too short, padding that is not zero. */
	sealed = seal(clear, vldaa_padded_order_size(t.w.set) + 1, 0);
	refuse_order(sealed, VLDAA_ERR_ENCODING);
	buffer_free(&sealed);
	sealed = seal(clear, vldaa_padded_order_size(t.w.set) - 1, 0);
	refuse_order(sealed, VLDAA_ERR_ENCODING);
	buffer_free(&sealed);
	sealed = seal(clear, vldaa_padded_order_size(t.w.set), 1);
	refuse_order(sealed, VLDAA_ERR_ENCODING);
	buffer_free(&sealed);
	check_alive();
	/* And as it should be. */
	sealed = seal(clear, vldaa_padded_order_size(t.w.set), 0);
	ck_assert_int_eq(obey(&t.c, sealed, &changed), VLDAA_OK);
	buffer_free(&changed);
	buffer_free(&sealed);
	buffer_free(&clear);
	tear_down();
}
END_TEST

START_TEST(only_the_authority_that_came_with_the_credential_orders)
{
	buffer clear, sealed, changed;

	set_up(vldaa_set_at((size_t)_i));
	sealed = world_order(&t.w, t.a, VLDAA_REVOKE_SOFT, 5, &clear);
	buffer_free(&sealed);
	changed = signed_again(clear, 0, (const uint8_t *)"V", 1, &t.w.authority);
	refuse_clear(changed, VLDAA_ERR_ORDER_SIGNATURE);
	buffer_free(&changed);
	clear.data[clear.len - 1] ^= 1;
	refuse_clear(clear, VLDAA_ERR_ORDER_SIGNATURE);
	clear.data[clear.len - 1] ^= 1;
	/* Another fleet's key. */
	sealed = seal(clear, vldaa_padded_order_size(t.w.set), 0);
	t.w.fleet_key[0] ^= 1;
	changed = seal(clear, vldaa_padded_order_size(t.w.set), 0);
	refuse_order(changed, VLDAA_ERR_UNSEAL);
	buffer_free(&changed);
	check_alive();
	ck_assert_int_eq(obey(&t.c, sealed, &changed), VLDAA_OK);
	buffer_free(&changed);
	buffer_free(&sealed);
	buffer_free(&clear);
	tear_down();
}
END_TEST

START_TEST(an_order_that_is_not_newer_or_not_in_time_is_refused)
{
	buffer clear, first, again, older, newer, other, confirmation, repeated;
	vldaa_attestation *two;

	set_up(vldaa_set_at((size_t)_i));
	other = car_create(&t.c, "two");
	two = world_attestation(&t.w, other);
	first = world_order(&t.w, t.a, VLDAA_REVOKE_SOFT, 5, &clear);
	buffer_free(&clear);
	older = world_order(&t.w, two, VLDAA_REVOKE_SOFT, 4, &clear);
	buffer_free(&clear);
	again = world_order(&t.w, two, VLDAA_REVOKE_SOFT, 5, &clear);
	buffer_free(&clear);
	newer = world_order(&t.w, two, VLDAA_REVOKE_SOFT, 6, &clear);
	buffer_free(&clear);
	t.w.now += 1001; /* orders of this world last 1000 seconds */
	refuse_order(first, VLDAA_ERR_ORDER_EXPIRED);
	t.w.now -= 1;
	ck_assert_int_eq(obey(&t.c, first, &confirmation), VLDAA_OK);
	refuse_order(older, VLDAA_ERR_ORDER_SEQUENCE);
	refuse_order(again, VLDAA_ERR_ORDER_SEQUENCE);
	t.w.now = -1; /* a clock that is not set */
	refuse_order(newer, VLDAA_ERR_ORDER_EXPIRED);
	/* The order that was obeyed is confirmed at any time. */
	ck_assert_int_eq(obey(&t.c, first, &repeated), VLDAA_OK);
	ck_assert_mem_eq(repeated.data, confirmation.data, confirmation.len);
	t.w.now = 1800000000;
	buffer_free(&repeated);
	ck_assert_int_eq(obey(&t.c, newer, &repeated), VLDAA_OK);
	buffer_free(&repeated);
	buffer_free(&confirmation);
	buffer_free(&first);
	buffer_free(&again);
	buffer_free(&older);
	buffer_free(&newer);
	buffer_free(&other);
	vldaa_attestation_free(two);
	tear_down();
}
END_TEST

START_TEST(an_order_against_somebody_else_changes_nothing)
{
	buffer clear, sealed;

	set_up(vldaa_set_at((size_t)_i));
	/* Not even the last sequence number. */
	sealed = world_order(&t.w, t.other_a, VLDAA_REVOKE_HARD, INT64_MAX, &clear);
	refuse_order(sealed, VLDAA_ERR_NOT_MINE);
	check_alive();
	buffer_free(&clear);
	buffer_free(&sealed);
	tear_down();
}
END_TEST

START_TEST(a_member_that_has_not_joined_obeys_nobody)
{
	buffer clear, sealed;
	car fresh;
	buffer none;

	set_up(vldaa_set_by_name("VLDAA-42"));
	car_init(&fresh, &t.w, 44);
	sealed = world_order(&t.w, t.a, VLDAA_REVOKE_HARD, 1, &clear);
	ck_assert_int_eq(obey(&fresh, sealed, &none), VLDAA_ERR_NO_CREDENTIAL);
	car_free(&fresh);
	buffer_free(&clear);
	buffer_free(&sealed);
	tear_down();
}
END_TEST

START_TEST(order_terms_that_no_order_has_are_the_callers_mistake)
{
	const vldaa_order_terms bad[] = {{(enum vldaa_revoke_mode)0, 0, 1, 1},
					 {(enum vldaa_revoke_mode)3, 0, 1, 1},
					 {VLDAA_REVOKE_SOFT, 0, UINT64_C(1) << 63, 1},
					 {VLDAA_REVOKE_SOFT, 0, 1, -1}};
	uint8_t order[8192], sealed[8192];
	size_t order_len, sealed_len;

	set_up(vldaa_set_by_name("VLDAA-42"));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		memset(order, 0xaa, sizeof order);
		memset(sealed, 0xaa, sizeof sealed);
		ck_assert_int_eq(vldaa_order_new(t.a, &bad[i], t.w.revocation.pkcs8.data,
						 t.w.revocation.pkcs8.len, t.w.fleet_key, order,
						 sizeof order, &order_len, sealed, sizeof sealed,
						 &sealed_len),
				 VLDAA_ERR_ARGUMENT);
		ck_assert(all_zero(order, sizeof order) && all_zero(sealed, sizeof sealed));
		ck_assert(order_len == 0 && sealed_len == 0);
	}
	tear_down();
}
END_TEST

/* --- confirmations, lists ------------------------------------------------------------------------
 */

static buffer token_of(car *c, const vldaa_attestation *a)
{
	buffer token = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_TOKEN));
	size_t len;
	const uint8_t *basename = vldaa_attestation_basename(a, &len);

	ck_assert_int_eq(vldaa_tpm_token(c->tpm, vldaa_verifier_key_id(t.w.verifier), basename, len,
					 vldaa_attestation_digest(a), token.data, token.len,
					 &token.len),
			 VLDAA_OK);
	return token;
}

static int check(buffer order, buffer confirmation, buffer token)
{
	return vldaa_confirmation_check(t.w.verifier, order.data, order.len, confirmation.data,
					confirmation.len, token.data, token.len);
}

START_TEST(a_confirmation_is_its_orders_and_its_owners)
{
	const buffer no_token = {NULL, 0};
	buffer order, other_order, sealed, other_sealed, mine, others, token, other_token, mixed;

	set_up(vldaa_set_at((size_t)_i));
	token = token_of(&t.c, t.a);
	other_token = token_of(&t.other, t.other_a);
	sealed = world_order(&t.w, t.a, VLDAA_REVOKE_SOFT, 5, &order);
	other_sealed = world_order(&t.w, t.other_a, VLDAA_REVOKE_SOFT, 6, &other_order);
	ck_assert_int_eq(obey(&t.c, sealed, &mine), VLDAA_OK);
	ck_assert_int_eq(obey(&t.other, other_sealed, &others), VLDAA_OK);
	ck_assert_int_eq(check(order, mine, no_token), VLDAA_OK);
	ck_assert_int_eq(check(order, mine, token), VLDAA_OK);
	ck_assert_int_eq(check(order, others, no_token), VLDAA_ERR_CONFIRMATION);
	ck_assert_int_eq(check(other_order, mine, no_token), VLDAA_ERR_CONFIRMATION);
	ck_assert_int_eq(check(order, mine, other_token), VLDAA_ERR_TOKEN);
	/* Another owner's signature under this order's digest; another secret. */
	mixed = buffer_new(others.len);
	memcpy(mixed.data, others.data, others.len);
	memcpy(mixed.data + HEAD, mine.data + HEAD, VLDAA_DIGEST_BYTES);
	ck_assert_int_eq(check(order, mixed, no_token), VLDAA_ERR_PROOF);
	mine.data[HEAD + VLDAA_DIGEST_BYTES] ^= 1;
	ck_assert_int_eq(check(order, mine, token), VLDAA_ERR_PROOF);
	buffer_free(&mixed);
	buffer_free(&order);
	buffer_free(&other_order);
	buffer_free(&sealed);
	buffer_free(&other_sealed);
	buffer_free(&mine);
	buffer_free(&others);
	buffer_free(&token);
	buffer_free(&other_token);
	tear_down();
}
END_TEST

static buffer member_record(const car *c)
{
	for (size_t i = 0; i < c->store.count; i++) {
		if (c->store.rows[i].record == VLDAA_RECORD_MEMBER)
			return (buffer){c->store.rows[i].value, c->store.rows[i].len};
	}
	ck_abort_msg("no member record");
	return (buffer){NULL, 0};
}

START_TEST(lists_take_one_groups_well_formed_entries_only)
{
	static world elsewhere;
	static car stranger;
	uint8_t out[8192];
	size_t len;
	buffer mine, damaged, strangers;

	set_up(vldaa_set_at((size_t)_i));
	world_init(&elsewhere, t.w.set, 70);
	car_init(&stranger, &elsewhere, 71);
	mine = member_record(&t.c);
	strangers = member_record(&stranger);
	damaged = buffer_new(mine.len);
	memcpy(damaged.data, mine.data, mine.len);
	/* e_T's widest field */
	memset(damaged.data + VLDAA_OBJECT_HEADER + 4 + t.w.group_key.len, 0xff, 2);
	const uint8_t *const two_groups[] = {mine.data, strangers.data};
	const size_t two_lens[] = {mine.len, strangers.len};
	const uint8_t *const bad[] = {mine.data, damaged.data};
	const size_t bad_lens[] = {mine.len, damaged.len};
	const uint8_t *const missing[] = {NULL};
	memset(out, 0xaa, sizeof out);
	ck_assert_int_eq(vldaa_rogue_list(two_groups, two_lens, 2, out, sizeof out, &len),
			 VLDAA_ERR_WRONG_ISSUER);
	ck_assert(all_zero(out, sizeof out) && len == 0);
	memset(out, 0xaa, sizeof out);
	ck_assert_int_eq(vldaa_rogue_list(bad, bad_lens, 2, out, sizeof out, &len),
			 VLDAA_ERR_RANGE);
	ck_assert(all_zero(out, sizeof out) && len == 0);
	ck_assert_int_eq(vldaa_rogue_list(missing, &mine.len, 1, out, sizeof out, &len),
			 VLDAA_ERR_TRUNCATED);
	ck_assert_int_eq(vldaa_revoked_list(missing, &mine.len, 1, out, sizeof out, &len),
			 VLDAA_ERR_TRUNCATED);
	ck_assert_int_eq(vldaa_revoked_list((const uint8_t *const[]){mine.data}, &mine.len, 1, out,
					    sizeof out, &len),
			 VLDAA_ERR_KIND);
	/* What is in order gets into the list, and the list into a verifier. */
	ck_assert_int_eq(vldaa_rogue_list(bad, bad_lens, 1, out, sizeof out, &len), VLDAA_OK);
	ck_assert_int_eq(vldaa_verifier_add_list(t.w.verifier, out, len), VLDAA_OK);
	buffer sig = car_sign(&t.c, t.att, VLDAA_FORM_SELF_CONTAINED, "x", 1);
	ck_assert_int_eq(world_verify(&t.w, sig, NULL, "x", 1), VLDAA_ERR_ROGUE);
	ck_assert_int_eq(world_verify(&t.w, sig, t.a, "x", 1), VLDAA_ERR_ROGUE);
	buffer_free(&sig);
	sig = car_sign(&t.other, t.other_att, VLDAA_FORM_SELF_CONTAINED, "x", 1);
	ck_assert_int_eq(world_verify(&t.w, sig, NULL, "x", 1), VLDAA_OK);
	buffer_free(&sig);
	buffer_free(&damaged);
	car_free(&stranger);
	world_free(&elsewhere);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("bad input to Revoke");
	TCase *tc = tcase_create("revoke");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, an_order_in_another_form_is_refused_although_it_is_signed, 0, sets);
	tcase_add_loop_test(tc, only_the_authority_that_came_with_the_credential_orders, 0, sets);
	tcase_add_loop_test(tc, an_order_that_is_not_newer_or_not_in_time_is_refused, 0, sets);
	tcase_add_loop_test(tc, an_order_against_somebody_else_changes_nothing, 0, sets);
	tcase_add_test(tc, a_member_that_has_not_joined_obeys_nobody);
	tcase_add_test(tc, order_terms_that_no_order_has_are_the_callers_mistake);
	tcase_add_loop_test(tc, a_confirmation_is_its_orders_and_its_owners, 0, sets);
	tcase_add_loop_test(tc, lists_take_one_groups_well_formed_entries_only, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
