/*
 * Promises: objects that are whole but mean nothing are refused by name.  Another set's, another
 * group's, another basename's, another member's; for the published sets a residue that is q or more
 * (RANGE), padding that is not zero and ternary bytes above 242 (ENCODING).  What a host had before
 * a refusal it has afterwards.
 *
 * Over-long responses: test_norms.c.  Rice codes: a sign is written for values that are not 0 only,
 * so that there is no negative zero to refuse; test_wire.c decodes everything that short inputs can
 * say.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/damage.h"
#include "../support/sets.h"
#include "scheme/published.h"
#include "wire/pack.h"

enum { HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES };
static const char message[] = "brake ahead";

/* A world with one member that has signed under the basename "one". */
typedef struct {
	world w;
	car c;
	buffer att, sig, compact;
	vldaa_attestation *a;
} group;

static void group_init(group *g, const vldaa_set *set, uint64_t label)
{
	world_init(&g->w, set, label);
	car_init(&g->c, &g->w, label + 1);
	car_join(&g->c);
	g->att = car_create(&g->c, "one");
	g->a = world_attestation(&g->w, g->att);
	g->sig = car_sign(&g->c, g->att, VLDAA_FORM_SELF_CONTAINED, message, sizeof message);
	g->compact = car_sign(&g->c, g->att, VLDAA_FORM_COMPACT, message, sizeof message);
}

static void group_free(group *g)
{
	buffer_free(&g->att);
	buffer_free(&g->sig);
	buffer_free(&g->compact);
	vldaa_attestation_free(g->a);
	car_free(&g->c);
	world_free(&g->w);
}

static buffer copy_of(buffer b)
{
	buffer copy = buffer_new(b.len);

	memcpy(copy.data, b.data, b.len);
	return copy;
}

/* The set number of an object becomes another known set's. */
static void name_set(buffer b, const vldaa_set *set)
{
	const uint32_t id = vldaa_set_id(set);

	for (size_t i = 0; i < 4; i++)
		b.data[6 + i] = (uint8_t)(id >> (24 - 8 * i));
}

static int verify(const group *g, buffer sig, const vldaa_attestation *known, const char *basename)
{
	vldaa_verification *v = NULL;
	int err =
	    vldaa_verification_new(&v, g->w.verifier, sig.data, sig.len, known,
				   (const uint8_t *)basename, basename ? strlen(basename) : 0);

	if (!err)
		err = vldaa_verification_update(v, message, sizeof message);
	if (!err)
		err = vldaa_verification_end(v);
	vldaa_verification_free(v);
	return err;
}

static int attest(const group *g, buffer att)
{
	vldaa_attestation *a = NULL;
	int err = vldaa_attestation_new(&a, g->w.verifier, att.data, att.len);

	ck_assert_int_eq(a == NULL, err != VLDAA_OK);
	vldaa_attestation_free(a);
	return err;
}

/* An output that must be zero after a refusal. */
typedef struct {
	buffer b;
	size_t len;
} target;

static target target_new(const vldaa_set *set, enum vldaa_kind kind)
{
	target o = {buffer_new(vldaa_object_max_size(set, kind)), 1};

	memset(o.b.data, 0xaa, o.b.len);
	return o;
}

static void check_refused(target *o, int err, int expected)
{
	ck_assert_msg(err == expected, "%s instead of %s", vldaa_error_name(err),
		      vldaa_error_name(expected));
	ck_assert_uint_eq(o->len, 0);
	ck_assert(all_zero(o->b.data, o->b.len));
	buffer_free(&o->b);
}

static buffer nonce_object(const world *w)
{
	static const uint8_t nonce[VLDAA_NONCE_BYTES] = {9};
	buffer n = buffer_new(vldaa_object_max_size(w->set, VLDAA_KIND_NONCE));

	ck_assert_int_eq(vldaa_issuer_nonce(w->issuer, nonce, n.data, n.len, &n.len), VLDAA_OK);
	return n;
}

