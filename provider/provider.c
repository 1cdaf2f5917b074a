/*
 * Loading and unloading, and what the provider says about itself.
 */
#include "provider.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include "errors.h"
#include "functions.h"

OSSL_provider_init_fn OSSL_provider_init;

OSSL_LIB_CTX *vldaa_prov_enter(const vldaa_prov *prov)
{
	return OSSL_LIB_CTX_set0_default(prov->libctx);
}

void vldaa_prov_leave(OSSL_LIB_CTX *before)
{
	vldaa_prov_forget_thread(OSSL_LIB_CTX_set0_default(before));
}

/*
 * A thread that has drawn random bytes has generators of its own in the library context, and
 * libcrypto a note to free them when the thread ends.  Of the child context the application knows
 * nothing: its OPENSSL_thread_stop_ex(its own context) would leave that note, and the thread crash
 * when it ends after the provider.  So nothing stays behind in the thread.
 */
void vldaa_prov_forget_thread(OSSL_LIB_CTX *libctx)
{
	OPENSSL_thread_stop_ex(libctx);
}

int vldaa_prov_set_text(const vldaa_prov *prov, char **text, const OSSL_PARAM params[],
			const char *name)
{
	const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, name);
	char *copy = NULL;

	if (p == NULL || p->data == NULL)
		return 1;
	if (!OSSL_PARAM_get_utf8_string(p, &copy, 0)) {
		VLDAA_PROV_RAISE_TEXT(prov,
				      p->data_type == OSSL_PARAM_UTF8_STRING ? VLDAA_ERR_MEMORY
									     : VLDAA_ERR_ARGUMENT,
				      "%s", name);
		return 0;
	}
	OPENSSL_free(*text);
	*text = copy;
	return 1;
}

/* --- what OpenSSL asks -------------------------------------------------------------------------
 */

static const OSSL_PARAM *gettable_params(void *provctx)
{
	static const OSSL_PARAM params[] = {
	    OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
	    OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
	    OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
	    OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
	    OSSL_PARAM_END,
	};

	(void)provctx;
	return params;
}

static int set_text(OSSL_PARAM params[], const char *name, const char *text)
{
	OSSL_PARAM *p = OSSL_PARAM_locate(params, name);

	return p == NULL || OSSL_PARAM_set_utf8_ptr(p, text);
}

static int get_params(void *provctx, OSSL_PARAM params[])
{
	OSSL_PARAM *status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);

	(void)provctx;
	return set_text(params, OSSL_PROV_PARAM_NAME, "V-LDAA OpenSSL Provider") &&
	       set_text(params, OSSL_PROV_PARAM_VERSION, VLDAA_VERSION) &&
	       set_text(params, OSSL_PROV_PARAM_BUILDINFO, VLDAA_VERSION) &&
	       (status == NULL || OSSL_PARAM_set_int(status, 1));
}

static const OSSL_ALGORITHM *query_operation(void *provctx, int operation, int *no_cache)
{
	const vldaa_prov *prov = provctx;

	*no_cache = 0;
	switch (operation) {
	case OSSL_OP_KEYMGMT:
		return prov->algorithms.keymgmt;
	case OSSL_OP_SIGNATURE:
		return prov->algorithms.signature;
	case OSSL_OP_ENCODER:
		return prov->algorithms.encoder;
	case OSSL_OP_DECODER:
		return prov->algorithms.decoder;
	case OSSL_OP_STORE:
		return vldaa_prov_stores;
	default:
		return NULL;
	}
}

static const OSSL_ITEM *get_reason_strings(void *provctx)
{
	const vldaa_prov *prov = provctx;

	return prov->reasons;
}

static void teardown(void *provctx)
{
	vldaa_prov *prov = provctx;

	OSSL_LIB_CTX_free(prov->libctx);
	OPENSSL_free(prov);
}

static const OSSL_DISPATCH functions[] = {
    {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown},
    {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable_params},
    {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params},
    {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query_operation},
    {OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (void (*)(void))get_reason_strings},
    {0, NULL},
};

/* --- initialisation ----------------------------------------------------------------------------
 */

/* What OpenSSL offers and only initialisation needs. */
typedef struct {
	OSSL_FUNC_core_get_params_fn *get_params;
	OSSL_FUNC_core_obj_create_fn *obj_create;
	OSSL_FUNC_core_obj_add_sigid_fn *obj_add_sigid;
} upcalls;

static int read_upcalls(vldaa_prov *prov, upcalls *core, const OSSL_DISPATCH *in)
{
	for (; in->function_id != 0; in++) {
		switch (in->function_id) {
		case OSSL_FUNC_CORE_GET_PARAMS:
			core->get_params = OSSL_FUNC_core_get_params(in);
			break;
		case OSSL_FUNC_CORE_OBJ_CREATE:
			core->obj_create = OSSL_FUNC_core_obj_create(in);
			break;
		case OSSL_FUNC_CORE_OBJ_ADD_SIGID:
			core->obj_add_sigid = OSSL_FUNC_core_obj_add_sigid(in);
			break;
		case OSSL_FUNC_CORE_NEW_ERROR:
			prov->new_error = OSSL_FUNC_core_new_error(in);
			break;
		case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
			prov->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
			break;
		case OSSL_FUNC_CORE_VSET_ERROR:
			prov->vset_error = OSSL_FUNC_core_vset_error(in);
			break;
		default:
			break;
		}
	}
	return core->get_params != NULL && core->obj_create != NULL &&
	       core->obj_add_sigid != NULL && prov->new_error != NULL &&
	       prov->set_error_debug != NULL && prov->vset_error != NULL;
}

/* Objects are the process's: they stay when the provider goes, and a second load finds them. */
static int register_objects(const vldaa_prov *prov, const upcalls *core)
{
	for (size_t i = 0; i < VLDAA_PROV_SETS; i++) {
		const char *name = vldaa_prov_set_name(i);

		/* Signatures are named as the key is, and there is no digest to name. */
		if (!core->obj_create(prov->handle, vldaa_prov_set_oid(i), name, name) ||
		    !core->obj_add_sigid(prov->handle, name, "", name))
			return 0;
	}
	return 1;
}

/* Of the provider's section in openssl.cnf. */
static int read_configuration(vldaa_prov *prov, const upcalls *core)
{
	char *basename = NULL;
	OSSL_PARAM params[] = {
	    OSSL_PARAM_utf8_ptr("basename", &basename, 0),
	    OSSL_PARAM_END,
	};

	if (!core->get_params(prov->handle, params))
		return 0;
	vldaa_prov_policy_read(&prov->policy, basename);
	return 1;
}

static int initialise(vldaa_prov *prov, const OSSL_DISPATCH *in)
{
	upcalls core = {NULL, NULL, NULL};

	/* An OpenSSL without these is older than 3.0. */
	if (!read_upcalls(prov, &core, in) || !read_configuration(prov, &core) ||
	    !register_objects(prov, &core))
		return 0;
	prov->libctx = OSSL_LIB_CTX_new_child(prov->handle, in);
	if (prov->libctx == NULL)
		return 0;
	vldaa_prov_algorithms_init(&prov->algorithms);
	vldaa_prov_reasons_init(prov->reasons);
	return 1;
}

__attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE *handle,
							      const OSSL_DISPATCH *in,
							      const OSSL_DISPATCH **out,
							      void **provctx)
{
	vldaa_prov *prov = OPENSSL_zalloc(sizeof *prov);

	if (prov == NULL)
		return 0;
	prov->handle = handle;
	if (!initialise(prov, in)) {
		teardown(prov);
		return 0;
	}
	*out = functions;
	*provctx = prov;
	return 1;
}
