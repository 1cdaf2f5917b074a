/* Joining: nonces, admission, the one transaction that adds a member, and answers given before. */
#include "register_db.h"

#include <stdio.h>
#include <string.h>

#include <openssl/rand.h>

enum {
	ID_BYTES = VLDAA_REGISTER_ID_BYTES,
};

int vldaa_register_nonce_new(vldaa_register *reg, uint8_t nonce[VLDAA_REGISTER_ID_BYTES],
			     int64_t now, int64_t lifetime)
{
	vldaa_query q;
	int ret = vldaa_db_ready(reg);

	if (ret != VLDAA_OK)
		return ret;
	if (!nonce)
		return VLDAA_ERR_ARGUMENT;
	memset(nonce, 0, ID_BYTES);
	if (!vldaa_db_time_ok(now) || lifetime < 1 || !vldaa_db_time_ok(lifetime))
		return VLDAA_ERR_ARGUMENT;
	if (RAND_bytes(nonce, ID_BYTES) != 1) {
		memset(nonce, 0, ID_BYTES);
		return VLDAA_ERR_RANDOM;
	}
	ret = vldaa_db_begin_write(reg);
	if (ret == VLDAA_OK) {
		vldaa_query_open(&q, reg, "DELETE FROM nonces WHERE expires < ?1");
		vldaa_query_int(&q, 1, now);
		ret = vldaa_query_run(&q);
		if (ret == VLDAA_OK) {
			vldaa_query_open(
			    &q, reg,
			    "INSERT INTO nonces (nonce, created, expires) VALUES (?1, ?2, ?3)");
			vldaa_query_blob(&q, 1, nonce, ID_BYTES);
			vldaa_query_int(&q, 2, now);
			vldaa_query_int(&q, 3, now + lifetime);
			ret = vldaa_query_run(&q);
		}
		ret = vldaa_db_end(reg, ret);
	}
	if (ret != VLDAA_OK)
		memset(nonce, 0, ID_BYTES);
	return ret;
}

/* Whether something is banned, by a query for the reason that has the one parameter id: VLDAA_OK, or
 * VLDAA_ERR_BANNED with what the operator wrote as reason. */
static int check_ban(vldaa_register *reg, const char *sql, const uint8_t *id)
{
	vldaa_query q;
	int answer = VLDAA_OK;

	vldaa_query_open(&q, reg, sql);
	vldaa_query_blob(&q, 1, id, ID_BYTES);
	if (vldaa_query_row(&q)) {
		const char *text = (const char *)sqlite3_column_text(q.stmt, 0);

		answer = VLDAA_ERR_BANNED;
		(void)snprintf(reg->reason, sizeof reg->reason, "%s", text ? text : "");
	}
	int ret = vldaa_query_close(&q);
	return ret != VLDAA_OK ? ret : answer;
}

int vldaa_register_find_answer(vldaa_register *reg, uint8_t *out, size_t cap, size_t *len,
			       const uint8_t request_digest[VLDAA_REGISTER_ID_BYTES])
{
	vldaa_query q;
	int answer = VLDAA_ERR_NO_CREDENTIAL;

	if (!len)
		return VLDAA_ERR_ARGUMENT;
	*len = 0;
	int ret = vldaa_db_ready(reg);
	if (ret != VLDAA_OK)
		return ret;
	if (!request_digest || (!out && cap > 0))
		return VLDAA_ERR_ARGUMENT;
	vldaa_query_open(&q, reg, "SELECT state, answer FROM members WHERE request_digest = ?1");
	vldaa_query_blob(&q, 1, request_digest, ID_BYTES);
	if (vldaa_query_row(&q)) {
		int64_t state = sqlite3_column_int64(q.stmt, 0);
		const void *bytes = sqlite3_column_blob(q.stmt, 1);
		size_t n = (size_t)sqlite3_column_bytes(q.stmt, 1);

		if (state == VLDAA_MEMBER_BANNED) {
			answer = VLDAA_ERR_BANNED;
		} else if (state == VLDAA_MEMBER_REPLACED) {
			answer = VLDAA_ERR_MEMBER_EXISTS;
		} else if (!bytes) {
			answer =
			    vldaa_db_refuse(reg, "the register is damaged", "an answer is empty");
		} else {
			*len = n;
			answer = cap < n ? VLDAA_ERR_BUFFER : VLDAA_OK;
			if (answer == VLDAA_OK)
				memcpy(out, bytes, n);
		}
	}
	ret = vldaa_query_close(&q);
	if (ret == VLDAA_OK && answer == VLDAA_ERR_BANNED)
		ret =
		    check_ban(reg,
			      "SELECT reason FROM members JOIN bans ON bans.member_id = members.id "
			      "OR bans.certificate_id = members.certificate_id "
			      "WHERE request_digest = ?1 ORDER BY bans.id LIMIT 1",
			      request_digest);
	return ret != VLDAA_OK ? ret : answer;
}

