/* vldaa issuer init: Setup. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

#include "issuer_directory.h"
#include "ntru_solver.h"
#include "output.h"

enum {
	SET,
	REVOCATION_KEY,
	ROOTS,
	ISSUER_KEY,
	AUTHORITY,
	JSON,
	ASK,
	PASSPHRASE_FILE,
	PASSPHRASE_ENV
};
static const vldaa_option options[] = {
    [SET] = {"set", 0, "SET",
	     "the parameter set; VLDAA2-44 when not given.  The others are for\n"
	     "more bits (VLDAA2-87), or for comparison (vldaa-params list)",
	     0},
    [REVOCATION_KEY] = {"revocation-key", 0, "FILE",
			"public key (PEM) of the revocation authority, of any kind\n"
			"that OpenSSL verifies with",
			VLDAA_OPTION_REQUIRED | VLDAA_OPTION_INPUT},
    [ROOTS] = {"manufacturer-roots", 0, "FILE",
	       "self-signed certificates of the TPMs' manufacturers (PEM)",
	       VLDAA_OPTION_REQUIRED | VLDAA_OPTION_INPUT},
    [ISSUER_KEY] = {"issuer-key", 0, "FILE",
		    "the issuer's private key, as openssl genpkey makes it with this\n"
		    "project's provider; without it a new one is made.  Never the key\n"
		    "of an issuer that there is: two registers would give a tag twice",
		    VLDAA_OPTION_INPUT},
    [AUTHORITY] = {"authority", 0, "FILE",
		   "private key that signs the answers to members; without it a\n"
		   "new Ed25519 key is made",
		   VLDAA_OPTION_INPUT},
    [JSON] = {"json", 0, NULL, "answer as JSON", 0},
    [ASK] = {"passphrase", 0, NULL, "ask on the terminal for a passphrase of the issuer's key", 0},
    [PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE",
			 "encrypt the issuer's key under the passphrase in its first line",
			 VLDAA_OPTION_INPUT},
    [PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same, from an environment variable", 0},
    {NULL, 0, NULL, NULL, 0},
};

/* Everything that the directory will hold, before there is one. */
typedef struct {
	const vldaa_set *set;
	vldaa_buffer revocation_key; /* SubjectPublicKeyInfo */
	vldaa_buffer roots;          /* PEM */
	vldaa_buffer authority;      /* PKCS#8 */
	vldaa_buffer issuer_key;     /* the ISSUER_KEY object */
	vldaa_issuer *issuer;
	uint8_t fleet_key[VLDAA_FLEET_KEY];
	char passphrase[VLDAA_KEYFILE_MAX_PASSPHRASE];
	size_t passphrase_len;
} founding;

static void forget(founding *f)
{
	vldaa_issuer_free(f->issuer);
	vldaa_buffer_free(&f->revocation_key);
	vldaa_buffer_free(&f->roots);
	vldaa_buffer_free(&f->authority);
	vldaa_buffer_free(&f->issuer_key);
	OPENSSL_cleanse(f, sizeof *f);
}

/* --- what goes in ------------------------------------------------------------------------------
 */

static int new_authority(vldaa_buffer *pkcs8)
{
	EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	PKCS8_PRIV_KEY_INFO *info = key ? EVP_PKEY2PKCS8(key) : NULL;
	int n = info ? i2d_PKCS8_PRIV_KEY_INFO(info, NULL) : 0;
	int status = n > 0 ? vldaa_buffer_new(pkcs8, (size_t)n)
			   : vldaa_report("authority key", VLDAA_ERR_CRYPTO);

	if (status == VLDAA_EXIT_OK) {
		unsigned char *p = pkcs8->data;

		(void)i2d_PKCS8_PRIV_KEY_INFO(info, &p);
	}
	PKCS8_PRIV_KEY_INFO_free(info);
	EVP_PKEY_free(key);
	return status;
}

