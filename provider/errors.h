/*
 * Errors, as OpenSSL's error queue takes them.
 *
 * Functions of the provider pass the codes of vldaa/error.h and vldaa/keyfile.h along, and those
 * below; whoever is called by OpenSSL raises the code.  A reason's number is the code's absolute
 * value from VLDAA_PROV_REASONS on: far from every number that OpenSSL's own libraries use, since
 * the library numbers that OpenSSL gives to providers are few, and used again.
 */
#ifndef VLDAA_PROVIDER_ERRORS_H
#define VLDAA_PROVIDER_ERRORS_H

#include "provider.h"

enum vldaa_prov_error {
	VLDAA_PROV_ERR_DIGEST = -200,         /* somebody chose a digest */
	VLDAA_PROV_ERR_NO_BASENAME = -201,    /* neither an option nor a default */
	VLDAA_PROV_ERR_KEY_KIND = -202,       /* this kind of key does not do that */
	VLDAA_PROV_ERR_FORM = -203,           /* no such form of signatures */
	VLDAA_PROV_ERR_FILE = -204,           /* a file that an option names cannot be read */
	VLDAA_PROV_ERR_LATE = -205,           /* an option after the first byte of the message */
	VLDAA_PROV_ERR_ISSUER_LIBRARY = -206, /* libvldaa-issuer cannot be loaded */
	VLDAA_PROV_ERR_POLICY = -207,         /* not a default basename */
	VLDAA_PROV_ERR_NO_KEY = -208,         /* an operation without a key */
	VLDAA_PROV_ERR_X509 = -209,           /* a member key in a certificate or a request */
	VLDAA_PROV_ERR_PUBLIC_ONLY = -210,    /* the private key is not there */
	VLDAA_PROV_ERR_CIPHER = -211,         /* cannot encrypt a key with this cipher */
	VLDAA_PROV_ERR_PASSPHRASE = -212,     /* nobody gave a passphrase */
	VLDAA_PROV_ERR_TEMPLATE = -213,       /* only issuer keys are generated */
	VLDAA_PROV_ERR_AUTHORITY = -214,      /* no such key for the authority */
	VLDAA_PROV_ERR_OTHER_FORM = -216,     /* not the form that the caller insists on */
	VLDAA_PROV_ERR_STATE = -215,          /* init, update, final in the wrong order */
	VLDAA_PROV_ERR_URI = -217,            /* not a vldaa: URI */
	VLDAA_PROV_ERR_MODULE = -218,         /* a PKCS#11 module that cannot be used */
	VLDAA_PROV_ERR_NO_TOKEN = -219,       /* no token matches a URI */
	VLDAA_PROV_ERR_TOKENS = -220,         /* several do */
	VLDAA_PROV_ERR_TOKEN = -221,          /* a PKCS#11 call failed */
	VLDAA_PROV_ERR_PIN = -222,            /* nobody gave the PIN */
	VLDAA_PROV_ERR_WRONG_PIN = -223,      /* the token refuses it */
	VLDAA_PROV_ERR_PIN_LOCKED = -224,     /* after too many of those */
	VLDAA_PROV_ERR_LOGGED_OUT = -225,     /* and there is no PIN to log in again */
	VLDAA_PROV_ERR_NO_OBJECT = -226,      /* nothing in the token matches */
	VLDAA_PROV_ERR_IN_TOKEN = -227,       /* the private key cannot be had */
	VLDAA_PROV_ERR_OBJECT = -228,         /* an object that is no key of ours */
	VLDAA_PROV_ERR_LOST = -229,           /* a token's object has gone meanwhile */
	VLDAA_PROV_ERR_LAST_TRY = -231,       /* which a PIN from a file does not get */
	VLDAA_PROV_ERR_RAISED = -230 /* has been raised, with more to it than a code says */
};

/* Raises the code, unless that is VLDAA_PROV_ERR_RAISED; text, with its arguments, says more about this case, or is NULL. */
void vldaa_prov_raise_at(const vldaa_prov *prov, int code, const char *file, int line,
			 const char *function, const char *text, ...)
    __attribute__((format(printf, 6, 7)));
#define VLDAA_PROV_RAISE(prov, code) \
	vldaa_prov_raise_at(prov, code, __FILE__, __LINE__, __func__, NULL)
#define VLDAA_PROV_RAISE_TEXT(prov, code, ...) \
	vldaa_prov_raise_at(prov, code, __FILE__, __LINE__, __func__, __VA_ARGS__)

/* For VLDAA_PROV_ERR_KEY_KIND: which key an operation takes, and which one was given. */
void vldaa_prov_raise_kind(const vldaa_prov *prov, const char *operation, const char *takes,
			   const char *given);

/* What EVP's functions for verification return: 1 valid, 0 invalid, negative when nothing was
 * decided or the call was wrong. */
int vldaa_prov_verdict(int code);

#endif
