/*
 * Promise of the documentation that VLDAA-42's keys fall to lattice reduction: plain LLL finds the
 * first half of a member's key, e_T1, from one pseudonym, and with it the member's pseudonyms under
 * other basenames are told from other members'.
 *
 * Ten seconds of LLL and more: tests/slow runs it, ctest does not.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <flint/fmpz_lll.h>
#include <flint/fmpz_mat.h>

#include "../support/world.h"
#include "format.h"

enum {
	D = 128,
	SAMPLES = 64, /* of nym's 128 coefficients; more make the lattice larger, not easier */
	DIMENSION = D + SAMPLES + 1,
	/* e_T1 is ternary (deviation 0.8), e_N has deviation 5.3: the columns of e_T1 are scaled to
	 * e_N's size, and so is the last, which counts the target. */
	SCALE = 6,
	TARGET = 5,
	ERROR = 48 /* nine deviations; of a random remainder, one coefficient in 10^6 is smaller */
};

static poly nym_of(const group *g, buffer object)
{
	attestation a;
	const bytes in = {object.data, object.len, object.len};

	ck_assert_int_eq(forgery_attestation_read(&a, g, &in), 0);
	return a.nym;
}

/* Is nym = b e + e_N with a short e_N, in all its coefficients? */
static int explains(const group *g, const char *basename, poly nym, poly e)
{
	const poly b = forgery_basename_poly(g, (basename_bytes){basename, strlen(basename)});
	const poly rest = forgery_poly_sub(g->R, nym, forgery_poly_mul(g->R, b, e));

	for (int i = 0; i < D; i++) {
		if (llabs(rest.c[i]) > ERROR)
			return 0;
	}
	return 1;
}

/*
 * The rows generate the vectors (SCALE e | nym k - b e mod q | TARGET k), of which k = 1 with the
 * secret e is far shorter than all others.
 */
static void fill(fmpz_mat_t m, const group *g, poly b, poly nym)
{
	poly power = b; /* b X^j */

	for (int i = 0; i < SAMPLES; i++)
		fmpz_set_si(fmpz_mat_entry(m, i, D + i), (slong)g->R->q);
	for (int j = 0; j < D; j++) {
		const int64_t top = power.c[D - 1];

		fmpz_set_si(fmpz_mat_entry(m, SAMPLES + j, j), SCALE);
		for (int i = 0; i < SAMPLES; i++)
			fmpz_set_si(fmpz_mat_entry(m, SAMPLES + j, D + i), (slong)-power.c[i]);
		memmove(power.c + 1, power.c, (D - 1) * sizeof power.c[0]);
		power.c[0] = -top;
	}
	for (int i = 0; i < SAMPLES; i++)
		fmpz_set_si(fmpz_mat_entry(m, DIMENSION - 1, D + i), (slong)nym.c[i]);
	fmpz_set_si(fmpz_mat_entry(m, DIMENSION - 1, DIMENSION - 1), TARGET);
}

static int recover(const group *g, const char *basename, poly nym, poly *e)
{
	const poly b = forgery_basename_poly(g, (basename_bytes){basename, strlen(basename)});
	fmpz_mat_t m;
	fmpz_lll_t lll;
	int found = 0;

	fmpz_mat_init(m, DIMENSION, DIMENSION);
	fill(m, g, b, nym);
	fmpz_lll_context_init(lll, 0.99, 0.51, Z_BASIS, APPROX);
	fmpz_lll(m, NULL, lll);
	*e = forgery_poly_zero();
	for (int row = 0; row < DIMENSION && !found; row++) {
		const slong k = fmpz_get_si(fmpz_mat_entry(m, row, DIMENSION - 1)) / TARGET;

		if (k != 1 && k != -1)
			continue;
		found = 1;
		for (int j = 0; j < D; j++) {
			e->c[j] = k * fmpz_get_si(fmpz_mat_entry(m, row, j)) / SCALE;
			found = found && e->c[j] >= -1 && e->c[j] <= 1;
		}
		found = found && explains(g, basename, nym, *e);
	}
	fmpz_mat_clear(m);
	return found;
}

START_TEST(one_pseudonym_gives_away_the_key_and_the_others)
{
	world w;
	car c, other;
	group g;
	poly e;

	world_init(&w, vldaa_set_by_name("VLDAA-42"), 1);
	car_init(&c, &w, 2);
	car_init(&other, &w, 3);
	car_join(&c);
	car_join(&other);
	ck_assert_int_eq(forgery_group_read(&g, w.group_key.data, w.group_key.len), 0);
	ck_assert_uint_eq(g.R->d, D);
	buffer here = car_create(&c, "here"), there = car_create(&c, "there");
	buffer others = car_create(&other, "there");
	ck_assert(recover(&g, "here", nym_of(&g, here), &e));
	ck_assert(explains(&g, "there", nym_of(&g, there), e));
	ck_assert(!explains(&g, "there", nym_of(&g, others), e));
	buffer_free(&here);
	buffer_free(&there);
	buffer_free(&others);
	forgery_group_free(&g);
	car_free(&c);
	car_free(&other);
	world_free(&w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("recovery of a key");
	TCase *tc = tcase_create("VLDAA-42");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 1800);
	tcase_add_test(tc, one_pseudonym_gives_away_the_key_and_the_others);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
