#include "keys.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ui.h>
#include <openssl/x509.h>

#include "report.h"

/* --- passphrases -------------------------------------------------------------------------------
 */

/* What it is called on a terminal. */
static const char PASSPHRASE[] = "Passphrase";

/* The first line of a file; a passphrase file usually ends with a newline. */
static int from_file(const char *path, char out[VLDAA_KEYFILE_MAX_PASSPHRASE], size_t *len)
{
	vldaa_buffer text = {NULL, 0};
	int status = vldaa_read(&text, path, 2 * VLDAA_KEYFILE_MAX_PASSPHRASE);
	size_t n = 0;

	if (status != VLDAA_EXIT_OK)
		return status;
	while (n < text.len && text.data[n] != '\n' && text.data[n] != '\r')
		n++;
	if (n == 0 || n > VLDAA_KEYFILE_MAX_PASSPHRASE) {
		vldaa_say("%s: its first line must be a passphrase of 1 to %d bytes", path,
			  VLDAA_KEYFILE_MAX_PASSPHRASE);
		status = VLDAA_EXIT_USAGE;
	} else {
		memcpy(out, text.data, n);
		*len = n;
	}
	vldaa_buffer_free(&text);
	return status;
}

static int from_environment(const char *name, char out[VLDAA_KEYFILE_MAX_PASSPHRASE], size_t *len)
{
	const char *value = getenv(name);
	size_t n = value ? strlen(value) : 0;

	if (n == 0 || n > VLDAA_KEYFILE_MAX_PASSPHRASE) {
		vldaa_say("the environment variable %s must hold a passphrase of 1 to %d bytes",
			  name, VLDAA_KEYFILE_MAX_PASSPHRASE);
		return VLDAA_EXIT_USAGE;
	}
	memcpy(out, value, n);
	*len = n;
	return VLDAA_EXIT_OK;
}

/* There is a terminal to ask on, whatever the standard streams are. */
static int have_terminal(void)
{
	FILE *tty = fopen("/dev/tty", "r");

	if (!tty)
		return 0;
	(void)fclose(tty);
	return 1;
}

/* UI_process tells Ctrl-C apart. */
enum { INTERRUPTED = -2 };

/* As if the terminal's Ctrl-C had not been caught by libcrypto, which has put the terminal right
 * again: whoever started us sees why we ended, a shell as exit status 130. */
static void die_of_interrupt(void)
{
	(void)signal(SIGINT, SIG_DFL);
	(void)raise(SIGINT);
}

/* libcrypto's user interface: no echo, signals put the terminal right again. */
static int from_terminal(const vldaa_passphrase *p, const char *what, int twice,
			 char out[VLDAA_KEYFILE_MAX_PASSPHRASE], size_t *len)
{
	char prompt[256], again[256], check[VLDAA_KEYFILE_MAX_PASSPHRASE + 1] = {0};
	char text[VLDAA_KEYFILE_MAX_PASSPHRASE + 1] = {0};
	UI *ui = UI_new();
	int status = VLDAA_EXIT_USAGE, done = -1;

	(void)snprintf(prompt, sizeof prompt, "%s for %s: ", what, p->subject);
	(void)snprintf(again, sizeof again, "The same again: ");
	if (ui && UI_add_input_string(ui, prompt, 0, text, 1, VLDAA_KEYFILE_MAX_PASSPHRASE) >= 0 &&
	    (!twice ||
	     UI_add_verify_string(ui, again, 0, check, 1, VLDAA_KEYFILE_MAX_PASSPHRASE, text) >= 0))
		done = UI_process(ui);
	if (done == 0) {
		*len = strlen(text);
		memcpy(out, text, *len);
		status = VLDAA_EXIT_OK;
	} else if (done != INTERRUPTED) {
		vldaa_say("%s: %s", p->subject,
			  text[0] && check[0] ? "the two differ" : "nothing was given");
	}
	UI_free(ui);
	ERR_clear_error();
	OPENSSL_cleanse(text, sizeof text);
	OPENSSL_cleanse(check, sizeof check);
	if (done == INTERRUPTED)
		die_of_interrupt();
	return status;
}

/* *len 0: there is nowhere to get one from. */
static int get_passphrase(const vldaa_passphrase *p, const char *what, int twice,
			  char out[VLDAA_KEYFILE_MAX_PASSPHRASE], size_t *len)
{
	*len = 0;
	if (p && p->file)
		return from_file(p->file, out, len);
	if (p && p->environment)
		return from_environment(p->environment, out, len);
	if (p && !p->no_terminal && have_terminal())
		return from_terminal(p, what, twice, out, len);
	return VLDAA_EXIT_OK;
}

int vldaa_passphrase_get(const vldaa_passphrase *p, const char *what, int twice,
			 char out[VLDAA_KEYFILE_MAX_PASSPHRASE], size_t *len)
{
	return get_passphrase(p, what, twice, out, len);
}

