/* What a host, an issuer or a revocation authority may send to a TPM. */
#include "fuzz.h"

static void accept(fuzz_member *m, const uint8_t *data, size_t size)
{
	size_t len = 1, tpm_public_len;
	uint8_t tpm_public[4096];
	int err = vldaa_tpm_accept(m->c.tpm, data, size, m->out, sizeof m->out, &len);

	require_outcome(err, m->out, sizeof m->out, len);
	if (err)
		return;
	/* What the TPM hands on unread, its host reads. */
	require(vldaa_tpm_public_key(m->c.tpm, vldaa_host_key_id(m->c.host), tpm_public,
				     sizeof tpm_public, &tpm_public_len) == VLDAA_OK);
	err = vldaa_host_accept(m->c.host, m->out, len, tpm_public, tpm_public_len);
	require(err == VLDAA_OK || is_refusal(err));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_member *m = fuzz_member_for(data, size);
	size_t len = 1;
	int err = VLDAA_ERR_KIND;

	fuzz_member_reset(m);
	switch (size > 4 ? data[4] : VLDAA_KIND_CREATE_CALL) {
	case VLDAA_KIND_GROUP_KEY:
		err = vldaa_tpm_keygen(m->c.tpm, data, size);
		fuzz_accepted += !err;
		break;
	case VLDAA_KIND_JOIN_CALL:
		err = vldaa_tpm_request(m->c.tpm, data, size, m->out, sizeof m->out, &len);
		require_outcome(err, m->out, sizeof m->out, len);
		break;
	case VLDAA_KIND_JOIN_ANSWER:
		accept(m, data, size);
		return 0;
	case VLDAA_KIND_SEALED_ORDER:
		err = vldaa_tpm_obey(m->c.tpm, data, size, m->out, sizeof m->out, &len);
		require_outcome(err, m->out, sizeof m->out, len);
		break;
	default:
		err = vldaa_tpm_create(m->c.tpm, data, size, m->out, sizeof m->out, &len);
		require_outcome(err, m->out, sizeof m->out, len);
	}
	if (err)
		require(store_same(&m->c.store, m->kept_state));
	return 0;
}
