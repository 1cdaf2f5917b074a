/* See world.h. */
#include "world.h"

#include <check.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include "random/bytes.h"
#include "random/shake.h"
#include "role/evp.h"
#include "vldaa/ntru.h"

buffer buffer_new(size_t len)
{
	buffer b = {calloc(1, len ? len : 1), len};

	ck_assert_ptr_nonnull(b.data);
	return b;
}

void buffer_free(buffer *b)
{
	free(b->data);
	b->data = NULL;
	b->len = 0;
}

static buffer max_buffer(const vldaa_set *set, enum vldaa_kind kind)
{
	return buffer_new(vldaa_object_max_size(set, kind));
}

/* The same on machines of either byte order. */
static void absorb_u64(vldaa_shake *s, uint64_t x)
{
	uint8_t bytes[8];

	vldaa_store64(bytes, x);
	vldaa_shake_absorb(s, bytes, sizeof bytes);
}

int test_random_bytes(void *ctx, uint8_t *out, size_t len)
{
	test_random *r = ctx;
	vldaa_shake s;

	if (r->fail_at == 0)
		return VLDAA_ERR_RANDOM;
	if (r->fail_at > 0)
		r->fail_at--;
	vldaa_shake_init(&s, VLDAA_SHAKE256_RATE);
	absorb_u64(&s, r->label);
	absorb_u64(&s, r->counter);
	vldaa_shake_squeeze(&s, out, len);
	r->counter++;
	return VLDAA_OK;
}

/* 32 bytes that depend on the label, the purpose and the number only. */
static void fixed_bytes(uint8_t out[32], uint64_t label, const char *purpose, uint64_t number)
{
	vldaa_shake s;

	vldaa_shake_init(&s, VLDAA_SHAKE256_RATE);
	absorb_u64(&s, label);
	absorb_u64(&s, number);
	vldaa_shake_absorb(&s, purpose, strlen(purpose));
	vldaa_shake_squeeze(&s, out, 32);
}

ordinary_key ordinary_key_new(uint64_t label, const char *purpose)
{
	ordinary_key k;
	uint8_t seed[32];
	unsigned char *der = NULL;
	PKCS8_PRIV_KEY_INFO *p8;
	int len;

	fixed_bytes(seed, label, purpose, 0);
	k.key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, sizeof seed);
	ck_assert_ptr_nonnull(k.key);
	p8 = EVP_PKEY2PKCS8(k.key);
	len = i2d_PKCS8_PRIV_KEY_INFO(p8, &der);
	ck_assert_int_gt(len, 0);
	k.pkcs8 = buffer_new((size_t)len);
	memcpy(k.pkcs8.data, der, (size_t)len);
	OPENSSL_free(der);
	PKCS8_PRIV_KEY_INFO_free(p8);
	der = NULL;
	len = i2d_PUBKEY(k.key, &der);
	ck_assert_int_gt(len, 0);
	k.spki = buffer_new((size_t)len);
	memcpy(k.spki.data, der, (size_t)len);
	OPENSSL_free(der);
	return k;
}

void ordinary_key_free(ordinary_key *k)
{
	EVP_PKEY_free(k->key);
	buffer_free(&k->pkcs8);
	buffer_free(&k->spki);
}

static X509 *certificate(const char *name, EVP_PKEY *subject, X509 *issuer, EVP_PKEY *signer,
			 long serial)
{
	X509 *x = X509_new();
	X509_NAME *n = X509_NAME_new();
	X509V3_CTX ctx;
	X509_EXTENSION *e;

	X509_NAME_add_entry_by_txt(n, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0);
	X509_set_version(x, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(x), serial);
	X509_set_subject_name(x, n);
	X509_set_issuer_name(x, issuer ? X509_get_subject_name(issuer) : n);
	ASN1_TIME_set(X509_getm_notBefore(x), 1700000000);
	ASN1_TIME_set(X509_getm_notAfter(x), 2100000000);
	X509_set_pubkey(x, subject);
	X509V3_set_ctx(&ctx, issuer ? issuer : x, x, NULL, NULL, 0);
	e = X509V3_EXT_conf_nid(NULL, &ctx, NID_basic_constraints,
				issuer ? "CA:FALSE" : "critical,CA:TRUE");
	X509_add_ext(x, e, -1);
	X509_EXTENSION_free(e);
	ck_assert_int_gt(X509_sign(x, signer, NULL), 0);
	X509_NAME_free(n);
	return x;
}

