/*
 * Promises, for every kind of object and every function that reads one: truncated anywhere,
 * extended, with another header or with a bit flipped it is refused with a named error that fits;
 * outputs are zero then, no context is given out, the TPM's store is what it was; and afterwards
 * the honest object still does its work.  Where a flipped bit makes another well-formed object
 * (another nonce, another group's key), that is said here, and what refuses it later.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "bad_objects.h"
#include "role/verifier_state.h"

/* The whole output, spoilt, before a call. */
static uint8_t *spoilt(void)
{
	memset(t.out, 0xaa, t.out_cap);
	return t.out;
}

/* What is at this byte of an object that begins with header and key id. */
static void check_error(int err, damage d, const uint8_t *in, enum vldaa_kind kind)
{
	int expected = err;

	ck_assert_msg(is_refusal(err), "kind %d at %zu: %s", kind, d.at, vldaa_error_name(err));
	if (d.cut)
		expected = VLDAA_ERR_TRUNCATED;
	else if (d.longer)
		expected = VLDAA_ERR_TRAILING;
	else if (d.at < 5)
		expected = VLDAA_ERR_KIND;
	else if (d.at == 5)
		expected = VLDAA_ERR_VERSION;
	else if (d.at < VLDAA_OBJECT_HEADER &&
		 !vldaa_set_by_id((uint32_t)in[6] << 24 | (uint32_t)in[7] << 16 |
				  (uint32_t)in[8] << 8 | in[9]))
		expected = VLDAA_ERR_WRONG_SET;
	ck_assert_msg(err == expected, "kind %d at %zu: %s, not %s", kind, d.at,
		      vldaa_error_name(err), vldaa_error_name(expected));
}

/* The same for functions whose group is known: another set's, another group's object. */
static void check_group_error(int err, damage d, const uint8_t *in, enum vldaa_kind kind)
{
	check_error(err, d, in, kind);
	if (d.cut || d.longer || d.at < 6 || d.at >= HEAD)
		return;
	/* An object that is too long for the set that it names is just that. */
	if (d.at < VLDAA_OBJECT_HEADER && err == VLDAA_ERR_TRAILING)
		return;
	ck_assert_int_eq(err,
			 d.at < VLDAA_OBJECT_HEADER ? VLDAA_ERR_WRONG_SET : VLDAA_ERR_WRONG_ISSUER);
}

static void check_no_output(int err, size_t len)
{
	ck_assert_int_ne(err, VLDAA_OK);
	ck_assert_uint_eq(len, 0);
	ck_assert(all_zero(t.out, t.out_cap));
}

/*
 * In the larger published sets responses and credentials are longer than q.  A flipped bit that
 * changes one by a multiple of q (a sign, once in q / 2 times) leaves another one that is as good:
 * that is these sets' lack of strong unforgeability, not the decoder's.  In no other set does
 * anything pass.
 */
static int may_pass(damage d)
{
	const char *set = vldaa_set_name(t.w.set);

	return (strcmp(set, "VLDAA-128") == 0 || strcmp(set, "VLDAA-256") == 0) && !d.cut &&
	       !d.longer && d.at > HEAD + 32;
}

/* In a one-shot set: a key of no bytes, nothing to add to Join and Create. */
static int host_has_no_part(void)
{
	return vldaa_object_max_size(t.w.set, VLDAA_KIND_HOST_KEY) == HEAD;
}

/* All of a store but how many pseudonyms were shown. */
static store_state but_the_count(const memory_store *s)
{
	memory_store rest = *s;

	for (size_t i = 0; i < rest.count; i++) {
		if (rest.rows[i].record == VLDAA_RECORD_CREATES)
			rest.rows[i] = rest.rows[--rest.count];
	}
	return store_now(&rest);
}

/* --- the functions that read an object, one attempt each ---------------------------------------
 */

