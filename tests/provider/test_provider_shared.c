/*
 * Promises about keys in tokens that processes and threads share: a forked child logs in again by the PIN's file, or says
 * that it is not logged in, while its parent goes on; a wrong PIN in that file costs a process one try, and processes one
 * after another never the last (at once they might: the look at what is left and the login are two calls); eight threads sign at once with one key, with several, and while somebody deletes what they
 * sign with; what another process deletes, revokes or makes anew is seen at the next signature.
 */
#include <check.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

static const uint8_t message[] = "brake";
enum { LEN = sizeof message - 1 };

/* --- fork --------------------------------------------------------------------------------------
 */

static int sign_here(void *arg)
{
	return signs(arg, "here");
}

static int sign_as_pseudonym(void *arg)
{
	return signs(arg, NULL);
}

START_TEST(a_child_logs_in_again_by_the_pins_file)
{
	EVP_PKEY *member = token_key_by_file("member"), *pseudonym = token_key_by_file("platoon-7");

	ck_assert_int_eq(signs(member, "here"), 1);
	in_child(sign_here, member);
	in_child(sign_as_pseudonym, pseudonym);
	ck_assert_int_eq(signs(member, "here"), 1);
	ck_assert_int_eq(signs(pseudonym, NULL), 1);
	EVP_PKEY_free(member);
	EVP_PKEY_free(pseudonym);
}
END_TEST

/* A child of a child, and what each frees. */
static int have_a_child(void *arg)
{
	EVP_PKEY *copy = EVP_PKEY_dup(arg);
	const int done = signs(arg, "here");

	in_child(sign_here, copy);
	EVP_PKEY_free(copy);
	EVP_PKEY_free(arg);
	return done;
}

START_TEST(so_does_a_childs_child)
{
	EVP_PKEY *key = token_key_by_file("member");

	ck_assert_int_eq(signs(key, "here"), 1);
	in_child(have_a_child, key);
	ck_assert_int_eq(signs(key, "here"), 1);
	EVP_PKEY_free(key);
}
END_TEST

static int is_told(EVP_PKEY *key, const char *basename)
{
	refuses(key, basename, "not logged in to the token any more");
	return 1;
}

static int is_told_as_member(void *arg)
{
	return is_told(arg, "here") && is_told(arg, "there");
}

static int is_told_as_pseudonym(void *arg)
{
	return is_told(arg, NULL);
}

START_TEST(a_child_without_a_file_is_told_and_its_parent_goes_on)
{
	EVP_PKEY *member = token_key_by_value("member"),
		 *pseudonym = token_key_by_value("platoon-7");

	ck_assert_int_eq(signs(member, "here"), 1);
	in_child(is_told_as_member, member);
	in_child(is_told_as_pseudonym, pseudonym);
	ck_assert_int_eq(signs(member, "here"), 1);
	ck_assert_int_eq(signs(member, "there"), 1);
	ck_assert_int_eq(signs(pseudonym, NULL), 1);
	EVP_PKEY_free(member);
	EVP_PKEY_free(pseudonym);
}
END_TEST

static int free_all(void *arg)
{
	EVP_PKEY_free(arg);
	return OSSL_PROVIDER_unload(e.ours);
}

START_TEST(a_child_that_frees_a_key_takes_nothing_from_its_parent)
{
	EVP_PKEY *key = token_key_by_file("member");

	ck_assert_int_eq(signs(key, "here"), 1);
	in_child(free_all, key);
	ck_assert_int_eq(signs(key, "here"), 1);
	EVP_PKEY_free(key);
}
END_TEST

/* A signature on its way. */
static EVP_MD_CTX *begin(EVP_PKEY *key, const char *basename)
{
	const OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_octet_string("basename", (void *)(uintptr_t)basename,
					      strlen(basename)),
	    OSSL_PARAM_construct_end(),
	};
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	ck_assert_int_eq(EVP_DigestSignInit_ex(ctx, NULL, NULL, e.libctx, NULL, key, params), 1);
	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, message, 2), 1);
	return ctx;
}

static int end_it(void *arg)
{
	buffer signature = buffer_new(vldaa_object_max_size(e.w.set, VLDAA_KIND_SIGNATURE));
	EVP_PKEY *group = token_public("group");
	const int done = EVP_DigestSignUpdate(arg, message + 2, LEN - 2) == 1 &&
			 EVP_DigestSignFinal(arg, signature.data, &signature.len) == 1 &&
			 evp_verify(&e, group, signature, NULL, message, LEN) == 1;

	EVP_PKEY_free(group);
	buffer_free(&signature);
	return done;
}

