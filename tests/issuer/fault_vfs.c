#include "fault_vfs.h"

#include <check.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "register_helper.h"

enum {
	NAME_BYTES = 600,
};

/* The real file follows in the same allocation. */
struct file {
	sqlite3_file base;
	const char *name;
	sqlite3_file *real;
};

static struct {
	sqlite3_vfs vfs;
	sqlite3_vfs *real;
	enum fault fault;
	int at;
	int count;
	int images;
	char path[NAME_BYTES];
} state;

/* 1 when the operation, of this kind of fault, is to fail. */
static int step(enum fault kind)
{
	state.count++;
	if (state.fault == FAULT_NONE || state.count < state.at)
		return 0;
	if (state.fault == FAULT_KILL)
		(void)kill(getpid(), SIGKILL);
	return state.fault == kind;
}

static int is_kept(const char *name)
{
	return state.images && name && strncmp(name, state.path, strlen(state.path)) == 0;
}

static void image_name(char out[NAME_BYTES + 8], const char *name)
{
	(void)snprintf(out, NAME_BYTES + 8, "%s.image", name);
}

static void image_save(const char *name)
{
	char image[NAME_BYTES + 8];

	image_name(image, name);
	test_copy(name, image);
}

static int f_close(sqlite3_file *f)
{
	sqlite3_file *real = ((struct file *)f)->real;

	return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
}

static int f_read(sqlite3_file *f, void *out, int n, sqlite3_int64 at)
{
	sqlite3_file *real = ((struct file *)f)->real;

	return real->pMethods->xRead(real, out, n, at);
}

static int f_write(sqlite3_file *f, const void *in, int n, sqlite3_int64 at)
{
	sqlite3_file *real = ((struct file *)f)->real;

	if (step(FAULT_FULL))
		return SQLITE_FULL;
	return real->pMethods->xWrite(real, in, n, at);
}

static int f_truncate(sqlite3_file *f, sqlite3_int64 n)
{
	sqlite3_file *real = ((struct file *)f)->real;

	(void)step(FAULT_NONE);
	return real->pMethods->xTruncate(real, n);
}

static int f_sync(sqlite3_file *f, int flags)
{
	struct file *file = (struct file *)f;

	if (step(FAULT_SYNC))
		return SQLITE_IOERR_FSYNC;
	int rc = file->real->pMethods->xSync(file->real, flags);
	if (rc == SQLITE_OK && is_kept(file->name))
		image_save(file->name);
	return rc;
}

static int f_size(sqlite3_file *f, sqlite3_int64 *n)
{
	sqlite3_file *real = ((struct file *)f)->real;

	return real->pMethods->xFileSize(real, n);
}

static int f_lock(sqlite3_file *f, int lock)
{
	sqlite3_file *real = ((struct file *)f)->real;

	return real->pMethods->xLock(real, lock);
}

static int f_unlock(sqlite3_file *f, int lock)
{
	sqlite3_file *real = ((struct file *)f)->real;

	return real->pMethods->xUnlock(real, lock);
}

static int f_reserved(sqlite3_file *f, int *out)
{
	sqlite3_file *real = ((struct file *)f)->real;

	return real->pMethods->xCheckReservedLock(real, out);
}

static int f_control(sqlite3_file *f, int op, void *arg)
{
	sqlite3_file *real = ((struct file *)f)->real;

	return real->pMethods->xFileControl(real, op, arg);
}

static int f_sector(sqlite3_file *f)
{
	sqlite3_file *real = ((struct file *)f)->real;

	return real->pMethods->xSectorSize(real);
}

static int f_characteristics(sqlite3_file *f)
{
	/* Nothing is promised, so that SQLite takes no shortcut. */
	(void)f;
	return 0;
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = f_close,
    .xRead = f_read,
    .xWrite = f_write,
    .xTruncate = f_truncate,
    .xSync = f_sync,
    .xFileSize = f_size,
    .xLock = f_lock,
    .xUnlock = f_unlock,
    .xCheckReservedLock = f_reserved,
    .xFileControl = f_control,
    .xSectorSize = f_sector,
    .xDeviceCharacteristics = f_characteristics,
};

