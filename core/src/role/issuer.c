/* The issuer role: Setup, checking join requests, answering them. */
#include "vldaa/issuer.h"

#include <string.h>

#include "random/secret.h"
#include "role/evp.h"
#include "role/group.h"
#include "role/memory.h"
#include "role/source.h"

enum { MAX_AUTHORITY = 8192, MAX_CHAIN = 65536 };

/* The request that was checked last, which answers are made for. */
typedef struct {
	int valid;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	uint8_t answer_public[VLDAA_SEAL_KEY_BYTES];
} checked_request;

struct vldaa_issuer {
	vldaa_group group;
	vldaa_source source;
	void *context;      /* of the scheme: ISSUER_CONTEXT bytes */
	void *workspace;    /* VERIFY_WORKSPACE bytes */
	uint8_t *secret;    /* the scheme's secret payload */
	uint8_t *authority; /* PKCS#8 DER */
	size_t authority_len;
	uint8_t authority_public[VLDAA_MAX_SPKI];
	size_t authority_public_len;
	uint8_t *member; /* public member keys of the checked request: TPM's, then host's */
	uint8_t *plain;  /* an answer before it is sealed */
	size_t plain_len;
	checked_request request;
};

/* The public half of the authority's key, which must sign what that verifies: a damaged private key
 * would make answers that every member refuses. */
static int open_authority(const uint8_t *authority, size_t authority_len, uint8_t *spki, size_t cap,
			  size_t *len)
{
	static const char test[] = "does this key sign?";
	uint8_t signature[VLDAA_MAX_ORDINARY_SIGNATURE];
	size_t signature_len = 0;
	int err = vldaa_evp_public_from_private(spki, cap, len, authority, authority_len);

	if (!err)
		err = vldaa_evp_sign(signature, sizeof signature, &signature_len, authority,
				     authority_len, test, sizeof test);
	/* The limits of an answer; no key of use has more. */
	return err == VLDAA_ERR_BUFFER ? VLDAA_ERR_KEY : err;
}

/* ISSUER_KEY: header | block: group key | the scheme's secret | block: authority's PKCS#8. */
int vldaa_issuer_keygen_from(const vldaa_source *source, const vldaa_set *set,
			     vldaa_ntru_solver *solve, const uint8_t *authority,
			     size_t authority_len, uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_bytes none = {NULL, 0};
	uint8_t spki[VLDAA_MAX_SPKI];
	uint8_t digest[VLDAA_DIGEST_BYTES];
	size_t spki_len = 0, begin;
	uint8_t *group, *secret;
	size_t group_len, secret_len;
	vldaa_writer w;
	vldaa_rng rng;
	int err;

	if (!set || !authority || !out || !len || authority_len > MAX_AUTHORITY)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	if (vldaa_need(set, VLDAA_KIND_ISSUER_KEY, cap, len))
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_BUFFER);
	vldaa_put_init(&w, out, cap);
	err = open_authority(authority, authority_len, spki, sizeof spki, &spki_len);
	if (!err)
		err = vldaa_source_start(source, &rng, set, VLDAA_OP_ISSUER_KEYGEN, none, none);
	if (err)
		return vldaa_finish_output(&w, err, len);
	vldaa_authority_digest(set, (vldaa_bytes){spki, spki_len}, digest);
	group_len = set->scheme->size(set, VLDAA_PART_GROUP);
	secret_len = set->scheme->size(set, VLDAA_PART_ISSUER);
	group = vldaa_memory_new(group_len);
	secret = vldaa_memory_new(secret_len);
	if (!group || !secret)
		err = VLDAA_ERR_MEMORY;
	if (!err)
		err = set->scheme->issuer_keygen(set, solve, &rng, secret, group);
	vldaa_rng_clear(&rng);
	if (!err) {
		vldaa_put_header(&w, VLDAA_KIND_ISSUER_KEY, set);
		begin = vldaa_put_block_begin(&w);
		vldaa_put_group_key(&w, set, digest, group);
		vldaa_put_block_end(&w, begin);
		vldaa_put_bytes(&w, secret, secret_len);
		vldaa_put_block(&w, authority, authority_len);
	}
	vldaa_memory_free(group, group_len);
	vldaa_memory_free(secret, secret_len);
	return vldaa_finish_output(&w, err, len);
}

