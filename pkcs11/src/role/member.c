#include "member.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/crypto.h>

#include "../store/secret.h"
#include "tpm.h"
#include "vldaa/member_key.h"
#include "vldaa/verify.h"

/* The TPM's public key is a polynomial, at most so many bytes. */
enum { MAX_TPM_PUBLIC = 65536 };

/* --- the secret string -------------------------------------------------------------------------
 */

static int put(vldaa_p11_bytes *b, const uint8_t *in, size_t len)
{
	const uint8_t head[4] = {(uint8_t)(len >> 24), (uint8_t)(len >> 16), (uint8_t)(len >> 8),
				 (uint8_t)len};
	int err = vldaa_p11_bytes_append(b, head, sizeof head);

	return err ? err : vldaa_p11_bytes_append(b, in, len);
}

static int get(const uint8_t **out, size_t *out_len, const uint8_t *in, size_t len, size_t *pos)
{
	size_t n;

	if (len - *pos < 4)
		return VLDAA_P11_ERR_FOREIGN;
	n = (size_t)in[*pos] << 24 | (size_t)in[*pos + 1] << 16 | (size_t)in[*pos + 2] << 8 |
	    in[*pos + 3];
	*pos += 4;
	if (len - *pos < n)
		return VLDAA_P11_ERR_FOREIGN;
	*out = in + *pos;
	*out_len = n;
	*pos += n;
	return VLDAA_OK;
}

static int write_secret(vldaa_p11_bytes *secret, const vldaa_p11_member *m)
{
	const size_t room = 12 + m->group_len + m->host_key_len + m->credential_len;
	int err = vldaa_p11_bytes_new(secret, room);

	if (!err)
		err = put(secret, m->group, m->group_len);
	if (!err)
		err = put(secret, m->host_key, m->host_key_len);
	if (!err)
		err = put(secret, m->credential, m->credential_len);
	if (err)
		vldaa_p11_bytes_free(secret);
	return err;
}

static int read_group(vldaa_p11_member *m)
{
	vldaa_object_info info;
	int err = vldaa_object_inspect(&info, m->group, m->group_len);

	if (!err && (info.kind != VLDAA_KIND_GROUP_KEY || !info.has_key_id))
		err = VLDAA_ERR_KIND;
	if (err)
		return err;
	m->set = info.set;
	memcpy(m->key_id, info.key_id, VLDAA_KEY_ID_BYTES);
	return VLDAA_OK;
}

int vldaa_p11_member_init(vldaa_p11_member *m, vldaa_p11_store *store, const uint8_t *master,
			  const uint8_t *secret, size_t len)
{
	size_t pos = 0;
	int err;

	memset(m, 0, sizeof *m);
	m->store = store;
	m->master = master;
	err = get(&m->group, &m->group_len, secret, len, &pos);
	if (!err)
		err = get(&m->host_key, &m->host_key_len, secret, len, &pos);
	if (!err)
		err = get(&m->credential, &m->credential_len, secret, len, &pos);
	if (!err && pos != len)
		err = VLDAA_P11_ERR_FOREIGN;
	return err ? err : read_group(m);
}

/* --- both roles --------------------------------------------------------------------------------
 */

typedef struct {
	vldaa_p11_tpm tpm;
	vldaa_host *host;
} pair;

static void close_pair(pair *p)
{
	vldaa_p11_tpm_close(&p->tpm);
	vldaa_host_free(p->host);
	memset(p, 0, sizeof *p);
}

static int open_pair(pair *p, const vldaa_p11_member *m)
{
	int err;

	memset(p, 0, sizeof *p);
	err = vldaa_host_new(&p->host, m->group, m->group_len);
	if (!err && m->host_key != NULL)
		err = vldaa_host_load(p->host, m->host_key, m->host_key_len,
				      m->credential_len > 0 ? m->credential : NULL,
				      m->credential_len);
	if (!err)
		err = vldaa_p11_tpm_open(&p->tpm, m->store, m->master, m->set);
	if (err)
		close_pair(p);
	return err;
}

