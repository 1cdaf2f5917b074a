/* Mechanisms that make keys: the endorsement key, Setup, a member's key, the end of Join, Create. */
#ifndef VLDAA_P11_MAKE_H
#define VLDAA_P11_MAKE_H

#include "table.h"

typedef struct {
	const CK_ATTRIBUTE *list;
	CK_ULONG count;
} vldaa_p11_template;

CK_RV vldaa_p11_make_issuer(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			    vldaa_p11_template public_template, vldaa_p11_template private_template,
			    CK_OBJECT_HANDLE *public_key, CK_OBJECT_HANDLE *private_key);
CK_RV vldaa_p11_make_member(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			    vldaa_p11_template public_template, vldaa_p11_template private_template,
			    CK_OBJECT_HANDLE *public_key, CK_OBJECT_HANDLE *private_key);
CK_RV vldaa_p11_make_credential(vldaa_p11_session *session, CK_OBJECT_HANDLE member,
				const uint8_t *answer, CK_ULONG len, vldaa_p11_template given,
				CK_OBJECT_HANDLE *key);
CK_RV vldaa_p11_make_pseudonym(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			       CK_OBJECT_HANDLE member, vldaa_p11_template given,
			       CK_OBJECT_HANDLE *key);

/* A new endorsement key in place of the one that has no certificate; its request's handle. */
CK_RV vldaa_p11_make_endorsement(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
				 CK_OBJECT_HANDLE *request);

#endif