static void try_group_key(void *ctx, const uint8_t *in, size_t len, damage d)
{
	const store_state before = store_now(&t.c.store);
	vldaa_host *h = (vldaa_host *)1;
	vldaa_verifier *v = (vldaa_verifier *)1;
	int err = vldaa_host_new(&h, in, len);

	(void)ctx;
	ck_assert_int_eq(vldaa_verifier_new(&v, in, len), err);
	if (err) {
		check_error(err, d, in, VLDAA_KIND_GROUP_KEY);
		ck_assert_ptr_null(h);
		ck_assert_ptr_null(v);
	} else {
		/* Another seed, another B: another group. */
		ck_assert_uint_ge(d.at, VLDAA_OBJECT_HEADER);
		ck_assert_mem_ne(vldaa_host_key_id(h), vldaa_host_key_id(t.c.host),
				 VLDAA_KEY_ID_BYTES);
		ck_assert_mem_eq(vldaa_host_key_id(h), vldaa_verifier_key_id(v),
				 VLDAA_KEY_ID_BYTES);
	}
	vldaa_host_free(h);
	vldaa_verifier_free(v);
	err = vldaa_tpm_keygen(t.c.tpm, in, len);
	if (err) {
		check_error(err, d, in, VLDAA_KIND_GROUP_KEY);
	} else {
		/* The TPM reads B when it needs it; here the member of that group goes away. */
		ck_assert_uint_ge(d.at, VLDAA_OBJECT_HEADER);
		free(t.c.store.rows[--t.c.store.count].value);
	}
	ck_assert(store_same(&t.c.store, before));
}

static void try_issuer_key(void *ctx, const uint8_t *in, size_t len, damage d)
{
	vldaa_issuer *is = (vldaa_issuer *)1;
	int err = vldaa_issuer_new(&is, in, len);
	size_t group_len;

	(void)ctx;
	if (!err) {
		const uint8_t *group = vldaa_issuer_group_key(is, &group_len);
		const size_t seed = 2 * VLDAA_OBJECT_HEADER + 4 + VLDAA_DIGEST_BYTES;

		ck_assert_uint_eq(group_len, t.w.group_key.len);
		/* A one-shot set's seed has no trapdoor: another seed is another group, whose id no
		 * register knows. */
		if (host_has_no_part() && d.at >= seed && d.at < seed + 32) {
			ck_assert_mem_ne(vldaa_issuer_key_id(is), vldaa_host_key_id(t.c.host),
					 VLDAA_KEY_ID_BYTES);
			vldaa_issuer_free(is);
			return;
		}
		/* PKCS#8 has bits that say nothing (its version, say): still the same keys. */
		ck_assert_mem_eq(group, t.w.group_key.data, group_len);
		ck_assert_uint_gt(d.at, len - t.w.authority.pkcs8.len);
		vldaa_issuer_free(is);
		return;
	}
	ck_assert_ptr_null(is);
	check_error(err, d, in, VLDAA_KIND_ISSUER_KEY);
}

static void try_host_key(void *ctx, const uint8_t *in, size_t len, damage d)
{
	int err = vldaa_host_load(t.scratch_host, in, len, NULL, 0);

	(void)ctx;
	if (!err) /* another key; a credential made for e_H does not fit it */
		ck_assert_uint_ge(d.at, HEAD);
	else
		check_group_error(err, d, in, VLDAA_KIND_HOST_KEY);
}

static void try_nonce(void *ctx, const uint8_t *in, size_t len, damage d)
{
	size_t out_len = 1;
	int err = vldaa_host_join(t.c.host, in, len, spoilt(), t.out_cap, &out_len);

	(void)ctx;
	if (!err) { /* another nonce, which the issuer's register does not know */
		ck_assert_uint_ge(d.at, HEAD);
		return;
	}
	check_group_error(err, d, in, VLDAA_KIND_NONCE);
	check_no_output(err, out_len);
}

int check_request(const uint8_t *in, size_t len)
{
	vldaa_request_info info;
	int err = vldaa_issuer_check(t.w.issuer, in, len, t.w.roots_pem.data, t.w.roots_pem.len,
				     t.w.now, &info);

	if (err) {
		info.reason = NULL;
		ck_assert(all_zero(&info, sizeof info));
	}
	return err;
}

