/* Known answers of the one-shot sets: what only their scheme knows. */
#include <stdlib.h>
#include <string.h>

#include "proof/oneshot_sets.h"
#include "scheme/oneshot_tpm.h"
#include "story.h"
#include "wire/pack.h"

enum { HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES };

static const vldaa_oneshot_set *numbers(const story *s)
{
	return vldaa_oneshot_numbers(s->world.set);
}

/* The group's elements, in memory that the caller frees. */
static void *load_group(const story *s, vldaa_os_group *g)
{
	vldaa_group_key key;
	vldaa_arena a;
	void *memory;

	must(vldaa_read_group_key(&key, s->world.group_key.data, s->world.group_key.len) ==
		 VLDAA_OK,
	     "group");
	vldaa_arena_init(&a, NULL, SIZE_MAX);
	vldaa_os_group_layout(g, numbers(s), &a);
	memory = aligned_alloc(VLDAA_ARENA_ALIGN, a.used);
	must(memory != NULL, "memory");
	vldaa_arena_init(&a, memory, a.used);
	vldaa_os_group_layout(g, numbers(s), &a);
	must(vldaa_os_group_load(g, s->world.set, key.payload, key.key_id) == VLDAA_OK, "group");
	return memory;
}

static void put_element(story *s, const char *name, const int64_t *a)
{
	uint8_t bytes[2 * VLDAA_OS_MAX_N];
	vldaa_writer w;

	vldaa_put_init(&w, bytes, sizeof bytes);
	vldaa_pack_uniform(&numbers(s)->big, &w, a);
	put_digest(s, name, bytes, w.len);
}

static void put_public_elements(story *s, const vldaa_group_key *key)
{
	vldaa_os_group g;
	void *memory = load_group(s, &g);

	json_open(&s->json, "public_elements", '{');
	json_hex(&s->json, "seed", key->payload, VLDAA_OS_SEED_BYTES);
	json_hex(&s->json, "group_digest", g.crs_digest, sizeof g.crs_digest);
	put_element(s, "u", g.u);
	put_element(s, "b_x", g.bx);
	put_element(s, "D_0", g.d0);
	put_element(s, "D_1", g.d1);
	json_close(&s->json, '}');
	free(memory);
}

/* Bytes of small integers, two's complement. */
static void put_small(story *s, const char *name, const int64_t *a, size_t n)
{
	uint8_t bytes[VLDAA_MLDSA_MAX_K * VLDAA_MLDSA_N];

	must(n <= sizeof bytes, name);
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)a[i];
	json_hex(&s->json, name, bytes, n);
}

/* The digests of a proof's rounds, from d_0 on, and its challenge. */
static void put_rounds(story *s, const vldaa_os_statement_set *st, uint8_t d[VLDAA_OS_DIGEST],
		       vldaa_bytes bytes)
{
	const vldaa_os_set *set = numbers(s)->proof;
	int64_t c[VLDAA_OS_D];
	vldaa_os_proof proof;
	vldaa_arena a;
	vldaa_reader rd;
	void *memory;

	vldaa_arena_init(&a, NULL, SIZE_MAX);
	vldaa_os_proof_layout(&proof, set, st, &a);
	memory = aligned_alloc(VLDAA_ARENA_ALIGN, a.used);
	must(memory != NULL, "memory");
	vldaa_arena_init(&a, memory, a.used);
	vldaa_os_proof_layout(&proof, set, st, &a);
	vldaa_get_init(&rd, bytes.bytes, bytes.len);
	vldaa_os_proof_get(set, st, &rd, &proof);
	must(vldaa_get_end(&rd) == VLDAA_OK, "proof");
	json_open(&s->json, "digests", '[');
	json_hex(&s->json, NULL, d, VLDAA_OS_DIGEST);
	vldaa_os_digest_1(set, d, proof.ta1, proof.tb, d);
	json_hex(&s->json, NULL, d, VLDAA_OS_DIGEST);
	vldaa_os_digest_2(set, d, proof.z3, d);
	json_hex(&s->json, NULL, d, VLDAA_OS_DIGEST);
	vldaa_os_digest_3(set, d, proof.h, d);
	json_hex(&s->json, NULL, d, VLDAA_OS_DIGEST);
	json_close(&s->json, ']');
	json_hex(&s->json, "challenge_hash", proof.seed, sizeof proof.seed);
	vldaa_os_challenge(c, proof.seed);
	put_small(s, "challenge", c, VLDAA_OS_D);
	free(memory);
}

