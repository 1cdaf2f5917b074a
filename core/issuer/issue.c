/* From a join request to its answer, and the rogue list. */
#include "vldaa/issue.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "vldaa/revoke.h"

enum {
	/* Even with half of all tags taken (VLDAA-128 has 57,501,888), this many draws in a row
	 * that are taken happen with probability 2^-64. */
	MAX_DRAWS = 64,
};

/* 0: not rogue; 1: the checked request's key is; negative: an error. */
static int is_rogue(void *arg, const uint8_t *entry, size_t entry_len)
{
	const vldaa_issue_desk *desk = arg;

	return vldaa_issuer_is_rogue(desk->issuer, entry, entry_len);
}

/* Looks at the entries after *seen. */
static int check_rogue(const vldaa_issue_desk *desk, int64_t *seen, vldaa_issue_result *result)
{
	vldaa_issue_desk copy = *desk;
	int found = vldaa_register_rogue_from(desk->reg, seen, is_rogue, &copy);

	if (found <= 0)
		return found;
	result->reason = "the TPM's secret key is on the rogue list";
	return VLDAA_ERR_BANNED;
}

/* The checked request's key, on its way through the registered ones. */
typedef struct {
	const vldaa_issue_desk *desk;
	const vldaa_request_info *info;
	int64_t near;
} comparison;

/* 0: far, or the same key: of that the register says more, and another process may be answering this
 * very request.  1: near.  Negative: an error. */
static int is_near(void *arg, int64_t id, const uint8_t *member_key, size_t len)
{
	comparison *c = arg;
	int near;

	if (len == c->info->member_key_len && memcmp(member_key, c->info->member_key, len) == 0)
		return 0;
	near = vldaa_issuer_is_near(c->desk->issuer, member_key, len);
	if (near > 0)
		c->near = id;
	return near;
}

/* Looks at the keys after *seen. */
static int check_near(const vldaa_issue_desk *desk, const vldaa_request_info *info, int64_t *seen,
		      vldaa_issue_result *result)
{
	comparison c = {desk, info, 0};
	int found = vldaa_register_keys_from(desk->reg, seen, is_near, &c);

	if (found == VLDAA_ERR_RANGE || found == VLDAA_ERR_ARGUMENT) {
		result->reason = "the register is damaged: a member's key is none of this set";
		return VLDAA_ERR_STORE;
	}
	if (found <= 0)
		return found;
	result->near = c.near;
	return VLDAA_ERR_KEY_NEAR;
}

/* Adds the row; what joined the register since it was looked at, is looked at first. */
static int record(const vldaa_issue_desk *desk, const vldaa_request_info *info,
		  const vldaa_register_member *m, int replace, vldaa_register_seen *seen,
		  vldaa_issue_result *result)
{
	int err;

	do {
		err = vldaa_register_add(desk->reg, &result->member, m, info->nonce, replace, seen);
		if (err != VLDAA_REGISTER_GREW)
			return err;
		err = check_rogue(desk, &seen->rogue, result);
		if (!err)
			err = check_near(desk, info, &seen->members, result);
	} while (!err);
	return err;
}

/* Draws, records, and draws again while the tag is taken. */
static int answer(const vldaa_issue_desk *desk, const vldaa_request_info *info, int64_t now,
		  int replace, vldaa_register_seen *seen, uint8_t *out, size_t cap, size_t *len,
		  vldaa_issue_result *result)
{
	for (int draw = 0; draw < MAX_DRAWS; draw++) {
		uint8_t tag[VLDAA_MAX_TAG_BYTES];
		vldaa_register_member m;
		size_t tag_len;
		int err =
		    vldaa_issuer_answer(desk->issuer, desk->services, tag, &tag_len, out, cap, len);

		if (err)
			return err;
		memset(&m, 0, sizeof m);
		memcpy(m.key_digest, info->member_digest, sizeof m.key_digest);
		memcpy(m.host_key_digest, info->host_digest, sizeof m.host_key_digest);
		memcpy(m.certificate_id, info->certificate_id, sizeof m.certificate_id);
		memcpy(m.request_digest, info->digest, sizeof m.request_digest);
		m.tag = tag;
		m.tag_len = tag_len;
		m.member_key = info->member_key;
		m.member_key_len = info->member_key_len;
		m.certificate = info->certificate;
		m.certificate_len = info->certificate_len;
		m.answer = out;
		m.answer_len = *len;
		m.created = now;
		err = record(desk, info, &m, replace, seen, result);
		if (err != VLDAA_ERR_TAG)
			return err;
	}
	return VLDAA_ERR_ATTEMPTS;
}

