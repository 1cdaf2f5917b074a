#include "vldaa/default_basename.h"

#include <string.h>

#include "random/secret.h"
#include "wire/object.h"

/* The longest period: three centuries. */
enum { MAX_DIGITS = 10 };

static const char epoch[] = "epoch:";
enum { EPOCH = sizeof epoch - 1 };

/* In capitals, too: who writes Epoch:60 wants no basename "Epoch:60" for ever. */
static int begins_with_epoch(const uint8_t *text, size_t len)
{
	for (size_t i = 0; i < EPOCH; i++) {
		if (i >= len || (text[i] != epoch[i] && text[i] != epoch[i] - 'a' + 'A'))
			return 0;
	}
	return 1;
}

static int has_zero(const uint8_t *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == 0)
			return 1;
	}
	return 0;
}

/* The number; 0 when it is none, or zero, or begins with a zero, or is too long. */
static uint64_t read_seconds(const uint8_t *digits, size_t len)
{
	uint64_t seconds = 0;

	if (len < 1 || len > MAX_DIGITS || digits[0] == '0')
		return 0;
	for (size_t i = 0; i < len; i++) {
		if (digits[i] < '0' || digits[i] > '9')
			return 0;
		seconds = 10 * seconds + (uint64_t)(digits[i] - '0');
	}
	return seconds;
}

int vldaa_default_basename_read(vldaa_default_basename *policy, const uint8_t *text, size_t len)
{
	vldaa_default_basename p;

	if (policy)
		memset(policy, 0, sizeof *policy);
	if (!policy || (!text && len > 0))
		return VLDAA_ERR_ARGUMENT;
	if (len == 0)
		return VLDAA_OK;
	if (len > sizeof p.text || has_zero(text, len))
		return VLDAA_ERR_BASENAME;
	memset(&p, 0, sizeof p);
	memcpy(p.text, text, len);
	p.len = len;
	if (begins_with_epoch(text, len)) {
		memcpy(p.text, epoch, EPOCH);
		p.seconds = read_seconds(text + EPOCH, len - EPOCH);
		if (p.seconds == 0)
			return VLDAA_ERR_BASENAME;
	}
	*policy = p;
	return VLDAA_OK;
}

/* --- in an object ------------------------------------------------------------------------------
 */

void vldaa_put_default_basename(vldaa_writer *w, vldaa_bytes text)
{
	vldaa_put_u8(w, (uint8_t)text.len);
	vldaa_put_bytes(w, text.bytes, text.len);
}

vldaa_bytes vldaa_get_default_basename(vldaa_reader *rd)
{
	vldaa_bytes text = {NULL, vldaa_get_u8(rd)};
	vldaa_default_basename policy;

	text.bytes = vldaa_get_view(rd, text.len);
	if (!rd->error && (vldaa_default_basename_read(&policy, text.bytes, text.len) != VLDAA_OK ||
			   !vldaa_equal(policy.text, text.bytes, text.len)))
		vldaa_get_fail(rd, VLDAA_ERR_ENCODING);
	if (rd->error)
		text = (vldaa_bytes){NULL, 0};
	return text;
}
