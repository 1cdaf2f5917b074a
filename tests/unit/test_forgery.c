/*
 * Promises of the documentation about what the published sets do not give, for each of them, shown
 * by examples/forgery after the issuer is gone:
 *
 *  - a credential, attestations and message signatures that verify come from the group key alone;
 *  - for VLDAA-128 and -256 also under another member's pseudonym, or one that nobody owns; for
 *    VLDAA-42 the same forgery is refused;
 *  - another valid attestation comes from any valid one (for -128 and -256 also a signature);
 *  - with an even weight of challenges a member has two pseudonyms for one basename, with an odd
 * one that way is closed;
 *  - the API answers 0 bits of security against forgery;
 *  - none of this is a verifier that accepts everything: one changed byte and it is refused.
 *
 * The example writes all encodings itself, from core/README.md, so this also tests that document.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"
#include "forgery.h"

static const char message[] = "road closed ahead";
static const basename_bytes platoon = {"platoon-7", 9};
enum { PUBLISHED = 3 };

static const vldaa_set *published_set(int index)
{
	static const char *const names[PUBLISHED] = {"VLDAA-42", "VLDAA-128", "VLDAA-256"};
	const vldaa_set *set = vldaa_set_by_name(names[index]);

	ck_assert_ptr_nonnull(set);
	return set;
}

/* A group whose issuer is gone: what is left is its public key. */
static void orphaned(world *w, group *g)
{
	vldaa_issuer_free(w->issuer);
	w->issuer = NULL;
	memset(w->issuer_key.data, 0, w->issuer_key.len);
	ck_assert_int_eq(forgery_group_read(g, w->group_key.data, w->group_key.len), 0);
	ck_assert_mem_eq(g->key_id, vldaa_verifier_key_id(w->verifier), VLDAA_KEY_ID_BYTES);
}

static void orphan_init(world *w, group *g, int index)
{
	world_init(w, published_set(index), 1);
	orphaned(w, g);
}

static void orphan_free(world *w, group *g)
{
	forgery_group_free(g);
	world_free(w);
}

static int attestation_result(const world *w, const bytes *object)
{
	vldaa_attestation *a = NULL;
	int err = vldaa_attestation_new(&a, w->verifier, object->at, object->len);

	vldaa_attestation_free(a);
	return err;
}

static vldaa_attestation *verified(const world *w, const bytes *object)
{
	vldaa_attestation *a = NULL;

	ck_assert_int_eq(vldaa_attestation_new(&a, w->verifier, object->at, object->len), VLDAA_OK);
	return a;
}

static int signature_result(world *w, const vldaa_attestation *known, const bytes *signature)
{
	return world_verify(w, (buffer){signature->at, signature->len}, known, message,
			    sizeof message);
}

/* The compact signature verifies under its attestation, and with it for everybody; not for another
 * message. */
static void assert_signed(world *w, const group *g, const bytes *att, const bytes *compact)
{
	vldaa_attestation *a = verified(w, att);
	bytes whole = forgery_self_contained(g, att, compact);
	const buffer whole_buffer = {whole.at, whole.len};

	ck_assert_int_eq(signature_result(w, a, compact), VLDAA_OK);
	ck_assert_int_eq(signature_result(w, NULL, &whole), VLDAA_OK);
	ck_assert_int_eq(world_verify(w, whole_buffer, NULL, message, sizeof message - 2),
			 VLDAA_ERR_PROOF);
	forgery_bytes_free(&whole);
	vldaa_attestation_free(a);
}

static int linked(const world *w, const bytes *one, const bytes *other)
{
	vldaa_attestation *a = verified(w, one), *b = verified(w, other);
	int result = -1;

	ck_assert_int_eq(vldaa_link(a, b, &result), VLDAA_OK);
	vldaa_attestation_free(a);
	vldaa_attestation_free(b);
	return result;
}

