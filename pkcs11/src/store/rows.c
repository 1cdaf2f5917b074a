#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "secret.h"
#include "trace.h"

/* What is sealed of an object: its attributes, its secret. */
enum { PART_ATTRIBUTES = 'a', PART_SECRET = 's', PLACE = 4 + VLDAA_P11_UID };

static void make_place(uint8_t place[PLACE], uint8_t part, const uint8_t uid[VLDAA_P11_UID])
{
	memcpy(place, "obj", 3);
	place[3] = part;
	memcpy(place + 4, uid, VLDAA_P11_UID);
}

void vldaa_p11_row_clear(vldaa_p11_row *row)
{
	if (row->attributes != NULL)
		OPENSSL_cleanse(row->attributes, row->attributes_len);
	free(row->attributes);
	memset(row, 0, sizeof *row);
}

static int seal_part(const uint8_t *master, uint8_t part, const uint8_t *uid, const uint8_t *in,
		     size_t len, uint8_t **sealed, size_t *sealed_len)
{
	uint8_t place[PLACE];

	if (master == NULL)
		return VLDAA_ERR_STATE;
	make_place(place, part, uid);
	*sealed_len = len + VLDAA_P11_SEAL_OVERHEAD;
	*sealed = malloc(*sealed_len);
	if (*sealed == NULL)
		return VLDAA_ERR_MEMORY;
	return vldaa_p11_seal(master, place, sizeof place, in, len, *sealed);
}

/* The attributes as they lie in the file, to free. */
static int attributes_at_rest(const uint8_t *master, const vldaa_p11_row *row, uint8_t **out,
			      size_t *len)
{
	if (row->is_private)
		return seal_part(master, PART_ATTRIBUTES, row->uid, row->attributes,
				 row->attributes_len, out, len);
	*len = row->attributes_len;
	*out = malloc(*len);
	if (*out == NULL)
		return VLDAA_ERR_MEMORY;
	memcpy(*out, row->attributes, *len);
	return VLDAA_OK;
}

static int next_stamp(const vldaa_p11_store *s, int64_t *stamp)
{
	return vldaa_p11_db_pragma(&s->db, "UPDATE token SET stamp = stamp + 1 RETURNING stamp",
				   stamp);
}

static int insert(const vldaa_p11_store *s, vldaa_p11_row *row, const uint8_t *attributes,
		  size_t attributes_len, const uint8_t *secret, size_t secret_len)
{
	vldaa_p11_query q;
	int err;

	vldaa_p11_query_open(&q, &s->db,
			     "INSERT INTO objects"
			     " (parent, uid, private, kept, stamp, attributes, secret)"
			     " VALUES (NULLIF(?1, 0), ?2, ?3, ?4, ?5, ?6, ?7)");
	vldaa_p11_query_int(&q, 1, row->parent);
	vldaa_p11_query_blob(&q, 2, row->uid, VLDAA_P11_UID);
	vldaa_p11_query_int(&q, 3, row->is_private);
	vldaa_p11_query_int(&q, 4, row->is_kept);
	vldaa_p11_query_int(&q, 5, row->stamp);
	vldaa_p11_query_blob(&q, 6, attributes, attributes_len);
	vldaa_p11_query_blob(&q, 7, secret, secret_len);
	err = vldaa_p11_query_run(&q);
	if (!err)
		row->id = sqlite3_last_insert_rowid(s->db.db);
	return err;
}

int vldaa_p11_row_insert(vldaa_p11_store *s, const uint8_t *master, vldaa_p11_row *row,
			 const uint8_t *secret, size_t secret_len)
{
	uint8_t *attributes = NULL, *sealed = NULL;
	size_t attributes_len = 0, sealed_len = 0;
	int err = vldaa_p11_store_begin(s);

	if (err)
		return err;
	err = next_stamp(s, &row->stamp);
	if (!err)
		err = attributes_at_rest(master, row, &attributes, &attributes_len);
	if (!err && secret != NULL)
		err = seal_part(master, PART_SECRET, row->uid, secret, secret_len, &sealed,
				&sealed_len);
	if (!err)
		err = insert(s, row, attributes, attributes_len, sealed, sealed_len);
	free(attributes);
	free(sealed);
	return vldaa_p11_db_end(&s->db, err);
}

