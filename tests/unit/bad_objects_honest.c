/* One honest object of each kind, and the work that an honest member goes on to do. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "bad_objects.h"

struct bad_objects t;

buffer *object(enum vldaa_kind kind)
{
	return &t.object[kind];
}

buffer copy_of(const uint8_t *p, size_t len)
{
	buffer b = buffer_new(len);

	memcpy(b.data, p, len);
	return b;
}
static buffer output(enum vldaa_kind kind)
{
	return buffer_new(vldaa_object_max_size(t.w.set, kind));
}

static void make_join(void)
{
	uint8_t nonce[VLDAA_NONCE_BYTES];
	buffer *call = object(VLDAA_KIND_JOIN_CALL), *n = object(VLDAA_KIND_NONCE);
	buffer *request = object(VLDAA_KIND_JOIN_REQUEST);

	memset(nonce, 7, sizeof nonce);
	*n = output(VLDAA_KIND_NONCE);
	*call = output(VLDAA_KIND_JOIN_CALL);
	*request = output(VLDAA_KIND_JOIN_REQUEST);
	ck_assert_int_eq(vldaa_issuer_nonce(t.w.issuer, nonce, n->data, n->len, &n->len), VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_host_join(t.c.host, n->data, n->len, call->data, call->len, &call->len),
	    VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_request(t.c.tpm, call->data, call->len, request->data,
					   request->len, &request->len),
			 VLDAA_OK);
	*object(VLDAA_KIND_JOIN_ANSWER) = world_answer(&t.w, *request);
	car_accept(&t.c, *object(VLDAA_KIND_JOIN_ANSWER));
	*object(VLDAA_KIND_CREDENTIAL) = copy_of(t.c.credential.data, t.c.credential.len);
	*object(VLDAA_KIND_HOST_KEY) = copy_of(t.c.host_key.data, t.c.host_key.len);
}

/* A call and its reply that the host answers with an attestation at once. */
static void make_create(void)
{
	buffer *call = object(VLDAA_KIND_CREATE_CALL), *reply = object(VLDAA_KIND_CREATE_REPLY);
	buffer *att = object(VLDAA_KIND_ATTESTATION);
	const size_t reply_cap = vldaa_object_max_size(t.w.set, VLDAA_KIND_CREATE_REPLY);
	const size_t att_cap = vldaa_object_max_size(t.w.set, VLDAA_KIND_ATTESTATION);
	int done = 0;

	*call = output(VLDAA_KIND_CREATE_CALL);
	*reply = output(VLDAA_KIND_CREATE_REPLY);
	*att = output(VLDAA_KIND_ATTESTATION);
	for (t.create_counter = 1000; !done; t.create_counter++) {
		call->len = begin_create(call->data,
					 vldaa_object_max_size(t.w.set, VLDAA_KIND_CREATE_CALL));
		ck_assert_int_eq(vldaa_tpm_create(t.c.tpm, call->data, call->len, reply->data,
						  reply_cap, &reply->len),
				 VLDAA_OK);
		ck_assert_int_eq(vldaa_host_create_step(t.c.host, reply->data, reply->len,
							att->data, att_cap, &att->len, &done),
				 VLDAA_OK);
	}
	t.create_counter--;
	t.a = world_attestation(&t.w, *att);
}

static void make_signatures(void)
{
	const buffer *att = object(VLDAA_KIND_ATTESTATION);
	const uint8_t *key_id = vldaa_host_key_id(t.c.host);
	buffer *token = object(VLDAA_KIND_TOKEN);

	*object(VLDAA_KIND_SIGNATURE) =
	    car_sign(&t.c, *att, VLDAA_FORM_SELF_CONTAINED, message, sizeof message);
	*object(VLDAA_KIND_COMPACT) =
	    car_sign(&t.c, *att, VLDAA_FORM_COMPACT, message, sizeof message);
	t.bare_len = object(VLDAA_KIND_COMPACT)->len - HEAD - VLDAA_DIGEST_BYTES;
	memcpy(t.bare, object(VLDAA_KIND_COMPACT)->data + HEAD + VLDAA_DIGEST_BYTES, t.bare_len);
	*token = output(VLDAA_KIND_TOKEN);
	ck_assert_int_eq(vldaa_tpm_token(t.c.tpm, key_id, (const uint8_t *)"one", 3,
					 vldaa_attestation_digest(t.a), token->data, token->len,
					 &token->len),
			 VLDAA_OK);
}