START_TEST(a_credential_comes_from_the_group_key_alone)
{
	world w;
	group g;
	member *m;
	credential cred;
	bytes att, again, compact;

	orphan_init(&w, &g, _i);
	ck_assert_int_eq(forgery_member_new(&m, &cred, &g), VLDAA_OK);
	ck_assert(cred.norm[0] > 0 && cred.norm[0] < cred.bound / 10);
	ck_assert(cred.norm[1] > 0 && cred.norm[1] < cred.bound / 10);
	ck_assert_int_eq(forgery_member_attest(m, platoon, &att), VLDAA_OK);
	ck_assert_int_eq(forgery_member_attest(m, platoon, &again), VLDAA_OK);
	ck_assert_int_eq(forgery_member_sign(m, &att, message, sizeof message, &compact), VLDAA_OK);
	assert_signed(&w, &g, &att, &compact);
	ck_assert_int_eq(linked(&w, &att, &again), 1);
	forgery_bytes_free(&att);
	forgery_bytes_free(&again);
	forgery_bytes_free(&compact);
	forgery_bytes_free(&cred.object);
	forgery_member_free(m);
	orphan_free(&w, &g);
}
END_TEST

/* A member who joined through the issuer, before that is gone, and an attestation of his. */
static bytes attestation_of_a_victim(world *w, car *victim)
{
	buffer made;
	bytes att;

	car_init(victim, w, 2);
	car_join(victim);
	made = car_create(victim, "platoon-7");
	att = forgery_bytes_copy(made.data, made.len);
	buffer_free(&made);
	return att;
}

START_TEST(anothers_pseudonym_is_no_protection_where_responses_exceed_q)
{
	world w;
	group g;
	car victim;
	attestation taken;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	bytes honest, forged, compact;
	subject about = {platoon, &taken.nym, digest, message, sizeof message};

	world_init(&w, published_set(_i), 1);
	honest = attestation_of_a_victim(&w, &victim);
	orphaned(&w, &g);
	ck_assert_int_eq(forgery_attestation_read(&taken, &g, &honest), 0);

	forged = forgery_attestation(&g, platoon, &taken.nym);
	forgery_attestation_digest(g.n, &forged, digest);
	compact = forgery_signature(&g, &about);
	if (strcmp(g.n->name, "VLDAA-42") != 0) {
		vldaa_attestation *a = verified(&w, &honest);

		assert_signed(&w, &g, &forged, &compact);
		ck_assert_int_eq(linked(&w, &honest, &forged), 1);
		/* under the victim's very attestation */
		forgery_attestation_digest(g.n, &honest, digest);
		forgery_bytes_free(&compact);
		compact = forgery_signature(&g, &about);
		ck_assert_int_eq(signature_result(&w, a, &compact), VLDAA_OK);
		vldaa_attestation_free(a);
		/* and under a pseudonym without an owner */
		taken.nym = forgery_poly_uniform(g.R);
		forgery_bytes_free(&forged);
		forged = forgery_attestation(&g, platoon, &taken.nym);
		ck_assert_int_eq(linked(&w, &honest, &forged), 0);
	} else {
		vldaa_attestation *a = verified(&w, &honest);

		forgery_attestation_digest(g.n, &honest, digest);
		forgery_bytes_free(&compact);
		compact = forgery_signature(&g, &about);
		ck_assert_int_eq(vldaa_error_class(attestation_result(&w, &forged)),
				 VLDAA_CLASS_INVALID);
		ck_assert_int_eq(vldaa_error_class(signature_result(&w, a, &compact)),
				 VLDAA_CLASS_INVALID);
		vldaa_attestation_free(a);
	}
	forgery_bytes_free(&honest);
	forgery_bytes_free(&forged);
	forgery_bytes_free(&compact);
	car_free(&victim);
	orphan_free(&w, &g);
}
END_TEST

