#include "bytes.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "vldaa/error.h"

int vldaa_p11_bytes_new(vldaa_p11_bytes *b, size_t room)
{
	memset(b, 0, sizeof *b);
	b->data = malloc(room > 0 ? room : 1);
	if (b->data == NULL)
		return VLDAA_ERR_MEMORY;
	b->room = room;
	return VLDAA_OK;
}

int vldaa_p11_bytes_append(vldaa_p11_bytes *b, const void *in, size_t len)
{
	if (len > SIZE_MAX / 4 || b->len > SIZE_MAX / 4)
		return VLDAA_ERR_MEMORY;
	if (b->room - b->len < len || b->data == NULL) {
		vldaa_p11_bytes more;

		if (vldaa_p11_bytes_new(&more, 2 * (b->len + len)) != VLDAA_OK)
			return VLDAA_ERR_MEMORY;
		if (b->len > 0)
			memcpy(more.data, b->data, b->len);
		more.len = b->len;
		vldaa_p11_bytes_free(b);
		*b = more;
	}
	if (len > 0)
		memcpy(b->data + b->len, in, len);
	b->len += len;
	return VLDAA_OK;
}

void vldaa_p11_bytes_free(vldaa_p11_bytes *b)
{
	if (b->data != NULL)
		OPENSSL_cleanse(b->data, b->room);
	free(b->data);
	memset(b, 0, sizeof *b);
}
