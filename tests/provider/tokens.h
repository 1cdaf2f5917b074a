/*
 * Keys in tokens, as a program on EVP has them: the tokens of tests/pkcs11/module.h, whose module the program itself uses
 * as well, and a library context with the providers vldaa and default.
 */
#ifndef VLDAA_TEST_TOKENS_H
#define VLDAA_TEST_TOKENS_H

#include "../pkcs11/module.h"
#include "evp.h"

/* Of it libctx, ours, standard, and w.set. */
extern evp_world e;

/* A fixture around world_enter and world_leave.  Files with PINs are beside the tokens. */
void tokens_enter(void);
void tokens_leave(void);

/* What a URI says of the user's PIN. */
#define PIN_VALUE "pin-value=1234%20is%20the%20PIN"

/* The car's object with this label, by the test's module; query: what else it says, or NULL. */
void token_uri(char *uri, size_t size, const char *object, const char *query);

/* The car's private key with this label; NULL, with errors raised.  query: the URI's, without the module; NULL: without
 * a PIN. */
EVP_PKEY *token_key(const char *object, const char *query);
/* Asserted; with the PIN of a file that has it; of PIN_VALUE when there is no file. */
EVP_PKEY *token_key_by_file(const char *object);
EVP_PKEY *token_key_by_value(const char *object);
/* The car's public key with this label, which everybody may see. */
EVP_PKEY *token_public(const char *object);
/* What is in the file. */
void write_pin(const char *pin);

/* 1 when it signs, and the group's key verifies that; else 0, with errors raised. */
int signs(EVP_PKEY *key, const char *basename);
/* ck_assert that it does not, for the reason that has these words. */
void refuses(EVP_PKEY *key, const char *basename, const char *words);

/* Runs it in a child, in which it must return 1. */
typedef int child_work(void *arg);
void in_child(child_work *work, void *arg);

#endif