START_TEST(a_valid_object_has_others_beside_it)
{
	world w;
	group g;
	car victim;
	attestation parts;
	buffer signature;
	bytes att, copy, mauled, compact, mauled_compact;
	vldaa_attestation *a;

	world_init(&w, published_set(_i), 1);
	att = attestation_of_a_victim(&w, &victim);
	orphaned(&w, &g);
	/* read and written as the document says, it has the library's bytes */
	ck_assert_int_eq(forgery_attestation_read(&parts, &g, &att), 0);
	copy = forgery_attestation_write(&parts, &g);
	ck_assert_uint_eq(copy.len, att.len);
	ck_assert_mem_eq(copy.at, att.at, att.len);

	ck_assert_int_eq(forgery_maul_attestation(&g, &att, &mauled), 0);
	ck_assert(mauled.len != att.len || memcmp(mauled.at, att.at, att.len) != 0);
	ck_assert_int_eq(linked(&w, &att, &mauled), 1);

	signature = car_sign(&victim, (buffer){att.at, att.len}, VLDAA_FORM_COMPACT, message,
			     sizeof message);
	compact = forgery_bytes_copy(signature.data, signature.len);
	ck_assert_int_eq(forgery_maul_signature(&g, &compact, &mauled_compact), 0);
	ck_assert(mauled_compact.len != compact.len ||
		  memcmp(mauled_compact.at, compact.at, compact.len) != 0);
	a = verified(&w, &att);
	ck_assert_int_eq(signature_result(&w, a, &compact), VLDAA_OK);
	ck_assert_int_eq(signature_result(&w, a, &mauled_compact) == VLDAA_OK,
			 g.n->responses_exceed_q);
	vldaa_attestation_free(a);
	buffer_free(&signature);
	forgery_bytes_free(&att);
	forgery_bytes_free(&copy);
	forgery_bytes_free(&mauled);
	forgery_bytes_free(&compact);
	forgery_bytes_free(&mauled_compact);
	car_free(&victim);
	orphan_free(&w, &g);
}
END_TEST

START_TEST(an_even_weight_lets_every_challenge_pass_for_a_shifted_pseudonym)
{
	const numbers *n = forgery_numbers_of(vldaa_set_id(published_set(_i)));
	const ring *R = &n->R;
	poly shift = forgery_poly_zero();

	for (uint32_t i = 0; i < R->d; i++)
		shift.c[i] = forgery_centred(R, (R->q + 1) / 2);
	for (uint8_t label = 0; label < 100; label++) {
		const uint8_t c_tilde[MAX_CHALLENGE_BYTES] = {label};
		const poly c = forgery_challenge_poly(n, c_tilde);
		int64_t weight = 0;
		poly half, product;

		for (uint32_t i = 0; i < R->d; i++)
			weight += c.c[i] * c.c[i];
		ck_assert_int_eq(weight, n->kappa);
		ck_assert_int_eq(forgery_half_of_ones_times(R, &c, &half), n->kappa % 2 == 0);
		if (n->kappa % 2 != 0)
			continue;
		product = forgery_poly_mul(R, c, shift);
		for (uint32_t i = 0; i < R->d; i++) {
			ck_assert_int_eq(product.c[i], half.c[i]);
			ck_assert_int_le(llabs(half.c[i]), n->kappa / 2);
		}
	}
}
END_TEST

START_TEST(one_member_has_two_pseudonyms_for_one_basename_when_the_weight_is_even)
{
	world w;
	group g;
	cheat *c;
	bytes honest, again, shifted, compact;

	orphan_init(&w, &g, _i);
	ck_assert_int_eq(forgery_cheat_new(&c, &g, platoon), VLDAA_OK);
	ck_assert_int_eq(forgery_cheat_attest(c, HONEST, &honest), VLDAA_OK);
	ck_assert_int_eq(forgery_cheat_attest(c, HONEST, &again), VLDAA_OK);
	ck_assert_int_eq(linked(&w, &honest, &again), 1);
	if (g.n->kappa % 2 == 0) {
		ck_assert_int_eq(forgery_cheat_attest(c, SHIFTED, &shifted), VLDAA_OK);
		ck_assert_int_eq(
		    forgery_cheat_sign(c, SHIFTED, &shifted, message, sizeof message, &compact),
		    VLDAA_OK);
		assert_signed(&w, &g, &shifted, &compact);
		ck_assert_int_eq(linked(&w, &honest, &shifted), 0);
		forgery_bytes_free(&compact);
	} else {
		ck_assert_int_ne(forgery_cheat_attest(c, SHIFTED, &shifted), VLDAA_OK);
	}
	forgery_bytes_free(&honest);
	forgery_bytes_free(&again);
	forgery_bytes_free(&shifted);
	forgery_cheat_free(c);
	orphan_free(&w, &g);
}
END_TEST