/* The key that was made elsewhere: its set is the group's, and the authority's key is in it. */
static int read_issuer_key(founding *f, const vldaa_call *call)
{
	const char *path = call->values[ISSUER_KEY];
	const vldaa_passphrase p = {call->values[PASSPHRASE_FILE], call->values[PASSPHRASE_ENV],
				    path, !call->values[ASK]};
	const vldaa_set *set = NULL;
	int status;

	if (call->values[AUTHORITY])
		return vldaa_usage(call, "--authority goes with a new key: %s has one", path);
	status = vldaa_load_issuer_key(&f->issuer_key, &set, path, &p);
	if (status == VLDAA_EXIT_OK && call->values[SET] && set != f->set)
		return vldaa_usage(call, "%s is of %s, and --set says %s", path,
				   vldaa_set_name(set), call->values[SET]);
	f->set = set;
	return status;
}

static int read_inputs(founding *f, const vldaa_call *call)
{
	const vldaa_passphrase authority = {.subject = call->values[AUTHORITY]};
	const vldaa_passphrase p = {call->values[PASSPHRASE_FILE], call->values[PASSPHRASE_ENV],
				    "the issuer's new key", !call->values[ASK]};
	int status = vldaa_load_revocation_key(&f->revocation_key, call->values[REVOCATION_KEY]);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_load_roots(&f->roots, call->values[ROOTS]);
	if (status == VLDAA_EXIT_OK && !call->values[ISSUER_KEY])
		status =
		    call->values[AUTHORITY]
			? vldaa_load_private_key(&f->authority, call->values[AUTHORITY], &authority)
			: new_authority(&f->authority);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_passphrase_new(&p, f->passphrase, &f->passphrase_len);
	return status;
}

static int make_issuer_key(founding *f, const vldaa_call *call)
{
	int status = vldaa_buffer_for(&f->issuer_key, f->set, VLDAA_KIND_ISSUER_KEY), err;
	vldaa_ntru_solver *solve;
	size_t len = 0;

	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_ntru_solver_for(f->set, &solve);
	if (err)
		return vldaa_report(NULL, err);
	err = vldaa_issuer_keygen(f->set, solve, f->authority.data, f->authority.len,
				  f->issuer_key.data, f->issuer_key.len, &len);
	if (err) {
		status = vldaa_report(call->values[AUTHORITY], err);
		return status == VLDAA_EXIT_INVALID ? VLDAA_EXIT_FAILED : status;
	}
	f->issuer_key.len = len;
	return VLDAA_EXIT_OK;
}

static int make_keys(founding *f, const vldaa_call *call)
{
	const char *given = call->values[ISSUER_KEY];
	int status = given ? VLDAA_EXIT_OK : make_issuer_key(f, call), err;

	if (status != VLDAA_EXIT_OK)
		return status;
	if (RAND_bytes(f->fleet_key, sizeof f->fleet_key) != 1)
		return vldaa_report(NULL, VLDAA_ERR_RANDOM);
	err = vldaa_issuer_new(&f->issuer, f->issuer_key.data, f->issuer_key.len);
	status = err ? vldaa_report(given ? given : call->argv[0], err) : VLDAA_EXIT_OK;
	return status == VLDAA_EXIT_INVALID ? VLDAA_EXIT_FAILED : status;
}

/* --- the directory -----------------------------------------------------------------------------
 */

/* SubjectPublicKeyInfo as PEM. */
static int save_revocation_key(const char *path, const vldaa_buffer *spki)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *text = NULL;
	long len = 0;
	int status;

	if (bio && PEM_write_bio(bio, PEM_STRING_PUBLIC, "", spki->data, (long)spki->len) > 0)
		len = BIO_get_mem_data(bio, &text);
	status = len > 0 ? vldaa_write(path, (const uint8_t *)text, (size_t)len, 0)
			 : vldaa_report(path, VLDAA_ERR_CRYPTO);
	BIO_free(bio);
	return status;
}

static int save_register(const char *path, const founding *f)
{
	vldaa_register *reg = NULL;
	int err =
	    vldaa_register_create(&reg, path, vldaa_set_id(f->set), vldaa_issuer_key_id(f->issuer));
	int status =
	    err ? vldaa_report_reason(path, err, vldaa_register_reason(reg)) : VLDAA_EXIT_OK;

	vldaa_register_close(reg);
	return status;
}

static const char *const file_names[] = {VLDAA_ISSUER_RA_FILE,       VLDAA_ISSUER_ROOTS_FILE,
					 VLDAA_ISSUER_FLEET_FILE,    VLDAA_ISSUER_GROUP_FILE,
					 VLDAA_ISSUER_REGISTER_FILE, VLDAA_ISSUER_KEY_FILE};
