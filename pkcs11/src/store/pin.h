/*
 * PINs: each wraps the token's master key.  A try is paid for, durably, before the PIN is looked
 * at, and all tries of all processes queue at one lock: there are never more guesses than tries,
 * however many processes guess at once or are killed in between, and honest ones do not use up each
 * other's.
 */
#ifndef VLDAA_P11_PIN_H
#define VLDAA_P11_PIN_H

#include "store.h"

enum vldaa_p11_role { VLDAA_P11_SO = 0, VLDAA_P11_USER = 1 };
enum { VLDAA_P11_PIN_MIN = 4, VLDAA_P11_PIN_MAX = 255, VLDAA_P11_TRIES = 10 };

typedef struct {
	int exists;
	int64_t tries; /* left */
	int64_t allowed;
} vldaa_p11_pin_state;

int vldaa_p11_pin_get(const vldaa_p11_store *s, enum vldaa_p11_role role,
		      vldaa_p11_pin_state *state);
/* Sets the PIN, with all its tries, at once: there is the old one or the new one. */
int vldaa_p11_pin_set(vldaa_p11_store *s, enum vldaa_p11_role role, const uint8_t *pin, size_t len,
		      const uint8_t master[VLDAA_P11_KEY_BYTES]);
/* The master key for a PIN: VLDAA_P11_ERR_PIN, VLDAA_P11_ERR_LOCKED, VLDAA_P11_ERR_NO_PIN. */
int vldaa_p11_pin_check(vldaa_p11_store *s, enum vldaa_p11_role role, const uint8_t *pin,
			size_t len, uint8_t master[VLDAA_P11_KEY_BYTES]);
/* Check and set, which no other process comes between. */
int vldaa_p11_pin_change(vldaa_p11_store *s, enum vldaa_p11_role role, const uint8_t *old_pin,
			 size_t old_len, const uint8_t *new_pin, size_t new_len);

/* --- the parts, for who initialises a token --------------------------------------------------- */

/* The queue: who looks at a PIN or sets one is alone between these. */
int vldaa_p11_pin_queue(const vldaa_p11_store *s, int *queue);
void vldaa_p11_pin_leave(int queue);
/* pin_check of who is in the queue. */
int vldaa_p11_pin_look(vldaa_p11_store *s, enum vldaa_p11_role role, const uint8_t *pin, size_t len,
		       uint8_t master[VLDAA_P11_KEY_BYTES]);

/* The master key wrapped by a PIN, which takes its time; and the writing of it, in the caller's
 * transaction. */
typedef struct {
	uint8_t salt[VLDAA_P11_SALT_BYTES];
	vldaa_p11_cost cost;
	uint8_t wrapped[VLDAA_P11_KEY_BYTES + VLDAA_P11_SEAL_OVERHEAD];
} vldaa_p11_pin_row;
int vldaa_p11_pin_wrap(const vldaa_p11_identity *token, enum vldaa_p11_role role,
		       const uint8_t *pin, size_t len, const uint8_t master[VLDAA_P11_KEY_BYTES],
		       vldaa_p11_pin_row *row);
int vldaa_p11_pin_write(const vldaa_p11_store *s, enum vldaa_p11_role role,
			const vldaa_p11_pin_row *row);

#endif
