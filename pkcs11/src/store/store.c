#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include "pin.h"
#include "records.h"
#include "schema.h"
#include "secret.h"
#include "trace.h"

#define FILE_NAME "token.db"

static const uint8_t endorsement_place[] = "endorsement";

char *vldaa_p11_store_path(const vldaa_p11_store *s, const char *name)
{
	const size_t size = strlen(s->directory) + strlen(name) + 2;
	char *path = malloc(size);

	if (path != NULL)
		(void)snprintf(path, size, "%s/%s", s->directory, name);
	return path;
}

/* NULL when there is no memory, or no place where the process is. */
static char *make_absolute(const char *directory)
{
	char *here = directory[0] == '/' ? strdup("") : getcwd(NULL, 0);
	const size_t size = here != NULL ? strlen(here) + strlen(directory) + 2 : 0;
	char *path = here != NULL ? malloc(size) : NULL;

	if (path != NULL)
		(void)snprintf(path, size, "%s%s%s", here, here[0] != '\0' ? "/" : "", directory);
	free(here);
	return path;
}

int vldaa_p11_store_new(vldaa_p11_store *s, const char *directory)
{
	memset(s, 0, sizeof *s);
	s->directory = make_absolute(directory);
	return s->directory != NULL ? VLDAA_OK : VLDAA_ERR_MEMORY;
}

void vldaa_p11_store_forget(vldaa_p11_store *s)
{
	free(s->directory);
	memset(s, 0, sizeof *s);
}

void vldaa_p11_store_free(vldaa_p11_store *s)
{
	if (s->db.db != NULL)
		vldaa_p11_db_close(&s->db);
	free(s->directory);
	memset(s, 0, sizeof *s);
}

/* --- identity ----------------------------------------------------------------------------------
 */

static int read_identity(const vldaa_p11_store *s, vldaa_p11_identity *identity)
{
	const struct {
		uint8_t *out;
		size_t len;
	} columns[] = {{identity->label, VLDAA_P11_LABEL},
		       {identity->serial, VLDAA_P11_SERIAL},
		       {identity->instance, VLDAA_P11_INSTANCE}};
	vldaa_p11_query q;
	int whole = 0;

	vldaa_p11_query_open(&q, &s->db, "SELECT label, serial, instance FROM token");
	if (vldaa_p11_query_row(&q)) {
		whole = 1;
		for (int i = 0; i < 3; i++) {
			size_t len;
			const uint8_t *bytes = vldaa_p11_query_bytes(&q, i, &len);

			if (len == columns[i].len)
				memcpy(columns[i].out, bytes, len);
			else
				whole = 0;
		}
	}
	if (vldaa_p11_query_close(&q))
		return q.err;
	return whole ? VLDAA_OK : VLDAA_P11_ERR_FOREIGN;
}

int vldaa_p11_store_wake(vldaa_p11_store *s)
{
	struct stat st;
	char *path;
	int err;

	if (s->db.db != NULL && s->db.depth == 0 && vldaa_p11_db_has_moved(&s->db)) {
		vldaa_p11_trace("%s: the token's file was taken away", s->directory);
		vldaa_p11_db_close(&s->db);
		s->moved = 1;
	}
	if (s->db.db != NULL)
		return VLDAA_OK;
	path = vldaa_p11_store_path(s, FILE_NAME);
	if (path == NULL)
		return VLDAA_ERR_MEMORY;
	if (stat(path, &st) != 0) {
		/* Where a file is, or would be above, no token can be made. */
		err = errno == ENOENT ? VLDAA_P11_ERR_ABSENT : VLDAA_ERR_STORE;
		if (err == VLDAA_ERR_STORE)
			vldaa_p11_trace("%s: %s", path, strerror(errno));
	} else {
		err = vldaa_p11_db_open(&s->db, path);
		if (!err)
			err = vldaa_p11_schema_check(&s->db);
		if (!err)
			err = read_identity(s, &s->identity);
		if (err && s->db.db != NULL)
			vldaa_p11_db_close(&s->db);
	}
	free(path);
	return err;
}

int vldaa_p11_store_is_read_only(const vldaa_p11_store *s)
{
	return vldaa_p11_db_is_read_only(&s->db) ||
	       faccessat(AT_FDCWD, s->directory, W_OK, AT_EACCESS) != 0;
}

int vldaa_p11_store_confirm(vldaa_p11_store *s)
{
	vldaa_p11_identity now;
	int err = read_identity(s, &now);

	if (err)
		return err;
	if (s->moved || memcmp(now.instance, s->identity.instance, VLDAA_P11_INSTANCE) != 0)
		err = VLDAA_P11_ERR_REPLACED;
	s->moved = 0;
	s->identity = now;
	return err;
}