/* Refused with any bit of this byte changed (one of them, another for each place). */
static void assert_refused_when_changed(world *w, const vldaa_attestation *known, bytes object)
{
	const size_t step = object.len / 150;

	for (size_t i = 0; i < object.len; i += step) {
		const uint8_t bit = (uint8_t)(1u << (i / step % 8));
		int err;

		object.at[i] ^= bit;
		err = known ? signature_result(w, known, &object) : attestation_result(w, &object);
		object.at[i] ^= bit;
		ck_assert_msg(vldaa_error_class(err) == VLDAA_CLASS_INVALID, "byte %zu: %s", i,
			      vldaa_error_name(err));
	}
	object.len--;
	ck_assert_int_ne(
	    known ? signature_result(w, known, &object) : attestation_result(w, &object), VLDAA_OK);
}

START_TEST(a_forged_object_with_one_byte_changed_is_refused)
{
	world w, other;
	group g;
	member *m;
	credential cred;
	bytes att, compact;
	vldaa_attestation *a;

	orphan_init(&w, &g, _i);
	ck_assert_int_eq(forgery_member_new(&m, &cred, &g), VLDAA_OK);
	ck_assert_int_eq(forgery_member_attest(m, platoon, &att), VLDAA_OK);
	ck_assert_int_eq(forgery_member_sign(m, &att, message, sizeof message, &compact), VLDAA_OK);
	if (g.n->responses_exceed_q) {
		/* the harder case: made by solving for every response */
		const poly nym = forgery_poly_uniform(g.R);
		uint8_t digest[VLDAA_DIGEST_BYTES];
		const subject about = {platoon, &nym, digest, message, sizeof message};

		forgery_bytes_free(&att);
		forgery_bytes_free(&compact);
		att = forgery_attestation(&g, platoon, &nym);
		forgery_attestation_digest(g.n, &att, digest);
		compact = forgery_signature(&g, &about);
	}
	a = verified(&w, &att);
	ck_assert_int_eq(signature_result(&w, a, &compact), VLDAA_OK);
	assert_refused_when_changed(&w, NULL, att);
	assert_refused_when_changed(&w, a, compact);
	/* and in another group it is nothing */
	world_init(&other, w.set, 7);
	ck_assert_int_eq(attestation_result(&other, &att), VLDAA_ERR_WRONG_ISSUER);
	world_free(&other);
	vldaa_attestation_free(a);
	forgery_bytes_free(&att);
	forgery_bytes_free(&compact);
	forgery_bytes_free(&cred.object);
	forgery_member_free(m);
	orphan_free(&w, &g);
}
END_TEST

START_TEST(a_credential_with_one_coefficient_changed_is_refused)
{
	world w;
	group g;
	vldaa_host *host = NULL;
	credential cred;
	uint8_t tpm_public[2 * MAX_DEGREE];
	bytes packed = forgery_bytes_new(sizeof tpm_public);
	poly u_T;

	orphan_init(&w, &g, _i);
	u_T = forgery_poly_uniform(g.R);
	forgery_put_uniform(&packed, g.n, &u_T);
	ck_assert_int_eq(forgery_host(&host, &cred, &g, u_T), VLDAA_OK);
	cred.object.at[VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES + 8] ^=
	    1; /* s_10's constant term */
	ck_assert_int_eq(
	    vldaa_host_accept(host, cred.object.at, cred.object.len, packed.at, packed.len),
	    VLDAA_ERR_CREDENTIAL);
	vldaa_host_free(host);
	forgery_bytes_free(&cred.object);
	forgery_bytes_free(&packed);
	orphan_free(&w, &g);
}
END_TEST

