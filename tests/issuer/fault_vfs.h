/*
 * A VFS for SQLite, in front of the usual one, that counts the operations which change the disk
 * (write, truncate, sync, delete) and from a given one on lets the process die or the operation
 * fail.
 *
 * It also keeps, beside the real files, what would be left of them after power loss: their contents
 * of the last sync, and deleted files whose directory was not synced.
 */
#ifndef VLDAA_TEST_FAULT_VFS_H
#define VLDAA_TEST_FAULT_VFS_H

enum fault {
	FAULT_NONE,
	FAULT_KILL,   /* kill -9 before the operation */
	FAULT_FULL,   /* this write and all after it: no space left */
	FAULT_SYNC,   /* this sync and all after it fail */
	FAULT_DELETE, /* the delete is done, but syncing its directory fails */
};

/* Installs the VFS as SQLite's default one.  Operations count from 1; those before at are carried
 * out. */
void fault_install(enum fault fault, int at);
void fault_clear(void);
/* Operations so far. */
int fault_count(void);

/* From here on, keeps the image of the files that begin with the register's path.  They are durable
 * now. */
void fault_image_begin(const char *path);
/* After the process that wrote has died: brings the files into the state after power loss.
 * keep_data: what was written to the register's file without sync got to the disk all the same (its
 * journal's did not). */
void fault_image_restore(const char *path, int keep_data);

#endif
