/* Queries, transactions, and the translation of SQLite's errors. */
#include "register_db.h"

#include <stdio.h>

int vldaa_db_ready(vldaa_register *reg)
{
	if (!reg)
		return VLDAA_ERR_ARGUMENT;
	if (!reg->db)
		return VLDAA_ERR_STATE; /* the reason why it did not open stays */
	reg->reason[0] = '\0';
	return VLDAA_OK;
}

int vldaa_db_time_ok(int64_t t)
{
	return t >= 0 && t <= (INT64_C(1) << 53);
}

int vldaa_db_failed(vldaa_register *reg, sqlite3 *db)
{
	int code = sqlite3_extended_errcode(db);
	const char *text = sqlite3_errmsg(db);

	switch (code & 0xff) {
	case SQLITE_NOMEM:
		return VLDAA_ERR_MEMORY;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		text = "another process holds the register";
		break;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		text = "the file is damaged, or no register";
		break;
	case SQLITE_MISUSE:
	case SQLITE_RANGE:
		(void)snprintf(reg->reason, sizeof reg->reason, "%s", text);
		return VLDAA_ERR_INTERNAL;
	default:
		break;
	}
	(void)snprintf(reg->reason, sizeof reg->reason, "%s (SQLite %d)", text, code);
	return VLDAA_ERR_STORE;
}

int vldaa_db_refuse(vldaa_register *reg, const char *text, const char *detail)
{
	(void)snprintf(reg->reason, sizeof reg->reason, "%s%s%s", text, detail ? ": " : "",
		       detail ? detail : "");
	return VLDAA_ERR_STORE;
}

int vldaa_db_exec(vldaa_register *reg, const char *sql)
{
	if (sqlite3_exec(reg->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return vldaa_db_failed(reg, reg->db);
	return VLDAA_OK;
}

int vldaa_db_begin_write(vldaa_register *reg)
{
	return vldaa_db_exec(reg, "BEGIN IMMEDIATE");
}

int vldaa_db_begin_read(vldaa_register *reg)
{
	return vldaa_db_exec(reg, "BEGIN");
}

int vldaa_db_end(vldaa_register *reg, int ret)
{
	if (ret == VLDAA_OK)
		ret = vldaa_db_exec(reg, "COMMIT");
	/* Some errors have rolled back already; if this fails too, the next BEGIN will say so. */
	if (!sqlite3_get_autocommit(reg->db))
		(void)sqlite3_exec(reg->db, "ROLLBACK", NULL, NULL, NULL);
	return ret;
}

static void keep(vldaa_query *q, int rc)
{
	if (rc != SQLITE_OK && q->ret == VLDAA_OK)
		q->ret = vldaa_db_failed(q->reg, q->reg->db);
}

void vldaa_query_open(vldaa_query *q, vldaa_register *reg, const char *sql)
{
	q->reg = reg;
	q->stmt = NULL;
	q->ret = VLDAA_OK;
	keep(q, sqlite3_prepare_v2(reg->db, sql, -1, &q->stmt, NULL));
}

void vldaa_query_blob(vldaa_query *q, int parameter, const void *bytes, size_t len)
{
	if (q->ret == VLDAA_OK)
		keep(q, sqlite3_bind_blob64(q->stmt, parameter, bytes, len, SQLITE_STATIC));
}

void vldaa_query_int(vldaa_query *q, int parameter, int64_t value)
{
	if (q->ret == VLDAA_OK)
		keep(q, sqlite3_bind_int64(q->stmt, parameter, value));
}

void vldaa_query_text(vldaa_query *q, int parameter, const char *text)
{
	if (q->ret == VLDAA_OK)
		keep(q, sqlite3_bind_text(q->stmt, parameter, text, -1, SQLITE_STATIC));
}

int vldaa_query_row(vldaa_query *q)
{
	if (q->ret != VLDAA_OK)
		return 0;
	int rc = sqlite3_step(q->stmt);
	if (rc == SQLITE_ROW)
		return 1;
	keep(q, rc == SQLITE_DONE ? SQLITE_OK : rc);
	return 0;
}

int vldaa_query_close(vldaa_query *q)
{
	(void)sqlite3_finalize(q->stmt); /* repeats the error of the last step */
	q->stmt = NULL;
	return q->ret;
}

int vldaa_query_run(vldaa_query *q)
{
	(void)vldaa_query_row(q);
	return vldaa_query_close(q);
}
