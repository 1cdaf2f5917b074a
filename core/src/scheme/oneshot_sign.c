/*
 * Pseudonyms and Sign of the one-shot sets, and the member's key, which they start from.  This is what a chip does
 * with these sets: with what it calls, it has no variable and needs nothing of a process (see tests/chip).
 */
#include "scheme/oneshot_tpm.h"

#include <string.h>

#include "mldsa/poly.h"
#include "random/hash.h"
#include "random/secret.h"
#include "wire/pack.h"

enum { MAX_ATTEMPTS = 1000, SMALL = 2 };

/* --- the member's key -------------------------------------------------------------------------- */

size_t vldaa_os_secret_size(const vldaa_oneshot_set *n)
{
	return vldaa_pack_small_size(n->mldsa->l * VLDAA_MLDSA_N, SMALL) +
	       vldaa_pack_small_size(n->N, SMALL) + VLDAA_OS_PRF_BYTES;
}

vldaa_os_tpm *vldaa_os_place_sign(const vldaa_oneshot_set *n, vldaa_arena *a, vldaa_os_tpm *counted)
{
	vldaa_os_tpm *t = vldaa_arena_take(a, sizeof *t);

	if (!t)
		t = counted;
	t->s = vldaa_arena_take(a, (size_t)n->mldsa->l * VLDAA_MLDSA_N * sizeof *t->s);
	t->et = vldaa_arena_polys(a, &n->big, 1);
	t->ut = vldaa_arena_polys(a, &n->big, 1);
	t->kj = vldaa_arena_polys(a, &n->big, 1);
	t->poly = vldaa_arena_polys(a, &n->big, 3);
	t->hat = vldaa_arena_hats(a, &n->big, 2);
	t->key = vldaa_arena_take(a, sizeof *t->key);
	t->mldsa = vldaa_arena_take(a, sizeof *t->mldsa);
	t->t = vldaa_arena_take(a, n->mldsa->k * sizeof *t->t);
	vldaa_os_nym_layout(&t->nym, n, a);
	t->nym_bytes = vldaa_arena_take(a, vldaa_os_nym_size(n));
	return t;
}

void vldaa_oneshot_tpm_wipe(const vldaa_set *set, void *workspace, size_t size)
{
	const vldaa_os_tpm *t = workspace;

	(void)set;
	vldaa_wipe(workspace, t->dirty < size ? t->dirty : size);
}

int vldaa_os_load_tpm(const vldaa_tpm_key *key, vldaa_os_tpm *t, const uint8_t **prf_key)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(key->set);
	const size_t len = n->mldsa->l * VLDAA_MLDSA_N;
	vldaa_reader rd;
	vldaa_arena a;
	uint64_t s2 = 0, e2 = 0;
	int err;

	vldaa_arena_init(&a, t, SIZE_MAX);
	(void)vldaa_os_place_sign(n, &a, t);
	t->dirty = a.used;
	vldaa_get_init(&rd, key->secret, vldaa_os_secret_size(n));
	vldaa_unpack_small(&rd, t->s, len, SMALL);
	vldaa_unpack_small(&rd, t->et, n->N, SMALL);
	*prf_key = vldaa_get_view(&rd, VLDAA_OS_PRF_BYTES);
	err = vldaa_get_end(&rd) ? VLDAA_ERR_STORE : VLDAA_OK;
	for (size_t i = 0; i < len; i++)
		s2 += (uint64_t)(t->s[i] * t->s[i]);
	for (size_t i = 0; i < n->N; i++)
		e2 += (uint64_t)(t->et[i] * t->et[i]);
	/* What the store gives back is what the TPM wrote: anything else is the store's failure. */
	int within = (s2 <= n->s_bound2) & (e2 <= n->et_bound2);
	vldaa_secret_declassify(&within, sizeof within, "1 for every key that was made");
	if (!within)
		err = VLDAA_ERR_STORE;
	/* The record was decoded strictly; from here on the key is a secret. */
	vldaa_secret_mark(t->s, len * sizeof *t->s);
	vldaa_secret_mark(t->et, n->N * sizeof *t->et);
	return err;
}

/* --- pseudonyms -------------------------------------------------------------------------------- */