static void try_join_call(void *ctx, const uint8_t *in, size_t len, damage d)
{
	const store_state before = store_now(&t.c.store);
	memory_store kept = store_copy(&t.c.store);
	size_t out_len = 1;
	int err = vldaa_tpm_request(t.c.tpm, in, len, spoilt(), t.out_cap, &out_len);

	(void)ctx;
	if (!err) {
		/* the request that waits is the honest one again */
		store_clear(&t.c.store);
		t.c.store = kept;
		ck_assert_uint_ge(d.at, HEAD);
		if (host_has_no_part()) {
			/* A request for another nonce, which the issuer's register does not know. */
			ck_assert_uint_lt(d.at, HEAD + VLDAA_NONCE_BYTES);
			ck_assert_int_eq(check_request(t.out, out_len), VLDAA_OK);
			ck_assert_mem_eq(t.out + HEAD, in + HEAD, VLDAA_NONCE_BYTES);
			ck_assert_mem_ne(in + HEAD, object(VLDAA_KIND_NONCE)->data + HEAD,
					 VLDAA_NONCE_BYTES);
			return;
		}
		/* The TPM does not check the host's proof: the issuer does. */
		ck_assert(is_refusal(check_request(t.out, out_len)));
		return;
	}
	store_clear(&kept);
	if (d.at >= VLDAA_OBJECT_HEADER && d.at < HEAD && !d.cut)
		ck_assert_int_eq(err, VLDAA_ERR_NO_KEY); /* a group that it has no key for */
	else
		check_error(err, d, in, VLDAA_KIND_JOIN_CALL);
	check_no_output(err, out_len);
	ck_assert(store_same(&t.c.store, before));
}

static void try_request(void *ctx, const uint8_t *in, size_t len, damage d)
{
	uint8_t digest[VLDAA_DIGEST_BYTES];
	uint8_t tag[VLDAA_MAX_TAG_BYTES];
	const vldaa_group_services services = {t.w.revocation.spki.data, t.w.revocation.spki.len,
					       t.w.fleet_key};
	size_t tag_len = 1, out_len = 1;
	int err = check_request(in, len);

	(void)ctx;
	check_group_error(err, d, in, VLDAA_KIND_JOIN_REQUEST);
	memset(digest, 0xaa, sizeof digest);
	err = vldaa_issuer_request_digest(t.w.issuer, in, len, digest);
	if (err) {
		check_group_error(err, d, in, VLDAA_KIND_JOIN_REQUEST);
		ck_assert(all_zero(digest, sizeof digest));
	}
	/* A refused request is answered by nothing. */
	memset(tag, 0xaa, sizeof tag);
	err = vldaa_issuer_answer(t.w.issuer, &services, tag, &tag_len, spoilt(), t.out_cap,
				  &out_len);
	ck_assert_int_eq(err, VLDAA_ERR_STATE);
	check_no_output(err, out_len);
	ck_assert(all_zero(tag, sizeof tag) && tag_len == 0);
}

static void try_answer(void *ctx, const uint8_t *in, size_t len, damage d)
{
	const store_state before = store_now(&t.c.store);
	size_t out_len = 1;
	int err = vldaa_tpm_accept(t.c.tpm, in, len, spoilt(), t.out_cap, &out_len);

	(void)ctx;
	check_error(err, d, in, VLDAA_KIND_JOIN_ANSWER);
	check_no_output(err, out_len);
	ck_assert(store_same(&t.c.store, before));
	if (d.cut || d.longer || d.at < VLDAA_OBJECT_HEADER)
		return;
	if (d.at < HEAD + VLDAA_DIGEST_BYTES) /* not for this member, or not for its request */
		ck_assert_int_eq(err, VLDAA_ERR_CREDENTIAL);
	else if (d.at >= HEAD + VLDAA_DIGEST_BYTES + 4)
		ck_assert_int_eq(err, VLDAA_ERR_UNSEAL);
}

static void try_credential(void *ctx, const uint8_t *in, size_t len, damage d)
{
	uint8_t tpm_public[4096];
	size_t tpm_public_len;
	int err;

	(void)ctx;
	ck_assert_int_eq(vldaa_tpm_public_key(t.c.tpm, vldaa_host_key_id(t.c.host), tpm_public,
					      sizeof tpm_public, &tpm_public_len),
			 VLDAA_OK);
	err = vldaa_host_accept(t.c.host, in, len, tpm_public, tpm_public_len);
	if (err || !may_pass(d))
		check_group_error(err, d, in, VLDAA_KIND_CREDENTIAL);
	/* load cannot check equation (1): it has no u_T.  Create's own Verify does it. */
	err = vldaa_host_load(t.scratch_host, t.c.host_key.data, t.c.host_key.len, in, len);
	if (!err)
		ck_assert_uint_ge(d.at, HEAD);
	else
		check_group_error(err, d, in, VLDAA_KIND_CREDENTIAL);
}

