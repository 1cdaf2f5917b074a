/*
 * The fleet's broadcast key in a file: 32 secret bytes in PEM, under a name of its own, so that
 * the file tells what it is.
 *
 * Functions return an exit status, having said why it is not 0.
 */
#ifndef VLDAA_TOOL_FLEET_KEY_H
#define VLDAA_TOOL_FLEET_KEY_H

#include "files.h"

enum { VLDAA_FLEET_KEY = 32 };

/* 1 when this is such a PEM file; key may be NULL. */
int vldaa_fleet_key_from_pem(uint8_t key[VLDAA_FLEET_KEY], const uint8_t *data, size_t len);
/* From a file: PEM, or from elsewhere 32 bytes or 64 hexadecimal digits. */
int vldaa_fleet_key_load(uint8_t key[VLDAA_FLEET_KEY], const char *path);
/* Writes PEM, of mode 0600; flags of vldaa/file.h. */
int vldaa_fleet_key_save(const char *path, const uint8_t key[VLDAA_FLEET_KEY], unsigned flags);

#endif