/* The group g is given the objects of `other`; every refusal is this error. */
static void refuse_everything(group *g, group *other, int expected)
{
	buffer nonce = nonce_object(&other->w);
	buffer request = car_request(&other->c, (const uint8_t[32]){1});
	buffer clear, sealed = world_order(&other->w, other->a, VLDAA_REVOKE_SOFT, 1, &clear);
	uint8_t tpm_public[4096], digest[VLDAA_DIGEST_BYTES];
	vldaa_request_info info;
	size_t tpm_public_len;
	int linked = 1;
	target o;

	o = target_new(g->w.set, VLDAA_KIND_JOIN_CALL);
	check_refused(&o,
		      vldaa_host_join(g->c.host, nonce.data, nonce.len, o.b.data, o.b.len, &o.len),
		      expected);
	ck_assert_int_eq(
	    vldaa_host_load(g->c.host, other->c.host_key.data, other->c.host_key.len, NULL, 0),
	    expected);
	ck_assert_int_eq(vldaa_host_load(g->c.host, g->c.host_key.data, g->c.host_key.len,
					 other->c.credential.data, other->c.credential.len),
			 expected);
	ck_assert_int_eq(vldaa_tpm_public_key(g->c.tpm, vldaa_host_key_id(g->c.host), tpm_public,
					      sizeof tpm_public, &tpm_public_len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_host_accept(g->c.host, other->c.credential.data,
					   other->c.credential.len, tpm_public, tpm_public_len),
			 expected);
	ck_assert_int_eq(vldaa_issuer_check(g->w.issuer, request.data, request.len,
					    g->w.roots_pem.data, g->w.roots_pem.len, g->w.now,
					    &info),
			 expected);
	ck_assert_int_eq(
	    vldaa_issuer_request_digest(g->w.issuer, request.data, request.len, digest), expected);
	ck_assert_int_eq(attest(g, other->att), expected);
	ck_assert_int_eq(verify(g, other->sig, NULL, NULL), expected);
	ck_assert_int_eq(verify(g, other->compact, g->a, NULL), expected);
	ck_assert_int_eq(verify(g, g->sig, other->a, NULL), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_link(g->a, other->a, &linked), expected);
	ck_assert_int_eq(linked, 0);
	o = target_new(g->w.set, VLDAA_KIND_SIGNATURE);
	check_refused(&o,
		      vldaa_host_signature(g->c.host, VLDAA_FORM_COMPACT, other->att.data,
					   other->att.len, (const uint8_t *)"", 0, o.b.data,
					   o.b.len, &o.len),
		      expected);
	ck_assert_int_eq(vldaa_confirmation_check(g->w.verifier, clear.data, clear.len, sealed.data,
						  sealed.len, NULL, 0),
			 expected);
	/* The host has its own key and credential still. */
	buffer att = car_create(&g->c, "two");
	ck_assert_int_eq(attest(g, att), VLDAA_OK);
	buffer_free(&att);
	buffer_free(&nonce);
	buffer_free(&request);
	buffer_free(&clear);
	buffer_free(&sealed);
}

/* The set behind this one in the list, or the first. */
static const vldaa_set *next_set(int i)
{
	const vldaa_set *set = vldaa_set_at((size_t)i + 1);

	return set ? set : vldaa_set_at(0);
}

START_TEST(another_sets_objects_are_refused)
{
	static group g, other;

	group_init(&g, vldaa_set_at((size_t)_i), 10);
	group_init(&other, next_set(_i), 20);
	refuse_everything(&g, &other, VLDAA_ERR_WRONG_SET);
	group_free(&other);
	group_free(&g);
}
END_TEST

START_TEST(another_issuers_objects_are_refused)
{
	static group g, other;

	group_init(&g, vldaa_set_at((size_t)_i), 10);
	group_init(&other, vldaa_set_at((size_t)_i), 20);
	refuse_everything(&g, &other, VLDAA_ERR_WRONG_ISSUER);
	group_free(&other);
	group_free(&g);
}
END_TEST

START_TEST(a_tpm_refuses_calls_that_name_another_set_than_its_keys)
{
	static group g;
	/* The largest: in a smaller one a part that is too long may be noticed first. */
	const vldaa_set *another = vldaa_set_by_name("VLDAA-256");
	buffer nonce, clear, call, sealed, request, answer;
	store_state before;
	target o;

	if (vldaa_set_at((size_t)_i) == another)
		return;
	group_init(&g, vldaa_set_at((size_t)_i), 10);
	before = store_now(&g.c.store);
	nonce = nonce_object(&g.w);
	call = buffer_new(vldaa_object_max_size(g.w.set, VLDAA_KIND_JOIN_CALL));
	ck_assert_int_eq(
	    vldaa_host_join(g.c.host, nonce.data, nonce.len, call.data, call.len, &call.len),
	    VLDAA_OK);
	name_set(call, another);
	o = target_new(another, VLDAA_KIND_JOIN_REQUEST);
	check_refused(&o,
		      vldaa_tpm_request(g.c.tpm, call.data, call.len, o.b.data, o.b.len, &o.len),
		      VLDAA_ERR_WRONG_SET);
	buffer_free(&call);
	call = buffer_new(vldaa_object_max_size(g.w.set, VLDAA_KIND_CREATE_CALL));
	ck_assert_int_eq(vldaa_host_create_begin(g.c.host, (const uint8_t *)"one", 3, call.data,
						 call.len, &call.len),
			 VLDAA_OK);
	name_set(call, another);
	o = target_new(another, VLDAA_KIND_CREATE_REPLY);
	check_refused(&o, vldaa_tpm_create(g.c.tpm, call.data, call.len, o.b.data, o.b.len, &o.len),
		      VLDAA_ERR_WRONG_SET);
	sealed = world_order(&g.w, g.a, VLDAA_REVOKE_HARD, 1, &clear);
	name_set(sealed, another);
	o = target_new(another, VLDAA_KIND_CONFIRMATION);
	check_refused(&o,
		      vldaa_tpm_obey(g.c.tpm, sealed.data, sealed.len, o.b.data, o.b.len, &o.len),
		      VLDAA_ERR_WRONG_SET);
	ck_assert(store_same(&g.c.store, before));
	request = car_request(&g.c, (const uint8_t[32]){1});
	answer = world_answer(&g.w, request);
	name_set(answer, another);
	o = target_new(another, VLDAA_KIND_CREDENTIAL);
	check_refused(&o,
		      vldaa_tpm_accept(g.c.tpm, answer.data, answer.len, o.b.data, o.b.len, &o.len),
		      VLDAA_ERR_WRONG_SET);
	buffer_free(&nonce);
	buffer_free(&call);
	buffer_free(&sealed);
	buffer_free(&clear);
	buffer_free(&request);
	buffer_free(&answer);
	group_free(&g);
}
END_TEST

START_TEST(an_attestation_or_signature_serves_its_own_basename_only)
{
	static group g;
	buffer two, sig;
	vldaa_attestation *a;

	group_init(&g, vldaa_set_at((size_t)_i), 10);
	two = car_create(&g.c, "two");
	a = world_attestation(&g.w, two);
	ck_assert_int_eq(verify(&g, g.sig, NULL, "one"), VLDAA_OK);
	ck_assert_int_eq(verify(&g, g.sig, NULL, "two"), VLDAA_ERR_WRONG_BASENAME);
	ck_assert_int_eq(verify(&g, g.sig, NULL, "on"), VLDAA_ERR_WRONG_BASENAME);
	ck_assert_int_eq(verify(&g, g.compact, g.a, "two"), VLDAA_ERR_WRONG_BASENAME);
	ck_assert_int_eq(verify(&g, g.compact, a, NULL), VLDAA_ERR_ATTESTATION);
	ck_assert_int_eq(verify(&g, g.compact, NULL, NULL), VLDAA_ERR_ATTESTATION);
	/* Another name on the same proof, of the same length. */
	sig = copy_of(g.att);
	memcpy(sig.data + HEAD + 1, "two", 3);
	ck_assert_int_eq(attest(&g, sig), VLDAA_ERR_PROOF);
	/* A signature under one attestation, in a form with the other. */
	target o = target_new(g.w.set, VLDAA_KIND_SIGNATURE);
	ck_assert_int_eq(vldaa_host_signature(g.c.host, VLDAA_FORM_SELF_CONTAINED, two.data,
					      two.len, g.compact.data + HEAD + VLDAA_DIGEST_BYTES,
					      g.compact.len - HEAD - VLDAA_DIGEST_BYTES, o.b.data,
					      o.b.len, &o.len),
			 VLDAA_OK);
	ck_assert_int_eq(verify(&g, (buffer){o.b.data, o.len}, NULL, NULL), VLDAA_ERR_PROOF);
	buffer_free(&o.b);
	vldaa_attestation_free(a);
	buffer_free(&two);
	buffer_free(&sig);
	group_free(&g);
}
END_TEST

/* --- encodings that no value has ---------------------------------------------------------------
 */

/* Writes a field of a bit-packed polynomial. */
static void set_field(uint8_t *poly, uint32_t bits, size_t index, uint64_t value)
{
	for (size_t i = 0; i < bits; i++) {
		const size_t at = index * bits + i;

		poly[at / 8] &= (uint8_t) ~(1U << at % 8);
		poly[at / 8] |= (uint8_t)((value >> i & 1) << at % 8);
	}
}

/* The values that are out of range: q, and the largest that the field holds. */
static uint64_t bad_residue(const vldaa_ring *r, int which)
{
	return which ? (UINT64_C(1) << r->q_bits) - 1 : (uint64_t)r->q;
}

START_TEST(a_residue_of_q_or_more_is_out_of_range)
{
	static group g;
	const vldaa_set *set = published_set(_i);
	const vldaa_ring *r = &vldaa_published_numbers(set)->ring;
	const uint32_t challenge = vldaa_published_numbers(set)->challenge_bytes;
	const size_t poly = vldaa_pack_uniform_size(r), nym_at = HEAD + 1 + 3;
	buffer key, clear, sealed, call, list, request;
	vldaa_request_info info;
	vldaa_host *h;

	group_init(&g, set, 10);
	for (int which = 0; which < 2; which++) {
		const uint64_t bad = bad_residue(r, which);

		for (size_t p = 0; p < 5; p++) { /* nym and the commitments */
			buffer att = copy_of(g.att);
			set_field(att.data + nym_at + p * poly, r->q_bits, r->d - 1, bad);
			ck_assert_int_eq(attest(&g, att), VLDAA_ERR_RANGE);
			buffer_free(&att);
		}
		for (size_t p = 0; p < 2; p++) { /* B */
			key = copy_of(g.w.group_key);
			set_field(key.data + VLDAA_OBJECT_HEADER + VLDAA_DIGEST_BYTES +
				      VLDAA_RHO_BYTES + p * poly,
				  r->q_bits, 0, bad);
			ck_assert_int_eq(vldaa_host_new(&h, key.data, key.len), VLDAA_ERR_RANGE);
			ck_assert_ptr_null(h);
			buffer_free(&key);
		}
		sealed = world_order(&g.w, g.a, VLDAA_REVOKE_SOFT, 1, &clear);
		list = buffer_new(8192);
		ck_assert_int_eq(vldaa_revoked_list((const uint8_t *const[]){clear.data},
						    &clear.len, 1, list.data, list.len, &list.len),
				 VLDAA_OK);
		set_field(clear.data + nym_at, r->q_bits, 3, bad);
		vldaa_order_terms terms;
		uint8_t digest[VLDAA_DIGEST_BYTES];
		ck_assert_int_eq(vldaa_order_read(clear.data, clear.len, &terms, digest),
				 VLDAA_ERR_RANGE);
		set_field(list.data + nym_at + 4, r->q_bits, 3, bad);
		ck_assert_int_eq(vldaa_verifier_add_list(g.w.verifier, list.data, list.len),
				 VLDAA_ERR_RANGE);
		buffer_free(&clear);
		buffer_free(&sealed);
		buffer_free(&list);

		call = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_CREATE_CALL));
		ck_assert_int_eq(vldaa_host_create_begin(g.c.host, (const uint8_t *)"one", 3,
							 call.data, call.len, &call.len),
				 VLDAA_OK);
		target o = target_new(set, VLDAA_KIND_CREATE_REPLY);
		ck_assert_int_eq(
		    vldaa_tpm_create(g.c.tpm, call.data, call.len, o.b.data, o.b.len, &o.len),
		    VLDAA_OK);
		set_field(o.b.data + HEAD + challenge + 32, r->q_bits, 1, bad);
		target next = target_new(set, VLDAA_KIND_ATTESTATION);
		int done = 1;
		check_refused(&next,
			      vldaa_host_create_step(g.c.host, o.b.data, o.len, next.b.data,
						     next.b.len, &next.len, &done),
			      VLDAA_ERR_RANGE);
		buffer_free(&o.b);
		set_field(call.data + nym_at + VLDAA_COMMIT_DIGEST_BYTES, r->q_bits, 0, bad);
		o = target_new(set, VLDAA_KIND_CREATE_REPLY);
		check_refused(
		    &o, vldaa_tpm_create(g.c.tpm, call.data, call.len, o.b.data, o.b.len, &o.len),
		    VLDAA_ERR_RANGE);
		buffer_free(&call);

		/* u_H in a request, which the TPM endorses unseen. */
		buffer nonce = nonce_object(&g.w);
		call = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_JOIN_CALL));
		request = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_JOIN_REQUEST));
		ck_assert_int_eq(vldaa_host_join(g.c.host, nonce.data, nonce.len, call.data,
						 call.len, &call.len),
				 VLDAA_OK);
		set_field(call.data + HEAD + VLDAA_NONCE_BYTES + 4, r->q_bits, 7, bad);
		ck_assert_int_eq(vldaa_tpm_request(g.c.tpm, call.data, call.len, request.data,
						   request.len, &request.len),
				 VLDAA_OK);
		ck_assert_int_eq(vldaa_issuer_check(g.w.issuer, request.data, request.len,
						    g.w.roots_pem.data, g.w.roots_pem.len, g.w.now,
						    &info),
				 VLDAA_ERR_RANGE);
		buffer_free(&nonce);
		buffer_free(&call);
		buffer_free(&request);
	}
	group_free(&g);
}
END_TEST

