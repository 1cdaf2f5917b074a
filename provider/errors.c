#include "errors.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "vldaa/error.h"
#include "vldaa/keyfile.h"

static const struct {
	int code;
	const char *text;
} own[] = {
    {VLDAA_PROV_ERR_DIGEST, "VLDAA hashes the message itself: choose no digest"},
    {VLDAA_PROV_ERR_NO_BASENAME,
     "no basename: give one (-pkeyopt basename:NAME, or -sigopt basename:NAME), or set a default "
     "(basename = NAME or epoch:SECONDS in the provider's section of openssl.cnf, or of the key: vldaa member "
     "export --default-basename, vldaa token basename)"},
    {VLDAA_PROV_ERR_KEY_KIND, "this operation takes another kind of key"},
    {VLDAA_PROV_ERR_FORM, "no such form of signatures: self-contained, compact or bare"},
    {VLDAA_PROV_ERR_FILE, "a file that an option names cannot be read"},
    {VLDAA_PROV_ERR_LATE, "options go before the first byte of the message"},
    {VLDAA_PROV_ERR_ISSUER_LIBRARY,
     "an issuer key of this set needs libvldaa-issuer, which cannot be loaded: install it, or "
     "generate the key where it is"},
    {VLDAA_PROV_ERR_POLICY,
     "the default basename (in openssl.cnf, or of the key) is neither 1 to 255 bytes nor epoch:SECONDS"},
    {VLDAA_PROV_ERR_NO_KEY, "there is no key"},
    {VLDAA_PROV_ERR_X509,
     "certificates, requests and CMS name their signer, and this key signs under pseudonyms: use "
     "an ordinary key for them, or one pseudonym's"},
    {VLDAA_PROV_ERR_PUBLIC_ONLY, "this takes the private key, and only the public one is here"},
    {VLDAA_PROV_ERR_CIPHER, "the key cannot be encrypted with this cipher"},
    {VLDAA_PROV_ERR_PASSPHRASE, "nobody gave a passphrase"},
    {VLDAA_PROV_ERR_TEMPLATE,
     "only issuer keys are generated, each of a new group and from no other key: `vldaa member` makes "
     "a member's key, from the group's"},
    {VLDAA_PROV_ERR_AUTHORITY,
     "the authority's key cannot be had: give an algorithm that libcrypto signs with, or a file "
     "with its private key, not encrypted"},
    {VLDAA_PROV_ERR_OTHER_FORM, "the signature has another form than the one asked for"},
    {VLDAA_PROV_ERR_STATE, "the operation was not begun, or has ended"},
    {VLDAA_PROV_ERR_URI, "not a URI like vldaa:token=LABEL;object=LABEL?pin-source=FILE"},
    {VLDAA_PROV_ERR_MODULE,
     "the PKCS#11 module cannot be used: install libvldaa-pkcs11, or name another with module-path"},
    {VLDAA_PROV_ERR_NO_TOKEN,
     "there is no such token (`vldaa token list` shows which there are, in the directories that "
     "VLDAA_TOKEN_DIR names)"},
    {VLDAA_PROV_ERR_TOKENS,
     "several tokens match: name one with token=LABEL or serial=NUMBER (vldaa token list)"},
    {VLDAA_PROV_ERR_TOKEN, "the token refuses"},
    {VLDAA_PROV_ERR_PIN, "this needs the token's PIN: give pin-source=FILE, or type it"},
    {VLDAA_PROV_ERR_WRONG_PIN, "wrong PIN"},
    {VLDAA_PROV_ERR_PIN_LOCKED,
     "the PIN is locked after too many wrong ones: `vldaa token pin --unlock` sets a new one"},
    {VLDAA_PROV_ERR_LAST_TRY,
     "only one try is left before the PIN is locked, and a PIN from a file does not get it: type the right one "
     "once"},
    {VLDAA_PROV_ERR_LOGGED_OUT,
     "not logged in to the token any more (as after fork): load the key anew, or give pin-source=FILE"},
    {VLDAA_PROV_ERR_NO_OBJECT, "the token has no such key (`vldaa token show` lists its objects)"},
    {VLDAA_PROV_ERR_IN_TOKEN, "the private key is in a token, and stays there"},
    {VLDAA_PROV_ERR_OBJECT, "an object of the token is no key of V-LDAA"},
    {VLDAA_PROV_ERR_LOST, "the key has gone from its token"},
};

enum { OWN = sizeof own / sizeof own[0] };

static const char *core_text(int code)
{
	const char *text = vldaa_keyfile_error_text(code);

	if (text == NULL && strcmp(vldaa_error_name(code), "UNKNOWN") != 0)
		text = vldaa_error_text(code);
	return text;
}

static void put(OSSL_ITEM *item, int code, const char *text)
{
	item->id = (unsigned)(VLDAA_PROV_REASONS - code);
	item->ptr = (void *)(uintptr_t)text;
}

void vldaa_prov_reasons_init(OSSL_ITEM items[VLDAA_PROV_MAX_REASONS])
{
	size_t n = 0;

	_Static_assert((int)VLDAA_PROV_CORE_CODES + (int)OWN < (int)VLDAA_PROV_MAX_REASONS,
		       "room for every reason and the end");
	for (int i = 1; i <= VLDAA_PROV_CORE_CODES; i++) {
		const char *text = core_text(-i);

		if (text != NULL)
			put(&items[n++], -i, text);
	}
	for (size_t i = 0; i < OWN; i++)
		put(&items[n++], own[i].code, own[i].text);
	items[n].id = 0;
	items[n].ptr = NULL;
}

void vldaa_prov_raise_at(const vldaa_prov *prov, int code, const char *file, int line,
			 const char *function, const char *text, ...)
{
	va_list arguments;

	if (code == VLDAA_PROV_ERR_RAISED)
		return;
	prov->new_error(prov->handle);
	prov->set_error_debug(prov->handle, file, line, function);
	va_start(arguments, text);
	prov->vset_error(prov->handle, (uint32_t)(VLDAA_PROV_REASONS - code), text, arguments);
	va_end(arguments);
}

void vldaa_prov_raise_kind(const vldaa_prov *prov, const char *operation, const char *takes,
			   const char *given)
{
	VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_KEY_KIND, "%s takes %s; this is %s %s",
			      operation, takes, given[0] == 'i' ? "an" : "a", given);
}

int vldaa_prov_verdict(int code)
{
	if (code == VLDAA_OK)
		return 1;
	return vldaa_error_class(code) == VLDAA_CLASS_INVALID ? 0 : -1;
}
