/*
 * What can go wrong in a token's store, and in what it needs, besides vldaa/error.h.  The module
 * translates these codes to CKR_ values at its edge (result.c).
 */
#ifndef VLDAA_P11_STORE_ERROR_H
#define VLDAA_P11_STORE_ERROR_H

#include "vldaa/error.h"

enum vldaa_p11_error {
	VLDAA_P11_ERR_PIN = -300,       /* not the PIN */
	VLDAA_P11_ERR_LOCKED = -301,    /* no tries are left */
	VLDAA_P11_ERR_NO_PIN = -302,    /* this role has no PIN yet */
	VLDAA_P11_ERR_FULL = -303,      /* the disk is */
	VLDAA_P11_ERR_READ_ONLY = -304, /* the file or its directory cannot be written */
	VLDAA_P11_ERR_FOREIGN = -305,   /* damaged, or no token of ours */
	VLDAA_P11_ERR_ABSENT = -306,    /* no token in this directory */
	VLDAA_P11_ERR_REPLACED = -307,  /* the token was initialised anew meanwhile */
	VLDAA_P11_ERR_NO_ROW = -308,    /* no such object (any more) */
	VLDAA_P11_ERR_NO_SOLVER = -309  /* libvldaa-issuer cannot be loaded */
};

#endif