int vldaa_p11_store_begin(vldaa_p11_store *s)
{
	vldaa_p11_identity now;
	int err = vldaa_p11_db_begin(&s->db);

	if (err || s->db.depth > 1)
		return err;
	err = read_identity(s, &now);
	if (!err && memcmp(now.instance, s->identity.instance, VLDAA_P11_INSTANCE) != 0)
		err = VLDAA_P11_ERR_REPLACED;
	return err ? vldaa_p11_db_end(&s->db, err) : VLDAA_OK;
}

/* --- initialisation ----------------------------------------------------------------------------
 */

/* The directory and those above it, for the owner alone. */
static int make_directories(const char *directory)
{
	char *path = strdup(directory);
	int failed = path == NULL;

	for (char *p = path; !failed && p != NULL; p = strchr(p + 1, '/')) {
		if (p == path || *p != '/')
			continue;
		*p = '\0';
		failed = mkdir(path, 0700) != 0 && errno != EEXIST;
		*p = '/';
	}
	if (!failed)
		failed = mkdir(path, 0700) != 0 && errno != EEXIST;
	if (failed)
		failed = vldaa_p11_system_failed(directory, errno);
	free(path);
	return failed;
}

static int create_file(vldaa_p11_store *s)
{
	char *path = vldaa_p11_store_path(s, FILE_NAME);
	int err = path != NULL ? make_directories(s->directory) : VLDAA_ERR_MEMORY;

	if (!err) {
		const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

		if (fd < 0) {
			err = vldaa_p11_system_failed(path, errno);
		} else {
			/* An empty one that was there may have any mode. */
			if (fchmod(fd, 0600) != 0)
				err = vldaa_p11_system_failed(path, errno);
			(void)close(fd);
			if (!err)
				err = vldaa_p11_db_open(&s->db, path);
		}
	}
	free(path);
	return err;
}

static int write_identity(const vldaa_p11_store *s, const vldaa_p11_identity *i)
{
	vldaa_p11_query q;

	vldaa_p11_query_open(&q, &s->db,
			     "INSERT INTO token (id, label, serial, instance, stamp)"
			     " VALUES (1, ?1, ?2, ?3, 0)"
			     " ON CONFLICT DO UPDATE SET label = excluded.label,"
			     " instance = excluded.instance");
	vldaa_p11_query_blob(&q, 1, i->label, VLDAA_P11_LABEL);
	vldaa_p11_query_blob(&q, 2, i->serial, VLDAA_P11_SERIAL);
	vldaa_p11_query_blob(&q, 3, i->instance, VLDAA_P11_INSTANCE);
	return vldaa_p11_query_run(&q);
}

static int found_token(vldaa_p11_store *s, const vldaa_p11_identity *identity, const uint8_t *pin,
		       size_t pin_len, uint8_t *master, vldaa_p11_founder *found, void *arg)
{
	vldaa_p11_pin_row row;
	int err = VLDAA_OK;

	if (RAND_priv_bytes(master, VLDAA_P11_KEY_BYTES) != 1)
		err = VLDAA_ERR_RANDOM;
	if (!err)
		err = vldaa_p11_pin_wrap(identity, VLDAA_P11_SO, pin, pin_len, master, &row);
	if (!err)
		err = vldaa_p11_db_begin(&s->db);
	if (err)
		return err;
	/* Another process may have been first; it is not overwritten. */
	err = vldaa_p11_schema_check(&s->db);
	if (err == VLDAA_P11_ERR_ABSENT)
		err = vldaa_p11_schema_create(&s->db);
	else if (!err)
		err = VLDAA_P11_ERR_REPLACED;
	if (!err)
		err = write_identity(s, identity);
	if (!err)
		err = vldaa_p11_pin_write(s, VLDAA_P11_SO, &row);
	if (!err) {
		s->identity = *identity;
		err = found(arg, master);
	}
	return vldaa_p11_db_end(&s->db, err);
}

/* In a transaction; the old master key is replaced by the new one. */
static int replace_all(vldaa_p11_store *s, const vldaa_p11_identity *identity,
		       const vldaa_p11_pin_row *pin, const uint8_t *old_master,
		       const uint8_t *new_master)
{
	uint8_t *endorsement;
	size_t len;
	int err = vldaa_p11_store_endorsement(s, old_master, &endorsement, &len);

	if (!err)
		err = vldaa_p11_db_exec(&s->db, "DELETE FROM objects WHERE kept = 0;"
						"DELETE FROM pins WHERE role = 1");
	if (!err)
		err = vldaa_p11_records_forget(s);
	if (!err)
		err = write_identity(s, identity);
	if (!err)
		err = vldaa_p11_pin_write(s, VLDAA_P11_SO, pin);
	if (!err)
		err = vldaa_p11_store_set_endorsement(s, new_master, endorsement, len);
	vldaa_p11_secret_free(endorsement, len);
	return err;
}

