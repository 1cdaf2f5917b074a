/*
 * Promises of vldaa/member_key.h, for every set: a MEMBER object is the member that it was made of,
 * and makes pseudonyms that are the member's; what was revoked before stays revoked; Creates are
 * counted; its default basename can be read; parts that do not belong together, and other spellings of the object, are refused.  A
 * PSEUDONYM object signs messages in every form under its attestation.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/damage.h"
#include "scheme/scheme.h"
#include "vldaa/member_key.h"

static const char message[] = "brake";
enum { LEN = sizeof message - 1, MOST_TOMBSTONES = 8 };

static world w;
static car c, other;
static buffer att;
static buffer object; /* of c */
static vldaa_member_key *member;

static int try_encode(const vldaa_member_parts *p, buffer *out)
{
	int err;

	*out = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_MEMBER));
	err = vldaa_member_key_encode(p, out->data, out->len, &out->len);
	if (err)
		buffer_free(out);
	return err;
}

static buffer encode(const vldaa_member_parts *p)
{
	buffer out;

	ck_assert_int_eq(try_encode(p, &out), VLDAA_OK);
	return out;
}

static int try_open(buffer in)
{
	vldaa_member_key *k = (vldaa_member_key *)1;
	int err = vldaa_member_key_new(&k, in.data, in.len);

	if (err)
		ck_assert_ptr_null(k);
	vldaa_member_key_free(k);
	return err;
}

static vldaa_member_key *open_member(buffer in)
{
	vldaa_member_key *k = NULL;

	ck_assert_int_eq(vldaa_member_key_new(&k, in.data, in.len), VLDAA_OK);
	return k;
}

static int try_create(vldaa_member_key *k, const char *basename, buffer *out)
{
	int err;

	*out = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_PSEUDONYM));
	err = vldaa_member_key_create(k, (const uint8_t *)basename, strlen(basename), out->data,
				      out->len, &out->len);
	if (err)
		buffer_free(out);
	return err;
}

static int try_pseudonym(vldaa_member_key *k, buffer attestation, buffer *out)
{
	int err;

	*out = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_PSEUDONYM));
	err = vldaa_member_key_pseudonym(k, attestation.data, attestation.len, out->data, out->len,
					 &out->len);
	if (err)
		buffer_free(out);
	return err;
}

static vldaa_pseudonym_key *open_pseudonym(buffer in)
{
	vldaa_pseudonym_key *k = NULL;

	ck_assert_int_eq(vldaa_pseudonym_key_new(&k, in.data, in.len), VLDAA_OK);
	return k;
}

static buffer sign(const vldaa_pseudonym_key *k, enum vldaa_form form)
{
	buffer out = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_SIGNATURE));
	vldaa_signing *s = NULL;

	ck_assert_int_eq(vldaa_signing_new(&s, k, form), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_update(s, message, 2), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_update(s, message + 2, LEN - 2), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_end(s, out.data, out.len, &out.len), VLDAA_OK);
	vldaa_signing_free(s);
	return out;
}

static void set_up(const vldaa_set *set)
{
	vldaa_member_parts p;

	world_init(&w, set, 1);
	car_init(&c, &w, 2);
	car_init(&other, &w, 3);
	car_join(&c);
	car_join(&other);
	att = car_create(&c, "here");
	p = car_parts(&c);
	object = encode(&p);
	member = open_member(object);
}

static void tear_down(void)
{
	vldaa_member_key_free(member);
	buffer_free(&object);
	buffer_free(&att);
	car_free(&other);
	car_free(&c);
	world_free(&w);
}

