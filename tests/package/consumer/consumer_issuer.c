/* The least program that uses libvldaa-issuer, and with it libvldaa. */
#include <stdio.h>

#include <vldaa/params.h>
#include <vldaa/register.h>

int main(void)
{
	const uint8_t key_id[VLDAA_REGISTER_ID_BYTES] = {1};
	const vldaa_set *set = vldaa_set_at(0);
	vldaa_register *reg = NULL;
	int err =
	    vldaa_register_open(&reg, "no such directory/register", vldaa_set_id(set), key_id);

	printf("%s: %s\n", vldaa_error_name(err), vldaa_register_reason(reg));
	vldaa_register_close(reg);
	return err != VLDAA_ERR_STORE;
}
