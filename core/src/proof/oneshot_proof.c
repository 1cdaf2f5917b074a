/* The one-shot proof's bytes: one string per proof.  See oneshot.h for the order. */
#include "proof/oneshot.h"

#include "wire/pack.h"

void vldaa_os_proof_layout(vldaa_os_proof *p, const vldaa_os_set *set,
			   const vldaa_os_statement_set *s, vldaa_arena *a)
{
	const vldaa_ring *r = &set->ring;

	p->ta1 = vldaa_arena_take(a, (size_t)set->n * VLDAA_OS_D * sizeof *p->ta1);
	p->tb = vldaa_arena_polys(a, r, VLDAA_OS_B_ROWS);
	p->z3 = vldaa_arena_polys(a, r, VLDAA_OS_MASK);
	p->h = vldaa_arena_polys(a, r, VLDAA_OS_PAIRS);
	p->z1 = vldaa_arena_polys(a, r, s->m1);
	p->z2 = vldaa_arena_polys(a, r, set->m2 - set->n);
	p->hint = vldaa_arena_polys(a, r, set->n);
}

/* Fields of `bits` bits, least significant first, zero padding of the last byte. */
static void put_fields(vldaa_writer *w, const uint64_t *v, size_t n, uint32_t bits)
{
	vldaa_u128 acc = 0;
	uint32_t have = 0;

	for (size_t i = 0; i < n; i++) {
		acc |= (vldaa_u128)v[i] << have;
		for (have += bits; have >= 8; have -= 8, acc >>= 8)
			vldaa_put_u8(w, (uint8_t)acc);
	}
	if (have > 0)
		vldaa_put_u8(w, (uint8_t)acc);
}

static void get_fields(vldaa_reader *rd, uint64_t *v, size_t n, uint32_t bits)
{
	vldaa_u128 acc = 0;
	uint32_t have = 0;

	for (size_t i = 0; i < n; i++) {
		for (; have < bits; have += 8)
			acc |= (vldaa_u128)vldaa_get_u8(rd) << have;
		v[i] = (uint64_t)acc & ((UINT64_C(1) << bits) - 1);
		acc >>= bits;
		have -= bits;
	}
	if (acc != 0)
		vldaa_get_fail(rd, VLDAA_ERR_ENCODING);
}

/* h without coefficients 0 and 32 of its elements. */
enum { H_FIELDS = VLDAA_OS_PAIRS * (VLDAA_OS_D - 2) };

static size_t h_place(size_t field)
{
	const size_t element = field / (VLDAA_OS_D - 2);
	const size_t i = field % (VLDAA_OS_D - 2);

	return element * VLDAA_OS_D + (i < VLDAA_OS_D / 2 - 1 ? i + 1 : i + 2);
}

int vldaa_os_within(const vldaa_ring *r, const vldaa_os_block *b, const int64_t *z, size_t elements)
{
	const vldaa_u128 bound = (vldaa_u128)b->bound2_high << 64 | b->bound2_low;
	vldaa_u128 norm2 = 0;

	for (size_t i = 0; i < elements; i++)
		norm2 += vldaa_poly_norm2(r, z + i * VLDAA_OS_D);
	return norm2 <= bound;
}

static int put_block(const vldaa_ring *r, const vldaa_os_block *b, vldaa_writer *w,
		     const int64_t *z, size_t elements)
{
	if (!vldaa_os_within(r, b, z, elements))
		return VLDAA_ERR_NORM;
	vldaa_rice_encode_vartime(w, z, elements * VLDAA_OS_D, b->rice);
	return VLDAA_OK;
}

static void get_block(const vldaa_ring *r, const vldaa_os_block *b, vldaa_reader *rd, int64_t *z,
		      size_t elements)
{
	vldaa_rice_decode_vartime(rd, z, elements * VLDAA_OS_D, b->rice, b->max);
	if (!rd->error && !vldaa_os_within(r, b, z, elements))
		vldaa_get_fail(rd, VLDAA_ERR_NORM);
}