int vldaa_issuer_keygen(const vldaa_set *set, vldaa_ntru_solver *solve, const uint8_t *authority,
			size_t authority_len, uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_source source = vldaa_system_source();

	return vldaa_issuer_keygen_from(&source, set, solve, authority, authority_len, out, cap,
					len);
}

static size_t answer_plain_size(const vldaa_group *g)
{
	return 4 + vldaa_group_size(g, VLDAA_PART_CREDENTIAL) + VLDAA_FLEET_KEY_BYTES + 3 * 4 +
	       2 * VLDAA_MAX_SPKI + VLDAA_MAX_ORDINARY_SIGNATURE;
}

static size_t member_size(const vldaa_group *g)
{
	return vldaa_group_size(g, VLDAA_PART_MEMBER_TPM) +
	       vldaa_group_size(g, VLDAA_PART_MEMBER_HOST);
}

static int allocate(vldaa_issuer *is)
{
	const vldaa_group *g = &is->group;

	is->context = vldaa_memory_new(vldaa_group_size(g, VLDAA_PART_ISSUER_CONTEXT));
	is->workspace = vldaa_memory_new(vldaa_group_size(g, VLDAA_PART_VERIFY_WORKSPACE));
	is->secret = vldaa_memory_new(vldaa_group_size(g, VLDAA_PART_ISSUER));
	is->member = vldaa_memory_new(member_size(g));
	is->plain_len = answer_plain_size(g);
	is->plain = vldaa_memory_new(is->plain_len);
	is->authority = vldaa_memory_new(MAX_AUTHORITY);
	return is->context && is->workspace && is->secret && is->member && is->plain &&
		       is->authority
		   ? VLDAA_OK
		   : VLDAA_ERR_MEMORY;
}

static int load_key(vldaa_issuer *is, const uint8_t *key, size_t len)
{
	uint8_t digest[VLDAA_DIGEST_BYTES];
	vldaa_bytes group, authority;
	const vldaa_set *set;
	const uint8_t *secret;
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, key, len);
	set = vldaa_get_header(&rd, VLDAA_KIND_ISSUER_KEY);
	if (!set)
		return rd.error;
	group = vldaa_get_bytes_block(&rd, vldaa_group_key_size(set));
	secret = vldaa_get_view(&rd, set->scheme->size(set, VLDAA_PART_ISSUER));
	authority = vldaa_get_bytes_block(&rd, MAX_AUTHORITY);
	err = vldaa_get_end(&rd);
	if (!err)
		err = vldaa_group_open(&is->group, group.bytes, group.len);
	if (!err && is->group.set != set)
		err = VLDAA_ERR_WRONG_SET;
	if (!err)
		err = allocate(is);
	if (err)
		return err;
	memcpy(is->authority, authority.bytes, authority.len);
	is->authority_len = authority.len;
	memcpy(is->secret, secret, vldaa_group_size(&is->group, VLDAA_PART_ISSUER));
	err = open_authority(is->authority, is->authority_len, is->authority_public,
			     sizeof is->authority_public, &is->authority_public_len);
	if (err)
		return err;
	vldaa_authority_digest(set, (vldaa_bytes){is->authority_public, is->authority_public_len},
			       digest);
	if (memcmp(digest, is->group.authority_digest, sizeof digest) != 0)
		return VLDAA_ERR_KEY;
	return set->scheme->issuer_init(is->context, is->group.context, is->secret);
}

int vldaa_issuer_new(vldaa_issuer **issuer, const uint8_t *key, size_t len)
{
	vldaa_issuer *is;
	int err;

	if (issuer)
		*issuer = NULL;
	if (!issuer || !key)
		return VLDAA_ERR_ARGUMENT;
	is = vldaa_memory_new(sizeof *is);
	if (!is)
		return VLDAA_ERR_MEMORY;
	is->source = vldaa_system_source();
	err = load_key(is, key, len);
	if (err) {
		vldaa_issuer_free(is);
		return err;
	}
	*issuer = is;
	return VLDAA_OK;
}

void vldaa_issuer_free(vldaa_issuer *is)
{
	if (!is)
		return;
	if (is->group.set) {
		const vldaa_group *g = &is->group;

		vldaa_memory_free(is->context, vldaa_group_size(g, VLDAA_PART_ISSUER_CONTEXT));
		vldaa_memory_free(is->workspace, vldaa_group_size(g, VLDAA_PART_VERIFY_WORKSPACE));
		vldaa_memory_free(is->secret, vldaa_group_size(g, VLDAA_PART_ISSUER));
		vldaa_memory_free(is->member, member_size(g));
		vldaa_memory_free(is->plain, is->plain_len);
	}
	vldaa_memory_free(is->authority, MAX_AUTHORITY);
	vldaa_group_close(&is->group);
	vldaa_memory_free(is, sizeof *is);
}

