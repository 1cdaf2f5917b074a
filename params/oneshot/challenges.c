#include "oneshot/challenges.h"

#include "oneshot/sets.h"
#include "tables/tables.h"

#include <math.h>

enum { HALF = VLDAA_ONESHOT_DEGREE / 2, DRAWN = 400000, VALUES = 2 * VLDAA_ONESHOT_KAPPA + 1 };

/* Steele, Lea, Flood, OOPSLA 2014. */
uint64_t vldaa_oneshot_random(uint64_t *state)
{
	*state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = *state;
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* table[j][i] = 2^30 cos(pi (2j+1) i / 64), by symmetry from a quarter of a turn. */
static void fill_table(int64_t table[HALF][HALF])
{
	int32_t quarter[VLDAA_TABLE_COSINES];
	vldaa_table_cosines(quarter);
	for (uint32_t j = 0; j < HALF; j++)
		for (uint32_t i = 0; i < HALF; i++) {
			uint32_t k = (2 * j + 1) * i % (2 * VLDAA_ONESHOT_DEGREE);
			if (k > VLDAA_ONESHOT_DEGREE)
				k = 2 * VLDAA_ONESHOT_DEGREE - k;
			table[j][i] = k <= HALF ? quarter[k] : -quarter[VLDAA_ONESHOT_DEGREE - k];
		}
}

static int is_kept(const int64_t c[HALF], int64_t table[HALF][HALF])
{
	const int64_t bound = (int64_t)VLDAA_ONESHOT_ETA << 30;
	for (uint32_t j = 0; j < HALF; j++) {
		int64_t sum = c[0] * (INT64_C(1) << 30);
		for (uint32_t i = 1; i < HALF; i++)
			sum += 2 * c[i] * table[j][i];
		if (sum > bound || sum < -bound)
			return 0;
	}
	return 1;
}

/*
 * Chernoff's bound for a binomial: with probability `low` each, a share `seen` > low of n draws has
 * probability at most exp(-n D(seen || low)), D the relative entropy.
 */
static double log2_doubt(double n, double seen, double low)
{
	if (seen <= low)
		return 0.0;
	double entropy = seen * log(seen / low) + (1.0 - seen) * log((1.0 - seen) / (1.0 - low));
	return -n * entropy / log(2.0);
}

void vldaa_oneshot_count_challenges(vldaa_challenge_count *out)
{
	int64_t table[HALF][HALF];
	uint64_t state = 1;
	double norm2 = 0.0;
	fill_table(table);
	*out = (vldaa_challenge_count){.drawn = DRAWN};
	for (uint32_t n = 0; n < DRAWN; n++) {
		int64_t c[HALF];
		int64_t square = 0;
		for (uint32_t i = 0; i < HALF; i++) {
			/* 32 random bits over 19 values: each within 2^-27 of its share */
			uint64_t r = vldaa_oneshot_random(&state) >> 32;
			c[i] = (int64_t)(r * VALUES >> 32) - VLDAA_ONESHOT_KAPPA;
			square += (i == 0 ? 1 : 2) * c[i] * c[i];
		}
		if (!is_kept(c, table))
			continue;
		out->kept++;
		norm2 += (double)square;
	}
	double share = (double)out->kept / DRAWN;
	out->all_bits = HALF * log2(VALUES);
	out->bits = out->all_bits + log2(share);
	out->doubt = log2_doubt(DRAWN, share, exp2(128.0 - out->all_bits));
	out->norm2 = out->kept > 0 ? norm2 / out->kept : 0.0;
}