int vldaa_os_proof_put(const vldaa_os_set *set, const vldaa_os_statement_set *s, vldaa_writer *w,
		       const vldaa_os_proof *p)
{
	const vldaa_ring *r = &set->ring;
	uint64_t fields[H_FIELDS];
	const int64_t *z1 = p->z1;
	const size_t before = w->len;

	for (size_t i = 0; i < set->n; i++) {
		for (size_t j = 0; j < VLDAA_OS_D; j++)
			fields[j] = p->ta1[i * VLDAA_OS_D + j];
		put_fields(w, fields, VLDAA_OS_D, r->q_bits - set->cut);
	}
	for (size_t i = 0; i < VLDAA_OS_B_ROWS; i++)
		vldaa_pack_uniform(r, w, p->tb + i * VLDAA_OS_D);
	if (put_block(r, &s->z3, w, p->z3, VLDAA_OS_MASK))
		return VLDAA_ERR_NORM;
	for (size_t i = 0; i < H_FIELDS; i++) {
		const int64_t x = p->h[h_place(i)];

		fields[i] = (uint64_t)(x < 0 ? x + r->q : x);
	}
	put_fields(w, fields, H_FIELDS, r->q_bits);
	vldaa_put_bytes(w, p->seed, sizeof p->seed);
	for (uint32_t i = 0; i < s->blocks; i++) {
		if (put_block(r, &s->block[i], w, z1, s->block[i].elements))
			return VLDAA_ERR_NORM;
		z1 += (size_t)s->block[i].elements * VLDAA_OS_D;
	}
	if (put_block(r, &s->z2, w, p->z2, set->m2 - set->n))
		return VLDAA_ERR_NORM;
	for (size_t i = 0; i < (size_t)set->n * VLDAA_OS_D; i++) {
		if (p->hint[i] > VLDAA_OS_MAX_HINT || p->hint[i] < -VLDAA_OS_MAX_HINT)
			return VLDAA_ERR_NORM;
	}
	vldaa_rice_encode_vartime(w, p->hint, (size_t)set->n * VLDAA_OS_D, 0);
	return w->len - before <= s->max_bytes ? VLDAA_OK : VLDAA_ERR_NORM;
}

void vldaa_os_proof_get(const vldaa_os_set *set, const vldaa_os_statement_set *s, vldaa_reader *rd,
			vldaa_os_proof *p)
{
	const vldaa_ring *r = &set->ring;
	uint64_t fields[H_FIELDS];
	int64_t *z1 = p->z1;

	for (size_t i = 0; i < set->n; i++) {
		get_fields(rd, fields, VLDAA_OS_D, r->q_bits - set->cut);
		for (size_t j = 0; j < VLDAA_OS_D; j++)
			p->ta1[i * VLDAA_OS_D + j] = (uint32_t)fields[j];
	}
	for (size_t i = 0; i < VLDAA_OS_B_ROWS; i++)
		vldaa_unpack_uniform(r, rd, p->tb + i * VLDAA_OS_D);
	get_block(r, &s->z3, rd, p->z3, VLDAA_OS_MASK);
	get_fields(rd, fields, H_FIELDS, r->q_bits);
	for (size_t i = 0; i < VLDAA_OS_PAIRS * VLDAA_OS_D; i++)
		p->h[i] = 0;
	for (size_t i = 0; i < H_FIELDS; i++) {
		const int64_t x = (int64_t)fields[i];

		if (x >= r->q)
			vldaa_get_fail(rd, VLDAA_ERR_RANGE);
		p->h[h_place(i)] = x > r->q / 2 ? x - r->q : x;
	}
	vldaa_get_bytes(rd, p->seed, sizeof p->seed);
	for (uint32_t i = 0; i < s->blocks; i++) {
		get_block(r, &s->block[i], rd, z1, s->block[i].elements);
		z1 += (size_t)s->block[i].elements * VLDAA_OS_D;
	}
	get_block(r, &s->z2, rd, p->z2, set->m2 - set->n);
	vldaa_rice_decode_vartime(rd, p->hint, (size_t)set->n * VLDAA_OS_D, 0, VLDAA_OS_MAX_HINT);
}
