/* The verifier role: attestations, message signatures, Link, the lists. */
#include <string.h>

#include "random/hash.h"
#include "random/secret.h"
#include "role/verifier_state.h"

int vldaa_verifier_new(vldaa_verifier **verifier, const uint8_t *group_key, size_t len)
{
	vldaa_verifier *v;
	int err;

	if (verifier)
		*verifier = NULL;
	if (!verifier || !group_key)
		return VLDAA_ERR_ARGUMENT;
	v = vldaa_memory_new(sizeof *v);
	if (!v)
		return VLDAA_ERR_MEMORY;
	err = vldaa_group_open(&v->group, group_key, len);
	if (err) {
		vldaa_verifier_free(v);
		return err;
	}
	*verifier = v;
	return VLDAA_OK;
}

void vldaa_verifier_free(vldaa_verifier *v)
{
	if (!v)
		return;
	while (v->lists) {
		vldaa_list *next = v->lists->next;
		vldaa_memory_free(v->lists, sizeof *v->lists + v->lists->len);
		v->lists = next;
	}
	vldaa_group_close(&v->group);
	vldaa_memory_free(v, sizeof *v);
}

const vldaa_set *vldaa_verifier_set(const vldaa_verifier *verifier)
{
	return verifier ? verifier->group.set : NULL;
}

const uint8_t *vldaa_verifier_key_id(const vldaa_verifier *verifier)
{
	return verifier ? verifier->group.key_id : NULL;
}

/* --- lists -------------------------------------------------------------------------------------
 */

/* The digest of the lists before, and of this one. */
static void name_lists(vldaa_verifier *v, const uint8_t *list, size_t len)
{
	vldaa_shake s;

	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_LISTS, vldaa_set_id(v->group.set));
	vldaa_hash_part(&s, v->lists_digest, sizeof v->lists_digest);
	vldaa_hash_part(&s, list, len);
	vldaa_shake_squeeze(&s, v->lists_digest, sizeof v->lists_digest);
}

int vldaa_verifier_add_list(vldaa_verifier *v, const uint8_t *list, size_t len)
{
	vldaa_bytes entries;
	vldaa_list *node;
	int rogue, err;

	if (!v || !list)
		return VLDAA_ERR_ARGUMENT;
	err = vldaa_read_rogue_list(v->group.set, v->group.key_id, list, len, &entries);
	rogue = err != VLDAA_ERR_KIND;
	if (!rogue)
		err = vldaa_read_revoked_list(v->group.set, v->group.key_id, list, len, &entries);
	if (err)
		return err;
	node = vldaa_memory_new(sizeof *node + entries.len);
	if (!node)
		return VLDAA_ERR_MEMORY;
	node->rogue = rogue;
	node->len = entries.len;
	memcpy(node->entries, entries.bytes, entries.len);
	node->next = v->lists;
	v->lists = node;
	name_lists(v, list, len);
	return VLDAA_OK;
}

static int check_rogue(const vldaa_verifier *v, void *workspace, const vldaa_attestation *a,
		       const vldaa_list *list)
{
	const size_t size = vldaa_group_size(&v->group, VLDAA_PART_ROGUE);

	for (size_t i = 0; i < list->len; i += size) {
		int found = v->group.set->scheme->rogue_nym(v->group.context, workspace,
							    a->pseudonym, list->entries + i);
		if (found)
			return found < 0 ? found : VLDAA_ERR_ROGUE;
	}
	return VLDAA_OK;
}

static int check_revoked(const vldaa_verifier *v, const vldaa_attestation *a,
			 const vldaa_list *list)
{
	const vldaa_set *set = v->group.set;
	const size_t nym_len = vldaa_group_size(&v->group, VLDAA_PART_NYM);
	vldaa_reader rd;

	vldaa_get_init(&rd, list->entries, list->len);
	while (rd.pos < rd.len && !rd.error) {
		const vldaa_bytes basename = vldaa_get_basename(&rd);
		const uint8_t *nym = vldaa_get_view(&rd, nym_len);

		if (rd.error)
			return rd.error;
		if (basename.len != a->basename_len ||
		    memcmp(basename.bytes, a->basename, basename.len) != 0)
			continue;
		int linked =
		    set->scheme->linked(set, set->scheme->pseudonym_nym(a->pseudonym), nym);
		if (linked)
			return linked < 0 ? linked : VLDAA_ERR_REVOKED;
	}
	return VLDAA_OK;
}

