/* Finding a PKCS#11 module and a token in it; what return codes mean. */
#ifndef VLDAA_PROVIDER_TOKEN_MODULE_H
#define VLDAA_PROVIDER_TOKEN_MODULE_H

#include "uri.h"

enum { VLDAA_PROV_LABEL = 32 + 1 };

/* Calls go to the module itself, so that what the application does to it is seen as it is; p11-kit counts, by a
 * list of its own, who has initialised it. */
typedef struct {
	CK_FUNCTION_LIST *p11, *counted;
} vldaa_prov_module;

/* Loads and initialises it, for vldaa_prov_module_free: 1, or 0, having raised why. */
int vldaa_prov_module_load(vldaa_prov_module *module, const vldaa_prov *prov, P11KitUri *uri);
/* Also in a child after fork, or again. */
CK_RV vldaa_prov_module_initialise(const vldaa_prov_module *module);
/* All zero is allowed. */
void vldaa_prov_module_free(vldaa_prov_module *module);

/* The slot of the only token that matches: 1, or 0, having raised why. */
int vldaa_prov_module_find(const vldaa_prov *prov, CK_FUNCTION_LIST *p11, const vldaa_prov_uri *uri,
			   CK_SLOT_ID *slot, char label[VLDAA_PROV_LABEL]);

/* The code for a return code that is not CKR_OK: of vldaa/error.h, or VLDAA_PROV_ERR_RAISED, having raised
 * it.  subject: a token's label, or a file. */
int vldaa_prov_module_failed(const vldaa_prov *prov, const char *subject, const char *what,
			     CK_RV rv);

#endif
