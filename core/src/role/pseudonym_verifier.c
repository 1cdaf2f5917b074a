/* A verifier for one pseudonym, without its group's key. */
#include <string.h>

#include "role/verifier_state.h"

/* The group that an attestation names, of which nothing else is known. */
static int open_group(vldaa_group *group, const vldaa_attestation_parts *parts)
{
	const vldaa_scheme *scheme = parts->set->scheme;

	group->set = parts->set;
	memcpy(group->key_id, parts->key_id, sizeof group->key_id);
	group->context = vldaa_memory_new(vldaa_group_size(group, VLDAA_PART_GROUP_CONTEXT));
	if (!group->context)
		return VLDAA_ERR_MEMORY;
	return scheme->group_init(group->context, group->set, NULL, group->key_id);
}

static int open_pseudonym(vldaa_attestation *a, const vldaa_group *g,
			  const vldaa_attestation_parts *parts)
{
	const size_t workspace_len = vldaa_group_size(g, VLDAA_PART_VERIFY_WORKSPACE);
	void *workspace;
	int err = VLDAA_ERR_MEMORY;

	/* the pseudonym comes first in the payload */
	if (parts->payload.len < vldaa_group_size(g, VLDAA_PART_NYM))
		return VLDAA_ERR_TRUNCATED;
	a->pseudonym_len = vldaa_group_size(g, VLDAA_PART_PSEUDONYM_CONTEXT);
	a->pseudonym = vldaa_memory_new(a->pseudonym_len);
	workspace = vldaa_memory_new(workspace_len);
	if (a->pseudonym && workspace)
		err = g->set->scheme->nym_init(g->context, workspace, parts->basename,
					       parts->payload.bytes, a->pseudonym);
	vldaa_memory_free(workspace, workspace_len);
	a->unverified = 1;
	a->set = g->set;
	memcpy(a->key_id, g->key_id, sizeof a->key_id);
	memcpy(a->basename, parts->basename.bytes, parts->basename.len);
	a->basename_len = parts->basename.len;
	return err;
}

int vldaa_verifier_new_pseudonym(vldaa_verifier **verifier, vldaa_attestation **pseudonym,
				 const uint8_t *attestation, size_t len)
{
	vldaa_attestation_parts parts;
	vldaa_verifier *v;
	vldaa_attestation *a;
	int err;

	if (verifier)
		*verifier = NULL;
	if (pseudonym)
		*pseudonym = NULL;
	if (!verifier || !pseudonym || !attestation)
		return VLDAA_ERR_ARGUMENT;
	err = vldaa_read_attestation(&parts, attestation, len);
	if (err)
		return err;
	v = vldaa_memory_new(sizeof *v);
	a = vldaa_memory_new(sizeof *a);
	err = v && a ? open_group(&v->group, &parts) : VLDAA_ERR_MEMORY;
	if (!err) {
		v->alone = 1;
		err = open_pseudonym(a, &v->group, &parts);
	}
	if (err) {
		vldaa_attestation_free(a);
		vldaa_verifier_free(v);
		return err;
	}
	vldaa_attestation_bytes_digest(parts.set, (vldaa_bytes){attestation, len}, a->digest);
	*verifier = v;
	*pseudonym = a;
	return VLDAA_OK;
}
