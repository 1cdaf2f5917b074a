/*
 * Everything that a client does which draws random bytes or writes, one by one, for tests in which
 * something fails; and what must be as it was then.
 */
#ifndef VLDAA_TEST_OPERATIONS_H
#define VLDAA_TEST_OPERATIONS_H

#include "module.h"

/* Draws random bytes; writes; into the issuer's register too; and what stored() below sees. */
enum { DRAWS = 1, WRITES = 2, REGISTERS = 4, STORES = 8 };

typedef struct {
	const char *name;
	unsigned does;
	void (*enter)(void); /* what it needs; may be NULL */
	CK_RV (*run)(void);
} operation;

enum { OPERATIONS = 26 };
extern const operation operations[OPERATIONS];

/* World and sessions for a test, and their end. */
void operations_enter(void);
void operations_leave(void);

/* How many objects the sessions see that an operation may add to. */
CK_ULONG operations_objects(void);
/* Where output goes: nothing is there; and whether that is so, but for zeros. */
void operations_clear_output(void);
int operations_has_output(void);

/* What the tokens' files hold, but for counters that may only grow: of changes, Creates, tries. */
typedef struct {
	uint8_t digest[32];
} stored_state;
stored_state stored(void);

#endif
