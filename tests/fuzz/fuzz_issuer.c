/* Join requests, with and without their endorsement; key files of issuers and groups. */
#include <string.h>

#include "fuzz.h"
#include "role/group.h"
#include "role/memory.h"

/* The proofs of a request, without certificate and endorsement signature, which stop everything
 * else. */
static void verify_proofs(const fuzz_member *m, const uint8_t *data, size_t size)
{
	static const uint8_t bind[VLDAA_NONCE_BYTES + VLDAA_DIGEST_BYTES];
	vldaa_bytes join_tpm, join_host;
	const uint8_t *nonce;
	vldaa_group g;
	vldaa_reader rd;
	uint8_t members[2][4096];

	require(vldaa_group_open(&g, m->w.group_key.data, m->w.group_key.len) == VLDAA_OK);
	vldaa_get_init(&rd, data, size);
	vldaa_get_group_header(&rd, VLDAA_KIND_JOIN_REQUEST, g.set, g.key_id);
	nonce = vldaa_get_view(&rd, VLDAA_NONCE_BYTES);
	join_tpm = vldaa_get_bytes_block(&rd, vldaa_group_size(&g, VLDAA_PART_JOIN_TPM));
	join_host = vldaa_get_bytes_block(&rd, vldaa_group_size(&g, VLDAA_PART_JOIN_HOST));
	if (!rd.error) {
		const size_t len = vldaa_group_size(&g, VLDAA_PART_VERIFY_WORKSPACE);
		void *workspace = vldaa_memory_new(len);
		/* Both proofs in the host's role, which is bound to the nonce only. */
		int err = g.set->scheme->join_verify(g.context, workspace,
						     (vldaa_bytes){bind, sizeof bind},
						     (vldaa_bytes){nonce, VLDAA_NONCE_BYTES},
						     join_tpm, join_host, members[0], members[1]);

		require(err == VLDAA_OK || is_refusal(err));
		vldaa_memory_free(workspace, len);
	}
	vldaa_group_close(&g);
}

static void check(fuzz_member *m, const uint8_t *data, size_t size)
{
	uint8_t digest[VLDAA_DIGEST_BYTES];
	vldaa_request_info info;
	int err = vldaa_issuer_check(m->w.issuer, data, size, m->w.roots_pem.data,
				     m->w.roots_pem.len, m->w.now, &info);

	fuzz_accepted += !err;
	if (err) {
		/* CRYPTO: an endorsement key that libcrypto cannot verify with */
		require(is_refusal(err) || err == VLDAA_ERR_CRYPTO);
		info.reason = NULL;
		require(all_zero(&info, sizeof info));
	}
	err = vldaa_issuer_request_digest(m->w.issuer, data, size, digest);
	if (err)
		require(is_refusal(err) && all_zero(digest, sizeof digest));
	verify_proofs(m, data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_member *m = fuzz_member_for(data, size);
	vldaa_issuer *is = NULL;
	vldaa_verifier *v = NULL;
	vldaa_host *h = NULL;
	int err;

	switch (size > 4 ? data[4] : VLDAA_KIND_JOIN_REQUEST) {
	case VLDAA_KIND_ISSUER_KEY:
		err = vldaa_issuer_new(&is, data, size);
		require((err == 0) == (is != NULL));
		fuzz_accepted += !err;
		vldaa_issuer_free(is);
		break;
	case VLDAA_KIND_GROUP_KEY:
		err = vldaa_verifier_new(&v, data, size);
		require(err == vldaa_host_new(&h, data, size));
		require((err == 0) == (v != NULL) && (err == 0) == (h != NULL));
		fuzz_accepted += !err;
		vldaa_verifier_free(v);
		vldaa_host_free(h);
		break;
	default:
		check(m, data, size);
	}
	return 0;
}