static int cannot_end_it(void *arg)
{
	return !end_it(arg) && strstr(evp_reason(), "not logged in") != NULL;
}

START_TEST(a_signature_that_was_begun_before_a_fork_ends_on_both_sides)
{
	EVP_PKEY *member = token_key_by_file("member"), *pseudonym = token_key_by_file("platoon-7");
	EVP_MD_CTX *a = begin(member, "here"), *b = begin(pseudonym, "platoon-7");

	in_child(end_it, a);
	in_child(end_it, b);
	ck_assert_int_eq(end_it(a), 1);
	ck_assert_int_eq(end_it(b), 1);
	EVP_MD_CTX_free(a);
	EVP_MD_CTX_free(b);
	EVP_PKEY_free(member);
	EVP_PKEY_free(pseudonym);
}
END_TEST

START_TEST(without_a_file_it_ends_in_the_parent_alone)
{
	EVP_PKEY *member = token_key_by_value("member");
	EVP_MD_CTX *a = begin(member, "here");

	in_child(cannot_end_it, a);
	ck_assert_int_eq(end_it(a), 1);
	EVP_MD_CTX_free(a);
	EVP_PKEY_free(member);
}
END_TEST

/* --- PINs --------------------------------------------------------------------------------------
 */

static CK_FLAGS pin_flags(void)
{
	CK_TOKEN_INFO info;

	assert_ok(p11->C_GetTokenInfo(CAR, &info));
	return info.flags & (CKF_USER_PIN_COUNT_LOW | CKF_USER_PIN_FINAL_TRY | CKF_USER_PIN_LOCKED);
}

static int sign_often(void *arg)
{
	ck_assert_int_eq(signs(arg, "here"), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "wrong PIN"));
	for (int i = 0; i < 20; i++)
		refuses(arg, "here", "not logged in to the token any more");
	return 1;
}

static int sign_once(void *arg)
{
	return signs(arg, "here");
}

static int is_refused_the_last_try(void *arg)
{
	refuses(arg, "here", "only one try is left");
	return 1;
}

static int change_pin(void *arg)
{
	uint8_t old[] = USER_PIN, new[] = "another PIN";
	CK_SESSION_HANDLE s;

	(void)arg;
	assert_ok(p11->C_Initialize(NULL));
	s = open_session(CAR, CKF_RW_SESSION);
	assert_ok(p11->C_SetPIN(s, old, sizeof old - 1, new, sizeof new - 1));
	return 1;
}

START_TEST(a_pin_that_has_changed_is_tried_once_a_process_and_by_one_after_another_never_at_last)
{
	EVP_PKEY *key = token_key_by_file("member");
	CK_SESSION_HANDLE s;

	in_child(change_pin, NULL);
	/* who is logged in stays so */
	ck_assert_int_eq(signs(key, "here"), 1);
	in_child(sign_often, key);
	ck_assert_uint_eq(pin_flags(), CKF_USER_PIN_COUNT_LOW);
	for (int i = 1; i < 9; i++) {
		ck_assert_uint_eq(pin_flags(), CKF_USER_PIN_COUNT_LOW);
		in_child(sign_often, key);
	}
	ck_assert_uint_eq(pin_flags(), CKF_USER_PIN_COUNT_LOW | CKF_USER_PIN_FINAL_TRY);
	for (int i = 0; i < 3; i++)
		in_child(is_refused_the_last_try, key);
	write_pin("another PIN");
	in_child(is_refused_the_last_try, key);
	assert_ok(p11->C_CloseAllSessions(CAR));
	s = open_session(CAR, 0);
	assert_ok(login(s, CKU_USER, "another PIN"));
	assert_ok(p11->C_CloseSession(s));
	in_child(sign_once, key);
	ck_assert_int_eq(signs(key, "here"), 1);
	EVP_PKEY_free(key);
}
END_TEST

/* --- other processes ---------------------------------------------------------------------------
 */

static CK_SESSION_HANDLE in_another_process(void)
{
	assert_ok(p11->C_Initialize(NULL));
	return user_session(CAR);
}

static int delete_pseudonym(void *arg)
{
	const CK_SESSION_HANDLE s = in_another_process();

	(void)arg;
	assert_ok(p11->C_DestroyObject(s, find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM)));
	return 1;
}

