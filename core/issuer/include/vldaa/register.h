/*
 * The issuer's register: who has joined, which tags are taken, what was answered.
 *
 * One SQLite database file (mode 0600), bound to one parameter set and one issuer key.  What it
 * promises:
 *
 * - A tag is in one row at most, for ever: rows are never deleted, also not by an operator's hand in
 *   the sqlite3 shell (triggers refuse it).
 * - When vldaa_register_add has returned VLDAA_OK, the row with the answer's bytes survives kill -9
 *   and power loss.  Only then may the caller release the answer.
 * - The same request finds the same answer's bytes again.
 * - Several processes may use one register at once: of two that want the same nonce, tag, member key
 *   or certificate, one gets it.
 *
 * It cannot promise anything about an old copy that is put back in place of a newer one: members,
 * and tags taken, since then would be forgotten.  A backup is for a lost disk only; after restoring
 * one, set up a new issuer key.
 *
 * A handle is for one thread at a time, and not to be carried over a fork; any number of handles
 * may be open on one file.  Functions wait up to 30 seconds for other processes.  Times are seconds
 * since 1970, given by the caller.  Digests are the caller's: the register only compares them.
 */
#ifndef VLDAA_REGISTER_H
#define VLDAA_REGISTER_H

#include <stddef.h>
#include <stdint.h>

#include "vldaa/error.h"

#define VLDAA_REGISTER_ID_BYTES 32       /* key ids, certificate ids, digests, nonces */
#define VLDAA_REGISTER_MAX_BLOB 16777216 /* the longest tag, key, certificate, answer or entry */
#define VLDAA_REGISTER_MAX_REASON 1000   /* the longest text that says why something was banned */

typedef struct vldaa_register vldaa_register;

/*
 * Makes a new register at path, for the issuer key key_id of the set set_id, and opens it.  An
 * existing register or other file is never overwritten (VLDAA_ERR_STORE); an empty file is, since
 * that is what a killed create leaves. VLDAA_ERR_STORE also when the directory cannot be written.
 *
 * *reg is set also on failure (it is NULL only for VLDAA_ERR_MEMORY and VLDAA_ERR_ARGUMENT): such a
 * handle is good for vldaa_register_reason and must be closed.
 */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_create(vldaa_register **reg, const char *path,
						     uint32_t set_id,
						     const uint8_t key_id[VLDAA_REGISTER_ID_BYTES]);

/*
 * Opens a register.  *reg as above.  VLDAA_ERR_WRONG_SET and VLDAA_ERR_WRONG_ISSUER when it belongs
 * to another set or key; VLDAA_ERR_VERSION when a newer release made it; VLDAA_ERR_STORE when there
 * is none, or it is damaged or something else.
 */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_open(vldaa_register **reg, const char *path,
						   uint32_t set_id,
						   const uint8_t key_id[VLDAA_REGISTER_ID_BYTES]);

/* NULL is allowed. */
VLDAA_API void vldaa_register_close(vldaa_register *reg);

/* Why the last function that failed on this handle did so: one English line, "" when there is no
 * more to say than vldaa_error_text does.  For VLDAA_ERR_BANNED the reason that the ban was given.
 * Valid until the next call. */
VLDAA_API const char *vldaa_register_reason(const vldaa_register *reg);

/*
 * Errors of all functions below: VLDAA_ERR_ARGUMENT, VLDAA_ERR_MEMORY, VLDAA_ERR_STATE on a handle
 * that failed to open, and VLDAA_ERR_STORE when the disk, the file or another process stands in the
 * way.  After an error nothing was changed, with one exception: if the very last step of a commit
 * fails, the change may be there.  The caller then releases nothing; asking again tells.
 */

/* A fresh random nonce, good for one request until now + lifetime (seconds).  Also forgets the
 * nonces that are over. */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_nonce_new(vldaa_register *reg,
							uint8_t nonce[VLDAA_REGISTER_ID_BYTES],
							int64_t now, int64_t lifetime);

/*
 * The bytes that this request was answered with.  VLDAA_ERR_NO_CREDENTIAL when it was not;
 * VLDAA_ERR_BANNED when the member or its certificate was banned since, VLDAA_ERR_MEMBER_EXISTS
 * when it was replaced since: what they did not receive in time they do not get any more.
 * VLDAA_ERR_BUFFER when cap is too small; *len is then what suffices, else 0 on error, and out is
 * not written.
 */
