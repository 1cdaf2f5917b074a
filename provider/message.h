/*
 * A message that is kept until its end: of a verification, since the key that it is hashed with comes with
 * the signature; of a signature by a token, since what a token has begun cannot be duplicated.
 *
 * Copies share what they have in common, so that a duplicate of a context costs nothing; they may be
 * used by different threads.
 */
#ifndef VLDAA_PROVIDER_MESSAGE_H
#define VLDAA_PROVIDER_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "vldaa/error.h"

typedef struct vldaa_prov_chunk vldaa_prov_chunk;

/* {NULL, 0} is the empty message. */
typedef struct {
	vldaa_prov_chunk *last;
	size_t len;
} vldaa_prov_message;

/* VLDAA_OK or VLDAA_ERR_MEMORY; then the message is as before. */
int vldaa_prov_message_add(vldaa_prov_message *message, const void *in, size_t len);
vldaa_prov_message vldaa_prov_message_copy(const vldaa_prov_message *message);
/* Makes it empty; the last copy wipes. */
void vldaa_prov_message_clear(vldaa_prov_message *message);
/* All of it, which is in one piece, as a message is that was added at once or is empty; NULL: it is in several. */
const uint8_t *vldaa_prov_message_whole(const vldaa_prov_message *message);
/* Passes all of it on, in pieces; the first code that is not VLDAA_OK ends it. */
typedef int vldaa_prov_eater(void *arg, const uint8_t *in, size_t len);
int vldaa_prov_message_feed(const vldaa_prov_message *message, vldaa_prov_eater *eat, void *arg);

#endif
