#include "trace.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void vldaa_p11_trace(const char *format, ...)
{
	const int saved = errno;
	char line[512];
	va_list args;

	if (secure_getenv("VLDAA_PKCS11_DEBUG") == NULL)
		return;
	va_start(args, format);
	(void)vsnprintf(line, sizeof line, format, args);
	va_end(args);
	(void)fprintf(stderr, "vldaa-pkcs11: %s\n", line);
	errno = saved;
}
