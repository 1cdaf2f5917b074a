/* Members and pseudonyms in software, as key files hold them: what is read signs, and verifies. */
#include "fuzz.h"
#include "vldaa/member_key.h"

/* One that is read signs; whether its attestation holds is seen when it is verified. */
static void pseudonym(fuzz_member *m, const uint8_t *data, size_t size, int own)
{
	vldaa_pseudonym_key *k = NULL;
	vldaa_signing *s = NULL;
	vldaa_attestation *a = NULL;
	size_t att_len = 0, len = 1;
	int err = vldaa_pseudonym_key_new(&k, data, size);

	require((err == 0) == (k != NULL));
	require(err == VLDAA_OK || is_refusal(err));
	if (err)
		return;
	fuzz_accepted++;
	require(vldaa_signing_new(&s, k, VLDAA_FORM_COMPACT) == VLDAA_OK);
	require(vldaa_signing_update(s, "x", 1) == VLDAA_OK);
	require(vldaa_signing_end(s, m->out, sizeof m->out, &len) == VLDAA_OK);
	const uint8_t *att = vldaa_pseudonym_key_attestation(k, &att_len);
	err = vldaa_attestation_new(&a, m->w.verifier, att, att_len);
	require(err == VLDAA_OK || (is_refusal(err) && !own));
	if (!err)
		require(world_verify(&m->w, (buffer){m->out, len}, a, "x", 1) == VLDAA_OK);
	vldaa_attestation_free(a);
	vldaa_signing_free(s);
	vldaa_pseudonym_key_free(k);
}

static void member(fuzz_member *m, const uint8_t *data, size_t size)
{
	static uint8_t made[131072];
	vldaa_member_key *k = NULL;
	size_t len = 1;
	int err = vldaa_member_key_new(&k, data, size);

	require((err == 0) == (k != NULL));
	require(err == VLDAA_OK || err == VLDAA_ERR_NO_CREDENTIAL || is_refusal(err));
	if (err)
		return;
	fuzz_accepted++;
	err = vldaa_member_key_create(k, (const uint8_t *)"one", 3, made, sizeof made, &len);
	if (err)
		require(err == VLDAA_ERR_TOMBSTONE || err == VLDAA_ERR_EXHAUSTED);
	else
		pseudonym(m, made, len, 1);
	vldaa_member_key_free(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_member *m = fuzz_member_for(data, size);

	if (size > 4 && data[4] == VLDAA_KIND_PSEUDONYM)
		pseudonym(m, data, size, 0);
	else
		member(m, data, size);
	return 0;
}
