/* See fuzz.h. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned long fuzz_accepted;

void require(int holds)
{
	if (!holds)
		abort();
}

void require_outcome(int err, const uint8_t *out, size_t cap, size_t len)
{
	if (!err) {
		require(len <= cap);
		fuzz_accepted++;
		return;
	}
	require(strcmp(vldaa_error_name(err), "UNKNOWN") != 0);
	/* Nothing of an input can make these. */
	require(err != VLDAA_ERR_INTERNAL && err != VLDAA_ERR_ARGUMENT && err != VLDAA_ERR_STATE);
	require(len == 0 && all_zero(out, cap));
}

static int open_as_it_is(void *ctx, enum vldaa_seal_kind kind, const uint8_t key[32],
			 const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t in_len,
			 uint8_t *out, size_t cap, size_t *len)
{
	(void)ctx;
	(void)kind;
	(void)key;
	(void)aad;
	(void)aad_len;
	if (in_len > cap)
		return VLDAA_ERR_UNSEAL;
	memcpy(out, in, in_len);
	*len = in_len;
	return VLDAA_OK;
}

static int believe(void *ctx, const uint8_t *spki, size_t spki_len, const uint8_t *message,
		   size_t message_len, const uint8_t *signature, size_t signature_len)
{
	(void)ctx;
	(void)spki;
	(void)spki_len;
	(void)message;
	(void)message_len;
	(void)signature;
	(void)signature_len;
	return VLDAA_OK;
}

static buffer output(const fuzz_member *m, enum vldaa_kind kind)
{
	return buffer_new(vldaa_object_max_size(m->w.set, kind));
}

/* The first call of a Create, and a reply that makes an attestation of it. */
static void make_create(fuzz_member *m)
{
	size_t len;
	int done = 0;

	m->create_call = output(m, VLDAA_KIND_CREATE_CALL);
	m->create_reply = output(m, VLDAA_KIND_CREATE_REPLY);
	const size_t call_cap = m->create_call.len, reply_cap = m->create_reply.len;

	for (m->create_counter = 1000; !done; m->create_counter++) {
		m->c.random.counter = m->create_counter;
		require(vldaa_host_create_begin(m->c.host, (const uint8_t *)"one", 3,
						m->create_call.data, call_cap,
						&m->create_call.len) == VLDAA_OK);
		require(vldaa_tpm_create(m->c.tpm, m->create_call.data, m->create_call.len,
					 m->create_reply.data, reply_cap,
					 &m->create_reply.len) == VLDAA_OK);
		require(vldaa_host_create_step(m->c.host, m->create_reply.data, m->create_reply.len,
					       m->out, sizeof m->out, &len, &done) == VLDAA_OK);
	}
	m->create_counter--;
}

/* Another member's order, token and confirmation. */
static void make_revocation(fuzz_member *m)
{
	static car other; /* one after the other */
	buffer att, sealed;
	vldaa_attestation *a;

	car_init(&other, &m->w, 3);
	car_join(&other);
	att = car_create(&other, "two");
	a = world_attestation(&m->w, att);
	m->token = output(m, VLDAA_KIND_TOKEN);
	m->confirmation = output(m, VLDAA_KIND_CONFIRMATION);
	require(vldaa_tpm_token(other.tpm, vldaa_host_key_id(m->c.host), (const uint8_t *)"two", 3,
				vldaa_attestation_digest(a), m->token.data, m->token.len,
				&m->token.len) == VLDAA_OK);
	sealed = world_order(&m->w, a, VLDAA_REVOKE_SOFT, 5, &m->order);
	require(vldaa_tpm_obey(other.tpm, sealed.data, sealed.len, m->confirmation.data,
			       m->confirmation.len, &m->confirmation.len) == VLDAA_OK);
	vldaa_attestation_free(a);
	buffer_free(&att);
	buffer_free(&sealed);
	car_free(&other);
}

static void member_init(fuzz_member *m, const vldaa_set *set)
{
	static const uint8_t nonce[VLDAA_NONCE_BYTES] = {1};
	buffer request;

	world_init(&m->w, set, 1);
	car_init(&m->c, &m->w, 2);
	car_join(&m->c);
	m->att = car_create(&m->c, "one");
	m->a = world_attestation(&m->w, m->att);
	m->sig = car_sign(&m->c, m->att, VLDAA_FORM_SELF_CONTAINED, "x", 1);
	m->compact = car_sign(&m->c, m->att, VLDAA_FORM_COMPACT, "x", 1);
	make_revocation(m);
	make_create(m);
	m->c.answers = 500;
	request = car_request(&m->c, nonce); /* one that waits for its answer */
	buffer_free(&request);
	m->c.services.open = open_as_it_is;
	m->c.services.check = believe;
	m->kept = store_copy(&m->c.store);
	m->kept_state = store_now(&m->kept);
}

fuzz_member *fuzz_member_of(const vldaa_set *set)
{
	static fuzz_member members[8]; /* as many sets as there are, and more */
	fuzz_member *m;
	size_t i = 0;

	while (vldaa_set_at(i) != set)
		i++;
	require(i < sizeof members / sizeof members[0]);
	m = &members[i];
	if (!m->w.set)
		member_init(m, set);
	return m;
}

fuzz_member *fuzz_member_for(const uint8_t *data, size_t size)
{
	const vldaa_set *set = vldaa_set_by_name("VLDAA-42");

	if (size >= VLDAA_OBJECT_HEADER) {
		const vldaa_set *named =
		    vldaa_set_by_id((uint32_t)data[6] << 24 | (uint32_t)data[7] << 16 |
				    (uint32_t)data[8] << 8 | data[9]);

		set = named ? named : set;
	}
	return fuzz_member_of(set);
}

void fuzz_member_reset(fuzz_member *m)
{
	if (!store_same(&m->c.store, m->kept_state)) {
		store_clear(&m->c.store);
		m->c.store = store_copy(&m->kept);
	}
	m->c.random.counter = m->create_counter;
	m->c.answers = 1000;
	require(vldaa_host_load(m->c.host, m->c.host_key.data, m->c.host_key.len,
				m->c.credential.data, m->c.credential.len) == VLDAA_OK);
}
