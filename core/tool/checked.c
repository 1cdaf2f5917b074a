#include "checked.h"

#include <stdio.h>
#include <string.h>

#include "keys.h"
#include "report.h"

int vldaa_check_standard_input(const vldaa_call *call, const char *const *paths, size_t count)
{
	int standard = 0;

	for (size_t i = 0; i < count; i++)
		standard += paths[i] && strcmp(paths[i], "-") == 0;
	return standard > 1 ? vldaa_usage(call, "only one file can be standard input")
			    : VLDAA_EXIT_OK;
}

int vldaa_check_group(vldaa_verifier **verifier, const char *path)
{
	const vldaa_set *set = NULL;
	vldaa_buffer key = {NULL, 0};
	int status = vldaa_load_group_key(&key, &set, path), err;

	*verifier = NULL;
	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_verifier_new(verifier, key.data, key.len);
	vldaa_buffer_free(&key);
	if (err) {
		(void)vldaa_report(path, err);
		return VLDAA_EXIT_FAILED;
	}
	return VLDAA_EXIT_OK;
}

int vldaa_check_lists(vldaa_verifier *verifier, const vldaa_call *call, int option,
		      enum vldaa_kind kind)
{
	const char *path;
	size_t position = 0;

	while ((path = vldaa_call_each(call, option, &position)) != NULL) {
		vldaa_buffer list = {NULL, 0};
		int status = vldaa_read_object(&list, NULL, path, kind);

		if (status == VLDAA_EXIT_OK) {
			const int err = vldaa_verifier_add_list(verifier, list.data, list.len);

			status = err ? vldaa_report(path, err) : VLDAA_EXIT_OK;
			vldaa_buffer_free(&list);
		}
		if (status != VLDAA_EXIT_OK)
			return VLDAA_EXIT_FAILED;
	}
	return VLDAA_EXIT_OK;
}

void vldaa_checked_free(vldaa_checked *checked)
{
	vldaa_verification_free(checked->verification);
	vldaa_attestation_free(checked->own);
	*checked = (vldaa_checked){0};
}

static int invalid(vldaa_checked *checked, int code, const char *subject)
{
	vldaa_checked_free(checked);
	checked->code = code;
	checked->subject = subject;
	(void)snprintf(checked->text, sizeof checked->text, "%s", vldaa_code_text(code));
	return VLDAA_EXIT_INVALID;
}

/* Turns a code into a status: refused, or reported here. */
static int settle(vldaa_checked *checked, int code, const char *subject)
{
	if (code == VLDAA_OK)
		return VLDAA_EXIT_OK;
	if (vldaa_error_class(code) == VLDAA_CLASS_INVALID)
		return invalid(checked, code, subject);
	vldaa_checked_free(checked);
	return vldaa_report(subject, code);
}

/* What is of another group, or for another basename: where to see of which. */
static void say_which(vldaa_checked *checked, int code, const vldaa_verifier *verifier,
		      const vldaa_buffer *file)
{
	const char *wanted = vldaa_set_name(vldaa_verifier_set(verifier));
	vldaa_object_info info;

	if (code == VLDAA_ERR_WRONG_SET &&
	    vldaa_object_inspect(&info, file->data, file->len) == VLDAA_OK)
		(void)snprintf(checked->text, sizeof checked->text,
			       "it belongs to parameter set %s, and the group to %s",
			       vldaa_set_name(info.set), wanted);
	else if (code == VLDAA_ERR_WRONG_ISSUER || code == VLDAA_ERR_WRONG_BASENAME)
		(void)snprintf(checked->text, sizeof checked->text,
			       "%s (vldaa inspect tells which)", vldaa_code_text(code));
}

/* The same about a whole file, which may be of another kind, group or basename than wanted. */
static int settle_file(vldaa_checked *checked, int code, const char *subject,
		       const vldaa_verifier *verifier, const vldaa_buffer *file, const char *wanted)
{
	const int status = settle(checked, code, subject);

	say_which(checked, code, verifier, file);
	if (code == VLDAA_ERR_KIND || (code == VLDAA_ERR_TRUNCATED && file->len == 0))
		vldaa_mismatch(checked->text, file->data, file->len, wanted);
	return status;
}

/* A key file that holds an attestation is as good as the attestation. */
static void unwrap(vldaa_buffer *file)
{
	vldaa_buffer object = {NULL, 0};
	vldaa_key key = {0};

	if (file->len > VLDAA_KEYFILE_MAX_FILE ||
	    vldaa_keyfile_decode(&key, file->data, file->len, NULL, NULL, NULL) != VLDAA_OK)
		return;
	if (key.kind == VLDAA_KIND_ATTESTATION &&
	    vldaa_buffer_new(&object, key.len) == VLDAA_EXIT_OK) {
		memcpy(object.data, key.octets, key.len);
		vldaa_buffer_free(file);
		*file = object;
	}
	vldaa_key_clear(&key);
}

/* All of a file, which may be anything; what is longer than any signature is refused. */
static int read_object(vldaa_checked *checked, vldaa_buffer *out, const vldaa_verifier *verifier,
		       const char *path)
{
	/* Twice, so that bytes after the end of a signature are refused as such. */
	const size_t max =
	    2 * vldaa_object_max_size(vldaa_verifier_set(verifier), VLDAA_KIND_SIGNATURE);
	const int err = vldaa_read_code(out, path, max);

	if (err == VLDAA_FILE_ERR_TOO_LARGE)
		return invalid(checked, err, path);
	if (err)
		return vldaa_report(path, err);
	unwrap(out);
	return VLDAA_EXIT_OK;
}

