/* See damage.h. */
#include "damage.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "role/evp.h"

int all_zero(const void *p, size_t len)
{
	const uint8_t *bytes = p;

	for (size_t i = 0; i < len; i++) {
		if (bytes[i])
			return 0;
	}
	return 1;
}

int is_refusal(int err)
{
	return vldaa_error_class(err) == VLDAA_CLASS_INVALID &&
	       strcmp(vldaa_error_name(err), "UNKNOWN") != 0;
}

/* The first and last bytes of an object, where lengths, names and padding are, and how many places
 * are looked at between them. */
static const struct plan {
	size_t head, tail, samples;
} plans[] = {
    [EVERYTHING] = {SIZE_MAX, 0, 0},
    [MUCH] = {64, 16, 100},
    [LITTLE] = {VLDAA_OBJECT_HEADER, 2, 24},
};

/* A copy of exactly len bytes, so that reading behind them is noticed. */
static void try_copy(const uint8_t *in, size_t len, damage d, attempt *try, void *ctx)
{
	buffer copy = buffer_new(len);

	memcpy(copy.data, in, len);
	copy.len = len;
	try(ctx, copy.data, len, d);
	buffer_free(&copy);
}

static int at_an_end(size_t at, size_t len, const struct plan *p)
{
	return at < p->head || at + p->tail >= len;
}

/* The byte after `at` that is looked at next. */
static size_t next_place(size_t at, size_t len, const struct plan *p)
{
	size_t next = at + 1;

	if (at_an_end(next, len, p))
		return next;
	next = at + (len - p->head) / p->samples + 1;
	return next < len - p->tail ? next : len - p->tail;
}

static void flip_bits(uint8_t *bytes, size_t len, const struct plan *p, attempt *try, void *ctx)
{
	size_t turn = 0;

	for (size_t at = 0; at < len; at = next_place(at, len, p)) {
		for (unsigned bit = 0; bit < 8; bit++) {
			if (!at_an_end(at, len, p) && bit != turn % 8)
				continue;
			bytes[at] ^= (uint8_t)(1U << bit);
			try_copy(bytes, len, (damage){.at = at}, try, ctx);
			bytes[at] ^= (uint8_t)(1U << bit);
		}
		turn++;
	}
}

static void change_header(uint8_t *bytes, size_t len, attempt *try, void *ctx)
{
	for (size_t at = 0; at < VLDAA_OBJECT_HEADER && at < len; at++) {
		const uint8_t was = bytes[at];

		for (unsigned value = 0; value < 256; value++) {
			bytes[at] = (uint8_t)value;
			if (value != was)
				try_copy(bytes, len, (damage){.at = at}, try, ctx);
		}
		bytes[at] = was;
	}
}

void try_all_damage(buffer object, enum effort effort, attempt *try, void *ctx)
{
	static const uint8_t more[] = {0x00, 0xff};
	const struct plan *p = &plans[effort];
	buffer b = buffer_new(object.len + 1);

	memcpy(b.data, object.data, object.len);
	for (size_t len = 0; len < object.len; len = next_place(len, object.len, p))
		try_copy(b.data, len, (damage){.at = len, .cut = 1}, try, ctx);
	for (size_t i = 0; i < sizeof more; i++) {
		b.data[object.len] = more[i];
		try_copy(b.data, object.len + 1, (damage){.at = object.len, .longer = 1}, try, ctx);
	}
	if (effort != LITTLE)
		change_header(b.data, object.len, try, ctx);
	flip_bits(b.data, object.len, p, try, ctx);
	ck_assert_mem_eq(b.data, object.data, object.len);
	buffer_free(&b);
}

store_state store_now(const memory_store *s)
{
	store_state sum = {{0}};

	for (size_t i = 0; i < s->count; i++) {
		const size_t head = sizeof s->rows[i].record + VLDAA_RECORD_NAME;
		uint8_t row_digest[32];
		buffer row = buffer_new(head + s->rows[i].len);

		memcpy(row.data, &s->rows[i].record, sizeof s->rows[i].record);
		memcpy(row.data + sizeof s->rows[i].record, s->rows[i].name, VLDAA_RECORD_NAME);
		memcpy(row.data + head, s->rows[i].value, s->rows[i].len);
		ck_assert_int_eq(vldaa_evp_sha256(row_digest, row.data, row.len), VLDAA_OK);
		buffer_free(&row);
		/* The order of rows says nothing. */
		for (size_t k = 0; k < sizeof row_digest; k++)
			sum.digest[k] ^= row_digest[k];
	}
	return sum;
}

int store_same(const memory_store *s, store_state before)
{
	const store_state now = store_now(s);

	return memcmp(now.digest, before.digest, sizeof now.digest) == 0;
}

memory_store store_copy(const memory_store *s)
{
	memory_store copy = *s;

	for (size_t i = 0; i < s->count; i++) {
		copy.rows[i].value = buffer_new(s->rows[i].len).data;
		memcpy(copy.rows[i].value, s->rows[i].value, s->rows[i].len);
	}
	return copy;
}

void store_clear(memory_store *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->rows[i].value);
	s->count = 0;
}

vldaa_attestation *world_attestation(world *w, buffer attestation)
{
	vldaa_attestation *a = NULL;

	ck_assert_int_eq(vldaa_attestation_new(&a, w->verifier, attestation.data, attestation.len),
			 VLDAA_OK);
	return a;
}

buffer world_order(world *w, const vldaa_attestation *a, enum vldaa_revoke_mode mode,
		   uint64_t sequence, buffer *clear)
{
	const vldaa_order_terms terms = {mode, 7, sequence, w->now + 1000};
	buffer sealed = buffer_new(vldaa_object_max_size(w->set, VLDAA_KIND_SEALED_ORDER));

	*clear = buffer_new(vldaa_object_max_size(w->set, VLDAA_KIND_ORDER));
	ck_assert_int_eq(vldaa_order_new(a, &terms, w->revocation.pkcs8.data,
					 w->revocation.pkcs8.len, w->fleet_key, clear->data,
					 clear->len, &clear->len, sealed.data, sealed.len,
					 &sealed.len),
			 VLDAA_OK);
	return sealed;
}
