/*
 * Promises: whichever of a TPM's services fails, at whichever of its calls, and however it does so,
 * the operation is refused with the service's error (a buffer that is too small, which the caller
 * would take for its own, becomes SERVICE or STORE); the output is zero, nothing has been stored,
 * the workspace holds nothing; and the same operation works when the service does.  The same holds
 * for the randomness of hosts and issuers, and for libcrypto's.
 */
#define OPENSSL_SUPPRESS_DEPRECATED /* RAND_METHOD is what a test can make fail */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/rand.h>

#include "../support/stage.h"
#include "role/evp.h"
#include "role/tpm_state.h"
#include "vldaa/ntru.h"

static const uint8_t one[] = "one";

/* --- services that fail --------------------------------------------------------------------------
 */

enum service { RANDOM, NOW, ANSWER_KEY, OPEN, CHECK, CERTIFICATE, ENDORSE, LOAD, COMMIT };

static struct {
	vldaa_tpm_services honest;
	int calls;
	int fail_at;   /* the call that fails; negative: none */
	int fail_with; /* what it answers */
	enum service hit;
} faults;

static int fails(enum service service)
{
	if (faults.calls++ != faults.fail_at)
		return 0;
	faults.hit = service;
	return 1;
}

static int faulty_random(void *ctx, uint8_t *out, size_t len)
{
	return fails(RANDOM) ? faults.fail_with : faults.honest.random(ctx, out, len);
}

static int faulty_now(void *ctx, int64_t *seconds)
{
	return fails(NOW) ? faults.fail_with : faults.honest.now(ctx, seconds);
}

static int faulty_answer_key(void *ctx, uint8_t private_key[32], uint8_t public_key[32])
{
	return fails(ANSWER_KEY) ? faults.fail_with
				 : faults.honest.answer_key(ctx, private_key, public_key);
}

static int faulty_open(void *ctx, enum vldaa_seal_kind kind, const uint8_t key[32],
		       const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t in_len,
		       uint8_t *out, size_t cap, size_t *len)
{
	return fails(OPEN)
		   ? faults.fail_with
		   : faults.honest.open(ctx, kind, key, aad, aad_len, in, in_len, out, cap, len);
}

static int faulty_check(void *ctx, const uint8_t *spki, size_t spki_len, const uint8_t *message,
			size_t message_len, const uint8_t *signature, size_t signature_len)
{
	return fails(CHECK) ? faults.fail_with
			    : faults.honest.check(ctx, spki, spki_len, message, message_len,
						  signature, signature_len);
}

static int faulty_certificate(void *ctx, uint8_t *out, size_t cap, size_t *len)
{
	return fails(CERTIFICATE) ? faults.fail_with
				  : faults.honest.certificate(ctx, out, cap, len);
}

static int faulty_endorse(void *ctx, const uint8_t *message, size_t message_len, uint8_t *out,
			  size_t cap, size_t *len)
{
	return fails(ENDORSE) ? faults.fail_with
			      : faults.honest.endorse(ctx, message, message_len, out, cap, len);
}

static int faulty_load(void *ctx, enum vldaa_record record, const uint8_t *name, uint8_t *out,
		       size_t cap, size_t *len)
{
	return fails(LOAD) ? faults.fail_with
			   : faults.honest.load(ctx, record, name, out, cap, len);
}

static int faulty_commit(void *ctx, const vldaa_change *changes, size_t count)
{
	return fails(COMMIT) ? faults.fail_with : faults.honest.commit(ctx, changes, count);
}

static void make_faulty(void)
{
	faults.honest = t.c.services;
	faults.fail_at = -1;
	t.c.services.random = faulty_random;
	t.c.services.now = faulty_now;
	t.c.services.answer_key = faulty_answer_key;
	t.c.services.open = faulty_open;
	t.c.services.check = faulty_check;
	t.c.services.certificate = faulty_certificate;
	t.c.services.endorse = faulty_endorse;
	t.c.services.load = faulty_load;
	t.c.services.commit = faulty_commit;
}

