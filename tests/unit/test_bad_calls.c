/*
 * Promises: a call in the wrong order, with a basename that has no or too many bytes, or with a
 * buffer that is too small is refused as the caller's mistake; outputs are zero, nothing has
 * changed, and the right call works afterwards.  A buffer that is too small is told the size with
 * which the same call works.  Messages may have any length, none and 1 GiB included.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/stage.h"
#include "vldaa/ntru.h"

enum { HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES };
static const uint8_t one[] = "one";

/* --- buffers ------------------------------------------------------------------------------------
 */

/* One call with this output buffer. */
typedef int with_buffer(uint8_t *out, size_t cap, size_t *len);

static int host_keygen(uint8_t *out, size_t cap, size_t *len)
{
	static vldaa_host *h;
	int err;

	if (!h && vldaa_host_new(&h, t.w.group_key.data, t.w.group_key.len))
		return VLDAA_ERR_MEMORY;
	err = vldaa_host_keygen(h, out, cap, len);
	if (err != VLDAA_ERR_BUFFER) {
		vldaa_host_free(h);
		h = NULL;
	}
	return err;
}

static int host_join(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_host_join(t.c.host, t.nonce.data, t.nonce.len, out, cap, len);
}

static int host_begin(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_host_create_begin(t.c.host, one, 3, out, cap, len);
}

/* The Create that set_up began. */
static int host_step(uint8_t *out, size_t cap, size_t *len)
{
	int done;

	return vldaa_host_create_step(t.c.host, t.reply.data, t.reply.len, out, cap, len, &done);
}

static int self_contained(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_host_signature(t.c.host, VLDAA_FORM_SELF_CONTAINED, t.att.data, t.att.len, one,
				    3, out, cap, len);
}

static int compact(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_host_signature(t.c.host, VLDAA_FORM_COMPACT, t.att.data, t.att.len, one, 3,
				    out, cap, len);
}

static int issuer_keygen(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_issuer_keygen(t.w.set, vldaa_ntru_solve, t.w.authority.pkcs8.data,
				   t.w.authority.pkcs8.len, out, cap, len);
}

static int issuer_nonce(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_issuer_nonce(t.w.issuer, stage_nonce, out, cap, len);
}

static int issuer_answer(uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_group_services services = {t.w.revocation.spki.data, t.w.revocation.spki.len,
					       t.w.fleet_key};
	uint8_t tag[VLDAA_MAX_TAG_BYTES];
	size_t tag_len;

	return vldaa_issuer_answer(t.w.issuer, &services, tag, &tag_len, out, cap, len);
}

static int tpm_request(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_tpm_request(t.c.tpm, t.call.data, t.call.len, out, cap, len);
}

static int tpm_accept(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_tpm_accept(t.c.tpm, t.answer.data, t.answer.len, out, cap, len);
}

static int tpm_public_key(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_tpm_public_key(t.c.tpm, t.key_id, out, cap, len);
}

static int tpm_create(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_tpm_create(t.c.tpm, t.create_call.data, t.create_call.len, out, cap, len);
}

/* The signature that test begins. */
static int tpm_sign_end(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_tpm_sign_end(t.c.tpm, out, cap, len);
}

static int tpm_token(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_tpm_token(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a), out, cap,
			       len);
}

static int tpm_obey(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_tpm_obey(t.c.tpm, t.sealed.data, t.sealed.len, out, cap, len);
}

static int order(uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_order_terms terms = {VLDAA_REVOKE_SOFT, 0, 9, t.w.now};

	return vldaa_order_new(t.a, &terms, t.w.revocation.pkcs8.data, t.w.revocation.pkcs8.len,
			       t.w.fleet_key, out, cap, len, t.second, STAGE_BUFFER, &t.second_len);
}

static int sealed_order(uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_order_terms terms = {VLDAA_REVOKE_SOFT, 0, 9, t.w.now};

	return vldaa_order_new(t.a, &terms, t.w.revocation.pkcs8.data, t.w.revocation.pkcs8.len,
			       t.w.fleet_key, t.second, STAGE_BUFFER, &t.second_len, out, cap, len);
}

static int revoked_list(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_revoked_list((const uint8_t *const[]){t.order.data}, &t.order.len, 1, out, cap,
				  len);
}

static int rogue_list(uint8_t *out, size_t cap, size_t *len)
{
	size_t i = 0;

	while (t.c.store.rows[i].record != VLDAA_RECORD_MEMBER)
		i++;
	return vldaa_rogue_list((const uint8_t *const[]){t.c.store.rows[i].value},
				&t.c.store.rows[i].len, 1, out, cap, len);
}

