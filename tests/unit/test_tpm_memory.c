/*
 * Promises of the TPM role about memory, for every parameter set: how large its workspace is, and
 * how much stack it takes; between two calls the workspace holds nothing but what vldaa/tpm.h says;
 * after a call neither the workspace nor the stack holds a piece of the member key, nor of a
 * one-shot set's credential, pseudonym secrets, witness, randomness and masks.
 *
 * Each call runs on a stack of its own, which is painted before and looked at after it.
 */
#include <check.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"
#include "role/tpm_state.h"
#include "tpm_secrets.h"

enum {
	STACK = 1 << 20,
	PAINT = 0xa5,
	STACK_LIMIT = 12 * 1024 /* VLDAA_STACK_WIPED, and the frames above that */
};

/* --- a call on a stack of its own --------------------------------------------------------------
 */

typedef struct call call;
struct call {
	car *car;
	const vldaa_object_info *about;
	buffer in;
	buffer out;
	int err;
};

typedef struct {
	void (*run)(call *c);
	call *call;
	unsigned char *low; /* where the stack was when the call began */
} stack_call;

static unsigned char *stack;

static void *on_stack(void *arg)
{
	stack_call *s = arg;
	unsigned char here;

	s->low = &here;
	s->run(s->call);
	return NULL;
}

/* Runs it and gives the bytes of stack that it took; the first *untouched ones are paint still. */
static size_t run_on_stack(void (*run)(call *), call *c, size_t *untouched)
{
	stack_call s = {run, c, NULL};
	pthread_attr_t attr;
	pthread_t thread;

	memset(stack, PAINT, STACK);
	ck_assert_int_eq(pthread_attr_init(&attr), 0);
	ck_assert_int_eq(pthread_attr_setstack(&attr, stack, STACK), 0);
	ck_assert_int_eq(pthread_create(&thread, &attr, on_stack, &s), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	pthread_attr_destroy(&attr);
	for (*untouched = 0; *untouched < STACK && stack[*untouched] == PAINT;)
		++*untouched;
	ck_assert_uint_gt(*untouched, 0);
	return (size_t)(s.low - stack) - *untouched;
}

/* --- what must not be found --------------------------------------------------------------------
 */

/* The invariant of struct vldaa_tpm. */
static void assert_forgotten(const car *c)
{
	const vldaa_tpm *t = c->tpm;
	const unsigned char *bytes = (const unsigned char *)t;
	unsigned all = 0;

	for (size_t i = offsetof(vldaa_tpm, record); i < t->size; i++)
		all |= bytes[i];
	ck_assert_uint_eq(all, 0);
	if (!t->signing) {
		static const vldaa_message none;

		ck_assert_mem_eq(&t->message, &none, sizeof none);
	}
}

/* --- calls -------------------------------------------------------------------------------------
 */

static void call_keygen(call *c)
{
	c->err = vldaa_tpm_keygen(c->car->tpm, c->in.data, c->in.len);
}

static void call_request(call *c)
{
	c->err = vldaa_tpm_request(c->car->tpm, c->in.data, c->in.len, c->out.data, c->out.len,
				   &c->out.len);
}

static void call_accept(call *c)
{
	c->err = vldaa_tpm_accept(c->car->tpm, c->in.data, c->in.len, c->out.data, c->out.len,
				  &c->out.len);
}

static void call_public_key(call *c)
{
	c->err = vldaa_tpm_public_key(c->car->tpm, vldaa_host_key_id(c->car->host), c->out.data,
				      c->out.len, &c->out.len);
}

static void call_status(call *c)
{
	vldaa_tpm_status status;

	c->err = vldaa_tpm_get_status(c->car->tpm, vldaa_host_key_id(c->car->host), &status);
}

static void call_create(call *c)
{
	c->err = vldaa_tpm_create(c->car->tpm, c->in.data, c->in.len, c->out.data, c->out.len,
				  &c->out.len);
}

static void call_sign_begin(call *c)
{
	c->err = vldaa_tpm_sign_begin(c->car->tpm, c->about->key_id, c->about->basename,
				      c->about->basename_len, c->about->digest);
}

static void call_sign_update(call *c)
{
	c->err = vldaa_tpm_sign_update(c->car->tpm, "message", 7);
}

static void call_sign_end(call *c)
{
	c->err = vldaa_tpm_sign_end(c->car->tpm, c->out.data, c->out.len, &c->out.len);
}

static void call_token(call *c)
{
	c->err = vldaa_tpm_token(c->car->tpm, c->about->key_id, c->about->basename,
				 c->about->basename_len, c->about->digest, c->out.data, c->out.len,
				 &c->out.len);
}

static void call_obey(call *c)
{
	c->err = vldaa_tpm_obey(c->car->tpm, c->in.data, c->in.len, c->out.data, c->out.len,
				&c->out.len);
}

static void call_close(call *c)
{
	vldaa_tpm_close(c->car->tpm);
	c->err = VLDAA_OK;
}

static secrets known;

static size_t untouched; /* of the stack, by the last call */

static void assert_clean(void)
{
	const char *found = secrets_found(&known, stack + untouched, STACK - untouched);

	ck_assert_msg(!found, "on the stack: %s", found ? found : "");
}

/* The services of the test world are counted too; they need less than the TPM. */
static void do_call(void (*run)(call *), call *c, int expected)
{
	ck_assert_uint_le(run_on_stack(run, c, &untouched), STACK_LIMIT);
	ck_assert_int_eq(c->err, expected);
	assert_clean();
	/* what follows in the structure, and the scheme's workspace behind it, is zero */
	ck_assert_ptr_null(
	    secrets_found(&known, (const unsigned char *)c->car->tpm, offsetof(vldaa_tpm, record)));
	assert_forgotten(c->car);
}

static buffer fresh(const world *w, enum vldaa_kind kind)
{
	return buffer_new(vldaa_object_max_size(w->set, kind));
}

/* A Create, whose secrets are looked for from now on. */
static void create(call *k)
{
	uint64_t counter;

	k->in = fresh(k->car->world, VLDAA_KIND_ATTESTATION);
	k->out = fresh(k->car->world, VLDAA_KIND_CREATE_REPLY);
	ck_assert_int_eq(vldaa_host_create_begin(k->car->host, (const uint8_t *)"here", 4,
						 k->in.data, k->in.len, &k->in.len),
			 VLDAA_OK);
	counter = k->car->random.counter;
	do_call(call_create, k, VLDAA_OK);
	secrets_add_create(&known, k->car, k->in, counter, k->out);
}

/* --- tests -------------------------------------------------------------------------------------
 */

START_TEST(the_workspace_has_the_size_that_is_written_here)
{
	/* What a chip's maker reads here; the compilers of the reference platform agree. */
	static const struct {
		const char *name;
		size_t size;
	} sizes[] = {{"VLDAA2-44", 1300368},
		     {"VLDAA2-87", 2194128},
		     {"VLDAA-42", 99216},
		     {"VLDAA-128", 189328},
		     {"VLDAA-256", 320400}};
	size_t most = 0;

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		const vldaa_set *set = vldaa_set_by_name(sizes[i].name);

		ck_assert_ptr_nonnull(set);
		ck_assert_uint_eq(vldaa_tpm_workspace_size(set), sizes[i].size);
		most = sizes[i].size > most ? sizes[i].size : most;
	}
	ck_assert_uint_eq(vldaa_tpm_workspace_size(NULL), most);
}
END_TEST

