/* See tpm_secrets.h. */
#include "tpm_secrets.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_inside.h"
#include "../support/oneshot_member.h"
#include "proof/published_keys.h"
#include "role/tpm_state.h"
#include "scheme/oneshot_tpm.h"

enum {
	WORD = sizeof(int64_t),
	STORED = 8,     /* bytes of a stored key in a row */
	SMALL = 8,      /* coefficients within [-2, 2] */
	TERNARY = 16,   /* coefficients of -1, 0, 1 */
	CREDENTIAL = 4, /* coefficients of deviation 165 and more */
	HASH_BITS = 16
};

/* Of a whole piece: most of memory is told from all pieces of a secret by that. */
static uint32_t hash(const uint8_t *piece, size_t len)
{
	uint64_t h = len;

	for (size_t i = 0; i < len; i += WORD) {
		uint64_t word;

		memcpy(&word, piece + i, sizeof word);
		h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return (uint32_t)(h >> (64 - HASH_BITS));
}

static void add(secrets *s, const char *what, const void *bytes, size_t len, size_t piece,
		size_t step)
{
	ck_assert_uint_lt(s->count, SECRETS_MAX);
	ck_assert_uint_ge(len, piece);
	s->of[s->count].what = what;
	s->of[s->count].bytes = malloc(len);
	ck_assert_ptr_nonnull(s->of[s->count].bytes);
	memcpy(s->of[s->count].bytes, bytes, len);
	s->of[s->count].len = len;
	s->of[s->count].piece = piece;
	s->of[s->count].step = step;
	s->of[s->count].sieve = calloc(1, 1 << HASH_BITS);
	ck_assert_ptr_nonnull(s->of[s->count].sieve);
	for (size_t i = 0; i + piece <= len; i += step)
		s->of[s->count].sieve[hash(s->of[s->count].bytes + i, piece)] = 1;
	s->count++;
}

static void add_words(secrets *s, const char *what, const int64_t *words, size_t n, size_t piece)
{
	add(s, what, words, n * WORD, piece * WORD, piece / 2 * WORD);
}

/* The same as ML-DSA keeps it. */
static void add_short_words(secrets *s, const char *what, const int64_t *words, size_t n)
{
	int32_t *out = malloc(n * sizeof *out);

	ck_assert_ptr_nonnull(out);
	for (size_t i = 0; i < n; i++)
		out[i] = (int32_t)words[i];
	add(s, what, out, n * sizeof *out, SMALL * sizeof *out, SMALL / 2 * sizeof *out);
	free(out);
}

static int is_oneshot(const car *c)
{
	return c->world->set->scheme == &vldaa_scheme_oneshot;
}

void secrets_add_key(secrets *s, car *c)
{
	const vldaa_set *set = c->world->set;
	size_t len, at;
	const uint8_t *record = oneshot_member_record(c, &len, &at);

	add(s, "the key as stored", record + at, set->scheme->size(set, VLDAA_PART_TPM_SECRET),
	    STORED, STORED / 2);
	if (is_oneshot(c)) {
		oneshot_member m;

		oneshot_member_read(&m, c);
		const size_t n = (size_t)m.n->mldsa->l * VLDAA_MLDSA_N;

		add_words(s, "s", m.s, n, SMALL);
		add_short_words(s, "s in ML-DSA's key", m.s, n);
		add_words(s, "e_T", m.e_t, m.n->N, SMALL);
	} else {
		const vldaa_published_set *n = set->numbers;
		int64_t e[2 * VLDAA_MAX_DEGREE];
		vldaa_reader rd;

		vldaa_get_init(&rd, record + at, vldaa_member_pack_size(n));
		vldaa_member_unpack(n, &rd, e);
		ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
		add_words(s, "e_T", e, 2 * (size_t)n->ring.d, SMALL);
	}
}

void secrets_add_credential(secrets *s, car *c)
{
	oneshot_member m;

	if (!is_oneshot(c))
		return;
	oneshot_member_read(&m, c);
	ck_assert_int_eq(m.joined, 1);
	add(s, "x", m.credential.x, sizeof m.credential.x, STORED, STORED / 2);
	add_words(s, "v_2", m.credential.v2, m.n->N, CREDENTIAL);
}

/* The member's Create once more; what it leaves is in *workspace. */
static void repeat_create(car *c, buffer call, uint64_t counter, buffer reply, void *workspace)
{
	const vldaa_set *set = c->world->set;
	const vldaa_bytes empty = {NULL, 0};
	uint8_t *out = malloc(reply.len);
	vldaa_bytes basename;
	const uint8_t *key_id;
	vldaa_member m;
	vldaa_reader rd;
	vldaa_writer w;
	vldaa_rng rng;

	ck_assert_ptr_nonnull(out);
	vldaa_get_init(&rd, call.data, call.len);
	(void)vldaa_get_header(&rd, VLDAA_KIND_CREATE_CALL);
	key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	basename = vldaa_get_basename(&rd);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
	c->random.counter = counter;
	ck_assert_int_eq(vldaa_tpm_load_for(c->tpm, key_id, basename, &m), VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_source_start(c->tpm, &rng, &m, VLDAA_OP_TPM_CREATE,
						(vldaa_bytes){call.data, call.len}),
			 VLDAA_OK);
	vldaa_put_init(&w, out, reply.len);
	vldaa_put_header(&w, VLDAA_KIND_CREATE_REPLY, set);
	vldaa_put_bytes(&w, key_id, VLDAA_KEY_ID_BYTES);
	ck_assert_int_eq(set->scheme->tpm_create(&m.key, workspace, basename, empty, &rng, &w),
			 VLDAA_OK);
	vldaa_rng_clear(&rng);
	vldaa_tpm_forget(c->tpm);
	ck_assert_uint_eq(w.len, reply.len);
	ck_assert_mem_eq(out, reply.data, reply.len);
	free(out);
}

/* Masks: y = z - c s, element by element. */
static void add_masks(secrets *s, const char *what, const int64_t *z, const int64_t *c,
		      const int64_t *secret, size_t elements)
{
	enum { D = VLDAA_OS_D };
	int64_t *y = planted_memory(elements * D * WORD);

	for (size_t i = 0; i < elements; i++) {
		planted_times(D, y + i * D, c, secret + i * D);
		for (size_t j = 0; j < D; j++)
			y[i * D + j] = z[i * D + j] - y[i * D + j];
	}
	add_words(s, what, y, elements * D, CREDENTIAL);
	free(y);
}

void secrets_add_create(secrets *s, car *c, buffer call, uint64_t counter, buffer reply)
{
	const vldaa_oneshot_set *n = c->world->set->numbers;
	const vldaa_os_statement st = {.set = n->proof, .numbers = n->attestation};
	prover_responses r;
	vldaa_os_tpm *t;

	if (!is_oneshot(c))
		return;
	t = planted_memory(vldaa_scheme_workspace(c->world->set));
	repeat_create(c, call, counter, reply, t);
	/* inside_responses places the prover's arrays as they are; it needs the numbers only */
	r = inside_responses(&st, t->prover);
	add(s, "K", t->key->K, sizeof t->key->K, STORED, STORED / 2);
	add(s, "s_2 in ML-DSA's key", t->key->s2, n->mldsa->k * sizeof t->key->s2[0],
	    SMALL * sizeof(int32_t), SMALL / 2 * sizeof(int32_t));
	add_words(s, "v_1", t->et, n->N, CREDENTIAL);
	/* behind theta: s and E, cut into elements */
	add_words(s, "the witness: v", t->w1, 2 * (size_t)n->N, CREDENTIAL);
	const size_t small = n->attestation->relation[1].first;
	add_words(s, "the witness: s, E", t->w1 + small * VLDAA_OS_D,
		  (n->attestation->m1 - small) * VLDAA_OS_D, SMALL);
	add_words(s, "w_2", r.w2, (size_t)n->proof->m2 * VLDAA_OS_D, TERNARY);
	add_masks(s, "y_1", r.z1, r.c, t->w1, n->attestation->m1);
	add_masks(s, "y_2", r.z2, r.c, r.w2, n->proof->m2);
	free(t);
}

void secrets_free(secrets *s)
{
	while (s->count > 0) {
		s->count--;
		free(s->of[s->count].bytes);
		free(s->of[s->count].sieve);
	}
}

const char *secrets_found(const secrets *s, const unsigned char *memory, size_t len)
{
	for (size_t k = 0; k < s->count; k++) {
		const size_t piece = s->of[k].piece;

		for (size_t at = 0; at + piece <= len; at++) {
			if (!s->of[k].sieve[hash(memory + at, piece)])
				continue;
			for (size_t i = 0; i + piece <= s->of[k].len; i += s->of[k].step) {
				if (memcmp(memory + at, s->of[k].bytes + i, piece) == 0)
					return s->of[k].what;
			}
		}
	}
	return NULL;
}