static int make_pseudonym_anew(void *arg)
{
	const CK_SESSION_HANDLE s = in_another_process();
	CK_OBJECT_HANDLE key;

	(void)arg;
	assert_ok(p11->C_DestroyObject(s, find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM)));
	assert_ok(try_create(s, find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), "platoon-7", 1,
			     &key));
	return 1;
}

static int revoke_pseudonym(void *arg)
{
	const CK_SESSION_HANDLE s = in_another_process(), issuer = user_session(ISSUER);
	const CK_OBJECT_HANDLE member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	bytes group = get_attribute(issuer, find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP),
				    CKA_VALUE),
	      fleet = get_attribute(issuer, find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER),
				    CKA_VLDAA_FLEET_KEY),
	      attestation = get_attribute(s, find_key(s, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_PSEUDONYM),
					  CKA_VLDAA_ATTESTATION),
	      order = order_against(&group, &fleet, &attestation, 0, 1, NULL), confirmation;

	(void)arg;
	confirmation = sign(s, CKM_VLDAA_REVOKE, NULL, member, order.data, order.len);
	return confirmation.len > 0;
}

static void digest_of(EVP_PKEY *key, const char *basename, uint8_t digest[VLDAA_DIGEST_BYTES])
{
	buffer signature = evp_sign(&e, key, basename, "compact", message, LEN);

	evp_digest(signature, digest);
	buffer_free(&signature);
}

START_TEST(a_pseudonym_that_another_process_deletes_signs_no_more_by_itself)
{
	EVP_PKEY *member = token_key_by_file("member"), *pseudonym = token_key_by_file("platoon-7");
	uint8_t before[VLDAA_DIGEST_BYTES], after[VLDAA_DIGEST_BYTES];
	EVP_MD_CTX *ctx = begin(pseudonym, "platoon-7");

	digest_of(member, "platoon-7", before);
	in_child(delete_pseudonym, NULL);
	for (int i = 0; i < 3; i++)
		refuses(pseudonym, NULL, "the token has no such key");
	ck_assert_int_eq(end_it(ctx), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "the token has no such key"));
	EVP_MD_CTX_free(ctx);
	/* its member makes another one */
	digest_of(member, "platoon-7", after);
	ck_assert_mem_ne(before, after, sizeof after);
	ck_assert_int_eq(signs(member, "platoon-7"), 1);
	EVP_PKEY_free(member);
	EVP_PKEY_free(pseudonym);
}
END_TEST

START_TEST(one_that_is_made_anew_is_the_one_that_its_member_signs_with)
{
	EVP_PKEY *member = token_key_by_file("member"), *pseudonym = token_key_by_file("platoon-7"),
		 *anew;
	uint8_t of_member[VLDAA_DIGEST_BYTES], of_pseudonym[VLDAA_DIGEST_BYTES];

	ck_assert_int_eq(signs(member, "platoon-7"), 1);
	in_child(make_pseudonym_anew, NULL);
	digest_of(member, "platoon-7", of_member);
	anew = token_key_by_file("platoon-7");
	digest_of(anew, NULL, of_pseudonym);
	ck_assert_mem_eq(of_member, of_pseudonym, sizeof of_member);
	/* and not the one that was loaded */
	refuses(pseudonym, NULL, "the token has no such key");
	ck_assert_int_ne(EVP_PKEY_eq(pseudonym, anew), 1);
	EVP_PKEY_free(member);
	EVP_PKEY_free(pseudonym);
	EVP_PKEY_free(anew);
}
END_TEST

START_TEST(one_that_is_revoked_signs_no_more)
{
	EVP_PKEY *member = token_key_by_file("member"), *pseudonym = token_key_by_file("platoon-7");
	EVP_MD_CTX *ctx = begin(member, "platoon-7");

	ck_assert_int_eq(signs(pseudonym, NULL), 1);
	in_child(revoke_pseudonym, NULL);
	refuses(pseudonym, NULL, "the token has no such key");
	refuses(member, "platoon-7", "revoked");
	ck_assert_int_eq(end_it(ctx), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "revoked"));
	ck_assert_int_eq(signs(member, "here"), 1);
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(member);
	EVP_PKEY_free(pseudonym);
}
END_TEST

/* --- threads -----------------------------------------------------------------------------------
 */

enum { THREADS = 8 };

static int rounds(void)
{
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	return 20;
#else
	return 100;
#endif
}

typedef struct {
	EVP_PKEY *key, *other; /* a member's, a pseudonym's */
	unsigned id;
	int bad;
	atomic_int *going; /* or NULL: so many rounds */
} worker;

