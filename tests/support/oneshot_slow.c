/* See oneshot_slow.h. */
#include "oneshot_slow.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "oneshot_oracle.h"

enum { N = VLDAA_MLDSA_N, Q1 = VLDAA_MLDSA_Q };

vldaa_ring slow_mldsa_ring(void)
{
	return (vldaa_ring){.d = N, .log_d = 8, .q = Q1, .q_bits = 23};
}

/* --- hashing -----------------------------------------------------------------------------------
 */

static void append(uint8_t *text, size_t *len, const void *bytes, size_t n)
{
	memcpy(text + *len, bytes, n);
	*len += n;
}

static void append_integer(uint8_t *text, size_t *len, uint64_t x, size_t bytes)
{
	while (bytes-- > 0)
		text[(*len)++] = (uint8_t)(x >> 8 * bytes);
}

void slow_hash(unsigned bits, const char *tag, uint32_t set_id, const vldaa_bytes *parts,
	       size_t count, uint8_t *out, size_t out_len)
{
	uint8_t text[8192];
	size_t len = 0;

	append_integer(text, &len, strlen(tag), 1);
	append(text, &len, tag, strlen(tag));
	append_integer(text, &len, set_id, 4);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_le(len + 8 + parts[i].len, sizeof text);
		append_integer(text, &len, parts[i].len, 8);
		append(text, &len, parts[i].bytes, parts[i].len);
	}
	oracle_shake(bits, text, len, out, out_len);
}

/* --- the group and its members -----------------------------------------------------------------
 */

void slow_public(const vldaa_oneshot_set *n, uint32_t which, const uint8_t *payload, int64_t *out)
{
	const uint8_t number[4] = {0, 0, 0, (uint8_t)which};
	const vldaa_bytes parts[2] = {{payload, 32 + 14 * n->N / 8}, {number, sizeof number}};
	uint8_t stream[4096];
	size_t done = 0;

	slow_hash(128, "VLDAA2 public", n->id, parts, 2, stream, sizeof stream);
	for (size_t i = 0; done < n->N; i += 2) {
		const int64_t x = stream[i] + 256 * stream[i + 1];

		ck_assert_uint_lt(i, sizeof stream - 2);
		if (x < 5 * 12289)
			out[done++] = planted_centred(x, 12289);
	}
}

void slow_times_d(const vldaa_oneshot_set *n, int64_t *out, const int64_t *d0, const int64_t *d1,
		  const int64_t *s)
{
	int64_t packed[2][VLDAA_OS_MAX_N] = {{0}}, product[VLDAA_OS_MAX_N];
	const uint32_t per = n->N / N;

	/* polynomial j is number j mod per of S_(j / per); its X is X^per there */
	for (size_t j = 0; j < n->mldsa->l; j++) {
		for (size_t i = 0; i < N; i++)
			packed[j / per][i * per + j % per] = s[j * N + i];
	}
	planted_times(n->N, out, d0, packed[0]);
	planted_times(n->N, product, d1, packed[1]);
	for (size_t i = 0; i < n->N; i++)
		out[i] += product[i];
}

void slow_times_bx(const vldaa_oneshot_set *n, int64_t *out, const int64_t *bx, const uint8_t *x)
{
	int64_t packed[VLDAA_OS_MAX_N] = {0};

	for (size_t i = 0; i < 256; i++)
		packed[i * n->N / 256] = x[i / 8] >> i % 8 & 1;
	planted_times(n->N, out, bx, packed);
}

/* --- pseudonyms --------------------------------------------------------------------------------
 */

void slow_rho(const slow_nym *y, uint8_t rho[32])
{
	const vldaa_bytes parts[2] = {{y->key_id, 32}, y->basename};

	slow_hash(256, "VLDAA2 nym", y->n->id, parts, 2, rho, 32);
}

