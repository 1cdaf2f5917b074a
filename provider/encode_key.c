/*
 * Keys into files: PKCS#8, plain or encrypted, and SubjectPublicKeyInfo, in DER and PEM.
 */
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>
#include <string.h>

#include "encode.h"
#include "errors.h"
#include "functions.h"
#include "vldaa/keyfile.h"

/* --- what all encoders have in common ----------------------------------------------------------
 */

void *vldaa_prov_encoder_new(void *provctx)
{
	vldaa_prov_encoder *encoder = OPENSSL_zalloc(sizeof *encoder);

	if (encoder != NULL)
		encoder->prov = provctx;
	return encoder;
}

void vldaa_prov_encoder_free(void *ctx)
{
	vldaa_prov_encoder *encoder = ctx;

	if (encoder == NULL)
		return;
	OPENSSL_free(encoder->cipher);
	OPENSSL_free(encoder->properties);
	OPENSSL_free(encoder);
}

const vldaa_prov_key *vldaa_prov_encoder_key(const vldaa_prov_encoder *encoder, const void *key,
					     const OSSL_PARAM *abstract)
{
	/* OpenSSL hands over what it has read elsewhere when there is an IMPORT_OBJECT; there is
	 * none, since nobody else has such keys. */
	if (key == NULL || abstract != NULL) {
		VLDAA_PROV_RAISE(encoder->prov, VLDAA_PROV_ERR_NO_KEY);
		return NULL;
	}
	return key;
}

int vldaa_prov_write(const vldaa_prov_encoder *encoder, OSSL_CORE_BIO *out, const uint8_t *octets,
		     size_t len)
{
	BIO *bio = BIO_new_from_core_bio(encoder->prov->libctx, out);
	size_t written = 0;
	int done = bio != NULL && BIO_write_ex(bio, octets, len, &written) == 1 && written == len;

	if (bio == NULL)
		VLDAA_PROV_RAISE(encoder->prov, VLDAA_ERR_MEMORY);
	BIO_free(bio);
	return done;
}

/* --- plain -------------------------------------------------------------------------------------
 */

static int private_selection(void *provctx, int selection)
{
	(void)provctx;
	return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
}

static int public_selection(void *provctx, int selection)
{
	(void)provctx;
	return selection == 0 || ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 &&
				  (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0);
}

/* The file's bytes; free them with vldaa_keyfile_free. */
static int encode(const vldaa_prov_encoder *encoder, const vldaa_prov_key *key,
		  enum vldaa_keyfile_type type, enum vldaa_keyfile_form form, uint8_t **out,
		  size_t *len)
{
	const vldaa_keyfile_crypto crypto = {encoder->prov->libctx, encoder->properties};
	const uint8_t *octets = key->public_octets;
	size_t octets_len = key->public_len;

	*out = NULL;
	*len = 0;
	if (type == VLDAA_KEYFILE_PRIVATE) {
		octets = key->secret;
		octets_len = key->secret_len;
	}
	if (octets == NULL && key->in_token != NULL)
		return VLDAA_PROV_ERR_IN_TOKEN;
	if (octets == NULL)
		return key->kind == VLDAA_PROV_EMPTY ? VLDAA_PROV_ERR_NO_KEY
						     : VLDAA_PROV_ERR_PUBLIC_ONLY;
	return vldaa_keyfile_encode(out, len, type, form, octets, octets_len, NULL, &crypto);
}

static int write_plain(const vldaa_prov_encoder *encoder, OSSL_CORE_BIO *out, const void *raw,
		       const OSSL_PARAM *abstract, enum vldaa_keyfile_type type,
		       enum vldaa_keyfile_form form)
{
	const vldaa_prov_key *key = vldaa_prov_encoder_key(encoder, raw, abstract);
	uint8_t *file;
	size_t len;
	int err, done;

