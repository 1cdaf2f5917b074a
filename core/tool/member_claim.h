/*
 * Who may use a member's directory, and who its TPM.
 *
 * One process at a time makes keys, asks to join or takes an answer in a directory: what it keeps
 * there and what its TPM has pending must belong together.  And a TPM serves one host a group: a
 * second one's request would take the first one's place, whose answer could then never be opened.
 * So every member's directory has a random id, which its TPM remembers.
 */
#ifndef VLDAA_TOOL_MEMBER_CLAIM_H
#define VLDAA_TOOL_MEMBER_CLAIM_H

#include "member_directory.h"

/* Waits until no other process has the directory.  *lock is to be closed when it is not negative:
 * that ends the lock.  begin: the directory is a new member's; of others, only complete ones are
 * locked.  Exit status, as for all functions here, having said why. */
int vldaa_member_lock(int *lock, const char *directory, int begin);
void vldaa_member_unlock(int lock);

/* Tells the TPM that the directory's host is its host in the group, now and for ever; the id is
 * made when there is none.  VLDAA_EXIT_USAGE when it has another one; give_up: unless that one has
 * not joined, and is given up. */
int vldaa_member_claim(vldaa_member_directory *m, int give_up);

#endif
