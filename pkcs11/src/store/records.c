#include "records.h"

#include <stdlib.h>
#include <string.h>

#include "trace.h"

enum { PLACE = 4 + VLDAA_RECORD_NAME };

static int is_secret(enum vldaa_record record)
{
	return record == VLDAA_RECORD_MEMBER || record == VLDAA_RECORD_PENDING;
}

static void make_place(uint8_t place[PLACE], enum vldaa_record record, const uint8_t *name)
{
	memcpy(place, "tpm", 3);
	place[3] = (uint8_t)record;
	memcpy(place + 4, name, VLDAA_RECORD_NAME);
}

static int open_value(const vldaa_p11_records *r, enum vldaa_record record, const uint8_t *name,
		      const uint8_t *value, size_t value_len, uint8_t *out, size_t cap, size_t *len)
{
	uint8_t place[PLACE];
	int err;

	if (is_secret(record)) {
		if (r->master == NULL || value_len < VLDAA_P11_SEAL_OVERHEAD)
			return VLDAA_ERR_STORE;
		*len = value_len - VLDAA_P11_SEAL_OVERHEAD;
	} else {
		*len = value_len;
	}
	if (*len > cap)
		return VLDAA_ERR_BUFFER;
	if (!is_secret(record)) {
		if (*len > 0)
			memcpy(out, value, *len);
		return VLDAA_OK;
	}
	make_place(place, record, name);
	err = vldaa_p11_open(r->master, place, sizeof place, value, value_len, out);
	if (err)
		vldaa_p11_trace("a record of the TPM does not open");
	return err ? VLDAA_ERR_STORE : VLDAA_OK;
}

int vldaa_p11_records_load(void *records, enum vldaa_record record, const uint8_t *name,
			   uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_p11_records *r = records;
	vldaa_p11_query q;
	int err = VLDAA_ERR_NO_KEY;

	*len = 0;
	vldaa_p11_query_open(&q, &r->store->db,
			     "SELECT value FROM records WHERE record = ?1 AND name = ?2");
	vldaa_p11_query_int(&q, 1, (int)record);
	vldaa_p11_query_blob(&q, 2, name, VLDAA_RECORD_NAME);
	if (vldaa_p11_query_row(&q)) {
		size_t value_len;
		const uint8_t *value = vldaa_p11_query_bytes(&q, 0, &value_len);

		err = open_value(r, record, name, value, value_len, out, cap, len);
	}
	if (vldaa_p11_query_close(&q))
		err = VLDAA_ERR_STORE;
	return err;
}

static int put(const vldaa_p11_records *r, const vldaa_change *c, const uint8_t *value, size_t len)
{
	vldaa_p11_query q;

	vldaa_p11_query_open(&q, &r->store->db,
			     value != NULL
				 ? "INSERT INTO records (record, name, value) VALUES (?1, ?2, ?3)"
				   " ON CONFLICT DO UPDATE SET value = excluded.value"
				 : "DELETE FROM records WHERE record = ?1 AND name = ?2");
	vldaa_p11_query_int(&q, 1, (int)c->record);
	vldaa_p11_query_blob(&q, 2, c->name, VLDAA_RECORD_NAME);
	if (value != NULL)
		vldaa_p11_query_blob(&q, 3, value, len);
	return vldaa_p11_query_run(&q);
}

static int change_one(const vldaa_p11_records *r, const vldaa_change *c)
{
	uint8_t place[PLACE], *sealed;
	int err;

	if (c->value == NULL || !is_secret(c->record))
		return put(r, c, c->value, c->len);
	if (r->master == NULL)
		return VLDAA_ERR_STORE;
	sealed = malloc(c->len + VLDAA_P11_SEAL_OVERHEAD);
	if (sealed == NULL)
		return VLDAA_ERR_MEMORY;
	make_place(place, c->record, c->name);
	err = vldaa_p11_seal(r->master, place, sizeof place, c->value, c->len, sealed);
	if (!err)
		err = put(r, c, sealed, c->len + VLDAA_P11_SEAL_OVERHEAD);
	free(sealed);
	return err;
}

int vldaa_p11_records_commit(void *records, const vldaa_change *changes, size_t count)
{
	vldaa_p11_records *r = records;
	int err = vldaa_p11_store_begin(r->store);

	if (!err) {
		for (size_t i = 0; i < count && !err; i++)
			err = change_one(r, &changes[i]);
		err = vldaa_p11_db_end(&r->store->db, err);
	}
	r->reason = err;
	return err ? VLDAA_ERR_STORE : VLDAA_OK;
}

int vldaa_p11_records_names(const vldaa_p11_store *s, enum vldaa_record record, uint8_t *names,
			    size_t max, size_t *count)
{
	vldaa_p11_query q;
	int err = VLDAA_OK;

	*count = 0;
	vldaa_p11_query_open(&q, &s->db,
			     "SELECT name FROM records WHERE record = ?1 ORDER BY name");
	vldaa_p11_query_int(&q, 1, (int)record);
	while (!err && vldaa_p11_query_row(&q)) {
		size_t len;
		const uint8_t *name = vldaa_p11_query_bytes(&q, 0, &len);

		if (*count == max)
			err = VLDAA_ERR_BUFFER;
		else if (len != VLDAA_RECORD_NAME)
			err = VLDAA_P11_ERR_FOREIGN;
		else
			memcpy(names + VLDAA_RECORD_NAME * (*count)++, name, len);
	}
	return vldaa_p11_query_close(&q) ? q.err : err;
}

/* 1, 2, 7: VLDAA_RECORD_MEMBER, _PENDING, _CREATES. */
int vldaa_p11_records_forget(const vldaa_p11_store *s)
{
	return vldaa_p11_db_exec(&s->db, "DELETE FROM records WHERE record IN (1, 2, 7)");
}

int vldaa_p11_records_forget_member(const vldaa_p11_store *s,
				    const uint8_t key_id[VLDAA_RECORD_NAME])
{
	vldaa_p11_query q;

	vldaa_p11_query_open(&q, &s->db,
			     "DELETE FROM records WHERE record IN (1, 2, 7) AND name = ?1");
	vldaa_p11_query_blob(&q, 1, key_id, VLDAA_RECORD_NAME);
	return vldaa_p11_query_run(&q);
}