static int check_and_answer(const vldaa_issue_desk *desk, const uint8_t *request,
			    size_t request_len, int64_t now, int replace, uint8_t *out, size_t cap,
			    size_t *len, vldaa_issue_result *result)
{
	vldaa_request_info info;
	vldaa_register_seen seen = {0, 0};
	int err = vldaa_issuer_check(desk->issuer, request, request_len, desk->roots,
				     desk->roots_len, now, &info);

	result->reason = info.reason;
	if (!err)
		err = check_rogue(desk, &seen.rogue, result);
	if (!err)
		err = vldaa_register_admit(desk->reg, info.nonce, info.member_digest,
					   info.certificate_id, replace, now);
	if (!err)
		err = check_near(desk, &info, &seen.members, result);
	if (!err)
		err = answer(desk, &info, now, replace, &seen, out, cap, len, result);
	if (err != VLDAA_ERR_NONCE)
		return err;
	/* Another process may have answered this very request since we looked. */
	err = vldaa_register_find_answer(desk->reg, out, cap, len, info.digest);
	result->repeated = err == VLDAA_OK;
	return err == VLDAA_ERR_NO_CREDENTIAL ? VLDAA_ERR_NONCE : err;
}

int vldaa_issue(const vldaa_issue_desk *desk, const uint8_t *request, size_t request_len,
		int64_t now, int replace, uint8_t *out, size_t cap, size_t *len,
		vldaa_issue_result *result)
{
	uint8_t digest[VLDAA_DIGEST_BYTES];
	size_t need;
	int err;

	if (result)
		memset(result, 0, sizeof *result);
	if (len)
		*len = 0;
	if (!desk || !desk->reg || !desk->issuer || !desk->services || !request || !out || !len ||
	    !result) {
		if (out)
			OPENSSL_cleanse(out, cap);
		return VLDAA_ERR_ARGUMENT;
	}
	need = vldaa_object_max_size(vldaa_issuer_set(desk->issuer), VLDAA_KIND_JOIN_ANSWER);
	if (cap < need) {
		OPENSSL_cleanse(out, cap);
		*len = need;
		return VLDAA_ERR_BUFFER;
	}
	err = vldaa_issuer_request_digest(desk->issuer, request, request_len, digest);
	if (!err) {
		err = vldaa_register_find_answer(desk->reg, out, cap, len, digest);
		result->repeated = err == VLDAA_OK;
	}
	if (err == VLDAA_ERR_NO_CREDENTIAL)
		err = check_and_answer(desk, request, request_len, now, replace, out, cap, len,
				       result);
	if (!err)
		return VLDAA_OK;
	OPENSSL_cleanse(out, cap);
	*len = 0;
	if (!result->reason && vldaa_register_reason(desk->reg)[0])
		result->reason = vldaa_register_reason(desk->reg);
	return err;
}

/* --- the rogue list ----------------------------------------------------------------------------
 */

/* Whose key leaked. */
typedef struct {
	const vldaa_issue_desk *desk;
	const uint8_t *list;
	size_t list_len;
	int64_t now;
	int64_t banned;
} leak;

static int ban_if_leaked(void *arg, const vldaa_register_member *m)
{
	leak *l = arg;
	int found = vldaa_issuer_is_rogue_member(l->desk->issuer, m->member_key, m->member_key_len,
						 l->list, l->list_len);
	int err;

	if (found <= 0)
		return found;
	err = vldaa_register_rogue_add(l->desk->reg, l->list, l->list_len, m->key_digest, l->now);
	if (!err)
		l->banned++;
	return err;
}

/* A verifier of the issuer's own group: the core's knowledge of what a list of it looks like. */
static int group_verifier(const vldaa_issue_desk *desk, vldaa_verifier **verifier)
{
	size_t len;
	const uint8_t *key = vldaa_issuer_group_key(desk->issuer, &len);

	return vldaa_verifier_new(verifier, key, len);
}

