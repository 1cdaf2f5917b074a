#include "sets.h"

#include <string.h>

#include "functions.h"
#include "vldaa/keyfile.h"

/* --- the sets ----------------------------------------------------------------------------------
 */

/* The object identifier ends with the set's number in encodings (core/README.md), in decimal. */
static const struct {
	const char *name;
	const char *oid;
	const char *names; /* as OpenSSL wants them */
	const char *description;
} sets[VLDAA_PROV_SETS] = {
    {"VLDAA2-44", VLDAA_KEYFILE_OID_BASE ".131073", "VLDAA2-44:" VLDAA_KEYFILE_OID_BASE ".131073",
     "V-LDAA with ML-DSA-44 pseudonyms"},
    {"VLDAA2-87", VLDAA_KEYFILE_OID_BASE ".131074", "VLDAA2-87:" VLDAA_KEYFILE_OID_BASE ".131074",
     "V-LDAA with ML-DSA-87 pseudonyms"},
    {"VLDAA-128", VLDAA_KEYFILE_OID_BASE ".65538", "VLDAA-128:" VLDAA_KEYFILE_OID_BASE ".65538",
     "V-LDAA as published, for comparison: forgeable"},
    {"VLDAA-256", VLDAA_KEYFILE_OID_BASE ".65539", "VLDAA-256:" VLDAA_KEYFILE_OID_BASE ".65539",
     "V-LDAA as published, for comparison: forgeable"},
    {"VLDAA-42", VLDAA_KEYFILE_OID_BASE ".65537", "VLDAA-42:" VLDAA_KEYFILE_OID_BASE ".65537",
     "V-LDAA as published, for comparison: forgeable"},
};

const char *vldaa_prov_set_name(size_t index)
{
	return sets[index].name;
}

const char *vldaa_prov_set_oid(size_t index)
{
	return sets[index].oid;
}

/*
 * OpenSSL makes keys, key generations and decoders of an algorithm without a word about which
 * algorithm it is: every set has functions of its own for that.
 */
static void *new_key_0(void *provctx)
{
	return vldaa_prov_key_new_for(provctx, 0);
}

static void *new_key_1(void *provctx)
{
	return vldaa_prov_key_new_for(provctx, 1);
}

static void *new_key_2(void *provctx)
{
	return vldaa_prov_key_new_for(provctx, 2);
}

static void *new_key_3(void *provctx)
{
	return vldaa_prov_key_new_for(provctx, 3);
}

static void *new_key_4(void *provctx)
{
	return vldaa_prov_key_new_for(provctx, 4);
}

static void *new_generation_0(void *provctx, int selection, const OSSL_PARAM params[])
{
	return vldaa_prov_generation_new(provctx, selection, params, 0);
}

static void *new_generation_1(void *provctx, int selection, const OSSL_PARAM params[])
{
	return vldaa_prov_generation_new(provctx, selection, params, 1);
}

static void *new_generation_2(void *provctx, int selection, const OSSL_PARAM params[])
{
	return vldaa_prov_generation_new(provctx, selection, params, 2);
}

static void *new_generation_3(void *provctx, int selection, const OSSL_PARAM params[])
{
	return vldaa_prov_generation_new(provctx, selection, params, 3);
}

static void *new_generation_4(void *provctx, int selection, const OSSL_PARAM params[])
{
	return vldaa_prov_generation_new(provctx, selection, params, 4);
}

static void *new_decoder_0(void *provctx)
{
	return vldaa_prov_decoder_new(provctx, 0);
}

static void *new_decoder_1(void *provctx)
{
	return vldaa_prov_decoder_new(provctx, 1);
}

static void *new_decoder_2(void *provctx)
{
	return vldaa_prov_decoder_new(provctx, 2);
}

static void *new_decoder_3(void *provctx)
{
	return vldaa_prov_decoder_new(provctx, 3);
}

static void *new_decoder_4(void *provctx)
{
	return vldaa_prov_decoder_new(provctx, 4);
}

