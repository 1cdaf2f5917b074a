#include "pseudonym.h"

#include <openssl/crypto.h>
#include <stdatomic.h>

/* Invariant: either key, or token_key with what it found; successor is a reference, once set. */
struct vldaa_prov_pseudonym {
	atomic_int references;
	vldaa_pseudonym_key *key;
	vldaa_prov_token_key *token_key;
	vldaa_prov_token_pseudonym found;
	vldaa_object_info info; /* of found.attestation */
	_Atomic(vldaa_prov_pseudonym *) successor;
};

static vldaa_prov_pseudonym *new_pseudonym(void)
{
	vldaa_prov_pseudonym *p = OPENSSL_zalloc(sizeof *p);

	if (p != NULL) {
		atomic_init(&p->references, 1);
		atomic_init(&p->successor, NULL);
	}
	return p;
}

int vldaa_prov_pseudonym_open(vldaa_prov_pseudonym **pseudonym, const uint8_t *object, size_t len)
{
	vldaa_prov_pseudonym *p = new_pseudonym();
	int err = p != NULL ? vldaa_pseudonym_key_new(&p->key, object, len) : VLDAA_ERR_MEMORY;

	if (err != VLDAA_OK) {
		vldaa_prov_pseudonym_release(p);
		p = NULL;
	}
	*pseudonym = p;
	return err;
}

int vldaa_prov_pseudonym_find(vldaa_prov_pseudonym **pseudonym, vldaa_prov_token_key *key,
			      const uint8_t *basename, size_t basename_len)
{
	vldaa_prov_pseudonym *p = new_pseudonym();
	int err = VLDAA_ERR_MEMORY;

	if (p != NULL) {
		p->token_key = vldaa_prov_token_key_share(key);
		err = vldaa_prov_token_key_pseudonym(key, basename, basename_len, &p->found);
	}
	if (err == VLDAA_OK)
		err =
		    vldaa_object_inspect(&p->info, p->found.attestation, p->found.attestation_len);
	if (err == VLDAA_OK && p->info.kind != VLDAA_KIND_ATTESTATION)
		err = VLDAA_ERR_KIND;
	if (err != VLDAA_OK) {
		vldaa_prov_pseudonym_release(p);
		p = NULL;
	}
	*pseudonym = p;
	return err;
}

vldaa_prov_pseudonym *vldaa_prov_pseudonym_share(vldaa_prov_pseudonym *p)
{
	(void)atomic_fetch_add(&p->references, 1);
	return p;
}

void vldaa_prov_pseudonym_release(vldaa_prov_pseudonym *p)
{
	while (p != NULL && atomic_fetch_sub(&p->references, 1) == 1) {
		vldaa_prov_pseudonym *successor = atomic_load(&p->successor);

		vldaa_pseudonym_key_free(p->key);
		if (p->token_key != NULL)
			vldaa_prov_token_pseudonym_drop(p->token_key, &p->found);
		vldaa_prov_token_key_release(p->token_key);
		OPENSSL_free(p);
		p = successor;
	}
}

void vldaa_prov_pseudonym_replace(vldaa_prov_pseudonym *p, vldaa_prov_pseudonym *by)
{
	while (p != by) {
		vldaa_prov_pseudonym *none = NULL;

		if (atomic_compare_exchange_strong(&p->successor, &none, by)) {
			(void)vldaa_prov_pseudonym_share(by);
			return;
		}
		p = none; /* which it has already */
	}
}

const vldaa_prov_pseudonym *vldaa_prov_pseudonym_latest(const vldaa_prov_pseudonym *p)
{
	const vldaa_prov_pseudonym *next = p;

	while (next != NULL) {
		p = next;
		next = atomic_load(&p->successor);
	}
	return p;
}

const vldaa_pseudonym_key *vldaa_prov_pseudonym_key(const vldaa_prov_pseudonym *p)
{
	return p->key;
}

const uint8_t *vldaa_prov_pseudonym_attestation(const vldaa_prov_pseudonym *p, size_t *len)
{
	if (p->key != NULL)
		return vldaa_pseudonym_key_attestation(p->key, len);
	*len = p->found.attestation_len;
	return p->found.attestation;
}

const vldaa_object_info *vldaa_prov_pseudonym_info(const vldaa_prov_pseudonym *p)
{
	return p->key != NULL ? vldaa_pseudonym_key_info(p->key) : &p->info;
}

int vldaa_prov_pseudonym_is_current(const vldaa_prov_pseudonym *p)
{
	return p->key != NULL || vldaa_prov_token_pseudonym_is_current(p->token_key, &p->found);
}

int vldaa_prov_pseudonym_sign(vldaa_prov_pseudonym *p, enum vldaa_form form,
			      const vldaa_prov_message *message, uint8_t *out, size_t cap,
			      size_t *len)
{
	return vldaa_prov_token_sign(p->token_key, &p->found, form, message, out, cap, len);
}