static int check_list(const vldaa_issue_desk *desk, const uint8_t *list, size_t len)
{
	vldaa_verifier *verifier = NULL;
	int err = group_verifier(desk, &verifier);

	if (!err)
		err = vldaa_verifier_add_list(verifier, list, len);
	vldaa_verifier_free(verifier);
	return err;
}

/* vldaa_rogue_list into new memory, to wipe and free. */
static int make_list(const uint8_t *const *inputs, const size_t *lens, size_t count, uint8_t **list,
		     size_t *len)
{
	int err = vldaa_rogue_list(inputs, lens, count, NULL, 0, len);

	*list = NULL;
	if (err)
		return err;
	*list = malloc(*len);
	if (!*list)
		return VLDAA_ERR_MEMORY;
	return vldaa_rogue_list(inputs, lens, count, *list, *len, len);
}

static void free_list(uint8_t *list, size_t len)
{
	if (list)
		OPENSSL_cleanse(list, len);
	free(list);
}

int vldaa_issue_rogue(const vldaa_issue_desk *desk, const uint8_t *leaked, size_t leaked_len,
		      int64_t now, int64_t *banned)
{
	leak l = {desk, NULL, 0, now, 0};
	uint8_t *list = NULL;
	size_t len = 0;
	int err;

	if (banned)
		*banned = 0;
	if (!desk || !desk->reg || !desk->issuer || !leaked)
		return VLDAA_ERR_ARGUMENT;
	err = make_list(&leaked, &leaked_len, 1, &list, &len);
	l.list = list;
	l.list_len = len;
	if (!err)
		err = check_list(desk, list, len);
	if (!err)
		err = vldaa_register_rogue_add(desk->reg, list, len, NULL, now);
	if (!err)
		err = vldaa_register_list(desk->reg, NULL, ban_if_leaked, &l);
	free_list(list, len);
	if (!err && banned)
		*banned = l.banned;
	return err;
}

/* All entries of the register, each a list of its own. */
typedef struct {
	uint8_t **lists;
	size_t *lens;
	size_t count;
} collection;

static int collect(void *arg, const uint8_t *entry, size_t entry_len)
{
	collection *c = arg;
	uint8_t **lists = realloc(c->lists, (c->count + 1) * sizeof *lists);
	size_t *lens;

	if (!lists)
		return VLDAA_ERR_MEMORY;
	c->lists = lists;
	lens = realloc(c->lens, (c->count + 1) * sizeof *lens);
	if (!lens)
		return VLDAA_ERR_MEMORY;
	c->lens = lens;
	lists[c->count] = malloc(entry_len);
	if (!lists[c->count])
		return VLDAA_ERR_MEMORY;
	memcpy(lists[c->count], entry, entry_len);
	lens[c->count++] = entry_len;
	return VLDAA_OK;
}

static int empty_list(const vldaa_issue_desk *desk, uint8_t *out, size_t cap, size_t *len)
{
	vldaa_verifier *verifier = NULL;
	int err = group_verifier(desk, &verifier);

	if (!err)
		err = vldaa_empty_list(verifier, VLDAA_KIND_ROGUE_LIST, out, cap, len);
	vldaa_verifier_free(verifier);
	return err;
}

int vldaa_issue_rogue_list(const vldaa_issue_desk *desk, uint8_t *out, size_t cap, size_t *len)
{
	collection c = {NULL, NULL, 0};
	int err;

	if (len)
		*len = 0;
	if (!desk || !desk->reg || !desk->issuer || !out || !len) {
		if (out)
			OPENSSL_cleanse(out, cap);
		return VLDAA_ERR_ARGUMENT;
	}
	err = vldaa_register_rogue_each(desk->reg, collect, &c);
	if (!err && c.count == 0)
		err = empty_list(desk, out, cap, len);
	else if (!err)
		err = vldaa_rogue_list((const uint8_t *const *)c.lists, c.lens, c.count, out, cap,
				       len);
	if (err)
		OPENSSL_cleanse(out, cap);
	for (size_t i = 0; i < c.count; i++)
		free_list(c.lists[i], c.lens[i]);
	free(c.lists);
	free(c.lens);
	return err;
}