enum { FILES = sizeof file_names / sizeof file_names[0] };

static int write_file(const founding *f, size_t which, const char *path)
{
	const uint8_t *group;
	size_t len = 0;

	switch (which) {
	case 0:
		return save_revocation_key(path, &f->revocation_key);
	case 1:
		return vldaa_write(path, f->roots.data, f->roots.len, 0);
	case 2:
		return vldaa_fleet_key_save(path, f->fleet_key, 0);
	case 3:
		group = vldaa_issuer_group_key(f->issuer, &len);
		return vldaa_save_public(path, group, len);
	case 4:
		return save_register(path, f);
	default:
		return vldaa_save_secret(path, f->issuer_key.data, f->issuer_key.len, f->passphrase,
					 f->passphrase_len);
	}
}

static int write_files(const founding *f, const char *directory)
{
	int status = VLDAA_EXIT_OK;

	for (size_t i = 0; i < FILES && status == VLDAA_EXIT_OK; i++) {
		char *path = vldaa_path(directory, file_names[i]);

		status = path ? write_file(f, i, path) : VLDAA_EXIT_FAILED;
		free(path);
	}
	return status;
}

static void remove_files(const char *directory)
{
	for (size_t i = 0; i < FILES; i++) {
		char *path = vldaa_path(directory, file_names[i]);

		if (path)
			(void)unlink(path);
		free(path);
	}
	(void)rmdir(directory);
}

/* Makes a rename in it durable. */
static void sync_parent(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *parent = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int fd = parent ? open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		(void)fsync(fd);
		(void)close(fd);
	}
	free(parent);
}

/* Made beside its place and moved there when it is whole: whatever interrupts this, there is an
 * issuer at the end or none. */
static int make_directory(const founding *f, const char *directory)
{
	static const char suffix[] = ".new.XXXXXX";
	size_t size = strlen(directory) + sizeof suffix;
	char *temporary = malloc(size);
	int status;

	if (!temporary)
		return vldaa_report(directory, VLDAA_ERR_MEMORY);
	(void)snprintf(temporary, size, "%s%s", directory, suffix);
	if (!mkdtemp(temporary)) {
		status = vldaa_report_errno(directory);
		free(temporary);
		return status;
	}
	status = write_files(f, temporary);
	if (status == VLDAA_EXIT_OK && rename(temporary, directory) != 0)
		status = vldaa_report_errno(directory);
	if (status == VLDAA_EXIT_OK)
		sync_parent(directory);
	else
		remove_files(temporary);
	free(temporary);
	return status;
}

/* --- the command -------------------------------------------------------------------------------
 */

static void print_root(void *arg, const char *subject, const uint8_t fingerprint[VLDAA_FINGERPRINT])
{
	vldaa_json *json = arg;

	if (json) {
		vldaa_json_object(json, NULL);
		vldaa_json_string(json, "subject", subject);
		vldaa_json_hex(json, "sha256", fingerprint, VLDAA_FINGERPRINT);
		vldaa_json_object_end(json);
		return;
	}
	printf("trusts       SHA-256 ");
	vldaa_print_hex(stdout, fingerprint, VLDAA_FINGERPRINT);
	printf(" manufacturer ");
	vldaa_print_text(stdout, (const uint8_t *)subject, strlen(subject));
	printf("\n");
}

