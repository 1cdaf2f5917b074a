#include "fleet_key.h"

#include <string.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include "report.h"

enum { MAX_KEY_FILE = 4096 };

static const char pem_name[] = "VLDAA FLEET KEY";

int vldaa_fleet_key_from_pem(uint8_t key[VLDAA_FLEET_KEY], const uint8_t *data, size_t len)
{
	BIO *bio = len <= MAX_KEY_FILE ? BIO_new_mem_buf(data, (int)len) : NULL;
	char *name = NULL, *header = NULL;
	unsigned char *bytes = NULL;
	long n = 0;
	int found = bio && PEM_read_bio(bio, &name, &header, &bytes, &n) == 1 &&
		    strcmp(name, pem_name) == 0 && n == VLDAA_FLEET_KEY;

	if (found && key)
		memcpy(key, bytes, VLDAA_FLEET_KEY);
	OPENSSL_free(name);
	OPENSSL_free(header);
	OPENSSL_clear_free(bytes, bytes ? (size_t)n : 0);
	BIO_free(bio);
	ERR_clear_error();
	return found;
}

static int from_hex(uint8_t key[VLDAA_FLEET_KEY], const vldaa_buffer *file, size_t len)
{
	char digits[2 * VLDAA_FLEET_KEY + 1] = {0};
	size_t bytes = 0;

	memcpy(digits, file->data, len);
	/* What vldaa_parse_hex says about wrong digits would show them. */
	if (strspn(digits, "0123456789abcdefABCDEF") == len)
		(void)vldaa_parse_hex(key, VLDAA_FLEET_KEY, &bytes, digits);
	OPENSSL_cleanse(digits, sizeof digits);
	return bytes == VLDAA_FLEET_KEY;
}

int vldaa_fleet_key_load(uint8_t key[VLDAA_FLEET_KEY], const char *path)
{
	vldaa_buffer file = {NULL, 0};
	int status = vldaa_read(&file, path, MAX_KEY_FILE), found;
	size_t n;

	if (status != VLDAA_EXIT_OK)
		return status;
	found = vldaa_fleet_key_from_pem(key, file.data, file.len);
	n = file.len;
	while (n > VLDAA_FLEET_KEY && (file.data[n - 1] == '\n' || file.data[n - 1] == '\r'))
		n--;
	if (!found && n == VLDAA_FLEET_KEY) {
		memcpy(key, file.data, n);
		found = 1;
	} else if (!found && n == (size_t)2 * VLDAA_FLEET_KEY) {
		found = from_hex(key, &file, n);
	}
	if (!found) {
		vldaa_say_mismatch(path, &file, "fleet key");
		status = VLDAA_EXIT_FAILED;
	}
	vldaa_buffer_free(&file);
	return status;
}

int vldaa_fleet_key_save(const char *path, const uint8_t key[VLDAA_FLEET_KEY], unsigned flags)
{
	BIO *bio = BIO_new(BIO_s_secmem());
	char *text = NULL;
	long len = 0;
	int status;

	if (bio && PEM_write_bio(bio, pem_name, "", key, VLDAA_FLEET_KEY) > 0)
		len = BIO_get_mem_data(bio, &text);
	status = len > 0 ? vldaa_write(path, (const uint8_t *)text, (size_t)len,
				       flags | VLDAA_FILE_PRIVATE)
			 : vldaa_report(path, VLDAA_ERR_CRYPTO);
	if (len > 0)
		OPENSSL_cleanse(text, (size_t)len);
	BIO_free(bio);
	return status;
}