void slow_key(const slow_nym *y, uint8_t key[32])
{
	uint8_t rho[32];
	const vldaa_bytes parts[4] = {{y->prf_key, 32}, {y->key_id, 32}, y->basename, {rho, 32}};

	slow_rho(y, rho);
	slow_hash(256, "VLDAA2 K", y->n->id, parts, 4, key, 32);
}

void slow_draw(const slow_nym *y, uint32_t counter, int64_t *s2)
{
	const size_t all = (size_t)y->n->mldsa->k * N;
	const uint8_t number[4] = {(uint8_t)(counter >> 24), (uint8_t)(counter >> 16),
				   (uint8_t)(counter >> 8), (uint8_t)counter};
	uint8_t rho[32], stream[2048];
	const vldaa_bytes parts[5] = {
	    {y->prf_key, 32}, {y->key_id, 32}, y->basename, {rho, 32}, {number, sizeof number}};
	size_t done = 0;

	slow_rho(y, rho);
	slow_hash(256, "VLDAA2 s2", y->n->id, parts, 5, stream, sizeof stream);
	/* the lower half-byte first; 15 is passed over */
	for (size_t i = 0; done < all; i++) {
		const int64_t x = stream[i / 2] >> 4 * (i % 2) & 15;

		ck_assert_uint_lt(i, 2 * sizeof stream - 1);
		if (x < 15)
			s2[done++] = 2 - x % 5;
	}
}

uint32_t slow_s2(const slow_nym *y, int64_t *s2)
{
	/* ||s2||^2, and the same of the proven rows */
	const uint64_t all = y->n->N == 512 ? 2400 : 4600, proven = y->n->N == 512 ? 600 : 1200;
	const size_t rows = y->n->N == 512 ? 1 : 2;
	uint32_t counter = 0;

	do {
		slow_draw(y, counter++, s2);
	} while (planted_norm2(s2, (size_t)y->n->mldsa->k * N) > all ||
		 planted_norm2(s2, rows * N) > proven);
	return counter - 1;
}

/* --- ExpandA -----------------------------------------------------------------------------------
 */

static int64_t power(int64_t base, size_t exponent)
{
	int64_t x = 1;

	for (; exponent > 0; exponent--)
		x = x * base % Q1;
	return x;
}

static size_t reversed(size_t i)
{
	size_t out = 0;

	for (size_t bit = 0; bit < 8; bit++)
		out |= (i >> bit & 1) << (7 - bit);
	return out;
}

void slow_matrix_entry(const uint8_t rho[32], uint32_t row, uint32_t column, int64_t out[N])
{
	static int64_t roots[512]; /* powers of zeta = 1753, which has order 512 */
	uint8_t text[34], stream[1024];
	int64_t hat[N];
	size_t done = 0;

	if (!roots[0]) {
		for (size_t i = 0; i < 512; i++)
			roots[i] = power(1753, i);
	}
	memcpy(text, rho, 32);
	text[32] = (uint8_t)column;
	text[33] = (uint8_t)row;
	oracle_shake(128, text, sizeof text, stream, sizeof stream);
	/* RejNTTPoly (FIPS 204, Algorithm 30): 23 bits of three bytes */
	for (size_t i = 0; done < N; i += 3) {
		const int64_t x =
		    stream[i] + 256 * stream[i + 1] + 65536 * (stream[i + 2] & INT64_C(127));

		ck_assert_uint_lt(i, sizeof stream - 3);
		if (x < Q1)
			hat[done++] = x;
	}
	/* Value 2 i is at z = zeta^brv(128 + i), value 2 i + 1 at -z (section 2.5): interpolation. */
	for (size_t j = 0; j < N; j++) {
		int64_t sum = 0;

		for (size_t i = 0; i < N; i++) {
			const size_t e = reversed(128 + i / 2) + (i % 2 ? 256 : 0);

			sum = (sum + hat[i] * roots[(512 - e * j % 512) % 512]) % Q1;
		}
		out[j] = planted_centred(sum * 8347681, Q1); /* 256^-1 */
	}
}
