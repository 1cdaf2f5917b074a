/* The basename that a default gives at a time. */
#include "vldaa/default_basename.h"

#include <string.h>

/* The longest decimal number of 63 bits. */
enum { MAX_DECIMAL = 19 };

/* Returns how many digits there are. */
static size_t put_decimal(uint8_t *out, uint64_t number)
{
	uint8_t digits[MAX_DECIMAL];
	size_t n = 0;

	do {
		digits[n++] = (uint8_t)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	for (size_t i = 0; i < n; i++)
		out[i] = digits[n - 1 - i];
	return n;
}

int vldaa_default_basename_at(const vldaa_default_basename *policy, int64_t now,
			      uint8_t basename[VLDAA_MAX_BASENAME], size_t *len)
{
	uint64_t time = now > 0 ? (uint64_t)now : 0;

	if (len)
		*len = 0;
	if (!policy || !basename || !len)
		return VLDAA_ERR_ARGUMENT;
	memset(basename, 0, VLDAA_MAX_BASENAME);
	if (policy->len == 0)
		return VLDAA_ERR_BASENAME;
	memcpy(basename, policy->text, policy->len);
	*len = policy->len;
	if (policy->seconds == 0)
		return VLDAA_OK;
	/* At most 6 + 10 + 1 + 19 bytes. */
	basename[(*len)++] = ':';
	*len += put_decimal(basename + *len, time - time % policy->seconds);
	return VLDAA_OK;
}
