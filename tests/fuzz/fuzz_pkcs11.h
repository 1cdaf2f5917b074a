/*
 * What the token's fuzz targets share: the module with the three tokens of tests/pkcs11, made once,
 * the same in every run but for times; and inputs that are recipes, read from a tape.
 *
 * A recipe names honest objects by number, which this run has made, and edits them: so one damaged
 * byte of an attestation is an input of ten bytes, and reaches as far as its signature.  The kept
 * ones were written by hand, and do not grow stale with a format.
 */
#ifndef VLDAA_FUZZ_PKCS11_H
#define VLDAA_FUZZ_PKCS11_H

#include "../pkcs11/module.h"

/* --- inputs ------------------------------------------------------------------------------------
 */

typedef struct {
	const uint8_t *at;
	size_t left;
} tape;

/* Zeros after the end. */
uint8_t tape_byte(tape *t);
unsigned tape_u16(tape *t);

/* Bytes in a block of their own, of exactly their length, to free. */
bytes tape_raw(tape *t);
/* The same: one of the honest objects, edited; or raw ones. */
bytes tape_blob(tape *t);
/* Changes bytes, or where the end is: a count of edits, and the edits. */
void tape_edit(tape *t, bytes *b);

/* --- the world ---------------------------------------------------------------------------------
 */

/* Objects of every kind that goes between parties. */
enum {
	HONEST_GROUP,
	HONEST_ATTESTATION,
	HONEST_SIGNATURE,
	HONEST_COMPACT,
	HONEST_BARE,
	HONEST_ORDER,
	HONEST_NONCE,
	HONEST_REQUEST,
	HONEST_ANSWER,
	HONEST_CERTIFICATE,
	HONEST_CONFIRMATION,
	HONEST_TOKEN,
	HONEST_ROGUE_LIST,
	HONEST_REVOKED_LIST,
	HONEST_ROOTS,
	HONEST_SPKI,
	HONESTS
};
extern bytes honest[HONESTS];

/*
 * Sessions of the users of ISSUER, CAR and BLANK.  BLANK has a member key that waits for
 * HONEST_ANSWER; CAR is to obey HONEST_ORDER; HONEST_REQUEST is another member's, to be answered.
 */
extern CK_SESSION_HANDLE user[3];

/* Made by the first call, with a group of this set. */
void fuzz_token_enter(const char *set);
/* As it was, whatever was written, and nothing in progress. */
void fuzz_token_reset(void);
/* Where each token's files lie. */
const char *fuzz_token_directory(int place);

/* A code that says what is wrong, and not that something is wrong with the token. */
void require_code(CK_RV rv);

#endif
