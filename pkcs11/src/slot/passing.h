/*
 * Pseudonyms that member keys have made for signing without an object: Create is the expensive step,
 * and is done once a basename.
 *
 * VLDAA_P11_PASSING are kept; the one that was used longest ago goes, wiped as soon as nobody signs
 * with it.  Callers hold the slot's lock.
 */
#ifndef VLDAA_P11_PASSING_H
#define VLDAA_P11_PASSING_H

#include "slot.h"

/* This member key's pseudonym for this basename, with a reference for the caller; NULL: none. */
vldaa_p11_signer *vldaa_p11_passing_find(vldaa_p11_slot *slot, const vldaa_p11_object *member,
					 const uint8_t *basename, size_t basename_len);
/* One more; with a reference of its own. */
void vldaa_p11_passing_keep(vldaa_p11_slot *slot, const vldaa_p11_object *member,
			    vldaa_p11_signer *signer);
/* Forgets all: nobody is logged in any more, or something was revoked. */
void vldaa_p11_passing_clear(vldaa_p11_slot *slot);
/* Forgets those whose member key, always a token's object, is gone from the file or has changed. */
void vldaa_p11_passing_update(vldaa_p11_slot *slot);

#endif