START_TEST(the_api_answers_zero_bits_and_a_warning)
{
	const vldaa_set *set = published_set(_i);

	ck_assert_ptr_nonnull(forgery_numbers_of(vldaa_set_id(set)));
	ck_assert_int_eq(vldaa_set_signature_bits(set), 0);
	ck_assert_ptr_nonnull(vldaa_set_warning(set));
	ck_assert_ptr_nonnull(strstr(vldaa_set_warning(set), "not unforgeable"));
}
END_TEST

/* x^e modulo q */
static int64_t power(const ring *R, int64_t x, int64_t e)
{
	int64_t out = 1;

	for (; e > 0; e /= 2) {
		if (e % 2)
			out = forgery_centred(R, out * x);
		x = forgery_centred(R, x * x);
	}
	return out;
}

/*
 * X^d + 1 = (X^(d/2) + r X^(d/4) + t)(X^(d/2) - r X^(d/4) + t) with t = 1, r^2 = 2 or t = -1,
 * r^2 = -2: one of the two is a square, since -1 is none.
 */
START_TEST(division_finds_the_inverse_or_that_there_is_none)
{
	const ring *R = &forgery_numbers_of(vldaa_set_id(published_set(_i)))->R;
	poly divisor = forgery_poly_zero(), inverse;
	int64_t t = 1, r = power(R, 2, (R->q + 1) / 4);

	for (int k = 0; k < 20; k++) {
		const poly a = forgery_poly_uniform(R);
		poly one;

		ck_assert(forgery_poly_inverse(R, &inverse, a));
		one = forgery_poly_mul(R, a, inverse);
		for (uint32_t i = 0; i < R->d; i++)
			ck_assert_int_eq(one.c[i], i == 0);
	}
	ck_assert(!forgery_poly_inverse(R, &inverse, forgery_poly_zero()));
	if (forgery_centred(R, r * r) != 2) {
		t = -1;
		r = power(R, R->q - 2, (R->q + 1) / 4);
		ck_assert_int_eq(forgery_centred(R, r * r), -2);
	}
	divisor.c[R->d / 2] = 1;
	divisor.c[R->d / 4] = r;
	divisor.c[0] = t;
	ck_assert(!forgery_poly_inverse(R, &inverse, divisor));
	ck_assert(!forgery_poly_inverse(R, &inverse,
					forgery_poly_mul(R, divisor, forgery_poly_uniform(R))));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("what the published sets do not give");
	TCase *tc = tcase_create("forgery");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_credential_comes_from_the_group_key_alone, 0, PUBLISHED);
	tcase_add_loop_test(tc, anothers_pseudonym_is_no_protection_where_responses_exceed_q, 0,
			    PUBLISHED);
	tcase_add_loop_test(tc, a_valid_object_has_others_beside_it, 0, PUBLISHED);
	tcase_add_loop_test(tc, an_even_weight_lets_every_challenge_pass_for_a_shifted_pseudonym, 0,
			    PUBLISHED);
	tcase_add_loop_test(tc,
			    one_member_has_two_pseudonyms_for_one_basename_when_the_weight_is_even,
			    0, PUBLISHED);
	tcase_add_loop_test(tc, a_forged_object_with_one_byte_changed_is_refused, 0, PUBLISHED);
	tcase_add_loop_test(tc, a_credential_with_one_coefficient_changed_is_refused, 0, PUBLISHED);
	tcase_add_loop_test(tc, the_api_answers_zero_bits_and_a_warning, 0, PUBLISHED);
	tcase_add_loop_test(tc, division_finds_the_inverse_or_that_there_is_none, 0, PUBLISHED);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
