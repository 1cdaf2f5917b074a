/* What verifiers and revocation authorities read; inspect reads it too. */
#include <string.h>

#include "fuzz.h"

static void attestation(const fuzz_member *m, const uint8_t *data, size_t size)
{
	vldaa_attestation *a = NULL;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	int err = vldaa_attestation_new(&a, m->w.verifier, data, size), linked;

	require((err == 0) == (a != NULL));
	require(err == VLDAA_OK || is_refusal(err));
	fuzz_accepted += !err;
	if (!err)
		require(vldaa_link(a, m->a, &linked) == VLDAA_OK);
	vldaa_attestation_free(a);
	err = vldaa_attestation_digest_of(data, size, digest);
	if (err)
		require(is_refusal(err) && all_zero(digest, sizeof digest));
}

static void signature(const fuzz_member *m, const uint8_t *data, size_t size,
		      const vldaa_attestation *known)
{
	vldaa_verification *v = NULL;
	int err = vldaa_verification_new(&v, m->w.verifier, data, size, known, NULL, 0);

	require((err == 0) == (v != NULL));
	if (!err)
		err = vldaa_verification_update(v, "x", 1);
	if (!err)
		err = vldaa_verification_end(v);
	require(err == VLDAA_OK || is_refusal(err));
	fuzz_accepted += !err;
	vldaa_verification_free(v);
}

static void list(fuzz_member *m, const uint8_t *data, size_t size)
{
	const uint8_t *const inputs[] = {data};
	vldaa_verifier *v = NULL;
	vldaa_attestation *a = NULL;
	size_t len = 1;
	int err;

	require(vldaa_verifier_new(&v, m->w.group_key.data, m->w.group_key.len) == VLDAA_OK);
	err = vldaa_verifier_add_list(v, data, size);
	require(err == VLDAA_OK || is_refusal(err));
	fuzz_accepted += !err;
	if (!err) {
		err = vldaa_attestation_new(&a, v, m->att.data, m->att.len);
		require(err == VLDAA_OK || err == VLDAA_ERR_ROGUE || err == VLDAA_ERR_REVOKED);
		vldaa_attestation_free(a);
	}
	vldaa_verifier_free(v);
	/* Lists and extracted keys into a new list. */
	err = vldaa_rogue_list(inputs, &size, 1, m->out, sizeof m->out, &len);
	if (err && err != VLDAA_ERR_BUFFER)
		require_outcome(err, m->out, sizeof m->out, len);
}

static int confirm(const fuzz_member *m, vldaa_bytes order, vldaa_bytes confirmation,
		   vldaa_bytes token)
{
	int err =
	    vldaa_confirmation_check(m->w.verifier, order.bytes, order.len, confirmation.bytes,
				     confirmation.len, token.bytes, token.len);

	require(err == VLDAA_OK || is_refusal(err));
	fuzz_accepted += !err;
	return err;
}

static void order(fuzz_member *m, const uint8_t *data, size_t size)
{
	const uint8_t *const orders[] = {data};
	vldaa_order_terms terms;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	size_t len = 1;
	int err = vldaa_order_read(data, size, &terms, digest);

	if (err)
		require(is_refusal(err) && all_zero(&terms, sizeof terms) &&
			all_zero(digest, sizeof digest));
	require(vldaa_revoked_list(orders, &size, 1, m->out, sizeof m->out, &len) == err);
	if (!err) {
		/* What gets into a list gets into a verifier. */
		vldaa_object_info info;
		vldaa_verifier *v = NULL;

		require(vldaa_object_inspect(&info, m->out, len) == VLDAA_OK);
		require(vldaa_verifier_new(&v, m->w.group_key.data, m->w.group_key.len) ==
			VLDAA_OK);
		err = vldaa_verifier_add_list(v, m->out, len);
		require(err == VLDAA_OK || err == VLDAA_ERR_WRONG_ISSUER);
		vldaa_verifier_free(v);
	}
}

/* A bare signature has no header: its length says whose it is. */
static const vldaa_set *set_of_bare(size_t size)
{
	for (size_t i = 0; vldaa_set_at(i); i++) {
		if (size > 0 && vldaa_set_bare_size(vldaa_set_at(i)) == size)
			return vldaa_set_at(i);
	}
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const vldaa_set *bare = set_of_bare(size);
	fuzz_member *m = bare ? fuzz_member_of(bare) : fuzz_member_for(data, size);
	const vldaa_bytes in = {data, size};
	const vldaa_bytes o = {m->order.data, m->order.len};
	const vldaa_bytes c = {m->confirmation.data, m->confirmation.len};
	const vldaa_bytes t = {m->token.data, m->token.len};
	vldaa_object_info info;
	int err = vldaa_object_inspect(&info, data, size);

	if (err)
		require(all_zero(&info, sizeof info) && strcmp(vldaa_error_name(err), "UNKNOWN"));
	else
		require(info.len == size && info.basename_len <= VLDAA_MAX_BASENAME);
	if (bare)
		signature(m, data, size, m->a);
	switch (size > 4 ? data[4] : VLDAA_KIND_ATTESTATION) {
	case VLDAA_KIND_SIGNATURE:
	case VLDAA_KIND_COMPACT:
		signature(m, data, size, NULL);
		signature(m, data, size, m->a);
		break;
	case VLDAA_KIND_ROGUE_LIST:
	case VLDAA_KIND_REVOKED_LIST:
	case VLDAA_KIND_TPM_KEY:
		list(m, data, size);
		break;
	case VLDAA_KIND_ORDER:
		order(m, data, size);
		(void)confirm(m, in, c, t);
		break;
	case VLDAA_KIND_CONFIRMATION:
		(void)confirm(m, o, in, t);
		break;
	case VLDAA_KIND_TOKEN:
		(void)confirm(m, o, c, in);
		break;
	default:
		attestation(m, data, size);
	}
	return 0;
}
