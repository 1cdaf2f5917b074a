/*
 * A member's pseudonyms, as its key object holds them: Create is the expensive step, and is done
 * once a basename.
 *
 * At most VLDAA_PROV_KEPT are kept; the one that was used longest ago goes, wiped as soon as
 * nobody signs with it.  Threads share a member: Create is one at a time, and who wants a pseudonym
 * that is there does not wait for it.
 */
#ifndef VLDAA_PROVIDER_PSEUDONYMS_H
#define VLDAA_PROVIDER_PSEUDONYMS_H

#include "pseudonym.h"

enum { VLDAA_PROV_KEPT = 64 };

typedef struct vldaa_prov_member vldaa_prov_member;

/*
 * Opens a MEMBER object, which is checked completely, or a PSEUDONYM object, which has the one
 * pseudonym.  Codes of errors.h; NULL on an error.  The thread's library context is the provider's, here
 * and below; of a key in a token it is the caller's.
 */
int vldaa_prov_member_new(vldaa_prov_member **member, const uint8_t *object, size_t len);
/* A member's key, or a pseudonym's, in a token. */
int vldaa_prov_member_in_token(vldaa_prov_member **member, vldaa_prov_token_key *key);
void vldaa_prov_member_free(vldaa_prov_member *member);

/*
 * The pseudonym for this basename, to be released.  basename_len 0: the one that a pseudonym's key is;
 * to that another basename is VLDAA_ERR_WRONG_BASENAME.
 */
int vldaa_prov_member_pseudonym(vldaa_prov_member *member, const uint8_t *basename,
				size_t basename_len, vldaa_prov_pseudonym **pseudonym);

#endif
