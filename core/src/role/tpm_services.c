/* The TPM's services on libcrypto: thin, so that the TPM role itself stays free of it. */
#include "vldaa/tpm_services.h"

#include <string.h>
#include <time.h>

#include "role/evp.h"

static int service_random(void *ctx, uint8_t *out, size_t len)
{
	(void)ctx;
	return vldaa_evp_random(out, len);
}

static int service_now(void *ctx, int64_t *seconds)
{
	time_t t = time(NULL);

	(void)ctx;
	*seconds = (int64_t)t;
	return t < 0 ? VLDAA_ERR_SERVICE : VLDAA_OK;
}

static int service_answer_key(void *ctx, uint8_t private_key[32], uint8_t public_key[32])
{
	(void)ctx;
	return vldaa_seal_keypair(private_key, public_key);
}

static int service_open(void *ctx, enum vldaa_seal_kind kind, const uint8_t key[32],
			const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t in_len,
			uint8_t *out, size_t cap, size_t *len)
{
	(void)ctx;
	if (kind == VLDAA_SEAL_ANSWER)
		return vldaa_unseal(out, cap, len, key, aad, aad_len, in, in_len);
	return vldaa_fleet_open(out, cap, len, key, aad, aad_len, in, in_len);
}

static int service_check(void *ctx, const uint8_t *spki, size_t spki_len, const uint8_t *message,
			 size_t message_len, const uint8_t *signature, size_t signature_len)
{
	(void)ctx;
	return vldaa_evp_verify(spki, spki_len, message, message_len, signature, signature_len);
}

static int service_certificate(void *ctx, uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_tpm_surroundings *s = ctx;

	*len = s->chain_len;
	if (cap < s->chain_len)
		return VLDAA_ERR_BUFFER;
	memcpy(out, s->chain, s->chain_len);
	return VLDAA_OK;
}

static int service_endorse(void *ctx, const uint8_t *message, size_t message_len, uint8_t *out,
			   size_t cap, size_t *len)
{
	const vldaa_tpm_surroundings *s = ctx;

	return vldaa_evp_sign(out, cap, len, s->endorsement_key, s->endorsement_key_len, message,
			      message_len);
}

static int service_load(void *ctx, enum vldaa_record record, const uint8_t *name, uint8_t *out,
			size_t cap, size_t *len)
{
	const vldaa_tpm_surroundings *s = ctx;

	return s->load(s->store, record, name, out, cap, len);
}

static int service_commit(void *ctx, const vldaa_change *changes, size_t count)
{
	const vldaa_tpm_surroundings *s = ctx;

	return s->commit(s->store, changes, count);
}

void vldaa_tpm_services_libcrypto(vldaa_tpm_services *services,
				  vldaa_tpm_surroundings *surroundings)
{
	*services = (vldaa_tpm_services){
	    .ctx = surroundings,
	    .random = service_random,
	    .now = service_now,
	    .answer_key = service_answer_key,
	    .open = service_open,
	    .check = service_check,
	    .certificate = service_certificate,
	    .endorse = service_endorse,
	    .load = service_load,
	    .commit = service_commit,
	};
}

int vldaa_tpm_chain_from_pem(uint8_t *chain, size_t cap, size_t *len, const uint8_t *pem,
			     size_t pem_len)
{
	if ((!chain && cap) || !len || !pem)
		return VLDAA_ERR_ARGUMENT;
	return vldaa_x509_chain_from_pem(chain, cap, len, pem, pem_len);
}
