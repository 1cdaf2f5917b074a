/*
 * Issuing: the one way from a join request to its answer, over the issuer role (vldaa/issuer.h) and
 * its register (vldaa/register.h).  Whoever issues (the command, a token, a server) calls this.
 *
 * What it promises:
 *
 * - An answer's bytes leave this function only when its row in the register is durable, also when
 *   the process is killed at any moment.
 * - The same request gets the same bytes again, whoever asks, from whichever process.
 * - Two answers never share a tag; a nonce serves one request; a banned or leaked key and a banned
 *   endorsement certificate get nothing; one endorsement certificate has one live credential; no two
 *   members' keys are so near that one secret could stand behind both, whoever joins at once.
 */
#ifndef VLDAA_ISSUE_H
#define VLDAA_ISSUE_H

#include "vldaa/issuer.h"
#include "vldaa/register.h"

/* What issuing needs.  The register must be that of this issuer's key. */
typedef struct {
	vldaa_register *reg;
	vldaa_issuer *issuer;
	const vldaa_group_services *services;
	const uint8_t *roots; /* manufacturers' root certificates, PEM or DER */
	size_t roots_len;
} vldaa_issue_desk;

typedef struct {
	int repeated;   /* 1: these bytes were given before */
	int64_t member; /* id of the new row in the register; 0 when repeated */
	int64_t near;   /* with VLDAA_ERR_KEY_NEAR: id of the member whose key is near */
	/* Why it was refused, when there is more to say than vldaa_error_text does (of a ban: the
	 * operator's own reason), or NULL.  Valid until the register is used next. */
	const char *reason;
} vldaa_issue_result;

/*
 * Answers one request.  now: seconds since 1970.  replace 1: a live credential of the same
 * endorsement certificate is replaced; that is the operator's explicit decision.  out needs room
 * for a JOIN_ANSWER (vldaa_object_max_size), else VLDAA_ERR_BUFFER and nothing is done.
 *
 * Errors: those of vldaa_issuer_check and of vldaa_register_add; VLDAA_ERR_BANNED also for a key on
 * the rogue list; VLDAA_ERR_KEY_NEAR for one that is too near to a registered member's, of whatever
 * state; VLDAA_ERR_ATTEMPTS when no new tag was found.  On every error out is zeroed.
 * VLDAA_ERR_STORE in the very last step of a commit may leave the answer in the register: asking
 * again tells.
 */
VLDAA_API int vldaa_issue(const vldaa_issue_desk *desk, const uint8_t *request, size_t request_len,
			  int64_t now, int replace, uint8_t *out, size_t cap, size_t *len,
			  vldaa_issue_result *result) VLDAA_MUST_CHECK;

/*
 * Puts a leaked TPM key on the rogue list: no member with this key joins any more, and a member
 * that has it is banned.  leaked: a VLDAA_RECORD_MEMBER value, or a ROGUE_LIST object (from another
 * copy of this issuer, say).  *banned (may be NULL) is the number of members that had such a key.
 */
VLDAA_API int vldaa_issue_rogue(const vldaa_issue_desk *desk, const uint8_t *leaked,
				size_t leaked_len, int64_t now, int64_t *banned) VLDAA_MUST_CHECK;

/* The ROGUE_LIST object for verifiers, of everything that is on the rogue list.
 * VLDAA_ERR_BUFFER with *len what suffices; on other errors out is zeroed. */
VLDAA_API int vldaa_issue_rogue_list(const vldaa_issue_desk *desk, uint8_t *out, size_t cap,
				     size_t *len) VLDAA_MUST_CHECK;

#endif