static int tpm_public_key(const pair *p, vldaa_p11_bytes *out)
{
	int err = vldaa_p11_bytes_new(out, MAX_TPM_PUBLIC);

	if (!err)
		err = vldaa_tpm_public_key(p->tpm.tpm, vldaa_host_key_id(p->host), out->data,
					   out->room, &out->len);
	if (err)
		vldaa_p11_bytes_free(out);
	return err;
}

int vldaa_p11_member_make(vldaa_p11_bytes *secret, vldaa_p11_bytes *tpm_public,
			  vldaa_p11_store *store, const uint8_t *master, const uint8_t *group,
			  size_t group_len)
{
	vldaa_p11_member m = {
	    .store = store, .master = master, .group = group, .group_len = group_len};
	vldaa_p11_bytes host_key = {NULL, 0, 0};
	pair p;
	int err = read_group(&m);

	memset(secret, 0, sizeof *secret);
	memset(tpm_public, 0, sizeof *tpm_public);
	if (!err)
		err = open_pair(&p, &m);
	if (err)
		return err;
	err = vldaa_p11_tpm_error(&p.tpm, vldaa_tpm_keygen(p.tpm.tpm, group, group_len));
	if (!err)
		err = vldaa_p11_bytes_new(&host_key,
					  vldaa_object_max_size(m.set, VLDAA_KIND_HOST_KEY));
	if (!err)
		err = vldaa_host_keygen(p.host, host_key.data, host_key.room, &host_key.len);
	if (!err)
		err = tpm_public_key(&p, tpm_public);
	if (!err) {
		m.host_key = host_key.data;
		m.host_key_len = host_key.len;
		err = write_secret(secret, &m);
	}
	vldaa_p11_bytes_free(&host_key);
	close_pair(&p);
	if (err)
		vldaa_p11_bytes_free(tpm_public);
	return err;
}

/* --- Join --------------------------------------------------------------------------------------
 */

int vldaa_p11_member_request(const vldaa_p11_member *m, const vldaa_p11_der *certificates,
			     size_t count, const uint8_t *nonce, size_t nonce_len, uint8_t *out,
			     size_t cap, size_t *len)
{
	vldaa_p11_bytes call = {NULL, 0, 0}, chain = {NULL, 0, 0};
	uint8_t *endorsement = NULL;
	size_t endorsement_len = 0;
	pair p;
	int err = open_pair(&p, m);

	if (err)
		return err;
	err = vldaa_p11_store_endorsement(m->store, m->master, &endorsement, &endorsement_len);
	if (!err)
		err = vldaa_p11_endorsement_chain(&chain, endorsement, endorsement_len,
						  certificates, count);
	if (!err)
		err =
		    vldaa_p11_bytes_new(&call, vldaa_object_max_size(m->set, VLDAA_KIND_JOIN_CALL));
	if (!err)
		err = vldaa_host_join(p.host, nonce, nonce_len, call.data, call.room, &call.len);
	if (!err) {
		p.tpm.surroundings.endorsement_key = endorsement;
		p.tpm.surroundings.endorsement_key_len = endorsement_len;
		p.tpm.surroundings.chain = chain.data;
		p.tpm.surroundings.chain_len = chain.len;
		err = vldaa_p11_tpm_error(
		    &p.tpm, vldaa_tpm_request(p.tpm.tpm, call.data, call.len, out, cap, len));
	}
	vldaa_p11_bytes_free(&call);
	vldaa_p11_bytes_free(&chain);
	close_pair(&p);
	vldaa_p11_secret_free(endorsement, endorsement_len);
	return err;
}

int vldaa_p11_member_finish(const vldaa_p11_member *m, const uint8_t *answer, size_t answer_len,
			    vldaa_p11_bytes *secret)
{
	vldaa_p11_member joined = *m;
	vldaa_p11_bytes credential = {NULL, 0, 0}, tpm_public = {NULL, 0, 0};
	pair p;
	int err = open_pair(&p, m);

	memset(secret, 0, sizeof *secret);
	if (err)
		return err;
	err =
	    vldaa_p11_bytes_new(&credential, vldaa_object_max_size(m->set, VLDAA_KIND_CREDENTIAL));
	if (!err)
		err = vldaa_p11_tpm_error(&p.tpm, vldaa_tpm_accept(p.tpm.tpm, answer, answer_len,
								   credential.data, credential.room,
								   &credential.len));
	if (!err)
		err = tpm_public_key(&p, &tpm_public);
	if (!err)
		err = vldaa_host_accept(p.host, credential.data, credential.len, tpm_public.data,
					tpm_public.len);
	if (!err) {
		joined.credential = credential.data;
		joined.credential_len = credential.len;
		err = write_secret(secret, &joined);
	}
	vldaa_p11_bytes_free(&credential);
	vldaa_p11_bytes_free(&tpm_public);
	close_pair(&p);
	return err;
}