/* What the TPM's caller is told when this service answers so. */
static int expected_error(enum service service, int answer)
{
	const int unusable = answer > 0 || answer == VLDAA_ERR_BUFFER;

	if (service == RANDOM)
		return VLDAA_ERR_RANDOM;
	if (service == LOAD || service == COMMIT)
		return unusable ? VLDAA_ERR_STORE : answer;
	return unusable ? VLDAA_ERR_SERVICE : answer;
}

/* --- operations ----------------------------------------------------------------------------------
 */

static int do_keygen(void)
{
	return vldaa_tpm_keygen(t.c.tpm, t.w.group_key.data, t.w.group_key.len);
}

static int do_request(void)
{
	return vldaa_tpm_request(t.c.tpm, t.call.data, t.call.len, t.out, sizeof t.out, &t.len);
}

static int do_accept(void)
{
	return vldaa_tpm_accept(t.c.tpm, t.answer.data, t.answer.len, t.out, sizeof t.out, &t.len);
}

static int do_public_key(void)
{
	return vldaa_tpm_public_key(t.c.tpm, t.key_id, t.out, sizeof t.out, &t.len);
}

static int do_create(void)
{
	return vldaa_tpm_create(t.c.tpm, t.create_call.data, t.create_call.len, t.out, sizeof t.out,
				&t.len);
}

/* Nothing is signed after a begin or an end that failed. */
static int do_sign(void)
{
	int err = vldaa_tpm_sign_begin(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a));

	if (!err)
		err = vldaa_tpm_sign_update(t.c.tpm, one, 3);
	if (!err)
		err = vldaa_tpm_sign_end(t.c.tpm, t.out, sizeof t.out, &t.len);
	else
		memset(t.out, 0, sizeof t.out), t.len = 0;
	ck_assert_int_eq(vldaa_tpm_sign_update(t.c.tpm, one, 3), VLDAA_ERR_STATE);
	return err;
}

static int do_token(void)
{
	return vldaa_tpm_token(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a), t.out,
			       sizeof t.out, &t.len);
}

static int do_obey(void)
{
	return vldaa_tpm_obey(t.c.tpm, t.sealed.data, t.sealed.len, t.out, sizeof t.out, &t.len);
}

static int do_status(void)
{
	vldaa_tpm_status status;
	int err;

	memset(&status, 0xaa, sizeof status);
	err = vldaa_tpm_get_status(t.c.tpm, t.key_id, &status);
	if (err)
		ck_assert(all_zero(&status, sizeof status));
	return err;
}

static const struct {
	int (*run)(void);
	int has_output;
	int services; /* how often it asks a service at least */
} operations[] = {{do_keygen, 0, 4}, {do_request, 1, 6},    {do_accept, 1, 5},
		  {do_create, 1, 3}, {do_public_key, 1, 1}, {do_sign, 1, 5},
		  {do_token, 1, 3},  {do_obey, 1, 8},       {do_status, 0, 2}};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static void check_forgotten(void)
{
	const vldaa_tpm *tpm = t.c.tpm;

	ck_assert(all_zero(tpm->record, sizeof tpm->record));
	ck_assert(all_zero(tpm->next, sizeof tpm->next));
	ck_assert(all_zero(tpm->plain, sizeof tpm->plain));
	ck_assert(all_zero(tpm->workspace, tpm->workspace_size));
	ck_assert(all_zero(&tpm->message, sizeof tpm->message));
}