const vldaa_set *vldaa_issuer_set(const vldaa_issuer *issuer)
{
	return issuer ? issuer->group.set : NULL;
}

const uint8_t *vldaa_issuer_key_id(const vldaa_issuer *issuer)
{
	return issuer ? issuer->group.key_id : NULL;
}

const uint8_t *vldaa_issuer_group_key(const vldaa_issuer *issuer, size_t *len)
{
	if (len)
		*len = issuer ? issuer->group.len : 0;
	return issuer ? issuer->group.bytes : NULL;
}

void vldaa_issuer_set_source(vldaa_issuer *issuer, vldaa_source source)
{
	issuer->source = source;
}

int vldaa_issuer_nonce(const vldaa_issuer *is, const uint8_t nonce[VLDAA_NONCE_BYTES], uint8_t *out,
		       size_t cap, size_t *len)
{
	vldaa_writer w;

	if (!is || !nonce || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_put_init(&w, out, cap);
	vldaa_put_header(&w, VLDAA_KIND_NONCE, is->group.set);
	vldaa_put_bytes(&w, is->group.key_id, VLDAA_KEY_ID_BYTES);
	vldaa_put_bytes(&w, nonce, VLDAA_NONCE_BYTES);
	return vldaa_finish_output(&w, VLDAA_OK, len);
}

/* --- requests ----------------------------------------------------------------------------------
 */

typedef struct {
	const uint8_t *nonce;
	vldaa_bytes join_tpm, join_host, chain, signed_part, signature;
	const uint8_t *answer_public;
} request_parts;

static int read_request(const vldaa_issuer *is, const uint8_t *in, size_t len, request_parts *p)
{
	const vldaa_group *g = &is->group;
	vldaa_reader rd;

	vldaa_get_init(&rd, in, len);
	vldaa_get_group_header(&rd, VLDAA_KIND_JOIN_REQUEST, g->set, g->key_id);
	p->nonce = vldaa_get_view(&rd, VLDAA_NONCE_BYTES);
	p->join_tpm = vldaa_get_bytes_block(&rd, vldaa_group_size(g, VLDAA_PART_JOIN_TPM));
	p->join_host = vldaa_get_bytes_block(&rd, vldaa_group_size(g, VLDAA_PART_JOIN_HOST));
	p->answer_public = vldaa_get_view(&rd, VLDAA_SEAL_KEY_BYTES);
	p->chain = vldaa_get_bytes_block(&rd, MAX_CHAIN);
	p->signed_part = (vldaa_bytes){in, rd.pos};
	p->signature = vldaa_get_bytes_block(&rd, VLDAA_MAX_ORDINARY_SIGNATURE);
	return vldaa_get_end(&rd);
}

int vldaa_issuer_request_digest(const vldaa_issuer *is, const uint8_t *request, size_t len,
				uint8_t digest[VLDAA_DIGEST_BYTES])
{
	request_parts p;
	int err;

	if (digest)
		memset(digest, 0, VLDAA_DIGEST_BYTES);
	if (!is || !request || !digest)
		return VLDAA_ERR_ARGUMENT;
	err = read_request(is, request, len, &p);
	if (err)
		return err;
	vldaa_request_digest(is->group.set, (vldaa_bytes){request, len}, digest);
	return VLDAA_OK;
}

static int check_endorsement(const request_parts *p, const uint8_t *roots, size_t roots_len,
			     int64_t now, vldaa_request_info *info)
{
	uint8_t spki[VLDAA_MAX_SPKI];
	size_t spki_len = 0;
	vldaa_reader rd;
	vldaa_bytes leaf;
	int err;

	err = vldaa_x509_check_chain(spki, sizeof spki, &spki_len, info->certificate_id,
				     &info->reason, roots, roots_len, p->chain.bytes, p->chain.len,
				     now);
	if (err)
		return err == VLDAA_ERR_BUFFER ? VLDAA_ERR_CERTIFICATE : err;
	vldaa_get_init(&rd, p->chain.bytes, p->chain.len);
	leaf = vldaa_get_bytes_block(&rd, MAX_CHAIN);
	info->certificate = leaf.bytes;
	info->certificate_len = leaf.len;
	err = vldaa_evp_verify(spki, spki_len, p->signed_part.bytes, p->signed_part.len,
			       p->signature.bytes, p->signature.len);
	return err == VLDAA_ERR_PROOF ? VLDAA_ERR_ENDORSEMENT : err;
}

int vldaa_issuer_check(vldaa_issuer *is, const uint8_t *request, size_t len, const uint8_t *roots,
		       size_t roots_len, int64_t now, vldaa_request_info *info)
{
	const vldaa_group *g;
	uint8_t bind[VLDAA_NONCE_BYTES + VLDAA_DIGEST_BYTES];
	vldaa_bytes member;
	request_parts p;
	int err;

	if (info)
		memset(info, 0, sizeof *info);
	if (!is || !request || !info || (!roots && roots_len))
		return VLDAA_ERR_ARGUMENT;
	g = &is->group;
	is->request.valid = 0;
	err = read_request(is, request, len, &p);
	if (!err)
		err = check_endorsement(&p, roots, roots_len, now, info);
	if (!err) {
		memcpy(bind, p.nonce, VLDAA_NONCE_BYTES);
		vldaa_request_chain_digest(g->set, p.chain, bind + VLDAA_NONCE_BYTES);
		err = g->set->scheme->join_verify(
		    g->context, is->workspace, (vldaa_bytes){bind, sizeof bind},
		    (vldaa_bytes){p.nonce, VLDAA_NONCE_BYTES}, p.join_tpm, p.join_host, is->member,
		    is->member + vldaa_group_size(g, VLDAA_PART_MEMBER_TPM));
	}
	if (err) {
		const char *reason = info->reason;
		memset(info, 0, sizeof *info);
		info->reason = reason;
		return err;
	}
	memcpy(info->nonce, p.nonce, VLDAA_NONCE_BYTES);
	vldaa_request_digest(g->set, (vldaa_bytes){request, len}, info->digest);
	info->member_key = is->member;
	info->member_key_len = member_size(g);
	member = (vldaa_bytes){is->member, vldaa_group_size(g, VLDAA_PART_MEMBER_TPM)};
	vldaa_member_digest(g->set, member, info->member_digest);
	member = (vldaa_bytes){is->member + member.len, info->member_key_len - member.len};
	vldaa_member_digest(g->set, member, info->host_digest);
	memcpy(is->request.digest, info->digest, VLDAA_DIGEST_BYTES);
	memcpy(is->request.answer_public, p.answer_public, VLDAA_SEAL_KEY_BYTES);
	is->request.valid = 1;
	return VLDAA_OK;
}

static int is_rogue(vldaa_issuer *is, const uint8_t *member, const uint8_t *rogue_list, size_t len)
{
	const vldaa_group *g = &is->group;
	vldaa_bytes entries;
	size_t size;
	int err = vldaa_read_rogue_list(g->set, g->key_id, rogue_list, len, &entries);

	if (err)
		return err;
	size = vldaa_group_size(g, VLDAA_PART_ROGUE);
	for (size_t i = 0; i < entries.len; i += size) {
		int found = g->set->scheme->rogue_member(g->context, is->workspace, member,
							 entries.bytes + i);
		if (found)
			return found;
	}
	return 0;
}

int vldaa_issuer_is_rogue(vldaa_issuer *is, const uint8_t *rogue_list, size_t len)
{
	if (!is || !rogue_list)
		return VLDAA_ERR_ARGUMENT;
	return is->request.valid ? is_rogue(is, is->member, rogue_list, len) : VLDAA_ERR_STATE;
}

int vldaa_issuer_is_rogue_member(vldaa_issuer *is, const uint8_t *member_key, size_t member_key_len,
				 const uint8_t *rogue_list, size_t len)
{
	if (!is || !member_key || !rogue_list || member_key_len != member_size(&is->group))
		return VLDAA_ERR_ARGUMENT;
	return is_rogue(is, member_key, rogue_list, len);
}

int vldaa_issuer_is_near(const vldaa_issuer *is, const uint8_t *member_key, size_t member_key_len)
{
	if (!is || !member_key || member_key_len != member_size(&is->group))
		return VLDAA_ERR_ARGUMENT;
	if (!is->request.valid)
		return VLDAA_ERR_STATE;
	return is->group.set->scheme->member_near(is->group.set, is->member, member_key);
}

int vldaa_issuer_certificate_id(uint8_t id[VLDAA_DIGEST_BYTES], const uint8_t *in, size_t len)
{
	if (!id || !in)
		return VLDAA_ERR_ARGUMENT;
	return vldaa_x509_certificate_id(id, in, len);
}

/* --- answers -----------------------------------------------------------------------------------
 */

/* Appends the issuer's authority key and its signature over head || what is in w so far. */
static int sign_answer(const vldaa_issuer *is, vldaa_bytes head, vldaa_writer *w)
{
	uint8_t signature[VLDAA_MAX_ORDINARY_SIGNATURE];
	size_t signature_len = 0, message_len;
	uint8_t *message;
	int err;

	vldaa_put_block(w, is->authority_public, is->authority_public_len);
	if (w->len > w->cap)
		return VLDAA_ERR_INTERNAL;
	message_len = head.len + w->len;
	message = vldaa_memory_new(message_len);
	if (!message)
		return VLDAA_ERR_MEMORY;
	memcpy(message, head.bytes, head.len);
	memcpy(message + head.len, w->out, w->len);
	err = vldaa_evp_sign(signature, sizeof signature, &signature_len, is->authority,
			     is->authority_len, message, message_len);
	vldaa_memory_free(message, message_len);
	if (!err)
		vldaa_put_block(w, signature, signature_len);
	return err;
}

/* JOIN_ANSWER: header | key id | request digest | block: sealed (see the TPM's check_answer). */
int vldaa_issuer_answer(vldaa_issuer *is, const vldaa_group_services *services,
			uint8_t tag[VLDAA_MAX_TAG_BYTES], size_t *tag_len, uint8_t *out, size_t cap,
			size_t *len)
{
	const vldaa_group *g;
	vldaa_writer w, plain;
	vldaa_bytes head;
	vldaa_rng rng;
	size_t begin, sealed_len = 0;
	int err;

	if (tag)
		memset(tag, 0, VLDAA_MAX_TAG_BYTES);
	if (tag_len)
		*tag_len = 0;
	if (!is || !services || !services->revocation_key || !services->fleet_key || !tag ||
	    !tag_len || !out || !len || services->revocation_key_len > VLDAA_MAX_SPKI)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	g = &is->group;
	err = is->request.valid ? vldaa_need(g->set, VLDAA_KIND_JOIN_ANSWER, cap, len)
				: VLDAA_ERR_STATE;
	if (err)
		return vldaa_refuse_output(out, cap, len, err);
	vldaa_put_init(&w, out, cap);
	vldaa_put_init(&plain, is->plain, is->plain_len);
	vldaa_put_header(&w, VLDAA_KIND_JOIN_ANSWER, g->set);
	vldaa_put_bytes(&w, g->key_id, VLDAA_KEY_ID_BYTES);
	vldaa_put_bytes(&w, is->request.digest, VLDAA_DIGEST_BYTES);
	head = (vldaa_bytes){out, w.len};

	err = vldaa_source_start(&is->source, &rng, g->set, VLDAA_OP_ISSUE,
				 (vldaa_bytes){is->secret, vldaa_group_size(g, VLDAA_PART_ISSUER)},
				 (vldaa_bytes){is->request.digest, VLDAA_DIGEST_BYTES});
	if (err)
		return vldaa_finish_output(&w, err, len);
	begin = vldaa_put_block_begin(&plain);
	err = g->set->scheme->issue(is->context, is->member,
				    is->member + vldaa_group_size(g, VLDAA_PART_MEMBER_TPM), &rng,
				    tag, &plain);
	vldaa_rng_clear(&rng);
	if (!err) {
		vldaa_put_block_end(&plain, begin);
		vldaa_put_bytes(&plain, services->fleet_key, VLDAA_FLEET_KEY_BYTES);
		vldaa_put_block(&plain, services->revocation_key, services->revocation_key_len);
		err = sign_answer(is, head, &plain);
	}
	if (!err) {
		begin = vldaa_put_block_begin(&w);
		err = vldaa_seal(out + w.len, cap - w.len, &sealed_len, is->request.answer_public,
				 head.bytes, head.len, is->plain, plain.len);
		w.len += sealed_len;
		vldaa_put_block_end(&w, begin);
	}
	vldaa_wipe(is->plain, is->plain_len);
	if (!err)
		*tag_len = vldaa_group_size(g, VLDAA_PART_TAG);
	else
		vldaa_wipe(tag, VLDAA_MAX_TAG_BYTES);
	return vldaa_finish_output(&w, err, len);
}