/* *found = 1 when the query, which has the one parameter bytes, has a row. */
static int exists(vldaa_register *reg, int *found, const char *sql, const void *bytes, size_t len)
{
	vldaa_query q;

	vldaa_query_open(&q, reg, sql);
	vldaa_query_blob(&q, 1, bytes, len);
	*found = vldaa_query_row(&q);
	return vldaa_query_close(&q);
}

/* register.h's list of reasons to refuse, in its order; runs inside a transaction. */
static int check_admission(vldaa_register *reg, const uint8_t *nonce, const uint8_t *key_digest,
			   const uint8_t *certificate_id, int replace, int64_t now)
{
	vldaa_query q;
	int found = 0;

	vldaa_query_open(
	    &q, reg, "SELECT 1 FROM nonces WHERE nonce = ?1 AND used_by IS NULL AND expires >= ?2");
	vldaa_query_blob(&q, 1, nonce, ID_BYTES);
	vldaa_query_int(&q, 2, now);
	found = vldaa_query_row(&q);
	int ret = vldaa_query_close(&q);
	if (ret == VLDAA_OK && !found)
		ret = VLDAA_ERR_NONCE;
	if (ret == VLDAA_OK)
		ret = check_ban(reg, "SELECT reason FROM bans WHERE certificate_id = ?1",
				certificate_id);
	if (ret == VLDAA_OK)
		ret = check_ban(reg,
				"SELECT reason FROM bans JOIN members ON members.id = member_id "
				"WHERE key_digest = ?1",
				key_digest);
	if (ret == VLDAA_OK) {
		ret = exists(reg, &found,
			     "SELECT 1 FROM rogue WHERE key_digest = ?1 "
			     "UNION ALL SELECT 1 FROM members WHERE key_digest = ?1 AND state = 3",
			     key_digest, ID_BYTES);
		if (ret == VLDAA_OK && found)
			ret = VLDAA_ERR_BANNED;
	}
	if (ret == VLDAA_OK) {
		ret = exists(reg, &found, "SELECT 1 FROM members WHERE key_digest = ?1", key_digest,
			     ID_BYTES);
		if (ret == VLDAA_OK && found)
			ret = VLDAA_ERR_KEY_REGISTERED;
	}
	if (ret == VLDAA_OK && !replace) {
		ret = exists(reg, &found,
			     "SELECT 1 FROM members WHERE certificate_id = ?1 AND state IN (1, 3)",
			     certificate_id, ID_BYTES);
		if (ret == VLDAA_OK && found)
			ret = VLDAA_ERR_MEMBER_EXISTS;
	}
	return ret;
}

int vldaa_register_admit(vldaa_register *reg, const uint8_t nonce[VLDAA_REGISTER_ID_BYTES],
			 const uint8_t key_digest[VLDAA_REGISTER_ID_BYTES],
			 const uint8_t certificate_id[VLDAA_REGISTER_ID_BYTES], int replace,
			 int64_t now)
{
	int ret = vldaa_db_ready(reg);

	if (ret != VLDAA_OK)
		return ret;
	if (!nonce || !key_digest || !certificate_id || !vldaa_db_time_ok(now))
		return VLDAA_ERR_ARGUMENT;
	ret = vldaa_db_begin_read(reg);
	if (ret != VLDAA_OK)
		return ret;
	return vldaa_db_end(reg,
			    check_admission(reg, nonce, key_digest, certificate_id, replace, now));
}

static int tag_used(vldaa_register *reg, int *used, const uint8_t *tag, size_t tag_len)
{
	return exists(reg, used, "SELECT 1 FROM members WHERE tag = ?1", tag, tag_len);
}

int vldaa_register_tag_used(vldaa_register *reg, int *used, const uint8_t *tag, size_t tag_len)
{
	int ret = vldaa_db_ready(reg);

	if (ret != VLDAA_OK)
		return ret;
	if (!used || !tag || tag_len == 0 || tag_len > VLDAA_REGISTER_MAX_BLOB)
		return VLDAA_ERR_ARGUMENT;
	return tag_used(reg, used, tag, tag_len);
}

/* VLDAA_OK, or VLDAA_REGISTER_GREW when there is more than was seen. */
static int check_seen(vldaa_register *reg, const vldaa_register_seen *seen)
{
	vldaa_query q;
	int grew;

	vldaa_query_open(&q, reg,
			 "SELECT 1 FROM rogue WHERE id > ?1 "
			 "UNION ALL SELECT 1 FROM members WHERE id > ?2");
	vldaa_query_int(&q, 1, seen->rogue);
	vldaa_query_int(&q, 2, seen->members);
	grew = vldaa_query_row(&q);
	int ret = vldaa_query_close(&q);
	return ret == VLDAA_OK && grew ? VLDAA_REGISTER_GREW : ret;
}