START_TEST(a_credentials_tag_is_a_residue_and_not_zero)
{
	static group g;
	const vldaa_set *set = published_set(_i);
	const vldaa_ring *r = &vldaa_published_numbers(set)->ring;
	uint8_t tpm_public[4096];
	size_t len;

	group_init(&g, set, 10);
	ck_assert_int_eq(vldaa_tpm_public_key(g.c.tpm, vldaa_host_key_id(g.c.host), tpm_public,
					      sizeof tpm_public, &len),
			 VLDAA_OK);
	for (int which = 0; which < 4; which++) {
		const uint32_t q = (uint32_t)r->q;
		const uint32_t tags[4][2] = {{q, 1}, {1, q}, {UINT32_MAX, 0}, {0, 0}};
		buffer bad = copy_of(g.c.credential);

		for (size_t i = 0; i < 8; i++)
			bad.data[HEAD + i] = (uint8_t)(tags[which][i / 4] >> (24 - 8 * (i % 4)));
		ck_assert_int_eq(vldaa_host_accept(g.c.host, bad.data, bad.len, tpm_public, len),
				 VLDAA_ERR_RANGE);
		ck_assert_int_eq(vldaa_host_load(g.c.host, g.c.host_key.data, g.c.host_key.len,
						 bad.data, bad.len),
				 VLDAA_ERR_RANGE);
		buffer_free(&bad);
	}
	buffer att = car_create(&g.c, "two");
	ck_assert_int_eq(attest(&g, att), VLDAA_OK);
	buffer_free(&att);
	group_free(&g);
}
END_TEST