static int sign_a_round(const worker *w, int i)
{
	char basename[] = {(char)('a' + (i + (int)w->id) % 4), '\0'};
	const int by_other = w->other != NULL && i % 2 == 1;
	buffer signature;

	if (i % 10 == 0)
		return signs(by_other ? w->other : w->key, by_other ? "platoon-7" : basename);
	if (evp_try_sign(&e, by_other ? w->other : w->key, by_other ? "platoon-7" : basename,
			 "compact", message, LEN, &signature) != 1)
		return 0;
	buffer_free(&signature);
	return 1;
}

static void *work(void *arg)
{
	worker *w = arg;

	for (int i = 0; w->going != NULL ? atomic_load(w->going) : i < rounds(); i++)
		w->bad += !sign_a_round(w, i);
	ERR_clear_error();
	return NULL;
}

static void start(worker workers[THREADS], pthread_t threads[THREADS])
{
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i].id = i;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
	}
}

static void finish(worker workers[THREADS], pthread_t threads[THREADS])
{
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert_int_eq(workers[i].bad, 0);
}

START_TEST(eight_threads_sign_with_one_key)
{
	worker workers[THREADS] = {{0}};
	pthread_t threads[THREADS];
	EVP_PKEY *key = token_key_by_file("member");

	for (int i = 0; i < THREADS; i++)
		workers[i].key = key;
	start(workers, threads);
	finish(workers, threads);
	EVP_PKEY_free(key);
}
END_TEST

START_TEST(eight_threads_sign_with_keys_of_one_token)
{
	worker workers[THREADS] = {{0}};
	pthread_t threads[THREADS];
	EVP_PKEY *shared = token_key_by_file("platoon-7");

	for (int i = 0; i < THREADS; i++) {
		workers[i].key = token_key_by_file("member");
		workers[i].other = i < 4 ? shared : token_key_by_file("platoon-7");
	}
	start(workers, threads);
	finish(workers, threads);
	for (int i = 0; i < THREADS; i++) {
		EVP_PKEY_free(workers[i].key);
		if (workers[i].other != shared)
			EVP_PKEY_free(workers[i].other);
	}
	EVP_PKEY_free(shared);
}
END_TEST

/* The program deletes what was made for them, and closes their sessions. */
START_TEST(threads_sign_on_while_their_sessions_are_closed)
{
	worker workers[THREADS] = {{0}};
	pthread_t threads[THREADS];
	EVP_PKEY *key = token_key_by_file("member");
	atomic_int going = 1;

	for (int i = 0; i < THREADS; i++) {
		workers[i].key = key;
		workers[i].going = &going;
	}
	start(workers, threads);
	for (int i = 0; i < 5; i++) {
		pause_ms(100);
		assert_ok(p11->C_CloseAllSessions(CAR));
	}
	pause_ms(300);
	atomic_store(&going, 0);
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	/* a signature is tried twice: two closings in one may fail it, and nothing after them */
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert_int_le(workers[i].bad, 5);
	ck_assert_int_eq(signs(key, "here"), 1);
	ck_assert_uint_eq(pin_flags(), 0);
	EVP_PKEY_free(key);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("keys in tokens that are shared");
	TCase *c = tcase_create("tokens");
	SRunner *runner = srunner_create(s);

	tcase_set_timeout(c, 600);
	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, tokens_enter, tokens_leave);
	tcase_add_test(c, a_child_logs_in_again_by_the_pins_file);
	tcase_add_test(c, so_does_a_childs_child);
	tcase_add_test(c, a_child_without_a_file_is_told_and_its_parent_goes_on);
	tcase_add_test(c, a_child_that_frees_a_key_takes_nothing_from_its_parent);
	tcase_add_test(c, a_signature_that_was_begun_before_a_fork_ends_on_both_sides);
	tcase_add_test(c, without_a_file_it_ends_in_the_parent_alone);
	tcase_add_test(
	    c,
	    a_pin_that_has_changed_is_tried_once_a_process_and_by_one_after_another_never_at_last);
	tcase_add_test(c, a_pseudonym_that_another_process_deletes_signs_no_more_by_itself);
	tcase_add_test(c, one_that_is_made_anew_is_the_one_that_its_member_signs_with);
	tcase_add_test(c, one_that_is_revoked_signs_no_more);
	tcase_add_test(c, eight_threads_sign_with_one_key);
	tcase_add_test(c, eight_threads_sign_with_keys_of_one_token);
	tcase_add_test(c, threads_sign_on_while_their_sessions_are_closed);
	suite_add_tcase(s, c);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