void world_init(world *w, const vldaa_set *set, uint64_t label)
{
	vldaa_source source;
	BIO *bio;
	char *pem;
	long pem_len;
	const uint8_t *group;

	memset(w, 0, sizeof *w);
	w->set = set;
	w->now = 1800000000;
	w->random = (test_random){label, 0, -1};
	w->root_key = ordinary_key_new(label, "root");
	w->root = certificate("manufacturer", w->root_key.key, NULL, w->root_key.key, 1);
	bio = BIO_new(BIO_s_mem());
	PEM_write_bio_X509(bio, w->root);
	pem_len = BIO_get_mem_data(bio, &pem);
	w->roots_pem = buffer_new((size_t)pem_len);
	memcpy(w->roots_pem.data, pem, (size_t)pem_len);
	BIO_free(bio);
	w->authority = ordinary_key_new(label, "authority");
	w->revocation = ordinary_key_new(label, "revocation");
	memset(w->fleet_key, 0x5a, sizeof w->fleet_key);

	source = (vldaa_source){test_random_bytes, &w->random};
	w->issuer_key = max_buffer(set, VLDAA_KIND_ISSUER_KEY);
	ck_assert_int_eq(vldaa_issuer_keygen_from(&source, set, vldaa_ntru_solve,
						  w->authority.pkcs8.data, w->authority.pkcs8.len,
						  w->issuer_key.data, w->issuer_key.len,
						  &w->issuer_key.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_issuer_new(&w->issuer, w->issuer_key.data, w->issuer_key.len),
			 VLDAA_OK);
	vldaa_issuer_set_source(w->issuer, source);
	group = vldaa_issuer_group_key(w->issuer, &w->group_key.len);
	w->group_key = buffer_new(w->group_key.len);
	memcpy(w->group_key.data, group, w->group_key.len);
	ck_assert_int_eq(vldaa_verifier_new(&w->verifier, w->group_key.data, w->group_key.len),
			 VLDAA_OK);
}

void world_free(world *w)
{
	vldaa_verifier_free(w->verifier);
	vldaa_issuer_free(w->issuer);
	buffer_free(&w->issuer_key);
	buffer_free(&w->group_key);
	buffer_free(&w->roots_pem);
	X509_free(w->root);
	ordinary_key_free(&w->root_key);
	ordinary_key_free(&w->authority);
	ordinary_key_free(&w->revocation);
}

/* --- services ----------------------------------------------------------------------------------
 */

static int service_random(void *ctx, uint8_t *out, size_t len)
{
	return test_random_bytes(&((car *)ctx)->random, out, len);
}

static int service_now(void *ctx, int64_t *seconds)
{
	*seconds = ((car *)ctx)->world->now;
	return VLDAA_OK;
}

static int service_answer_key(void *ctx, uint8_t private_key[32], uint8_t public_key[32])
{
	car *c = ctx;
	size_t len = 32;
	EVP_PKEY *key;

	fixed_bytes(private_key, c->random.label, "answer", c->answers++);
	ERR_set_mark();
	key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, private_key, 32);
	int ok = key && EVP_PKEY_get_raw_public_key(key, public_key, &len) == 1;
	EVP_PKEY_free(key);
	ERR_pop_to_mark();
	return ok ? VLDAA_OK : VLDAA_ERR_CRYPTO;
}

