/* An issuer on a token: the issuer's key, and its register in a file of its own beside the store. */
#ifndef VLDAA_P11_ISSUER_H
#define VLDAA_P11_ISSUER_H

#include "../store/store.h"
#include "bytes.h"
#include "vldaa/issue.h"

/* Setup: the ISSUER_KEY object, with a new Ed25519 key that signs answers.  Takes seconds, and
 * touches no store. */
int vldaa_p11_issuer_make(vldaa_p11_bytes *key, const vldaa_set *set);
/* Around a fork, in the parent and in the child: no key is being made. */
void vldaa_p11_issuer_pause(void);
void vldaa_p11_issuer_go_on(void);
/* The GROUP_KEY in it. */
int vldaa_p11_issuer_group(const uint8_t **group, size_t *group_len, const uint8_t *key,
			   size_t len);

/* An issuer at work; everything it was given must stay. */
typedef struct {
	vldaa_issuer *issuer;
	vldaa_register *reg;
} vldaa_p11_issuer;

/* Loads the key and its register, which is made when create is 1. */
int vldaa_p11_issuer_open(vldaa_p11_issuer *i, const vldaa_p11_store *store, const uint8_t *key,
			  size_t len, int create);
void vldaa_p11_issuer_close(vldaa_p11_issuer *i);
/* A NONCE object, good for so many seconds. */
int vldaa_p11_issuer_nonce(vldaa_p11_issuer *i, int64_t lifetime, uint8_t *out, size_t cap,
			   size_t *len);
/* What goes into answers besides the credential. */
typedef struct {
	vldaa_group_services services;
	const uint8_t *roots;
	size_t roots_len;
} vldaa_p11_issuer_terms;
int vldaa_p11_issuer_answer(vldaa_p11_issuer *i, const vldaa_p11_issuer_terms *terms,
			    const uint8_t *request, size_t request_len, int replace, uint8_t *out,
			    size_t cap, size_t *len);

#endif
