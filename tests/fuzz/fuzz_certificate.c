/* Certificates and chains, in PEM and DER; ordinary keys and signatures. */
#include <string.h>

#include "fuzz.h"
#include "role/evp.h"

static void chain(const fuzz_member *m, const uint8_t *data, size_t size)
{
	uint8_t spki[4096], id[VLDAA_X509_ID_BYTES];
	const char *reason;
	size_t len = 1;
	int err = vldaa_x509_check_chain(spki, sizeof spki, &len, id, &reason, m->w.roots_pem.data,
					 m->w.roots_pem.len, data, size, m->w.now);

	fuzz_accepted += !err;
	if (!err) {
		require(reason == NULL && len <= sizeof spki);
		return;
	}
	require(all_zero(id, sizeof id) && all_zero(spki, sizeof spki));
	require(err == VLDAA_ERR_BUFFER || (len == 0 && reason != NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_member *m = fuzz_member_for(NULL, 0);
	uint8_t id[VLDAA_X509_ID_BYTES];
	size_t len = 1;
	int err;

	chain(m, data, size);
	err = vldaa_x509_certificate_id(id, data, size);
	require(err != VLDAA_ERR_INTERNAL);
	if (err)
		require(all_zero(id, sizeof id));
	err = vldaa_x509_chain_from_pem(m->out, sizeof m->out, &len, data, size);
	if (!err) {
		require(len <= sizeof m->out);
		chain(m, m->out, len);
	} else {
		require(all_zero(m->out, sizeof m->out));
	}
	err = vldaa_evp_verify(data, size, "x", 1, data, size);
	require(err != VLDAA_OK);
	err = vldaa_evp_public_from_private(m->out, sizeof m->out, &len, data, size);
	require(err == VLDAA_OK || all_zero(m->out, sizeof m->out));
	err =
	    vldaa_evp_verify(m->w.authority.spki.data, m->w.authority.spki.len, "x", 1, data, size);
	require(err == VLDAA_ERR_PROOF);
	return 0;
}
