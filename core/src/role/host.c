/* The host role: what of Join, Create and Sign needs no secret of the TPM. */
#include "vldaa/host.h"

#include <string.h>

#include "random/secret.h"
#include "role/form.h"
#include "role/group.h"
#include "role/memory.h"
#include "role/source.h"

/* Invariant: key is loaded exactly when has_key is 1; rng is running exactly while creating is 1.
 */
struct vldaa_host {
	vldaa_group group;
	vldaa_source source;
	void *context;   /* of the scheme: HOST_CONTEXT bytes */
	uint8_t *secret; /* the key's payload */
	int has_key;
	int creating;
	vldaa_rng rng;
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t basename_len;
};

static const vldaa_scheme *scheme_of(const vldaa_host *h)
{
	return h->group.set->scheme;
}

int vldaa_host_new(vldaa_host **host, const uint8_t *group_key, size_t len)
{
	vldaa_host *h;
	int err;

	if (host)
		*host = NULL;
	if (!host || !group_key)
		return VLDAA_ERR_ARGUMENT;
	h = vldaa_memory_new(sizeof *h);
	if (!h)
		return VLDAA_ERR_MEMORY;
	h->source = vldaa_system_source();
	err = vldaa_group_open(&h->group, group_key, len);
	if (!err) {
		h->context = vldaa_memory_new(vldaa_group_size(&h->group, VLDAA_PART_HOST_CONTEXT));
		h->secret = vldaa_memory_new(vldaa_group_size(&h->group, VLDAA_PART_HOST_SECRET));
		if (!h->context || !h->secret)
			err = VLDAA_ERR_MEMORY;
	}
	if (err) {
		vldaa_host_free(h);
		return err;
	}
	*host = h;
	return VLDAA_OK;
}

void vldaa_host_free(vldaa_host *h)
{
	if (!h)
		return;
	if (h->group.set) {
		vldaa_memory_free(h->context, vldaa_group_size(&h->group, VLDAA_PART_HOST_CONTEXT));
		vldaa_memory_free(h->secret, vldaa_group_size(&h->group, VLDAA_PART_HOST_SECRET));
	}
	vldaa_group_close(&h->group);
	vldaa_memory_free(h, sizeof *h);
}

const vldaa_set *vldaa_host_set(const vldaa_host *host)
{
	return host ? host->group.set : NULL;
}

const uint8_t *vldaa_host_key_id(const vldaa_host *host)
{
	return host ? host->group.key_id : NULL;
}

void vldaa_host_set_source(vldaa_host *host, vldaa_source source)
{
	host->source = source;
}

static vldaa_bytes secret_of(const vldaa_host *h)
{
	const vldaa_bytes none = {NULL, 0};
	const vldaa_bytes secret = {h->secret, vldaa_group_size(&h->group, VLDAA_PART_HOST_SECRET)};

	return h->has_key ? secret : none;
}

static void put_head(vldaa_writer *w, const vldaa_host *h, enum vldaa_kind kind)
{
	vldaa_put_header(w, kind, h->group.set);
	vldaa_put_bytes(w, h->group.key_id, VLDAA_KEY_ID_BYTES);
}

/* Forgets the key after a failure, so that no half-loaded host is used. */
static int without_key(vldaa_host *h, int err)
{
	h->has_key = 0;
	h->creating = 0;
	vldaa_wipe(h->secret, vldaa_group_size(&h->group, VLDAA_PART_HOST_SECRET));
	vldaa_wipe(h->context, vldaa_group_size(&h->group, VLDAA_PART_HOST_CONTEXT));
	return err;
}