static int empty_list(uint8_t *out, size_t cap, size_t *len)
{
	return vldaa_empty_list(t.w.verifier, VLDAA_KIND_REVOKED_LIST, out, cap, len);
}

/* accept answers the request before request makes another; obey ends the member. */
static with_buffer *const outputs[] = {
    host_keygen,   host_join,    host_step,     host_begin, self_contained, compact,
    issuer_keygen, issuer_nonce, issuer_answer, tpm_accept, tpm_request,    tpm_public_key,
    tpm_create,    tpm_sign_end, tpm_token,     order,      sealed_order,   revoked_list,
    rogue_list,    empty_list,   tpm_obey,
};

START_TEST(a_buffer_that_is_too_small_is_told_the_size_with_which_the_call_works)
{
	const size_t small[] = {0, 1, HEAD - 1};

	stage_set_up(vldaa_set_at((size_t)_i));
	ck_assert_int_eq(
	    vldaa_tpm_sign_begin(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a)),
	    VLDAA_OK);
	for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
		const store_state before = store_now(&t.c.store);
		size_t needed;

		stage_spoil();
		for (size_t k = 0; k < sizeof small / sizeof small[0]; k++) {
			t.len = 0;
			ck_assert_msg(outputs[i](t.out, small[k], &t.len) == VLDAA_ERR_BUFFER,
				      "function %zu", i);
			ck_assert(all_zero(t.out, small[k]));
			ck_assert_uint_eq(t.out[small[k]], 0xaa);
		}
		needed = t.len;
		/* the key of a one-shot set's host is a head and nothing else */
		ck_assert_uint_ge(needed, HEAD);
		ck_assert_int_eq(outputs[i](t.out, needed - 1, &t.len), VLDAA_ERR_BUFFER);
		ck_assert_uint_eq(t.len, needed);
		ck_assert(all_zero(t.out, needed - 1));
		ck_assert_uint_eq(t.out[needed - 1], 0xaa);
		ck_assert(store_same(&t.c.store, before));
		ck_assert_int_eq(outputs[i](t.out, needed, &t.len), VLDAA_OK);
		ck_assert(t.len > 0 && t.len <= needed);
		ck_assert_uint_eq(t.out[needed], 0xaa);
	}
	stage_tear_down();
}
END_TEST

/* --- order, basenames, messages ------------------------------------------------------------------
 */