static void put_request(story *s, vldaa_bytes request)
{
	const size_t ut = vldaa_os_ut_size(numbers(s));
	uint8_t bind[VLDAA_NONCE_BYTES + VLDAA_DIGEST_BYTES], d[VLDAA_OS_DIGEST];
	vldaa_os_group g;
	void *memory = load_group(s, &g);
	vldaa_bytes join;
	vldaa_reader rd;

	vldaa_get_init(&rd, request.bytes, request.len);
	(void)vldaa_get_view(&rd, HEAD);
	vldaa_get_bytes(&rd, bind, VLDAA_NONCE_BYTES);
	join = vldaa_get_bytes_block(&rd, request.len);
	must(rd.error == 0 && join.len > ut, "request");
	vldaa_request_chain_digest(s->world.set, (vldaa_bytes){s->car.chain.data, s->car.chain.len},
				   bind + VLDAA_NONCE_BYTES);
	json_hex(&s->json, "bind", bind, sizeof bind);
	vldaa_os_join_bind(&g, (vldaa_bytes){bind, sizeof bind}, join.bytes, d);
	put_rounds(s, numbers(s)->join, d, (vldaa_bytes){join.bytes + ut, join.len - ut});
	free(memory);
}

static void put_kept(story *s)
{
	vldaa_member m;

	must(vldaa_tpm_load(s->car.tpm, vldaa_host_key_id(s->car.host), &m) == VLDAA_OK, "member");
	json_hex(&s->json, "kept_credential", m.key.credential.bytes, m.key.credential.len);
	vldaa_tpm_forget(s->car.tpm);
}

static void put_pseudonym(story *s, vldaa_bytes basename)
{
	const vldaa_mldsa_set *mldsa = numbers(s)->mldsa;
	int64_t s2[VLDAA_MLDSA_MAX_K * VLDAA_MLDSA_N];
	vldaa_tpm *tpm = s->car.tpm;
	vldaa_os_tpm *t = tpm->workspace;
	const uint8_t *prf_key;
	vldaa_member m;

	must(vldaa_tpm_load(tpm, vldaa_host_key_id(s->car.host), &m) == VLDAA_OK, "member");
	must(vldaa_os_load_tpm(&m.key, t, &prf_key) == VLDAA_OK &&
		 vldaa_os_load_nym(&m.key, t, prf_key, basename) == VLDAA_OK,
	     "nym");
	for (size_t i = 0; i < (size_t)mldsa->k * VLDAA_MLDSA_N; i++)
		s2[i] = t->key->s2[i / VLDAA_MLDSA_N].c[i % VLDAA_MLDSA_N];
	json_open(&s->json, NULL, '{');
	json_hex(&s->json, "basename", basename.bytes, basename.len);
	json_hex(&s->json, "rho", t->key->rho, sizeof t->key->rho);
	json_hex(&s->json, "K", t->key->K, sizeof t->key->K);
	put_small(s, "s2", s2, (size_t)mldsa->k * VLDAA_MLDSA_N);
	json_hex(&s->json, "nym", t->nym_bytes, vldaa_os_nym_size(numbers(s)));
	json_hex(&s->json, "public_key", t->nym.public_key, mldsa->public_bytes);
	json_close(&s->json, '}');
	vldaa_tpm_forget(tpm);
}

static void put_attestation(story *s)
{
	const vldaa_bytes basename = {(const uint8_t *)story_basename, strlen(story_basename)};
	const size_t nym_len = vldaa_os_nym_size(numbers(s));
	const uint8_t *nym = s->attestation.data + HEAD + 1 + basename.len;
	uint8_t d[VLDAA_OS_DIGEST];
	vldaa_os_group g;
	void *memory = load_group(s, &g);

	vldaa_os_create_bind(&g, basename, nym, d);
	put_rounds(
	    s, numbers(s)->attestation, d,
	    (vldaa_bytes){nym + nym_len,
			  (size_t)(s->attestation.data + s->attestation.len - nym) - nym_len});
	free(memory);
}

const details oneshot_details = {put_public_elements, put_request, put_kept, put_pseudonym,
				 put_attestation};