static void try_create_call(void *ctx, const uint8_t *in, size_t len, damage d)
{
	const store_state before = store_now(&t.c.store), rest = but_the_count(&t.c.store);
	size_t out_len = 1;
	int err = vldaa_tpm_create(t.c.tpm, in, len, spoilt(), t.out_cap, &out_len);

	(void)ctx;
	if (!err) {
		/* Another basename, other commitments: the host's Verify refuses what comes of it.
		 */
		ck_assert_uint_ge(d.at, HEAD);
		ck_assert(!memcmp(but_the_count(&t.c.store).digest, rest.digest, sizeof rest));
		return;
	}
	ck_assert(store_same(&t.c.store, before));
	if (d.at >= VLDAA_OBJECT_HEADER && d.at < HEAD && !d.cut)
		ck_assert_int_eq(err, VLDAA_ERR_NO_KEY);
	else
		check_error(err, d, in, VLDAA_KIND_CREATE_CALL);
	check_no_output(err, out_len);
}

/* The first call of a Create whose randomness is always the same. */
size_t begin_create(uint8_t *call, size_t cap)
{
	size_t len;

	t.c.random.counter = t.create_counter;
	ck_assert_int_eq(
	    vldaa_host_create_begin(t.c.host, (const uint8_t *)"one", 3, call, cap, &len),
	    VLDAA_OK);
	return len;
}

static void try_create_reply(void *ctx, const uint8_t *in, size_t len, damage d)
{
	size_t out_len = 1;
	int done = 1;
	int err;

	(void)ctx;
	(void)begin_create(t.out, t.out_cap);
	err = vldaa_host_create_step(t.c.host, in, len, spoilt(), t.out_cap, &out_len, &done);
	ck_assert_int_eq(done, 0);
	if (!err) { /* a challenge for which the host rejects its own response */
		ck_assert_uint_ge(d.at, HEAD);
		return;
	}
	check_group_error(err, d, in, VLDAA_KIND_CREATE_REPLY);
	check_no_output(err, out_len);
	/* Not even the right reply is answered under the same masks. */
	ck_assert_int_eq(vldaa_host_create_step(t.c.host, object(VLDAA_KIND_CREATE_REPLY)->data,
						object(VLDAA_KIND_CREATE_REPLY)->len, spoilt(),
						t.out_cap, &out_len, &done),
			 VLDAA_ERR_STATE);
}

static void try_attestation(void *ctx, const uint8_t *in, size_t len, damage d)
{
	vldaa_attestation *a = (vldaa_attestation *)1;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	size_t out_len = 1;
	int err = vldaa_attestation_new(&a, t.w.verifier, in, len);

	(void)ctx;
	if (err || !may_pass(d)) {
		check_group_error(err, d, in, VLDAA_KIND_ATTESTATION);
		ck_assert_ptr_null(a);
	}
	vldaa_attestation_free(err ? NULL : a);
	memset(digest, 0xaa, sizeof digest);
	err = vldaa_attestation_digest_of(in, len, digest);
	if (err) {
		ck_assert(is_refusal(err));
		ck_assert(all_zero(digest, sizeof digest));
	} else {
		ck_assert_mem_ne(digest, vldaa_attestation_digest(t.a), sizeof digest);
	}
	err = vldaa_host_signature(t.c.host, VLDAA_FORM_COMPACT, in, len, t.bare, t.bare_len,
				   spoilt(), t.out_cap, &out_len);
	if (err) {
		ck_assert(is_refusal(err));
		check_no_output(err, out_len);
	}
}

static int verify(const uint8_t *in, size_t len, const vldaa_attestation *known)
{
	vldaa_verification *v = (vldaa_verification *)1;
	int err = vldaa_verification_new(&v, t.w.verifier, in, len, known, NULL, 0);

	if (err) {
		ck_assert_ptr_null(v);
		return err;
	}
	ck_assert_int_eq(vldaa_verification_update(v, message, sizeof message), VLDAA_OK);
	err = vldaa_verification_end(v);
	vldaa_verification_free(v);
	return err;
}

