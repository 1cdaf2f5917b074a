/*
 * What all operations of the TPM role stand on: the workspace, the caller's services, the member
 * record.
 */
#include <string.h>

#include "arena.h"
#include "random/hash.h"
#include "random/secret.h"
#include "role/tpm_state.h"

/* --- the workspace -----------------------------------------------------------------------------
 */

size_t vldaa_scheme_workspace(const vldaa_set *set)
{
	return set->scheme->size(set, VLDAA_PART_TPM_WORKSPACE);
}

size_t vldaa_tpm_workspace_size(const vldaa_set *set)
{
	size_t most = 0;

	for (size_t i = 0; vldaa_set_at(i); i++) {
		if (!set || set == vldaa_set_at(i)) {
			size_t need = vldaa_scheme_workspace(vldaa_set_at(i));
			most = need > most ? need : most;
		}
	}
	return sizeof(vldaa_tpm) + most + 2 * VLDAA_ARENA_ALIGN;
}

int vldaa_tpm_open(vldaa_tpm **tpm, void *workspace, size_t size,
		   const vldaa_tpm_services *services)
{
	vldaa_tpm *t;
	size_t skip;

	if (tpm)
		*tpm = NULL;
	if (!tpm || !workspace || !services || !services->random || !services->now ||
	    !services->answer_key || !services->open || !services->check ||
	    !services->certificate || !services->endorse || !services->load || !services->commit)
		return VLDAA_ERR_ARGUMENT;
	skip = (VLDAA_ARENA_ALIGN - (uintptr_t)workspace % VLDAA_ARENA_ALIGN) % VLDAA_ARENA_ALIGN;
	if (size < skip + sizeof *t + VLDAA_ARENA_ALIGN)
		return VLDAA_ERR_BUFFER;
	t = (vldaa_tpm *)(void *)((unsigned char *)workspace + skip);
	memset(t, 0, size - skip);
	t->services = services;
	t->size = size - skip;
	skip = (sizeof *t + VLDAA_ARENA_ALIGN - 1) / VLDAA_ARENA_ALIGN * VLDAA_ARENA_ALIGN;
	t->workspace = (unsigned char *)t + skip;
	t->workspace_size = t->size - skip;
	*tpm = t;
	return VLDAA_OK;
}

void vldaa_tpm_close(vldaa_tpm *tpm)
{
	if (tpm)
		vldaa_wipe(tpm, tpm->size);
}

void vldaa_tpm_forget(vldaa_tpm *tpm)
{
	vldaa_wipe(tpm->record, sizeof tpm->record);
	vldaa_wipe(tpm->next, sizeof tpm->next);
	vldaa_wipe(tpm->plain, sizeof tpm->plain);
	if (tpm->set)
		tpm->set->scheme->tpm_wipe(tpm->set, tpm->workspace, tpm->workspace_size);
	vldaa_wipe_stack();
}

int vldaa_tpm_use(vldaa_tpm *tpm, const vldaa_set *set)
{
	if (vldaa_scheme_workspace(set) > tpm->workspace_size)
		return VLDAA_ERR_ARGUMENT;
	tpm->set = set;
	return VLDAA_OK;
}

int vldaa_tpm_end(vldaa_tpm *tpm, int err, uint8_t *out, size_t cap, size_t *len)
{
	vldaa_tpm_forget(tpm);
	if (err && err != VLDAA_ERR_BUFFER)
		*len = 0;
	if (err)
		vldaa_wipe(out, cap);
	return err;
}

/* --- services ----------------------------------------------------------------------------------
 */

int vldaa_tpm_answered(int err, int instead)
{
	return err > 0 || err == VLDAA_ERR_BUFFER ? instead : err;
}

int vldaa_tpm_load_record(vldaa_tpm *tpm, enum vldaa_record record, const uint8_t *name,
			  uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_tpm_services *s = tpm->services;
	int err;

	*len = 0;
	err = vldaa_tpm_answered(s->load(s->ctx, record, name, out, cap, len), VLDAA_ERR_STORE);
	return !err && *len > cap ? VLDAA_ERR_STORE : err;
}

