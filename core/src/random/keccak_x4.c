/*
 * Keccak-f[1600] of four states.  With AVX2 (checked at run time) a vector holds one lane of each,
 * and a round is the portable one (keccak.c) in vectors; without, the states go one by one.
 */
#include "random/keccak.h"

#if defined(__GNUC__) && defined(__x86_64__)

#include <immintrin.h>

/* 0 < n < 64. */
__attribute__((target("avx2"))) static inline __m256i rotl(__m256i x, int n)
{
	return _mm256_or_si256(_mm256_slli_epi64(x, n), _mm256_srli_epi64(x, 64 - n));
}

__attribute__((target("avx2"))) static inline __m256i eor(__m256i a, __m256i b)
{
	return _mm256_xor_si256(a, b);
}

/* Theta's parity of a column. */
__attribute__((target("avx2"))) static inline __m256i parity(const __m256i *in)
{
	return eor(eor(eor(in[0], in[5]), eor(in[10], in[15])), in[20]);
}

/* Rho of a lane after theta. */
__attribute__((target("avx2"))) static inline __m256i turn(__m256i lane, __m256i d, int n)
{
	return rotl(eor(lane, d), n);
}

/* Chi on one row. */
__attribute__((target("avx2"))) static inline void chi(__m256i row[5], __m256i b0, __m256i b1,
						       __m256i b2, __m256i b3, __m256i b4)
{
	row[0] = eor(b0, _mm256_andnot_si256(b1, b2));
	row[1] = eor(b1, _mm256_andnot_si256(b2, b3));
	row[2] = eor(b2, _mm256_andnot_si256(b3, b4));
	row[3] = eor(b3, _mm256_andnot_si256(b4, b0));
	row[4] = eor(b4, _mm256_andnot_si256(b0, b1));
}

__attribute__((target("avx2"))) static inline void
keccak_round(__m256i out[25], const __m256i in[25], uint64_t constant)
{
	const __m256i c0 = parity(in), c1 = parity(in + 1), c2 = parity(in + 2);
	const __m256i c3 = parity(in + 3), c4 = parity(in + 4);
	const __m256i d0 = eor(c4, rotl(c1, 1)), d1 = eor(c0, rotl(c2, 1));
	const __m256i d2 = eor(c1, rotl(c3, 1)), d3 = eor(c2, rotl(c4, 1));
	const __m256i d4 = eor(c3, rotl(c0, 1));

	chi(out, eor(in[0], d0), turn(in[6], d1, 44), turn(in[12], d2, 43), turn(in[18], d3, 21),
	    turn(in[24], d4, 14));
	chi(out + 5, turn(in[3], d3, 28), turn(in[9], d4, 20), turn(in[10], d0, 3),
	    turn(in[16], d1, 45), turn(in[22], d2, 61));
	chi(out + 10, turn(in[1], d1, 1), turn(in[7], d2, 6), turn(in[13], d3, 25),
	    turn(in[19], d4, 8), turn(in[20], d0, 18));
	chi(out + 15, turn(in[4], d4, 27), turn(in[5], d0, 36), turn(in[11], d1, 10),
	    turn(in[17], d2, 15), turn(in[23], d3, 56));
	chi(out + 20, turn(in[2], d2, 62), turn(in[8], d3, 55), turn(in[14], d4, 39),
	    turn(in[15], d0, 41), turn(in[21], d1, 2));
	out[0] = eor(out[0], _mm256_set1_epi64x((long long)constant));
}

__attribute__((target("avx2"))) static void keccak_avx2(uint64_t lane[25][4])
{
	__m256i a[25], b[25];

	for (int i = 0; i < 25; i++)
		a[i] = _mm256_loadu_si256((const __m256i *)(const void *)lane[i]);
	for (int i = 0; i < VLDAA_KECCAK_ROUNDS; i += 2) {
		keccak_round(b, a, vldaa_keccak_round_constant[i]);
		keccak_round(a, b, vldaa_keccak_round_constant[i + 1]);
	}
	for (int i = 0; i < 25; i++)
		_mm256_storeu_si256((__m256i *)(void *)lane[i], a[i]);
}

static int have_avx2(void)
{
	return __builtin_cpu_supports("avx2") != 0;
}

#else

static int have_avx2(void)
{
	return 0;
}

static void keccak_avx2(uint64_t lane[25][4])
{
	(void)lane;
}

#endif

static void one_by_one(uint64_t lane[25][4])
{
	for (int k = 0; k < 4; k++) {
		uint64_t state[25];

		for (int i = 0; i < 25; i++)
			state[i] = lane[i][k];
		vldaa_keccak_f1600(state);
		for (int i = 0; i < 25; i++)
			lane[i][k] = state[i];
	}
}

void vldaa_keccak_f1600_x4(uint64_t lane[25][4])
{
	if (have_avx2())
		keccak_avx2(lane);
	else
		one_by_one(lane);
}
