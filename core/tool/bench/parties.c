#include "bench/parties.h"

#include <string.h>
#include <time.h>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "ntru_solver.h"

/* --- ordinary keys and certificates ------------------------------------------------------------
 */

/* What an i2d function gives. */
static int take_der(vldaa_bytes_out *out, unsigned char *der, int len)
{
	if (len <= 0)
		return VLDAA_ERR_CRYPTO;
	out->data = der;
	out->cap = out->len = (size_t)len;
	return VLDAA_OK;
}

static int private_der(vldaa_bytes_out *out, EVP_PKEY *key)
{
	PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
	unsigned char *der = NULL;
	const int len = info ? i2d_PKCS8_PRIV_KEY_INFO(info, &der) : 0;

	PKCS8_PRIV_KEY_INFO_free(info);
	return take_der(out, der, len);
}

/* A P-256 key; spki may be NULL. */
static int new_key(vldaa_bytes_out *pkcs8, vldaa_bytes_out *spki)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	unsigned char *der = NULL;
	int err = key ? private_der(pkcs8, key) : VLDAA_ERR_CRYPTO;

	if (!err && spki) {
		const int len = i2d_PUBKEY(key, &der);

		err = take_der(spki, der, len);
	}
	EVP_PKEY_free(key);
	return err;
}

static int add_basic_constraints(X509 *certificate, const char *value)
{
	X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, NULL, NID_basic_constraints, value);
	const int ok = e && X509_add_ext(certificate, e, -1) == 1;

	X509_EXTENSION_free(e);
	return ok;
}

/* A certificate for a year from now; issuer NULL: self-signed. */
static X509 *certify(const char *name, EVP_PKEY *subject, X509 *issuer, EVP_PKEY *signer)
{
	X509 *x = X509_new();
	X509_NAME *n = X509_NAME_new();
	const char *constraints = issuer ? "critical,CA:FALSE" : "critical,CA:TRUE";

	if (x && n &&
	    X509_NAME_add_entry_by_txt(n, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1,
				       0) == 1 &&
	    X509_set_version(x, X509_VERSION_3) == 1 &&
	    ASN1_INTEGER_set(X509_get_serialNumber(x), issuer ? 2 : 1) == 1 &&
	    X509_set_subject_name(x, n) == 1 &&
	    X509_set_issuer_name(x, issuer ? X509_get_subject_name(issuer) : n) == 1 &&
	    X509_gmtime_adj(X509_getm_notBefore(x), -3600) &&
	    X509_gmtime_adj(X509_getm_notAfter(x), 31536000) && X509_set_pubkey(x, subject) == 1 &&
	    add_basic_constraints(x, constraints) && X509_sign(x, signer, EVP_sha256()) > 0) {
		X509_NAME_free(n);
		return x;
	}
	X509_NAME_free(n);
	X509_free(x);
	return NULL;
}

/* One certificate as a chain: its length in four bytes, then its DER. */
static int chain_of(vldaa_bytes_out *chain, X509 *leaf)
{
	unsigned char *p;
	const int len = i2d_X509(leaf, NULL);
	int err = len > 0 ? vldaa_bytes_out_new(chain, (size_t)len + 4) : VLDAA_ERR_CRYPTO;

	if (err)
		return err;
	for (int i = 0; i < 4; i++)
		chain->data[i] = (uint8_t)((uint32_t)len >> (24 - 8 * i));
	p = chain->data + 4;
	(void)i2d_X509(leaf, &p);
	chain->len = chain->cap;
	return VLDAA_OK;
}

/* The manufacturer's root, and a TPM's endorsement key with its certificate. */
static int manufacture(vldaa_bench_parties *p)
{
	EVP_PKEY *root_key = EVP_EC_gen("P-256"), *key = EVP_EC_gen("P-256");
	X509 *root = root_key ? certify("bench manufacturer", root_key, NULL, root_key) : NULL;
	X509 *leaf = root && key ? certify("bench TPM", key, root, root_key) : NULL;
	unsigned char *der = NULL;
	int err = leaf ? private_der(&p->endorsement, key) : VLDAA_ERR_CRYPTO;

	if (!err) {
		const int len = i2d_X509(root, &der);

		err = take_der(&p->roots, der, len);
	}
	if (!err)
		err = chain_of(&p->chain, leaf);
	X509_free(root);
	X509_free(leaf);
	EVP_PKEY_free(root_key);
	EVP_PKEY_free(key);
	return err;
}

