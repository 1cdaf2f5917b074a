/*
 * Promises, for every published set: what the verifier recomputes from real attestations, message
 * signatures and Join's proofs is what slow arithmetic gives from the same responses; the roles'
 * keys and credential satisfy the equations of the documentation.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oracle.h"
#include "../support/sets.h"
#include "../support/world.h"
#include "role/memory.h"
#include "role/tpm_state.h"
#include "role/verifier_state.h"
#include "sampler/uniform.h"
#include "scheme/published.h"
#include "wire/object.h"
#include "wire/pack.h"

enum { D = VLDAA_MAX_DEGREE };

/* One world; each test runs in its own process. */
static struct {
	world world;
	car car;
	const vldaa_published_set *n;
	const vldaa_ring *r;
	const vldaa_public_keys *keys;
	oracle_public public;
	int64_t b[D];
	int64_t c[D];
	int64_t w[VLDAA_FIRST_MESSAGES * D];
	vldaa_published_workspace *workspace;
	void *pseudonym;
} t;

static const vldaa_bytes basename = {(const uint8_t *)"lane", 4};

static void setup_set(int i)
{
	const vldaa_set *set = published_set(i);
	vldaa_group_key key;
	uint32_t hat[VLDAA_MAX_PRIMES * D];

	world_init(&t.world, set, 31);
	car_init(&t.car, &t.world, 32);
	t.n = set->numbers;
	t.r = &t.n->ring;
	t.keys = &((const vldaa_published_group *)t.world.verifier->group.context)->keys;
	ck_assert_int_eq(vldaa_read_group_key(&key, t.world.group_key.data, t.world.group_key.len),
			 VLDAA_OK);
	oracle_public_init(&t.public, t.n, key.payload);
	vldaa_basename_hat(t.n, hat, key.key_id, basename, t.b);
	t.workspace = vldaa_memory_new(set->scheme->size(set, VLDAA_PART_VERIFY_WORKSPACE));
	(void)vldaa_published_place_workspace(t.n, t.workspace);
	t.pseudonym = vldaa_memory_new(set->scheme->size(set, VLDAA_PART_PSEUDONYM_CONTEXT));
}

static void finish_set(void)
{
	const vldaa_set *set = t.world.set;

	vldaa_memory_free(t.workspace, set->scheme->size(set, VLDAA_PART_VERIFY_WORKSPACE));
	vldaa_memory_free(t.pseudonym, set->scheme->size(set, VLDAA_PART_PSEUDONYM_CONTEXT));
	car_free(&t.car);
	world_free(&t.world);
}

static void challenge(const uint8_t *c_tilde)
{
	vldaa_challenge_vartime(t.r, t.c, t.n->kappa, t.n->rate, t.n->id, c_tilde,
				t.n->challenge_bytes);
}

/* The car's TPM secret: e_T from the member record. */
static void tpm_secret(int64_t e[2 * D])
{
	vldaa_tpm *tpm = t.car.tpm;
	vldaa_member m;
	vldaa_reader rd;

	ck_assert_int_eq(vldaa_tpm_load(tpm, t.world.verifier->group.key_id, &m), VLDAA_OK);
	vldaa_get_init(&rd, m.key.secret, vldaa_member_pack_size(t.n));
	vldaa_member_unpack(t.n, &rd, e);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
}

START_TEST(verification_of_attestations_agrees_with_slow_arithmetic)
{
	size_t c_at;

	setup_set(_i);
	car_join(&t.car);
	c_at = (1 + VLDAA_COMMITMENTS) * vldaa_pack_uniform_size(t.r);
	for (int round = 0; round < 2; round++) {
		const vldaa_blind_verify *v = &t.workspace->blind;
		buffer att = car_create(&t.car, "lane");
		vldaa_attestation_parts parts;

		ck_assert_int_eq(vldaa_read_attestation(&parts, att.data, att.len), VLDAA_OK);
		ck_assert_int_eq(vldaa_published_attestation_verify(t.world.verifier->group.context,
								    t.workspace, basename,
								    parts.payload, t.pseudonym),
				 VLDAA_OK);
		challenge(parts.payload.bytes + c_at);
		oracle_first_messages(&t.public, t.b, v->t, v->nym, v->z_host, v->z_tpm, t.c, t.w);
		for (size_t i = 0; i < VLDAA_FIRST_MESSAGES; i++)
			ck_assert(oracle_equal(t.r, v->w + i * t.r->d, t.w + i * t.r->d));
		buffer_free(&att);
	}
	finish_set();
}
END_TEST