	if (key == NULL)
		return 0;
	err = encode(encoder, key, type, form, &file, &len);
	if (err != VLDAA_OK) {
		VLDAA_PROV_RAISE(encoder->prov, err);
		return 0;
	}
	done = vldaa_prov_write(encoder, out, file, len);
	vldaa_keyfile_free(file, len);
	return done;
}

static int public_der(void *ctx, OSSL_CORE_BIO *out, const void *key, const OSSL_PARAM abstract[],
		      int selection, OSSL_PASSPHRASE_CALLBACK *ask, void *arg)
{
	(void)selection;
	(void)ask;
	(void)arg;
	return write_plain(ctx, out, key, abstract, VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_DER);
}

static int public_pem(void *ctx, OSSL_CORE_BIO *out, const void *key, const OSSL_PARAM abstract[],
		      int selection, OSSL_PASSPHRASE_CALLBACK *ask, void *arg)
{
	(void)selection;
	(void)ask;
	(void)arg;
	return write_plain(ctx, out, key, abstract, VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_PEM);
}

/* --- encrypted ---------------------------------------------------------------------------------
 */

static const OSSL_PARAM *settable(void *provctx)
{
	static const OSSL_PARAM params[] = {
	    OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_CIPHER, NULL, 0),
	    OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_PROPERTIES, NULL, 0),
	    OSSL_PARAM_END,
	};

	(void)provctx;
	return params;
}

static int set_params(void *ctx, const OSSL_PARAM params[])
{
	vldaa_prov_encoder *encoder = ctx;

	return params == NULL || (vldaa_prov_set_text(encoder->prov, &encoder->cipher, params,
						      OSSL_ENCODER_PARAM_CIPHER) &&
				  vldaa_prov_set_text(encoder->prov, &encoder->properties, params,
						      OSSL_ENCODER_PARAM_PROPERTIES));
}

static int ask_passphrase(char *passphrase, size_t size, size_t *len, OSSL_PASSPHRASE_CALLBACK *ask,
			  void *arg)
{
	*len = 0;
	if (ask == NULL || !ask(passphrase, size, len, NULL, arg) || *len > size)
		return VLDAA_PROV_ERR_PASSPHRASE;
	return VLDAA_OK;
}

/* Under the cipher that the caller chose, which vldaa_keyfile_encode does not offer. */
static X509_SIG *encrypt(const vldaa_prov_encoder *encoder, const uint8_t *der, size_t der_len,
			 const char *passphrase, size_t len)
{
	const unsigned char *p = der;
	OSSL_LIB_CTX *libctx = encoder->prov->libctx;
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(libctx, encoder->cipher, encoder->properties);
	PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &p, (long)der_len);
	X509_SIG *sealed = NULL;

	if (cipher != NULL && info != NULL)
		sealed = PKCS8_encrypt_ex(-1, cipher, passphrase, (int)len, NULL, 0, 0, info,
					  libctx, encoder->properties);
	vldaa_prov_forget_thread(libctx);
	PKCS8_PRIV_KEY_INFO_free(info);
	EVP_CIPHER_free(cipher);
	return sealed;
}

static int write_sealed(const vldaa_prov_encoder *encoder, OSSL_CORE_BIO *out,
			const X509_SIG *sealed, enum vldaa_keyfile_form form)
{
	BIO *bio = BIO_new_from_core_bio(encoder->prov->libctx, out);
	int done = 0;

	if (bio == NULL)
		VLDAA_PROV_RAISE(encoder->prov, VLDAA_ERR_MEMORY);
	else
		done = form == VLDAA_KEYFILE_PEM ? PEM_write_bio_PKCS8(bio, sealed)
						 : i2d_PKCS8_bio(bio, sealed);
	BIO_free(bio);
	return done > 0;
}

static void raise_cipher(const vldaa_prov_encoder *encoder, int err)
{
	const char *cipher = encoder->cipher != NULL ? encoder->cipher : "no cipher";

	if (encoder->properties != NULL && encoder->properties[0] != '\0')
		VLDAA_PROV_RAISE_TEXT(encoder->prov, err, "%s, with the properties %s", cipher,
				      encoder->properties);
	else
		VLDAA_PROV_RAISE_TEXT(encoder->prov, err, "%s", cipher);
}