int vldaa_p11_row_update(vldaa_p11_store *s, const uint8_t *master, const vldaa_p11_row *row)
{
	uint8_t *attributes = NULL;
	size_t len = 0;
	int64_t stamp = 0;
	vldaa_p11_query q;
	int err = vldaa_p11_store_begin(s);

	if (err)
		return err;
	err = next_stamp(s, &stamp);
	if (!err)
		err = attributes_at_rest(master, row, &attributes, &len);
	if (!err) {
		vldaa_p11_query_open(
		    &q, &s->db, "UPDATE objects SET attributes = ?1, stamp = ?2 WHERE id = ?3");
		vldaa_p11_query_blob(&q, 1, attributes, len);
		vldaa_p11_query_int(&q, 2, stamp);
		vldaa_p11_query_int(&q, 3, row->id);
		err = vldaa_p11_query_run(&q);
		if (!err && sqlite3_changes(s->db.db) == 0)
			err = VLDAA_P11_ERR_NO_ROW;
	}
	free(attributes);
	return vldaa_p11_db_end(&s->db, err);
}

int vldaa_p11_row_set_secret(vldaa_p11_store *s, const uint8_t *master, int64_t id,
			     const uint8_t *secret, size_t len)
{
	uint8_t *sealed = NULL;
	size_t sealed_len = 0;
	vldaa_p11_row row;
	vldaa_p11_query q;
	int err = vldaa_p11_store_begin(s);

	if (err)
		return err;
	err = vldaa_p11_row_load(s, NULL, id, &row);
	if (!err)
		err = next_stamp(s, &row.stamp);
	if (!err)
		err = seal_part(master, PART_SECRET, row.uid, secret, len, &sealed, &sealed_len);
	if (!err) {
		vldaa_p11_query_open(&q, &s->db,
				     "UPDATE objects SET secret = ?1, stamp = ?2 WHERE id = ?3");
		vldaa_p11_query_blob(&q, 1, sealed, sealed_len);
		vldaa_p11_query_int(&q, 2, row.stamp);
		vldaa_p11_query_int(&q, 3, id);
		err = vldaa_p11_query_run(&q);
	}
	free(sealed);
	vldaa_p11_row_clear(&row);
	return vldaa_p11_db_end(&s->db, err);
}

int vldaa_p11_row_delete(vldaa_p11_store *s, int64_t id)
{
	vldaa_p11_query q;
	int err;

	vldaa_p11_query_open(&q, &s->db, "DELETE FROM objects WHERE id = ?1");
	vldaa_p11_query_int(&q, 1, id);
	err = vldaa_p11_query_run(&q);
	if (!err && sqlite3_changes(s->db.db) == 0)
		err = VLDAA_P11_ERR_NO_ROW;
	return err;
}

static int read_attributes(const uint8_t *master, vldaa_p11_row *row, const uint8_t *bytes,
			   size_t len)
{
	uint8_t place[PLACE];
	int err = VLDAA_OK;

	if (row->is_private && master == NULL)
		return VLDAA_OK;
	if (row->is_private && len < VLDAA_P11_SEAL_OVERHEAD)
		return VLDAA_P11_ERR_FOREIGN;
	row->attributes = malloc(len > 0 ? len : 1);
	if (row->attributes == NULL)
		return VLDAA_ERR_MEMORY;
	row->attributes_len = row->is_private ? len - VLDAA_P11_SEAL_OVERHEAD : len;
	if (row->is_private) {
		make_place(place, PART_ATTRIBUTES, row->uid);
		err = vldaa_p11_open(master, place, sizeof place, bytes, len, row->attributes);
	} else if (len > 0) {
		memcpy(row->attributes, bytes, len);
	}
	return err == VLDAA_ERR_UNSEAL ? VLDAA_P11_ERR_FOREIGN : err;
}