START_TEST(steps_in_the_wrong_order_are_refused)
{
	const vldaa_set *set = vldaa_set_at((size_t)_i);
	const vldaa_group_services services = {one, 3, one};
	uint8_t tag[VLDAA_MAX_TAG_BYTES];
	vldaa_verification *v;
	car fresh;
	size_t n;
	int done = 1;

	stage_set_up(set);
	/* A host without a key, a TPM without a key. */
	vldaa_host *h;
	ck_assert_int_eq(vldaa_host_new(&h, t.w.group_key.data, t.w.group_key.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_host_join(h, t.nonce.data, t.nonce.len, t.out, STAGE_BUFFER, &t.len),
			 VLDAA_ERR_NO_KEY);
	ck_assert_int_eq(vldaa_host_create_begin(h, one, 3, t.out, STAGE_BUFFER, &t.len),
			 VLDAA_ERR_NO_KEY);
	ck_assert_int_eq(vldaa_tpm_public_key(t.c.tpm, t.key_id, t.second, STAGE_BUFFER, &n),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_host_accept(h, t.c.credential.data, t.c.credential.len, t.second, n),
			 VLDAA_ERR_NO_KEY);
	ck_assert_int_eq(vldaa_host_create_step(h, t.reply.data, t.reply.len, t.out, STAGE_BUFFER,
						&t.len, &done),
			 VLDAA_ERR_STATE);
	vldaa_host_free(h);
	ck_assert_int_eq(vldaa_host_keygen(t.c.host, t.out, STAGE_BUFFER, &t.len),
			 VLDAA_ERR_HAVE_KEY);
	ck_assert_int_eq(vldaa_tpm_keygen(t.c.tpm, t.w.group_key.data, t.w.group_key.len),
			 VLDAA_ERR_HAVE_KEY);
	ck_assert_int_eq(vldaa_tpm_public_key(t.c.tpm, stage_nonce, t.out, STAGE_BUFFER, &t.len),
			 VLDAA_ERR_NO_KEY);

	/* A member that has not joined. */
	car_init(&fresh, &t.w, 77);
	ck_assert_int_eq(vldaa_host_create_begin(fresh.host, one, 3, t.out, STAGE_BUFFER, &t.len),
			 VLDAA_ERR_NO_CREDENTIAL);
	ck_assert_int_eq(vldaa_tpm_create(fresh.tpm, t.create_call.data, t.create_call.len, t.out,
					  STAGE_BUFFER, &t.len),
			 VLDAA_ERR_NO_CREDENTIAL);
	ck_assert_int_eq(
	    vldaa_tpm_sign_begin(fresh.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a)),
	    VLDAA_ERR_NO_CREDENTIAL);
	ck_assert_int_eq(vldaa_tpm_token(fresh.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a),
					 t.out, STAGE_BUFFER, &t.len),
			 VLDAA_ERR_NO_CREDENTIAL);
	ck_assert_int_eq(
	    vldaa_tpm_accept(fresh.tpm, t.answer.data, t.answer.len, t.out, STAGE_BUFFER, &t.len),
	    VLDAA_ERR_CREDENTIAL);
	car_free(&fresh);

	/* Sign: end or update before begin, and after end. */
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(vldaa_tpm_sign_update(t.c.tpm, one, 3), VLDAA_ERR_STATE);
		stage_spoil();
		ck_assert_int_eq(vldaa_tpm_sign_end(t.c.tpm, t.out, STAGE_BUFFER, &t.len),
				 VLDAA_ERR_STATE);
		ck_assert(all_zero(t.out, STAGE_BUFFER) && t.len == 0);
		buffer sig = car_sign(&t.c, t.att, VLDAA_FORM_SELF_CONTAINED, one, 3);
		ck_assert_int_eq(
		    vldaa_verification_new(&v, t.w.verifier, sig.data, sig.len, NULL, NULL, 0),
		    VLDAA_OK);
		ck_assert_int_eq(vldaa_verification_update(v, one, 3), VLDAA_OK);
		ck_assert_int_eq(vldaa_verification_end(v), VLDAA_OK);
		ck_assert_int_eq(vldaa_verification_end(v), VLDAA_ERR_STATE);
		ck_assert_int_eq(vldaa_verification_update(v, one, 3), VLDAA_ERR_STATE);
		vldaa_verification_free(v);
		buffer_free(&sig);
	}
	/* A begin that is refused ends the signature before it: nothing is signed by mistake. */
	ck_assert_int_eq(
	    vldaa_tpm_sign_begin(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a)),
	    VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_tpm_sign_begin(t.c.tpm, t.key_id, one, 0, vldaa_attestation_digest(t.a)),
	    VLDAA_ERR_BASENAME);
	ck_assert_int_eq(vldaa_tpm_sign_end(t.c.tpm, t.out, STAGE_BUFFER, &t.len), VLDAA_ERR_STATE);

	/* Create: a step too many. */
	buffer att = car_create(&t.c, "two");
	ck_assert_int_eq(vldaa_host_create_step(t.c.host, t.reply.data, t.reply.len, t.out,
						STAGE_BUFFER, &t.len, &done),
			 VLDAA_ERR_STATE);
	buffer_free(&att);

	/* An issuer that has checked nothing. */
	vldaa_issuer *is;
	ck_assert_int_eq(vldaa_issuer_new(&is, t.w.issuer_key.data, t.w.issuer_key.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_issuer_answer(is, &services, tag, &n, t.out, STAGE_BUFFER, &t.len),
			 VLDAA_ERR_STATE);
	ck_assert_int_eq(vldaa_issuer_is_rogue(is, one, 3), VLDAA_ERR_STATE);
	vldaa_issuer_free(is);
	stage_tear_down();
}
END_TEST