static void try_signature(void *ctx, const uint8_t *in, size_t len, damage d)
{
	int err = verify(in, len, NULL);

	(void)ctx;
	if (d.at == 4 && !d.cut) { /* also as another kind of signature */
		ck_assert(is_refusal(err));
		return;
	}
	if (!err && may_pass(d))
		return;
	check_group_error(err, d, in, VLDAA_KIND_SIGNATURE);
	/* An attestation that is at hand serves only for its own bytes. */
	if (err != VLDAA_ERR_TRAILING)
		ck_assert_int_ne(verify(in, len, t.a), VLDAA_OK);
}

static void try_compact(void *ctx, const uint8_t *in, size_t len, damage d)
{
	int err = verify(in, len, t.a);

	(void)ctx;
	if (!err && may_pass(d))
		return;
	if (d.at == 4 && !d.cut)
		ck_assert(is_refusal(err));
	else
		check_group_error(err, d, in, VLDAA_KIND_COMPACT);
	if (!d.cut && !d.longer && d.at >= HEAD && d.at < HEAD + VLDAA_DIGEST_BYTES)
		ck_assert_int_eq(err, VLDAA_ERR_ATTESTATION);
}

int check_confirmation(const buffer *order, const buffer *confirmation, const buffer *token)
{
	return vldaa_confirmation_check(t.w.verifier, order->data, order->len, confirmation->data,
					confirmation->len, token->data, token->len);
}

static void try_token(void *ctx, const uint8_t *in, size_t len, damage d)
{
	/* The interface takes no const buffer; nobody writes here. */
	buffer token = copy_of(in, len);
	int err =
	    check_confirmation(object(VLDAA_KIND_ORDER), object(VLDAA_KIND_CONFIRMATION), &token);

	(void)ctx;
	if (err || !may_pass(d))
		check_group_error(err, d, in, VLDAA_KIND_TOKEN);
	buffer_free(&token);
}

static void try_confirmation(void *ctx, const uint8_t *in, size_t len, damage d)
{
	buffer confirmation = copy_of(in, len);
	int err =
	    check_confirmation(object(VLDAA_KIND_ORDER), &confirmation, object(VLDAA_KIND_TOKEN));

	(void)ctx;
	if (err || !may_pass(d))
		check_group_error(err, d, in, VLDAA_KIND_CONFIRMATION);
	if (!d.cut && !d.longer && d.at >= HEAD && d.at < HEAD + VLDAA_DIGEST_BYTES)
		ck_assert_int_eq(err, VLDAA_ERR_CONFIRMATION);
	buffer_free(&confirmation);
}

static void try_order(void *ctx, const uint8_t *in, size_t len, damage d)
{
	vldaa_order_terms terms;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	uint8_t original[VLDAA_DIGEST_BYTES];
	const uint8_t *const orders[] = {in};
	buffer order = copy_of(in, len);
	size_t out_len = 1;
	int err;

	(void)ctx;
	ck_assert_int_eq(vldaa_order_read(object(VLDAA_KIND_ORDER)->data,
					  object(VLDAA_KIND_ORDER)->len, &terms, original),
			 VLDAA_OK);
	memset(&terms, 0xaa, sizeof terms);
	memset(digest, 0xaa, sizeof digest);
	err = vldaa_order_read(in, len, &terms, digest);
	if (err) {
		check_error(err, d, in, VLDAA_KIND_ORDER);
		ck_assert(all_zero(&terms, sizeof terms) && all_zero(digest, sizeof digest));
	}
	/* An order of other terms is another order, which was not confirmed.  The authority's
	 * signature under it is for the members to check. */
	if (!err && memcmp(digest, original, sizeof digest) == 0)
		ck_assert_uint_gt(d.at, 100);
	else
		ck_assert_int_ne(check_confirmation(&order, object(VLDAA_KIND_CONFIRMATION),
						    object(VLDAA_KIND_TOKEN)),
				 VLDAA_OK);
	ck_assert_int_eq(vldaa_revoked_list(orders, &len, 1, spoilt(), t.out_cap, &out_len), err);
	if (err)
		check_no_output(err, out_len);
	buffer_free(&order);
}

static void try_sealed_order(void *ctx, const uint8_t *in, size_t len, damage d)
{
	const store_state before = store_now(&t.c.store);
	size_t out_len = 1;
	int err = vldaa_tpm_obey(t.c.tpm, in, len, spoilt(), t.out_cap, &out_len);

	(void)ctx;
	if (d.at >= VLDAA_OBJECT_HEADER && d.at < HEAD && !d.cut)
		ck_assert_int_eq(err, VLDAA_ERR_NO_KEY);
	else
		check_error(err, d, in, VLDAA_KIND_SEALED_ORDER);
	if (!d.cut && !d.longer && d.at >= HEAD + 4)
		ck_assert_int_eq(err, VLDAA_ERR_UNSEAL);
	check_no_output(err, out_len);
	ck_assert(store_same(&t.c.store, before));
}

