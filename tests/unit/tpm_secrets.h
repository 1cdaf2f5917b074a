/*
 * What of a member must not stay behind in memory, in the forms in which it may lie there.  Each
 * secret is looked for in pieces that are long enough not to be anything else.
 */
#ifndef VLDAA_TEST_TPM_SECRETS_H
#define VLDAA_TEST_TPM_SECRETS_H

#include "../support/world.h"

enum { SECRETS_MAX = 16 };

typedef struct {
	struct {
		const char *what;
		uint8_t *bytes;
		size_t len;
		size_t piece, step; /* bytes */
		uint8_t *sieve;     /* which hashes its pieces have */
	} of[SECRETS_MAX];
	size_t count;
} secrets;

/* The member key: as the store has it, and decoded. */
void secrets_add_key(secrets *s, car *c);
/* A one-shot set's credential, as the store has it, and decoded. */
void secrets_add_credential(secrets *s, car *c);
/*
 * What a one-shot set's Create had besides: the pseudonym's own secrets, the witness, the proof's
 * randomness and masks.  The reply was made to this call when the car's source stood at `counter`;
 * it is made once more, in memory that is not wiped.
 */
void secrets_add_create(secrets *s, car *c, buffer call, uint64_t counter, buffer reply);
void secrets_free(secrets *s);

/* Which one has a piece there; NULL: none. */
const char *secrets_found(const secrets *s, const unsigned char *memory, size_t len);

#endif
