/* C_Initialize, C_Finalize, C_GetInfo. */
#include <string.h>

#include "../session/library.h"
#include "api.h"

void vldaa_p11_blank_pad(CK_UTF8CHAR *field, size_t len, const char *text)
{
	size_t n = strlen(text);

	if (n > len)
		n = len;
	memset(field, ' ', len);
	memcpy(field, text, n);
}

CK_RV C_Initialize(void *init_args)
{
	return vldaa_p11_library_start(init_args);
}

CK_RV C_Finalize(void *reserved)
{
	return reserved == NULL ? vldaa_p11_library_stop() : CKR_ARGUMENTS_BAD;
}

CK_RV C_GetInfo(CK_INFO *info)
{
	CK_RV rv = vldaa_p11_enter();

	if (rv != CKR_OK)
		return rv;
	vldaa_p11_leave();
	if (info == NULL)
		return CKR_ARGUMENTS_BAD;
	memset(info, 0, sizeof *info);
	info->cryptokiVersion = (CK_VERSION){2, 40};
	vldaa_p11_blank_pad(info->manufacturerID, sizeof info->manufacturerID, "V-LDAA");
	vldaa_p11_blank_pad(info->libraryDescription, sizeof info->libraryDescription,
			    "V-LDAA token");
	info->libraryVersion = (CK_VERSION){VLDAA_VERSION_MAJOR, VLDAA_VERSION_MINOR};
	return CKR_OK;
}
