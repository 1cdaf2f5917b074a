/* Basenames of calls that give none. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "member.h"

#define EPOCH "epoch:"

/* The longest period has ten digits: a century or so. */
enum { PREFIX = sizeof EPOCH - 1, MAX_DIGITS = 10 };

/* 0 when it is no number, or zero, or begins with a zero. */
static uint64_t read_seconds(const uint8_t *text, size_t len)
{
	uint64_t seconds = 0;

	if (len == 0 || len > MAX_DIGITS || text[0] == '0')
		return 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		seconds = 10 * seconds + (uint64_t)(text[i] - '0');
	}
	return seconds;
}

/* "epoch:3600:T", with T the period's first second: all members change in step. */
int vldaa_p11_basename(const uint8_t *policy, size_t policy_len, int64_t now,
		       uint8_t basename[VLDAA_MAX_BASENAME], size_t *len)
{
	char text[PREFIX + 2 * 20 + 2];
	uint64_t seconds, first;
	int n;

	*len = 0;
	if (policy_len == 0 || policy_len > VLDAA_MAX_BASENAME)
		return VLDAA_ERR_BASENAME;
	if (policy_len < PREFIX || memcmp(policy, EPOCH, PREFIX) != 0) {
		memcpy(basename, policy, policy_len);
		*len = policy_len;
		return VLDAA_OK;
	}
	seconds = read_seconds(policy + PREFIX, policy_len - PREFIX);
	if (seconds == 0)
		return VLDAA_ERR_BASENAME;
	/* Before 1970 no clock of ours is right. */
	first = now > 0 ? (uint64_t)now - (uint64_t)now % seconds : 0;
	n = snprintf(text, sizeof text, EPOCH "%" PRIu64 ":%" PRIu64, seconds, first);
	memcpy(basename, text, (size_t)n);
	*len = (size_t)n;
	return VLDAA_OK;
}
