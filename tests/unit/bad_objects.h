/* What test_bad_objects.c (damaged objects) and bad_objects_honest.c (honest ones) share. */
#ifndef VLDAA_TEST_BAD_OBJECTS_H
#define VLDAA_TEST_BAD_OBJECTS_H

#include "../support/damage.h"

enum { HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES };
static const char message[] = "brake ahead";

/* One world, a member that has done everything once, a second one; each test runs in its own
 * process. */
struct bad_objects {
	world w;
	car c, other;
	vldaa_host *scratch_host;
	vldaa_verifier *scratch_verifier;
	vldaa_attestation *a;
	buffer object[VLDAA_KIND_REVOKED_LIST + 1];
	uint8_t *out; /* of out_cap bytes, for whatever a function gives */
	size_t out_cap;
	uint8_t bare[8192];
	size_t bare_len;
	uint64_t create_counter; /* of c.random, for which the host keeps the first reply */
};
extern struct bad_objects t;

buffer *object(enum vldaa_kind kind);
buffer copy_of(const uint8_t *p, size_t len);

/* One honest object of each kind, made by a member's whole life up to being revoked. */
void set_up(const vldaa_set *set);
void tear_down(void);
/* Everything that an honest member does, once more. */
void check_honest_work(void);

/* The issuer's and the authority's answer to these. */
int check_request(const uint8_t *in, size_t len);
int check_confirmation(const buffer *order, const buffer *confirmation, const buffer *token);
/* The host's first call of a Create whose masks are the same every time. */
size_t begin_create(uint8_t *call, size_t cap);

#endif
