/* The group of a one-shot set: placing it in memory, and deriving its public elements. */
#ifndef VLDAA_ONESHOT_GROUP_H
#define VLDAA_ONESHOT_GROUP_H

#include "scheme/oneshot.h"

enum { VLDAA_OS_SEED_BYTES = 32 };

void vldaa_os_group_layout(vldaa_os_group *g, const vldaa_oneshot_set *n, vldaa_arena *a);
/* Payload: seed (32) | h, 14 bits a coefficient in [0, p). */
int vldaa_os_group_load(vldaa_os_group *g, const vldaa_set *set, const uint8_t *payload,
			const uint8_t *key_id);
size_t vldaa_os_group_payload(const vldaa_oneshot_set *n);

/* D s over the integers: out N coefficients, |out| < 2^25; s: l polynomials of 256. */
void vldaa_os_times_d(const vldaa_os_group *g, int64_t *out, const int64_t *s,
		      uint32_t *hat_scratch, int64_t *scratch);
/* h v_2 over the integers. */
void vldaa_os_times_h(const vldaa_os_group *g, int64_t *out, const int64_t *v2,
		      uint32_t *hat_scratch);
/* b_x X over the integers, X = x(X^(N/256)), x 256 bits. */
void vldaa_os_times_bx(const vldaa_os_group *g, int64_t *out, const uint8_t *x,
		       uint32_t *hat_scratch, int64_t *scratch);

#endif
