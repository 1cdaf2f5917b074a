/* One set's story, told in JSON: what generate.c tells of every set, and what only a scheme knows. */
#ifndef VLDAA_TEST_STORY_H
#define VLDAA_TEST_STORY_H

#include <check.h>

#include "../support/world.h"
#include "json.h"
#include "role/tpm_state.h"

typedef struct story story;

/* What a scheme adds. */
typedef struct {
	/* what everybody derives from the group key */
	void (*public_elements)(story *s, const vldaa_group_key *key);
	/* what the TPM's proof in a join request goes through */
	void (*request)(story *s, vldaa_bytes request);
	/* what the TPM keeps of the credential */
	void (*joined)(story *s);
	/* one pseudonym, as an element of an array */
	void (*pseudonym)(story *s, vldaa_bytes basename);
	/* what the proof in s->attestation goes through */
	void (*attestation)(story *s);
} details;

extern const details published_details, oneshot_details;

struct story {
	const char *directory;
	const details *details;
	char name[64]; /* of the files, without their ends */
	json json;
	world world;
	car car;
	buffer attestation;
	vldaa_attestation *verified;
};

#define story_basename "crossing 12"

void must(int ok, const char *what);
/* The object's length and digest, and the object itself: here, or in a file beside. */
void put_object(story *s, const char *name, const void *bytes, size_t len);
/* The digest alone, of what follows from other fields. */
void put_digest(story *s, const char *name, const void *bytes, size_t len);
/* The seed that the source gives next. */
void put_seed(story *s, const char *name, const test_random *source);

#endif