/* Whom the new group trusts, so that the operator can compare. */
static int print_group(const founding *f, const char *directory, int as_json)
{
	const uint8_t *key_id = vldaa_issuer_key_id(f->issuer);
	uint8_t revocation[VLDAA_FINGERPRINT];
	vldaa_json json;
	int status = vldaa_fingerprint(revocation, f->revocation_key.data, f->revocation_key.len);

	if (status != VLDAA_EXIT_OK)
		return status;
	if (as_json) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_string(&json, "set", vldaa_set_name(f->set));
		vldaa_json_int(&json, "signature_bits", vldaa_set_signature_bits(f->set));
		vldaa_json_int(&json, "key_bits", vldaa_set_key_bits(f->set));
		vldaa_json_int(&json, "anonymity_bits", vldaa_set_anonymity_bits(f->set));
		vldaa_json_string(&json, "assumptions", vldaa_set_assumptions(f->set));
		vldaa_json_hex(&json, "group", key_id, VLDAA_KEY_ID_BYTES);
		vldaa_json_string(&json, "directory", directory);
		vldaa_json_hex(&json, "revocation_key_sha256", revocation, sizeof revocation);
		vldaa_json_array(&json, "manufacturer_roots");
		status = vldaa_each_root(&f->roots, print_root, &json);
		vldaa_json_array_end(&json);
		vldaa_json_object_end(&json);
		return status;
	}
	printf("set          %s\n", vldaa_set_name(f->set));
	/* Of the others, the warning before it has said all there is to say. */
	if (vldaa_set_signature_bits(f->set) > 0)
		vldaa_print_security(f->set);
	printf("group        ");
	vldaa_print_hex(stdout, key_id, VLDAA_KEY_ID_BYTES);
	printf("\ntrusts       SHA-256 ");
	vldaa_print_hex(stdout, revocation, sizeof revocation);
	printf(" revocation authority\n");
	return vldaa_each_root(&f->roots, print_root, NULL);
}

static int check_place(const vldaa_call *call, const char *directory)
{
	char *key = vldaa_path(directory, VLDAA_ISSUER_KEY_FILE);
	int exists = key && vldaa_exists(key);

	if (!key)
		return VLDAA_EXIT_FAILED;
	free(key);
	if (exists)
		return vldaa_usage(call, "%s: there is an issuer already", directory);
	/* An empty directory gives way; anything in it is somebody's. */
	if (vldaa_exists(directory) && rmdir(directory) != 0)
		return vldaa_report_errno(directory);
	return VLDAA_EXIT_OK;
}

static int run_init(const vldaa_call *call)
{
	char *directory = strdup(call->argv[0]);
	founding f;
	int status = directory ? VLDAA_EXIT_OK : vldaa_report(NULL, VLDAA_ERR_MEMORY);

	memset(&f, 0, sizeof f);
	for (size_t n = directory ? strlen(directory) : 0; n > 1 && directory[n - 1] == '/'; n--)
		directory[n - 1] = '\0';
	if (status == VLDAA_EXIT_OK) {
		f.set = call->values[SET] ? vldaa_set_by_name(call->values[SET]) : vldaa_set_at(0);
		if (!f.set)
			status = vldaa_usage_set(call, call->values[SET]);
	}
	if (status == VLDAA_EXIT_OK && call->values[ISSUER_KEY])
		status = read_issuer_key(&f, call);
	if (status == VLDAA_EXIT_OK)
		status = check_place(call, directory);
	if (status == VLDAA_EXIT_OK) {
		vldaa_warn_set(f.set);
		status = read_inputs(&f, call);
	}
	if (status == VLDAA_EXIT_OK)
		status = make_keys(&f, call);
	if (status == VLDAA_EXIT_OK)
		status = make_directory(&f, directory);
	if (status == VLDAA_EXIT_OK)
		status = print_group(&f, directory, call->values[JSON] != NULL);
	forget(&f);
	free(directory);
	return status;
}

const vldaa_command vldaa_command_issuer_init = {
    .name = "init",
    .summary = "Found a group: its keys, and an empty register of members",
    .arguments = "DIR",
    .argument_kinds = "D",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = options,
    .run = run_init,
    .details =
	"DIR is made, of mode 0700, or must be empty.  Give DIR/group.pem to everybody.\n"
	"DIR/issuer.pem makes members: keep it safe, and keep DIR/register.db on a disk that\n"
	"does not forget (see vldaa issuer backup).  Without a passphrase the key is not\n"
	"encrypted.  When this is interrupted, DIR.new.* may remain, and can be deleted.\n"
	"\n"
	"Compare the fingerprints with their owners': SHA-256 of the revocation key as\n"
	"openssl pkey -pubin -outform DER writes it, and of the certificates (openssl x509\n"
	"-fingerprint -sha256).\n"
	"\n"
	"Example:\n"
	"  vldaa issuer init issuer --revocation-key ra.pub.pem \\\n"
	"    --manufacturer-roots roots.pem",
};
