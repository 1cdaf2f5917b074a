/* Known answers of the published sets: what only their scheme knows. */
#include <string.h>

#include "proof/blindsign.h"
#include "sampler/uniform.h"
#include "story.h"
#include "wire/pack.h"

enum { D = VLDAA_MAX_DEGREE, HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES };

static const vldaa_published_set *numbers(const story *s)
{
	return s->world.set->numbers;
}

/* Coefficients of one byte each, two's complement. */
static void put_small(story *s, const char *name, const int64_t *a)
{
	uint8_t bytes[D];

	for (size_t i = 0; i < numbers(s)->ring.d; i++) {
		must(a[i] >= -128 && a[i] <= 127, name);
		bytes[i] = (uint8_t)a[i];
	}
	json_hex(&s->json, name, bytes, numbers(s)->ring.d);
}

static void put_element(story *s, const char *name, const int64_t *a)
{
	uint8_t bytes[VLDAA_MAX_POLY_BYTES];
	vldaa_writer w;

	vldaa_put_init(&w, bytes, sizeof bytes);
	vldaa_pack_uniform(&numbers(s)->ring, &w, a);
	put_digest(s, name, bytes, w.len);
}

static void put_public_elements(story *s, const vldaa_group_key *key)
{
	const uint8_t *rho = key->payload;
	static const char *const names[VLDAA_ELEMENTS] = {
	    [VLDAA_EL_A0] = "a_0",   [VLDAA_EL_A1] = "a_1",   [VLDAA_EL_U] = "u",
	    [VLDAA_EL_A11] = "a_11", [VLDAA_EL_A12] = "a_12", [VLDAA_EL_A2] = "a_2",
	    [VLDAA_EL_AT1] = "a_T1", [VLDAA_EL_AH1] = "a_H1"};
	int64_t poly[D];

	json_open(&s->json, "public_elements", '{');
	json_hex(&s->json, "rho", rho, VLDAA_RHO_BYTES);
	for (int i = 0; i < VLDAA_ELEMENTS; i++) {
		vldaa_public_expand(numbers(s), poly, rho, (enum vldaa_public_element)i);
		put_element(s, names[i], poly);
	}
	json_close(&s->json, '}');
}

static void put_pseudonym(story *s, vldaa_bytes bsn)
{
	const vldaa_ring *r = &numbers(s)->ring;
	vldaa_tpm *tpm = s->car.tpm;
	uint8_t nym[VLDAA_MAX_POLY_BYTES];
	uint32_t hat[VLDAA_MAX_PRIMES * D], e_hat[VLDAA_MAX_PRIMES * D];
	int64_t b[D], e[2 * D], error[D];
	vldaa_member m;
	vldaa_reader rd;

	must(vldaa_tpm_load(tpm, vldaa_host_key_id(s->car.host), &m) == VLDAA_OK, "member");
	must(m.key.set->scheme->tpm_nym(&m.key, tpm->workspace, bsn, nym) == VLDAA_OK, "nym");
	vldaa_get_init(&rd, m.key.secret, vldaa_member_pack_size(numbers(s)));
	vldaa_member_unpack(numbers(s), &rd, e);
	must(vldaa_get_end(&rd) == VLDAA_OK, "secret");
	vldaa_get_init(&rd, nym, vldaa_pack_uniform_size(r));
	vldaa_unpack_uniform(r, &rd, error);
	/* e_N = nym - b e_T1 */
	vldaa_basename_hat(numbers(s), hat, m.key.key_id, bsn, b);
	vldaa_hat_from_poly(r, e_hat, e + r->d);
	vldaa_hat_mul(r, hat, hat, e_hat);
	vldaa_hat_to_poly(r, e, hat);
	vldaa_poly_sub(r, error, error, e);

	json_open(&s->json, NULL, '{');
	json_hex(&s->json, "basename", bsn.bytes, bsn.len);
	put_element(s, "b_sha256", b);
	put_small(s, "error", error);
	json_hex(&s->json, "nym", nym, vldaa_pack_uniform_size(r));
	json_close(&s->json, '}');
	vldaa_tpm_forget(tpm);
}

static void put_challenge(story *s)
{
	const vldaa_published_set *n = numbers(s);
	const uint8_t *c_tilde = s->attestation.data + HEAD + 1 + strlen(story_basename) +
				 5 * vldaa_pack_uniform_size(&n->ring);
	int64_t c[D];

	json_hex(&s->json, "challenge_hash", c_tilde, n->challenge_bytes);
	vldaa_challenge_vartime(&n->ring, c, n->kappa, n->rate, n->id, c_tilde, n->challenge_bytes);
	put_small(s, "challenge", c);
}

static void no_request(story *s, vldaa_bytes request)
{
	(void)s;
	(void)request;
}

static void nothing_kept(story *s)
{
	(void)s;
}

const details published_details = {put_public_elements, no_request, nothing_kept, put_pseudonym,
				   put_challenge};