START_TEST(a_members_key_in_another_spelling_is_refused)
{
	static group g;
	const vldaa_set *set = published_set(_i);
	const vldaa_published_set *n = vldaa_published_numbers(set);
	const size_t ternary = vldaa_pack_ternary_size(n->ring.d);
	buffer key;
	uint8_t *last;

	group_init(&g, set, 10);
	/* the host's: header | key id | e_0 in fields | e_1 in ternary bytes */
	key = copy_of(g.c.host_key);
	last = key.data + key.len - 1;
	ck_assert_uint_gt(n->ring.d % 5, 0); /* the last byte has missing digits */
	*last = (uint8_t)(n->ring.d % 5 == 3 ? 27 : n->ring.d % 5 == 2 ? 9 : 81);
	ck_assert_int_eq(vldaa_host_load(g.c.host, key.data, key.len, NULL, 0), VLDAA_ERR_ENCODING);
	memcpy(last, g.c.host_key.data + key.len - 1, 1);
	for (unsigned value = 243; value < 256; value++) {
		key.data[key.len - ternary] = (uint8_t)value;
		ck_assert_int_eq(vldaa_host_load(g.c.host, key.data, key.len, NULL, 0),
				 VLDAA_ERR_ENCODING);
	}
	buffer_free(&key);
	key = copy_of(g.c.host_key);
	memset(key.data + HEAD, 0xff, 2); /* the widest field is above 2 max */
	ck_assert_int_eq(vldaa_host_load(g.c.host, key.data, key.len, NULL, 0), VLDAA_ERR_RANGE);
	buffer_free(&key);
	/* the issuer's R */
	key = copy_of(g.w.issuer_key);
	key.data[VLDAA_OBJECT_HEADER + 4 + g.w.group_key.len] = 243;
	vldaa_issuer *is;
	ck_assert_int_eq(vldaa_issuer_new(&is, key.data, key.len), VLDAA_ERR_ENCODING);
	ck_assert_ptr_null(is);
	/* a matrix that is one, but another */
	key.data[VLDAA_OBJECT_HEADER + 4 + g.w.group_key.len] =
	    g.w.issuer_key.data[VLDAA_OBJECT_HEADER + 4 + g.w.group_key.len] == 0 ? 1 : 0;
	ck_assert_int_eq(vldaa_issuer_new(&is, key.data, key.len), VLDAA_ERR_KEY);
	buffer_free(&key);
	buffer att = car_create(&g.c, "two");
	ck_assert_int_eq(attest(&g, att), VLDAA_OK);
	buffer_free(&att);
	group_free(&g);
}
END_TEST

