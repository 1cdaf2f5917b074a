#include "pin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include "secret.h"

/* The wrapped key opens in its own token's row of its own role only. */
static void make_place(const vldaa_p11_identity *token, enum vldaa_p11_role role,
		       uint8_t place[VLDAA_P11_SERIAL + 4])
{
	memcpy(place, "pin", 3);
	place[3] = (uint8_t)role;
	memcpy(place + 4, token->serial, VLDAA_P11_SERIAL);
}

/* --- the queue ---------------------------------------------------------------------------------
 */

/* A file of its own: SQLite's locks are not held for as long as a PIN takes.  Open file description
 * locks also keep apart two copies of this library in one process. */
int vldaa_p11_pin_queue(const vldaa_p11_store *s, int *queue)
{
	char *path = vldaa_p11_store_path(s, "token.lock");
	struct flock l;
	int n, err = VLDAA_OK;

	*queue = -1;
	if (path == NULL)
		return VLDAA_ERR_MEMORY;
	*queue = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (*queue >= 0) {
		memset(&l, 0, sizeof l);
		l.l_type = F_WRLCK;
		l.l_whence = SEEK_SET;
		do
			n = fcntl(*queue, F_OFD_SETLKW, &l);
		while (n != 0 && errno == EINTR);
	}
	if (*queue < 0 || n != 0) {
		err = vldaa_p11_system_failed(path, errno);
		if (*queue >= 0)
			(void)close(*queue);
	}
	free(path);
	return err;
}

void vldaa_p11_pin_leave(int queue)
{
	(void)close(queue);
}

/* --- rows --------------------------------------------------------------------------------------
 */

int vldaa_p11_pin_get(const vldaa_p11_store *s, enum vldaa_p11_role role,
		      vldaa_p11_pin_state *state)
{
	vldaa_p11_query q;

	memset(state, 0, sizeof *state);
	vldaa_p11_query_open(&q, &s->db, "SELECT tries, allowed FROM pins WHERE role = ?1");
	vldaa_p11_query_int(&q, 1, (int)role);
	if (vldaa_p11_query_row(&q)) {
		state->exists = 1;
		state->tries = sqlite3_column_int64(q.stmt, 0);
		state->allowed = sqlite3_column_int64(q.stmt, 1);
	}
	return vldaa_p11_query_close(&q);
}

int vldaa_p11_pin_wrap(const vldaa_p11_identity *token, enum vldaa_p11_role role,
		       const uint8_t *pin, size_t len, const uint8_t master[VLDAA_P11_KEY_BYTES],
		       vldaa_p11_pin_row *row)
{
	uint8_t place[VLDAA_P11_SERIAL + 4], key[VLDAA_P11_KEY_BYTES];
	int err;

	row->cost = vldaa_p11_default_cost;
	make_place(token, role, place);
	if (RAND_bytes(row->salt, sizeof row->salt) != 1)
		return VLDAA_ERR_RANDOM;
	err = vldaa_p11_stretch(pin, len, row->salt, &row->cost, key);
	if (!err)
		err = vldaa_p11_seal(key, place, sizeof place, master, VLDAA_P11_KEY_BYTES,
				     row->wrapped);
	OPENSSL_cleanse(key, sizeof key);
	return err;
}

int vldaa_p11_pin_write(const vldaa_p11_store *s, enum vldaa_p11_role role,
			const vldaa_p11_pin_row *row)
{
	vldaa_p11_query q;

	vldaa_p11_query_open(
	    &q, &s->db,
	    "INSERT OR REPLACE INTO pins (role, salt, n, r, p, wrapped, tries, allowed)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)");
	vldaa_p11_query_int(&q, 1, (int)role);
	vldaa_p11_query_blob(&q, 2, row->salt, sizeof row->salt);
	vldaa_p11_query_int(&q, 3, (int64_t)row->cost.n);
	vldaa_p11_query_int(&q, 4, row->cost.r);
	vldaa_p11_query_int(&q, 5, row->cost.p);
	vldaa_p11_query_blob(&q, 6, row->wrapped, sizeof row->wrapped);
	vldaa_p11_query_int(&q, 7, VLDAA_P11_TRIES);
	return vldaa_p11_query_run(&q);
}

static int read_row(const vldaa_p11_store *s, enum vldaa_p11_role role, vldaa_p11_pin_row *row)
{
	vldaa_p11_query q;
	int err = VLDAA_P11_ERR_NO_PIN;

	vldaa_p11_query_open(&q, &s->db, "SELECT salt, wrapped, n, r, p FROM pins WHERE role = ?1");
	vldaa_p11_query_int(&q, 1, (int)role);
	if (vldaa_p11_query_row(&q)) {
		size_t salt_len, wrapped_len;
		const uint8_t *salt = vldaa_p11_query_bytes(&q, 0, &salt_len);
		const uint8_t *wrapped = vldaa_p11_query_bytes(&q, 1, &wrapped_len);
		const int64_t n = sqlite3_column_int64(q.stmt, 2);
		const int64_t r = sqlite3_column_int64(q.stmt, 3);
		const int64_t p = sqlite3_column_int64(q.stmt, 4);

		err = VLDAA_P11_ERR_FOREIGN;
		if (salt_len == sizeof row->salt && wrapped_len == sizeof row->wrapped && n > 0 &&
		    r > 0 && r <= UINT32_MAX && p > 0 && p <= UINT32_MAX) {
			memcpy(row->salt, salt, salt_len);
			memcpy(row->wrapped, wrapped, wrapped_len);
			row->cost = (vldaa_p11_cost){(uint64_t)n, (uint32_t)r, (uint32_t)p};
			err = VLDAA_OK;
		}
	}
	if (vldaa_p11_query_close(&q))
		err = q.err;
	return err;
}

