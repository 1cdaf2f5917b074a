#include "tpm.h"

#include <string.h>

#include "../store/secret.h"

int vldaa_p11_tpm_open(vldaa_p11_tpm *t, vldaa_p11_store *store, const uint8_t *master,
		       const vldaa_set *set)
{
	int err;

	memset(t, 0, sizeof *t);
	t->records.store = store;
	t->records.master = master;
	t->surroundings.store = &t->records;
	t->surroundings.load = vldaa_p11_records_load;
	t->surroundings.commit = vldaa_p11_records_commit;
	vldaa_tpm_services_libcrypto(&t->services, &t->surroundings);
	t->size = vldaa_tpm_workspace_size(set);
	t->workspace = vldaa_p11_secret_new(t->size);
	if (t->workspace == NULL)
		return VLDAA_ERR_MEMORY;
	err = vldaa_tpm_open(&t->tpm, t->workspace, t->size, &t->services);
	if (err)
		vldaa_p11_tpm_close(t);
	return err;
}

int vldaa_p11_tpm_error(const vldaa_p11_tpm *t, int err)
{
	return err == VLDAA_ERR_STORE && t->records.reason ? t->records.reason : err;
}

void vldaa_p11_tpm_close(vldaa_p11_tpm *t)
{
	if (t->tpm != NULL)
		vldaa_tpm_close(t->tpm);
	vldaa_p11_secret_free(t->workspace, t->size);
	memset(t, 0, sizeof *t);
}