/* PRF(K_T, key id, bsn, rho): the stream of s2, or K. */
static void prf(vldaa_shake *s, enum vldaa_domain domain, const vldaa_tpm_key *key,
		const uint8_t *prf_key, vldaa_bytes basename, const uint8_t rho[32])
{
	vldaa_hash_init(s, VLDAA_SHAKE256_RATE, domain, vldaa_oneshot_numbers(key->set)->id);
	vldaa_hash_part(s, prf_key, VLDAA_OS_PRF_BYTES);
	vldaa_hash_part(s, key->key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(s, basename.bytes, basename.len);
	vldaa_hash_part(s, rho, 32);
}

/* Half-bytes below 15 give 2 - (x mod 5), as FIPS 204's RejBoundedPoly: k polynomials from one stream. */
static void sample_s2(const vldaa_mldsa_set *set, vldaa_mldsa_poly *s2, vldaa_shake *s)
{
	uint8_t block[VLDAA_SHAKE256_RATE];
	size_t n = 0;
	const size_t all = (size_t)set->k * VLDAA_MLDSA_N;

	while (n < all) {
		vldaa_shake_squeeze(s, block, sizeof block);
		for (size_t i = 0; i < 2 * sizeof block && n < all; i++) {
			const uint32_t x = i % 2 ? block[i / 2] >> 4 : block[i / 2] & 15u;
			int keep = x < 15;

			vldaa_secret_declassify(
			    &keep, sizeof keep,
			    "whether a half-byte is 15 says nothing about the kept ones");
			if (!keep)
				continue;
			s2[n / VLDAA_MLDSA_N].c[n % VLDAA_MLDSA_N] =
			    2 - (int32_t)(x - (x * 205 >> 10) * 5);
			n++;
		}
	}
	vldaa_wipe(block, sizeof block);
}

static uint64_t norm2(const vldaa_mldsa_poly *a, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		for (size_t j = 0; j < VLDAA_MLDSA_N; j++)
			sum += (uint64_t)(a[i].c[j] * a[i].c[j]);
	}
	return sum;
}

int vldaa_os_load_nym(const vldaa_tpm_key *key, vldaa_os_tpm *t, const uint8_t *prf_key,
		      vldaa_bytes basename)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(key->set);
	vldaa_mldsa_private *k = t->key;
	vldaa_shake s;
	int within = 0;

	k->set = n->mldsa;
	vldaa_os_rho(key->set, key->key_id, basename, k->rho);
	memcpy(t->nym.rho, k->rho, sizeof k->rho);
	prf(&s, VLDAA_DOMAIN_OS_K, key, prf_key, basename, k->rho);
	vldaa_shake_squeeze(&s, k->K, sizeof k->K);
	for (uint32_t j = 0; j < n->mldsa->l; j++) {
		for (size_t i = 0; i < VLDAA_MLDSA_N; i++)
			k->s1[j].c[i] = (int32_t)t->s[j * VLDAA_MLDSA_N + i];
	}
	/* The errors: the same for the same basename, always, and others under another rho. */
	for (uint32_t counter = 0; counter < MAX_ATTEMPTS && !within; counter++) {
		prf(&s, VLDAA_DOMAIN_OS_S2, key, prf_key, basename, k->rho);
		vldaa_hash_u32(&s, counter);
		sample_s2(n->mldsa, k->s2, &s);
		const uint64_t all = norm2(k->s2, n->mldsa->k), proven = norm2(k->s2, n->rows);

		within = (all <= n->s2_bound2) & (proven <= n->e_bound2);
		vldaa_secret_declassify(
		    &within, sizeof within,
		    "how often the error is redrawn says nothing about the one that is kept");
	}
	vldaa_wipe(&s, sizeof s);
	if (!within)
		return VLDAA_ERR_ATTEMPTS;
	vldaa_mldsa_complete_expanded(t->nym.public_key, k, t->t, &t->mldsa->key, t->mldsa);
	vldaa_os_nym_encode(n, t->nym_bytes, t->t);
	vldaa_secret_declassify(
	    t->nym_bytes, vldaa_os_nym_size(n),
	    "the pseudonym is published: high parts of all rows, and the proven rows in full");
	vldaa_secret_declassify(t->t, n->rows * sizeof *t->t, "the proven rows of t are published");
	return VLDAA_OK;
}

