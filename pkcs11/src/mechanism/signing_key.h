/* The pseudonym that a key object signs with; callers have entered the slot. */
#ifndef VLDAA_P11_SIGNING_KEY_H
#define VLDAA_P11_SIGNING_KEY_H

#include "../slot/objects.h"

/* Of a pseudonym's private key: decoded once, and kept with the object.  A reference for the caller.
 */
CK_RV vldaa_p11_pseudonym_signer(vldaa_p11_slot *slot, vldaa_p11_object *key,
				 vldaa_p11_signer **signer);
/* Of a member key: the pseudonym for this basename, of an object if there is one, or else made in
 * passing. */
CK_RV vldaa_p11_member_signer(vldaa_p11_slot *slot, vldaa_p11_object *key, const uint8_t *basename,
			      size_t basename_len, vldaa_p11_signer **signer);

#endif
