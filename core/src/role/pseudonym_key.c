/*
 * A pseudonym's private key in software, and signatures with it.
 *
 * PSEUDONYM: header | key id | block: ATTESTATION | the scheme's secret
 */
#include <string.h>

#include "arena.h"
#include "locked.h"
#include "role/form.h"
#include "role/memory.h"
#include "role/source.h"
#include "vldaa/member_key.h"

/* Invariant: info is of attestation; context is loaded.  In locked memory: secret, then context. */
struct vldaa_pseudonym_key {
	vldaa_object_info info;
	uint8_t *attestation;
	size_t attestation_len;
	uint8_t *secret; /* for the random stream, which is bound to it */
	size_t secret_len;
	void *context; /* of the scheme */
};

struct vldaa_signing {
	const vldaa_pseudonym_key *key;
	enum vldaa_form form;
	vldaa_message message;
	int ended;
};

static size_t part(const vldaa_pseudonym_key *k, enum vldaa_part which)
{
	return k->info.set->scheme->size(k->info.set, which);
}

/* --- the key -----------------------------------------------------------------------------------
 */

/* Where the context begins in locked memory: aligned, as in a context of its own. */
static size_t context_at(const vldaa_pseudonym_key *k)
{
	return (k->secret_len + VLDAA_ARENA_ALIGN - 1) / VLDAA_ARENA_ALIGN * VLDAA_ARENA_ALIGN;
}

static size_t locked_size(const vldaa_pseudonym_key *k)
{
	return context_at(k) + part(k, VLDAA_PART_NYM_CONTEXT);
}

static size_t locked_secret(const vldaa_pseudonym_key *k)
{
	return context_at(k) + part(k, VLDAA_PART_NYM_CONTEXT_SECRET);
}

static int read_object(const uint8_t *in, size_t len, vldaa_attestation_parts *parts,
		       vldaa_bytes *attestation, vldaa_bytes *secret)
{
	const vldaa_set *set;
	const uint8_t *key_id;
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, in, len);
	set = vldaa_get_header(&rd, VLDAA_KIND_PSEUDONYM);
	if (!set)
		return rd.error;
	key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	*attestation =
	    vldaa_get_bytes_block(&rd, vldaa_object_max_size(set, VLDAA_KIND_ATTESTATION));
	secret->len = set->scheme->size(set, VLDAA_PART_NYM_SECRET);
	secret->bytes = vldaa_get_view(&rd, secret->len);
	err = vldaa_get_end(&rd);
	if (!err)
		err = vldaa_read_attestation(parts, attestation->bytes, attestation->len);
	if (err)
		return err;
	if (parts->set != set)
		return VLDAA_ERR_WRONG_SET;
	if (memcmp(parts->key_id, key_id, VLDAA_KEY_ID_BYTES) != 0)
		return VLDAA_ERR_WRONG_ISSUER;
	/* the pseudonym comes first in the payload */
	return parts->payload.len < set->scheme->size(set, VLDAA_PART_NYM) ? VLDAA_ERR_TRUNCATED
									   : VLDAA_OK;
}

/* Takes the decoded parts over; `parts` is of own memory afterwards. */
static int load(vldaa_pseudonym_key *k, vldaa_bytes attestation, vldaa_bytes secret)
{
	const vldaa_set *set = k->info.set;
	const size_t workspace_len = part(k, VLDAA_PART_NYM_LOAD_WORKSPACE);
	void *workspace = vldaa_memory_new(workspace_len);
	vldaa_attestation_parts parts;
	int err = VLDAA_ERR_MEMORY;

	k->attestation = vldaa_memory_new(attestation.len);
	k->attestation_len = attestation.len;
	k->secret_len = secret.len;
	k->secret = vldaa_locked_new(locked_size(k), locked_secret(k), NULL);
	if (workspace && k->attestation && k->secret) {
		k->context = k->secret + context_at(k);
		memcpy(k->attestation, attestation.bytes, attestation.len);
		memcpy(k->secret, secret.bytes, secret.len);
		err = vldaa_read_attestation(&parts, k->attestation, k->attestation_len);
	}
	if (!err)
		err = set->scheme->nym_load(set, k->context, workspace, parts.key_id,
					    parts.basename, k->secret, parts.payload.bytes);
	vldaa_memory_free(workspace, workspace_len);
	return err;
}

int vldaa_pseudonym_key_new(vldaa_pseudonym_key **pseudonym, const uint8_t *in, size_t len)
{
	vldaa_attestation_parts parts;
	vldaa_bytes attestation = {NULL, 0}, secret = {NULL, 0};
	vldaa_pseudonym_key *k;
	int err;

	if (pseudonym)
		*pseudonym = NULL;
	if (!pseudonym || !in)
		return VLDAA_ERR_ARGUMENT;
	err = read_object(in, len, &parts, &attestation, &secret);
	if (err)
		return err;
	k = vldaa_memory_new(sizeof *k);
	if (!k)
		return VLDAA_ERR_MEMORY;
	err = vldaa_object_inspect(&k->info, attestation.bytes, attestation.len);
	if (!err)
		err = load(k, attestation, secret);
	if (err) {
		vldaa_pseudonym_key_free(k);
		return err;
	}
	*pseudonym = k;
	return VLDAA_OK;
}