START_TEST(a_member_object_makes_the_members_pseudonyms)
{
	vldaa_attestation *of_tpm, *of_key;
	vldaa_pseudonym_key *p;
	buffer pseudonym, attestation;
	size_t len;
	int linked;

	set_up(vldaa_set_at((size_t)_i));
	ck_assert_ptr_eq(vldaa_member_key_set(member), w.set);
	ck_assert_mem_eq(vldaa_member_key_id(member), vldaa_verifier_key_id(w.verifier),
			 VLDAA_KEY_ID_BYTES);
	ck_assert_mem_eq(vldaa_member_key_group(member, &len), w.group_key.data, w.group_key.len);
	ck_assert_uint_eq(len, w.group_key.len);
	ck_assert_int_eq(try_create(member, "here", &pseudonym), VLDAA_OK);
	p = open_pseudonym(pseudonym);
	attestation.data = (uint8_t *)(uintptr_t)vldaa_pseudonym_key_attestation(p, &len);
	attestation.len = len;
	of_tpm = world_attestation(&w, att);
	of_key = world_attestation(&w, attestation);
	ck_assert_int_eq(vldaa_link(of_tpm, of_key, &linked), VLDAA_OK);
	ck_assert_int_eq(linked, 1);
	/* Not a copy of that attestation, but one of its own. */
	ck_assert_mem_ne(vldaa_attestation_digest(of_tpm), vldaa_attestation_digest(of_key),
			 VLDAA_DIGEST_BYTES);
	ck_assert_ptr_eq(vldaa_pseudonym_key_set(p), w.set);
	ck_assert_uint_eq(vldaa_pseudonym_key_info(p)->basename_len, 4);
	ck_assert_mem_eq(vldaa_pseudonym_key_info(p)->basename, "here", 4);
	vldaa_attestation_free(of_tpm);
	vldaa_attestation_free(of_key);
	vldaa_pseudonym_key_free(p);
	buffer_free(&pseudonym);
	tear_down();
}
END_TEST

START_TEST(a_pseudonym_signs_under_its_attestation_in_every_form)
{
	vldaa_attestation *known;
	vldaa_pseudonym_key *p;
	buffer pseudonym, signature;
	const int forms = vldaa_set_bare_size(vldaa_set_at((size_t)_i)) ? 3 : 2;

	set_up(vldaa_set_at((size_t)_i));
	ck_assert_int_eq(try_pseudonym(member, att, &pseudonym), VLDAA_OK);
	p = open_pseudonym(pseudonym);
	known = world_attestation(&w, att);
	ck_assert_mem_eq(vldaa_pseudonym_key_info(p)->digest, vldaa_attestation_digest(known),
			 VLDAA_DIGEST_BYTES);
	for (int form = 0; form < forms; form++) {
		signature = sign(p, (enum vldaa_form)form);
		ck_assert_int_eq(world_verify(&w, signature, form ? known : NULL, message, LEN),
				 VLDAA_OK);
		ck_assert_int_eq(world_verify(&w, signature, known, message, LEN - 1),
				 VLDAA_ERR_PROOF);
		buffer_free(&signature);
	}
	vldaa_attestation_free(known);
	vldaa_pseudonym_key_free(p);
	buffer_free(&pseudonym);
	tear_down();
}
END_TEST

START_TEST(no_two_signatures_are_alike_and_copies_go_their_own_way)
{
	const size_t most = vldaa_object_max_size(vldaa_set_at((size_t)_i), VLDAA_KIND_COMPACT);
	vldaa_signing *s = NULL, *copy = NULL;
	buffer pseudonym, one = buffer_new(most), two = buffer_new(most);
	vldaa_attestation *known;
	vldaa_pseudonym_key *p;
	size_t len = 0;

	set_up(vldaa_set_at((size_t)_i));
	ck_assert_int_eq(try_pseudonym(member, att, &pseudonym), VLDAA_OK);
	p = open_pseudonym(pseudonym);
	known = world_attestation(&w, att);
	ck_assert_int_eq(vldaa_signing_new(&s, p, VLDAA_FORM_COMPACT), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_update(s, message, 2), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_copy(&copy, s), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_update(s, message + 2, LEN - 2), VLDAA_OK);
	/* A buffer that is too small ends nothing. */
	memset(one.data, 1, one.len);
	ck_assert_int_eq(vldaa_signing_end(s, one.data, 100, &len), VLDAA_ERR_BUFFER);
	ck_assert(all_zero(one.data, 100));
	ck_assert_uint_gt(len, 100);
	ck_assert_uint_le(len, most);
	ck_assert_int_eq(vldaa_signing_end(s, one.data, len, &one.len), VLDAA_OK);
	ck_assert_int_eq(world_verify(&w, one, known, message, LEN), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_end(s, two.data, two.len, &len), VLDAA_ERR_STATE);
	ck_assert_int_eq(vldaa_signing_update(s, message, 1), VLDAA_ERR_STATE);
	vldaa_signing_free(s);
	ck_assert_int_eq(vldaa_signing_update(copy, message + 2, LEN - 2), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_end(copy, two.data, two.len, &two.len), VLDAA_OK);
	ck_assert_int_eq(world_verify(&w, two, known, message, LEN), VLDAA_OK);
	ck_assert_uint_ge(two.len, 200);
	ck_assert_mem_ne(one.data + 100, two.data + 100, 100);
	vldaa_signing_free(copy);
	vldaa_attestation_free(known);
	vldaa_pseudonym_key_free(p);
	buffer_free(&pseudonym);
	buffer_free(&one);
	buffer_free(&two);
	tear_down();
}
END_TEST