VLDAA_API VLDAA_MUST_CHECK int
vldaa_register_find_answer(vldaa_register *reg, uint8_t *out, size_t cap, size_t *len,
			   const uint8_t request_digest[VLDAA_REGISTER_ID_BYTES]);

/*
 * Would a member with this TPM key and certificate be added now?  Advice, so that work in vain is
 * not begun; vldaa_register_add decides.  In this order:
 *   VLDAA_ERR_NONCE           the nonce was never given out, was used, or is over
 *   VLDAA_ERR_BANNED          the certificate is banned, or the key is (its member is, or it is on
 *                             the rogue list)
 *   VLDAA_ERR_KEY_REGISTERED  the key is, or was, another row's
 *   VLDAA_ERR_MEMBER_EXISTS   the certificate has a live or a banned member, and replace is 0.
 * Replacing is an explicit act of the operator; a banned member stays banned.
 */
VLDAA_API VLDAA_MUST_CHECK int
vldaa_register_admit(vldaa_register *reg, const uint8_t nonce[VLDAA_REGISTER_ID_BYTES],
		     const uint8_t key_digest[VLDAA_REGISTER_ID_BYTES],
		     const uint8_t certificate_id[VLDAA_REGISTER_ID_BYTES], int replace,
		     int64_t now);

/* *used = 1 when a row, of whatever state, has this tag. */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_tag_used(vldaa_register *reg, int *used,
						       const uint8_t *tag, size_t tag_len);

enum vldaa_member_state {
	VLDAA_MEMBER_LIVE = 1,
	VLDAA_MEMBER_REPLACED = 2, /* by a later row with the same certificate */
	VLDAA_MEMBER_BANNED = 3
};

typedef struct {
	int64_t id;                                  /* given by the register, from 1 upwards */
	uint8_t key_digest[VLDAA_REGISTER_ID_BYTES]; /* of the TPM's public key u_T */
	uint8_t host_key_digest[VLDAA_REGISTER_ID_BYTES]; /* of the host's public key u_H */
	/* Names the endorsement key, so that a renewed certificate is the same certificate here. */
	uint8_t certificate_id[VLDAA_REGISTER_ID_BYTES];
	uint8_t request_digest[VLDAA_REGISTER_ID_BYTES];
	const uint8_t *tag;
	size_t tag_len;
	const uint8_t *member_key; /* u_T || u_H */
	size_t member_key_len;
	const uint8_t *certificate; /* the endorsement certificate, DER */
	size_t certificate_len;
	const uint8_t *answer;
	size_t answer_len;
	int64_t created;
	enum vldaa_member_state state;
	int64_t replaced_by; /* id of the row that replaced this one; 0 when there is none */
} vldaa_register_member;

/* A result of vldaa_register_add, neither success nor an error of the caller's. */
#define VLDAA_REGISTER_GREW 1

/*
 * How far the caller has held a new key against what is there, since the register itself can only
 * compare digests.  0: not at all.
 */
typedef struct {
	int64_t rogue;   /* of the rogue list: see vldaa_register_rogue_from */
	int64_t members; /* of the members' keys: see vldaa_register_keys_from */
} vldaa_register_seen;

/*
 * One durable transaction: checks everything again, as vldaa_register_admit does, uses up the
 * nonce, marks the member that is replaced, and adds the row.  Of member, id, state and replaced_by
 * are ignored, created is now; *id is the new row's.
 *
 * seen: VLDAA_REGISTER_GREW, and nothing is changed, when there are later entries of the rogue list
 * or later members than the caller has looked at: look at them, and add again.  So the long look is
 * outside of the transaction, and yet what is added was held against all that was there before.
 *
 * Besides admit's errors: VLDAA_ERR_TAG when the tag was used before: draw another.  On
 * VLDAA_ERR_NONCE another process may have answered the same request meanwhile: ask
 * vldaa_register_find_answer once more.
 */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_add(vldaa_register *reg, int64_t *id,
						  const vldaa_register_member *member,
						  const uint8_t nonce[VLDAA_REGISTER_ID_BYTES],
						  int replace, const vldaa_register_seen *seen);

/* Called for a row; its pointers are valid until it returns.  It may use the register.  Another
 * value than 0 ends the walk and is the walk's result. */
