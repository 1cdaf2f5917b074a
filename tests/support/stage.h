/*
 * A member in the middle of everything: joined, with every object of Join, Create and Revoke that
 * is on its way, and buffers for outputs.  One in a process.
 */
#ifndef VLDAA_TEST_STAGE_H
#define VLDAA_TEST_STAGE_H

#include "damage.h"

enum { STAGE_BUFFER = 131072 };

typedef struct {
	world w;
	car c;
	buffer nonce, call, request, answer; /* of a second Join, which the issuer checked last */
	buffer create_call, reply;           /* of a Create that the host has begun */
	buffer att;                          /* under the basename "one" */
	buffer order, sealed;                /* against it */
	vldaa_attestation *a;
	const uint8_t *key_id;
	uint8_t out[STAGE_BUFFER], second[STAGE_BUFFER];
	size_t len, second_len;
} stage_state;

extern stage_state t;
extern const uint8_t stage_nonce[VLDAA_NONCE_BYTES];

void stage_set_up(const vldaa_set *set);
void stage_tear_down(void);
/* Fills both outputs with 0xaa and sets their lengths to 1. */
void stage_spoil(void);

#endif
