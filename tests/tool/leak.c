/* What an attacker finds who opens a TPM: the member key of a group, from the TPM's store.
 * usage: leak STORE GROUP-KEY OUT */
#include <stdio.h>

#include "keys.h"
#include "report.h"
#include "tpm_store.h"

int main(int argc, char **argv)
{
	static uint8_t key[VLDAA_RECORD_MAX];
	vldaa_tpm_store *store = NULL;
	vldaa_buffer group = {NULL, 0};
	const vldaa_set *set = NULL;
	vldaa_object_info info;
	size_t len = 0;
	int failed = argc != 4 || vldaa_load_group_key(&group, &set, argv[2]) != VLDAA_EXIT_OK ||
		     vldaa_object_inspect(&info, group.data, group.len) != VLDAA_OK ||
		     vldaa_tpm_store_open(&store, argv[1]) != VLDAA_EXIT_OK ||
		     vldaa_tpm_store_load(store, VLDAA_RECORD_MEMBER, info.key_id, key, sizeof key,
					  &len) != VLDAA_OK ||
		     vldaa_write(argv[3], key, len, 0) != VLDAA_EXIT_OK;

	vldaa_tpm_store_close(store);
	vldaa_buffer_free(&group);
	return failed;
}
