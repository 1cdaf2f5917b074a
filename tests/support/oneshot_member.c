/* See oneshot_member.h. */
#include "oneshot_member.h"

#include <check.h>
#include <string.h>

#include "planted.h"
#include "role/verifier_state.h"
#include "wire/pack.h"

/* header | block: group key | secret | joined (1) | fleet key (32) | block: revocation key
 *   | block: credential */
uint8_t *oneshot_member_record(car *c, size_t *len, size_t *secret_at)
{
	size_t i = 0;

	while (i < c->store.count && c->store.rows[i].record != VLDAA_RECORD_MEMBER)
		i++;
	ck_assert_uint_lt(i, c->store.count);
	*len = c->store.rows[i].len;
	*secret_at = VLDAA_OBJECT_HEADER + 4 + c->world->group_key.len;
	ck_assert_uint_gt(*len, *secret_at);
	return c->store.rows[i].value;
}

uint64_t packed_field(const uint8_t *bytes, uint32_t bits, size_t index)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bits; i++) {
		const size_t at = index * bits + i;

		value |= (uint64_t)(bytes[at / 8] >> at % 8 & 1) << i;
	}
	return value;
}

void packed_field_set(uint8_t *bytes, uint32_t bits, size_t index, uint64_t value)
{
	for (size_t i = 0; i < bits; i++) {
		const size_t at = index * bits + i;

		bytes[at / 8] &= (uint8_t) ~(1U << at % 8);
		bytes[at / 8] |= (uint8_t)((value >> i & 1) << at % 8);
	}
}

/* s and e_T: 3 bits a coefficient, 2 more than it. */
static void read_small(vldaa_reader *rd, int64_t *out, size_t n)
{
	const uint8_t *bytes = vldaa_get_view(rd, 3 * n / 8);

	ck_assert_ptr_nonnull(bytes);
	for (size_t i = 0; i < n; i++)
		out[i] = (int64_t)packed_field(bytes, 3, i) - 2;
}

void oneshot_member_read(oneshot_member *m, car *c)
{
	size_t len, at;
	const uint8_t *record = oneshot_member_record(c, &len, &at);
	vldaa_bytes credential;
	vldaa_reader rd;

	memset(m, 0, sizeof *m);
	m->n = vldaa_oneshot_numbers(c->world->set);
	vldaa_get_init(&rd, record + at, len - at);
	read_small(&rd, m->s, (size_t)m->n->mldsa->l * VLDAA_MLDSA_N);
	read_small(&rd, m->e_t, m->n->N);
	vldaa_get_bytes(&rd, m->prf_key, sizeof m->prf_key);
	m->joined = vldaa_get_u8(&rd);
	if (m->joined) {
		vldaa_reader v;

		(void)vldaa_get_view(&rd, 32);
		(void)vldaa_get_bytes_block(&rd, len);
		credential = vldaa_get_bytes_block(&rd, len);
		vldaa_get_init(&v, credential.bytes, credential.len);
		vldaa_get_bytes(&v, m->credential.x, sizeof m->credential.x);
		vldaa_rice_decode_vartime(&v, m->credential.v2, m->n->N, m->n->v2_rice,
					  m->n->v2_max);
		ck_assert_int_eq(vldaa_get_end(&v), VLDAA_OK);
	}
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
}

const vldaa_os_group *oneshot_group_of(const world *w)
{
	return w->verifier->group.context;
}

vldaa_os_proof *oneshot_proof_new(const vldaa_os_set *set, const vldaa_os_statement_set *s,
				  const uint8_t *bytes, size_t len)
{
	vldaa_arena a;
	vldaa_os_proof local, *p;
	vldaa_reader rd;

	vldaa_arena_init(&a, NULL, SIZE_MAX);
	(void)vldaa_arena_take(&a, sizeof *p);
	vldaa_os_proof_layout(&local, set, s, &a);
	vldaa_arena_init(&a, planted_memory(a.used), a.used);
	p = vldaa_arena_take(&a, sizeof *p);
	ck_assert_ptr_nonnull(p);
	vldaa_os_proof_layout(p, set, s, &a);
	vldaa_get_init(&rd, bytes, len);
	vldaa_os_proof_get(set, s, &rd, p);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
	return p;
}
