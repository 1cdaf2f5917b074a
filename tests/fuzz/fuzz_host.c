/* What an issuer or a TPM may send to a host, and what it may find in its files. */
#include "fuzz.h"

static void step(fuzz_member *m, const uint8_t *data, size_t size)
{
	size_t len = 1;
	int done = 1, err;

	/* reset made the randomness of the call that the kept reply answers */
	require(vldaa_host_create_begin(m->c.host, (const uint8_t *)"one", 3, m->out, sizeof m->out,
					&len) == VLDAA_OK);
	err = vldaa_host_create_step(m->c.host, data, size, m->out, sizeof m->out, &len, &done);
	if (err) {
		require_outcome(err, m->out, sizeof m->out, len);
		require(done == 0);
	} else if (done) {
		/* Only what verifies leaves the host. */
		vldaa_attestation *a = NULL;

		require(vldaa_attestation_new(&a, m->w.verifier, m->out, len) == VLDAA_OK);
		vldaa_attestation_free(a);
		fuzz_accepted++;
	}
}

static void accept(fuzz_member *m, const uint8_t *data, size_t size)
{
	uint8_t tpm_public[4096];
	size_t len;
	int err;

	require(vldaa_tpm_public_key(m->c.tpm, vldaa_host_key_id(m->c.host), tpm_public,
				     sizeof tpm_public, &len) == VLDAA_OK);
	err = vldaa_host_accept(m->c.host, data, size, tpm_public, len);
	require(err == VLDAA_OK || is_refusal(err));
	fuzz_accepted += !err;
	err = vldaa_host_load(m->c.host, m->c.host_key.data, m->c.host_key.len, data, size);
	require(err == VLDAA_OK || is_refusal(err));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_member *m = fuzz_member_for(data, size);
	size_t len = 1;
	int err;

	fuzz_member_reset(m);
	switch (size > 4 ? data[4] : VLDAA_KIND_CREATE_REPLY) {
	case VLDAA_KIND_NONCE:
		err = vldaa_host_join(m->c.host, data, size, m->out, sizeof m->out, &len);
		require_outcome(err, m->out, sizeof m->out, len);
		break;
	case VLDAA_KIND_HOST_KEY:
		err = vldaa_host_load(m->c.host, data, size, NULL, 0);
		require(err == VLDAA_OK || is_refusal(err));
		fuzz_accepted += !err;
		break;
	case VLDAA_KIND_CREDENTIAL:
		accept(m, data, size);
		break;
	case VLDAA_KIND_ATTESTATION:
		err = vldaa_host_signature(m->c.host, VLDAA_FORM_COMPACT, data, size, data, 3,
					   m->out, sizeof m->out, &len);
		require_outcome(err, m->out, sizeof m->out, len);
		break;
	default:
		step(m, data, size);
	}
	return 0;
}
