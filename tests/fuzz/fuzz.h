/*
 * What the fuzz targets share.  A target is one function of libFuzzer's shape; linked with replay.c
 * instead of libFuzzer it runs over the kept inputs.
 *
 * Inputs are objects as they come from outside.  A target's world belongs to the parameter set that
 * the input's header names (VLDAA-42 when it names none), and is the same in every run.
 */
#ifndef VLDAA_FUZZ_H
#define VLDAA_FUZZ_H

#include "../support/damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Inputs that were taken for what they are; the kept ones have some of these. */
extern unsigned long fuzz_accepted;

/* Ends the program when a promise does not hold. */
void require(int holds);
/* Counts an input that was taken, and requires a named error and a zero output otherwise. */
void require_outcome(int err, const uint8_t *out, size_t cap, size_t len);

/*
 * A member at work.  Its TPM's services open sealed bytes by taking them as they are and find every
 * ordinary signature right, so that what lies behind encryption and signatures is reached too.
 */
typedef struct {
	world w;
	car c;
	buffer att, sig, compact, order, confirmation, token;
	vldaa_attestation *a;
	memory_store kept;       /* the TPM's store, to go back to */
	store_state kept_state;  /* of it */
	uint64_t create_counter; /* of c.random, for which the host keeps the reply to its call */
	buffer create_call, create_reply;
	uint8_t out[131072];
} fuzz_member;

/* Of the set that an input names, and of a set. */
fuzz_member *fuzz_member_for(const uint8_t *data, size_t size);
fuzz_member *fuzz_member_of(const vldaa_set *set);
/* Everything that an input may have changed is as it was. */
void fuzz_member_reset(fuzz_member *m);

#endif