int vldaa_tpm_commit(vldaa_tpm *tpm, const vldaa_change *changes, size_t count)
{
	const vldaa_tpm_services *s = tpm->services;

	return vldaa_tpm_answered(s->commit(s->ctx, changes, count), VLDAA_ERR_STORE);
}

int vldaa_tpm_check(vldaa_tpm *tpm, vldaa_bytes spki, vldaa_bytes message, vldaa_bytes signature)
{
	const vldaa_tpm_services *s = tpm->services;
	int err = s->check(s->ctx, spki.bytes, spki.len, message.bytes, message.len,
			   signature.bytes, signature.len);

	return vldaa_tpm_answered(err, VLDAA_ERR_SERVICE);
}

/* --- the member record -------------------------------------------------------------------------
 *
 * header (TPM_KEY) | block: group key | secret payload | joined (1)
 *   | joined = 1: fleet key (32) | block: revocation authority's key | block: kept credential
 */

void vldaa_put_member(vldaa_writer *w, const vldaa_member *m)
{
	vldaa_put_header(w, VLDAA_KIND_TPM_KEY, m->group.set);
	vldaa_put_block(w, m->group_bytes.bytes, m->group_bytes.len);
	vldaa_put_bytes(w, m->key.secret, m->secret_len);
	vldaa_put_u8(w, (uint8_t)m->joined);
	if (!m->joined)
		return;
	vldaa_put_bytes(w, m->fleet_key, 32);
	vldaa_put_block(w, m->revocation_key.bytes, m->revocation_key.len);
	vldaa_put_block(w, m->key.credential.bytes, m->key.credential.len);
}

int vldaa_read_member(vldaa_member *m, const uint8_t *in, size_t len)
{
	vldaa_reader rd;
	const vldaa_set *set;
	int err;

	memset(m, 0, sizeof *m);
	vldaa_get_init(&rd, in, len);
	set = vldaa_get_header(&rd, VLDAA_KIND_TPM_KEY);
	if (!set)
		return rd.error;
	m->group_bytes = vldaa_get_bytes_block(&rd, vldaa_group_key_size(set));
	if (rd.error)
		return rd.error;
	err = vldaa_read_group_key(&m->group, m->group_bytes.bytes, m->group_bytes.len);
	if (err)
		return err;
	if (m->group.set != set)
		return VLDAA_ERR_WRONG_SET;
	m->secret_len = set->scheme->size(set, VLDAA_PART_TPM_SECRET);
	m->key.set = set;
	m->key.key_id = m->group.key_id;
	m->key.group = m->group.payload;
	m->key.secret = vldaa_get_view(&rd, m->secret_len);
	if (m->key.secret)
		vldaa_secret_mark(m->key.secret, m->secret_len);
	m->joined = vldaa_get_u8(&rd);
	if (m->joined > 1)
		vldaa_get_fail(&rd, VLDAA_ERR_ENCODING);
	if (m->joined) {
		m->fleet_key = vldaa_get_view(&rd, 32);
		m->revocation_key = vldaa_get_bytes_block(&rd, VLDAA_MAX_SPKI);
		m->key.credential =
		    vldaa_get_bytes_block(&rd, set->scheme->size(set, VLDAA_PART_CREDENTIAL));
	}
	return vldaa_get_end(&rd);
}

int vldaa_tpm_exists(vldaa_tpm *tpm, enum vldaa_record record, const uint8_t *name)
{
	size_t len;
	int err = vldaa_tpm_load_record(tpm, record, name, tpm->next, sizeof tpm->next, &len);

	if (err == VLDAA_ERR_NO_KEY)
		return 0;
	return err ? err : 1;
}

int vldaa_tpm_load(vldaa_tpm *tpm, const uint8_t *key_id, vldaa_member *m)
{
	size_t len;
	int err = vldaa_tpm_load_record(tpm, VLDAA_RECORD_MEMBER, key_id, tpm->record,
					sizeof tpm->record, &len);

	/* Why there is none. */
	if (err == VLDAA_ERR_NO_KEY) {
		err = vldaa_tpm_exists(tpm, VLDAA_RECORD_DEAD, key_id);
		if (err >= 0)
			err = err ? VLDAA_ERR_EXPELLED : VLDAA_ERR_NO_KEY;
	}
	if (err)
		return err;
	err = vldaa_read_member(m, tpm->record, len);
	/* What the store gives back is what the TPM wrote: anything else is the store's failure. */
	if (err || memcmp(m->group.key_id, key_id, VLDAA_KEY_ID_BYTES) != 0)
		return VLDAA_ERR_STORE;
	return vldaa_tpm_use(tpm, m->group.set);
}