int vldaa_oneshot_tpm_nym(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			  uint8_t *nym)
{
	vldaa_os_tpm *t = workspace;
	const uint8_t *prf_key;
	int err = vldaa_os_load_tpm(key, t, &prf_key);

	if (!err)
		err = vldaa_os_load_nym(key, t, prf_key, basename);
	if (err)
		return err;
	memcpy(nym, t->nym_bytes, vldaa_os_nym_size(vldaa_oneshot_numbers(key->set)));
	return VLDAA_OK;
}

/* --- Sign --------------------------------------------------------------------------------------
 *
 * Messages are signed by pure ML-DSA with an empty context string, so that they verify anywhere; tokens and
 * confirmations have context strings of their own, and are tied to key id, basename, public key and attestation.
 */

void vldaa_os_message_begin(const vldaa_oneshot_set *n, vldaa_shake *s, const uint8_t *public_key,
			    const uint8_t *tr, const vldaa_sign_subject *about)
{
	static const char *const contexts[] = {"", "VLDAA2 token", "VLDAA2 confirm"};
	const char *context = contexts[about->type];
	uint8_t digest[VLDAA_OS_DIGEST];
	vldaa_shake subject;

	vldaa_mldsa_mu_begin(s, tr, context, strlen(context));
	if (about->type == VLDAA_SIGN_MESSAGE)
		return;
	vldaa_hash_init(&subject, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_OS_SUBJECT, n->id);
	vldaa_hash_u32(&subject, about->type);
	vldaa_hash_part(&subject, about->key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&subject, about->basename.bytes, about->basename.len);
	vldaa_hash_part(&subject, public_key, n->mldsa->public_bytes);
	vldaa_hash_part(&subject, about->attestation_digest, VLDAA_DIGEST_BYTES);
	vldaa_shake_squeeze(&subject, digest, sizeof digest);
	vldaa_shake_absorb(s, digest, sizeof digest);
}

int vldaa_oneshot_sign_begin(const vldaa_tpm_key *key, void *workspace,
			     const vldaa_sign_subject *about, vldaa_message *message)
{
	vldaa_os_tpm *t = workspace;
	const uint8_t *prf_key;
	int err = vldaa_os_load_tpm(key, t, &prf_key);

	if (!err)
		err = vldaa_os_load_nym(key, t, prf_key, about->basename);
	if (!err) {
		vldaa_os_message_begin(vldaa_oneshot_numbers(key->set), &message->shake,
				       t->nym.public_key, t->key->tr, about);
	}
	return err;
}

int vldaa_os_sign_message(const vldaa_mldsa_expanded *key, vldaa_mldsa_workspace *ws,
			  vldaa_message *message, vldaa_rng *rng, vldaa_writer *out)
{
	uint8_t mu[VLDAA_MLDSA_MU_BYTES];
	uint8_t rnd[32];
	uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	const size_t len = key->set->signature_bytes; /* signing wipes a key in its workspace */
	int err;

	vldaa_mldsa_mu_end(&message->shake, mu);
	vldaa_rng_bind(rng, mu, sizeof mu);
	vldaa_rng_bytes(rng, rnd, sizeof rnd);
	err = vldaa_mldsa_sign_expanded(key, mu, rnd, signature, ws);
	if (!err)
		vldaa_put_bytes(out, signature, len);
	vldaa_wipe(rnd, sizeof rnd);
	return err;
}

int vldaa_oneshot_sign_end(const vldaa_tpm_key *key, void *workspace,
			   const vldaa_sign_subject *about, vldaa_message *message, vldaa_rng *rng,
			   vldaa_writer *out)
{
	vldaa_os_tpm *t = workspace;
	const uint8_t *prf_key;
	int err = vldaa_os_load_tpm(key, t, &prf_key);

	if (!err)
		err = vldaa_os_load_nym(key, t, prf_key, about->basename);
	return err ? err : vldaa_os_sign_message(&t->mldsa->key, t->mldsa, message, rng, out);
}