int vldaa_passphrase_new(const vldaa_passphrase *p, char out[VLDAA_KEYFILE_MAX_PASSPHRASE],
			 size_t *len)
{
	int status = get_passphrase(p, PASSPHRASE, 1, out, len);

	if (status == VLDAA_EXIT_OK && *len == 0 && !p->no_terminal) {
		vldaa_say("%s: no terminal: use --passphrase-file or --passphrase-env", p->subject);
		status = VLDAA_EXIT_USAGE;
	}
	return status;
}

static int report(const char *path, int code)
{
	return vldaa_report_reason(path, code,
				   code == VLDAA_KEYFILE_ERR_NO_PASSPHRASE
				       ? "--passphrase-file or --passphrase-env"
				       : NULL);
}

/* Asked only when a key turns out to be encrypted. */
typedef struct {
	const vldaa_passphrase *passphrase;
	int status; /* why there was none, when that was said already */
} asker;

static int ask_keyfile(void *arg, char out[VLDAA_KEYFILE_MAX_PASSPHRASE], size_t *len)
{
	asker *a = arg;

	a->status = get_passphrase(a->passphrase, PASSPHRASE, 0, out, len);
	if (a->status != VLDAA_EXIT_OK)
		return VLDAA_ERR_SERVICE;
	return *len ? VLDAA_OK : VLDAA_KEYFILE_ERR_NO_PASSPHRASE;
}

static int ask_libcrypto(char *out, size_t size, size_t *len, const OSSL_PARAM params[], void *arg)
{
	char text[VLDAA_KEYFILE_MAX_PASSPHRASE];
	asker *a = arg;
	int ok;

	(void)params;
	/* libcrypto may ask once for each way to decode that it tries. */
	if (a->status != VLDAA_EXIT_OK)
		return 0;
	a->status = get_passphrase(a->passphrase, PASSPHRASE, 0, text, len);
	if (a->status == VLDAA_EXIT_OK && *len == 0)
		a->status = report(a->passphrase ? a->passphrase->subject : NULL,
				   VLDAA_KEYFILE_ERR_NO_PASSPHRASE);
	ok = a->status == VLDAA_EXIT_OK && *len <= size;
	if (ok)
		memcpy(out, text, *len);
	OPENSSL_cleanse(text, sizeof text);
	return ok;
}

/* --- our keys ----------------------------------------------------------------------------------
 */

/* Says what is wrong with a key. */
static int refuse(const char *path, int code)
{
	return report(path, code) == VLDAA_EXIT_USAGE ? VLDAA_EXIT_USAGE : VLDAA_EXIT_FAILED;
}

int vldaa_decode_key(vldaa_key *key, const vldaa_buffer *file, const vldaa_passphrase *passphrase)
{
	asker a = {passphrase, VLDAA_EXIT_OK};

	return vldaa_keyfile_decode(key, file->data, file->len, ask_keyfile, &a, NULL);
}

/* A file of another kind: one that needs no passphrase is not encrypted. */
static int is_another(int err, const vldaa_key *key, enum vldaa_kind kind,
		      const vldaa_passphrase *passphrase)
{
	return err == VLDAA_KEYFILE_ERR_NOT_OURS || err == VLDAA_ERR_KIND ||
	       (err == VLDAA_KEYFILE_ERR_NO_PASSPHRASE && !passphrase) ||
	       (err == VLDAA_OK && key->kind != kind);
}

static const char *wanted(enum vldaa_kind kind)
{
	return kind == VLDAA_KIND_GROUP_KEY
		   ? "group PUBLIC key (vldaa issuer export --group-key writes one)"
		   : vldaa_kind_name(kind);
}

int vldaa_load_secret(vldaa_buffer *object, const vldaa_set **set, const char *path,
		      enum vldaa_kind kind, const vldaa_passphrase *passphrase)
{
	asker a = {passphrase, VLDAA_EXIT_OK};
	vldaa_buffer file = {NULL, 0};
	vldaa_key key = {0};
	int status = vldaa_read(&file, path, VLDAA_KEYFILE_MAX_FILE), err;

	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_keyfile_decode(&key, file.data, file.len, ask_keyfile, &a, NULL);
	if (is_another(err, &key, kind, passphrase)) {
		vldaa_say_mismatch(path, &file, wanted(kind));
		a.status = VLDAA_EXIT_FAILED;
		vldaa_key_clear(&key);
	}
	vldaa_buffer_free(&file);
	if (a.status != VLDAA_EXIT_OK)
		return a.status;
	if (err)
		return refuse(path, err);
	*set = vldaa_set_by_id(key.set_id);
	if (!*set) {
		status = refuse(path, VLDAA_ERR_SET);
	} else {
		status = vldaa_buffer_new(object, key.len);
	}
	if (status == VLDAA_EXIT_OK)
		memcpy(object->data, key.octets, key.len);
	vldaa_key_clear(&key);
	return status;
}