static int take_try(vldaa_p11_store *s, enum vldaa_p11_role role, vldaa_p11_pin_row *row)
{
	vldaa_p11_query q;
	int err = vldaa_p11_store_begin(s);

	if (err)
		return err;
	err = read_row(s, role, row);
	if (!err) {
		vldaa_p11_query_open(
		    &q, &s->db, "UPDATE pins SET tries = tries - 1 WHERE role = ?1 AND tries > 0");
		vldaa_p11_query_int(&q, 1, (int)role);
		err = vldaa_p11_query_run(&q);
		if (!err && sqlite3_changes(s->db.db) == 0)
			err = VLDAA_P11_ERR_LOCKED;
	}
	return vldaa_p11_db_end(&s->db, err);
}

static int give_tries_back(vldaa_p11_store *s, enum vldaa_p11_role role)
{
	vldaa_p11_query q;

	vldaa_p11_query_open(&q, &s->db, "UPDATE pins SET tries = allowed WHERE role = ?1");
	vldaa_p11_query_int(&q, 1, (int)role);
	return vldaa_p11_query_run(&q);
}

/* What failed, for want of memory say, without saying that the PIN is wrong costs nothing. */
static void give_try_back(vldaa_p11_store *s, enum vldaa_p11_role role)
{
	vldaa_p11_query q;

	vldaa_p11_query_open(
	    &q, &s->db, "UPDATE pins SET tries = tries + 1 WHERE role = ?1 AND tries < allowed");
	vldaa_p11_query_int(&q, 1, (int)role);
	/* Without it there is one try less, which is no danger. */
	(void)vldaa_p11_query_run(&q);
}

/* --- checking ----------------------------------------------------------------------------------
 */

int vldaa_p11_pin_look(vldaa_p11_store *s, enum vldaa_p11_role role, const uint8_t *pin, size_t len,
		       uint8_t master[VLDAA_P11_KEY_BYTES])
{
	uint8_t place[VLDAA_P11_SERIAL + 4], key[VLDAA_P11_KEY_BYTES];
	vldaa_p11_pin_row row;
	int err = take_try(s, role, &row);

	if (err)
		return err;
	make_place(&s->identity, role, place);
	err = vldaa_p11_stretch(pin, len, row.salt, &row.cost, key);
	if (!err)
		err = vldaa_p11_open(key, place, sizeof place, row.wrapped, sizeof row.wrapped,
				     master);
	OPENSSL_cleanse(key, sizeof key);
	if (!err)
		err = give_tries_back(s, role);
	if (err && err != VLDAA_ERR_UNSEAL)
		give_try_back(s, role);
	if (err)
		OPENSSL_cleanse(master, VLDAA_P11_KEY_BYTES);
	return err == VLDAA_ERR_UNSEAL ? VLDAA_P11_ERR_PIN : err;
}

/* Into the queue, if what will be written there can be. */
static int enter_queue(const vldaa_p11_store *s, int *queue)
{
	return vldaa_p11_store_is_read_only(s) ? VLDAA_P11_ERR_READ_ONLY
					       : vldaa_p11_pin_queue(s, queue);
}

int vldaa_p11_pin_check(vldaa_p11_store *s, enum vldaa_p11_role role, const uint8_t *pin,
			size_t len, uint8_t master[VLDAA_P11_KEY_BYTES])
{
	int queue, err = enter_queue(s, &queue);

	if (err)
		return err;
	err = vldaa_p11_pin_look(s, role, pin, len, master);
	vldaa_p11_pin_leave(queue);
	return err;
}

/* --- setting -----------------------------------------------------------------------------------
 */

/* In the queue. */
static int replace(vldaa_p11_store *s, enum vldaa_p11_role role, const uint8_t *pin, size_t len,
		   const uint8_t *master)
{
	vldaa_p11_pin_row row;
	int err = vldaa_p11_pin_wrap(&s->identity, role, pin, len, master, &row);

	if (!err)
		err = vldaa_p11_store_begin(s);
	return err ? err : vldaa_p11_db_end(&s->db, vldaa_p11_pin_write(s, role, &row));
}

int vldaa_p11_pin_set(vldaa_p11_store *s, enum vldaa_p11_role role, const uint8_t *pin, size_t len,
		      const uint8_t master[VLDAA_P11_KEY_BYTES])
{
	int queue, err = enter_queue(s, &queue);

	if (err)
		return err;
	err = replace(s, role, pin, len, master);
	vldaa_p11_pin_leave(queue);
	return err;
}

int vldaa_p11_pin_change(vldaa_p11_store *s, enum vldaa_p11_role role, const uint8_t *old_pin,
			 size_t old_len, const uint8_t *new_pin, size_t new_len)
{
	uint8_t *master = vldaa_p11_secret_new(VLDAA_P11_KEY_BYTES);
	int queue, err;

	if (master == NULL)
		return VLDAA_ERR_MEMORY;
	err = enter_queue(s, &queue);
	if (!err) {
		err = vldaa_p11_pin_look(s, role, old_pin, old_len, master);
		if (!err)
			err = replace(s, role, new_pin, new_len, master);
		vldaa_p11_pin_leave(queue);
	}
	vldaa_p11_secret_free(master, VLDAA_P11_KEY_BYTES);
	return err;
}
