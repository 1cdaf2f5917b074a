#include "options.h"

#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>

#include "errors.h"
#include "vldaa/file.h"

/* A list of a million members' keys fits; ten times the largest attestation, or signature with one. */
enum { MAX_LIST_FILE = 1 << 30, MAX_ATTESTATION_FILE = 1 << 20 };

/* --- octets ------------------------------------------------------------------------------------
 */

struct vldaa_prov_octets {
	atomic_int references;
	uint8_t *data;
	size_t len;
};

/* Takes data over, also when there is no memory; it was allocated with OPENSSL_malloc. */
static vldaa_prov_octets *own(uint8_t *data, size_t len)
{
	vldaa_prov_octets *o = OPENSSL_malloc(sizeof *o);

	if (o == NULL) {
		OPENSSL_free(data);
		return NULL;
	}
	atomic_init(&o->references, 1);
	o->data = data;
	o->len = len;
	return o;
}

static void release(vldaa_prov_octets *o)
{
	if (o == NULL || atomic_fetch_sub(&o->references, 1) != 1)
		return;
	OPENSSL_free(o->data);
	OPENSSL_free(o);
}

static vldaa_prov_octets *share(vldaa_prov_octets *o)
{
	if (o != NULL)
		(void)atomic_fetch_add(&o->references, 1);
	return o;
}

const uint8_t *vldaa_prov_octets_data(const vldaa_prov_octets *o, size_t *len)
{
	*len = o->len;
	return o->data;
}

/* --- one option each ---------------------------------------------------------------------------
 */

static int set_basename(const vldaa_prov *prov, vldaa_prov_options *options, const OSSL_PARAM *p)
{
	const void *octets = NULL;
	size_t len = 0;

	if (!OSSL_PARAM_get_octet_string_ptr(p, &octets, &len)) {
		VLDAA_PROV_RAISE_TEXT(prov, VLDAA_ERR_ARGUMENT, "%s", p->key);
		return 0;
	}
	if (octets == NULL || len < 1 || len > VLDAA_MAX_BASENAME) {
		VLDAA_PROV_RAISE(prov, VLDAA_ERR_BASENAME);
		return 0;
	}
	memcpy(options->basename, octets, len);
	options->basename_len = len;
	return 1;
}

static int set_form(const vldaa_prov *prov, vldaa_prov_options *options, const OSSL_PARAM *p)
{
	static const struct {
		const char *name;
		enum vldaa_form form;
	} forms[] = {
	    {"self-contained", VLDAA_FORM_SELF_CONTAINED},
	    {"compact", VLDAA_FORM_COMPACT},
	    {"bare", VLDAA_FORM_BARE},
	};
	const char *name = NULL;

	if (OSSL_PARAM_get_utf8_string_ptr(p, &name) && name != NULL) {
		for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
			if (strcasecmp(name, forms[i].name) == 0) {
				options->form = forms[i].form;
				options->has_form = 1;
				return 1;
			}
		}
	}
	VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_FORM, "%s", name != NULL ? name : "no text");
	return 0;
}

static int keep(const vldaa_prov *prov, vldaa_prov_octets **slot, uint8_t *data, size_t len)
{
	vldaa_prov_octets *o = own(data, len);

	if (o == NULL) {
		VLDAA_PROV_RAISE(prov, VLDAA_ERR_MEMORY);
		return 0;
	}
	release(*slot);
	*slot = o;
	return 1;
}

static int set_octets(const vldaa_prov *prov, vldaa_prov_octets **slot, const OSSL_PARAM *p)
{
	const void *octets = NULL;
	size_t len = 0;
	uint8_t *copy;

	if (!OSSL_PARAM_get_octet_string_ptr(p, &octets, &len) || octets == NULL) {
		VLDAA_PROV_RAISE_TEXT(prov, VLDAA_ERR_ARGUMENT, "%s", p->key);
		return 0;
	}
	/* Of no bytes at all the verification will say what is wrong with them. */
	copy = OPENSSL_malloc(len > 0 ? len : 1);
	if (copy == NULL) {
		VLDAA_PROV_RAISE(prov, VLDAA_ERR_MEMORY);
		return 0;
	}
	memcpy(copy, octets, len);
	return keep(prov, slot, copy, len);
}

