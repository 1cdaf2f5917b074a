/* The one-shot proof's transcript, rounding, and the products that both sides compute.  See oneshot.h. */
#include "proof/oneshot.h"

#include <string.h>

#include "ring/mod.h"

enum { RESIDUE_BYTES = 6 };

/* Uniform modulo q: 6-byte little-endian fields masked to q_bits, rejected when >= q; centred. */
void vldaa_os_uniform(const vldaa_ring *r, vldaa_shake *s, int64_t *out, size_t n)
{
	const uint64_t mask = (UINT64_C(1) << r->q_bits) - 1;
	uint8_t block[VLDAA_SHAKE128_RATE];
	size_t i = 0;

	while (i < n) {
		vldaa_shake_squeeze(s, block, sizeof block);
		for (size_t j = 0; j < sizeof block && i < n; j += RESIDUE_BYTES) {
			uint64_t x = 0;

			for (size_t k = 0; k < RESIDUE_BYTES; k++)
				x |= (uint64_t)block[j + k] << (8 * k);
			x &= mask;
			if (x < (uint64_t)r->q)
				out[i++] = (int64_t)x > r->q / 2 ? (int64_t)x - r->q : (int64_t)x;
		}
	}
}

/* --- the transcript: SHAKE256 over tag and parts, each with its length (8 bytes, little-endian) -- */

static void part_begin(vldaa_shake *s, uint64_t len)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(len >> (8 * i));
	vldaa_shake_absorb(s, bytes, sizeof bytes);
}

static void round_begin(vldaa_shake *s, const char *tag, const uint8_t *digest)
{
	vldaa_shake_init(s, VLDAA_SHAKE256_RATE);
	part_begin(s, strlen(tag));
	vldaa_shake_absorb(s, tag, strlen(tag));
	part_begin(s, VLDAA_OS_DIGEST);
	vldaa_shake_absorb(s, digest, VLDAA_OS_DIGEST);
}

/* n values of `bytes` bytes each, little-endian two's complement, as one part. */
static void part_integers(vldaa_shake *s, const int64_t *v, size_t n, size_t bytes)
{
	uint8_t buffer[64 * 8];

	part_begin(s, (uint64_t)n * bytes);
	while (n > 0) {
		size_t now = n < 64 ? n : 64;

		for (size_t i = 0; i < now; i++) {
			for (size_t k = 0; k < bytes; k++)
				buffer[i * bytes + k] = (uint8_t)((uint64_t)v[i] >> (8 * k));
		}
		vldaa_shake_absorb(s, buffer, now * bytes);
		v += now;
		n -= now;
	}
}

/* At most 64 residues in [0, q), 6 bytes each. */
static void absorb_residues(vldaa_shake *s, const vldaa_ring *r, const int64_t *v, size_t n)
{
	uint8_t buffer[VLDAA_OS_D * RESIDUE_BYTES];

	for (size_t i = 0; i < n; i++) {
		const uint64_t x = (uint64_t)(v[i] + (r->q & (v[i] >> 63)));

		for (size_t k = 0; k < RESIDUE_BYTES; k++)
			buffer[i * RESIDUE_BYTES + k] = (uint8_t)(x >> (8 * k));
	}
	vldaa_shake_absorb(s, buffer, n * RESIDUE_BYTES);
}

/* n elements as one part. */
static void part_elements(vldaa_shake *s, const vldaa_ring *r, const int64_t *v, size_t n)
{
	part_begin(s, (uint64_t)n * VLDAA_OS_D * RESIDUE_BYTES);
	for (size_t i = 0; i < n; i++)
		absorb_residues(s, r, v + i * VLDAA_OS_D, VLDAA_OS_D);
}

void vldaa_os_digest_1(const vldaa_os_set *set, const uint8_t *d0, const uint32_t *ta1,
		       const int64_t *tb, uint8_t d1[VLDAA_OS_DIGEST])
{
	uint8_t bytes[4 * VLDAA_OS_D];
	vldaa_shake s;

	round_begin(&s, "oneshot 1", d0);
	part_begin(&s, (uint64_t)set->n * sizeof bytes);
	for (uint32_t i = 0; i < set->n; i++) {
		for (size_t j = 0; j < VLDAA_OS_D; j++) {
			for (size_t k = 0; k < 4; k++)
				bytes[4 * j + k] = (uint8_t)(ta1[i * VLDAA_OS_D + j] >> (8 * k));
		}
		vldaa_shake_absorb(&s, bytes, sizeof bytes);
	}
	part_elements(&s, &set->ring, tb, VLDAA_OS_B_ROWS - 1);
	vldaa_shake_squeeze(&s, d1, VLDAA_OS_DIGEST);
}

