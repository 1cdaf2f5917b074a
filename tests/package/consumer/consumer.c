/* The least program that uses libvldaa from outside: it also compiles as C++. */
#include <stdio.h>

#include <vldaa/params.h>
#include <vldaa/verify.h>

int main(void)
{
	const uint8_t nonsense[] = "not a group key";
	vldaa_verifier *verifier = NULL;
	const vldaa_set *set = vldaa_set_by_name("vldaa-128");
	int err = vldaa_verifier_new(&verifier, nonsense, sizeof nonsense);

	if (!set || err != VLDAA_ERR_KIND || verifier)
		return 1;
	printf("%s: %s\n", vldaa_set_name(set), vldaa_error_text(err));
	return 0;
}
