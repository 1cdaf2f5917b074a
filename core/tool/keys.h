/*
 * Keys and certificates from files.  Functions return an exit status, having said on stderr why it
 * is not 0: VLDAA_EXIT_USAGE when a passphrase is needed and none was given, else
 * VLDAA_EXIT_FAILED, never VLDAA_EXIT_INVALID: without its key a command has decided nothing.
 */
#ifndef VLDAA_TOOL_KEYS_H
#define VLDAA_TOOL_KEYS_H

#include "files.h"
#include "vldaa/keyfile.h"

/*
 * Where a passphrase comes from, when one is needed: the first line of a file ("-": standard
 * input), else an environment variable, else the terminal (asked for without echo), else nowhere.
 */
typedef struct {
	const char *file;        /* --passphrase-file, or NULL */
	const char *environment; /* --passphrase-env, or NULL */
	const char *subject;     /* what it is for, on the terminal: the key's file name */
	int no_terminal;         /* never ask */
} vldaa_passphrase;

/* The passphrase of a new key, asked for twice on a terminal.  *len 0: none was wanted (there is
 * neither file nor variable, and no_terminal), the key stays unencrypted.  A passphrase that was
 * wanted and cannot be had is VLDAA_EXIT_USAGE, never an unencrypted key. */
int vldaa_passphrase_new(const vldaa_passphrase *p, char out[VLDAA_KEYFILE_MAX_PASSPHRASE],
			 size_t *len);

/* The same for a secret of another name, which the terminal is asked for as "NAME for SUBJECT".
 * *len 0: there is nowhere to get one from. */
int vldaa_passphrase_get(const vldaa_passphrase *p, const char *name, int twice,
			 char out[VLDAA_KEYFILE_MAX_PASSPHRASE], size_t *len);

/* One of our keys, whichever, from a file's bytes: a code of vldaa/keyfile.h.  VLDAA_ERR_SERVICE:
 * no passphrase was to be had, which was said. */
int vldaa_decode_key(vldaa_key *key, const vldaa_buffer *file, const vldaa_passphrase *passphrase);

enum { VLDAA_MLDSA_KEY_MAX = 2592 }; /* of ML-DSA-87: FIPS 204, Table 2 */

/* The group's public key object from a SubjectPublicKeyInfo file; *set its set. */
int vldaa_load_group_key(vldaa_buffer *object, const vldaa_set **set, const char *path);
/* The ISSUER_KEY object from a PKCS#8 file, encrypted or not. */
int vldaa_load_issuer_key(vldaa_buffer *object, const vldaa_set **set, const char *path,
			  const vldaa_passphrase *passphrase);

/* The secret object of this kind from a PKCS#8 file, encrypted or not. */
int vldaa_load_secret(vldaa_buffer *object, const vldaa_set **set, const char *path,
		      enum vldaa_kind kind, const vldaa_passphrase *passphrase);

/* Writes a public key object as SubjectPublicKeyInfo (PEM). */
int vldaa_save_public(const char *path, const uint8_t *object, size_t len);
/* Writes an ML-DSA public key as SubjectPublicKeyInfo (PEM), as everybody does. */
int vldaa_save_mldsa(const char *path, const uint8_t *public_key, size_t len);
/* Writes a secret object as PKCS#8 (PEM, mode 0600), encrypted when there is a passphrase (for
 * which see vldaa_passphrase_new).  An existing file is refused. */
int vldaa_save_secret(const char *path, const uint8_t *object, size_t len, const char *passphrase,
		      size_t passphrase_len);

/* An ordinary private key (of any kind that libcrypto reads; PEM or DER, encrypted or not) as
 * PKCS#8 DER. */
int vldaa_load_private_key(vldaa_buffer *pkcs8, const char *path,
			   const vldaa_passphrase *passphrase);

#endif
