/*
 * Where a command writes: never over what it reads, twice to one file, or into the directory of a
 * role, whose files are the role's only copy.
 *
 * What a command reads and writes is declared in its tables (options.h); every command is checked
 * before it runs.  Files are compared as files, not as names: links and other spellings of a path
 * do not get around it.
 */
#ifndef VLDAA_TOOL_PLACES_H
#define VLDAA_TOOL_PLACES_H

#include "options.h"

typedef struct vldaa_places vldaa_places;

/* What a call reads, and its directories.  Exit status, having said why it is not 0. */
int vldaa_places_new(vldaa_places **places, const vldaa_call *call);
void vldaa_places_free(vldaa_places *places);

/* VLDAA_EXIT_OK when the call may write this file (or files into this directory); else
 * VLDAA_EXIT_USAGE, having said why. */
int vldaa_places_may_write(const vldaa_places *places, const char *path);

/* All outputs that the tables of a call declare. */
int vldaa_places_check(const vldaa_call *call);

#endif