static void try_list(const uint8_t *in, size_t len, damage d, enum vldaa_kind kind)
{
	uint8_t before[VLDAA_DIGEST_BYTES];
	int err;

	memcpy(before, t.scratch_verifier->lists_digest, sizeof before);
	err = vldaa_verifier_add_list(t.scratch_verifier, in, len);

	if (!err) { /* another entry, or with the other list's kind an entry of that */
		ck_assert(d.at == 4 || d.at >= HEAD + 4);
		return;
	}
	ck_assert_mem_eq(t.scratch_verifier->lists_digest, before, sizeof before);
	if (d.at == 4 && !d.cut)
		ck_assert(is_refusal(err));
	else
		check_group_error(err, d, in, kind);
}

static void try_revoked_list(void *ctx, const uint8_t *in, size_t len, damage d)
{
	(void)ctx;
	try_list(in, len, d, VLDAA_KIND_REVOKED_LIST);
}

static void try_rogue_list(void *ctx, const uint8_t *in, size_t len, damage d)
{
	const uint8_t *const inputs[] = {in};
	size_t out_len = 1;
	int err = vldaa_issuer_is_rogue(t.w.issuer, in, len);

	(void)ctx;
	try_list(in, len, d, VLDAA_KIND_ROGUE_LIST);
	if (err < 0)
		check_group_error(err, d, in, VLDAA_KIND_ROGUE_LIST);
	err = vldaa_rogue_list(inputs, &len, 1, spoilt(), t.out_cap, &out_len);
	if (err) {
		ck_assert(is_refusal(err));
		check_no_output(err, out_len);
	}
}

/* A TPM key reaches functions from the TPM's own store, and when it was extracted, rogue_list. */
static void try_tpm_key(void *ctx, const uint8_t *in, size_t len, damage d)
{
	const uint8_t *const inputs[] = {in};
	vldaa_tpm_status status;
	size_t out_len = 1, row = 0;
	uint8_t *kept;
	size_t kept_len;
	int err = vldaa_rogue_list(inputs, &len, 1, spoilt(), t.out_cap, &out_len);

	(void)ctx;
	if (err && d.at == 4 && !d.cut) /* also as a list */
		ck_assert(is_refusal(err));
	else if (err)
		check_error(err, d, in, VLDAA_KIND_TPM_KEY);
	if (err)
		check_no_output(err, out_len);
	while (t.c.store.rows[row].record != VLDAA_RECORD_MEMBER)
		row++;
	kept = t.c.store.rows[row].value;
	kept_len = t.c.store.rows[row].len;
	t.c.store.rows[row].value = copy_of(in, len).data;
	t.c.store.rows[row].len = len;
	memset(&status, 0xaa, sizeof status);
	err = vldaa_tpm_get_status(t.c.tpm, vldaa_host_key_id(t.c.host), &status);
	if (err) { /* a store that does not give back what it was given */
		ck_assert_int_eq(err, VLDAA_ERR_STORE);
		ck_assert(all_zero(&status, sizeof status));
	} else {
		ck_assert_uint_gt(d.at, VLDAA_OBJECT_HEADER + 4 + t.w.group_key.len - 1);
	}
	free(t.c.store.rows[row].value);
	t.c.store.rows[row].value = kept;
	t.c.store.rows[row].len = kept_len;
}

