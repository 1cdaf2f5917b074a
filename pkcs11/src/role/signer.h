/* A pseudonym that signs, ready for use, shared by the operations that sign with it. */
#ifndef VLDAA_P11_SIGNER_H
#define VLDAA_P11_SIGNER_H

#include "vldaa/member_key.h"

typedef struct vldaa_p11_signer vldaa_p11_signer;

/* Of a PSEUDONYM object; the caller has the first reference. */
int vldaa_p11_signer_new(vldaa_p11_signer **signer, const uint8_t *pseudonym, size_t len);
vldaa_p11_signer *vldaa_p11_signer_share(vldaa_p11_signer *signer);
/* The last one wipes it; NULL is allowed. */
void vldaa_p11_signer_release(vldaa_p11_signer *signer);
/* All other references are of threads that do not exist: the next release is the last.  NULL is
 * allowed. */
void vldaa_p11_signer_claim(vldaa_p11_signer *signer);
const vldaa_pseudonym_key *vldaa_p11_signer_key(const vldaa_p11_signer *signer);

#endif
