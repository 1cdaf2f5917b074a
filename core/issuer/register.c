/* The register as a file: making, opening, backing up, checking. */
#include "register_db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	BUSY_MILLISECONDS = 30000,
};

static const char exists_already[] = "there is such a file already: it is never overwritten";

/* The path as SQLite takes it for a file's in all cases: "", ":memory:" and the like have other
 * meanings there.  To free. */
static char *file_path(const char *path)
{
	size_t size = strlen(path) + 3;
	char *full = malloc(size);

	if (full)
		(void)snprintf(full, size, "%s%s", path[0] == '/' ? "" : "./", path);
	return full;
}

static int pragma_int(vldaa_register *reg, int64_t *value, const char *sql)
{
	vldaa_query q;

	*value = 0;
	vldaa_query_open(&q, reg, sql);
	if (vldaa_query_row(&q))
		*value = sqlite3_column_int64(q.stmt, 0);
	return vldaa_query_close(&q);
}

/* Opens the file and sets what is the connection's, not the file's.  Changes nothing in a file that
 * is not ours. */
static int connect_file(vldaa_register *reg, const char *path)
{
	char *full = file_path(path);

	if (!full)
		return VLDAA_ERR_MEMORY;
	/* No SQLITE_OPEN_CREATE: what is created, is created by create_file with its mode. */
	int rc =
	    sqlite3_open_v2(full, &reg->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, NULL);
	free(full);
	if (rc != SQLITE_OK)
		return reg->db ? vldaa_db_failed(reg, reg->db) : VLDAA_ERR_MEMORY;
	/* DEFENSIVE and an untrusted schema: a file made with ill will cannot run functions or
	 * write its own pages. */
	if (sqlite3_busy_timeout(reg->db, BUSY_MILLISECONDS) != SQLITE_OK ||
	    sqlite3_db_config(reg->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) != SQLITE_OK ||
	    sqlite3_db_config(reg->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) != SQLITE_OK)
		return vldaa_db_failed(reg, reg->db);
	int ret = vldaa_db_exec(reg, "PRAGMA synchronous = EXTRA;"
				     "PRAGMA secure_delete = ON;"
				     "PRAGMA foreign_keys = ON;"
				     "PRAGMA temp_store = MEMORY;"
				     "PRAGMA cell_size_check = ON");
	/* SQLite ignores pragmas that it was built without. */
	int64_t synchronous = 0;
	int64_t foreign_keys = 0;
	if (ret == VLDAA_OK)
		ret = pragma_int(reg, &synchronous, "PRAGMA synchronous");
	if (ret == VLDAA_OK)
		ret = pragma_int(reg, &foreign_keys, "PRAGMA foreign_keys");
	if (ret == VLDAA_OK && (synchronous != 3 || foreign_keys != 1))
		ret = vldaa_db_refuse(
		    reg, "this SQLite was built without durability or foreign keys", NULL);
	return ret;
}

/* A file that somebody switched to another journal (a lasting property of the file) is switched
 * back; see register_db.h. */
static int set_journal(vldaa_register *reg)
{
	vldaa_query q;
	int ok = 0;

	vldaa_query_open(&q, reg, "PRAGMA journal_mode = DELETE");
	if (vldaa_query_row(&q)) {
		const char *mode = (const char *)sqlite3_column_text(q.stmt, 0);
		ok = mode && strcmp(mode, "delete") == 0;
	}
	int ret = vldaa_query_close(&q);
	if (ret == VLDAA_OK && !ok)
		ret = vldaa_db_refuse(reg, "the register cannot use a rollback journal", NULL);
	return ret;
}

static int check_owner(vldaa_register *reg, uint32_t set_id, const uint8_t *key_id)
{
	vldaa_query q;
	int found = 0;
	int same_set = 0;
	int same_key = 0;

	vldaa_query_open(&q, reg, "SELECT set_id, key_id FROM register");
	if (vldaa_query_row(&q)) {
		const void *id = sqlite3_column_blob(q.stmt, 1);
		found = sqlite3_column_bytes(q.stmt, 1) == VLDAA_REGISTER_ID_BYTES && id;
		same_set = sqlite3_column_int64(q.stmt, 0) == (int64_t)set_id;
		same_key = found && memcmp(id, key_id, VLDAA_REGISTER_ID_BYTES) == 0;
	}
	int ret = vldaa_query_close(&q);
	if (ret != VLDAA_OK)
		return ret;
	if (!found)
		return vldaa_db_refuse(reg, "the file is damaged, or no register",
				       "it has no owner");
	if (!same_set)
		return VLDAA_ERR_WRONG_SET;
	return same_key ? VLDAA_OK : VLDAA_ERR_WRONG_ISSUER;
}