/* The bits of the last byte that a Rice-coded block leaves free; advances *at behind the block. */
static unsigned free_bits(const vldaa_ring *r, const buffer b, size_t *at, size_t polys, uint32_t k,
			  uint64_t max)
{
	static int64_t z[3 * VLDAA_MAX_DEGREE];
	vldaa_reader rd;
	uint64_t bits = 0;

	vldaa_get_init(&rd, b.data, b.len);
	(void)vldaa_get_view(&rd, *at);
	vldaa_rice_decode_vartime(&rd, z, polys * r->d, k, max);
	ck_assert_int_eq(rd.error, VLDAA_OK);
	for (size_t i = 0; i < polys * r->d; i++) {
		const uint64_t magnitude = (uint64_t)(z[i] < 0 ? -z[i] : z[i]);

		bits += k + (magnitude >> k) + 1 + (magnitude != 0);
	}
	*at = rd.pos;
	return (unsigned)((8 - bits % 8) % 8);
}

/* Sets each free bit in turn. */
static void try_padding(const group *g, buffer b, size_t end, unsigned bits)
{
	const int is_attestation = b.data[4] == VLDAA_KIND_ATTESTATION;

	for (unsigned i = 0; i < bits; i++) {
		b.data[end - 1] ^= (uint8_t)(0x80U >> i);
		ck_assert_int_eq(is_attestation ? attest(g, b) : verify(g, b, g->a, NULL),
				 VLDAA_ERR_ENCODING);
		b.data[end - 1] ^= (uint8_t)(0x80U >> i);
	}
}

