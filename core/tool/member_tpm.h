/*
 * Where a member's TPM is: a file in the member's directory that holds the name of the TPM's, either
 * absolute or relative to the member's.  Directories side by side are named relatively, so that both
 * can be moved together.
 */
#ifndef VLDAA_TOOL_MEMBER_TPM_H
#define VLDAA_TOOL_MEMBER_TPM_H

/* The directory of a member's TPM, to free; NULL, without a word, when it cannot be told. */
char *vldaa_member_tpm_directory(const char *directory);
/* The same, to free.  Exit status, having said why: there must be a TPM. */
int vldaa_member_find_tpm(char **tpm_directory, const char *directory);
/* VLDAA_EXIT_FAILED, having said so, when there is no TPM in this directory. */
int vldaa_check_tpm_directory(const char *tpm_directory);
/* VLDAA_EXIT_USAGE, having said so, when both are one: it would hold both halves of the secret. */
int vldaa_check_tpm_is_separate(const char *directory, const char *tpm_directory);

/* Writes the file. */
int vldaa_member_set_tpm(const char *directory, const char *tpm_directory);

#endif