static int write_encrypted(const vldaa_prov_encoder *encoder, OSSL_CORE_BIO *out, const void *raw,
			   const OSSL_PARAM *abstract, enum vldaa_keyfile_form form,
			   OSSL_PASSPHRASE_CALLBACK *ask, void *arg)
{
	const vldaa_prov_key *key = vldaa_prov_encoder_key(encoder, raw, abstract);
	char passphrase[VLDAA_KEYFILE_MAX_PASSPHRASE];
	uint8_t *der = NULL;
	size_t len = 0, passphrase_len = 0;
	X509_SIG *sealed = NULL;
	int err, done = 0;

	if (key == NULL)
		return 0;
	err = encoder->cipher == NULL
		  ? VLDAA_PROV_ERR_CIPHER
		  : encode(encoder, key, VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_DER, &der, &len);
	if (err == VLDAA_OK)
		err = ask_passphrase(passphrase, sizeof passphrase, &passphrase_len, ask, arg);
	if (err == VLDAA_OK) {
		sealed = encrypt(encoder, der, len, passphrase, passphrase_len);
		err = sealed != NULL ? VLDAA_OK : VLDAA_PROV_ERR_CIPHER;
	}
	if (err == VLDAA_OK)
		done = write_sealed(encoder, out, sealed, form);
	else
		raise_cipher(encoder, err);
	OPENSSL_cleanse(passphrase, sizeof passphrase);
	vldaa_keyfile_free(der, len);
	X509_SIG_free(sealed);
	return done;
}

static int encrypted_der(void *ctx, OSSL_CORE_BIO *out, const void *key,
			 const OSSL_PARAM abstract[], int selection, OSSL_PASSPHRASE_CALLBACK *ask,
			 void *arg)
{
	(void)selection;
	return write_encrypted(ctx, out, key, abstract, VLDAA_KEYFILE_DER, ask, arg);
}

static int encrypted_pem(void *ctx, OSSL_CORE_BIO *out, const void *key,
			 const OSSL_PARAM abstract[], int selection, OSSL_PASSPHRASE_CALLBACK *ask,
			 void *arg)
{
	(void)selection;
	return write_encrypted(ctx, out, key, abstract, VLDAA_KEYFILE_PEM, ask, arg);
}

/*
 * Who writes a private key to a file with a cipher asks for PrivateKeyInfo all the same, and then
 * sets the cipher: what comes out must be encrypted.
 */
static int write_private(const vldaa_prov_encoder *encoder, OSSL_CORE_BIO *out, const void *raw,
			 const OSSL_PARAM *abstract, enum vldaa_keyfile_form form,
			 OSSL_PASSPHRASE_CALLBACK *ask, void *arg)
{
	if (encoder->cipher != NULL)
		return write_encrypted(encoder, out, raw, abstract, form, ask, arg);
	return write_plain(encoder, out, raw, abstract, VLDAA_KEYFILE_PRIVATE, form);
}

static int private_der(void *ctx, OSSL_CORE_BIO *out, const void *key, const OSSL_PARAM abstract[],
		       int selection, OSSL_PASSPHRASE_CALLBACK *ask, void *arg)
{
	(void)selection;
	return write_private(ctx, out, key, abstract, VLDAA_KEYFILE_DER, ask, arg);
}

static int private_pem(void *ctx, OSSL_CORE_BIO *out, const void *key, const OSSL_PARAM abstract[],
		       int selection, OSSL_PASSPHRASE_CALLBACK *ask, void *arg)
{
	(void)selection;
	return write_private(ctx, out, key, abstract, VLDAA_KEYFILE_PEM, ask, arg);
}

/* --- the tables --------------------------------------------------------------------------------
 */