static int use_nonce(vldaa_register *reg, const uint8_t *nonce, const uint8_t *request_digest)
{
	vldaa_query q;

	vldaa_query_open(&q, reg, "UPDATE nonces SET used_by = ?2 WHERE nonce = ?1");
	vldaa_query_blob(&q, 1, nonce, ID_BYTES);
	vldaa_query_blob(&q, 2, request_digest, ID_BYTES);
	return vldaa_query_run(&q);
}

/* Marks the certificate's live row, if there is one; *old is its id, or 0. */
static int retire(vldaa_register *reg, int64_t *old, const uint8_t *certificate_id)
{
	vldaa_query q;

	*old = 0;
	vldaa_query_open(&q, reg, "SELECT id FROM members WHERE certificate_id = ?1 AND state = 1");
	vldaa_query_blob(&q, 1, certificate_id, ID_BYTES);
	if (vldaa_query_row(&q))
		*old = sqlite3_column_int64(q.stmt, 0);
	int ret = vldaa_query_close(&q);
	if (ret != VLDAA_OK || *old == 0)
		return ret;
	vldaa_query_open(&q, reg, "UPDATE members SET state = 2 WHERE id = ?1");
	vldaa_query_int(&q, 1, *old);
	return vldaa_query_run(&q);
}

static int insert(vldaa_register *reg, int64_t *id, const vldaa_register_member *m)
{
	vldaa_query q;

	vldaa_query_open(
	    &q, reg,
	    "INSERT INTO members (tag, key_digest, host_key_digest, member_key, certificate_id, "
	    "certificate, request_digest, answer, created, state) "
	    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1)");
	vldaa_query_blob(&q, 1, m->tag, m->tag_len);
	vldaa_query_blob(&q, 2, m->key_digest, ID_BYTES);
	vldaa_query_blob(&q, 3, m->host_key_digest, ID_BYTES);
	vldaa_query_blob(&q, 4, m->member_key, m->member_key_len);
	vldaa_query_blob(&q, 5, m->certificate_id, ID_BYTES);
	vldaa_query_blob(&q, 6, m->certificate, m->certificate_len);
	vldaa_query_blob(&q, 7, m->request_digest, ID_BYTES);
	vldaa_query_blob(&q, 8, m->answer, m->answer_len);
	vldaa_query_int(&q, 9, m->created);
	int ret = vldaa_query_run(&q);
	*id = ret == VLDAA_OK ? sqlite3_last_insert_rowid(reg->db) : 0;
	return ret;
}

static int link_replaced(vldaa_register *reg, int64_t old, int64_t id)
{
	vldaa_query q;

	vldaa_query_open(&q, reg, "UPDATE members SET replaced_by = ?2 WHERE id = ?1");
	vldaa_query_int(&q, 1, old);
	vldaa_query_int(&q, 2, id);
	return vldaa_query_run(&q);
}

static int blob_ok(const void *bytes, size_t len)
{
	return bytes && len > 0 && len <= VLDAA_REGISTER_MAX_BLOB;
}

int vldaa_register_add(vldaa_register *reg, int64_t *id, const vldaa_register_member *member,
		       const uint8_t nonce[VLDAA_REGISTER_ID_BYTES], int replace,
		       const vldaa_register_seen *seen)
{
	int64_t old = 0;
	int used = 0;

	if (!id)
		return VLDAA_ERR_ARGUMENT;
	*id = 0;
	int ret = vldaa_db_ready(reg);
	if (ret != VLDAA_OK)
		return ret;
	const vldaa_register_member *m = member;
	if (!m || !nonce || !blob_ok(m->tag, m->tag_len) ||
	    !blob_ok(m->member_key, m->member_key_len) ||
	    !blob_ok(m->certificate, m->certificate_len) || !blob_ok(m->answer, m->answer_len) ||
	    !vldaa_db_time_ok(m->created) || !seen || seen->rogue < 0 || seen->members < 0)
		return VLDAA_ERR_ARGUMENT;

	ret = vldaa_db_begin_write(reg);
	if (ret != VLDAA_OK)
		return ret;
	ret = check_admission(reg, nonce, m->key_digest, m->certificate_id, replace, m->created);
	/* A key that leaks later is caught the other way round: its ban walks through the members
	 * after its entry is there (issue.c). */
	if (ret == VLDAA_OK)
		ret = check_seen(reg, seen);
	if (ret == VLDAA_OK) {
		ret = tag_used(reg, &used, m->tag, m->tag_len);
		if (ret == VLDAA_OK && used)
			ret = VLDAA_ERR_TAG;
	}
	if (ret == VLDAA_OK)
		ret = use_nonce(reg, nonce, m->request_digest);
	/* The live row goes first: the index members_live allows no two. */
	if (ret == VLDAA_OK)
		ret = retire(reg, &old, m->certificate_id);
	if (ret == VLDAA_OK)
		ret = insert(reg, id, m);
	if (ret == VLDAA_OK && old != 0)
		ret = link_replaced(reg, old, *id);
	ret = vldaa_db_end(reg, ret);
	if (ret != VLDAA_OK)
		*id = 0;
	return ret;
}