START_TEST(a_basename_has_1_to_255_bytes)
{
	uint8_t name[VLDAA_MAX_BASENAME + 1];
	const size_t bad[] = {0, VLDAA_MAX_BASENAME + 1, SIZE_MAX};
	vldaa_verification *v;
	vldaa_object_info info;
	buffer att, sig, clear, sealed;
	vldaa_attestation *a;
	int done;

	stage_set_up(vldaa_set_at((size_t)_i));
	memset(name, 'n', sizeof name);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		stage_spoil();
		ck_assert_int_eq(
		    vldaa_host_create_begin(t.c.host, name, bad[i], t.out, STAGE_BUFFER, &t.len),
		    VLDAA_ERR_BASENAME);
		ck_assert(all_zero(t.out, STAGE_BUFFER) && t.len == 0);
		ck_assert_int_eq(vldaa_tpm_sign_begin(t.c.tpm, t.key_id, name, bad[i],
						      vldaa_attestation_digest(t.a)),
				 VLDAA_ERR_BASENAME);
		stage_spoil();
		ck_assert_int_eq(vldaa_tpm_token(t.c.tpm, t.key_id, name, bad[i],
						 vldaa_attestation_digest(t.a), t.out, STAGE_BUFFER,
						 &t.len),
				 VLDAA_ERR_BASENAME);
		ck_assert(all_zero(t.out, STAGE_BUFFER) && t.len == 0);
		ck_assert_int_eq(vldaa_verification_new(&v, t.w.verifier, t.att.data, t.att.len,
							NULL, name, bad[i]),
				 VLDAA_ERR_BASENAME);
		ck_assert_ptr_null(v);
	}
	/* None of these ended the Create that is out. */
	ck_assert_int_eq(vldaa_host_create_step(t.c.host, t.reply.data, t.reply.len, t.out,
						STAGE_BUFFER, &t.len, &done),
			 VLDAA_OK);

	/* 255 bytes, any bytes, serve as a name through the whole story. */
	for (size_t i = 0; i < VLDAA_MAX_BASENAME; i++)
		name[i] = (uint8_t)i;
	ck_assert_int_eq(car_try_create(&t.c, name, VLDAA_MAX_BASENAME, &att), VLDAA_OK);
	a = world_attestation(&t.w, att);
	ck_assert_int_eq(vldaa_object_inspect(&info, att.data, att.len), VLDAA_OK);
	ck_assert_uint_eq(info.basename_len, VLDAA_MAX_BASENAME);
	ck_assert_mem_eq(info.basename, name, VLDAA_MAX_BASENAME);
	sig = car_sign(&t.c, att, VLDAA_FORM_SELF_CONTAINED, one, 3);
	ck_assert_int_eq(vldaa_verification_new(&v, t.w.verifier, sig.data, sig.len, NULL, name,
						VLDAA_MAX_BASENAME),
			 VLDAA_OK);
	vldaa_verification_free(v);
	ck_assert_int_eq(world_verify(&t.w, sig, NULL, one, 3), VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_token(t.c.tpm, t.key_id, name, VLDAA_MAX_BASENAME,
					 vldaa_attestation_digest(a), t.second, STAGE_BUFFER,
					 &t.second_len),
			 VLDAA_OK);
	sealed = world_order(&t.w, a, VLDAA_REVOKE_SOFT, 1, &clear);
	ck_assert_int_eq(
	    vldaa_tpm_obey(t.c.tpm, sealed.data, sealed.len, t.out, STAGE_BUFFER, &t.len),
	    VLDAA_OK);
	ck_assert_int_eq(vldaa_confirmation_check(t.w.verifier, clear.data, clear.len, t.out, t.len,
						  t.second, t.second_len),
			 VLDAA_OK);
	vldaa_attestation_free(a);
	buffer_free(&att);
	buffer_free(&sig);
	buffer_free(&clear);
	buffer_free(&sealed);
	stage_tear_down();
}
END_TEST

START_TEST(a_workspace_may_lie_anywhere_and_is_never_overrun)
{
	const vldaa_set *set = vldaa_set_at((size_t)_i);
	const size_t full = vldaa_tpm_workspace_size(set);
	vldaa_tpm *tpm;

	stage_set_up(set);
	for (size_t offset = 0; offset < 128; offset += offset < 4 ? 1 : 31) {
		uint8_t *block = malloc(full + offset); /* its end is seen by the sanitizers */

		ck_assert_int_eq(vldaa_tpm_open(&tpm, block + offset, full, &t.c.services),
				 VLDAA_OK);
		ck_assert_int_eq(vldaa_tpm_create(tpm, t.create_call.data, t.create_call.len, t.out,
						  STAGE_BUFFER, &t.len),
				 VLDAA_OK);
		vldaa_tpm_close(tpm);
		/* close wipes it */
		ck_assert(all_zero(block + offset + 64, full - 64));
		free(block);
	}
	/* Too small for any TPM, or for this set's. */
	for (size_t size = 0; size < full - 128; size += full / 61) {
		uint8_t *block = malloc(size + 1);
		int err = vldaa_tpm_open(&tpm, block, size, &t.c.services);

		if (!err) {
			stage_spoil();
			ck_assert_int_eq(vldaa_tpm_create(tpm, t.create_call.data,
							  t.create_call.len, t.out, STAGE_BUFFER,
							  &t.len),
					 VLDAA_ERR_ARGUMENT);
			ck_assert(all_zero(t.out, STAGE_BUFFER) && t.len == 0);
			ck_assert_int_eq(
			    vldaa_tpm_keygen(tpm, t.w.group_key.data, t.w.group_key.len),
			    VLDAA_ERR_ARGUMENT);
			vldaa_tpm_close(tpm);
		} else {
			ck_assert_int_eq(err, VLDAA_ERR_BUFFER);
			ck_assert_ptr_null(tpm);
		}
		free(block);
	}
	stage_tear_down();
}
END_TEST

