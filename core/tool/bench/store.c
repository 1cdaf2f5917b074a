#include "bench/store.h"

#include <string.h>

#include <openssl/crypto.h>

/* Its row, or count. */
static size_t find(const vldaa_memory_store *s, enum vldaa_record record, const uint8_t *name)
{
	size_t i = 0;

	while (i < s->count && (s->rows[i].record != record ||
				memcmp(s->rows[i].name, name, VLDAA_RECORD_NAME) != 0))
		i++;
	return i;
}

static void drop(vldaa_memory_store *s, size_t i)
{
	if (i >= s->count)
		return;
	OPENSSL_clear_free(s->rows[i].value, s->rows[i].len);
	s->rows[i] = s->rows[--s->count];
}

int vldaa_memory_store_load(void *store, enum vldaa_record record, const uint8_t *name,
			    uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_memory_store *s = store;
	const size_t i = find(s, record, name);

	if (i == s->count)
		return VLDAA_ERR_NO_KEY;
	*len = s->rows[i].len;
	if (cap < *len)
		return VLDAA_ERR_BUFFER;
	memcpy(out, s->rows[i].value, *len);
	return VLDAA_OK;
}

int vldaa_memory_store_commit(void *store, const vldaa_change *changes, size_t count)
{
	vldaa_memory_store *s = store;

	for (size_t k = 0; k < count; k++) {
		const vldaa_change *c = &changes[k];
		uint8_t *value;

		drop(s, find(s, c->record, c->name));
		if (!c->value)
			continue;
		value = OPENSSL_memdup(c->value, c->len);
		if (!value || s->count == VLDAA_MEMORY_STORE_ROWS) {
			OPENSSL_clear_free(value, c->len);
			return VLDAA_ERR_STORE;
		}
		s->rows[s->count].record = c->record;
		memcpy(s->rows[s->count].name, c->name, VLDAA_RECORD_NAME);
		s->rows[s->count].value = value;
		s->rows[s->count++].len = c->len;
	}
	return VLDAA_OK;
}

size_t vldaa_memory_store_len(const vldaa_memory_store *s, enum vldaa_record record)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->rows[i].record == record)
			return s->rows[i].len;
	}
	return 0;
}

void vldaa_memory_store_clear(vldaa_memory_store *s)
{
	while (s->count > 0)
		drop(s, s->count - 1);
}
