/*
 * The provider in this process: a library context of the test's own with the providers vldaa and default, and the keys
 * of a small world.  The module has its own copy of libvldaa; the world uses the test's.
 */
#ifndef VLDAA_TEST_EVP_H
#define VLDAA_TEST_EVP_H

#include <openssl/core.h>
#include <openssl/evp.h>
#include <openssl/provider.h>

#include "../support/world.h"

typedef struct {
	world w;
	car c, other;
	buffer member; /* MEMBER objects */
	buffer second;
	OSSL_LIB_CTX *libctx;
	OSSL_PROVIDER *ours, *standard;
} evp_world;

/* The directory with the module: VLDAA_PROVIDER_DIR of the environment, or where it was built. */
const char *evp_module_directory(void);

/* The provider's entry point when it is linked into the program; NULL: the module is loaded. */
extern OSSL_provider_init_fn *evp_builtin;
/* The provider that is loaded besides ours: "default" unless a test has it otherwise. */
extern const char *evp_standard;

void evp_init(evp_world *e, const vldaa_set *set);
void evp_free(evp_world *e);

/* The sets that the tests loop over: one of each scheme. */
const vldaa_set *evp_set(int index);
enum { EVP_SETS = 2 };

/* Keys made from octets; NULL when they are refused.  Nothing is asserted. */
EVP_PKEY *evp_private(const evp_world *e, buffer object);
EVP_PKEY *evp_public(const evp_world *e, buffer object);
/* Asserted. */
EVP_PKEY *evp_member(const evp_world *e);
EVP_PKEY *evp_group(const evp_world *e);

/* EVP_DigestSign and EVP_DigestVerify in one go.  basename or form NULL: not given.  Results are EVP's. */
int evp_try_sign(const evp_world *e, EVP_PKEY *key, const char *basename, const char *form,
		 const void *message, size_t len, buffer *signature);
buffer evp_sign(const evp_world *e, EVP_PKEY *key, const char *basename, const char *form,
		const void *message, size_t len);
int evp_verify(const evp_world *e, EVP_PKEY *key, buffer signature, const char *basename,
	       const void *message, size_t len);
/* Of a self-contained signature: its attestation's digest. */
void evp_digest(buffer signature, uint8_t digest[VLDAA_DIGEST_BYTES]);

/* The provider's last reason among the errors that are there, which are taken off the queue. */
const char *evp_reason(void);

#endif