START_TEST(padding_that_is_not_zero_is_refused_after_every_response)
{
	static group g;
	const vldaa_set *set = published_set(_i);
	const vldaa_published_set *n = vldaa_published_numbers(set);
	size_t at = HEAD + 1 + 3 + 5 * vldaa_pack_uniform_size(&n->ring) + n->challenge_bytes + 32;
	unsigned seen = 0;

	group_init(&g, set, 10);
	for (size_t i = 0; i < VLDAA_HOST_BLOCKS + VLDAA_TPM_BLOCKS; i++) {
		const vldaa_block *block =
		    i < VLDAA_HOST_BLOCKS ? &n->host[i] : &n->tpm[i - VLDAA_HOST_BLOCKS];
		const unsigned bits =
		    free_bits(&n->ring, g.att, &at, block->polys, block->rice, block->max);

		try_padding(&g, g.att, at, bits);
		seen += bits;
	}
	ck_assert_uint_eq(at, g.att.len);
	at = HEAD + VLDAA_DIGEST_BYTES + n->challenge_bytes;
	for (size_t i = 0; i < VLDAA_SIGN_BLOCKS; i++) {
		const unsigned bits =
		    free_bits(&n->ring, g.compact, &at, 1, n->sign[i].rice, n->sign[i].max);

		try_padding(&g, g.compact, at, bits);
		seen += bits;
	}
	ck_assert_uint_eq(at, g.compact.len);
	ck_assert_uint_gt(seen, 0);
	ck_assert_int_eq(verify(&g, g.compact, g.a, NULL), VLDAA_OK);
	group_free(&g);
}
END_TEST