START_TEST(what_was_revoked_before_stays_revoked)
{
	vldaa_attestation *a;
	vldaa_member_parts p;
	buffer clear, sealed, confirmation, with, made;
	uint8_t names[MOST_TOMBSTONES * VLDAA_RECORD_NAME];
	vldaa_member_key *k;

	set_up(vldaa_set_at((size_t)_i));
	a = world_attestation(&w, att);
	sealed = world_order(&w, a, VLDAA_REVOKE_SOFT, 1, &clear);
	confirmation = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_CONFIRMATION));
	ck_assert_int_eq(vldaa_tpm_obey(c.tpm, sealed.data, sealed.len, confirmation.data,
					confirmation.len, &confirmation.len),
			 VLDAA_OK);
	p = car_parts(&c);
	/* Between others. */
	memset(names, 0, VLDAA_RECORD_NAME);
	for (size_t i = 0; i < c.store.count; i++) {
		if (c.store.rows[i].record == VLDAA_RECORD_TOMBSTONE)
			memcpy(names + VLDAA_RECORD_NAME, c.store.rows[i].name, VLDAA_RECORD_NAME);
	}
	memset(names + 2 * VLDAA_RECORD_NAME, 0xff, VLDAA_RECORD_NAME);
	p.tombstones = names;
	p.tombstone_count = 3;
	with = encode(&p);
	k = open_member(with);
	ck_assert_int_eq(try_create(k, "here", &made), VLDAA_ERR_TOMBSTONE);
	ck_assert_int_eq(try_pseudonym(k, att, &made), VLDAA_ERR_TOMBSTONE);
	ck_assert_int_eq(try_create(k, "elsewhere", &made), VLDAA_OK);
	buffer_free(&made);
	/* The object of before knows nothing of it. */
	ck_assert_int_eq(try_create(member, "here", &made), VLDAA_OK);
	buffer_free(&made);
	vldaa_member_key_free(k);
	buffer_free(&with);
	/* Each at its place, and once. */
	p.tombstone_count = 2;
	p.tombstones = names + VLDAA_RECORD_NAME;
	memcpy(names + 2 * VLDAA_RECORD_NAME, names + VLDAA_RECORD_NAME, VLDAA_RECORD_NAME);
	ck_assert_int_eq(try_encode(&p, &with), VLDAA_ERR_ENCODING);
	memset(names + 2 * VLDAA_RECORD_NAME, 0, VLDAA_RECORD_NAME);
	ck_assert_int_eq(try_encode(&p, &with), VLDAA_ERR_ENCODING);
	p.tombstone_count = VLDAA_MEMBER_TOMBSTONES + 1;
	ck_assert_int_eq(try_encode(&p, &with), VLDAA_ERR_ARGUMENT);
	buffer_free(&clear);
	buffer_free(&sealed);
	buffer_free(&confirmation);
	vldaa_attestation_free(a);
	tear_down();
}
END_TEST

START_TEST(creates_are_counted_from_where_the_tpm_was)
{
	const vldaa_set *set = vldaa_set_at((size_t)_i);
	const uint32_t most = set->scheme->creates(set);
	vldaa_member_parts p;
	buffer with, made;
	vldaa_member_key *k;

	set_up(set);
	p = car_parts(&c);
	p.creates = most + 1;
	ck_assert_int_eq(try_encode(&p, &with), VLDAA_ERR_RANGE);
	if (most > 0) {
		p.creates = most - 1;
		with = encode(&p);
		k = open_member(with);
		ck_assert_int_eq(try_create(k, "one", &made), VLDAA_OK);
		buffer_free(&made);
		ck_assert_int_eq(try_create(k, "two", &made), VLDAA_ERR_EXHAUSTED);
		vldaa_member_key_free(k);
		buffer_free(&with);
	}
	tear_down();
}
END_TEST

