/* Byte strings that grow or hold secrets. */
#ifndef VLDAA_P11_BYTES_H
#define VLDAA_P11_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Invariant: data has room bytes, of which len are used; NULL when room is 0. */
typedef struct {
	uint8_t *data;
	size_t len;
	size_t room;
} vldaa_p11_bytes;

/* Empty, with this much room.  VLDAA_ERR_MEMORY. */
int vldaa_p11_bytes_new(vldaa_p11_bytes *b, size_t room);
/* More at its end; what it had is wiped where it was. */
int vldaa_p11_bytes_append(vldaa_p11_bytes *b, const void *in, size_t len);
/* Wipes. */
void vldaa_p11_bytes_free(vldaa_p11_bytes *b);

#endif
