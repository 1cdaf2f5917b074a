/*
 * What `verify`, `link` and `revoke order` share: a group's verifier, and one signature or
 * attestation verified with it.
 *
 * Exit statuses: VLDAA_EXIT_OK; VLDAA_EXIT_INVALID when what was to be examined is refused, which
 * the caller says in its own way (checked.code, checked.subject); everything else was said on
 * stderr already.
 */
#ifndef VLDAA_TOOL_CHECKED_H
#define VLDAA_TOOL_CHECKED_H

#include "files.h"
#include "mismatch.h"
#include "options.h"
#include "vldaa/verify.h"

/* Standard input can be one file only: VLDAA_EXIT_USAGE when more of these are "-".  NULL ones are
 * none. */
int vldaa_check_standard_input(const vldaa_call *call, const char *const *paths, size_t count);

/* The verifier of the group key in this file.  Never VLDAA_EXIT_INVALID; says nothing about the
 * set. */
int vldaa_check_group(vldaa_verifier **verifier, const char *path);
/* Adds the lists of this kind that the call names with this option.  Never VLDAA_EXIT_INVALID: a
 * verifier without its lists decides nothing. */
int vldaa_check_lists(vldaa_verifier *verifier, const vldaa_call *call, int option,
		      enum vldaa_kind kind);

/* A signature or an attestation, examined. */
typedef struct {
	int code;                             /* VLDAA_OK, or why it is refused */
	const char *subject;                  /* the file that is refused */
	char text[VLDAA_MISMATCH_TEXT];       /* why, in a sentence */
	const vldaa_attestation *attestation; /* when it is valid: the one that it is under */
	/* what the attestation lives in */
	vldaa_attestation *own;
	vldaa_verification *verification;
} vldaa_checked;

/* Frees what it holds; also fine for {0} and after a refusal. */
void vldaa_checked_free(vldaa_checked *checked);

/* What it must be for.  len 0: whatever it is for. */
typedef struct {
	uint8_t text[VLDAA_MAX_BASENAME];
	size_t len;
} vldaa_basename;

/* From the values of --basename and --basename-hex, either of which may be NULL. */
int vldaa_basename_parse(vldaa_basename *basename, const vldaa_call *call, const char *text,
			 const char *hex);

/* Verifies the ATTESTATION in a file. */
int vldaa_check_attestation(vldaa_checked *checked, const vldaa_verifier *verifier,
			    const char *path, const vldaa_basename *basename);
/*
 * Verifies the signature in a file.  message: the file that it is to be of; NULL: only its
 * attestation is verified.  attestations: files among which a compact signature finds its
 * attestation, and of which there is one for a bare signature; count may be 0.
 */
int vldaa_check_signature(vldaa_checked *checked, const vldaa_verifier *verifier, const char *path,
			  const char *message, const char *const *attestations, size_t count,
			  const vldaa_basename *basename);

#endif
