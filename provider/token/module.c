#include "module.h"

#include <dlfcn.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

#include "../errors.h"
#include "vldaa/pkcs11-vldaa.h"

/* --- return codes ------------------------------------------------------------------------------
 */

int vldaa_prov_module_failed(const vldaa_prov *prov, const char *subject, const char *what,
			     CK_RV rv)
{
	if (rv == CKR_HOST_MEMORY)
		return VLDAA_ERR_MEMORY;
	if (rv == CKR_BUFFER_TOO_SMALL)
		return VLDAA_ERR_BUFFER;
	/* Those of libvldaa come as they are. */
	if (rv > CKR_VLDAA && rv <= CKR_VLDAA + VLDAA_PROV_CORE_CODES)
		return -(int)(rv - CKR_VLDAA);
	VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_TOKEN, "%s: %s: %s (0x%08lx)", subject, what,
			      p11_kit_strerror(rv), rv);
	return VLDAA_PROV_ERR_RAISED;
}

/* --- modules -----------------------------------------------------------------------------------
 */

/* In the build tree and below a prefix the token's module is beside the provider's directory. */
static char *beside(void)
{
	static const char name[] = "/../pkcs11/libvldaa-pkcs11.so";
	Dl_info self;
	char *path, *end, *real;
	size_t size;

	if (dladdr(name, &self) == 0 || self.dli_fname == NULL)
		return NULL;
	size = strlen(self.dli_fname) + sizeof name;
	path = OPENSSL_malloc(size);
	if (path == NULL)
		return NULL;
	(void)BIO_snprintf(path, size, "%s", self.dli_fname);
	end = strrchr(path, '/');
	if (end != NULL)
		*end = '\0';
	(void)BIO_snprintf(path + strlen(path), size - strlen(path), "%s", end != NULL ? name : "");
	real = realpath(path, NULL);
	OPENSSL_free(path);
	return real;
}

static int load(vldaa_prov_module *m, const vldaa_prov *prov, const char *path)
{
	CK_RV rv;

	m->counted = p11_kit_module_load(path, 0);
	if (m->counted != NULL)
		m->p11 = p11_kit_module_load(path, P11_KIT_MODULE_UNMANAGED);
	if (m->p11 == NULL) {
		const char *reason = p11_kit_message();

		VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_MODULE, "%s: %s", path,
				      reason != NULL ? reason : "no reason given");
		return 0;
	}
	rv = vldaa_prov_module_initialise(m);
	if (rv == CKR_OK)
		return 1;
	VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_MODULE, "%s: C_Initialize: %s (0x%08lx)", path,
			      p11_kit_strerror(rv), rv);
	return 0;
}

int vldaa_prov_module_load(vldaa_prov_module *m, const vldaa_prov *prov, P11KitUri *uri)
{
	const char *path = p11_kit_uri_get_module_path(uri);
	char *found;
	int done;

	/* A name alone is looked for in p11-kit's own directory. */
	if (path != NULL)
		return load(m, prov, path);
	found = beside();
	done = load(m, prov, found != NULL ? found : VLDAA_PKCS11_MODULE);
	free(found);
	return done;
}

/* The application may have finalised what p11-kit has counted as initialised. */
CK_RV vldaa_prov_module_initialise(const vldaa_prov_module *m)
{
	CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
	CK_INFO info;
	CK_RV rv = p11_kit_module_initialize(m->counted);

	if (rv == CKR_CRYPTOKI_ALREADY_INITIALIZED)
		rv = CKR_OK;
	if (rv == CKR_OK && m->p11->C_GetInfo(&info) == CKR_CRYPTOKI_NOT_INITIALIZED)
		rv = m->p11->C_Initialize(&arguments);
	return rv == CKR_CRYPTOKI_ALREADY_INITIALIZED ? CKR_OK : rv;
}

void vldaa_prov_module_free(vldaa_prov_module *m)
{
	if (m->p11 != NULL)
		p11_kit_module_release(m->p11);
	if (m->counted == NULL)
		return;
	/* A child that has not used it has not initialised it. */
	(void)p11_kit_module_finalize(m->counted);
	p11_kit_module_release(m->counted);
}

/* --- tokens ------------------------------------------------------------------------------------
 */

static CK_RV list_slots(CK_FUNCTION_LIST *p11, CK_SLOT_ID **slots, CK_ULONG *count)
{
	CK_RV rv = p11->C_GetSlotList(CK_TRUE, NULL, count);

	*slots = NULL;
	if (rv != CKR_OK)
		return rv;
	*slots = OPENSSL_zalloc((*count + 1) * sizeof **slots);
	return *slots != NULL ? p11->C_GetSlotList(CK_TRUE, *slots, count) : CKR_HOST_MEMORY;
}

/* A token that cannot be read is none. */
static int matches(CK_FUNCTION_LIST *p11, P11KitUri *uri, CK_SLOT_ID slot, CK_TOKEN_INFO *token)
{
	const CK_SLOT_ID wanted = p11_kit_uri_get_slot_id(uri);
	CK_SLOT_INFO info;

	return (wanted == (CK_SLOT_ID)-1 || wanted == slot) &&
	       p11->C_GetSlotInfo(slot, &info) == CKR_OK &&
	       p11->C_GetTokenInfo(slot, token) == CKR_OK &&
	       (token->flags & CKF_TOKEN_INITIALIZED) != 0 &&
	       p11_kit_uri_match_slot_info(uri, &info) && p11_kit_uri_match_token_info(uri, token);
}

static void copy_label(char label[VLDAA_PROV_LABEL], const CK_TOKEN_INFO *token)
{
	size_t len = sizeof token->label;

	while (len > 0 && (token->label[len - 1] == ' ' || token->label[len - 1] == '\0'))
		len--;
	memcpy(label, token->label, len);
	label[len] = '\0';
}

static int module_matches(CK_FUNCTION_LIST *p11, P11KitUri *uri)
{
	CK_INFO info;

	return p11->C_GetInfo(&info) == CKR_OK && p11_kit_uri_match_module_info(uri, &info);
}

int vldaa_prov_module_find(const vldaa_prov *prov, CK_FUNCTION_LIST *p11, const vldaa_prov_uri *uri,
			   CK_SLOT_ID *slot, char label[VLDAA_PROV_LABEL])
{
	CK_ULONG count = 0, found = 0;
	CK_TOKEN_INFO token;
	CK_SLOT_ID *slots;
	CK_RV rv = list_slots(p11, &slots, &count);

	if (rv == CKR_OK && !module_matches(p11, uri->is))
		count = 0;
	for (CK_ULONG i = 0; rv == CKR_OK && i < count; i++) {
		if (!matches(p11, uri->is, slots[i], &token))
			continue;
		*slot = slots[i];
		copy_label(label, &token);
		found++;
	}
	OPENSSL_free(slots);
	if (rv != CKR_OK) {
		const int err = vldaa_prov_module_failed(prov, "the module", "C_GetSlotList", rv);

		VLDAA_PROV_RAISE(prov, err);
	} else if (found == 0) {
		VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_NO_TOKEN, "%s", uri->text);
	} else if (found > 1) {
		VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_TOKENS, "%s matches %lu", uri->text,
				      found);
	}
	return rv == CKR_OK && found == 1;
}