/* --- the parties -------------------------------------------------------------------------------
 */

static int found_group(vldaa_bench_parties *p)
{
	vldaa_bytes_out key = {NULL, 0, 0};
	int err = vldaa_bytes_out_new(&key, vldaa_object_max_size(p->set, VLDAA_KIND_ISSUER_KEY));

	if (!err)
		err = vldaa_issuer_keygen(p->set, p->solve, p->authority.data, p->authority.len,
					  key.data, key.cap, &key.len);
	if (!err)
		err = vldaa_issuer_new(&p->issuer, key.data, key.len);
	vldaa_bytes_out_free(&key);
	if (err)
		return err;
	p->group_key = vldaa_issuer_group_key(p->issuer, &p->group_key_len);
	return vldaa_verifier_new(&p->verifier, p->group_key, p->group_key_len);
}

int vldaa_bench_parties_new(vldaa_bench_parties *p, const vldaa_set *set)
{
	int err;

	*p = (vldaa_bench_parties){.set = set, .now = (int64_t)time(NULL)};
	err = vldaa_ntru_solver_for(set, &p->solve);
	if (!err)
		err = manufacture(p);
	if (!err)
		err = new_key(&p->authority, NULL);
	if (!err)
		err = new_key(&p->revocation, &p->revocation_public);
	if (!err && RAND_bytes(p->fleet_key, sizeof p->fleet_key) != 1)
		err = VLDAA_ERR_RANDOM;
	if (!err)
		err = found_group(p);
	return err;
}

void vldaa_bench_parties_free(vldaa_bench_parties *p)
{
	vldaa_verifier_free(p->verifier);
	vldaa_issuer_free(p->issuer);
	vldaa_bytes_out_free(&p->authority);
	vldaa_bytes_out_free(&p->revocation);
	vldaa_bytes_out_free(&p->revocation_public);
	vldaa_bytes_out_free(&p->endorsement);
	vldaa_bytes_out_free(&p->chain);
	vldaa_bytes_out_free(&p->roots);
	OPENSSL_cleanse(p, sizeof *p);
}

/* --- a member ----------------------------------------------------------------------------------
 */

int vldaa_bench_member_new(vldaa_bench_member *m, const vldaa_bench_parties *p)
{
	int err;

	memset(m, 0, sizeof *m);
	m->surroundings = (vldaa_tpm_surroundings){
	    .endorsement_key = p->endorsement.data,
	    .endorsement_key_len = p->endorsement.len,
	    .chain = p->chain.data,
	    .chain_len = p->chain.len,
	    .store = &m->store,
	    .load = vldaa_memory_store_load,
	    .commit = vldaa_memory_store_commit,
	};
	vldaa_tpm_services_libcrypto(&m->services, &m->surroundings);
	m->workspace_len = vldaa_tpm_workspace_size(p->set);
	m->workspace = OPENSSL_malloc(m->workspace_len);
	if (!m->workspace)
		return VLDAA_ERR_MEMORY;
	err = vldaa_tpm_open(&m->tpm, m->workspace, m->workspace_len, &m->services);
	if (!err)
		err = vldaa_host_new(&m->host, p->group_key, p->group_key_len);
	return err;
}

void vldaa_bench_member_free(vldaa_bench_member *m)
{
	vldaa_host_free(m->host);
	if (m->tpm)
		vldaa_tpm_close(m->tpm);
	OPENSSL_clear_free(m->workspace, m->workspace_len);
	vldaa_memory_store_clear(&m->store);
	memset(m, 0, sizeof *m);
}