/* Is this a register of ours that this release can use? */
static int check_file(vldaa_register *reg, uint32_t set_id, const uint8_t *key_id)
{
	int64_t application = 0;
	int64_t version = 0;
	int ret = pragma_int(reg, &application, "PRAGMA application_id");

	if (ret == VLDAA_OK)
		ret = pragma_int(reg, &version, "PRAGMA user_version");
	if (ret != VLDAA_OK)
		return ret;
	if (application != VLDAA_REGISTER_APPLICATION_ID || version < 1)
		return vldaa_db_refuse(reg, "the file is not an issuer's register", NULL);
	if (version > VLDAA_REGISTER_SCHEMA_VERSION) {
		(void)vldaa_db_refuse(reg, "a newer release made this register", NULL);
		return VLDAA_ERR_VERSION;
	}
	ret = vldaa_schema_check(reg);
	if (ret == VLDAA_OK)
		ret = check_owner(reg, set_id, key_id);
	if (ret == VLDAA_OK)
		ret = set_journal(reg);
	return ret;
}

/* A handle that failed keeps its reason and nothing else. */
static int finish_open(vldaa_register *reg, int ret)
{
	if (ret != VLDAA_OK) {
		(void)sqlite3_close(reg->db);
		reg->db = NULL;
	}
	return ret;
}

/* An empty file of mode 0600 at path; one that is there already is taken when it is empty. */
static int create_file(vldaa_register *reg, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);

	if (fd >= 0) {
		(void)close(fd);
		return VLDAA_OK;
	}
	if (errno != EEXIST)
		return vldaa_db_refuse(reg, "the register cannot be made", strerror(errno));
	/* Never opened here: closing it would drop the locks that this process's other handles
	 * hold. */
	if (stat(path, &st) != 0)
		return vldaa_db_refuse(reg, "the register cannot be made", strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size != 0)
		return vldaa_db_refuse(reg, exists_already, NULL);
	if (chmod(path, S_IRUSR | S_IWUSR) != 0)
		return vldaa_db_refuse(reg, "the register cannot be made", strerror(errno));
	return VLDAA_OK;
}

int vldaa_register_create(vldaa_register **out, const char *path, uint32_t set_id,
			  const uint8_t key_id[VLDAA_REGISTER_ID_BYTES])
{
	if (!out)
		return VLDAA_ERR_ARGUMENT;
	*out = NULL;
	if (!path || !path[0] || !key_id)
		return VLDAA_ERR_ARGUMENT;
	vldaa_register *reg = calloc(1, sizeof *reg);
	if (!reg)
		return VLDAA_ERR_MEMORY;
	*out = reg;
	int ret = create_file(reg, path);
	if (ret == VLDAA_OK)
		ret = connect_file(reg, path);
	/* All or nothing: a process that is killed here leaves an empty file. */
	if (ret == VLDAA_OK)
		ret = vldaa_db_begin_write(reg);
	if (ret == VLDAA_OK) {
		int64_t objects = 0;
		/* Another process may have been faster. */
		ret = pragma_int(reg, &objects, "SELECT count(*) FROM sqlite_schema");
		if (ret == VLDAA_OK && objects > 0) {
			ret = vldaa_db_refuse(reg, exists_already, NULL);
		}
		if (ret == VLDAA_OK)
			ret = vldaa_schema_create(reg, set_id, key_id);
		ret = vldaa_db_end(reg, ret);
	}
	if (ret == VLDAA_OK)
		ret = check_file(reg, set_id, key_id);
	return finish_open(reg, ret);
}

int vldaa_register_open(vldaa_register **out, const char *path, uint32_t set_id,
			const uint8_t key_id[VLDAA_REGISTER_ID_BYTES])
{
	struct stat st;

	if (!out)
		return VLDAA_ERR_ARGUMENT;
	*out = NULL;
	if (!path || !path[0] || !key_id)
		return VLDAA_ERR_ARGUMENT;
	vldaa_register *reg = calloc(1, sizeof *reg);
	if (!reg)
		return VLDAA_ERR_MEMORY;
	*out = reg;
	int ret = VLDAA_OK;
	if (stat(path, &st) != 0)
		ret = vldaa_db_refuse(reg, "the register cannot be opened", strerror(errno));
	else if (!S_ISREG(st.st_mode))
		ret = vldaa_db_refuse(reg, "the register cannot be opened", "not a regular file");
	if (ret == VLDAA_OK)
		ret = connect_file(reg, path);
	if (ret == VLDAA_OK)
		ret = check_file(reg, set_id, key_id);
	return finish_open(reg, ret);
}

void vldaa_register_close(vldaa_register *reg)
{
	if (!reg)
		return;
	(void)sqlite3_close(reg->db);
	free(reg);
}

