/* Finding a PKCS#11 module and a token in it; what return codes mean. */
#ifndef VLDAA_PROVIDER_TOKEN_MODULE_H
#define VLDAA_PROVIDER_TOKEN_MODULE_H

#include "uri.h"

enum { VLDAA_PROV_LABEL = 32 + 1 };

/* Loads and initialises it, for vldaa_prov_module_free; NULL, having raised why. */
CK_FUNCTION_LIST *vldaa_prov_module_load(const vldaa_prov *prov, P11KitUri *uri);
/* is_initialised: by this process, which is not so in a child that has not used it. */
void vldaa_prov_module_free(CK_FUNCTION_LIST *p11, int is_initialised);

/* The slot of the only token that matches: 1, or 0, having raised why. */
int vldaa_prov_module_find(const vldaa_prov *prov, CK_FUNCTION_LIST *p11, const vldaa_prov_uri *uri,
			   CK_SLOT_ID *slot, char label[VLDAA_PROV_LABEL]);

/* The code for a return code that is not CKR_OK: of vldaa/error.h, or VLDAA_PROV_ERR_RAISED, having raised
 * it.  subject: a token's label, or a file. */
int vldaa_prov_module_failed(const vldaa_prov *prov, const char *subject, const char *what,
			     CK_RV rv);

#endif
