/*
 * Writes the inputs that fuzzing begins with: make_corpus FOLDER makes FOLDER/<target>/<kind>, one
 * honest object of each kind that the target reads, of VLDAA-42, whose objects are small, and
 * FOLDER/<target>/<kind>-oneshot, of VLDAA2-44.  What the targets' TPM takes without opening is
 * written opened.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"
#include "role/evp.h"
#include "vldaa/keyfile.h"
#include "vldaa/member_key.h"
#include "wire/object.h"

enum { HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES };

static const char *root, *suffix;

static void save(const char *target, const char *name, const uint8_t *data, size_t len)
{
	char path[4096];
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/%s", root, target);
	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	(void)snprintf(path, sizeof path, "%s/%s/%s%s", root, target, name, suffix);
	f = fopen(path, "wb");
	if (!f || fwrite(data, 1, len, f) != len || fclose(f) != 0) {
		perror(path);
		exit(EXIT_FAILURE);
	}
}

static void save_buffer(const char *target, const char *name, buffer b)
{
	save(target, name, b.data, b.len);
}

static const uint8_t nonce[VLDAA_NONCE_BYTES] = {1};

static void put_head(vldaa_writer *w, const fuzz_member *m, enum vldaa_kind kind)
{
	vldaa_put_header(w, kind, m->w.set);
	vldaa_put_bytes(w, vldaa_host_key_id(m->c.host), VLDAA_KEY_ID_BYTES);
}

/* What the issuer issued: a one-shot set's TPM keeps it, at the end of its record. */
static vldaa_bytes issued(const fuzz_member *m)
{
	const vldaa_set *set = m->w.set;
	vldaa_bytes kept;
	size_t row = 0;
	vldaa_reader rd;

	while (m->c.store.rows[row].record != VLDAA_RECORD_MEMBER)
		row++;
	vldaa_get_init(&rd, m->c.store.rows[row].value, m->c.store.rows[row].len);
	(void)vldaa_get_header(&rd, VLDAA_KIND_TPM_KEY);
	(void)vldaa_get_bytes_block(&rd, rd.len); /* group key */
	(void)vldaa_get_view(&rd, set->scheme->size(set, VLDAA_PART_TPM_SECRET) + 1 + 32);
	(void)vldaa_get_bytes_block(&rd, rd.len); /* revocation key */
	kept = vldaa_get_bytes_block(&rd, rd.len);
	require(vldaa_get_end(&rd) == VLDAA_OK);
	return kept.len ? kept
			: (vldaa_bytes){m->c.credential.data + HEAD, m->c.credential.len - HEAD};
}

/* The answer to the request that waits, opened: the issuer's own would be sealed. */
static void save_answer(fuzz_member *m)
{
	const vldaa_bytes credential = issued(m);
	uint8_t *out = malloc(65536);
	size_t row = 0;
	vldaa_writer w;

	while (m->c.store.rows[row].record != VLDAA_RECORD_PENDING)
		row++;
	vldaa_put_init(&w, out, 65536);
	put_head(&w, m, VLDAA_KIND_JOIN_ANSWER);
	vldaa_put_bytes(&w, m->c.store.rows[row].value, VLDAA_DIGEST_BYTES);
	const size_t begin = vldaa_put_block_begin(&w);
	vldaa_put_block(&w, credential.bytes, credential.len);
	vldaa_put_bytes(&w, m->w.fleet_key, sizeof m->w.fleet_key);
	vldaa_put_block(&w, m->w.revocation.spki.data, m->w.revocation.spki.len);
	vldaa_put_block(&w, m->w.authority.spki.data, m->w.authority.spki.len);
	vldaa_put_block(&w, out, 64); /* every signature is right */
	vldaa_put_block_end(&w, begin);
	save("tpm", "join-answer", out, w.len);
	free(out);
}

static void save_order(fuzz_member *m, enum vldaa_revoke_mode mode, const char *name)
{
	const size_t padded = vldaa_padded_order_size(m->w.set);
	buffer clear, sealed = world_order(&m->w, m->a, mode, 6, &clear);
	uint8_t *out = calloc(1, 65536);
	vldaa_writer w;

	vldaa_put_init(&w, out, 65536);
	put_head(&w, m, VLDAA_KIND_SEALED_ORDER);
	vldaa_put_u32(&w, (uint32_t)padded);
	vldaa_put_block(&w, clear.data, clear.len);
	save("tpm", name, out, HEAD + 4 + padded);
	free(out);
	buffer_free(&clear);
	buffer_free(&sealed);
}

static void save_join(fuzz_member *m)
{
	buffer n = buffer_new(4096), call = buffer_new(65536), request;

	require(vldaa_issuer_nonce(m->w.issuer, nonce, n.data, n.len, &n.len) == VLDAA_OK);
	require(vldaa_host_join(m->c.host, n.data, n.len, call.data, call.len, &call.len) ==
		VLDAA_OK);
	request = car_request(&m->c, nonce);
	save_buffer("host", "nonce", n);
	save_buffer("tpm", "join-call", call);
	save_buffer("issuer", "join-request", request);
	buffer_free(&n);
	buffer_free(&call);
	buffer_free(&request);
}