void vldaa_os_digest_2(const vldaa_os_set *set, const uint8_t *d1, const int64_t *z3,
		       uint8_t d2[VLDAA_OS_DIGEST])
{
	vldaa_shake s;

	(void)set;
	round_begin(&s, "oneshot 2", d1);
	part_integers(&s, z3, VLDAA_OS_ROWS, 4);
	vldaa_shake_squeeze(&s, d2, VLDAA_OS_DIGEST);
}

void vldaa_os_digest_3(const vldaa_os_set *set, const uint8_t *d2, const int64_t *h,
		       uint8_t d3[VLDAA_OS_DIGEST])
{
	enum { HALF = VLDAA_OS_D / 2 };
	vldaa_shake s;

	/* what is sent: coefficients 1..31 and 33..63 */
	round_begin(&s, "oneshot 3", d2);
	part_begin(&s, VLDAA_OS_PAIRS * (VLDAA_OS_D - 2) * RESIDUE_BYTES);
	for (size_t i = 0; i < 2 * VLDAA_OS_PAIRS; i++)
		absorb_residues(&s, &set->ring, h + i * HALF + 1, HALF - 1);
	vldaa_shake_squeeze(&s, d3, VLDAA_OS_DIGEST);
}

void vldaa_os_digest_4(const vldaa_os_set *set, const uint8_t *d3, const int64_t *tb_last,
		       const int64_t *w, const int64_t *v, uint8_t seed[VLDAA_OS_SEED])
{
	vldaa_shake s;

	round_begin(&s, "oneshot 4", d3);
	part_elements(&s, &set->ring, tb_last, 1);
	part_integers(&s, w, (size_t)set->n * VLDAA_OS_D, 3);
	part_elements(&s, &set->ring, v, 1);
	vldaa_shake_squeeze(&s, seed, VLDAA_OS_SEED);
}

void vldaa_os_ring_challenge(vldaa_os_aggregate *g, const vldaa_os_statement *st, const uint8_t *d3)
{
	const vldaa_ring *r = &st->set->ring;
	vldaa_shake s;

	vldaa_shake_init(&s, VLDAA_SHAKE128_RATE);
	vldaa_shake_absorb(&s, "mu", 2);
	vldaa_shake_absorb(&s, d3, VLDAA_OS_DIGEST);
	vldaa_os_uniform(r, &s, g->poly, VLDAA_OS_PAIRS * VLDAA_OS_D);
	for (size_t i = 0; i < VLDAA_OS_PAIRS; i++)
		vldaa_hat_from_poly(r, g->mu + i * vldaa_hat_len(r), g->poly + i * VLDAA_OS_D);
}

/* --- rounding --------------------------------------------------------------------------------- */

static int64_t positive_residue(const vldaa_os_set *set, int64_t x)
{
	return x + (set->ring.q & (x >> 63));
}

/*
 * floor(y / q) for 0 <= y < 2^(keep + 2) q: by multiplication with floor(2^t / q), which is at most one too
 * small, and a correction.  No division: w is a secret until the proof is accepted.
 */
int64_t vldaa_os_compress(const vldaa_os_set *set, int64_t x)
{
	/* floor((2^(b+1) x + q) / 2q) = floor((2^b x + q/2) / q) with q odd: (q - 1) / 2 gives the same floor */
	const int64_t q = set->ring.q;
	const uint32_t t = set->ring.q_bits + 17;
	const uint64_t inverse = (uint64_t)(((vldaa_u128)1 << t) / (uint64_t)q);
	const vldaa_u128 y =
	    ((vldaa_u128)(uint64_t)positive_residue(set, x) << set->keep) + (uint64_t)(q / 2);
	const uint32_t down = set->ring.q_bits - 17;
	/* y / 2^down < 2^(keep + 17 + 1), inverse < 2^18 */
	uint64_t k = ((uint64_t)(y >> down) * inverse) >> (t - down);
	const vldaa_i128 rest = (vldaa_i128)y - (vldaa_i128)((vldaa_u128)k * (uint64_t)q);
	const vldaa_i128 over = rest - q;

	/* add one where the estimate was one too small */
	k += 1 + (uint64_t)(over >> 127);
	return (int64_t)(k & ((UINT64_C(1) << set->keep) - 1));
}

