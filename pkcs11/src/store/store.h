/*
 * One token's directory: `token.db` with everything, `token.lock`, which serialises PIN checks.
 *
 * Whoever calls holds the slot's lock; other processes are kept apart by SQLite.  A `master` key is
 * what a PIN check gives (pin.h); functions that take one as possibly NULL do without what it opens.
 */
#ifndef VLDAA_P11_STORE_H
#define VLDAA_P11_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "cipher.h"
#include "database.h"

enum { VLDAA_P11_LABEL = 32, VLDAA_P11_SERIAL = 8, VLDAA_P11_INSTANCE = 16 };

typedef struct {
	uint8_t label[VLDAA_P11_LABEL];
	uint8_t serial[VLDAA_P11_SERIAL];
	uint8_t instance[VLDAA_P11_INSTANCE];
} vldaa_p11_identity;

/* Invariant: directory is set; db.db is NULL, or a token's file with this identity. */
typedef struct {
	char *directory;
	vldaa_p11_db db;
	vldaa_p11_identity identity;
	int moved; /* the file that was opened before was taken away: whatever is there is another */
} vldaa_p11_store;

/* Nothing is opened yet.  A relative directory is one of where the process is now, wherever it goes.
 * VLDAA_ERR_MEMORY. */
int vldaa_p11_store_new(vldaa_p11_store *s, const char *directory);
void vldaa_p11_store_free(vldaa_p11_store *s);
/* The same, but what SQLite has stays as it is: in a forked child it is the parent's. */
void vldaa_p11_store_forget(vldaa_p11_store *s);

/* Opens the file if it is not open, or not the one that is there; VLDAA_P11_ERR_ABSENT when there is no token. */
int vldaa_p11_store_wake(vldaa_p11_store *s);
/* 1 when the file, or the directory that its journal goes to, cannot be written. */
int vldaa_p11_store_is_read_only(const vldaa_p11_store *s);
/* VLDAA_P11_ERR_REPLACED when the token was initialised since it was opened; the new identity is
 * read. */
int vldaa_p11_store_confirm(vldaa_p11_store *s);

/* A write transaction (database.h) on the token that was opened: VLDAA_P11_ERR_REPLACED, and none is
 * begun, when it was initialised since.  What a master key seals is written in one of these only: to
 * the next token it would be damage. */
int vldaa_p11_store_begin(vldaa_p11_store *s);

/* Called in the first initialisation's transaction, to make what outlives all others. */
typedef int vldaa_p11_founder(void *arg, const uint8_t master[VLDAA_P11_KEY_BYTES]);
/*
 * C_InitToken.  A new token gets this security officer's PIN; an existing one wants its own.
 * Everything goes but: the endorsement key, objects that are kept, and what the TPM role knows of
 * revocations: an expelled TPM does not come back, nor does a revoked pseudonym.
 */
int vldaa_p11_store_initialise(vldaa_p11_store *s, const uint8_t label[VLDAA_P11_LABEL],
			       const uint8_t *so_pin, size_t so_pin_len, vldaa_p11_founder *found,
			       void *arg);

/* The endorsement key, PKCS#8.  *key is for vldaa_p11_secret_free. */
int vldaa_p11_store_endorsement(vldaa_p11_store *s, const uint8_t *master, uint8_t **key,
				size_t *len);
int vldaa_p11_store_set_endorsement(vldaa_p11_store *s, const uint8_t *master, const uint8_t *key,
				    size_t len);

/* "directory/name", to free; NULL when there is no memory. */
char *vldaa_p11_store_path(const vldaa_p11_store *s, const char *name);

#endif