static int service_open(void *ctx, enum vldaa_seal_kind kind, const uint8_t key[32],
			const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t in_len,
			uint8_t *out, size_t cap, size_t *len)
{
	(void)ctx;
	if (kind == VLDAA_SEAL_ANSWER)
		return vldaa_unseal(out, cap, len, key, aad, aad_len, in, in_len);
	return vldaa_fleet_open(out, cap, len, key, aad, aad_len, in, in_len);
}

static int service_check(void *ctx, const uint8_t *spki, size_t spki_len, const uint8_t *message,
			 size_t message_len, const uint8_t *signature, size_t signature_len)
{
	(void)ctx;
	return vldaa_evp_verify(spki, spki_len, message, message_len, signature, signature_len);
}

static int service_certificate(void *ctx, uint8_t *out, size_t cap, size_t *len)
{
	const car *c = ctx;

	if (cap < c->chain.len)
		return VLDAA_ERR_BUFFER;
	memcpy(out, c->chain.data, c->chain.len);
	*len = c->chain.len;
	return VLDAA_OK;
}

static int service_endorse(void *ctx, const uint8_t *message, size_t message_len, uint8_t *out,
			   size_t cap, size_t *len)
{
	const car *c = ctx;

	return vldaa_evp_sign(out, cap, len, c->endorsement.pkcs8.data, c->endorsement.pkcs8.len,
			      message, message_len);
}

static size_t find_row(const memory_store *s, enum vldaa_record record, const uint8_t *name)
{
	size_t i;

	for (i = 0; i < s->count; i++) {
		if (s->rows[i].record == record &&
		    memcmp(s->rows[i].name, name, VLDAA_RECORD_NAME) == 0)
			break;
	}
	return i;
}

static int service_load(void *ctx, enum vldaa_record record, const uint8_t *name, uint8_t *out,
			size_t cap, size_t *len)
{
	const memory_store *s = &((car *)ctx)->store;
	size_t i = find_row(s, record, name);

	if (s->fail_load)
		return VLDAA_ERR_STORE;
	if (i == s->count)
		return VLDAA_ERR_NO_KEY;
	*len = s->rows[i].len;
	if (cap < s->rows[i].len)
		return VLDAA_ERR_BUFFER;
	memcpy(out, s->rows[i].value, s->rows[i].len);
	return VLDAA_OK;
}

static int service_commit(void *ctx, const vldaa_change *changes, size_t count)
{
	memory_store *s = &((car *)ctx)->store;

	if (s->fail_commit)
		return VLDAA_ERR_STORE;
	s->commits++;
	for (size_t k = 0; k < count; k++) {
		size_t i = find_row(s, changes[k].record, changes[k].name);

		if (i < s->count) {
			free(s->rows[i].value);
			s->rows[i] = s->rows[--s->count];
		}
		if (!changes[k].value)
			continue;
		ck_assert_uint_lt(s->count, STORE_RECORDS);
		i = s->count++;
		s->rows[i].record = changes[k].record;
		memcpy(s->rows[i].name, changes[k].name, VLDAA_RECORD_NAME);
		s->rows[i].len = changes[k].len;
		s->rows[i].value = malloc(changes[k].len);
		memcpy(s->rows[i].value, changes[k].value, changes[k].len);
	}
	return VLDAA_OK;
}