START_TEST(a_service_that_fails_at_any_call_stops_the_operation_and_nothing_else)
{
	/* The first three are of each kind: passed on, misunderstood, no code at all. */
	static const int answers[] = {VLDAA_ERR_STORE,   VLDAA_ERR_BUFFER,  1,
				      VLDAA_ERR_SERVICE, VLDAA_ERR_CRYPTO,  VLDAA_ERR_MEMORY,
				      VLDAA_ERR_RANDOM,  VLDAA_ERR_INTERNAL};
	const vldaa_set *set = vldaa_set_at((size_t)_i / OPERATIONS);
	/* What else a service may answer has nothing to do with the set: not for the slowest one. */
	const size_t tried =
	    strcmp(vldaa_set_name(set), "VLDAA2-87") == 0 ? 3 : sizeof answers / sizeof answers[0];
	const size_t which = (size_t)_i % OPERATIONS;
	memory_store kept;
	store_state before;

	stage_set_up(set);
	if (operations[which].run == do_keygen)
		store_clear(&t.c.store);
	kept = store_copy(&t.c.store);
	before = store_now(&kept);
	make_faulty();
	for (size_t a = 0; a < tried; a++) {
		int err = -1;

		for (faults.fail_at = 0; err; faults.fail_at++) {
			faults.calls = 0;
			faults.fail_with = answers[a];
			stage_spoil();
			err = operations[which].run();
			check_forgotten();
			if (!err)
				continue; /* it asks no service so often */
			ck_assert_int_eq(err, expected_error(faults.hit, answers[a]));
			ck_assert_int_eq(faults.calls, faults.fail_at + 1);
			if (operations[which].has_output)
				ck_assert(all_zero(t.out, sizeof t.out) && t.len == 0);
			ck_assert(store_same(&t.c.store, before));
		}
		ck_assert_int_gt(faults.fail_at, operations[which].services);
		store_clear(&t.c.store);
		t.c.store = store_copy(&kept);
	}
	store_clear(&kept);
	stage_tear_down();
}
END_TEST

/* --- services that answer nonsense ---------------------------------------------------------------
 */

/* More than the buffer holds, as if it had been written. */
static int boasting_certificate(void *ctx, uint8_t *out, size_t cap, size_t *len)
{
	(void)ctx;
	memset(out, 1, cap);
	*len = cap + 1;
	return VLDAA_OK;
}

static int boasting_endorse(void *ctx, const uint8_t *message, size_t message_len, uint8_t *out,
			    size_t cap, size_t *len)
{
	(void)message;
	(void)message_len;
	return boasting_certificate(ctx, out, cap, len);
}

static int boasting_open(void *ctx, enum vldaa_seal_kind kind, const uint8_t key[32],
			 const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t in_len,
			 uint8_t *out, size_t cap, size_t *len)
{
	(void)kind;
	(void)key;
	(void)aad;
	(void)aad_len;
	(void)in;
	(void)in_len;
	return boasting_certificate(ctx, out, cap, len);
}

static int boasting_load(void *ctx, enum vldaa_record record, const uint8_t *name, uint8_t *out,
			 size_t cap, size_t *len)
{
	(void)record;
	(void)name;
	return boasting_certificate(ctx, out, cap, len);
}

START_TEST(a_service_that_says_it_wrote_past_its_buffer_is_not_believed)
{
	stage_set_up(vldaa_set_at((size_t)_i));
	const vldaa_tpm_services honest = t.c.services;
	const store_state before = store_now(&t.c.store);

	t.c.services.certificate = boasting_certificate;
	ck_assert_int_eq(do_request(), VLDAA_ERR_SERVICE);
	t.c.services = honest;
	t.c.services.endorse = boasting_endorse;
	ck_assert_int_eq(do_request(), VLDAA_ERR_SERVICE);
	t.c.services = honest;
	t.c.services.open = boasting_open;
	ck_assert_int_eq(do_accept(), VLDAA_ERR_SERVICE);
	ck_assert_int_ne(do_obey(), VLDAA_OK);
	t.c.services.load = boasting_load;
	for (size_t i = 0; i < OPERATIONS; i++) {
		if (operations[i].run != do_keygen)
			ck_assert_int_eq(operations[i].run(), VLDAA_ERR_STORE);
	}
	t.c.services = honest;
	check_forgotten();
	ck_assert(store_same(&t.c.store, before));
	ck_assert_int_eq(do_accept(), VLDAA_OK);
	ck_assert_int_eq(do_obey(), VLDAA_OK);
	stage_tear_down();
}
END_TEST

