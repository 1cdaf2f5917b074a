/*
 * Promises: FLINT and GMP come into a process with the first issuer's key that wants them and not
 * before, whatever members, verifiers and issuers at work do; where libvldaa-issuer is missing,
 * Setup says so and leaves nothing behind, and the rest works.
 */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "module.h"

static char self[] = "/proc/self/exe", role[] = "fresh";

/* --- what is loaded ----------------------------------------------------------------------------
 */

static int is_loaded(const char *library)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int found = 0;

	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof line, maps) != NULL)
		found |= strstr(line, library) != NULL;
	(void)fclose(maps);
	return found;
}

static int solver_is_loaded(void)
{
	const int flint = is_loaded("/libflint"), gmp = is_loaded("/libgmp");

	ck_assert(is_loaded("/libcrypto"));
	ck_assert_int_eq(flint, gmp);
	return flint;
}

static CK_RV setup(CK_SESSION_HANDLE s, const char *set)
{
	char name[32];
	CK_MECHANISM m = {CKM_VLDAA_SETUP, name, strlen(set)};
	CK_OBJECT_HANDLE public_key, private_key;

	memcpy(name, set, m.ulParameterLen);
	return p11->C_GenerateKeyPair(s, &m, NULL, 0, NULL, 0, &public_key, &private_key);
}

/* Everything but Setup. */
static void be_everybody(void)
{
	const CK_SESSION_HANDLE issuer = user_session(ISSUER), car = user_session(CAR),
				other = user_session(BLANK);
	const CK_OBJECT_HANDLE member = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	const CK_OBJECT_HANDLE key = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	const CK_OBJECT_HANDLE group = find_key(other, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
	bytes under_key = sign(car, CKM_VLDAA_SIGN, NULL, key, "x", 1);
	bytes under_member = sign(car, CKM_VLDAA_SIGN, "new", member, "x", 1);

	assert_ok(verify(other, CKM_VLDAA_SIGN, NULL, group, "x", 1, &under_key));
	assert_ok(verify(other, CKM_VLDAA_SIGN, "new", group, "x", 1, &under_member));
	bytes_free(&under_key);
	bytes_free(&under_member);
	ck_assert_uint_ne(join(issuer, other), 0);
	ck_assert(!solver_is_loaded());
}

/* In a process of its own, in which no Setup has run. */
START_TEST(only_setup_of_a_sound_set_loads_flint)
{
	CK_SESSION_HANDLE s;

	load_module(NULL);
	ck_assert(!solver_is_loaded());
	assert_ok(p11->C_Initialize(NULL));
	be_everybody();
	s = user_session(EMPTY);
	assert_ok(setup(s, "VLDAA-42"));
	ck_assert(!solver_is_loaded());
	assert_ok(setup(s, "VLDAA2-44"));
	ck_assert(solver_is_loaded());
	assert_ok(p11->C_Finalize(NULL));
}
END_TEST

START_TEST(a_fresh_process_keeps_its_promises)
{
	char *arguments[] = {self, role, NULL};
	int status;
	pid_t child;

	(void)make_token(EMPTY);
	assert_ok(p11->C_Finalize(NULL));
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		(void)execv(self, arguments);
		_exit(127);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), EXIT_SUCCESS);
}
END_TEST

/* --- where it is missing -----------------------------------------------------------------------
 */

static int has_register(int place)
{
	DIR *d = opendir(world_directory(place));
	int found = 0;

	ck_assert_ptr_nonnull(d);
	for (const struct dirent *e = readdir(d); e != NULL; e = readdir(d))
		found |= strncmp(e->d_name, "register-", 9) == 0;
	(void)closedir(d);
	return found;
}

/* What the module says of a call that fails. */
static void expect_words(CK_SESSION_HANDLE s, const char *words)
{
	char path[160], line[1024];
	int found = 0;
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/words", world_directory(BLANK));
	ck_assert_ptr_nonnull(freopen(path, "w", stderr));
	ck_assert_int_eq(setenv("VLDAA_PKCS11_DEBUG", "1", 1), 0);
	assert_rv(setup(s, "VLDAA2-44"), CKR_LIBRARY_LOAD_FAILED);
	(void)fflush(stderr);
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof line, f) != NULL)
		found |= strstr(line, words) != NULL;
	(void)fclose(f);
	ck_assert_msg(found, "no word of it");
}

START_TEST(without_the_library_there_is_no_half_of_an_issuer)
{
	CK_SESSION_HANDLE s;
	CK_ULONG before;

	assert_ok(p11->C_Finalize(NULL));
	load_module(VLDAA_TEST_MODULE_ALONE);
	assert_ok(p11->C_Initialize(NULL));
	s = user_session(BLANK);
	before = count_all(s);
	expect_words(s, "libvldaa-absent.so.0: cannot open shared object file");
	ck_assert_uint_eq(count_all(s), before);
	ck_assert(!has_register(BLANK));
	/* The rest works. */
	assert_ok(setup(s, "VLDAA-42"));
	ck_assert(has_register(BLANK));
	assert_ok(p11->C_Finalize(NULL));

	load_module(NULL);
	assert_ok(p11->C_Initialize(NULL));
	assert_ok(setup(user_session(BLANK), "VLDAA2-44"));
}
END_TEST

int main(int argc, char **argv)
{
	const int is_fresh = argc == 2 && strcmp(argv[1], role) == 0;
	Suite *suite = suite_create(is_fresh ? "pkcs11_solver, fresh" : "pkcs11_solver");
	TCase *c = tcase_create("solver");
	SRunner *runner;
	int ended_badly;

	if (is_fresh) {
		tcase_add_test(c, only_setup_of_a_sound_set_loads_flint);
	} else {
		tcase_add_unchecked_fixture(c, world_make, world_remove);
		tcase_add_checked_fixture(c, world_enter, world_leave);
		tcase_add_test(c, a_fresh_process_keeps_its_promises);
		tcase_add_test(c, without_the_library_there_is_no_half_of_an_issuer);
	}
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	ended_badly = srunner_ntests_failed(runner);
	srunner_free(runner);
	return ended_badly ? EXIT_FAILURE : EXIT_SUCCESS;
}
