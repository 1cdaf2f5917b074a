/*
 * The register's schema, version 1.
 *
 * SQLite keeps the text of these statements in the file, so they never change: a later version adds
 * statements and a migration.  They stand in the order of their names, for the check.
 */
#include "register_db.h"

#include <string.h>

static const struct {
	const char *name;
	const char *sql;
} objects[] = {
    /* A certificate's ban or a member's. */
    {"bans", "CREATE TABLE bans (\n"
	     "  id INTEGER PRIMARY KEY,\n"
	     "  certificate_id BLOB UNIQUE CHECK (length(certificate_id) = 32),\n"
	     "  member_id INTEGER UNIQUE REFERENCES members (id),\n"
	     "  reason TEXT NOT NULL,\n"
	     "  created INTEGER NOT NULL,\n"
	     "  CHECK ((certificate_id IS NULL) <> (member_id IS NULL))\n"
	     ") STRICT"},
    /* state is enum vldaa_member_state. */
    {"members", "CREATE TABLE members (\n"
		"  id INTEGER PRIMARY KEY,\n"
		"  tag BLOB NOT NULL UNIQUE,\n"
		"  key_digest BLOB NOT NULL UNIQUE CHECK (length(key_digest) = 32),\n"
		"  host_key_digest BLOB NOT NULL CHECK (length(host_key_digest) = 32),\n"
		"  member_key BLOB NOT NULL,\n"
		"  certificate_id BLOB NOT NULL CHECK (length(certificate_id) = 32),\n"
		"  certificate BLOB NOT NULL,\n"
		"  request_digest BLOB NOT NULL UNIQUE CHECK (length(request_digest) = 32),\n"
		"  answer BLOB NOT NULL,\n"
		"  created INTEGER NOT NULL,\n"
		"  state INTEGER NOT NULL CHECK (state IN (1, 2, 3)),\n"
		"  replaced_by INTEGER REFERENCES members (id)\n"
		") STRICT"},
    {"members_certificate", "CREATE INDEX members_certificate ON members (certificate_id)"},
    {"members_fixed",
     "CREATE TRIGGER members_fixed BEFORE UPDATE OF id, tag, key_digest, host_key_digest, member_key,\n"
     "  certificate_id, certificate, request_digest, answer, created ON members\n"
     "BEGIN SELECT RAISE(ABORT, 'what a member received never changes'); END"},
    {"members_kept",
     "CREATE TRIGGER members_kept BEFORE DELETE ON members\n"
     "BEGIN SELECT RAISE(ABORT, 'members are never deleted: their tags stay taken'); END"},
    {"members_live",
     "CREATE UNIQUE INDEX members_live ON members (certificate_id) WHERE state = 1"},
    {"members_state",
     "CREATE TRIGGER members_state BEFORE UPDATE OF state ON members WHEN NEW.state < OLD.state\n"
     "BEGIN SELECT RAISE(ABORT, 'a replaced or banned member does not come back'); END"},
    /* used_by is the digest of the request that used it up, NULL before. */
    {"nonces", "CREATE TABLE nonces (\n"
	       "  nonce BLOB NOT NULL PRIMARY KEY CHECK (length(nonce) = 32),\n"
	       "  created INTEGER NOT NULL,\n"
	       "  expires INTEGER NOT NULL,\n"
	       "  used_by BLOB CHECK (length(used_by) = 32)\n"
	       ") STRICT, WITHOUT ROWID"},
    /* One row: whose register this is. */
    {"register", "CREATE TABLE register (\n"
		 "  id INTEGER PRIMARY KEY CHECK (id = 1),\n"
		 "  set_id INTEGER NOT NULL,\n"
		 "  key_id BLOB NOT NULL CHECK (length(key_id) = 32)\n"
		 ") STRICT"},
    {"rogue", "CREATE TABLE rogue (\n"
	      "  id INTEGER PRIMARY KEY,\n"
	      "  entry BLOB NOT NULL UNIQUE,\n"
	      "  key_digest BLOB CHECK (length(key_digest) = 32),\n"
	      "  created INTEGER NOT NULL\n"
	      ") STRICT"},
    {"rogue_key", "CREATE INDEX rogue_key ON rogue (key_digest)"},
};

enum {
	OBJECTS = sizeof objects / sizeof objects[0],
};

/* Runs inside the caller's transaction. */
int vldaa_schema_create(vldaa_register *reg, uint32_t set_id, const uint8_t *key_id)
{
	int ret = VLDAA_OK;

	for (int i = 0; i < OBJECTS && ret == VLDAA_OK; i++) {
		/* Indices and triggers need their table first: "bans" and "members" come before
		 * theirs by name. */
		ret = vldaa_db_exec(reg, objects[i].sql);
	}
	if (ret == VLDAA_OK) {
		vldaa_query q;
		vldaa_query_open(&q, reg,
				 "INSERT INTO register (id, set_id, key_id) VALUES (1, ?1, ?2)");
		vldaa_query_int(&q, 1, set_id);
		vldaa_query_blob(&q, 2, key_id, VLDAA_REGISTER_ID_BYTES);
		ret = vldaa_query_run(&q);
	}
	/* 0x564c4472 is VLDAA_REGISTER_APPLICATION_ID: pragmas take no parameters. */
	if (ret == VLDAA_OK)
		ret = vldaa_db_exec(reg,
				    "PRAGMA application_id = 0x564c4472; PRAGMA user_version = 1");
	return ret;
}

int vldaa_schema_check(vldaa_register *reg)
{
	vldaa_query q;
	int n = 0;
	int same = 1;

	/* Names that begin with sqlite_ are SQLite's own, for example after an ANALYZE. */
	vldaa_query_open(
	    &q, reg,
	    "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
	    "ORDER BY name COLLATE BINARY");
	while (same && vldaa_query_row(&q)) {
		const char *name = (const char *)sqlite3_column_text(q.stmt, 0);
		const char *sql = (const char *)sqlite3_column_text(q.stmt, 1);

		same = n < OBJECTS && name && sql && strcmp(name, objects[n].name) == 0 &&
		       strcmp(sql, objects[n].sql) == 0;
		n++;
	}
	int ret = vldaa_query_close(&q);
	if (ret != VLDAA_OK)
		return ret;
	if (!same || n != OBJECTS)
		return vldaa_db_refuse(reg, "the file is damaged, or no register",
				       "its tables differ");
	return VLDAA_OK;
}
