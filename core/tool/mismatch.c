#include "mismatch.h"

#include <stdio.h>
#include <string.h>

#include "fleet_key.h"
#include "looks_like.h"
#include "vldaa/keyfile.h"

static const char *article(const char *noun)
{
	return strchr("aeiou", noun[0]) || strncmp(noun, "ML-", 3) == 0 ? "an" : "a";
}

/* The kind of one of our objects, bare or in a key file that is not encrypted.  0: none of ours. */
static int kind_of(enum vldaa_kind *kind, const uint8_t *data, size_t len)
{
	vldaa_object_info info;
	vldaa_key key;
	int found = vldaa_object_inspect(&info, data, len) == VLDAA_OK;

	if (found) {
		*kind = info.kind;
		return 1;
	}
	if (len > VLDAA_KEYFILE_MAX_FILE)
		return 0;
	memset(&key, 0, sizeof key);
	found = vldaa_keyfile_decode(&key, data, len, NULL, NULL, NULL) == VLDAA_OK;
	*kind = key.kind;
	vldaa_key_clear(&key);
	return found;
}

/* Keys that are no objects, but that this project writes too. */
static const char *other_key(const uint8_t *data, size_t len)
{
	uint8_t *key = NULL;
	size_t key_len = 0;

	if (vldaa_fleet_key_from_pem(NULL, data, len))
		return "fleet key";
	if (len > VLDAA_KEYFILE_MAX_FILE ||
	    vldaa_keyfile_decode_mldsa(&key, &key_len, data, len) != VLDAA_OK)
		return NULL;
	vldaa_keyfile_free(key, key_len);
	return "ML-DSA public key";
}

void vldaa_mismatch(char text[VLDAA_MISMATCH_TEXT], const uint8_t *data, size_t len,
		    const char *wanted)
{
	const char *is;
	char looks_like[VLDAA_LOOKS_LIKE_TEXT];
	enum vldaa_kind kind;

	is = kind_of(&kind, data, len) ? vldaa_kind_name(kind) : other_key(data, len);
	if (is) {
		(void)snprintf(text, VLDAA_MISMATCH_TEXT, "this is %s %s, not %s %s", article(is),
			       is, article(wanted), wanted);
		return;
	}
	vldaa_looks_like(looks_like, data, len);
	(void)snprintf(text, VLDAA_MISMATCH_TEXT, "this is %s, not %s %s", looks_like,
		       article(wanted), wanted);
}