static int set_file(const vldaa_prov *prov, vldaa_prov_octets **slot, size_t most,
		    const OSSL_PARAM *p)
{
	const char *path = NULL;
	uint8_t *data = NULL;
	size_t len = 0;
	int err;

	if (!OSSL_PARAM_get_utf8_string_ptr(p, &path) || path == NULL) {
		VLDAA_PROV_RAISE_TEXT(prov, VLDAA_ERR_ARGUMENT, "%s", p->key);
		return 0;
	}
	err = vldaa_file_read(&data, &len, path, most);
	if (err != VLDAA_OK) {
		const char *reason =
		    err == VLDAA_ERR_MEMORY ? vldaa_error_text(err) : strerror(errno);

		VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_FILE, "%s: %s", path, reason);
		return 0;
	}
	return keep(prov, slot, data, len);
}

static int refuse_digest(const vldaa_prov *prov, vldaa_prov_options *options, const OSSL_PARAM *p)
{
	const char *name = NULL;

	(void)options;
	if (OSSL_PARAM_get_utf8_string_ptr(p, &name) && name != NULL &&
	    (name[0] == '\0' || strcasecmp(name, "UNDEF") == 0))
		return 1;
	VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_DIGEST, "%s", name != NULL ? name : "");
	return 0;
}

static int set_attestation(const vldaa_prov *prov, vldaa_prov_options *o, const OSSL_PARAM *p)
{
	return set_octets(prov, &o->attestation, p);
}

static int set_attestation_file(const vldaa_prov *prov, vldaa_prov_options *o, const OSSL_PARAM *p)
{
	return set_file(prov, &o->attestation, MAX_ATTESTATION_FILE, p);
}

static int set_rogue_list(const vldaa_prov *prov, vldaa_prov_options *o, const OSSL_PARAM *p)
{
	return set_file(prov, &o->rogue_list, MAX_LIST_FILE, p);
}

static int set_revoked_list(const vldaa_prov *prov, vldaa_prov_options *o, const OSSL_PARAM *p)
{
	return set_file(prov, &o->revoked_list, MAX_LIST_FILE, p);
}

static const struct {
	const char *name;
	int (*set)(const vldaa_prov *prov, vldaa_prov_options *options, const OSSL_PARAM *p);
} setters[] = {
    {"basename", set_basename},
    {"form", set_form},
    {"attestation", set_attestation},
    {"attestation-file", set_attestation_file},
    {"rogue-list", set_rogue_list},
    {"revoked-list", set_revoked_list},
    {OSSL_SIGNATURE_PARAM_DIGEST, refuse_digest},
};

/* --- all of them -------------------------------------------------------------------------------
 */

const OSSL_PARAM *vldaa_prov_options_settable(void)
{
	static const OSSL_PARAM params[] = {
	    OSSL_PARAM_octet_string("basename", NULL, 0),
	    OSSL_PARAM_utf8_string("form", NULL, 0),
	    OSSL_PARAM_octet_string("attestation", NULL, 0),
	    OSSL_PARAM_utf8_string("attestation-file", NULL, 0),
	    OSSL_PARAM_utf8_string("rogue-list", NULL, 0),
	    OSSL_PARAM_utf8_string("revoked-list", NULL, 0),
	    OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, NULL, 0),
	    OSSL_PARAM_END,
	};

	return params;
}

int vldaa_prov_options_set(const vldaa_prov *prov, vldaa_prov_options *options,
			   const OSSL_PARAM params[])
{
	for (size_t i = 0; params != NULL && i < sizeof setters / sizeof setters[0]; i++) {
		const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, setters[i].name);

		if (p != NULL && !setters[i].set(prov, options, p))
			return 0;
	}
	return 1;
}

int vldaa_prov_options_any(const OSSL_PARAM params[])
{
	for (size_t i = 0; params != NULL && i < sizeof setters / sizeof setters[0]; i++) {
		if (OSSL_PARAM_locate_const(params, setters[i].name) != NULL)
			return 1;
	}
	return 0;
}

vldaa_prov_options vldaa_prov_options_copy(const vldaa_prov_options *options)
{
	(void)share(options->attestation);
	(void)share(options->rogue_list);
	(void)share(options->revoked_list);
	return *options;
}

void vldaa_prov_options_clear(vldaa_prov_options *options)
{
	release(options->attestation);
	release(options->rogue_list);
	release(options->revoked_list);
	OPENSSL_cleanse(options, sizeof *options);
}
