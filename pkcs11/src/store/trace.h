/* Reasons on stderr, for who asks: VLDAA_PKCS11_DEBUG in the environment.  Never a secret. */
#ifndef VLDAA_P11_TRACE_H
#define VLDAA_P11_TRACE_H

void vldaa_p11_trace(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