/* An order against the second car's pseudonym, confirmed by it; and one against the first's. */
static void make_revocation(void)
{
	buffer att = car_create(&t.other, "two"), clear;
	vldaa_attestation *a = world_attestation(&t.w, att);
	buffer sealed = world_order(&t.w, a, VLDAA_REVOKE_SOFT, 5, object(VLDAA_KIND_ORDER));
	buffer *confirmation = object(VLDAA_KIND_CONFIRMATION);
	buffer *revoked = object(VLDAA_KIND_REVOKED_LIST), *token = object(VLDAA_KIND_TOKEN);
	const uint8_t *const orders[] = {object(VLDAA_KIND_ORDER)->data};

	*token = output(VLDAA_KIND_TOKEN);
	ck_assert_int_eq(vldaa_tpm_token(t.other.tpm, vldaa_host_key_id(t.c.host),
					 (const uint8_t *)"two", 3, vldaa_attestation_digest(a),
					 token->data, token->len, &token->len),
			 VLDAA_OK);
	*confirmation = output(VLDAA_KIND_CONFIRMATION);
	ck_assert_int_eq(vldaa_tpm_obey(t.other.tpm, sealed.data, sealed.len, confirmation->data,
					confirmation->len, &confirmation->len),
			 VLDAA_OK);
	ck_assert_int_eq(check_confirmation(object(VLDAA_KIND_ORDER), confirmation, token),
			 VLDAA_OK);
	*revoked = buffer_new(8192);
	ck_assert_int_eq(vldaa_revoked_list(orders, &object(VLDAA_KIND_ORDER)->len, 1,
					    revoked->data, revoked->len, &revoked->len),
			 VLDAA_OK);
	*object(VLDAA_KIND_SEALED_ORDER) = world_order(&t.w, t.a, VLDAA_REVOKE_HARD, 6, &clear);
	buffer_free(&clear);
	buffer_free(&sealed);
	buffer_free(&att);
	vldaa_attestation_free(a);
}

static void make_keys(void)
{
	buffer *rogue = object(VLDAA_KIND_ROGUE_LIST), *key = object(VLDAA_KIND_TPM_KEY);
	const uint8_t *inputs[1];

	*object(VLDAA_KIND_GROUP_KEY) = copy_of(t.w.group_key.data, t.w.group_key.len);
	*object(VLDAA_KIND_ISSUER_KEY) = copy_of(t.w.issuer_key.data, t.w.issuer_key.len);
	for (size_t i = 0; i < t.c.store.count; i++) {
		if (t.c.store.rows[i].record == VLDAA_RECORD_MEMBER)
			*key = copy_of(t.c.store.rows[i].value, t.c.store.rows[i].len);
	}
	inputs[0] = key->data;
	*rogue = buffer_new(8192);
	ck_assert_int_eq(
	    vldaa_rogue_list(inputs, &key->len, 1, rogue->data, rogue->len, &rogue->len), VLDAA_OK);
}

void set_up(const vldaa_set *set)
{
	memset(&t, 0, sizeof t);
	world_init(&t.w, set, 1);
	car_init(&t.c, &t.w, 2);
	car_init(&t.other, &t.w, 3);
	car_join(&t.other);
	t.out_cap = vldaa_object_max_size(set, VLDAA_KIND_JOIN_REQUEST);
	t.out = malloc(t.out_cap);
	make_join();
	make_create();
	make_signatures();
	buffer_free(object(VLDAA_KIND_TOKEN));
	make_revocation();
	make_keys();
	ck_assert_int_eq(vldaa_host_new(&t.scratch_host, t.w.group_key.data, t.w.group_key.len),
			 VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_verifier_new(&t.scratch_verifier, t.w.group_key.data, t.w.group_key.len),
	    VLDAA_OK);
	/* for is_rogue */
	ck_assert_int_eq(check_request(object(VLDAA_KIND_JOIN_REQUEST)->data,
				       object(VLDAA_KIND_JOIN_REQUEST)->len),
			 VLDAA_OK);
}

void tear_down(void)
{
	for (size_t k = 0; k < sizeof t.object / sizeof t.object[0]; k++)
		buffer_free(&t.object[k]);
	vldaa_attestation_free(t.a);
	vldaa_host_free(t.scratch_host);
	vldaa_verifier_free(t.scratch_verifier);
	car_free(&t.c);
	car_free(&t.other);
	world_free(&t.w);
	free(t.out);
}

/* Everything that an honest member does, once more. */
void check_honest_work(void)
{
	buffer confirmation = output(VLDAA_KIND_CONFIRMATION);
	buffer request, answer, att, sig;

	ck_assert_int_eq(check_confirmation(object(VLDAA_KIND_ORDER),
					    object(VLDAA_KIND_CONFIRMATION),
					    object(VLDAA_KIND_TOKEN)),
			 VLDAA_OK);
	request = car_request(&t.c, t.out);
	answer = world_answer(&t.w, request);
	buffer_free(&t.c.credential);
	car_accept(&t.c, answer);
	att = car_create(&t.c, "one");
	sig = car_sign(&t.c, att, VLDAA_FORM_SELF_CONTAINED, message, sizeof message);
	ck_assert_int_eq(world_verify(&t.w, sig, NULL, message, sizeof message), VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_obey(t.c.tpm, object(VLDAA_KIND_SEALED_ORDER)->data,
					object(VLDAA_KIND_SEALED_ORDER)->len, confirmation.data,
					confirmation.len, &confirmation.len),
			 VLDAA_OK);
	buffer_free(&confirmation);
	buffer_free(&request);
	buffer_free(&answer);
	buffer_free(&att);
	buffer_free(&sig);
}
