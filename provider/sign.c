#include "sign.h"

#include <openssl/params.h>
#include <string.h>
#include <time.h>

#include "errors.h"

/* The basename that was given, or the default's; a pseudonym has its own. */
static int choose_basename(const vldaa_prov_key *key, const vldaa_prov_options *options,
			   uint8_t basename[VLDAA_MAX_BASENAME], size_t *len)
{
	vldaa_prov_policy policy;

	*len = options->basename_len;
	memcpy(basename, options->basename, options->basename_len);
	if (*len > 0 || key->kind == VLDAA_PROV_PSEUDONYM)
		return VLDAA_OK;
	policy = vldaa_prov_key_policy(key);
	return vldaa_prov_policy_basename(&policy, (int64_t)time(NULL), basename, len);
}

static int begin(vldaa_prov_signing *s, vldaa_prov_key *key, const vldaa_prov_options *options)
{
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t len;
	int err = choose_basename(key, options, basename, &len);

	s->form = options->has_form ? options->form : VLDAA_FORM_SELF_CONTAINED;
	if (err == VLDAA_OK)
		err = vldaa_prov_key_member(key, &s->member);
	if (err == VLDAA_OK)
		err = vldaa_prov_member_pseudonym(s->member, basename, len, &s->pseudonym);
	if (err == VLDAA_OK && key->in_token == NULL)
		err =
		    vldaa_signing_new(&s->signing, vldaa_prov_pseudonym_key(s->pseudonym), s->form);
	return err;
}

int vldaa_prov_signing_begin(vldaa_prov_signing *s, vldaa_prov_key *key,
			     const vldaa_prov_options *options)
{
	int err;

	vldaa_prov_signing_clear(s);
	if (key->in_token != NULL) {
		err = begin(s, key, options);
	} else {
		OSSL_LIB_CTX *before = vldaa_prov_enter(key->prov);

		err = begin(s, key, options);
		vldaa_prov_leave(before);
	}
	if (err == VLDAA_OK)
		s->is_running = 1;
	else
		vldaa_prov_signing_clear(s);
	return err;
}

int vldaa_prov_signing_copy(vldaa_prov_signing *copy, const vldaa_prov_signing *s)
{
	int err = VLDAA_OK;

	*copy = *s;
	copy->signing = NULL;
	if (s->signing != NULL)
		err = vldaa_signing_copy(&copy->signing, s->signing);
	if (err != VLDAA_OK) {
		memset(copy, 0, sizeof *copy);
		return err;
	}
	copy->message = vldaa_prov_message_copy(&s->message);
	if (s->pseudonym != NULL)
		copy->pseudonym = vldaa_prov_pseudonym_share(s->pseudonym);
	return err;
}

int vldaa_prov_signing_update(vldaa_prov_signing *s, const void *in, size_t len)
{
	return s->signing != NULL ? vldaa_signing_update(s->signing, in, len)
				  : vldaa_prov_message_add(&s->message, in, len);
}

static int end_here(vldaa_prov_signing *s, const vldaa_prov *prov, uint8_t *out, size_t cap,
		    size_t *len)
{
	OSSL_LIB_CTX *before = vldaa_prov_enter(prov);
	int err = vldaa_signing_end(s->signing, out, cap, len);

	vldaa_prov_leave(before);
	return err;
}

/* Whose pseudonym has gone from its token meanwhile has another one found, or made. */
static int end_in_token(vldaa_prov_signing *s, uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_object_info *info;
	vldaa_prov_pseudonym *again;
	int err = vldaa_prov_pseudonym_sign(s->pseudonym, s->form, &s->message, out, cap, len);

	if (err != VLDAA_PROV_ERR_LOST)
		return err;
	info = vldaa_prov_pseudonym_info(s->pseudonym);
	err = vldaa_prov_member_pseudonym(s->member, info->basename, info->basename_len, &again);
	if (err != VLDAA_OK)
		return err;
	vldaa_prov_pseudonym_replace(s->pseudonym, again);
	vldaa_prov_pseudonym_release(s->pseudonym);
	s->pseudonym = again;
	return vldaa_prov_pseudonym_sign(again, s->form, &s->message, out, cap, len);
}

int vldaa_prov_signing_end(vldaa_prov_signing *s, const vldaa_prov *prov, uint8_t *out, size_t cap,
			   size_t *len)
{
	int err =
	    s->signing != NULL ? end_here(s, prov, out, cap, len) : end_in_token(s, out, cap, len);

	if (err != VLDAA_ERR_BUFFER) {
		vldaa_signing_free(s->signing);
		s->signing = NULL;
		vldaa_prov_message_clear(&s->message);
		s->is_running = 0;
	}
	return err;
}

void vldaa_prov_signing_clear(vldaa_prov_signing *s)
{
	vldaa_signing_free(s->signing);
	vldaa_prov_message_clear(&s->message);
	vldaa_prov_pseudonym_release(s->pseudonym);
	memset(s, 0, sizeof *s);
}

size_t vldaa_prov_signature_size(const vldaa_set *set, const vldaa_prov_options *options)
{
	switch (options->has_form ? options->form : VLDAA_FORM_SELF_CONTAINED) {
	case VLDAA_FORM_BARE:
		return vldaa_set_bare_size(set);
	case VLDAA_FORM_COMPACT:
		return vldaa_object_max_size(set, VLDAA_KIND_COMPACT);
	default:
		return vldaa_object_max_size(set, VLDAA_KIND_SIGNATURE);
	}
}

int vldaa_prov_signing_get(const vldaa_prov_signing *s, OSSL_PARAM params[])
{
	const vldaa_prov_pseudonym *p = vldaa_prov_pseudonym_latest(s->pseudonym);
	const vldaa_object_info *info = p != NULL ? vldaa_prov_pseudonym_info(p) : NULL;
	size_t len = 0;
	const uint8_t *attestation = p != NULL ? vldaa_prov_pseudonym_attestation(p, &len) : NULL;
	const struct {
		const char *name;
		const void *octets;
		size_t len;
	} known[] = {
	    {"attestation", attestation, len},
	    {"attestation-digest", info != NULL ? info->digest : NULL, VLDAA_DIGEST_BYTES},
	    {"basename", info != NULL ? info->basename : NULL,
	     info != NULL ? info->basename_len : 0},
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		OSSL_PARAM *param = OSSL_PARAM_locate(params, known[i].name);

		if (param != NULL &&
		    (known[i].octets == NULL ||
		     !OSSL_PARAM_set_octet_string(param, known[i].octets, known[i].len)))
			return 0;
	}
	return 1;
}