/* The look at memory finds what it looks for. */
START_TEST(a_key_left_behind_is_noticed)
{
	static unsigned char memory[4096];
	world w;
	car c;
	call k = {.car = &c};

	world_init(&w, vldaa_set_at((size_t)_i), 1);
	car_init(&c, &w, 2);
	car_join(&c);
	secrets_add_key(&known, &c);
	secrets_add_credential(&known, &c);
	create(&k);
	ck_assert_ptr_null(secrets_found(&known, memory, sizeof memory));
	for (size_t i = 0; i < known.count; i++) {
		/* a piece and what it may be off by, anywhere in it */
		const size_t len = known.of[i].piece + known.of[i].step - 1;

		for (size_t j = 0; j <= 4; j++) {
			const size_t at = (known.of[i].len - len) / 4 * j;

			memcpy(memory + 77, known.of[i].bytes + at, len);
			ck_assert_ptr_nonnull(secrets_found(&known, memory, sizeof memory));
			memset(memory, 0, sizeof memory);
		}
	}
	secrets_free(&known);
	car_free(&c);
	world_free(&w);
}
END_TEST

static buffer order_against(world *w, buffer attestation, enum vldaa_revoke_mode mode,
			    uint64_t sequence)
{
	const vldaa_order_terms terms = {mode, 1, sequence, w->now + 1000};
	buffer clear = fresh(w, VLDAA_KIND_ORDER);
	buffer sealed = fresh(w, VLDAA_KIND_SEALED_ORDER);
	vldaa_attestation *a = NULL;

	ck_assert_int_eq(vldaa_attestation_new(&a, w->verifier, attestation.data, attestation.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_order_new(a, &terms, w->revocation.pkcs8.data,
					 w->revocation.pkcs8.len, w->fleet_key, clear.data,
					 clear.len, &clear.len, sealed.data, sealed.len,
					 &sealed.len),
			 VLDAA_OK);
	vldaa_attestation_free(a);
	buffer_free(&clear);
	return sealed;
}

START_TEST(no_call_leaves_a_piece_of_the_key_in_memory)
{
	const uint8_t nonce_bytes[VLDAA_NONCE_BYTES] = {3};
	buffer nonce, request, answer, att, soft, hard;
	vldaa_object_info about;
	world w;
	car c, other;
	call k = {.car = &c};

	world_init(&w, vldaa_set_at((size_t)_i), 1);
	car_init(&other, &w, 3);
	car_init(&c, &w, 2);
	k.in = w.group_key;
	secrets_add_key(&known, &c);
	do_call(call_keygen, &k, VLDAA_ERR_HAVE_KEY);
	/* The source gives the same key again, so that it is known what to look for. */
	for (size_t i = 0; i < c.store.count; i++)
		free(c.store.rows[i].value);
	c.store.count = 0;
	c.random.counter = 0;
	do_call(call_keygen, &k, VLDAA_OK);
	do_call(call_status, &k, VLDAA_OK);

	nonce = fresh(&w, VLDAA_KIND_NONCE);
	k.in = fresh(&w, VLDAA_KIND_JOIN_CALL);
	k.out = fresh(&w, VLDAA_KIND_JOIN_REQUEST);
	ck_assert_int_eq(
	    vldaa_issuer_nonce(w.issuer, nonce_bytes, nonce.data, nonce.len, &nonce.len), VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_host_join(c.host, nonce.data, nonce.len, k.in.data, k.in.len, &k.in.len),
	    VLDAA_OK);
	do_call(call_request, &k, VLDAA_OK);
	request = k.out;
	answer = world_answer(&w, request);
	buffer_free(&k.in);
	k.in = answer;
	k.out = fresh(&w, VLDAA_KIND_CREDENTIAL);
	do_call(call_accept, &k, VLDAA_OK);
	secrets_add_credential(&known, &c);
	assert_clean();
	c.credential = k.out;
	k.out = buffer_new(4096);
	do_call(call_public_key, &k, VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_host_accept(c.host, c.credential.data, c.credential.len, k.out.data, k.out.len),
	    VLDAA_OK);
	buffer_free(&k.out);

	create(&k);
	assert_clean();
	k.in.data[0] ^= 1; /* and where it is refused */
	do_call(call_create, &k, VLDAA_ERR_KIND);
	buffer_free(&k.in);
	buffer_free(&k.out);

	att = car_create(&c, "here");
	ck_assert_int_eq(vldaa_object_inspect(&about, att.data, att.len), VLDAA_OK);
	k.about = &about;
	k.out = fresh(&w, VLDAA_KIND_TOKEN);
	do_call(call_sign_begin, &k, VLDAA_OK);
	do_call(call_sign_update, &k, VLDAA_OK);
	do_call(call_sign_end, &k, VLDAA_OK);
	do_call(call_sign_end, &k, VLDAA_ERR_STATE);
	buffer_free(&k.out);
	k.out = fresh(&w, VLDAA_KIND_TOKEN);
	do_call(call_token, &k, VLDAA_OK);
	buffer_free(&k.out);

	k.out = fresh(&w, VLDAA_KIND_CONFIRMATION);
	soft = order_against(&w, att, VLDAA_REVOKE_SOFT, 5);
	hard = order_against(&w, att, VLDAA_REVOKE_HARD, 6);
	car_join(&other);
	k.in = hard;
	k.car = &other;
	do_call(call_obey, &k, VLDAA_ERR_NOT_MINE);
	k.car = &c;
	k.in = soft;
	buffer_free(&k.out);
	k.out = fresh(&w, VLDAA_KIND_CONFIRMATION);
	do_call(call_obey, &k, VLDAA_OK);
	do_call(call_sign_begin, &k, VLDAA_ERR_TOMBSTONE);
	k.in = hard;
	buffer_free(&k.out);
	k.out = fresh(&w, VLDAA_KIND_CONFIRMATION);
	do_call(call_obey, &k, VLDAA_OK);
	do_call(call_close, &k, VLDAA_OK);
	for (size_t i = 0; i < c.workspace_len; i++)
		ck_assert(((const uint8_t *)c.workspace)[i] == 0);

	buffer_free(&k.out);
	buffer_free(&nonce);
	buffer_free(&request);
	buffer_free(&answer);
	buffer_free(&att);
	buffer_free(&soft);
	buffer_free(&hard);
	secrets_free(&known);
	ck_assert_int_eq(vldaa_tpm_open(&c.tpm, c.workspace, c.workspace_len, &c.services),
			 VLDAA_OK);
	car_free(&c);
	car_free(&other);
	world_free(&w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("the TPM's memory");
	TCase *tc = tcase_create("memory");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	stack = aligned_alloc(4096, STACK);
	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, the_workspace_has_the_size_that_is_written_here);
	tcase_add_loop_test(tc, a_key_left_behind_is_noticed, 0, sets);
	tcase_add_loop_test(tc, no_call_leaves_a_piece_of_the_key_in_memory, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	free(stack);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