static int basename_matches(const vldaa_attestation *attestation, const vldaa_basename *basename)
{
	size_t len;
	const uint8_t *is = vldaa_attestation_basename(attestation, &len);

	return basename->len == 0 || (len == basename->len && memcmp(is, basename->text, len) == 0);
}

int vldaa_check_attestation(vldaa_checked *checked, const vldaa_verifier *verifier,
			    const char *path, const vldaa_basename *basename)
{
	vldaa_buffer object = {NULL, 0};
	int status, err;

	*checked = (vldaa_checked){0};
	status = read_object(checked, &object, verifier, path);
	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_attestation_new(&checked->own, verifier, object.data, object.len);
	if (!err && !basename_matches(checked->own, basename))
		err = VLDAA_ERR_WRONG_BASENAME;
	checked->attestation = checked->own;
	status = settle_file(checked, err, path, verifier, &object, "attestation");
	vldaa_buffer_free(&object);
	return status;
}

/* Verifies the attestation that a compact signature names, wherever among the files it is. */
static int find_attestation(vldaa_checked *checked, const vldaa_verifier *verifier,
			    const uint8_t digest[VLDAA_DIGEST_BYTES],
			    const char *const *attestations, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint8_t named[VLDAA_DIGEST_BYTES];
		vldaa_buffer object = {NULL, 0};
		int status = read_object(checked, &object, verifier, attestations[i]), err;

		if (status != VLDAA_EXIT_OK)
			return status;
		err = vldaa_attestation_digest_of(object.data, object.len, named);
		/* With one file there is no doubt which one was meant: say what is wrong with it.
		 */
		if (err ? count == 1 : memcmp(named, digest, sizeof named) == 0)
			err =
			    vldaa_attestation_new(&checked->own, verifier, object.data, object.len);
		else
			err = VLDAA_OK;
		if (err || checked->own) {
			status = settle_file(checked, err, attestations[i], verifier, &object,
					     "attestation");
			vldaa_buffer_free(&object);
			return status;
		}
		vldaa_buffer_free(&object);
	}
	return VLDAA_EXIT_OK;
}

/* A bare signature names no attestation: the one that is given is the one that it is under. */
static int take_attestation(vldaa_checked *checked, const vldaa_verifier *verifier,
			    const char *path, const char *const *attestations, size_t count)
{
	static const vldaa_basename any = {.len = 0};

	if (count == 1)
		return vldaa_check_attestation(checked, verifier, attestations[0], &any);
	vldaa_say("%s: a bare signature: name its attestation%s with --attestation", path,
		  count > 1 ? " alone" : "");
	return VLDAA_EXIT_USAGE;
}

int vldaa_basename_parse(vldaa_basename *basename, const vldaa_call *call, const char *text,
			 const char *hex)
{
	basename->len = 0;
	if (text && hex)
		return vldaa_usage(call, "--basename and --basename-hex are one too many");
	if (hex)
		return vldaa_parse_hex(basename->text, sizeof basename->text, &basename->len, hex);
	if (!text)
		return VLDAA_EXIT_OK;
	if (text[0] == '\0' || strlen(text) > sizeof basename->text)
		return vldaa_usage(call, "%s", vldaa_error_text(VLDAA_ERR_BASENAME));
	basename->len = strlen(text);
	memcpy(basename->text, text, basename->len);
	return VLDAA_EXIT_OK;
}

static int update(void *arg, const uint8_t *data, size_t len)
{
	return vldaa_verification_update(arg, data, len);
}

static int check_message(vldaa_checked *checked, const char *path, const char *message)
{
	int status = vldaa_stream(message, "verifying", update, checked->verification);

	/* An unreadable message is no verdict on the signature. */
	return status == VLDAA_EXIT_OK
		   ? settle(checked, vldaa_verification_end(checked->verification), path)
		   : status;
}

int vldaa_check_signature(vldaa_checked *checked, const vldaa_verifier *verifier, const char *path,
			  const char *message, const char *const *attestations, size_t count,
			  const vldaa_basename *basename)
{
	vldaa_buffer object = {NULL, 0};
	vldaa_object_info info;
	int status, err;

	*checked = (vldaa_checked){0};
	status = read_object(checked, &object, verifier, path);
	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_object_inspect(&info, object.data, object.len);
	if (object.len > 0 && object.len == vldaa_set_bare_size(vldaa_verifier_set(verifier))) {
		status = take_attestation(checked, verifier, path, attestations, count);
	} else if (!err && info.kind == VLDAA_KIND_COMPACT) {
		if (count > 0)
			status =
			    find_attestation(checked, verifier, info.digest, attestations, count);
		else {
			vldaa_say("%s: a compact signature: name its attestation with "
				  "--attestation",
				  path);
			status = VLDAA_EXIT_USAGE;
		}
	}
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_verification_new(&checked->verification, verifier, object.data,
					     object.len, checked->own,
					     basename->len ? basename->text : NULL, basename->len);
		status = settle_file(checked, err, path, verifier, &object, "signature");
	}
	vldaa_buffer_free(&object);
	if (status == VLDAA_EXIT_OK)
		checked->attestation = vldaa_verification_attestation(checked->verification);
	if (status == VLDAA_EXIT_OK && message)
		status = check_message(checked, path, message);
	return status;
}