const OSSL_DISPATCH vldaa_prov_encode_private_der[] = {
    {OSSL_FUNC_ENCODER_NEWCTX, (void (*)(void))vldaa_prov_encoder_new},
    {OSSL_FUNC_ENCODER_FREECTX, (void (*)(void))vldaa_prov_encoder_free},
    {OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, (void (*)(void))settable},
    {OSSL_FUNC_ENCODER_SET_CTX_PARAMS, (void (*)(void))set_params},
    {OSSL_FUNC_ENCODER_DOES_SELECTION, (void (*)(void))private_selection},
    {OSSL_FUNC_ENCODER_ENCODE, (void (*)(void))private_der},
    {0, NULL},
};

const OSSL_DISPATCH vldaa_prov_encode_private_pem[] = {
    {OSSL_FUNC_ENCODER_NEWCTX, (void (*)(void))vldaa_prov_encoder_new},
    {OSSL_FUNC_ENCODER_FREECTX, (void (*)(void))vldaa_prov_encoder_free},
    {OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, (void (*)(void))settable},
    {OSSL_FUNC_ENCODER_SET_CTX_PARAMS, (void (*)(void))set_params},
    {OSSL_FUNC_ENCODER_DOES_SELECTION, (void (*)(void))private_selection},
    {OSSL_FUNC_ENCODER_ENCODE, (void (*)(void))private_pem},
    {0, NULL},
};

const OSSL_DISPATCH vldaa_prov_encode_encrypted_der[] = {
    {OSSL_FUNC_ENCODER_NEWCTX, (void (*)(void))vldaa_prov_encoder_new},
    {OSSL_FUNC_ENCODER_FREECTX, (void (*)(void))vldaa_prov_encoder_free},
    {OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, (void (*)(void))settable},
    {OSSL_FUNC_ENCODER_SET_CTX_PARAMS, (void (*)(void))set_params},
    {OSSL_FUNC_ENCODER_DOES_SELECTION, (void (*)(void))private_selection},
    {OSSL_FUNC_ENCODER_ENCODE, (void (*)(void))encrypted_der},
    {0, NULL},
};

const OSSL_DISPATCH vldaa_prov_encode_encrypted_pem[] = {
    {OSSL_FUNC_ENCODER_NEWCTX, (void (*)(void))vldaa_prov_encoder_new},
    {OSSL_FUNC_ENCODER_FREECTX, (void (*)(void))vldaa_prov_encoder_free},
    {OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, (void (*)(void))settable},
    {OSSL_FUNC_ENCODER_SET_CTX_PARAMS, (void (*)(void))set_params},
    {OSSL_FUNC_ENCODER_DOES_SELECTION, (void (*)(void))private_selection},
    {OSSL_FUNC_ENCODER_ENCODE, (void (*)(void))encrypted_pem},
    {0, NULL},
};

const OSSL_DISPATCH vldaa_prov_encode_public_der[] = {
    {OSSL_FUNC_ENCODER_NEWCTX, (void (*)(void))vldaa_prov_encoder_new},
    {OSSL_FUNC_ENCODER_FREECTX, (void (*)(void))vldaa_prov_encoder_free},
    {OSSL_FUNC_ENCODER_DOES_SELECTION, (void (*)(void))public_selection},
    {OSSL_FUNC_ENCODER_ENCODE, (void (*)(void))public_der},
    {0, NULL},
};

const OSSL_DISPATCH vldaa_prov_encode_public_pem[] = {
    {OSSL_FUNC_ENCODER_NEWCTX, (void (*)(void))vldaa_prov_encoder_new},
    {OSSL_FUNC_ENCODER_FREECTX, (void (*)(void))vldaa_prov_encoder_free},
    {OSSL_FUNC_ENCODER_DOES_SELECTION, (void (*)(void))public_selection},
    {OSSL_FUNC_ENCODER_ENCODE, (void (*)(void))public_pem},
    {0, NULL},
};
