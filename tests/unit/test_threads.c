/*
 * Promises: threads may share a verifier and the verified attestations made from it, without locks;
 * contexts of their own are all that TPMs and hosts need.  Eight threads at once verify with what
 * they share and sign with what they own, and each gets the answers that one thread alone would.
 *
 * Under the thread sanitizer (preset `thread`) the same test shows that there is no race either.
 */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"

enum { THREADS = 8, ROUNDS = 4, BUFFER = 1 << 17 };

static const char message[] = "the message";

/* Read only while the threads run. */
typedef struct {
	world world;
	buffer attestation, signature, compact, damaged;
	vldaa_attestation *known;
} shared;

/* A thread's own; Check's functions are for one thread, so that it only counts. */
typedef struct {
	const shared *shared;
	car car;
	uint8_t *call, *reply, *signature;
	uint8_t bare[8192];
	unsigned wrong;
} worker;

static void expect(worker *w, int got, int expected)
{
	w->wrong += got != expected;
}

static int verify(const worker *w, const uint8_t *signature, size_t len,
		  const vldaa_attestation *known)
{
	vldaa_verification *v = NULL;
	int err =
	    vldaa_verification_new(&v, w->shared->world.verifier, signature, len, known, NULL, 0);

	if (!err)
		err = vldaa_verification_update(v, message, sizeof message);
	if (!err)
		err = vldaa_verification_end(v);
	vldaa_verification_free(v);
	return err;
}

static void use_shared(worker *w)
{
	const shared *s = w->shared;
	vldaa_attestation *again = NULL;
	int linked = 0;

	expect(w, verify(w, s->signature.data, s->signature.len, NULL), VLDAA_OK);
	expect(w, verify(w, s->signature.data, s->signature.len, s->known), VLDAA_OK);
	expect(w, verify(w, s->compact.data, s->compact.len, s->known), VLDAA_OK);
	expect(w, verify(w, s->damaged.data, s->damaged.len, s->known), VLDAA_ERR_PROOF);
	expect(w,
	       vldaa_attestation_new(&again, s->world.verifier, s->attestation.data,
				     s->attestation.len),
	       VLDAA_OK);
	if (again)
		expect(w, vldaa_link(again, s->known, &linked), VLDAA_OK);
	expect(w, linked, 1);
	vldaa_attestation_free(again);
}

/* Create, Sign and Verify with the thread's own TPM and host. */
static void use_own(worker *w)
{
	car *c = &w->car;
	const uint8_t *key_id = vldaa_host_key_id(c->host);
	const uint8_t basename[] = "own";
	uint8_t digest[VLDAA_DIGEST_BYTES] = {0};
	size_t call = 0, reply = 0, bare = 0, signature = 0;
	vldaa_attestation *a = NULL;
	int linked = 1, done = 0;
	int err =
	    vldaa_host_create_begin(c->host, basename, sizeof basename, w->call, BUFFER, &call);

	while (!err && !done) {
		err = vldaa_tpm_create(c->tpm, w->call, call, w->reply, BUFFER, &reply);
		if (!err)
			err = vldaa_host_create_step(c->host, w->reply, reply, w->call, BUFFER,
						     &call, &done);
	}
	expect(w, err, VLDAA_OK);
	if (err)
		return;
	expect(w, vldaa_attestation_digest_of(w->call, call, digest), VLDAA_OK);
	expect(w, vldaa_tpm_sign_begin(c->tpm, key_id, basename, sizeof basename, digest),
	       VLDAA_OK);
	expect(w, vldaa_tpm_sign_update(c->tpm, message, sizeof message), VLDAA_OK);
	expect(w, vldaa_tpm_sign_end(c->tpm, w->bare, sizeof w->bare, &bare), VLDAA_OK);
	expect(w,
	       vldaa_host_signature(c->host, VLDAA_FORM_SELF_CONTAINED, w->call, call, w->bare,
				    bare, w->signature, BUFFER, &signature),
	       VLDAA_OK);
	expect(w, verify(w, w->signature, signature, NULL), VLDAA_OK);
	expect(w, vldaa_attestation_new(&a, w->shared->world.verifier, w->call, call), VLDAA_OK);
	if (a)
		expect(w, vldaa_link(a, w->shared->known, &linked), VLDAA_OK);
	expect(w, linked, 0);
	vldaa_attestation_free(a);
}

static void *work(void *arg)
{
	worker *w = arg;

	for (int round = 0; round < ROUNDS; round++) {
		use_shared(w);
		use_own(w);
	}
	return NULL;
}

START_TEST(threads_share_a_verifier_and_own_their_contexts)
{
	static worker workers[THREADS];
	pthread_t threads[THREADS];
	shared s;
	car member;

	world_init(&s.world, vldaa_set_at((size_t)_i), 1);
	car_init(&member, &s.world, 2);
	car_join(&member);
	s.attestation = car_create(&member, "shared");
	s.signature =
	    car_sign(&member, s.attestation, VLDAA_FORM_SELF_CONTAINED, message, sizeof message);
	s.compact = car_sign(&member, s.attestation, VLDAA_FORM_COMPACT, message, sizeof message);
	s.damaged = car_sign(&member, s.attestation, VLDAA_FORM_COMPACT, "another", 7);
	ck_assert_int_eq(vldaa_attestation_new(&s.known, s.world.verifier, s.attestation.data,
					       s.attestation.len),
			 VLDAA_OK);
	for (size_t i = 0; i < THREADS; i++) {
		worker *w = &workers[i];

		w->shared = &s;
		car_init(&w->car, &s.world, 10 + i);
		car_join(&w->car);
		w->call = malloc(BUFFER);
		w->reply = malloc(BUFFER);
		w->signature = malloc(BUFFER);
		ck_assert(w->call && w->reply && w->signature);
	}
	for (size_t i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
	for (size_t i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	for (size_t i = 0; i < THREADS; i++) {
		ck_assert_uint_eq(workers[i].wrong, 0);
		car_free(&workers[i].car);
		free(workers[i].call);
		free(workers[i].reply);
		free(workers[i].signature);
	}
	vldaa_attestation_free(s.known);
	buffer_free(&s.attestation);
	buffer_free(&s.signature);
	buffer_free(&s.compact);
	buffer_free(&s.damaged);
	car_free(&member);
	world_free(&s.world);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("threads");
	TCase *tc = tcase_create("threads");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, threads_share_a_verifier_and_own_their_contexts, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
