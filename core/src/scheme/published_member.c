/* Create and Sign of the published sets: the TPM's and the host's side. */
#include "scheme/published.h"

#include <string.h>

#include "random/secret.h"
#include "wire/pack.h"

/* The key and the pseudonym of this basename, in the workspace. */
static int load_nym(const vldaa_tpm_key *key, vldaa_published_tpm *t, vldaa_bytes basename)
{
	const uint8_t *prf_key;
	int err = vldaa_published_load_tpm(key, t, &prf_key);

	if (err)
		return err;
	return vldaa_blind_tpm_nym(vldaa_published_numbers(key->set), &t->blind, key->key_id,
				   prf_key, basename);
}

int vldaa_published_tpm_nym(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			    uint8_t *nym)
{
	const vldaa_published_set *n = vldaa_published_numbers(key->set);
	vldaa_published_tpm *t = workspace;
	vldaa_writer w;
	int err = load_nym(key, t, basename);

	if (err)
		return err;
	vldaa_put_init(&w, nym, vldaa_pack_uniform_size(&n->ring));
	vldaa_pack_uniform(&n->ring, &w, t->blind.nym);
	return VLDAA_OK;
}

int vldaa_published_tpm_create(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			       vldaa_bytes call, vldaa_rng *rng, vldaa_writer *reply)
{
	vldaa_published_tpm *t = workspace;
	int err = load_nym(key, t, basename);

	if (err)
		return err;
	return vldaa_blind_tpm_reply(vldaa_published_numbers(key->set), &t->blind, key->key_id,
				     key->group, basename, call, rng, reply);
}

int vldaa_published_sign_begin(const vldaa_tpm_key *key, void *workspace,
			       const vldaa_sign_subject *about, vldaa_message *message)
{
	(void)workspace;
	(void)about;
	vldaa_message_digest_begin(vldaa_published_numbers(key->set), message);
	return VLDAA_OK;
}

int vldaa_published_sign_end(const vldaa_tpm_key *key, void *workspace,
			     const vldaa_sign_subject *about, vldaa_message *message,
			     vldaa_rng *rng, vldaa_writer *out)
{
	vldaa_published_tpm *t = workspace;
	uint8_t digest[VLDAA_MESSAGE_DIGEST_BYTES];
	int err = load_nym(key, t, about->basename);

	if (err)
		return err;
	vldaa_message_digest_end(message, digest);
	return vldaa_nym_sign(vldaa_published_numbers(key->set), &t->blind, about, digest, rng,
			      out);
}

int vldaa_published_host_create_begin(void *host, vldaa_bytes basename, vldaa_rng *rng,
				      vldaa_writer *call)
{
	vldaa_published_host *h = host;
	const vldaa_public_keys *k = &h->group->keys;
	int err;

	if (!h->has_credential)
		return VLDAA_ERR_NO_CREDENTIAL;
	h->creating = 0;
	err = vldaa_blind_host_commit(k, &h->blind, h->tag, h->s_hat, h->e_hat, rng);
	if (err)
		return err;
	memcpy(h->basename, basename.bytes, basename.len);
	h->basename_len = basename.len;
	vldaa_basename_hat(k->set, h->b_hat, k->key_id, basename, h->blind.poly);
	vldaa_blind_host_first(k, &h->blind, rng, call);
	h->rounds = 1;
	h->creating = 1;
	return VLDAA_OK;
}

int vldaa_published_host_create_step(void *host, vldaa_bytes reply, vldaa_rng *rng,
				     vldaa_writer *out, int *done)
{
	vldaa_published_host *h = host;
	const vldaa_public_keys *k = &h->group->keys;
	const vldaa_bytes basename = {h->basename, h->basename_len};
	const vldaa_writer start = *out;
	int kept;

	*done = 0;
	if (!h->creating)
		return VLDAA_ERR_STATE;
	/* One set of masks serves one reply, whatever comes of it. */
	h->creating = 0;
	kept = vldaa_blind_host_respond(k, &h->blind, reply, rng, out);
	if (kept < 0)
		return kept;
	if (kept == 0 && h->rounds == VLDAA_MAX_ATTEMPTS)
		return VLDAA_ERR_ATTEMPTS;
	if (kept == 0) {
		h->rounds++;
		vldaa_blind_host_first(k, &h->blind, rng, out);
		h->creating = 1;
		return VLDAA_OK;
	}
	if (out->out && out->len <= out->cap) {
		const vldaa_bytes payload = {out->out + start.len, out->len - start.len};
		int err = vldaa_blind_verify_run(k, &h->verify, basename, h->b_hat, payload);

		if (err) {
			*out = start;
			return err;
		}
	}
	*done = 1;
	return VLDAA_OK;
}