/* --- Create ------------------------------------------------------------------------------------
 */

/* The TPM counts what it shows: no other process counts between its reading and its writing, and
 * nothing is shown that was not counted. */
static int counted_create(const pair *p, const vldaa_p11_bytes *call, vldaa_p11_bytes *reply)
{
	vldaa_p11_store *store = p->tpm.records.store;
	int err = vldaa_p11_store_begin(store);

	if (err)
		return err;
	err = vldaa_tpm_create(p->tpm.tpm, call->data, call->len, reply->data, reply->room,
			       &reply->len);
	return vldaa_p11_db_end(&store->db, vldaa_p11_tpm_error(&p->tpm, err));
}

/* The rounds of both roles until there is an attestation. */
static int create_rounds(const pair *p, const uint8_t *basename, size_t basename_len,
			 vldaa_p11_bytes *attestation)
{
	const vldaa_set *set = vldaa_host_set(p->host);
	const size_t call_room = vldaa_object_max_size(set, VLDAA_KIND_CREATE_CALL);
	const size_t out_room = vldaa_object_max_size(set, VLDAA_KIND_ATTESTATION);
	vldaa_p11_bytes reply = {NULL, 0, 0};
	int done = 0;
	/* One buffer for calls and, at the end, the attestation. */
	int err = vldaa_p11_bytes_new(attestation, call_room > out_room ? call_room : out_room);

	if (!err)
		err = vldaa_p11_bytes_new(&reply,
					  vldaa_object_max_size(set, VLDAA_KIND_CREATE_REPLY));
	if (!err)
		err = vldaa_host_create_begin(p->host, basename, basename_len, attestation->data,
					      attestation->room, &attestation->len);
	while (!err && !done) {
		err = counted_create(p, attestation, &reply);
		if (!err)
			err = vldaa_host_create_step(p->host, reply.data, reply.len,
						     attestation->data, attestation->room,
						     &attestation->len, &done);
	}
	vldaa_p11_bytes_free(&reply);
	if (err)
		vldaa_p11_bytes_free(attestation);
	return err;
}

static int load_creates(vldaa_p11_records *r, const uint8_t *key_id, uint32_t *creates)
{
	uint8_t value[4];
	size_t len = 0;
	int err =
	    vldaa_p11_records_load(r, VLDAA_RECORD_CREATES, key_id, value, sizeof value, &len);

	*creates = 0;
	if (err == VLDAA_ERR_NO_KEY)
		return VLDAA_OK;
	if (!err && len != sizeof value)
		err = VLDAA_ERR_STORE;
	if (!err)
		*creates = (uint32_t)value[0] << 24 | (uint32_t)value[1] << 16 |
			   (uint32_t)value[2] << 8 | value[3];
	return err;
}

/* The member as one key.  No tombstones: what is asked of it is a pseudonym that the TPM has just
 * made. */
static int whole_member(const vldaa_p11_member *m, vldaa_member_key **member)
{
	vldaa_p11_records records = {m->store, m->master, VLDAA_OK};
	vldaa_member_parts parts = {.host_key = m->host_key,
				    .host_key_len = m->host_key_len,
				    .credential = m->credential,
				    .credential_len = m->credential_len};
	uint8_t *key = vldaa_p11_secret_new(VLDAA_RECORD_MAX);
	vldaa_p11_bytes object = {NULL, 0, 0};
	int err = key != NULL ? vldaa_p11_records_load(&records, VLDAA_RECORD_MEMBER, m->key_id,
						       key, VLDAA_RECORD_MAX, &parts.tpm_key_len)
			      : VLDAA_ERR_MEMORY;

	if (!err)
		err = load_creates(&records, m->key_id, &parts.creates);
	if (!err)
		err =
		    vldaa_p11_bytes_new(&object, vldaa_object_max_size(m->set, VLDAA_KIND_MEMBER));
	if (!err) {
		parts.tpm_key = key;
		err = vldaa_member_key_encode(&parts, object.data, object.room, &object.len);
	}
	if (!err)
		err = vldaa_member_key_new(member, object.data, object.len);
	vldaa_p11_bytes_free(&object);
	vldaa_p11_secret_free(key, VLDAA_RECORD_MAX);
	return err;
}