typedef int vldaa_register_visit(void *arg, const vldaa_register_member *member);

/* VLDAA_ERR_NO_CREDENTIAL when there is no such row. */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_get(vldaa_register *reg, int64_t id,
						  vldaa_register_visit *visit, void *arg);

/*
 * The member keys of all rows after *seen (0: all), of whatever state, in the order in which they
 * were added; *seen becomes the last one's id as soon as visit returned 0 for it.  It is made for
 * holding a key against all others: visit must be quick and must not use the register, which is
 * locked against additions meanwhile.  Another value than 0 ends the walk and is its result.
 */
typedef int vldaa_register_visit_key(void *arg, int64_t id, const uint8_t *member_key, size_t len);
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_keys_from(vldaa_register *reg, int64_t *seen,
							vldaa_register_visit_key *visit, void *arg);

/* Which rows: states is a sum of 1 << state, 0 meaning all; certificate_id may be NULL; only ids
 * above after. */
typedef struct {
	unsigned states;
	const uint8_t *certificate_id;
	int64_t after;
} vldaa_register_filter;

/* All rows that match (all rows when filter is NULL), by rising id.  No lock is held during visit,
 * so that a slow reader holds nobody up; rows added meanwhile are visited too. */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_list(vldaa_register *reg,
						   const vldaa_register_filter *filter,
						   vldaa_register_visit *visit, void *arg);

/*
 * Bans.  A banned member's key is refused for ever; its certificate may join again when the
 * operator replaces the member. A banned certificate is refused, and its live member is banned with
 * it.  reason may be "".  Banning again changes nothing and is VLDAA_OK.  VLDAA_ERR_NO_CREDENTIAL
 * when there is no such member; a certificate need not be known.
 */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_ban_member(vldaa_register *reg, int64_t id,
							 const char *reason, int64_t now);
VLDAA_API VLDAA_MUST_CHECK int
vldaa_register_ban_certificate(vldaa_register *reg,
			       const uint8_t certificate_id[VLDAA_REGISTER_ID_BYTES],
			       const char *reason, int64_t now);

/* certificate_id is NULL for a member's ban, member_id is 0 for a certificate's. */
typedef int vldaa_register_visit_ban(void *arg, const uint8_t *certificate_id, int64_t member_id,
				     const char *reason, int64_t created);
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_list_bans(vldaa_register *reg,
							vldaa_register_visit_ban *visit, void *arg);

/*
 * The rogue list: secret keys e_T that became known, as bytes of the caller's encoding.  key_digest
 * is the digest of the public key that belongs to the entry, or NULL when the caller does not know
 * it; with it the key is refused, and its member is banned. An entry that is there already is
 * VLDAA_OK.
 */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_rogue_add(vldaa_register *reg, const uint8_t *entry,
							size_t entry_len, const uint8_t *key_digest,
							int64_t now);
typedef int vldaa_register_visit_rogue(void *arg, const uint8_t *entry, size_t entry_len);
VLDAA_API VLDAA_MUST_CHECK int
vldaa_register_rogue_each(vldaa_register *reg, vldaa_register_visit_rogue *visit, void *arg);
/* The entries after *seen (0: all), in the order in which they were added; *seen becomes the last
 * one's number as soon as visit returned 0 for it. */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_rogue_from(vldaa_register *reg, int64_t *seen,
							 vldaa_register_visit_rogue *visit,
							 void *arg);

typedef struct {
	int64_t live;
	int64_t replaced;
	int64_t banned;
	int64_t bans;
	int64_t rogue;
	int64_t nonces; /* given out and not used, those that are over included until they are
			   forgotten */
} vldaa_register_counts;
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_count(vldaa_register *reg,
						    vldaa_register_counts *counts);

/* A copy at path (which must not exist, mode 0600; on a file system with hard links), whole and
 * durable when VLDAA_OK returns; there is never a partial file of that name, and a file that gets it
 * meanwhile stays.  Other processes' additions wait meanwhile. */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_backup(vldaa_register *reg, const char *path);

/* Reads the whole file; VLDAA_ERR_STORE, with the first fault as reason, when something is damaged.
 */
VLDAA_API VLDAA_MUST_CHECK int vldaa_register_check(vldaa_register *reg);

#endif