/* Also where nothing verifies: at the largest public values, with long responses. */
START_TEST(verification_agrees_with_slow_arithmetic_at_the_bounds)
{
	static uint8_t payload[1 << 18];
	static int64_t z[3 * D];
	const vldaa_blind_verify *v;
	vldaa_writer w;

	setup_set(_i);
	v = &t.workspace->blind;
	for (int sign = -1; sign <= 1; sign += 2) {
		vldaa_put_init(&w, payload, sizeof payload);
		for (size_t i = 0; i < 1 + VLDAA_COMMITMENTS; i++) {
			for (size_t j = 0; j < t.r->d; j++)
				z[j] = sign * (t.r->q / 2);
			vldaa_pack_uniform(t.r, &w, z);
		}
		memset(payload + w.len, 0xff, VLDAA_MAX_CHALLENGE_BYTES + VLDAA_CREATE_NONCE_BYTES);
		challenge(payload + w.len);
		w.len += t.n->challenge_bytes + VLDAA_CREATE_NONCE_BYTES;
		for (size_t i = 0; i < VLDAA_HOST_BLOCKS + VLDAA_TPM_BLOCKS; i++) {
			const vldaa_block *b = i < VLDAA_HOST_BLOCKS
						   ? &t.n->host[i]
						   : &t.n->tpm[i - VLDAA_HOST_BLOCKS];
			/* Long, and still short to encode. */
			for (size_t j = 0; j < b->polys * (size_t)t.r->d; j++)
				z[j] = sign * ((INT64_C(1) << b->rice) - 1);
			z[0] = sign * (int64_t)(b->max / 2);
			vldaa_rice_encode_vartime(&w, z, b->polys * (size_t)t.r->d, b->rice);
		}
		ck_assert_uint_le(w.len, sizeof payload);
		ck_assert_int_eq(vldaa_published_attestation_verify(
				     t.world.verifier->group.context, t.workspace, basename,
				     (vldaa_bytes){payload, w.len}, t.pseudonym),
				 VLDAA_ERR_PROOF);
		oracle_first_messages(&t.public, t.b, v->t, v->nym, v->z_host, v->z_tpm, t.c, t.w);
		for (size_t i = 0; i < VLDAA_FIRST_MESSAGES; i++)
			ck_assert(oracle_equal(t.r, v->w + i * t.r->d, t.w + i * t.r->d));
	}
	finish_set();
}
END_TEST