int vldaa_load_group_key(vldaa_buffer *object, const vldaa_set **set, const char *path)
{
	return vldaa_load_secret(object, set, path, VLDAA_KIND_GROUP_KEY, NULL);
}

int vldaa_load_issuer_key(vldaa_buffer *object, const vldaa_set **set, const char *path,
			  const vldaa_passphrase *passphrase)
{
	return vldaa_load_secret(object, set, path, VLDAA_KIND_ISSUER_KEY, passphrase);
}

static int save(const char *path, enum vldaa_keyfile_type type, const uint8_t *object, size_t len,
		const vldaa_keyfile_lock *lock, unsigned flags)
{
	uint8_t *text = NULL;
	size_t text_len = 0;
	int err = vldaa_keyfile_encode(&text, &text_len, type, VLDAA_KEYFILE_PEM, object, len, lock,
				       NULL);
	int status = err ? refuse(path, err) : vldaa_write(path, text, text_len, flags);

	vldaa_keyfile_free(text, text_len);
	return status;
}

int vldaa_save_public(const char *path, const uint8_t *object, size_t len)
{
	return save(path, VLDAA_KEYFILE_PUBLIC, object, len, NULL, 0);
}

int vldaa_save_mldsa(const char *path, const uint8_t *public_key, size_t len)
{
	uint8_t *text = NULL;
	size_t text_len = 0;
	int err = vldaa_keyfile_encode_mldsa(&text, &text_len, VLDAA_KEYFILE_PEM, public_key, len);
	int status = err ? refuse(path, err) : vldaa_write(path, text, text_len, 0);

	vldaa_keyfile_free(text, text_len);
	return status;
}

int vldaa_save_secret(const char *path, const uint8_t *object, size_t len, const char *passphrase,
		      size_t passphrase_len)
{
	const vldaa_keyfile_lock lock = {passphrase, passphrase_len, VLDAA_KEYFILE_SCRYPT};

	return save(path, VLDAA_KEYFILE_PRIVATE, object, len, passphrase_len ? &lock : NULL,
		    VLDAA_FILE_PRIVATE | VLDAA_FILE_NEW);
}

/* --- ordinary keys -----------------------------------------------------------------------------
 */

static EVP_PKEY *decode(const vldaa_buffer *file, int selection, asker *a)
{
	EVP_PKEY *key = NULL;
	OSSL_DECODER_CTX *ctx =
	    OSSL_DECODER_CTX_new_for_pkey(&key, NULL, NULL, NULL, selection, NULL, NULL);
	const unsigned char *p = file->data;
	size_t len = file->len;

	if (ctx && OSSL_DECODER_CTX_set_passphrase_cb(ctx, ask_libcrypto, a) == 1)
		(void)OSSL_DECODER_from_data(ctx, &p, &len);
	OSSL_DECODER_CTX_free(ctx);
	return key;
}

/* What is no private key by its look is called what it is; the rest may be one. */
static int refuse_private_key(const char *path, const vldaa_buffer *file)
{
	static const char *const others[] = {"a certificate", "a public key"};
	static const char *const labels[] = {"-----BEGIN CERTIFICATE-----",
					     "-----BEGIN PUBLIC KEY-----"};

	for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
		if (file->len >= strlen(labels[i]) &&
		    memcmp(file->data, labels[i], strlen(labels[i])) == 0) {
			vldaa_say("%s: this is %s, not a private key", path, others[i]);
			return VLDAA_EXIT_FAILED;
		}
	}
	vldaa_say("%s: not a private key, or the wrong passphrase", path);
	return VLDAA_EXIT_FAILED;
}

int vldaa_load_private_key(vldaa_buffer *pkcs8, const char *path,
			   const vldaa_passphrase *passphrase)
{
	asker a = {passphrase, VLDAA_EXIT_OK};
	vldaa_buffer file = {NULL, 0};
	int status = vldaa_read(&file, path, VLDAA_KEYFILE_MAX_FILE);
	PKCS8_PRIV_KEY_INFO *info = NULL;
	EVP_PKEY *key;
	int n;

	if (status != VLDAA_EXIT_OK)
		return status;
	key = decode(&file, EVP_PKEY_KEYPAIR, &a);
	if (key)
		info = EVP_PKEY2PKCS8(key);
	n = info ? i2d_PKCS8_PRIV_KEY_INFO(info, NULL) : 0;
	if (a.status != VLDAA_EXIT_OK) {
		status = a.status;
	} else if (n <= 0) {
		status = refuse_private_key(path, &file);
	} else {
		status = vldaa_buffer_new(pkcs8, (size_t)n);
	}
	vldaa_buffer_free(&file);
	if (status == VLDAA_EXIT_OK) {
		unsigned char *p = pkcs8->data;

		(void)i2d_PKCS8_PRIV_KEY_INFO(info, &p);
	}
	PKCS8_PRIV_KEY_INFO_free(info);
	EVP_PKEY_free(key);
	ERR_clear_error();
	return status;
}
