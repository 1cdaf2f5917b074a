/* A signature or verification on its way. */
#ifndef VLDAA_P11_OPERATION_H
#define VLDAA_P11_OPERATION_H

#include "../ck.h"
#include "../role/bytes.h"
#include "../role/signer.h"

struct vldaa_p11_mechanism; /* mechanism/table.h */

/* Invariant: mechanism is NULL when there is none, and then everything is zero. */
typedef struct {
	const struct vldaa_p11_mechanism *mechanism;
	CK_OBJECT_HANDLE key;
	uint64_t logins;           /* of the slot, when it began */
	int64_t revocations;       /* likewise */
	int updated;               /* data has come in pieces */
	size_t bound;              /* bytes of output, at most */
	vldaa_p11_bytes parameter; /* a basename, or as it was given */
	vldaa_p11_bytes data;      /* where all of it is needed at once */
	vldaa_p11_signer *signer;
	vldaa_signing *signing;
} vldaa_p11_operation;

void vldaa_p11_operation_end(vldaa_p11_operation *op);

#endif