START_TEST(parts_of_two_members_are_no_member)
{
	vldaa_member_parts p, q;
	buffer mixed, made, foreign;
	world far;
	car stranger;

	set_up(vldaa_set_at((size_t)_i));
	p = car_parts(&c);
	q = car_parts(&other);
	p.credential = q.credential;
	p.credential_len = q.credential_len;
	mixed = encode(&p);
	ck_assert_int_eq(try_open(mixed), VLDAA_ERR_CREDENTIAL);
	buffer_free(&mixed);
	p = car_parts(&c);
	p.tpm_key = q.tpm_key;
	p.tpm_key_len = q.tpm_key_len;
	mixed = encode(&p);
	ck_assert_int_eq(try_open(mixed), VLDAA_ERR_CREDENTIAL);
	buffer_free(&mixed);
	/* One member's attestation is not another's pseudonym. */
	foreign = car_create(&other, "here");
	ck_assert_int_eq(try_pseudonym(member, foreign, &made), VLDAA_ERR_KEY);
	buffer_free(&foreign);
	/* Nor is anything of another group. */
	world_init(&far, w.set, 7);
	car_init(&stranger, &far, 8);
	car_join(&stranger);
	foreign = car_create(&stranger, "here");
	ck_assert_int_eq(try_pseudonym(member, foreign, &made), VLDAA_ERR_WRONG_ISSUER);
	buffer_free(&foreign);
	q = car_parts(&stranger);
	p = car_parts(&c);
	p.credential = q.credential;
	p.credential_len = q.credential_len;
	mixed = encode(&p);
	ck_assert_int_eq(try_open(mixed), VLDAA_ERR_WRONG_ISSUER);
	buffer_free(&mixed);
	car_free(&stranger);
	world_free(&far);
	tear_down();
}
END_TEST

START_TEST(the_default_basename_is_in_the_object_for_whoever_asks)
{
	const size_t at = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES;
	vldaa_member_parts p;
	vldaa_object_info info;
	buffer with, out;
	const uint8_t *group;
	size_t len;

	set_up(vldaa_set_at((size_t)_i));
	ck_assert_int_eq(vldaa_object_inspect(&info, object.data, object.len), VLDAA_OK);
	ck_assert_uint_eq(info.basename_len, 0);
	p = car_parts(&c);
	p.default_basename = "Epoch:3600";
	p.default_basename_len = strlen("epoch:3600");
	with = encode(&p);
	ck_assert_uint_eq(with.len, object.len + strlen("epoch:3600"));
	ck_assert_int_eq(vldaa_object_inspect(&info, with.data, with.len), VLDAA_OK);
	ck_assert_uint_eq(info.basename_len, strlen("epoch:3600"));
	ck_assert_mem_eq(info.basename, "epoch:3600", strlen("epoch:3600"));
	ck_assert_int_eq(vldaa_object_public(&group, &len, with.data, with.len), VLDAA_OK);
	ck_assert_uint_eq(len, w.group_key.len);
	ck_assert_mem_eq(group, w.group_key.data, len);
	ck_assert_int_eq(try_open(with), VLDAA_OK);
	/* What is no default is in no object, nor another spelling. */
	with.data[at + 1] = 'E';
	ck_assert_int_eq(try_open(with), VLDAA_ERR_ENCODING);
	with.data[at + 1] = 'e';
	with.data[at + 1 + strlen("epoch:")] = '0';
	ck_assert_int_eq(try_open(with), VLDAA_ERR_ENCODING);
	ck_assert_int_eq(vldaa_object_inspect(&info, with.data, with.len), VLDAA_ERR_ENCODING);
	ck_assert_int_eq(vldaa_object_public(&group, &len, with.data, with.len),
			 VLDAA_ERR_ENCODING);
	buffer_free(&with);
	p.default_basename = "epoch:0";
	p.default_basename_len = strlen("epoch:0");
	ck_assert_int_eq(try_encode(&p, &out), VLDAA_ERR_BASENAME);
	p.default_basename = NULL;
	ck_assert_int_eq(try_encode(&p, &out), VLDAA_ERR_ARGUMENT);
	tear_down();
}
END_TEST

START_TEST(a_member_that_has_not_joined_is_refused)
{
	vldaa_member_parts p;
	buffer out;
	car fresh;

	set_up(vldaa_set_at((size_t)_i));
	car_init(&fresh, &w, 9);
	p = car_parts(&c);
	p.tpm_key = car_parts(&fresh).tpm_key;
	p.tpm_key_len = car_parts(&fresh).tpm_key_len;
	ck_assert_int_eq(try_encode(&p, &out), VLDAA_ERR_NO_CREDENTIAL);
	car_free(&fresh);
	tear_down();
}
END_TEST