START_TEST(a_basename_in_an_object_has_1_to_255_bytes)
{
	static group g;
	buffer b;
	vldaa_object_info info;
	uint8_t digest[VLDAA_DIGEST_BYTES];

	group_init(&g, vldaa_set_at((size_t)_i), 10);
	b = copy_of(g.att);
	b.data[HEAD] = 0; /* 256 cannot be written at all */
	ck_assert_int_eq(attest(&g, b), VLDAA_ERR_ENCODING);
	ck_assert_int_eq(vldaa_attestation_digest_of(b.data, b.len, digest), VLDAA_ERR_ENCODING);
	ck_assert_int_eq(vldaa_object_inspect(&info, b.data, b.len), VLDAA_ERR_ENCODING);
	buffer_free(&b);
	/* An attestation of another group in a signature of this one. */
	b = copy_of(g.sig);
	b.data[HEAD + 4 + VLDAA_OBJECT_HEADER] ^= 1;
	ck_assert_int_eq(vldaa_object_inspect(&info, b.data, b.len), VLDAA_ERR_WRONG_ISSUER);
	ck_assert(all_zero(&info, sizeof info));
	ck_assert_int_eq(verify(&g, b, NULL, NULL), VLDAA_ERR_WRONG_ISSUER);
	buffer_free(&b);
	group_free(&g);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("bad values");
	TCase *tc = tcase_create("values");
	SRunner *sr = srunner_create(s);
	const int sets = published_sets();
	int all = 0;

	while (vldaa_set_at((size_t)all))
		all++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, another_sets_objects_are_refused, 0, all);
	tcase_add_loop_test(tc, another_issuers_objects_are_refused, 0, all);
	tcase_add_loop_test(tc, a_tpm_refuses_calls_that_name_another_set_than_its_keys, 0, all);
	tcase_add_loop_test(tc, an_attestation_or_signature_serves_its_own_basename_only, 0, all);
	tcase_add_loop_test(tc, a_residue_of_q_or_more_is_out_of_range, 0, sets);
	tcase_add_loop_test(tc, a_credentials_tag_is_a_residue_and_not_zero, 0, sets);
	tcase_add_loop_test(tc, a_members_key_in_another_spelling_is_refused, 0, sets);
	tcase_add_loop_test(tc, padding_that_is_not_zero_is_refused_after_every_response, 0, sets);
	tcase_add_loop_test(tc, a_basename_in_an_object_has_1_to_255_bytes, 0, all);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