void vldaa_pseudonym_key_free(vldaa_pseudonym_key *k)
{
	if (!k)
		return;
	vldaa_memory_free(k->attestation, k->attestation_len);
	if (k->secret)
		vldaa_locked_free(k->secret, locked_size(k), locked_secret(k));
	vldaa_memory_free(k, sizeof *k);
}

const vldaa_set *vldaa_pseudonym_key_set(const vldaa_pseudonym_key *k)
{
	return k ? k->info.set : NULL;
}

const uint8_t *vldaa_pseudonym_key_attestation(const vldaa_pseudonym_key *k, size_t *len)
{
	if (len)
		*len = k ? k->attestation_len : 0;
	return k ? k->attestation : NULL;
}

const vldaa_object_info *vldaa_pseudonym_key_info(const vldaa_pseudonym_key *k)
{
	return k ? &k->info : NULL;
}

/* --- signing -----------------------------------------------------------------------------------
 */

static vldaa_sign_subject subject_of(const vldaa_pseudonym_key *k)
{
	return (vldaa_sign_subject){VLDAA_SIGN_MESSAGE,
				    k->info.key_id,
				    {k->info.basename, k->info.basename_len},
				    k->info.digest};
}

int vldaa_signing_new(vldaa_signing **signing, const vldaa_pseudonym_key *k, enum vldaa_form form)
{
	vldaa_sign_subject about;
	vldaa_signing *s;
	int err;

	if (signing)
		*signing = NULL;
	if (!signing || !k)
		return VLDAA_ERR_ARGUMENT;
	err = vldaa_form_check(form, k->info.set);
	if (err)
		return err;
	s = vldaa_memory_new(sizeof *s);
	if (!s)
		return VLDAA_ERR_MEMORY;
	s->key = k;
	s->form = form;
	about = subject_of(k);
	err = k->info.set->scheme->nym_sign_begin(k->context, &about, &s->message);
	if (err) {
		vldaa_signing_free(s);
		return err;
	}
	*signing = s;
	return VLDAA_OK;
}

int vldaa_signing_update(vldaa_signing *s, const void *message, size_t len)
{
	if (!s || (!message && len))
		return VLDAA_ERR_ARGUMENT;
	if (s->ended)
		return VLDAA_ERR_STATE;
	vldaa_message_absorb(&s->message, message, len);
	return VLDAA_OK;
}

static int sign(vldaa_signing *s, vldaa_writer *w)
{
	const vldaa_pseudonym_key *k = s->key;
	const vldaa_sign_subject about = subject_of(k);
	const vldaa_source source = vldaa_system_source();
	const size_t workspace_len = part(k, VLDAA_PART_NYM_SIGN_WORKSPACE);
	void *workspace = vldaa_memory_new(workspace_len);
	vldaa_rng rng;
	int err;

	if (!workspace)
		return VLDAA_ERR_MEMORY;
	err = vldaa_source_start(&source, &rng, k->info.set, VLDAA_OP_TPM_SIGN,
				 (vldaa_bytes){k->secret, k->secret_len}, about.basename);
	if (!err) {
		err = k->info.set->scheme->nym_sign_end(k->context, workspace, &about, &s->message,
							&rng, w);
		vldaa_rng_clear(&rng);
	}
	vldaa_memory_free(workspace, workspace_len);
	return err;
}

int vldaa_signing_end(vldaa_signing *s, uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_pseudonym_key *k;
	vldaa_writer w;
	size_t most;

	if (!s || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	if (s->ended)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_STATE);
	k = s->key;
	vldaa_put_init(&w, out, cap);
	vldaa_put_form_head(&w, s->form, k->info.set, k->info.key_id,
			    (vldaa_bytes){k->attestation, k->attestation_len}, k->info.digest);
	/* the message can be squeezed only once: room for the longest signature, or none */
	most = w.len + part(k, VLDAA_PART_SIGN);
	if (cap < most) {
		*len = most;
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_BUFFER);
	}
	s->ended = 1;
	return vldaa_finish_output(&w, sign(s, &w), len);
}

int vldaa_signing_copy(vldaa_signing **copy, const vldaa_signing *s)
{
	if (copy)
		*copy = NULL;
	if (!copy || !s)
		return VLDAA_ERR_ARGUMENT;
	*copy = vldaa_memory_new(sizeof **copy);
	if (!*copy)
		return VLDAA_ERR_MEMORY;
	**copy = *s;
	return VLDAA_OK;
}

void vldaa_signing_free(vldaa_signing *s)
{
	if (s)
		vldaa_memory_free(s, sizeof *s);
}
