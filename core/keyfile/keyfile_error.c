#include "vldaa/keyfile.h"

static const struct {
	int code;
	const char *name;
	const char *text;
} errors[] = {
    {VLDAA_KEYFILE_ERR_NOT_OURS, "NOT_OURS",
     "there is no V-LDAA key in this file; it may hold another algorithm's key or a certificate"},
    {VLDAA_KEYFILE_ERR_DAMAGED, "DAMAGED",
     "the key file is cut off or was changed; restore it from a copy"},
    {VLDAA_KEYFILE_ERR_SET, "KEY_SET",
     "the key file's algorithm identifier and the key in it name different parameter sets"},
    {VLDAA_KEYFILE_ERR_NO_PASSPHRASE, "NO_PASSPHRASE",
     "the private key is encrypted; give its passphrase"},
    {VLDAA_KEYFILE_ERR_PASSPHRASE, "PASSPHRASE",
     "wrong passphrase, or the encrypted key was changed"},
    {VLDAA_KEYFILE_ERR_CIPHER, "CIPHER",
     "the private key is encrypted in a way that is not supported; encrypt it with PBES2, for example AES-256-CBC and scrypt"},
    {VLDAA_FILE_ERR_IO, "FILE", "the file cannot be read or written"},
    {VLDAA_FILE_ERR_TOO_LARGE, "FILE_TOO_LARGE",
     "the file is larger than any file of this kind; it is probably the wrong one"},
};

const char *vldaa_keyfile_error_name(int code)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].code == code)
			return errors[i].name;
	return NULL;
}

const char *vldaa_keyfile_error_text(int code)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].code == code)
			return errors[i].text;
	return NULL;
}
