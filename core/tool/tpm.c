/* `vldaa tpm`: a TPM in software, in a directory and a process of its own. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "commands.h"
#include "keys.h"
#include "tpm_directory.h"
#include "tpm_protocol.h"
#include "tpm_store.h"
#include "vldaa/tpm_services.h"

enum { MAX_CHAIN_FILE = 1 << 20 };

/* --- the directory -----------------------------------------------------------------------------
 */

static int chain_from_pem(vldaa_buffer *chain, const vldaa_buffer *pem, const char *path)
{
	size_t len = 0;
	int err = vldaa_tpm_chain_from_pem(NULL, 0, &len, pem->data, pem->len);
	int status;

	if (err != VLDAA_ERR_BUFFER) {
		vldaa_say("%s: no certificates in PEM that make a chain", path);
		return VLDAA_EXIT_FAILED;
	}
	if (len > VLDAA_TPM_CHAIN_MAX) {
		vldaa_say("%s: the chain has %zu bytes, of which a TPM holds %d", path, len,
			  VLDAA_TPM_CHAIN_MAX);
		return VLDAA_EXIT_FAILED;
	}
	status = vldaa_buffer_new(chain, len);
	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_tpm_chain_from_pem(chain->data, chain->len, &len, pem->data, pem->len);
	return err ? vldaa_report(path, err) : VLDAA_EXIT_OK;
}

/* One file of the directory. */
static int load_file(vldaa_buffer *out, const char *directory, const char *name, int is_key)
{
	char *path = vldaa_path(directory, name);
	vldaa_buffer pem = {NULL, 0};
	int status = VLDAA_EXIT_FAILED;

	if (!path)
		return status;
	if (is_key) {
		status = vldaa_load_private_key(out, path, NULL);
	} else {
		status = vldaa_read(&pem, path, MAX_CHAIN_FILE);
		if (status == VLDAA_EXIT_OK)
			status = chain_from_pem(out, &pem, path);
		vldaa_buffer_free(&pem);
	}
	free(path);
	return status;
}

int vldaa_tpm_directory_load(const char *directory, vldaa_buffer *endorsement_key,
			     vldaa_buffer *chain)
{
	int status = load_file(endorsement_key, directory, VLDAA_TPM_KEY_FILE, 1);

	return status == VLDAA_EXIT_OK ? load_file(chain, directory, VLDAA_TPM_CHAIN_FILE, 0)
				       : status;
}

/* --- init --------------------------------------------------------------------------------------
 */

enum { INIT_KEY, INIT_CHAIN, INIT_PASSPHRASE_FILE, INIT_PASSPHRASE_ENV };
static const vldaa_option init_options[] = {
    [INIT_KEY] = {"endorsement-key", 0, "FILE",
		  "the private key that the manufacturer certified (PEM or DER)",
		  VLDAA_OPTION_REQUIRED | VLDAA_OPTION_INPUT},
    [INIT_CHAIN] = {"endorsement-certificate", 0, "FILE",
		    "its certificate, then any intermediate ones (PEM)",
		    VLDAA_OPTION_REQUIRED | VLDAA_OPTION_INPUT},
    [INIT_PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE",
			      "holds the passphrase that opens the endorsement key",
			      VLDAA_OPTION_INPUT},
    [INIT_PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "environment variable that holds it", 0},
    {NULL, 0, NULL, NULL, 0},
};

/* The first certificate is the key's. */
static int check_pair(const vldaa_buffer *key, const vldaa_buffer *pem, const vldaa_call *call)
{
	const unsigned char *p = key->data;
	PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &p, (long)key->len);
	EVP_PKEY *pkey = info ? EVP_PKCS82PKEY(info) : NULL;
	BIO *bio = BIO_new_mem_buf(pem->data, (int)pem->len);
	X509 *leaf = bio ? PEM_read_bio_X509(bio, NULL, NULL, NULL) : NULL;
	int status = VLDAA_EXIT_OK;

	if (!pkey || !leaf || X509_check_private_key(leaf, pkey) != 1) {
		vldaa_say("%s: its first certificate is not for the key in %s",
			  call->values[INIT_CHAIN], call->values[INIT_KEY]);
		status = VLDAA_EXIT_FAILED;
	} else if (X509_cmp_current_time(X509_get0_notAfter(leaf)) < 0) {
		/* The issuer's clock decides, not this one. */
		vldaa_say("warning: %s: the certificate has expired: an issuer will refuse it",
			  call->values[INIT_CHAIN]);
	}
	X509_free(leaf);
	BIO_free(bio);
	EVP_PKEY_free(pkey);
	PKCS8_PRIV_KEY_INFO_free(info);
	ERR_clear_error();
	return status;
}