int vldaa_p11_member_create(const vldaa_p11_member *m, const uint8_t *basename, size_t basename_len,
			    vldaa_p11_bytes *attestation, vldaa_p11_bytes *pseudonym)
{
	vldaa_member_key *member = NULL;
	pair p;
	int err = m->credential_len > 0 ? open_pair(&p, m) : VLDAA_ERR_NO_CREDENTIAL;

	memset(attestation, 0, sizeof *attestation);
	memset(pseudonym, 0, sizeof *pseudonym);
	if (err)
		return err;
	err = create_rounds(&p, basename, basename_len, attestation);
	close_pair(&p);
	if (!err)
		err = whole_member(m, &member);
	if (!err)
		err = vldaa_p11_bytes_new(pseudonym,
					  vldaa_object_max_size(m->set, VLDAA_KIND_PSEUDONYM));
	if (!err)
		err = vldaa_member_key_pseudonym(member, attestation->data, attestation->len,
						 pseudonym->data, pseudonym->room, &pseudonym->len);
	vldaa_member_key_free(member);
	if (err) {
		vldaa_p11_bytes_free(attestation);
		vldaa_p11_bytes_free(pseudonym);
	}
	return err;
}

/* --- revocation --------------------------------------------------------------------------------
 */

int vldaa_p11_member_obey(const vldaa_p11_member *m, const uint8_t *order, size_t order_len,
			  uint8_t *out, size_t cap, size_t *len)
{
	vldaa_p11_tpm t;
	int err = vldaa_p11_tpm_open(&t, m->store, m->master, m->set);

	if (err)
		return err;
	err = vldaa_p11_tpm_error(&t, vldaa_tpm_obey(t.tpm, order, order_len, out, cap, len));
	vldaa_p11_tpm_close(&t);
	return err;
}

int vldaa_p11_member_token(const vldaa_p11_member *m, const uint8_t *basename, size_t basename_len,
			   const uint8_t *attestation, size_t attestation_len, uint8_t *out,
			   size_t cap, size_t *len)
{
	uint8_t digest[VLDAA_DIGEST_BYTES];
	vldaa_p11_tpm t;
	int err = vldaa_attestation_digest_of(attestation, attestation_len, digest);

	if (!err)
		err = vldaa_p11_tpm_open(&t, m->store, m->master, m->set);
	if (err)
		return err;
	err = vldaa_p11_store_begin(m->store);
	if (!err) {
		err = vldaa_tpm_token(t.tpm, m->key_id, basename, basename_len, digest, out, cap,
				      len);
		err = vldaa_p11_db_end(&m->store->db, vldaa_p11_tpm_error(&t, err));
		/* What is not counted does not leave. */
		if (err) {
			memset(out, 0, cap);
			*len = 0;
		}
	}
	vldaa_p11_tpm_close(&t);
	return err;
}

/* Beginning a signature asks the TPM for exactly that; the attestation's digest plays no part in
 * it. */
int vldaa_p11_member_may_use(vldaa_p11_store *store, const uint8_t *master, const vldaa_set *set,
			     const uint8_t key_id[VLDAA_KEY_ID_BYTES], const uint8_t *basename,
			     size_t basename_len)
{
	const uint8_t digest[VLDAA_DIGEST_BYTES] = {0};
	vldaa_p11_tpm t;
	int err = vldaa_p11_tpm_open(&t, store, master, set);

	if (err)
		return err;
	err = vldaa_tpm_sign_begin(t.tpm, key_id, basename, basename_len, digest);
	vldaa_p11_tpm_close(&t);
	return err;
}
