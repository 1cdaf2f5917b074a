/* The token file's tables, version 1. */
#ifndef VLDAA_P11_SCHEMA_H
#define VLDAA_P11_SCHEMA_H

#include "database.h"

enum { VLDAA_P11_SCHEMA_VERSION = 1 };

/* Inside the caller's transaction, in an empty file. */
int vldaa_p11_schema_create(const vldaa_p11_db *d);
/* VLDAA_P11_ERR_ABSENT for an empty file, VLDAA_P11_ERR_FOREIGN for anything but a token of this
 * version. */
int vldaa_p11_schema_check(const vldaa_p11_db *d);

#endif