/* --- strict decoding ---------------------------------------------------------------------------
 */

enum { ROW_BYTES = 96 }; /* of s2: 3 bits a coefficient */

/* Rows of s2 that the attestation does not prove. */
static size_t free_rows(void)
{
	return strcmp(vldaa_set_name(w.set), "VLDAA2-87") == 0 ? 8 - 2 : 4 - 1;
}

/* Bytes that nothing ties to the rest: [from, to). */
typedef struct {
	size_t from[4], to[4];
	size_t count;
	size_t accepted;
} loose;

static void leave(loose *l, size_t from, size_t len)
{
	l->from[l->count] = from;
	l->to[l->count++] = from + len;
}

static int is_loose(const loose *l, size_t at)
{
	for (size_t i = 0; i < l->count; i++) {
		if (at >= l->from[i] && at < l->to[i])
			return 1;
	}
	return 0;
}

static void try_member(void *ctx, const uint8_t *in, size_t len, damage d)
{
	loose *l = ctx;
	const int err = try_open((buffer){(uint8_t *)(uintptr_t)in, len});

	if (!d.cut && !d.longer && is_loose(l, d.at)) {
		l->accepted += err == VLDAA_OK;
		ck_assert(err == VLDAA_OK || is_refusal(err));
		return;
	}
	ck_assert_msg(is_refusal(err) || err == VLDAA_ERR_NO_CREDENTIAL, "%s at %zu",
		      vldaa_error_name(err), d.at);
}

START_TEST(a_damaged_member_is_refused)
{
	const size_t head = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES + 1 + 4;
	loose l = {.count = 0};
	size_t secret;
	size_t tail;
	vldaa_member_parts p;

	set_up(vldaa_set_at((size_t)_i));
	p = car_parts(&c);
	secret = head + VLDAA_OBJECT_HEADER + 4 + w.group_key.len +
		 w.set->scheme->size(w.set, VLDAA_PART_TPM_SECRET);
	/* K_T; the fleet's key and the revocation authority's; how many Creates there were. */
	leave(&l, secret - 32, 32);
	leave(&l, secret + 1, 32);
	leave(&l, secret + 1 + 32 + 4, w.revocation.spki.len);
	tail = head + p.tpm_key_len + 4 + p.host_key_len + 4 + p.credential_len;
	leave(&l, tail, 4);
	try_all_damage(object, LITTLE, try_member, &l);
	tear_down();
}
END_TEST

static void try_pseudonym_object(void *ctx, const uint8_t *in, size_t len, damage d)
{
	loose *l = ctx;
	vldaa_pseudonym_key *k = NULL;
	const int err = vldaa_pseudonym_key_new(&k, in, len);

	vldaa_pseudonym_key_free(k);
	if (!d.cut && !d.longer && is_loose(l, d.at)) {
		l->accepted += err == VLDAA_OK;
		return;
	}
	ck_assert_msg(is_refusal(err), "%s at %zu", vldaa_error_name(err), d.at);
}

START_TEST(a_damaged_pseudonym_is_refused)
{
	const size_t head = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES;
	const vldaa_set *set = vldaa_set_at((size_t)_i);
	loose l = {.count = 0};
	buffer pseudonym;
	size_t proof;

	set_up(set);
	ck_assert_int_eq(try_pseudonym(member, att, &pseudonym), VLDAA_OK);
	/* The attestation's proof, which is not verified here; K of the ML-DSA key, and the rows of
	 * s2 of which only t's high bits are published: a small change makes another key of the
	 * same public key. */
	proof = head + 4 + head + 1 + 4 + set->scheme->size(set, VLDAA_PART_NYM);
	leave(&l, proof, head + 4 + att.len - proof);
	if (vldaa_set_bare_size(set) > 0) {
		leave(&l, head + 4 + att.len, 32);
		leave(&l, pseudonym.len - free_rows() * ROW_BYTES, free_rows() * ROW_BYTES);
	}
	try_all_damage(pseudonym, LITTLE, try_pseudonym_object, &l);
	ck_assert_uint_gt(l.accepted, 0);
	buffer_free(&pseudonym);
	tear_down();
}
END_TEST

