/* See stage.h. */
#include "stage.h"

#include <check.h>
#include <string.h>

stage_state t;
const uint8_t stage_nonce[VLDAA_NONCE_BYTES] = {3};

static buffer output(enum vldaa_kind kind)
{
	return buffer_new(vldaa_object_max_size(t.w.set, kind));
}

void stage_set_up(const vldaa_set *set)
{
	memset(&t, 0, sizeof t);
	world_init(&t.w, set, 10);
	car_init(&t.c, &t.w, 11);
	car_join(&t.c);
	t.key_id = vldaa_host_key_id(t.c.host);
	t.nonce = output(VLDAA_KIND_NONCE);
	ck_assert_int_eq(
	    vldaa_issuer_nonce(t.w.issuer, stage_nonce, t.nonce.data, t.nonce.len, &t.nonce.len),
	    VLDAA_OK);
	t.call = output(VLDAA_KIND_JOIN_CALL);
	ck_assert_int_eq(vldaa_host_join(t.c.host, t.nonce.data, t.nonce.len, t.call.data,
					 t.call.len, &t.call.len),
			 VLDAA_OK);
	t.request = output(VLDAA_KIND_JOIN_REQUEST);
	ck_assert_int_eq(vldaa_tpm_request(t.c.tpm, t.call.data, t.call.len, t.request.data,
					   t.request.len, &t.request.len),
			 VLDAA_OK);
	t.answer = world_answer(&t.w, t.request);
	t.att = car_create(&t.c, "one");
	t.a = world_attestation(&t.w, t.att);
	t.create_call = output(VLDAA_KIND_CREATE_CALL);
	ck_assert_int_eq(vldaa_host_create_begin(t.c.host, (const uint8_t *)"one", 3,
						 t.create_call.data, t.create_call.len,
						 &t.create_call.len),
			 VLDAA_OK);
	t.reply = output(VLDAA_KIND_CREATE_REPLY);
	ck_assert_int_eq(vldaa_tpm_create(t.c.tpm, t.create_call.data, t.create_call.len,
					  t.reply.data, t.reply.len, &t.reply.len),
			 VLDAA_OK);
	t.sealed = world_order(&t.w, t.a, VLDAA_REVOKE_HARD, 5, &t.order);
}

void stage_tear_down(void)
{
	vldaa_attestation_free(t.a);
	buffer_free(&t.nonce);
	buffer_free(&t.call);
	buffer_free(&t.request);
	buffer_free(&t.answer);
	buffer_free(&t.create_call);
	buffer_free(&t.reply);
	buffer_free(&t.att);
	buffer_free(&t.order);
	buffer_free(&t.sealed);
	car_free(&t.c);
	world_free(&t.w);
}

void stage_spoil(void)
{
	memset(t.out, 0xaa, sizeof t.out);
	memset(t.second, 0xaa, sizeof t.second);
	t.len = t.second_len = 1;
}
