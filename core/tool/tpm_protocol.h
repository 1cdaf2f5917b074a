/*
 * What goes over the pipes between a host's process and the process of its TPM.
 *
 * The host writes a call: number (1 byte in 4) | length (4) | bytes; the TPM answers it with: code
 * (4, two's complement; of vldaa/error.h) | length (4) | bytes.  Numbers are big-endian.  Calls are
 * answered in their order; the TPM's process ends when the host closes its end.
 */
#ifndef VLDAA_TOOL_TPM_PROTOCOL_H
#define VLDAA_TOOL_TPM_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

/* Each is the function of vldaa/tpm.h of the same name; what is not said is the function's own
 * input and output. */
enum vldaa_tpm_call {
	VLDAA_TPM_KEYGEN = 1, /* group key object: nothing */
	VLDAA_TPM_REQUEST = 2,
	VLDAA_TPM_ACCEPT = 3,
	VLDAA_TPM_PUBLIC_KEY = 4, /* key id: */
	VLDAA_TPM_CREATE = 5,
	VLDAA_TPM_SIGN_BEGIN = 6, /* key id | attestation digest | basename: nothing */
	VLDAA_TPM_SIGN_UPDATE = 7,
	VLDAA_TPM_SIGN_END = 8,
	VLDAA_TPM_TOKEN = 9, /* key id | attestation digest | basename: */
	VLDAA_TPM_OBEY = 10,
	VLDAA_TPM_STATUS = 11, /* key id: has_key, joined, pending, dead, one byte each */
	/* key id | host id | 0 or 1 (give up): nothing; no function of vldaa/tpm.h.  The TPM serves
	 * this host in this group from now on.  VLDAA_ERR_HAVE_KEY when it serves another one, which
	 * has joined or is not to be given up. */
	VLDAA_TPM_HOST = 12
};
enum { VLDAA_TPM_HOST_ID = 32 };

/* More than any call or answer has; a longer one is not read. */
enum { VLDAA_FRAME_MAX = 1 << 20 };

/* 0, or -1 with errno. */
int vldaa_frame_write(int fd, uint32_t number, const uint8_t *data, size_t len);
/* 1: a frame was read into data (cap bytes); 0: the other side has closed; -1: an error, with
 * errno, or a frame that is longer than cap (EMSGSIZE) or cut off (EPROTO). */
int vldaa_frame_read(int fd, uint32_t *number, uint8_t *data, size_t cap, size_t *len);

/* Answers calls on these descriptors until the other side closes.  Returns the exit status. */
int vldaa_tpm_serve(const char *directory, int in, int out);

#endif