/* Coefficient i of packed vectors: 2 - x in 3 bits, as skEncode of FIPS 204 has it. */
static void put_coefficient(uint8_t *packed, size_t i, int x)
{
	for (size_t bit = 0; bit < 3; bit++) {
		const size_t at = 3 * i + bit;
		const unsigned mask = 1u << at % 8;
		const unsigned old = packed[at / 8] & ~mask;

		packed[at / 8] = (uint8_t)(old | ((unsigned)(2 - x) >> bit & 1 ? mask : 0));
	}
}

/* Rows that the attestation does not prove can be exchanged, as long as t's high bits stay: here for
 * longer and longer ones. */
START_TEST(a_pseudonym_with_a_long_error_is_refused)
{
	uint8_t row[ROW_BYTES];
	buffer object_of_nym;
	uint8_t *last;
	int err = VLDAA_OK;

	set_up(vldaa_set_at((size_t)_i));
	ck_assert_int_eq(try_pseudonym(member, att, &object_of_nym), VLDAA_OK);
	for (size_t i = 0; i < free_rows() * 256 && err != VLDAA_ERR_NORM; i++) {
		vldaa_pseudonym_key *k = NULL;

		last = object_of_nym.data + object_of_nym.len - (i / 256 + 1) * ROW_BYTES;
		memcpy(row, last, sizeof row);
		put_coefficient(last, i % 256, 2);
		err = vldaa_pseudonym_key_new(&k, object_of_nym.data, object_of_nym.len);
		ck_assert(err == VLDAA_OK || err == VLDAA_ERR_KEY || err == VLDAA_ERR_NORM);
		if (err == VLDAA_ERR_KEY)
			memcpy(last, row, sizeof row);
		vldaa_pseudonym_key_free(k);
	}
	ck_assert_int_eq(err, VLDAA_ERR_NORM);
	buffer_free(&object_of_nym);
	tear_down();
}
END_TEST

START_TEST(the_objects_are_told_without_a_key)
{
	vldaa_object_info info;
	const uint8_t *found;
	size_t len;
	buffer pseudonym;

	set_up(vldaa_set_at((size_t)_i));
	ck_assert_int_eq(vldaa_object_inspect(&info, object.data, object.len), VLDAA_OK);
	ck_assert_int_eq(info.kind, VLDAA_KIND_MEMBER);
	ck_assert_int_eq(vldaa_object_public(&found, &len, object.data, object.len), VLDAA_OK);
	ck_assert_uint_eq(len, w.group_key.len);
	ck_assert_mem_eq(found, w.group_key.data, len);
	/* the kind of what should be a TPM_KEY: behind header, key id, length and "VLDA" */
	object.data[10 + 32 + 4 + 4] ^= 1;
	ck_assert_int_eq(vldaa_object_public(&found, &len, object.data, object.len),
			 VLDAA_ERR_ENCODING);
	ck_assert_ptr_null(found);
	ck_assert_mem_eq(info.key_id, vldaa_member_key_id(member), VLDAA_KEY_ID_BYTES);
	ck_assert_int_eq(try_pseudonym(member, att, &pseudonym), VLDAA_OK);
	ck_assert_int_eq(vldaa_object_inspect(&info, pseudonym.data, pseudonym.len), VLDAA_OK);
	ck_assert_int_eq(info.kind, VLDAA_KIND_PSEUDONYM);
	ck_assert_uint_eq(info.basename_len, 4);
	ck_assert_int_eq(info.has_digest, 1);
	ck_assert_int_eq(vldaa_object_public(&found, &len, pseudonym.data, pseudonym.len),
			 VLDAA_OK);
	ck_assert_uint_eq(len, att.len);
	ck_assert_mem_eq(found, att.data, len);
	buffer_free(&pseudonym);
	tear_down();
}
END_TEST