static void save_lists(fuzz_member *m)
{
	const uint8_t *const orders[] = {m->order.data};
	size_t len, row = 0;

	while (m->c.store.rows[row].record != VLDAA_RECORD_MEMBER)
		row++;
	save("verifier", "tpm-key", m->c.store.rows[row].value, m->c.store.rows[row].len);
	require(vldaa_rogue_list((const uint8_t *const[]){m->c.store.rows[row].value},
				 &m->c.store.rows[row].len, 1, m->out, sizeof m->out,
				 &len) == VLDAA_OK);
	save("verifier", "rogue-list", m->out, len);
	require(vldaa_revoked_list(orders, &m->order.len, 1, m->out, sizeof m->out, &len) ==
		VLDAA_OK);
	save("verifier", "revoked-list", m->out, len);
}

static void save_keyfile(const char *target, const char *name, enum vldaa_keyfile_type type,
			 enum vldaa_keyfile_form form, buffer key)
{
	uint8_t *out;
	size_t len;

	require(vldaa_keyfile_encode(&out, &len, type, form, key.data, key.len, NULL, NULL) ==
		VLDAA_OK);
	save(target, name, out, len);
	vldaa_keyfile_free(out, len);
}

/* One that lost a pseudonym, and a pseudonym that it has. */
static void save_member_key(fuzz_member *m)
{
	static const uint8_t tombstones[2 * VLDAA_RECORD_NAME] = {[VLDAA_RECORD_NAME] = 1};
	vldaa_member_parts parts = car_parts(&m->c);
	buffer object = buffer_new(vldaa_object_max_size(m->w.set, VLDAA_KIND_MEMBER));
	vldaa_member_key *member = NULL;
	size_t len;

	parts.tombstones = tombstones;
	parts.tombstone_count = 2;
	parts.default_basename = "epoch:3600";
	parts.default_basename_len = 10;
	require(vldaa_member_key_encode(&parts, object.data, object.len, &object.len) == VLDAA_OK);
	save_buffer("member_key", "member", object);
	save_keyfile("provider", "member-pem", VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_PEM, object);
	require(vldaa_member_key_new(&member, object.data, object.len) == VLDAA_OK);
	require(vldaa_member_key_pseudonym(member, m->att.data, m->att.len, m->out, sizeof m->out,
					   &len) == VLDAA_OK);
	save("member_key", "pseudonym", m->out, len);
	save_keyfile("provider", "pseudonym-der", VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_DER,
		     (buffer){m->out, len});
	vldaa_member_key_free(member);
	buffer_free(&object);
}

/* Any bytes of the right length are a key. */
static void save_mldsa(void)
{
	static const uint8_t key[1312] = {1, 2, 3};
	uint8_t *out;
	size_t len;

	require(vldaa_keyfile_encode_mldsa(&out, &len, VLDAA_KEYFILE_DER, key, sizeof key) ==
		VLDAA_OK);
	save("keyfile", "mldsa-der", out, len);
	vldaa_keyfile_free(out, len);
}

/* What every set has. */
static void save_set(fuzz_member *m)
{
	fuzz_member_reset(m);
	save_answer(m);
	save_order(m, VLDAA_REVOKE_SOFT, "order-soft");
	save_order(m, VLDAA_REVOKE_HARD, "order-hard");
	save_join(m);
	save_buffer("tpm", "create-call", m->create_call);
	save_buffer("host", "create-reply", m->create_reply);
	save_buffer("host", "host-key", m->c.host_key);
	save_buffer("host", "credential", m->c.credential);
	save_buffer("issuer", "issuer-key", m->w.issuer_key);
	save_buffer("issuer", "group-key", m->w.group_key);
	save_buffer("verifier", "attestation", m->att);
	save_buffer("verifier", "signature", m->sig);
	save_buffer("verifier", "compact", m->compact);
	save_buffer("verifier", "order", m->order);
	save_buffer("verifier", "confirmation", m->confirmation);
	save_buffer("verifier", "token", m->token);
	save_lists(m);
	save_member_key(m);
	save_keyfile("keyfile", "public-der", VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_DER,
		     m->w.group_key);
	save_keyfile("provider", "group-der", VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_DER,
		     m->w.group_key);
	save_keyfile("provider", "attestation-pem", VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_PEM,
		     m->att);
	save_keyfile("provider", "issuer-der", VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_DER,
		     m->w.issuer_key);
}

int main(int argc, char **argv)
{
	fuzz_member *m;
	buffer bare;

	if (argc != 2) {
		fprintf(stderr, "usage: make_corpus FOLDER\n");
		return 2;
	}
	root = argv[1];
	suffix = "";
	m = fuzz_member_for(NULL, 0);
	save_set(m);
	save_keyfile("keyfile", "public-pem", VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_PEM,
		     m->w.group_key);
	save_keyfile("keyfile", "private-der", VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_DER,
		     m->c.host_key);
	save_mldsa();
	save_buffer("certificate", "chain", m->c.chain);
	save_buffer("certificate", "roots-pem", m->w.roots_pem);
	save_buffer("certificate", "spki", m->w.authority.spki);
	save_buffer("certificate", "pkcs8", m->w.authority.pkcs8);
	suffix = "-oneshot";
	m = fuzz_member_of(vldaa_set_by_name("VLDAA2-44"));
	save_set(m);
	bare = car_sign(&m->c, m->att, VLDAA_FORM_BARE, "x", 1);
	save_buffer("verifier", "bare", bare);
	buffer_free(&bare);
	return 0;
}
