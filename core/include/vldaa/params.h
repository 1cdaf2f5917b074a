/*
 * Parameter sets.  A set names everything: the ring, the bounds, the proof system.  Sets are
 * constant tables; a pointer to one is valid for ever and may be shared by all threads.
 */
#ifndef VLDAA_PARAMS_H
#define VLDAA_PARAMS_H

#include <stddef.h>
#include <stdint.h>

#include "vldaa/error.h"

typedef struct vldaa_set vldaa_set;

/* The set of this name ("VLDAA2-44"), letter case ignored; NULL when there is none. */
VLDAA_API const vldaa_set *vldaa_set_by_name(const char *name);
/* The set with this identifier of encodings; NULL when there is none. */
VLDAA_API const vldaa_set *vldaa_set_by_id(uint32_t id);
/* All sets: index 0, 1, ... until NULL.  The first is the default: VLDAA2-44. */
VLDAA_API const vldaa_set *vldaa_set_at(size_t index);

VLDAA_API const char *vldaa_set_name(const vldaa_set *set);
VLDAA_API uint32_t vldaa_set_id(const vldaa_set *set);
/* Plain words about what the set does not give, for a user who chooses it; NULL: nothing to warn
 * of. */
VLDAA_API const char *vldaa_set_warning(const vldaa_set *set);
/* Bits of security of signatures and attestations against forgery, classical core-SVP.
 * 0: anybody can forge. */
VLDAA_API int vldaa_set_signature_bits(const vldaa_set *set);
/* Bits of security of the member's secret key against recovery from public values. */
VLDAA_API int vldaa_set_key_bits(const vldaa_set *set);
/* Bits of security of members' anonymity: against telling who made an attestation, or that two under
 * different basenames are one member's. */
VLDAA_API int vldaa_set_anonymity_bits(const vldaa_set *set);
/* What must be hard, or otherwise so, for these numbers to hold: one line, the assumptions separated
 * by "; ".  NULL for a set of which nothing is claimed. */
VLDAA_API const char *vldaa_set_assumptions(const vldaa_set *set);

/* Bytes of a bare signature (vldaa/host.h), always exactly this many: that of the ML-DSA set that
 * pseudonyms are keys of.  0: the set has no bare form. */
VLDAA_API size_t vldaa_set_bare_size(const vldaa_set *set);

#endif