int vldaa_p11_row_load(const vldaa_p11_store *s, const uint8_t *master, int64_t id,
		       vldaa_p11_row *row)
{
	vldaa_p11_query q;
	int err = VLDAA_P11_ERR_NO_ROW;

	memset(row, 0, sizeof *row);
	vldaa_p11_query_open(&q, &s->db,
			     "SELECT uid, attributes, IFNULL(parent, 0), private, kept, stamp"
			     " FROM objects WHERE id = ?1");
	vldaa_p11_query_int(&q, 1, id);
	if (vldaa_p11_query_row(&q)) {
		size_t uid_len, len;
		const uint8_t *uid = vldaa_p11_query_bytes(&q, 0, &uid_len);
		const uint8_t *bytes = vldaa_p11_query_bytes(&q, 1, &len);

		row->id = id;
		row->parent = sqlite3_column_int64(q.stmt, 2);
		row->is_private = sqlite3_column_int(q.stmt, 3);
		row->is_kept = sqlite3_column_int(q.stmt, 4);
		row->stamp = sqlite3_column_int64(q.stmt, 5);
		err = uid_len == VLDAA_P11_UID ? VLDAA_OK : VLDAA_P11_ERR_FOREIGN;
		if (!err) {
			memcpy(row->uid, uid, uid_len);
			err = read_attributes(master, row, bytes, len);
		}
	}
	if (vldaa_p11_query_close(&q))
		err = q.err;
	if (err)
		vldaa_p11_row_clear(row);
	return err;
}

static int open_secret(const uint8_t *master, const vldaa_p11_query *q, uint8_t **secret,
		       size_t *len)
{
	uint8_t place[PLACE];
	size_t uid_len, sealed_len;
	const uint8_t *uid = vldaa_p11_query_bytes(q, 0, &uid_len);
	const uint8_t *sealed = vldaa_p11_query_bytes(q, 1, &sealed_len);
	int err;

	if (uid_len != VLDAA_P11_UID || sealed_len <= VLDAA_P11_SEAL_OVERHEAD)
		return VLDAA_P11_ERR_FOREIGN;
	*len = sealed_len - VLDAA_P11_SEAL_OVERHEAD;
	*secret = vldaa_p11_secret_new(*len);
	if (*secret == NULL)
		return VLDAA_ERR_MEMORY;
	make_place(place, PART_SECRET, uid);
	err = vldaa_p11_open(master, place, sizeof place, sealed, sealed_len, *secret);
	if (err)
		vldaa_p11_trace("an object's secret does not open");
	return err == VLDAA_ERR_UNSEAL ? VLDAA_P11_ERR_FOREIGN : err;
}

int vldaa_p11_row_secret(const vldaa_p11_store *s, const uint8_t *master, int64_t id,
			 uint8_t **secret, size_t *len)
{
	vldaa_p11_query q;
	int err = VLDAA_P11_ERR_NO_ROW;

	*secret = NULL;
	*len = 0;
	if (master == NULL)
		return VLDAA_ERR_STATE;
	vldaa_p11_query_open(&q, &s->db,
			     "SELECT uid, secret FROM objects"
			     " WHERE id = ?1 AND secret IS NOT NULL");
	vldaa_p11_query_int(&q, 1, id);
	if (vldaa_p11_query_row(&q))
		err = open_secret(master, &q, secret, len);
	if (vldaa_p11_query_close(&q))
		err = q.err;
	if (err) {
		vldaa_p11_secret_free(*secret, *len);
		*secret = NULL;
		*len = 0;
	}
	return err;
}

int vldaa_p11_rows_walk(const vldaa_p11_store *s, vldaa_p11_visit_row *visit, void *arg)
{
	vldaa_p11_query q;
	int err = VLDAA_OK;

	vldaa_p11_query_open(&q, &s->db, "SELECT id, stamp FROM objects ORDER BY id");
	while (!err && vldaa_p11_query_row(&q))
		err = visit(arg, sqlite3_column_int64(q.stmt, 0), sqlite3_column_int64(q.stmt, 1));
	return vldaa_p11_query_close(&q) ? q.err : err;
}