/* The same token anew, under a new master key.  Nobody looks at a PIN or sets one meanwhile. */
static int renew_token(vldaa_p11_store *s, const vldaa_p11_identity *identity, const uint8_t *pin,
		       size_t pin_len, uint8_t *master)
{
	uint8_t *old_master = vldaa_p11_secret_new(VLDAA_P11_KEY_BYTES);
	vldaa_p11_pin_row row;
	int queue, err;

	if (old_master == NULL)
		return VLDAA_ERR_MEMORY;
	err = vldaa_p11_pin_queue(s, &queue);
	if (!err) {
		/* As it is now: another process may have been here since it was opened. */
		err = read_identity(s, &s->identity);
		if (!err)
			err = vldaa_p11_pin_look(s, VLDAA_P11_SO, pin, pin_len, old_master);
		if (!err && RAND_priv_bytes(master, VLDAA_P11_KEY_BYTES) != 1)
			err = VLDAA_ERR_RANDOM;
		if (!err)
			err = vldaa_p11_pin_wrap(&s->identity, VLDAA_P11_SO, pin, pin_len, master,
						 &row);
		if (!err)
			err = vldaa_p11_store_begin(s);
		if (!err)
			err = vldaa_p11_db_end(&s->db,
					       replace_all(s, identity, &row, old_master, master));
		vldaa_p11_pin_leave(queue);
	}
	vldaa_p11_secret_free(old_master, VLDAA_P11_KEY_BYTES);
	return err;
}

int vldaa_p11_store_initialise(vldaa_p11_store *s, const uint8_t label[VLDAA_P11_LABEL],
			       const uint8_t *so_pin, size_t so_pin_len, vldaa_p11_founder *found,
			       void *arg)
{
	vldaa_p11_identity identity;
	uint8_t *master = vldaa_p11_secret_new(VLDAA_P11_KEY_BYTES);
	int err, is_new = 0;

	if (master == NULL)
		return VLDAA_ERR_MEMORY;
	memcpy(identity.label, label, VLDAA_P11_LABEL);
	err = RAND_bytes(identity.serial, VLDAA_P11_SERIAL) == 1 &&
		      RAND_bytes(identity.instance, VLDAA_P11_INSTANCE) == 1
		  ? VLDAA_OK
		  : VLDAA_ERR_RANDOM;
	if (!err) {
		err = vldaa_p11_store_wake(s);
		is_new = err == VLDAA_P11_ERR_ABSENT;
		if (is_new)
			err = create_file(s);
	}
	if (!err)
		err = is_new ? found_token(s, &identity, so_pin, so_pin_len, master, found, arg)
			     : renew_token(s, &identity, so_pin, so_pin_len, master);
	/* It is done: nothing that could fail comes after it.  The serial number stays. */
	if (!err) {
		if (!is_new)
			memcpy(identity.serial, s->identity.serial, VLDAA_P11_SERIAL);
		s->identity = identity;
	}
	if (err && is_new && s->db.db != NULL)
		vldaa_p11_db_close(&s->db);
	vldaa_p11_secret_free(master, VLDAA_P11_KEY_BYTES);
	return err;
}

/* --- the endorsement key -----------------------------------------------------------------------
 */

int vldaa_p11_store_endorsement(vldaa_p11_store *s, const uint8_t *master, uint8_t **key,
				size_t *len)
{
	const uint8_t *sealed = NULL;
	size_t sealed_len = 0;
	vldaa_p11_query q;
	int err = VLDAA_P11_ERR_FOREIGN;

	*key = NULL;
	*len = 0;
	vldaa_p11_query_open(&q, &s->db, "SELECT endorsement FROM token");
	if (vldaa_p11_query_row(&q))
		sealed = vldaa_p11_query_bytes(&q, 0, &sealed_len);
	if (sealed != NULL && sealed_len > VLDAA_P11_SEAL_OVERHEAD) {
		*len = sealed_len - VLDAA_P11_SEAL_OVERHEAD;
		*key = vldaa_p11_secret_new(*len);
		err = *key != NULL
			  ? vldaa_p11_open(master, endorsement_place, sizeof endorsement_place,
					   sealed, sealed_len, *key)
			  : VLDAA_ERR_MEMORY;
	}
	if (vldaa_p11_query_close(&q))
		err = q.err;
	if (err) {
		vldaa_p11_secret_free(*key, *len);
		*key = NULL;
		*len = 0;
	}
	return err;
}

int vldaa_p11_store_set_endorsement(vldaa_p11_store *s, const uint8_t *master, const uint8_t *key,
				    size_t len)
{
	const size_t sealed_len = len + VLDAA_P11_SEAL_OVERHEAD;
	uint8_t *sealed = malloc(sealed_len);
	vldaa_p11_query q;
	int err = sealed != NULL ? vldaa_p11_seal(master, endorsement_place,
						  sizeof endorsement_place, key, len, sealed)
				 : VLDAA_ERR_MEMORY;

	if (!err) {
		vldaa_p11_query_open(&q, &s->db, "UPDATE token SET endorsement = ?1");
		vldaa_p11_query_blob(&q, 1, sealed, sealed_len);
		err = vldaa_p11_query_run(&q);
	}
	free(sealed);
	return err;
}
