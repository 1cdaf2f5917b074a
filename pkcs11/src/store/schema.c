#include "schema.h"

#include <inttypes.h>

#include "trace.h"

/* "VLDp"; in the file's header, so that file(1) and we know what it is. */
#define APPLICATION_ID 0x564c4470

static const char tables[] =
    /* One row: whose token this is.  instance: new with each initialisation.  stamp: counts changes
     * of objects.  endorsement: the endorsement key (PKCS#8), sealed. */
    "CREATE TABLE token ("
    "  id INTEGER PRIMARY KEY CHECK (id = 1),"
    "  label BLOB NOT NULL CHECK (length(label) = 32),"
    "  serial BLOB NOT NULL CHECK (length(serial) = 8),"
    "  instance BLOB NOT NULL CHECK (length(instance) = 16),"
    "  stamp INTEGER NOT NULL,"
    "  endorsement BLOB"
    ") STRICT;"
    /* role: 0 the security officer, 1 the user.  n, r, p: scrypt's cost.  wrapped: the master key,
     * sealed under what scrypt makes of the PIN.  tries: how many are left, of at most `allowed`. */
    "CREATE TABLE pins ("
    "  role INTEGER PRIMARY KEY CHECK (role IN (0, 1)),"
    "  salt BLOB NOT NULL CHECK (length(salt) = 32),"
    "  n INTEGER NOT NULL, r INTEGER NOT NULL, p INTEGER NOT NULL,"
    "  wrapped BLOB NOT NULL,"
    "  tries INTEGER NOT NULL CHECK (tries >= 0),"
    "  allowed INTEGER NOT NULL"
    ") STRICT;"
    /* attributes: in clear, or sealed when private is 1.  secret: sealed.  kept: 1 for what outlives
     * C_InitToken.  parent: with which it dies. */
    "CREATE TABLE objects ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  parent INTEGER REFERENCES objects (id) ON DELETE CASCADE,"
    "  uid BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),"
    "  private INTEGER NOT NULL CHECK (private IN (0, 1)),"
    "  kept INTEGER NOT NULL CHECK (kept IN (0, 1)),"
    "  stamp INTEGER NOT NULL,"
    "  attributes BLOB NOT NULL,"
    "  secret BLOB"
    ") STRICT;"
    "CREATE INDEX objects_parent ON objects (parent);"
    /* What the TPM role keeps; record: enum vldaa_record.  Secret ones are sealed. */
    "CREATE TABLE records ("
    "  record INTEGER NOT NULL,"
    "  name BLOB NOT NULL CHECK (length(name) = 32),"
    "  value BLOB NOT NULL,"
    "  PRIMARY KEY (record, name)"
    ") STRICT, WITHOUT ROWID;"
    "PRAGMA application_id = 0x564c4470;"
    "PRAGMA user_version = 1";

int vldaa_p11_schema_create(const vldaa_p11_db *d)
{
	return vldaa_p11_db_exec(d, tables);
}

int vldaa_p11_schema_check(const vldaa_p11_db *d)
{
	int64_t application = 0, version = 0, objects = 0;
	int err = vldaa_p11_db_pragma(d, "PRAGMA application_id", &application);

	if (!err)
		err = vldaa_p11_db_pragma(d, "PRAGMA user_version", &version);
	if (!err)
		err = vldaa_p11_db_pragma(d, "SELECT count(*) FROM sqlite_schema", &objects);
	if (err)
		return err;
	if (application == 0 && version == 0 && objects == 0)
		return VLDAA_P11_ERR_ABSENT;
	if (application != APPLICATION_ID) {
		vldaa_p11_trace("%s: this is no token", d->path);
		return VLDAA_P11_ERR_FOREIGN;
	}
	if (version != VLDAA_P11_SCHEMA_VERSION) {
		vldaa_p11_trace("%s: made by a newer release (schema %" PRId64 ")", d->path,
				version);
		return VLDAA_P11_ERR_FOREIGN;
	}
	return VLDAA_OK;
}
