/*
 * The provider's context, which lives as long as the provider is loaded, and what its files share.
 *
 * OpenSSL may load the provider into any library context, and unload it; nothing here is static but
 * constants.
 */
#ifndef VLDAA_PROVIDER_H
#define VLDAA_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/types.h>

#include "policy.h"
#include "sets.h"

enum {
	VLDAA_PROV_REASONS = 0x10000, /* see errors.h */
	VLDAA_PROV_CORE_CODES = 127,  /* how far vldaa/error.h and vldaa/keyfile.h may go */
	VLDAA_PROV_MAX_REASONS = 160
};

/* Read-only once the provider is initialised: threads share it without locks. */
typedef struct vldaa_prov {
	const OSSL_CORE_HANDLE *handle;
	/* The provider's own view of the application's library context: everything that is fetched
	 * for the provider comes from there. */
	OSSL_LIB_CTX *libctx;
	OSSL_FUNC_core_new_error_fn *new_error;
	OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
	OSSL_FUNC_core_vset_error_fn *vset_error;
	vldaa_prov_policy policy; /* what the configuration says */
	vldaa_prov_algorithms algorithms;
	OSSL_ITEM reasons[VLDAA_PROV_MAX_REASONS];
} vldaa_prov;

/*
 * libvldaa works with the thread's default library context.  Between enter and leave that is the
 * provider's; what enter returned goes into leave.
 */
OSSL_LIB_CTX *vldaa_prov_enter(const vldaa_prov *prov);
void vldaa_prov_leave(OSSL_LIB_CTX *before);
/* After something that drew random bytes from the provider's library context outside enter and leave:
 * this thread's generators go. */
void vldaa_prov_forget_thread(OSSL_LIB_CTX *libctx);

/* Keeps a parameter's text, in place of the one that is there; what is not given changes nothing.  1,
 * or 0, having raised why. */
int vldaa_prov_set_text(const vldaa_prov *prov, char **text, const OSSL_PARAM params[],
			const char *name);

/* Fills the table of reason strings, which ends with zeroes (errors.c). */
void vldaa_prov_reasons_init(OSSL_ITEM items[VLDAA_PROV_MAX_REASONS]);

#endif