/* --- hosts, issuers, libcrypto
 * -------------------------------------------------------------------- */

static void check_random(int err)
{
	ck_assert_int_eq(err, VLDAA_ERR_RANDOM);
	ck_assert(all_zero(t.out, sizeof t.out));
	ck_assert_uint_eq(t.len, 0);
	stage_spoil();
}

START_TEST(hosts_and_issuers_without_randomness_make_nothing)
{
	const vldaa_set *set = vldaa_set_at((size_t)_i);
	test_random none = {1, 0, 0};
	const vldaa_source broken = {test_random_bytes, &none};
	uint8_t tag[VLDAA_MAX_TAG_BYTES] = {1};
	size_t tag_len = 1;
	vldaa_host *h;
	int done;

	stage_set_up(set);
	stage_spoil();
	const vldaa_group_services services = {t.w.revocation.spki.data, t.w.revocation.spki.len,
					       t.w.fleet_key};
	const buffer authority = t.w.authority.pkcs8;
	check_random(vldaa_issuer_keygen_from(&broken, set, vldaa_ntru_solve, authority.data,
					      authority.len, t.out, sizeof t.out, &t.len));
	vldaa_issuer_set_source(t.w.issuer, broken);
	check_random(
	    vldaa_issuer_answer(t.w.issuer, &services, tag, &tag_len, t.out, sizeof t.out, &t.len));
	ck_assert(all_zero(tag, sizeof tag) && tag_len == 0);
	vldaa_issuer_set_source(t.w.issuer, (vldaa_source){test_random_bytes, &t.w.random});
	ck_assert_int_eq(
	    vldaa_issuer_answer(t.w.issuer, &services, tag, &tag_len, t.out, sizeof t.out, &t.len),
	    VLDAA_OK);

	ck_assert_int_eq(vldaa_host_new(&h, t.w.group_key.data, t.w.group_key.len), VLDAA_OK);
	vldaa_host_set_source(h, broken);
	stage_spoil();
	check_random(vldaa_host_keygen(h, t.out, sizeof t.out, &t.len));
	ck_assert_int_eq(vldaa_host_join(h, t.nonce.data, t.nonce.len, t.out, sizeof t.out, &t.len),
			 VLDAA_ERR_NO_KEY);
	none.fail_at = -1;
	ck_assert_int_eq(vldaa_host_keygen(h, t.out, sizeof t.out, &t.len), VLDAA_OK);
	none.fail_at = 0;
	stage_spoil();
	check_random(vldaa_host_join(h, t.nonce.data, t.nonce.len, t.out, sizeof t.out, &t.len));
	none.fail_at = -1;
	ck_assert_int_eq(vldaa_host_join(h, t.nonce.data, t.nonce.len, t.out, sizeof t.out, &t.len),
			 VLDAA_OK);
	vldaa_host_free(h);

	t.c.random.fail_at = 0;
	stage_spoil();
	check_random(vldaa_host_create_begin(t.c.host, one, 3, t.out, sizeof t.out, &t.len));
	/* A begin that failed has begun nothing; the Create before it is over. */
	ck_assert_int_eq(vldaa_host_create_step(t.c.host, t.reply.data, t.reply.len, t.out,
						sizeof t.out, &t.len, &done),
			 VLDAA_ERR_STATE);
	t.c.random.fail_at = -1;
	buffer att = car_create(&t.c, "one");
	buffer_free(&att);
	stage_tear_down();
}
END_TEST

static struct {
	int calls;
	int fail_at;
	uint64_t state;
} rand_faults;

static int faulty_rand_bytes(unsigned char *buf, int num)
{
	if (rand_faults.calls++ == rand_faults.fail_at)
		return 0;
	/* Marsaglia's xorshift64: any bytes do. */
	for (int i = 0; i < num; i++) {
		rand_faults.state ^= rand_faults.state << 13;
		rand_faults.state ^= rand_faults.state >> 7;
		rand_faults.state ^= rand_faults.state << 17;
		buf[i] = (unsigned char)rand_faults.state;
	}
	return 1;
}

