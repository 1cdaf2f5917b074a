#include "scheme/ntru_secret.h"

#include <string.h>

#include "random/secret.h"
#include "vldaa/error.h"
#include "wire/pack.h"

size_t vldaa_ntru_secret_size(const vldaa_ntru_set *set)
{
	return 2 * vldaa_pack_small_size(set->ring.d, set->fg_max) +
	       vldaa_pack_small_size(set->ring.d, set->FG_max);
}

void vldaa_ntru_secret_pack(const vldaa_ntru_set *set, vldaa_writer *w, const vldaa_ntru_key *key)
{
	vldaa_pack_small(w, key->f, set->ring.d, set->fg_max);
	vldaa_pack_small(w, key->g, set->ring.d, set->fg_max);
	vldaa_pack_small(w, key->F, set->ring.d, set->FG_max);
}

void vldaa_ntru_secret_unpack(const vldaa_ntru_set *set, vldaa_reader *r, vldaa_ntru_key *key,
			      int64_t *h)
{
	memset(key, 0, sizeof *key);
	memset(h, 0, set->ring.d * sizeof *h);
	vldaa_unpack_small(r, key->f, set->ring.d, set->fg_max);
	vldaa_unpack_small(r, key->g, set->ring.d, set->fg_max);
	vldaa_unpack_small(r, key->F, set->ring.d, set->FG_max);
	if (r->error != VLDAA_OK)
		vldaa_wipe(key, sizeof *key);
	else if (vldaa_ntru_complete(set, key, h) != VLDAA_OK)
		vldaa_get_fail(r, VLDAA_ERR_KEY);
}
