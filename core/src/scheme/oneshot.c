/* The scheme of the one-shot sets: its table and sizes, and the group. */
#include "scheme/oneshot_issuer.h"

#include "random/secret.h"
#include "wire/pack.h"

static size_t place_group(const vldaa_oneshot_set *n, void *at)
{
	vldaa_arena a;
	vldaa_os_group local;
	vldaa_os_group *g;

	vldaa_arena_init(&a, at, SIZE_MAX);
	g = vldaa_arena_take(&a, sizeof *g);
	if (!g)
		g = &local;
	vldaa_os_group_layout(g, n, &a);
	return a.used;
}

static int group_init(void *group, const vldaa_set *set, const uint8_t *payload,
		      const uint8_t *key_id)
{
	(void)place_group(vldaa_oneshot_numbers(set), group);
	return vldaa_os_group_load(group, set, payload, key_id);
}

static size_t oneshot_size(const vldaa_set *set, enum vldaa_part part)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(set);
	const size_t nym = vldaa_os_nym_size(n);

	switch (part) {
	case VLDAA_PART_GROUP:
		return vldaa_os_group_payload(n);
	case VLDAA_PART_ISSUER:
		return vldaa_os_issuer_payload(n);
	case VLDAA_PART_TPM_SECRET:
		return vldaa_os_secret_size(n);
	case VLDAA_PART_HOST_SECRET:
	case VLDAA_PART_MEMBER_HOST:
	case VLDAA_PART_JOIN_HOST:
	case VLDAA_PART_CREATE_CALL:
		return 0;
	case VLDAA_PART_MEMBER_TPM:
		return vldaa_os_ut_size(n);
	case VLDAA_PART_TAG:
		return VLDAA_OS_X_BYTES;
	case VLDAA_PART_NYM:
		return nym;
	case VLDAA_PART_ROGUE:
		return vldaa_pack_small_size(n->mldsa->l * VLDAA_MLDSA_N, VLDAA_OS_ROGUE_MAX);
	case VLDAA_PART_JOIN_TPM:
		return vldaa_os_ut_size(n) + n->join->max_bytes;
	case VLDAA_PART_CREDENTIAL:
		return VLDAA_OS_X_BYTES + n->v2_max_bytes;
	case VLDAA_PART_CREATE_REPLY:
	case VLDAA_PART_ATTESTATION:
		return nym + n->attestation->max_bytes;
	case VLDAA_PART_PUBLIC_KEY:
		return n->mldsa->public_bytes;
	case VLDAA_PART_SIGN:
	case VLDAA_PART_BARE:
		return n->mldsa->signature_bytes;
	case VLDAA_PART_NYM_SECRET:
		return vldaa_os_nym_secret_size(n);
	case VLDAA_PART_NYM_CONTEXT:
		return vldaa_os_nym_key_size(n);
	case VLDAA_PART_NYM_CONTEXT_SECRET:
		return vldaa_os_nym_key_secret_size(n);
	case VLDAA_PART_NYM_LOAD_WORKSPACE:
		return vldaa_os_nym_load_size(n);
	case VLDAA_PART_NYM_SIGN_WORKSPACE:
		return sizeof(vldaa_mldsa_workspace);
	case VLDAA_PART_GROUP_CONTEXT:
		return place_group(n, NULL);
	case VLDAA_PART_ISSUER_CONTEXT:
		return vldaa_os_place_issuer(n, NULL);
	case VLDAA_PART_HOST_CONTEXT:
		return vldaa_os_place_host(n, NULL);
	case VLDAA_PART_TPM_WORKSPACE:
		return vldaa_os_place_tpm(n, NULL);
	case VLDAA_PART_PSEUDONYM_CONTEXT:
		return vldaa_os_place_pseudonym(n, NULL);
	case VLDAA_PART_VERIFY_WORKSPACE:
		return vldaa_os_place_workspace(n, NULL);
	}
	return 0;
}

static void oneshot_about(const vldaa_set *set, vldaa_set_about *about)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(set);

	about->name = n->name;
	about->id = n->id;
	about->signature_bits = n->signature_bits;
	about->key_bits = n->key_bits;
	about->anonymity_bits = n->anonymity_bits;
	about->assumptions = n->assumptions;
	about->warning = n->warning;
}

static uint32_t oneshot_creates(const vldaa_set *set)
{
	return vldaa_oneshot_numbers(set)->creates;
}

const vldaa_scheme vldaa_scheme_oneshot = {
    .name = "one-shot proof, ML-DSA pseudonyms",
    .about = oneshot_about,
    .creates = oneshot_creates,
    .size = oneshot_size,
    .issuer_keygen = vldaa_oneshot_issuer_keygen,
    .group_init = group_init,
    .issuer_init = vldaa_oneshot_issuer_init,
    .tpm_keygen = vldaa_oneshot_tpm_keygen,
    .tpm_wipe = vldaa_oneshot_tpm_wipe,
    .tpm_join = vldaa_oneshot_tpm_join,
    .host_keygen = vldaa_oneshot_host_keygen,
    .host_init = vldaa_oneshot_host_init,
    .host_join = vldaa_oneshot_host_join,
    .join_verify = vldaa_oneshot_join_verify,
    .issue = vldaa_oneshot_issue,
    .tpm_accept = vldaa_oneshot_tpm_accept,
    .tpm_public = vldaa_oneshot_tpm_public,
    .host_accept = vldaa_oneshot_host_accept,
    .host_create_begin = vldaa_oneshot_host_create_begin,
    .tpm_create = vldaa_oneshot_tpm_create,
    .host_create_step = vldaa_oneshot_host_create_step,
    .tpm_nym = vldaa_oneshot_tpm_nym,
    .sign_begin = vldaa_oneshot_sign_begin,
    .sign_end = vldaa_oneshot_sign_end,
    .nym_secret = vldaa_oneshot_nym_secret,
    .nym_load = vldaa_oneshot_nym_load,
    .nym_sign_begin = vldaa_oneshot_nym_sign_begin,
    .nym_sign_end = vldaa_oneshot_nym_sign_end,
    .attestation_verify = vldaa_oneshot_attestation_verify,
    .nym_init = vldaa_oneshot_nym_init,
    .verify_begin = vldaa_oneshot_verify_begin,
    .verify_end = vldaa_oneshot_verify_end,
    .pseudonym_nym = vldaa_oneshot_pseudonym_nym,
    .public_key = vldaa_oneshot_public_key,
    .linked = vldaa_oneshot_linked,
    .rogue_nym = vldaa_oneshot_rogue_nym,
    .rogue_member = vldaa_oneshot_rogue_member,
    .rogue_check = vldaa_oneshot_rogue_check,
    .rogue_entry = vldaa_oneshot_rogue_entry,
    .member_near = vldaa_oneshot_member_near,
};
