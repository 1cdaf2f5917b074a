#include "signer.h"

#include <stdatomic.h>
#include <stdlib.h>

struct vldaa_p11_signer {
	atomic_uint references;
	vldaa_pseudonym_key *key;
};

int vldaa_p11_signer_new(vldaa_p11_signer **signer, const uint8_t *pseudonym, size_t len)
{
	vldaa_p11_signer *s = malloc(sizeof *s);
	int err = s != NULL ? vldaa_pseudonym_key_new(&s->key, pseudonym, len) : VLDAA_ERR_MEMORY;

	*signer = NULL;
	if (err) {
		free(s);
		return err;
	}
	atomic_init(&s->references, 1);
	*signer = s;
	return VLDAA_OK;
}

vldaa_p11_signer *vldaa_p11_signer_share(vldaa_p11_signer *signer)
{
	(void)atomic_fetch_add(&signer->references, 1);
	return signer;
}

void vldaa_p11_signer_release(vldaa_p11_signer *signer)
{
	if (signer == NULL || atomic_fetch_sub(&signer->references, 1) != 1)
		return;
	vldaa_pseudonym_key_free(signer->key);
	free(signer);
}

void vldaa_p11_signer_claim(vldaa_p11_signer *signer)
{
	if (signer != NULL)
		atomic_store(&signer->references, 1);
}

const vldaa_pseudonym_key *vldaa_p11_signer_key(const vldaa_p11_signer *signer)
{
	return signer->key;
}