static int v_open(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *out_flags)
{
	struct file *file = (struct file *)f;

	(void)v;
	file->name = name;
	file->real = (sqlite3_file *)(void *)(file + 1);
	int rc = state.real->xOpen(state.real, name, file->real, flags, out_flags);
	file->base.pMethods = rc == SQLITE_OK ? &methods : NULL;
	return rc;
}

static int v_delete(sqlite3_vfs *v, const char *name, int sync)
{
	(void)v;
	int fail = step(FAULT_DELETE);
	int rc = state.real->xDelete(state.real, name, fail ? 0 : sync);
	if (rc == SQLITE_OK && sync && !fail && is_kept(name)) {
		char image[NAME_BYTES + 8];
		image_name(image, name);
		(void)unlink(image);
	}
	return fail ? SQLITE_IOERR_DIR_FSYNC : rc;
}

static int v_access(sqlite3_vfs *v, const char *name, int flags, int *out)
{
	(void)v;
	return state.real->xAccess(state.real, name, flags, out);
}

static int v_full_name(sqlite3_vfs *v, const char *name, int n, char *out)
{
	(void)v;
	return state.real->xFullPathname(state.real, name, n, out);
}

static int v_random(sqlite3_vfs *v, int n, char *out)
{
	(void)v;
	return state.real->xRandomness(state.real, n, out);
}

static int v_sleep(sqlite3_vfs *v, int microseconds)
{
	(void)v;
	return state.real->xSleep(state.real, microseconds);
}

static int v_time(sqlite3_vfs *v, sqlite3_int64 *out)
{
	(void)v;
	return state.real->xCurrentTimeInt64(state.real, out);
}

static int v_error(sqlite3_vfs *v, int n, char *out)
{
	(void)v;
	return state.real->xGetLastError(state.real, n, out);
}

void fault_install(enum fault fault, int at)
{
	if (!state.real) {
		state.real = sqlite3_vfs_find(NULL);
		state.vfs = (sqlite3_vfs){
		    .iVersion = 2,
		    .szOsFile = (int)sizeof(struct file) + state.real->szOsFile,
		    .mxPathname = state.real->mxPathname,
		    .zName = "fault",
		    .xOpen = v_open,
		    .xDelete = v_delete,
		    .xAccess = v_access,
		    .xFullPathname = v_full_name,
		    .xRandomness = v_random,
		    .xSleep = v_sleep,
		    .xGetLastError = v_error,
		    .xCurrentTimeInt64 = v_time,
		};
		ck_assert_int_eq(sqlite3_vfs_register(&state.vfs, 1), SQLITE_OK);
	}
	state.fault = fault;
	state.at = at;
	state.count = 0;
}

void fault_clear(void)
{
	state.fault = FAULT_NONE;
}

int fault_count(void)
{
	return state.count;
}

void fault_image_begin(const char *path)
{
	(void)snprintf(state.path, sizeof state.path, "%s", path);
	state.images = 1;
	if (access(path, F_OK) == 0)
		image_save(path);
}

static void restore_one(const char *name, int keep_data)
{
	char image[NAME_BYTES + 8];

	image_name(image, name);
	int durable = access(image, F_OK) == 0;
	int exists = access(name, F_OK) == 0;
	if (durable && !(keep_data && exists))
		test_copy(image, name);
	if (!durable && exists)
		ck_assert_int_eq(unlink(name), 0);
	if (durable)
		ck_assert_int_eq(unlink(image), 0);
}

void fault_image_restore(const char *path, int keep_data)
{
	char journal[NAME_BYTES];

	(void)snprintf(journal, sizeof journal, "%s-journal", path);
	restore_one(path, keep_data);
	restore_one(journal, 0);
}