void car_init(car *c, world *w, uint64_t label)
{
	X509 *x;
	unsigned char *der = NULL;
	int len;

	memset(c, 0, sizeof *c);
	c->world = w;
	c->random = (test_random){label, 0, -1};
	c->endorsement = ordinary_key_new(label, "endorsement");
	x = certificate("tpm", c->endorsement.key, w->root, w->root_key.key, 1000 + (long)label);
	len = i2d_X509(x, &der);
	ck_assert_int_gt(len, 0);
	c->chain = buffer_new((size_t)len + 4);
	c->chain.data[2] = (uint8_t)(len >> 8);
	c->chain.data[3] = (uint8_t)len;
	memcpy(c->chain.data + 4, der, (size_t)len);
	OPENSSL_free(der);
	X509_free(x);
	c->services = (vldaa_tpm_services){c,
					   service_random,
					   service_now,
					   service_answer_key,
					   service_open,
					   service_check,
					   service_certificate,
					   service_endorse,
					   service_load,
					   service_commit};
	c->workspace_len = vldaa_tpm_workspace_size(w->set);
	c->workspace = malloc(c->workspace_len);
	ck_assert_int_eq(vldaa_tpm_open(&c->tpm, c->workspace, c->workspace_len, &c->services),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_keygen(c->tpm, w->group_key.data, w->group_key.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_host_new(&c->host, w->group_key.data, w->group_key.len), VLDAA_OK);
	vldaa_host_set_source(c->host, (vldaa_source){test_random_bytes, &c->random});
	c->host_key = max_buffer(w->set, VLDAA_KIND_HOST_KEY);
	ck_assert_int_eq(
	    vldaa_host_keygen(c->host, c->host_key.data, c->host_key.len, &c->host_key.len),
	    VLDAA_OK);
}

void car_free(car *c)
{
	vldaa_tpm_close(c->tpm);
	free(c->workspace);
	vldaa_host_free(c->host);
	for (size_t i = 0; i < c->store.count; i++)
		free(c->store.rows[i].value);
	ordinary_key_free(&c->endorsement);
	buffer_free(&c->chain);
	buffer_free(&c->host_key);
	buffer_free(&c->credential);
}

buffer car_request(car *c, const uint8_t nonce[32])
{
	const vldaa_set *set = c->world->set;
	buffer n = max_buffer(set, VLDAA_KIND_NONCE);
	buffer call = max_buffer(set, VLDAA_KIND_JOIN_CALL);
	buffer request = max_buffer(set, VLDAA_KIND_JOIN_REQUEST);

	ck_assert_int_eq(vldaa_issuer_nonce(c->world->issuer, nonce, n.data, n.len, &n.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_host_join(c->host, n.data, n.len, call.data, call.len, &call.len),
			 VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_tpm_request(c->tpm, call.data, call.len, request.data, request.len, &request.len),
	    VLDAA_OK);
	buffer_free(&n);
	buffer_free(&call);
	return request;
}

buffer world_answer(world *w, buffer request)
{
	const vldaa_group_services services = {w->revocation.spki.data, w->revocation.spki.len,
					       w->fleet_key};
	vldaa_request_info info;
	uint8_t tag[VLDAA_MAX_TAG_BYTES];
	size_t tag_len;
	buffer answer = max_buffer(w->set, VLDAA_KIND_JOIN_ANSWER);

	ck_assert_int_eq(vldaa_issuer_check(w->issuer, request.data, request.len, w->roots_pem.data,
					    w->roots_pem.len, w->now, &info),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_issuer_answer(w->issuer, &services, tag, &tag_len, answer.data,
					     answer.len, &answer.len),
			 VLDAA_OK);
	return answer;
}

void car_accept(car *c, buffer answer)
{
	c->credential = max_buffer(c->world->set, VLDAA_KIND_CREDENTIAL);
	ck_assert_int_eq(vldaa_tpm_accept(c->tpm, answer.data, answer.len, c->credential.data,
					  c->credential.len, &c->credential.len),
			 VLDAA_OK);
	uint8_t tpm_public[4096];
	size_t tpm_public_len;
	ck_assert_int_eq(vldaa_tpm_public_key(c->tpm, vldaa_host_key_id(c->host), tpm_public,
					      sizeof tpm_public, &tpm_public_len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_host_accept(c->host, c->credential.data, c->credential.len,
					   tpm_public, tpm_public_len),
			 VLDAA_OK);
}

void car_join(car *c)
{
	uint8_t nonce[32];
	buffer request, answer;

	memset(nonce, (int)c->random.label, sizeof nonce);
	request = car_request(c, nonce);
	answer = world_answer(c->world, request);
	car_accept(c, answer);
	buffer_free(&request);
	buffer_free(&answer);
}

int car_try_create(car *c, const uint8_t *basename, size_t len, buffer *attestation)
{
	const vldaa_set *set = c->world->set;
	buffer reply = max_buffer(set, VLDAA_KIND_CREATE_REPLY);
	buffer out = max_buffer(set, VLDAA_KIND_ATTESTATION);
	const size_t cap = out.len, reply_cap = reply.len;
	int done = 0;
	int err = vldaa_host_create_begin(c->host, basename, len, out.data, cap, &out.len);

	while (!err && !done) {
		err =
		    vldaa_tpm_create(c->tpm, out.data, out.len, reply.data, reply_cap, &reply.len);
		if (!err)
			err = vldaa_host_create_step(c->host, reply.data, reply.len, out.data, cap,
						     &out.len, &done);
	}
	buffer_free(&reply);
	if (err)
		buffer_free(&out);
	*attestation = out;
	return err;
}

buffer car_create(car *c, const char *basename)
{
	buffer attestation;

	ck_assert_int_eq(
	    car_try_create(c, (const uint8_t *)basename, strlen(basename), &attestation), VLDAA_OK);
	return attestation;
}

vldaa_member_parts car_parts(const car *c)
{
	vldaa_member_parts parts = {.host_key = c->host_key.data,
				    .host_key_len = c->host_key.len,
				    .credential = c->credential.data,
				    .credential_len = c->credential.len};

	for (size_t i = 0; i < c->store.count; i++) {
		if (c->store.rows[i].record == VLDAA_RECORD_MEMBER) {
			parts.tpm_key = c->store.rows[i].value;
			parts.tpm_key_len = c->store.rows[i].len;
		}
	}
	return parts;
}

vldaa_member_key *car_member_key(const car *c)
{
	const vldaa_member_parts parts = car_parts(c);
	buffer object = max_buffer(c->world->set, VLDAA_KIND_MEMBER);
	vldaa_member_key *member = NULL;

	ck_assert_int_eq(vldaa_member_key_encode(&parts, object.data, object.len, &object.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_member_key_new(&member, object.data, object.len), VLDAA_OK);
	buffer_free(&object);
	return member;
}

int car_try_sign(car *c, buffer attestation, enum vldaa_form form, const void *message, size_t len,
		 buffer *signature)
{
	uint8_t bare[8192];
	size_t bare_len = 0;
	vldaa_object_info info;
	int err;

	*signature = max_buffer(c->world->set, VLDAA_KIND_SIGNATURE);
	ck_assert_int_eq(vldaa_object_inspect(&info, attestation.data, attestation.len), VLDAA_OK);
	err = vldaa_tpm_sign_begin(c->tpm, info.key_id, info.basename, info.basename_len,
				   info.digest);
	if (!err)
		err = vldaa_tpm_sign_update(c->tpm, message, len);
	if (!err)
		err = vldaa_tpm_sign_end(c->tpm, bare, sizeof bare, &bare_len);
	if (!err)
		err = vldaa_host_signature(c->host, form, attestation.data, attestation.len, bare,
					   bare_len, signature->data, signature->len,
					   &signature->len);
	if (err)
		buffer_free(signature);
	return err;
}

buffer car_sign(car *c, buffer attestation, enum vldaa_form form, const void *message, size_t len)
{
	buffer signature;

	ck_assert_int_eq(car_try_sign(c, attestation, form, message, len, &signature), VLDAA_OK);
	return signature;
}

int world_verify(world *w, buffer signature, const vldaa_attestation *known, const void *message,
		 size_t len)
{
	vldaa_verification *v = NULL;
	int err =
	    vldaa_verification_new(&v, w->verifier, signature.data, signature.len, known, NULL, 0);

	if (!err)
		err = vldaa_verification_update(v, message, len);
	if (!err)
		err = vldaa_verification_end(v);
	vldaa_verification_free(v);
	return err;
}