static attempt *const attempts[] = {
    [VLDAA_KIND_GROUP_KEY] = try_group_key,
    [VLDAA_KIND_ISSUER_KEY] = try_issuer_key,
    [VLDAA_KIND_TPM_KEY] = try_tpm_key,
    [VLDAA_KIND_HOST_KEY] = try_host_key,
    [VLDAA_KIND_NONCE] = try_nonce,
    [VLDAA_KIND_JOIN_CALL] = try_join_call,
    [VLDAA_KIND_JOIN_REQUEST] = try_request,
    [VLDAA_KIND_JOIN_ANSWER] = try_answer,
    [VLDAA_KIND_CREDENTIAL] = try_credential,
    [VLDAA_KIND_CREATE_CALL] = try_create_call,
    [VLDAA_KIND_CREATE_REPLY] = try_create_reply,
    [VLDAA_KIND_ATTESTATION] = try_attestation,
    [VLDAA_KIND_SIGNATURE] = try_signature,
    [VLDAA_KIND_COMPACT] = try_compact,
    [VLDAA_KIND_TOKEN] = try_token,
    [VLDAA_KIND_ORDER] = try_order,
    [VLDAA_KIND_SEALED_ORDER] = try_sealed_order,
    [VLDAA_KIND_CONFIRMATION] = try_confirmation,
    [VLDAA_KIND_ROGUE_LIST] = try_rogue_list,
    [VLDAA_KIND_REVOKED_LIST] = try_revoked_list,
};
enum { KINDS = sizeof attempts / sizeof attempts[0] };
/* --- tests -------------------------------------------------------------------------------------
 */

static void try_and_inspect(void *ctx, const uint8_t *in, size_t len, damage d)
{
	const enum vldaa_kind kind = *(const enum vldaa_kind *)ctx;
	vldaa_object_info info;
	int err;

	memset(&info, 0xaa, sizeof info);
	err = vldaa_object_inspect(&info, in, len);
	if (err) {
		ck_assert(is_refusal(err));
		ck_assert(all_zero(&info, sizeof info));
	} else {
		ck_assert_uint_eq(info.len, len);
		ck_assert_int_eq(info.has_key_id, 1);
	}
	attempts[kind](NULL, in, len, d);
}

START_TEST(damaged_objects_are_refused_and_honest_ones_work_afterwards)
{
	enum vldaa_kind kind = (enum vldaa_kind)_i;

	set_up(vldaa_set_by_name("VLDAA-42"));
	try_all_damage(*object(kind), object(kind)->len < 300 ? EVERYTHING : MUCH, try_and_inspect,
		       &kind);
	check_honest_work();
	tear_down();
}
END_TEST

/* What takes a proof or its verification for each attempt, in a one-shot set. */
static int is_slow(enum vldaa_kind kind)
{
	static const enum vldaa_kind slow[] = {VLDAA_KIND_JOIN_CALL,   VLDAA_KIND_JOIN_REQUEST,
					       VLDAA_KIND_CREATE_CALL, VLDAA_KIND_CREATE_REPLY,
					       VLDAA_KIND_ATTESTATION, VLDAA_KIND_SIGNATURE};

	for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++) {
		if (kind == slow[i])
			return 1;
	}
	return 0;
}

START_TEST(damaged_objects_of_the_default_set_are_refused)
{
	set_up(vldaa_set_by_name("VLDAA2-44"));
	for (int k = VLDAA_KIND_GROUP_KEY; k < KINDS; k++) {
		enum vldaa_kind kind = (enum vldaa_kind)k;

		if (!is_slow(kind))
			try_all_damage(*object(kind), object(kind)->len < 300 ? EVERYTHING : MUCH,
				       try_and_inspect, &kind);
	}
	check_honest_work();
	tear_down();
}
END_TEST

START_TEST(damaged_objects_of_the_larger_sets_are_refused)
{
	const vldaa_set *set = vldaa_set_at((size_t)_i);

	if (strcmp(vldaa_set_name(set), "VLDAA-42") == 0)
		return;
	set_up(set);
	for (int k = VLDAA_KIND_GROUP_KEY; k < KINDS; k++) {
		enum vldaa_kind kind = (enum vldaa_kind)k;

		try_all_damage(*object(kind), LITTLE, try_and_inspect, &kind);
		/* for is_rogue */
		ck_assert_int_eq(check_request(object(VLDAA_KIND_JOIN_REQUEST)->data,
					       object(VLDAA_KIND_JOIN_REQUEST)->len),
				 VLDAA_OK);
	}
	check_honest_work();
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("damaged objects");
	TCase *tc = tcase_create("damage");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, damaged_objects_are_refused_and_honest_ones_work_afterwards,
			    VLDAA_KIND_GROUP_KEY, KINDS);
	tcase_add_test(tc, damaged_objects_of_the_default_set_are_refused);
	tcase_add_loop_test(tc, damaged_objects_of_the_larger_sets_are_refused, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