int64_t vldaa_os_decompress(const vldaa_os_set *set, int64_t x)
{
	const vldaa_u128 y =
	    2 * (vldaa_u128)(uint64_t)set->ring.q * (uint64_t)x + (UINT64_C(1) << set->keep);

	return (int64_t)(y >> (set->keep + 1));
}

uint32_t vldaa_os_high(const vldaa_os_set *set, int64_t x)
{
	const uint64_t half = UINT64_C(1) << (set->cut - 1);
	const uint64_t high = ((uint64_t)positive_residue(set, x) + half) >> set->cut;

	return (uint32_t)(high & ((UINT64_C(1) << (set->ring.q_bits - set->cut)) - 1));
}

void vldaa_os_pair(const vldaa_os_set *set, int64_t *out, const int64_t *a, const int64_t *b)
{
	const vldaa_ring *r = &set->ring;
	const int64_t half = (r->q + 1) / 2; /* 1/2 modulo q */
	int64_t sigma_a[VLDAA_OS_D], sum_a[VLDAA_OS_D], sum_b[VLDAA_OS_D];

	vldaa_poly_automorphism(r, sigma_a, a, 2 * VLDAA_OS_D - 1);
	vldaa_poly_add(r, sum_a, a, sigma_a);
	vldaa_poly_automorphism(r, sigma_a, b, 2 * VLDAA_OS_D - 1);
	vldaa_poly_add(r, sum_b, b, sigma_a);
	/* + Y^32 sum_b: the upper half comes down negated */
	for (size_t i = 0; i < VLDAA_OS_D / 2; i++) {
		sigma_a[i] = -sum_b[i + VLDAA_OS_D / 2];
		sigma_a[i + VLDAA_OS_D / 2] = sum_b[i];
	}
	vldaa_poly_add(r, out, sum_a, sigma_a);
	vldaa_poly_scale(r, out, half, out);
}

/* --- products --------------------------------------------------------------------------------- */

void vldaa_os_product_layout(vldaa_os_product *p, const vldaa_os_set *set,
			     const vldaa_os_statement_set *s, vldaa_arena *a)
{
	p->z1_hat = vldaa_arena_hats(a, &set->ring, s->m1);
	p->z2_hat = vldaa_arena_hats(a, &set->ring, set->m2 - set->n);
	p->c_hat = vldaa_arena_hats(a, &set->ring, 1);
	p->hat = vldaa_arena_hats(a, &set->ring, 1);
	p->scratch = vldaa_arena_hats(a, &set->ring, 1);
	p->poly = vldaa_arena_polys(a, &set->ring, 1);
}

void vldaa_os_approximate(const vldaa_os_crs *crs, const vldaa_os_statement_set *s,
			  const vldaa_os_product *p, const uint32_t *ta1, int64_t *out)
{
	const vldaa_os_set *set = crs->set;
	const vldaa_ring *r = &set->ring;
	const size_t len = vldaa_hat_len(r);
	const uint32_t na = set->m2 - set->n;

	for (uint32_t i = 0; i < set->n; i++) {
		vldaa_hat_dot(r, p->hat, crs->a1 + (size_t)i * set->max_m1 * len, p->z1_hat, s->m1);
		vldaa_hat_dot(r, p->scratch, crs->a2 + (size_t)i * na * len, p->z2_hat, na);
		vldaa_hat_add(r, p->hat, p->hat, p->scratch);
		if (ta1) {
			for (size_t j = 0; j < VLDAA_OS_D; j++)
				p->poly[j] = (int64_t)ta1[i * VLDAA_OS_D + j] << set->cut;
			vldaa_hat_from_poly(r, p->scratch, p->poly);
			vldaa_hat_mul_sub(r, p->hat, p->c_hat, p->scratch);
		}
		vldaa_hat_to_poly(r, out + (size_t)i * VLDAA_OS_D, p->hat);
	}
}

vldaa_u128 vldaa_os_identity_norm2(const vldaa_os_set *set, const int64_t *w,
				   const int64_t *approximate)
{
	const vldaa_mod m = vldaa_mod_init(set->ring.q, set->ring.q_bits);
	vldaa_u128 norm2 = 0;

	for (size_t i = 0; i < (size_t)set->n * VLDAA_OS_D; i++) {
		const int64_t e =
		    vldaa_mod_i64(&m, vldaa_os_decompress(set, w[i]) - approximate[i]);

		norm2 += (vldaa_u128)((vldaa_i128)e * e);
	}
	return norm2;
}
