#include "message.h"

#include <openssl/crypto.h>
#include <stdatomic.h>
#include <string.h>

/* Chunks grow with the message up to the larger; a message of 1 GB has about 1000 of them. */
enum { SMALLEST = 1 << 10, LARGEST = 1 << 20 };

/* A chunk is referred to by the next one, and by every message that ends with it.  Its bytes change
 * only while there is one reference. */
struct vldaa_prov_chunk {
	atomic_int references;
	vldaa_prov_chunk *before;
	size_t len;
	size_t size;
	uint8_t bytes[];
};

static vldaa_prov_chunk *new_chunk(size_t size)
{
	vldaa_prov_chunk *chunk = OPENSSL_malloc(sizeof *chunk + size);

	if (chunk == NULL)
		return NULL;
	atomic_init(&chunk->references, 1);
	chunk->before = NULL;
	chunk->len = 0;
	chunk->size = size;
	return chunk;
}

static size_t size_for(size_t have)
{
	if (have < SMALLEST)
		return SMALLEST;
	return have < LARGEST ? have : LARGEST;
}

/* How much the last chunk takes without a copy of the message noticing. */
static size_t room_in(const vldaa_prov_message *message)
{
	const vldaa_prov_chunk *last = message->last;

	return last != NULL && atomic_load(&last->references) == 1 ? last->size - last->len : 0;
}

static void append(vldaa_prov_message *message, const uint8_t *in, size_t len)
{
	memcpy(message->last->bytes + message->last->len, in, len);
	message->last->len += len;
	message->len += len;
}

int vldaa_prov_message_add(vldaa_prov_message *message, const void *in, size_t len)
{
	const uint8_t *p = in;
	const size_t room = room_in(message), now = len < room ? len : room, rest = len - now;
	const size_t size = size_for(message->len + now);
	vldaa_prov_chunk *chunk = NULL;

	if (rest > 0) {
		chunk = new_chunk(rest > size ? rest : size);
		if (chunk == NULL)
			return VLDAA_ERR_MEMORY;
	}
	if (now > 0)
		append(message, p, now);
	if (rest > 0) {
		chunk->before = message->last;
		message->last = chunk;
		append(message, p + now, rest);
	}
	return VLDAA_OK;
}

vldaa_prov_message vldaa_prov_message_copy(const vldaa_prov_message *message)
{
	if (message->last != NULL)
		(void)atomic_fetch_add(&message->last->references, 1);
	return *message;
}

void vldaa_prov_message_clear(vldaa_prov_message *message)
{
	vldaa_prov_chunk *chunk = message->last;

	while (chunk != NULL && atomic_fetch_sub(&chunk->references, 1) == 1) {
		vldaa_prov_chunk *before = chunk->before;

		OPENSSL_clear_free(chunk, sizeof *chunk + chunk->size);
		chunk = before;
	}
	message->last = NULL;
	message->len = 0;
}

const uint8_t *vldaa_prov_message_whole(const vldaa_prov_message *message)
{
	static const uint8_t none[1];

	if (message->last == NULL)
		return none;
	return message->last->before == NULL ? message->last->bytes : NULL;
}

int vldaa_prov_message_feed(const vldaa_prov_message *message, vldaa_prov_eater *eat, void *arg)
{
	const vldaa_prov_chunk **chunks;
	size_t count = 0, i = 0;
	int err = VLDAA_OK;

	for (const vldaa_prov_chunk *c = message->last; c != NULL; c = c->before)
		count++;
	if (count == 0)
		return VLDAA_OK;
	chunks = OPENSSL_malloc(count * sizeof *chunks);
	if (chunks == NULL)
		return VLDAA_ERR_MEMORY;
	for (const vldaa_prov_chunk *c = message->last; c != NULL; c = c->before)
		chunks[count - ++i] = c;
	for (i = 0; i < count && err == VLDAA_OK; i++)
		err = eat(arg, chunks[i]->bytes, chunks[i]->len);
	OPENSSL_free(chunks);
	return err;
}