int vldaa_host_keygen(vldaa_host *h, uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_bytes none = {NULL, 0};
	vldaa_writer w;
	vldaa_rng rng;
	int err;

	if (!h || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_put_init(&w, out, cap);
	err = h->has_key ? VLDAA_ERR_HAVE_KEY
			 : vldaa_need(h->group.set, VLDAA_KIND_HOST_KEY, cap, len);
	if (!err)
		err = vldaa_source_start(&h->source, &rng, h->group.set, VLDAA_OP_HOST_KEYGEN, none,
					 (vldaa_bytes){h->group.key_id, VLDAA_KEY_ID_BYTES});
	if (err)
		return vldaa_refuse_output(out, cap, len, err);
	err = scheme_of(h)->host_keygen(h->group.context, h->context, &rng, h->secret);
	vldaa_rng_clear(&rng);
	if (!err)
		err = scheme_of(h)->host_init(h->context, h->group.context, h->secret, none);
	h->has_key = !err;
	if (err)
		return vldaa_finish_output(&w, without_key(h, err), len);
	put_head(&w, h, VLDAA_KIND_HOST_KEY);
	vldaa_put_bytes(&w, h->secret, vldaa_group_size(&h->group, VLDAA_PART_HOST_SECRET));
	return vldaa_finish_output(&w, VLDAA_OK, len);
}

/* The CREDENTIAL object: header | key id | the scheme's credential. */
static int read_credential(const vldaa_host *h, const uint8_t *in, size_t len,
			   vldaa_bytes *credential)
{
	vldaa_reader rd;

	vldaa_get_init(&rd, in, len);
	vldaa_get_group_header(&rd, VLDAA_KIND_CREDENTIAL, h->group.set, h->group.key_id);
	*credential = vldaa_get_rest(&rd);
	if (!rd.error && credential->len == 0)
		vldaa_get_fail(&rd, VLDAA_ERR_TRUNCATED);
	return vldaa_get_end(&rd);
}

static void end_create(vldaa_host *h)
{
	h->creating = 0;
	vldaa_rng_clear(&h->rng);
}

static void free_context(const vldaa_host *h, void *context)
{
	vldaa_memory_free(context, vldaa_group_size(&h->group, VLDAA_PART_HOST_CONTEXT));
}

/* A context beside the host's own, so that a refusal leaves the host as it was. */
static int new_context(const vldaa_host *h, const uint8_t *secret, vldaa_bytes credential,
		       void **context)
{
	void *c = vldaa_memory_new(vldaa_group_size(&h->group, VLDAA_PART_HOST_CONTEXT));
	int err =
	    c ? scheme_of(h)->host_init(c, h->group.context, secret, credential) : VLDAA_ERR_MEMORY;

	if (err) {
		free_context(h, c);
		return err;
	}
	*context = c;
	return VLDAA_OK;
}

static void use_context(vldaa_host *h, void *context)
{
	end_create(h);
	free_context(h, h->context);
	h->context = context;
	h->has_key = 1;
}

int vldaa_host_load(vldaa_host *h, const uint8_t *key, size_t key_len, const uint8_t *credential,
		    size_t credential_len)
{
	vldaa_bytes payload = {NULL, 0};
	void *context = NULL;
	vldaa_reader rd;
	const uint8_t *secret;
	int err;

	if (!h || !key || (!credential && credential_len))
		return VLDAA_ERR_ARGUMENT;
	vldaa_get_init(&rd, key, key_len);
	vldaa_get_group_header(&rd, VLDAA_KIND_HOST_KEY, h->group.set, h->group.key_id);
	secret = vldaa_get_view(&rd, vldaa_group_size(&h->group, VLDAA_PART_HOST_SECRET));
	err = vldaa_get_end(&rd);
	if (!err && credential)
		err = read_credential(h, credential, credential_len, &payload);
	if (secret)
		vldaa_secret_mark(secret, vldaa_group_size(&h->group, VLDAA_PART_HOST_SECRET));
	if (!err)
		err = new_context(h, secret, payload, &context);
	if (err)
		return err;
	memcpy(h->secret, secret, vldaa_group_size(&h->group, VLDAA_PART_HOST_SECRET));
	use_context(h, context);
	return VLDAA_OK;
}

int vldaa_host_join(vldaa_host *h, const uint8_t *nonce, size_t nonce_len, uint8_t *out, size_t cap,
		    size_t *len)
{
	vldaa_bytes bind;
	vldaa_reader rd;
	vldaa_writer w;
	vldaa_rng rng;
	size_t begin;
	int err;

	if (!h || !nonce || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_put_init(&w, out, cap);
	vldaa_get_init(&rd, nonce, nonce_len);
	vldaa_get_group_header(&rd, VLDAA_KIND_NONCE, h->group.set, h->group.key_id);
	bind = (vldaa_bytes){vldaa_get_view(&rd, VLDAA_NONCE_BYTES), VLDAA_NONCE_BYTES};
	err = vldaa_get_end(&rd);
	if (!err && !h->has_key)
		err = VLDAA_ERR_NO_KEY;
	if (!err)
		err = vldaa_need(h->group.set, VLDAA_KIND_JOIN_CALL, cap, len);
	if (!err)
		err = vldaa_source_start(&h->source, &rng, h->group.set, VLDAA_OP_HOST_JOIN,
					 secret_of(h), bind);
	if (err)
		return vldaa_refuse_output(out, cap, len, err);
	put_head(&w, h, VLDAA_KIND_JOIN_CALL);
	vldaa_put_bytes(&w, bind.bytes, bind.len);
	begin = vldaa_put_block_begin(&w);
	err = scheme_of(h)->host_join(h->context, bind, &rng, &w);
	vldaa_rng_clear(&rng);
	vldaa_put_block_end(&w, begin);
	return vldaa_finish_output(&w, err, len);
}

int vldaa_host_accept(vldaa_host *h, const uint8_t *credential, size_t len,
		      const uint8_t *tpm_public, size_t tpm_public_len)
{
	const vldaa_bytes none = {NULL, 0};
	vldaa_bytes payload;
	void *context = NULL;
	int err;

	if (!h || !credential || !tpm_public)
		return VLDAA_ERR_ARGUMENT;
	if (tpm_public_len != vldaa_group_size(&h->group, VLDAA_PART_MEMBER_TPM))
		return VLDAA_ERR_ARGUMENT;
	if (!h->has_key)
		return VLDAA_ERR_NO_KEY;
	err = read_credential(h, credential, len, &payload);
	if (!err)
		err = new_context(h, h->secret, none, &context);
	if (err)
		return err;
	err = scheme_of(h)->host_accept(context, tpm_public, payload);
	if (err) {
		free_context(h, context);
		return err;
	}
	use_context(h, context);
	return VLDAA_OK;
}

/* --- Create ------------------------------------------------------------------------------------
 */

static void put_call_head(vldaa_writer *w, const vldaa_host *h, enum vldaa_kind kind)
{
	put_head(w, h, kind);
	vldaa_put_basename(w, (vldaa_bytes){h->basename, h->basename_len});
}

int vldaa_host_create_begin(vldaa_host *h, const uint8_t *basename, size_t basename_len,
			    uint8_t *call, size_t cap, size_t *len)
{
	const vldaa_bytes bsn = {basename, basename_len};
	vldaa_writer w;
	int err;

	if (!h || !call || !len)
		return vldaa_refuse_output(call, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_put_init(&w, call, cap);
	if (!basename || basename_len < 1 || basename_len > VLDAA_MAX_BASENAME)
		err = VLDAA_ERR_BASENAME;
	else
		err = h->has_key ? vldaa_need(h->group.set, VLDAA_KIND_CREATE_CALL, cap, len)
				 : VLDAA_ERR_NO_KEY;
	if (err)
		return vldaa_refuse_output(call, cap, len, err);
	end_create(h);
	/* One stream for all rounds: masks of a later round continue it. */
	err = vldaa_source_start(&h->source, &h->rng, h->group.set, VLDAA_OP_HOST_CREATE,
				 secret_of(h), bsn);
	if (err)
		return vldaa_refuse_output(call, cap, len, err);
	memcpy(h->basename, basename, basename_len);
	h->basename_len = basename_len;
	put_call_head(&w, h, VLDAA_KIND_CREATE_CALL);
	err = scheme_of(h)->host_create_begin(h->context, bsn, &h->rng, &w);
	if (err)
		end_create(h);
	h->creating = !err;
	return vldaa_finish_output(&w, err, len);
}

int vldaa_host_create_step(vldaa_host *h, const uint8_t *reply, size_t reply_len, uint8_t *out,
			   size_t cap, size_t *len, int *done)
{
	vldaa_bytes payload;
	vldaa_reader rd;
	vldaa_writer w;
	int err;

	if (done)
		*done = 0;
	if (!h || !reply || !out || !len || !done)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_put_init(&w, out, cap);
	err = h->creating ? vldaa_need(h->group.set, VLDAA_KIND_ATTESTATION, cap, len)
			  : VLDAA_ERR_STATE;
	if (err)
		return vldaa_refuse_output(out, cap, len, err);
	vldaa_get_init(&rd, reply, reply_len);
	vldaa_get_group_header(&rd, VLDAA_KIND_CREATE_REPLY, h->group.set, h->group.key_id);
	payload = vldaa_get_rest(&rd);
	err = vldaa_get_end(&rd);
	if (!err) {
		/* Both kinds of output have a head of one length. */
		put_call_head(&w, h, VLDAA_KIND_ATTESTATION);
		err = scheme_of(h)->host_create_step(h->context, payload, &h->rng, &w, done);
	}
	if (!err && !*done) {
		vldaa_writer head;
		vldaa_put_init(&head, out, cap);
		put_call_head(&head, h, VLDAA_KIND_CREATE_CALL);
	}
	if (err || *done)
		end_create(h);
	if (err)
		*done = 0;
	return vldaa_finish_output(&w, err, len);
}

int vldaa_host_signature(const vldaa_host *h, enum vldaa_form form, const uint8_t *attestation,
			 size_t attestation_len, const uint8_t *bare, size_t bare_len, uint8_t *out,
			 size_t cap, size_t *len)
{
	const vldaa_bytes att = {attestation, attestation_len};
	uint8_t digest[VLDAA_DIGEST_BYTES];
	vldaa_attestation_parts parts;
	vldaa_writer w;
	int err;

	if (!h || !attestation || !bare || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_put_init(&w, out, cap);
	err = vldaa_form_check(form, h->group.set);
	if (err)
		return vldaa_finish_output(&w, err, len);
	err = vldaa_read_attestation(&parts, attestation, attestation_len);
	if (!err && parts.set != h->group.set)
		err = VLDAA_ERR_WRONG_SET;
	if (!err && memcmp(parts.key_id, h->group.key_id, VLDAA_KEY_ID_BYTES) != 0)
		err = VLDAA_ERR_WRONG_ISSUER;
	if (!err && bare_len > vldaa_group_size(&h->group, VLDAA_PART_SIGN))
		err = VLDAA_ERR_ENCODING;
	if (!err && form == VLDAA_FORM_BARE && bare_len != vldaa_set_bare_size(h->group.set))
		err = VLDAA_ERR_ENCODING;
	if (err)
		return vldaa_finish_output(&w, err, len);
	vldaa_attestation_bytes_digest(h->group.set, att, digest);
	vldaa_put_form_head(&w, form, h->group.set, h->group.key_id, att, digest);
	vldaa_put_bytes(&w, bare, bare_len);
	return vldaa_finish_output(&w, VLDAA_OK, len);
}