static int check_lists(const vldaa_verifier *v, void *workspace, const vldaa_attestation *a)
{
	for (const vldaa_list *l = v->lists; l; l = l->next) {
		int err = l->rogue ? check_rogue(v, workspace, a, l) : check_revoked(v, a, l);
		if (err)
			return err;
	}
	return VLDAA_OK;
}

/* --- attestations ------------------------------------------------------------------------------
 */

static int verify_attestation(const vldaa_verifier *v, void *workspace, vldaa_attestation *a,
			      const uint8_t *in, size_t len)
{
	const vldaa_group *g = &v->group;
	vldaa_attestation_parts parts;
	int err = vldaa_read_attestation(&parts, in, len);

	if (err)
		return err;
	if (parts.set != g->set)
		return VLDAA_ERR_WRONG_SET;
	if (memcmp(parts.key_id, g->key_id, VLDAA_KEY_ID_BYTES) != 0)
		return VLDAA_ERR_WRONG_ISSUER;
	if (v->alone)
		return VLDAA_ERR_ATTESTATION;
	err = g->set->scheme->attestation_verify(g->context, workspace, parts.basename,
						 parts.payload, a->pseudonym);
	if (err)
		return err;
	memcpy(a->basename, parts.basename.bytes, parts.basename.len);
	a->basename_len = parts.basename.len;
	a->set = g->set;
	memcpy(a->key_id, g->key_id, sizeof a->key_id);
	memcpy(a->lists_digest, v->lists_digest, sizeof a->lists_digest);
	vldaa_attestation_bytes_digest(g->set, (vldaa_bytes){in, len}, a->digest);
	return check_lists(v, workspace, a);
}

int vldaa_attestation_new(vldaa_attestation **attestation, const vldaa_verifier *v,
			  const uint8_t *in, size_t len)
{
	vldaa_attestation *a;
	void *workspace;
	size_t workspace_len;
	int err = VLDAA_ERR_MEMORY;

	if (attestation)
		*attestation = NULL;
	if (!attestation || !v || !in)
		return VLDAA_ERR_ARGUMENT;
	workspace_len = vldaa_group_size(&v->group, VLDAA_PART_VERIFY_WORKSPACE);
	workspace = vldaa_memory_new(workspace_len);
	a = vldaa_memory_new(sizeof *a);
	if (a) {
		a->pseudonym_len = vldaa_group_size(&v->group, VLDAA_PART_PSEUDONYM_CONTEXT);
		a->pseudonym = vldaa_memory_new(a->pseudonym_len);
	}
	if (workspace && a && a->pseudonym)
		err = verify_attestation(v, workspace, a, in, len);
	vldaa_memory_free(workspace, workspace_len);
	if (err) {
		vldaa_attestation_free(a);
		return err;
	}
	*attestation = a;
	return VLDAA_OK;
}

void vldaa_attestation_free(vldaa_attestation *a)
{
	if (!a)
		return;
	vldaa_memory_free(a->pseudonym, a->pseudonym_len);
	vldaa_memory_free(a, sizeof *a);
}

const uint8_t *vldaa_attestation_basename(const vldaa_attestation *a, size_t *len)
{
	if (len)
		*len = a ? a->basename_len : 0;
	return a ? a->basename : NULL;
}

const uint8_t *vldaa_attestation_nym(const vldaa_attestation *a, size_t *len)
{
	if (len)
		*len = a ? a->set->scheme->size(a->set, VLDAA_PART_NYM) : 0;
	return a ? a->set->scheme->pseudonym_nym(a->pseudonym) : NULL;
}

const uint8_t *vldaa_attestation_digest(const vldaa_attestation *a)
{
	return a ? a->digest : NULL;
}

int vldaa_attestation_digest_of(const uint8_t *in, size_t len, uint8_t digest[VLDAA_DIGEST_BYTES])
{
	vldaa_attestation_parts parts;
	int err;

	if (digest)
		memset(digest, 0, VLDAA_DIGEST_BYTES);
	if (!in || !digest)
		return VLDAA_ERR_ARGUMENT;
	err = vldaa_read_attestation(&parts, in, len);
	if (!err)
		vldaa_attestation_bytes_digest(parts.set, (vldaa_bytes){in, len}, digest);
	return err;
}