static int write_key(const char *path, const vldaa_buffer *pkcs8)
{
	BIO *bio = BIO_new(BIO_s_secmem());
	char *text = NULL;
	long len = 0;
	int status;

	if (bio && PEM_write_bio(bio, PEM_STRING_PKCS8INF, "", pkcs8->data, (long)pkcs8->len) > 0)
		len = BIO_get_mem_data(bio, &text);
	if (len <= 0)
		status = vldaa_report(path, VLDAA_ERR_CRYPTO);
	else
		status = vldaa_write(path, (const uint8_t *)text, (size_t)len,
				     VLDAA_FILE_PRIVATE | VLDAA_FILE_NEW);
	if (len > 0)
		OPENSSL_cleanse(text, (size_t)len);
	BIO_free(bio);
	return status;
}

/* The key is written last: a directory that has it is complete, one that has not may be begun
 * again. */
static int write_directory(const char *directory, const vldaa_buffer *key, const vldaa_buffer *pem)
{
	char *key_path = vldaa_path(directory, VLDAA_TPM_KEY_FILE);
	char *chain_path = vldaa_path(directory, VLDAA_TPM_CHAIN_FILE);
	char *store_path = vldaa_path(directory, VLDAA_TPM_STORE_FILE);
	int status = VLDAA_EXIT_FAILED;

	if (key_path && chain_path && store_path)
		status = vldaa_make_private_directory(directory);
	if (status == VLDAA_EXIT_OK && vldaa_exists(key_path)) {
		vldaa_say("%s: there is a TPM already", directory);
		status = VLDAA_EXIT_USAGE;
	}
	if (status == VLDAA_EXIT_OK)
		status = vldaa_tpm_store_create(store_path);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(chain_path, pem->data, pem->len, 0);
	if (status == VLDAA_EXIT_OK)
		status = write_key(key_path, key);
	free(key_path);
	free(chain_path);
	free(store_path);
	return status;
}

static int run_init(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = {call->values[INIT_PASSPHRASE_FILE],
					     call->values[INIT_PASSPHRASE_ENV],
					     call->values[INIT_KEY], 0};
	vldaa_buffer key = {NULL, 0}, pem = {NULL, 0}, chain = {NULL, 0};
	int status = vldaa_load_private_key(&key, call->values[INIT_KEY], &passphrase);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_read(&pem, call->values[INIT_CHAIN], MAX_CHAIN_FILE);
	if (status == VLDAA_EXIT_OK)
		status = chain_from_pem(&chain, &pem, call->values[INIT_CHAIN]);
	if (status == VLDAA_EXIT_OK)
		status = check_pair(&key, &pem, call);
	if (status == VLDAA_EXIT_OK)
		status = write_directory(call->argv[0], &key, &pem);
	vldaa_buffer_free(&key);
	vldaa_buffer_free(&pem);
	vldaa_buffer_free(&chain);
	return status;
}

static const vldaa_command init = {
    .name = "init",
    .summary = "Make a TPM in software from its endorsement key and certificate",
    .arguments = "DIR",
    .argument_kinds = "D",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = init_options,
    .run = run_init,
    .details =
	"DIR is made, of mode 0700, and holds the TPM's secrets, not encrypted: the\n"
	"endorsement key, and for each group the member's key, which never leaves it.\n"
	"Delete or copy DIR, and the TPM is gone, or is two.\n"
	"\n"
	"Example:\n"
	"  vldaa tpm init car1.tpm --endorsement-key ek.pem --endorsement-certificate chain.pem",
};

/* --- serve -------------------------------------------------------------------------------------
 */

static int run_serve(const vldaa_call *call)
{
	return vldaa_tpm_serve(call->argv[0], STDIN_FILENO, STDOUT_FILENO);
}

static const vldaa_command serve = {
    .name = "serve",
    .summary = "Answer a host's calls on standard input and output (internal)",
    .arguments = "DIR",
    .argument_kinds = "D",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = run_serve,
    .details = "Other commands start this as the TPM's own process and talk bytes to it; the\n"
	       "format is in core/tool/tpm_protocol.h.",
    .hidden = 1,
};

static const vldaa_command *const children[] = {&init, &serve, NULL};

const vldaa_command vldaa_command_tpm = {
    .name = "tpm",
    .summary = "A TPM in software, for hosts without a chip",
    .children = children,
};
