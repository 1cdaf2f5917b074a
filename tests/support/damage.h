/*
 * Damage to byte strings, and what must not happen when damaged ones are refused.
 */
#ifndef VLDAA_TEST_DAMAGE_H
#define VLDAA_TEST_DAMAGE_H

#include "world.h"

/* Where a flipped bit, or a length, has its effect. */
typedef struct {
	size_t at;  /* the first byte that is not what it was; the length for a truncation */
	int longer; /* bytes were added */
	int cut;    /* bytes are missing */
} damage;

/* Tries the damaged bytes; asserts what it promises. */
typedef void attempt(void *ctx, const uint8_t *in, size_t len, damage d);

/* How much is tried. */
enum effort {
	EVERYTHING, /* every length, every bit */
	MUCH,       /* all of the first 64 bytes and of the last 16, and samples between them */
	LITTLE      /* the header, the last 2 bytes, and samples */
};

/*
 * Tries an object truncated, extended by one byte, with single bits flipped, and (unless the effort
 * is LITTLE) with each header byte changed to every other value.  The bytes that are tried are a
 * block of their own: reading past them is an error that the sanitizers see.
 */
void try_all_damage(buffer object, enum effort effort, attempt *try, void *ctx);

int all_zero(const void *p, size_t len);
/* 1 when err is a named code of the class INVALID, which says what is wrong with an object. */
int is_refusal(int err);

/* SHA-256 of all that a store holds, whatever its order. */
typedef struct {
	uint8_t digest[32];
} store_state;
store_state store_now(const memory_store *s);
int store_same(const memory_store *s, store_state before);
/* A store of its own with the same contents; what a store holds is freed. */
memory_store store_copy(const memory_store *s);
void store_clear(memory_store *s);

/* An order against the pseudonym of a verified attestation: what is broadcast, and the clear one.
 */
buffer world_order(world *w, const vldaa_attestation *a, enum vldaa_revoke_mode mode,
		   uint64_t sequence, buffer *clear);
vldaa_attestation *world_attestation(world *w, buffer attestation);

#endif