const char *vldaa_register_reason(const vldaa_register *reg)
{
	return reg ? reg->reason : "";
}

/* Copies the database into the empty file at path. */
static int copy_to(vldaa_register *reg, const char *path)
{
	sqlite3 *to = NULL;
	int ret = VLDAA_OK;
	int rc = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_exec(to, "PRAGMA synchronous = EXTRA", NULL, NULL, NULL);
	if (rc == SQLITE_OK) {
		sqlite3_backup *backup = sqlite3_backup_init(to, "main", reg->db, "main");
		/* In one step: in several, every row that is added meanwhile would begin it anew.
		 */
		if (backup)
			(void)sqlite3_backup_step(backup, -1);
		rc = backup ? sqlite3_backup_finish(backup) : sqlite3_errcode(to);
	}
	if (rc != SQLITE_OK)
		ret = to ? vldaa_db_failed(reg, to) : VLDAA_ERR_MEMORY;
	if (sqlite3_close(to) != SQLITE_OK && ret == VLDAA_OK)
		ret = vldaa_db_refuse(reg, "the backup cannot be closed", NULL);
	return ret;
}

/* Makes a file's, or a directory's, content durable. */
static int sync_path(vldaa_register *reg, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int ok = fd >= 0 && fsync(fd) == 0;
	int why = errno;

	if (fd >= 0)
		(void)close(fd);
	return ok ? VLDAA_OK
		  : vldaa_db_refuse(reg, "the backup cannot be made durable", strerror(why));
}

/* Gives the finished file its name, unless something has got that name meanwhile. */
static int publish(vldaa_register *reg, const char *temporary, const char *path)
{
	if (link(temporary, path) == 0) {
		(void)unlink(temporary);
		return VLDAA_OK;
	}
	if (errno == EEXIST)
		return vldaa_db_refuse(reg, exists_already, NULL);
	if (errno == EPERM || errno == ENOTSUP)
		return vldaa_db_refuse(reg,
				       "that file system has no hard links: make the backup "
				       "on another one, and copy it",
				       NULL);
	return vldaa_db_refuse(reg, "the backup cannot be made", strerror(errno));
}

int vldaa_register_backup(vldaa_register *reg, const char *path)
{
	static const char suffix[] = ".XXXXXX";
	struct stat st;
	int ret = vldaa_db_ready(reg);

	if (ret != VLDAA_OK)
		return ret;
	if (!path || !path[0])
		return VLDAA_ERR_ARGUMENT;
	if (lstat(path, &st) == 0)
		return vldaa_db_refuse(reg, exists_already, NULL);
	char *full = file_path(path);
	size_t size = full ? strlen(full) + sizeof suffix : 0;
	char *temporary = full ? malloc(size) : NULL;
	if (!temporary) {
		free(full);
		return VLDAA_ERR_MEMORY;
	}
	(void)snprintf(temporary, size, "%s%s", full, suffix);
	int fd = mkstemp(temporary); /* of mode 0600 */
	if (fd < 0) {
		ret = vldaa_db_refuse(reg, "the backup cannot be made", strerror(errno));
		goto done;
	}
	(void)close(fd);
	ret = copy_to(reg, temporary);
	if (ret == VLDAA_OK)
		ret = sync_path(reg, temporary);
	if (ret == VLDAA_OK)
		ret = publish(reg, temporary, full);
	if (ret != VLDAA_OK) {
		(void)unlink(temporary);
		goto done;
	}
	*(strrchr(full, '/') + 1) = '\0'; /* its directory; file_path always has a slash */
	ret = sync_path(reg, full);
done:
	free(temporary);
	free(full);
	return ret;
}

int vldaa_register_check(vldaa_register *reg)
{
	vldaa_query q;
	int good = 0;
	int ret = vldaa_db_ready(reg);

	if (ret == VLDAA_OK)
		ret = vldaa_schema_check(reg);
	if (ret != VLDAA_OK)
		return ret;
	vldaa_query_open(&q, reg, "PRAGMA integrity_check(1)");
	if (vldaa_query_row(&q)) {
		const char *text = (const char *)sqlite3_column_text(q.stmt, 0);
		good = text && strcmp(text, "ok") == 0;
		if (!good)
			(void)vldaa_db_refuse(reg, "the register is damaged", text);
	}
	ret = vldaa_query_close(&q);
	if (ret != VLDAA_OK)
		return ret;
	if (!good)
		return VLDAA_ERR_STORE;
	vldaa_query_open(&q, reg, "PRAGMA foreign_key_check");
	int broken = vldaa_query_row(&q);
	ret = vldaa_query_close(&q);
	if (ret == VLDAA_OK && broken)
		ret = vldaa_db_refuse(reg, "the register is damaged",
				      "a row refers to one that is missing");
	return ret;
}