START_TEST(missing_pointers_are_refused)
{
	const vldaa_member_parts none = {0};
	vldaa_member_parts p;
	vldaa_pseudonym_key *k = NULL;
	vldaa_signing *s = NULL, *copy = NULL;
	vldaa_member_key *m = NULL;
	uint8_t out[64];
	buffer pseudonym;
	size_t len = 1;

	set_up(vldaa_set_by_name("VLDAA-42"));
	p = car_parts(&c);
	ck_assert_int_eq(vldaa_member_key_encode(NULL, out, sizeof out, &len), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_member_key_encode(&none, out, sizeof out, &len), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_member_key_encode(&p, NULL, 0, &len), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_member_key_encode(&p, out, sizeof out, NULL), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_member_key_encode(&p, out, sizeof out, &len), VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, object.len);
	ck_assert_int_eq(vldaa_member_key_new(NULL, object.data, object.len), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_member_key_new(&m, NULL, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(
	    vldaa_member_key_create(NULL, (const uint8_t *)"x", 1, out, sizeof out, &len),
	    VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_member_key_create(member, (const uint8_t *)"x", 1, NULL, 0, &len),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(
	    vldaa_member_key_create(member, (const uint8_t *)"x", 1, out, sizeof out, &len),
	    VLDAA_ERR_BUFFER);
	ck_assert_int_eq(try_create(member, "", &pseudonym), VLDAA_ERR_BASENAME);
	ck_assert_int_eq(vldaa_member_key_pseudonym(NULL, att.data, att.len, out, sizeof out, &len),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_member_key_pseudonym(member, NULL, att.len, out, sizeof out, &len),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_pseudonym_key_new(NULL, out, sizeof out), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_pseudonym_key_new(&k, NULL, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(try_pseudonym(member, att, &pseudonym), VLDAA_OK);
	k = open_pseudonym(pseudonym);
	ck_assert_int_eq(vldaa_signing_new(NULL, k, VLDAA_FORM_COMPACT), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_signing_new(&s, NULL, VLDAA_FORM_COMPACT), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_signing_new(&s, k, (enum vldaa_form)3), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_signing_new(&s, k, VLDAA_FORM_BARE), VLDAA_ERR_FORM);
	ck_assert_int_eq(vldaa_signing_new(&s, k, VLDAA_FORM_COMPACT), VLDAA_OK);
	ck_assert_int_eq(vldaa_signing_update(NULL, out, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_signing_update(s, NULL, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_signing_end(NULL, out, sizeof out, &len), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_signing_end(s, NULL, 0, &len), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_signing_end(s, out, sizeof out, NULL), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_signing_copy(NULL, s), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_signing_copy(&copy, NULL), VLDAA_ERR_ARGUMENT);
	ck_assert_ptr_null(vldaa_member_key_set(NULL));
	ck_assert_ptr_null(vldaa_member_key_id(NULL));
	ck_assert_ptr_null(vldaa_member_key_group(NULL, &len));
	ck_assert_uint_eq(len, 0);
	ck_assert_ptr_null(vldaa_pseudonym_key_set(NULL));
	ck_assert_ptr_null(vldaa_pseudonym_key_info(NULL));
	ck_assert_ptr_null(vldaa_pseudonym_key_attestation(NULL, &len));
	vldaa_signing_free(NULL);
	vldaa_signing_free(s);
	vldaa_pseudonym_key_free(NULL);
	vldaa_pseudonym_key_free(k);
	vldaa_member_key_free(NULL);
	buffer_free(&pseudonym);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("members in software");
	TCase *tc = tcase_create("member and pseudonym keys");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_member_object_makes_the_members_pseudonyms, 0, sets);
	tcase_add_loop_test(tc, a_pseudonym_signs_under_its_attestation_in_every_form, 0, sets);
	tcase_add_loop_test(tc, no_two_signatures_are_alike_and_copies_go_their_own_way, 0, sets);
	tcase_add_loop_test(tc, what_was_revoked_before_stays_revoked, 0, sets);
	tcase_add_loop_test(tc, creates_are_counted_from_where_the_tpm_was, 0, sets);
	tcase_add_loop_test(tc, parts_of_two_members_are_no_member, 0, sets);
	tcase_add_loop_test(tc, the_default_basename_is_in_the_object_for_whoever_asks, 0, sets);
	tcase_add_loop_test(tc, a_member_that_has_not_joined_is_refused, 0, sets);
	tcase_add_loop_test(tc, a_damaged_member_is_refused, 0, sets);
	tcase_add_loop_test(tc, a_damaged_pseudonym_is_refused, 0, sets);
	/* VLDAA2-44 and VLDAA2-87 are the first two. */
	tcase_add_loop_test(tc, a_pseudonym_with_a_long_error_is_refused, 0, 2);
	tcase_add_loop_test(tc, the_objects_are_told_without_a_key, 0, sets);
	tcase_add_test(tc, missing_pointers_are_refused);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