void vldaa_tombstone_name(const vldaa_set *set, const uint8_t *key_id, vldaa_bytes basename,
			  uint8_t name[VLDAA_RECORD_NAME])
{
	vldaa_shake s;

	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_TOMBSTONE, vldaa_set_id(set));
	vldaa_hash_part(&s, key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&s, basename.bytes, basename.len);
	vldaa_shake_squeeze(&s, name, VLDAA_RECORD_NAME);
}

int vldaa_tpm_load_for(vldaa_tpm *tpm, const uint8_t *key_id, vldaa_bytes basename, vldaa_member *m)
{
	uint8_t name[VLDAA_RECORD_NAME];
	int err;

	if (!basename.bytes || basename.len < 1 || basename.len > VLDAA_MAX_BASENAME)
		return VLDAA_ERR_BASENAME;
	err = vldaa_tpm_load(tpm, key_id, m);
	if (err)
		return err;
	if (!m->joined)
		return VLDAA_ERR_NO_CREDENTIAL;
	vldaa_tombstone_name(m->group.set, key_id, basename, name);
	err = vldaa_tpm_exists(tpm, VLDAA_RECORD_TOMBSTONE, name);
	if (err < 0)
		return err;
	return err ? VLDAA_ERR_TOMBSTONE : VLDAA_OK;
}

static int tpm_random(void *ctx, uint8_t *out, size_t len)
{
	const vldaa_tpm_services *s = ctx;

	return s->random(s->ctx, out, len);
}

int vldaa_tpm_source_start(vldaa_tpm *tpm, vldaa_rng *rng, const vldaa_member *m,
			   enum vldaa_operation operation, vldaa_bytes input)
{
	vldaa_tpm_services services = *tpm->services;
	const vldaa_source source = {tpm_random, &services};
	const vldaa_bytes secret = {m->key.secret, m->secret_len};

	return vldaa_source_start(&source, rng, m->group.set, operation, secret, input);
}

/* --- how many pseudonyms were shown ------------------------------------------------------------
 *
 * Every pseudonym is a sample of one secret, and a scheme may allow only so many.  Record: the count
 * (4 bytes); none is 0.
 */

static int read_count(vldaa_tpm *tpm, const vldaa_member *m, uint32_t most, uint32_t *count)
{
	uint8_t value[4];
	vldaa_reader rd;
	size_t len = 0;
	int err;

	*count = 0;
	err = vldaa_tpm_load_record(tpm, VLDAA_RECORD_CREATES, m->group.key_id, value, sizeof value,
				    &len);
	if (err == VLDAA_ERR_NO_KEY)
		return VLDAA_OK;
	if (err)
		return err;
	vldaa_get_init(&rd, value, len);
	*count = vldaa_get_u32(&rd);
	if (vldaa_get_end(&rd))
		return VLDAA_ERR_STORE;
	return *count < most ? VLDAA_OK : VLDAA_ERR_EXHAUSTED;
}

int vldaa_tpm_may_show(vldaa_tpm *tpm, const vldaa_member *m)
{
	const uint32_t most = m->group.set->scheme->creates(m->group.set);
	uint32_t count;

	return most ? read_count(tpm, m, most, &count) : VLDAA_OK;
}

int vldaa_tpm_count_shown(vldaa_tpm *tpm, const vldaa_member *m)
{
	const uint32_t most = m->group.set->scheme->creates(m->group.set);
	uint8_t value[4];
	const vldaa_change change = {VLDAA_RECORD_CREATES, m->group.key_id, value, sizeof value};
	vldaa_writer w;
	uint32_t count;
	int err;

	if (most == 0)
		return VLDAA_OK;
	/* Read again: another process may have counted meanwhile. */
	err = read_count(tpm, m, most, &count);
	if (err)
		return err;
	vldaa_put_init(&w, value, sizeof value);
	vldaa_put_u32(&w, count + 1);
	return vldaa_tpm_commit(tpm, &change, 1);
}