static int rand_is_there(void)
{
	return 1;
}

static vldaa_host *system_host(void)
{
	vldaa_host *h;

	ck_assert_int_eq(vldaa_host_new(&h, t.w.group_key.data, t.w.group_key.len), VLDAA_OK);
	return h;
}

static int system_host_keygen(void)
{
	vldaa_host *h = system_host();
	int err = vldaa_host_keygen(h, t.out, sizeof t.out, &t.len);

	vldaa_host_free(h);
	return err;
}

static int system_issuer_keygen(void)
{
	return vldaa_issuer_keygen(t.w.set, vldaa_ntru_solve, t.w.authority.pkcs8.data,
				   t.w.authority.pkcs8.len, t.out, sizeof t.out, &t.len);
}

/* The seal's ephemeral key comes from libcrypto. */
static int system_answer(void)
{
	const vldaa_group_services services = {t.w.revocation.spki.data, t.w.revocation.spki.len,
					       t.w.fleet_key};
	uint8_t tag[VLDAA_MAX_TAG_BYTES];
	size_t tag_len;

	return vldaa_issuer_answer(t.w.issuer, &services, tag, &tag_len, t.out, sizeof t.out,
				   &t.len);
}

/* So does the fleet's nonce. */
static int system_order(void)
{
	const vldaa_order_terms terms = {VLDAA_REVOKE_SOFT, 0, 9, t.w.now};
	int err = vldaa_order_new(t.a, &terms, t.w.revocation.pkcs8.data, t.w.revocation.pkcs8.len,
				  t.w.fleet_key, t.second, sizeof t.second, &t.second_len, t.out,
				  sizeof t.out, &t.len);

	if (err)
		ck_assert(all_zero(t.second, sizeof t.second) && t.second_len == 0);
	return err;
}

static int system_seal_key(void)
{
	t.len = 0;
	memset(t.out + 64, 0, sizeof t.out - 64);
	return vldaa_seal_keypair(t.out, t.out + 32);
}

static int (*const system_operations[])(void) = {system_host_keygen, system_issuer_keygen,
						 system_answer, system_order, system_seal_key};

START_TEST(when_libcryptos_randomness_fails_at_any_call_nothing_comes_out)
{
	const RAND_METHOD *const honest = RAND_get_rand_method();
	const RAND_METHOD faulty = {
	    .bytes = faulty_rand_bytes, .pseudorand = faulty_rand_bytes, .status = rand_is_there};

	stage_set_up(vldaa_set_at((size_t)_i));
	ck_assert_int_eq(RAND_set_rand_method(&faulty), 1);
	for (size_t i = 0; i < sizeof system_operations / sizeof system_operations[0]; i++) {
		int err = -1;

		rand_faults.state = 88172645463325252;
		for (rand_faults.fail_at = 0; err; rand_faults.fail_at++) {
			rand_faults.calls = 0;
			stage_spoil();
			err = system_operations[i]();
			if (!err)
				continue;
			ck_assert(err == VLDAA_ERR_RANDOM || err == VLDAA_ERR_CRYPTO);
			ck_assert(all_zero(t.out, sizeof t.out));
			ck_assert_uint_eq(t.len, 0);
		}
		ck_assert_int_gt(rand_faults.fail_at, 1); /* it asked at least once */
	}
	ck_assert_int_eq(RAND_set_rand_method(honest), 1);
	stage_tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("failing services");
	TCase *tc = tcase_create("services");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc,
			    a_service_that_fails_at_any_call_stops_the_operation_and_nothing_else,
			    0, sets * OPERATIONS);
	tcase_add_loop_test(tc, a_service_that_says_it_wrote_past_its_buffer_is_not_believed, 0,
			    sets);
	tcase_add_loop_test(tc, hosts_and_issuers_without_randomness_make_nothing, 0, sets);
	tcase_add_loop_test(tc, when_libcryptos_randomness_fails_at_any_call_nothing_comes_out, 0,
			    sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