START_TEST(verification_of_message_signatures_agrees_with_slow_arithmetic)
{
	const vldaa_nym_verify *v;
	uint8_t bare[8192];
	vldaa_attestation_parts parts;
	vldaa_object_info info;
	vldaa_message message;
	int64_t nym[D];
	buffer att;
	size_t len;

	setup_set(_i);
	car_join(&t.car);
	att = car_create(&t.car, "lane");
	ck_assert_int_eq(vldaa_object_inspect(&info, att.data, att.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_read_attestation(&parts, att.data, att.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_published_attestation_verify(t.world.verifier->group.context,
							    t.workspace, basename, parts.payload,
							    t.pseudonym),
			 VLDAA_OK);
	memcpy(nym, t.workspace->blind.nym, sizeof nym[0] * t.r->d);
	ck_assert_int_eq(
	    vldaa_tpm_sign_begin(t.car.tpm, info.key_id, basename.bytes, basename.len, info.digest),
	    VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_sign_update(t.car.tpm, "halt", 4), VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_sign_end(t.car.tpm, bare, sizeof bare, &len), VLDAA_OK);

	const vldaa_sign_subject about = {VLDAA_SIGN_MESSAGE, info.key_id, basename, info.digest};
	ck_assert_int_eq(vldaa_published_verify_begin(t.world.verifier->group.context, t.pseudonym,
						      &about, &message),
			 VLDAA_OK);
	vldaa_message_absorb(&message, "halt", 4);
	ck_assert_int_eq(vldaa_published_verify_end(t.world.verifier->group.context, t.workspace,
						    t.pseudonym, &about, &message,
						    (vldaa_bytes){bare, len}),
			 VLDAA_OK);
	v = &t.workspace->nym;
	challenge(bare);
	/* w = z_N + b z_1 - c nym */
	oracle_pair(t.r, t.w, v->z + t.r->d, t.b, v->z, t.c, nym);
	ck_assert(oracle_equal(t.r, v->w, t.w));
	buffer_free(&att);
	finish_set();
}
END_TEST

/* header | key id | nonce | block: u_T, proof | block: u_H, proof | ... */
START_TEST(verification_of_joins_proofs_agrees_with_slow_arithmetic)
{
	const uint8_t nonce[32] = {9};
	uint8_t bind[2 * VLDAA_NONCE_BYTES];
	buffer request;
	vldaa_bytes part[2];
	vldaa_reader rd;
	int64_t e[2 * D];

	setup_set(_i);
	request = car_request(&t.car, nonce);
	vldaa_get_init(&rd, request.data, request.len);
	(void)vldaa_get_view(&rd, VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES + VLDAA_NONCE_BYTES);
	part[0] = vldaa_get_bytes_block(&rd, rd.len);
	part[1] = vldaa_get_bytes_block(&rd, rd.len);
	ck_assert_int_eq(rd.error, VLDAA_OK);
	memcpy(bind, nonce, sizeof nonce);
	vldaa_request_chain_digest(t.world.set, (vldaa_bytes){t.car.chain.data, t.car.chain.len},
				   bind + VLDAA_NONCE_BYTES);
	for (int i = 0; i < 2; i++) {
		const vldaa_knowledge *k = &t.workspace->knowledge;
		const int64_t *a1 = t.public.element[i ? VLDAA_EL_AH1 : VLDAA_EL_AT1];

		ck_assert_int_eq(
		    vldaa_knowledge_verify(t.n, &t.workspace->knowledge,
					   i ? VLDAA_JOIN_HOST : VLDAA_JOIN_TPM, t.keys->key_id,
					   (vldaa_bytes){bind, i ? sizeof nonce : sizeof bind},
					   i ? t.keys->ah1 : t.keys->at1, part[i]),
		    VLDAA_OK);
		challenge(part[i].bytes + vldaa_pack_uniform_size(t.r));
		oracle_pair(t.r, t.w, k->z, a1, k->z + t.r->d, t.c, k->v);
		ck_assert(oracle_equal(t.r, k->w, t.w));
		if (i == 0) { /* u_T = e_T0 + a_T1 e_T1 */
			tpm_secret(e);
			oracle_pair(t.r, t.w, e, a1, e + t.r->d, NULL, NULL);
			ck_assert(oracle_equal(t.r, k->v, t.w));
		}
	}
	buffer_free(&request);
	finish_set();
}
END_TEST

/* (1) and nym = b e_T1 + e_N with a short e_N. */
START_TEST(credential_and_pseudonym_satisfy_their_equations)
{
	int64_t e_t[2 * D], e_h[2 * D], s[4 * D], tag[2];
	int64_t left[D] = {0}, right[D] = {0}, column[D];
	const size_t head = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES;
	vldaa_attestation_parts parts;
	vldaa_reader rd;
	buffer att;

	setup_set(_i);
	car_join(&t.car);
	tpm_secret(e_t);
	vldaa_get_init(&rd, t.car.host_key.data + head, t.car.host_key.len - head);
	vldaa_member_unpack(t.n, &rd, e_h);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
	vldaa_get_init(&rd, t.car.credential.data + head, t.car.credential.len - head);
	vldaa_published_get_credential(t.n, &rd, tag, s);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
	for (size_t j = 0; j < 2; j++) {
		const int64_t g = j ? t.n->delta : 1;

		oracle_mul_add(t.r, left, 1, t.public.element[j ? VLDAA_EL_A1 : VLDAA_EL_A0],
			       s + j * t.r->d);
		memset(column, 0, sizeof column);
		column[0] = g * tag[0];
		column[t.r->d / 2] = g * tag[1];
		oracle_add(t.r, column, 1, t.public.B[j]);
		oracle_mul_add(t.r, left, 1, column, s + (2 + j) * t.r->d);
	}
	oracle_pair(t.r, right, e_t, t.public.element[VLDAA_EL_AT1], e_t + t.r->d, NULL, NULL);
	oracle_add(t.r, right, 1, t.public.element[VLDAA_EL_U]);
	oracle_add(t.r, right, 1, e_h);
	oracle_mul_add(t.r, right, 1, t.public.element[VLDAA_EL_AH1], e_h + t.r->d);
	ck_assert(oracle_equal(t.r, left, right));

	att = car_create(&t.car, "lane");
	ck_assert_int_eq(vldaa_read_attestation(&parts, att.data, att.len), VLDAA_OK);
	vldaa_get_init(&rd, parts.payload.bytes, vldaa_pack_uniform_size(t.r));
	vldaa_unpack_uniform(t.r, &rd, left);
	oracle_mul_add(t.r, left, -1, t.b, e_t + t.r->d);
	ck_assert(vldaa_poly_norm2(t.r, left) <= t.n->error_bound2);
	buffer_free(&att);
	finish_set();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("published proofs against slow arithmetic");
	TCase *tc = tcase_create("oracle");
	SRunner *sr = srunner_create(s);
	const int sets = published_sets();

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, verification_of_attestations_agrees_with_slow_arithmetic, 0, sets);
	tcase_add_loop_test(tc, verification_agrees_with_slow_arithmetic_at_the_bounds, 0, sets);
	tcase_add_loop_test(tc, verification_of_message_signatures_agrees_with_slow_arithmetic, 0,
			    sets);
	tcase_add_loop_test(tc, verification_of_joins_proofs_agrees_with_slow_arithmetic, 0, sets);
	tcase_add_loop_test(tc, credential_and_pseudonym_satisfy_their_equations, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