static int put_public_key(const vldaa_set *set, const uint8_t *key_id, vldaa_bytes basename,
			  const uint8_t *nym, uint8_t *out, size_t cap, size_t *len)
{
	const size_t size = set->scheme->size(set, VLDAA_PART_PUBLIC_KEY);
	int err;

	if (size == 0)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_FORM);
	*len = size;
	if (cap < size)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_BUFFER);
	err = set->scheme->public_key(set, key_id, basename, nym, out);
	return err ? vldaa_refuse_output(out, cap, len, err) : VLDAA_OK;
}

int vldaa_attestation_public_key(const vldaa_attestation *a, uint8_t *out, size_t cap, size_t *len)
{
	if (!a || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	return put_public_key(a->set, a->key_id, (vldaa_bytes){a->basename, a->basename_len},
			      a->set->scheme->pseudonym_nym(a->pseudonym), out, cap, len);
}

int vldaa_attestation_public_key_of(const uint8_t *in, size_t in_len, uint8_t *out, size_t cap,
				    size_t *len)
{
	vldaa_attestation_parts parts;
	int err;

	if (!in || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	err = vldaa_read_attestation(&parts, in, in_len);
	/* the pseudonym comes first in the payload */
	if (!err && parts.payload.len < parts.set->scheme->size(parts.set, VLDAA_PART_NYM))
		err = VLDAA_ERR_TRUNCATED;
	if (err)
		return vldaa_refuse_output(out, cap, len, err);
	return put_public_key(parts.set, parts.key_id, parts.basename, parts.payload.bytes, out,
			      cap, len);
}

int vldaa_link(const vldaa_attestation *a, const vldaa_attestation *b, int *linked)
{
	const vldaa_scheme *scheme;
	int result;

	if (linked)
		*linked = 0;
	if (!a || !b || !linked || a->unverified || b->unverified)
		return VLDAA_ERR_ARGUMENT;
	if (a->set != b->set)
		return VLDAA_ERR_WRONG_SET;
	if (memcmp(a->key_id, b->key_id, sizeof a->key_id) != 0)
		return VLDAA_ERR_WRONG_ISSUER;
	if (a->basename_len != b->basename_len ||
	    memcmp(a->basename, b->basename, a->basename_len) != 0)
		return VLDAA_OK;
	scheme = a->set->scheme;
	result = scheme->linked(a->set, scheme->pseudonym_nym(a->pseudonym),
				scheme->pseudonym_nym(b->pseudonym));
	if (result < 0)
		return result;
	*linked = result;
	return VLDAA_OK;
}

/* --- message signatures ------------------------------------------------------------------------
 */

/* Invariant: attestation is own when owns is 1, else the caller's. */
struct vldaa_verification {
	const vldaa_verifier *verifier;
	const vldaa_attestation *attestation;
	vldaa_attestation *own;
	void *workspace;
	size_t workspace_len;
	uint8_t *signature; /* the bare signature */
	size_t signature_len;
	vldaa_message message;
	int ended;
};

static vldaa_sign_subject subject_of(const vldaa_attestation *a)
{
	return (vldaa_sign_subject){
	    VLDAA_SIGN_MESSAGE, a->key_id, {a->basename, a->basename_len}, a->digest};
}

/* Verifies under an attestation that the caller has verified. */
static int use_known(vldaa_verification *x, const vldaa_attestation *known)
{
	x->attestation = known;
	/* Lists may have grown since it was verified, or another verifier, with other lists,
	 * verified it. */
	return memcmp(known->lists_digest, x->verifier->lists_digest, sizeof known->lists_digest) ==
		       0
		   ? VLDAA_OK
		   : check_lists(x->verifier, x->workspace, known);
}

/* Finds or verifies the attestation of a signature object, and the bare signature in it. */
static int open_signature(vldaa_verification *x, const uint8_t *in, size_t len,
			  const vldaa_attestation *known, vldaa_bytes *bare)
{
	const vldaa_group *g = &x->verifier->group;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	vldaa_bytes att = {NULL, 0};
	const uint8_t *named;
	vldaa_reader rd;
	int compact, err;

	if (known && (known->set != g->set || (known->unverified && !x->verifier->alone) ||
		      memcmp(known->key_id, g->key_id, sizeof known->key_id)))
		return VLDAA_ERR_ARGUMENT;
	if (len > 0 && len == vldaa_set_bare_size(g->set)) {
		*bare = (vldaa_bytes){in, len};
		return known ? use_known(x, known) : VLDAA_ERR_ATTESTATION;
	}
	compact = len > 4 && in[4] == VLDAA_KIND_COMPACT;
	vldaa_get_init(&rd, in, len);
	vldaa_get_group_header(&rd, compact ? VLDAA_KIND_COMPACT : VLDAA_KIND_SIGNATURE, g->set,
			       g->key_id);
	if (compact) {
		named = vldaa_get_view(&rd, VLDAA_DIGEST_BYTES);
	} else {
		att = vldaa_get_bytes_block(&rd,
					    vldaa_object_max_size(g->set, VLDAA_KIND_ATTESTATION));
		if (!rd.error)
			vldaa_attestation_bytes_digest(g->set, att, digest);
		named = digest;
	}
	*bare = vldaa_get_rest(&rd);
	err = vldaa_get_end(&rd);
	if (!err && bare->len > vldaa_group_size(g, VLDAA_PART_SIGN))
		err = VLDAA_ERR_TRAILING;
	if (err)
		return err;
	if (known && memcmp(known->digest, named, VLDAA_DIGEST_BYTES) == 0)
		return use_known(x, known);
	if (compact)
		return VLDAA_ERR_ATTESTATION;
	err = vldaa_attestation_new(&x->own, x->verifier, att.bytes, att.len);
	x->attestation = x->own;
	return err;
}

int vldaa_verification_new(vldaa_verification **verification, const vldaa_verifier *v,
			   const uint8_t *signature, size_t len, const vldaa_attestation *known,
			   const uint8_t *basename, size_t basename_len)
{
	vldaa_verification *x;
	vldaa_sign_subject about;
	vldaa_bytes bare = {NULL, 0};
	int err = VLDAA_OK;

	if (verification)
		*verification = NULL;
	if (!verification || !v || !signature || (!basename && basename_len))
		return VLDAA_ERR_ARGUMENT;
	if (basename && (basename_len < 1 || basename_len > VLDAA_MAX_BASENAME))
		return VLDAA_ERR_BASENAME;
	x = vldaa_memory_new(sizeof *x);
	if (!x)
		return VLDAA_ERR_MEMORY;
	x->verifier = v;
	x->workspace_len = vldaa_group_size(&v->group, VLDAA_PART_VERIFY_WORKSPACE);
	x->workspace = vldaa_memory_new(x->workspace_len);
	if (!x->workspace)
		err = VLDAA_ERR_MEMORY;
	if (!err)
		err = open_signature(x, signature, len, known, &bare);
	if (!err && basename &&
	    (basename_len != x->attestation->basename_len ||
	     memcmp(basename, x->attestation->basename, basename_len) != 0))
		err = VLDAA_ERR_WRONG_BASENAME;
	if (!err) {
		x->signature_len = bare.len;
		x->signature = vldaa_memory_new(bare.len);
		if (!x->signature)
			err = VLDAA_ERR_MEMORY;
	}
	if (!err) {
		memcpy(x->signature, bare.bytes, bare.len);
		about = subject_of(x->attestation);
		err = v->group.set->scheme->verify_begin(
		    v->group.context, x->attestation->pseudonym, &about, &x->message);
	}
	if (err) {
		vldaa_verification_free(x);
		return err;
	}
	*verification = x;
	return VLDAA_OK;
}

int vldaa_verification_update(vldaa_verification *x, const void *message, size_t len)
{
	if (!x || (!message && len))
		return VLDAA_ERR_ARGUMENT;
	if (x->ended)
		return VLDAA_ERR_STATE;
	vldaa_message_absorb(&x->message, message, len);
	return VLDAA_OK;
}

int vldaa_verification_end(vldaa_verification *x)
{
	const vldaa_group *g;
	vldaa_sign_subject about;

	if (!x)
		return VLDAA_ERR_ARGUMENT;
	if (x->ended)
		return VLDAA_ERR_STATE;
	x->ended = 1;
	g = &x->verifier->group;
	about = subject_of(x->attestation);
	return g->set->scheme->verify_end(g->context, x->workspace, x->attestation->pseudonym,
					  &about, &x->message,
					  (vldaa_bytes){x->signature, x->signature_len});
}

void vldaa_verification_free(vldaa_verification *x)
{
	if (!x)
		return;
	vldaa_attestation_free(x->own);
	vldaa_memory_free(x->workspace, x->workspace_len);
	vldaa_memory_free(x->signature, x->signature_len);
	vldaa_memory_free(x, sizeof *x);
}

const vldaa_attestation *vldaa_verification_attestation(const vldaa_verification *x)
{
	return x ? x->attestation : NULL;
}