START_TEST(an_empty_message_is_a_message)
{
	buffer sig;

	stage_set_up(vldaa_set_at((size_t)_i));
	sig = car_sign(&t.c, t.att, VLDAA_FORM_SELF_CONTAINED, NULL, 0);
	ck_assert_int_eq(world_verify(&t.w, sig, NULL, NULL, 0), VLDAA_OK);
	ck_assert_int_eq(world_verify(&t.w, sig, NULL, "", 1), VLDAA_ERR_PROOF);
	buffer_free(&sig);
	sig = car_sign(&t.c, t.att, VLDAA_FORM_SELF_CONTAINED, "", 1);
	ck_assert_int_eq(world_verify(&t.w, sig, NULL, NULL, 0), VLDAA_ERR_PROOF);
	buffer_free(&sig);
	stage_tear_down();
}
END_TEST

/* 1 GiB; what sanitizers and debug builds slow down has less. */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { PIECES = 1024 };
#else
enum { PIECES = 16 };
#endif
enum { PIECE = 1 << 20 };

/* One set of each scheme; the two hash messages alike, and a GiB takes its seconds once. */
static const struct {
	const char *set;
	int pieces;
} long_messages[] = {{"VLDAA2-44", PIECES}, {"VLDAA-128", 16}};

START_TEST(a_message_of_1_gib_is_signed_and_verified_in_pieces)
{
	const int pieces = long_messages[_i].pieces;
	uint8_t *piece = malloc(PIECE), bare[8192];
	vldaa_verification *v;
	size_t bare_len;

	stage_set_up(vldaa_set_by_name(long_messages[_i].set));
	for (size_t i = 0; i < PIECE; i++)
		piece[i] = (uint8_t)(i * 131 >> 3);
	ck_assert_int_eq(
	    vldaa_tpm_sign_begin(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a)),
	    VLDAA_OK);
	for (int i = 0; i < pieces; i++)
		ck_assert_int_eq(vldaa_tpm_sign_update(t.c.tpm, piece, PIECE), VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_sign_end(t.c.tpm, bare, sizeof bare, &bare_len), VLDAA_OK);
	ck_assert_int_eq(vldaa_host_signature(t.c.host, VLDAA_FORM_COMPACT, t.att.data, t.att.len,
					      bare, bare_len, t.out, STAGE_BUFFER, &t.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_verification_new(&v, t.w.verifier, t.out, t.len, t.a, NULL, 0),
			 VLDAA_OK);
	/* Other pieces of the same message. */
	for (int i = 0; i < pieces; i++) {
		ck_assert_int_eq(vldaa_verification_update(v, piece, 1000), VLDAA_OK);
		ck_assert_int_eq(vldaa_verification_update(v, piece + 1000, PIECE - 1000),
				 VLDAA_OK);
	}
	ck_assert_int_eq(vldaa_verification_end(v), VLDAA_OK);
	vldaa_verification_free(v);
	free(piece);
	stage_tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("bad calls");
	TCase *tc = tcase_create("calls");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(
	    tc, a_buffer_that_is_too_small_is_told_the_size_with_which_the_call_works, 0, sets);
	tcase_add_loop_test(tc, steps_in_the_wrong_order_are_refused, 0, sets);
	tcase_add_loop_test(tc, a_basename_has_1_to_255_bytes, 0, sets);
	tcase_add_loop_test(tc, a_workspace_may_lie_anywhere_and_is_never_overrun, 0, sets);
	tcase_add_loop_test(tc, an_empty_message_is_a_message, 0, sets);
	tcase_add_loop_test(tc, a_message_of_1_gib_is_signed_and_verified_in_pieces, 0,
			    sizeof long_messages / sizeof long_messages[0]);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