static OSSL_FUNC_keymgmt_new_fn *const new_key[VLDAA_PROV_SETS] = {
    new_key_0, new_key_1, new_key_2, new_key_3, new_key_4,
};
static OSSL_FUNC_keymgmt_gen_init_fn *const new_generation[VLDAA_PROV_SETS] = {
    new_generation_0, new_generation_1, new_generation_2, new_generation_3, new_generation_4,
};
static OSSL_FUNC_decoder_newctx_fn *const new_decoder[VLDAA_PROV_SETS] = {
    new_decoder_0, new_decoder_1, new_decoder_2, new_decoder_3, new_decoder_4,
};

/* --- the tables --------------------------------------------------------------------------------
 */

static const struct {
	const char *property;
	const OSSL_DISPATCH *functions;
} encoders[VLDAA_PROV_ENCODERS] = {
    {"provider=vldaa,output=der,structure=PrivateKeyInfo", vldaa_prov_encode_private_der},
    {"provider=vldaa,output=pem,structure=PrivateKeyInfo", vldaa_prov_encode_private_pem},
    {"provider=vldaa,output=der,structure=EncryptedPrivateKeyInfo",
     vldaa_prov_encode_encrypted_der},
    {"provider=vldaa,output=pem,structure=EncryptedPrivateKeyInfo",
     vldaa_prov_encode_encrypted_pem},
    {"provider=vldaa,output=der,structure=SubjectPublicKeyInfo", vldaa_prov_encode_public_der},
    {"provider=vldaa,output=pem,structure=SubjectPublicKeyInfo", vldaa_prov_encode_public_pem},
    {"provider=vldaa,output=text", vldaa_prov_encode_text},
};

static const struct {
	const char *property;
	const OSSL_DISPATCH *functions;
} decoders[VLDAA_PROV_DECODERS] = {
    {"provider=vldaa,input=der,structure=PrivateKeyInfo", vldaa_prov_decode_private},
    {"provider=vldaa,input=der,structure=SubjectPublicKeyInfo", vldaa_prov_decode_public},
};

/* The functions of one set: first what depends on it, then what does not. */
static const OSSL_DISPATCH *compose(OSSL_DISPATCH out[VLDAA_PROV_FUNCTIONS],
				    const OSSL_DISPATCH *own, size_t count,
				    const OSSL_DISPATCH *common)
{
	size_t n = 0;

	for (; n < count; n++)
		out[n] = own[n];
	for (; common->function_id != 0 && n + 1 < VLDAA_PROV_FUNCTIONS; common++)
		out[n++] = *common;
	out[n].function_id = 0;
	out[n].function = NULL;
	return out;
}

static OSSL_ALGORITHM algorithm(size_t set, const char *property, const OSSL_DISPATCH *functions)
{
	const OSSL_ALGORITHM a = {sets[set].names, property, functions, sets[set].description};

	return a;
}

void vldaa_prov_algorithms_init(vldaa_prov_algorithms *a)
{
	memset(a, 0, sizeof *a);
	for (size_t s = 0; s < VLDAA_PROV_SETS; s++) {
		const OSSL_DISPATCH key[] = {
		    {OSSL_FUNC_KEYMGMT_NEW, (void (*)(void))new_key[s]},
		    {OSSL_FUNC_KEYMGMT_GEN_INIT, (void (*)(void))new_generation[s]},
		};
		const OSSL_DISPATCH decoder = {OSSL_FUNC_DECODER_NEWCTX,
					       (void (*)(void))new_decoder[s]};

		a->keymgmt[s] = algorithm(
		    s, "provider=vldaa",
		    compose(a->functions[s][VLDAA_PROV_DECODERS], key, 2, vldaa_prov_keymgmt));
		a->signature[s] = algorithm(s, "provider=vldaa", vldaa_prov_signature);
		for (size_t i = 0; i < VLDAA_PROV_ENCODERS; i++)
			a->encoder[s * VLDAA_PROV_ENCODERS + i] =
			    algorithm(s, encoders[i].property, encoders[i].functions);
		for (size_t i = 0; i < VLDAA_PROV_DECODERS; i++)
			a->decoder[s * VLDAA_PROV_DECODERS + i] = algorithm(
			    s, decoders[i].property,
			    compose(a->functions[s][i], &decoder, 1, decoders[i].functions));
	}
}
