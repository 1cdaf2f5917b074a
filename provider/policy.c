#include "policy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "errors.h"

/* The longest period: a century or so.  Ten digits. */
enum { MAX_DIGITS = 10 };

#define EPOCH "epoch:"

/* Decimal digits, all of them; 0 when it is no such number, or zero, or begins with a zero. */
static uint64_t read_seconds(const char *text)
{
	uint64_t seconds = 0;
	size_t i;

	if (text[0] == '0')
		return 0;
	for (i = 0; text[i] >= '0' && text[i] <= '9' && i < MAX_DIGITS; i++)
		seconds = 10 * seconds + (uint64_t)(text[i] - '0');
	return text[i] == '\0' ? seconds : 0;
}

void vldaa_prov_policy_read(vldaa_prov_policy *policy, const char *text)
{
	const size_t len = text != NULL ? strlen(text) : 0;

	memset(policy, 0, sizeof *policy);
	if (text == NULL)
		return;
	policy->wrong = len == 0 || len > sizeof policy->basename;
	if (policy->wrong)
		return;
	/* In capitals, too: who writes Epoch:60 wants no basename "Epoch:60" for ever. */
	if (strncasecmp(text, EPOCH, strlen(EPOCH)) == 0) {
		policy->seconds = read_seconds(text + strlen(EPOCH));
		policy->wrong = policy->seconds == 0;
	}
	memcpy(policy->basename, text, len);
	policy->len = len;
}

int vldaa_prov_policy_basename(const vldaa_prov_policy *policy, int64_t now,
			       uint8_t basename[VLDAA_MAX_BASENAME], size_t *len)
{
	uint64_t first;
	char text[sizeof EPOCH + 2 * 20 + 2];
	int n;

	*len = 0;
	if (policy->wrong)
		return VLDAA_PROV_ERR_POLICY;
	if (policy->len == 0)
		return VLDAA_PROV_ERR_NO_BASENAME;
	if (policy->seconds == 0) {
		memcpy(basename, policy->basename, policy->len);
		*len = policy->len;
		return 0;
	}
	/* Before 1970 no clock of ours is right. */
	first = now > 0 ? (uint64_t)now - (uint64_t)now % policy->seconds : 0;
	n = snprintf(text, sizeof text, EPOCH "%" PRIu64 ":%" PRIu64, policy->seconds, first);
	memcpy(basename, text, (size_t)n);
	*len = (size_t)n;
	return 0;
}
