/* The function lists, by which programs find everything else. */
#include <string.h>

#include "api.h"
#include "unsupported.h"

VLDAA_P11_EXPORT CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list);

/* --- 2.40 ------------------------------------------------------------------------------------ */

static CK_FUNCTION_LIST functions_2_40 = {
    .version = {2, 40},
    .C_Initialize = C_Initialize,
    .C_Finalize = C_Finalize,
    .C_GetInfo = C_GetInfo,
    .C_GetFunctionList = C_GetFunctionList,
    .C_GetSlotList = C_GetSlotList,
    .C_GetSlotInfo = C_GetSlotInfo,
    .C_GetTokenInfo = C_GetTokenInfo,
    .C_GetMechanismList = C_GetMechanismList,
    .C_GetMechanismInfo = C_GetMechanismInfo,
    .C_InitToken = C_InitToken,
    .C_InitPIN = C_InitPIN,
    .C_SetPIN = C_SetPIN,
    .C_OpenSession = C_OpenSession,
    .C_CloseSession = C_CloseSession,
    .C_CloseAllSessions = C_CloseAllSessions,
    .C_GetSessionInfo = C_GetSessionInfo,
    .C_GetOperationState = C_GetOperationState,
    .C_SetOperationState = C_SetOperationState,
    .C_Login = C_Login,
    .C_Logout = C_Logout,
    .C_CreateObject = C_CreateObject,
    .C_CopyObject = C_CopyObject,
    .C_DestroyObject = C_DestroyObject,
    .C_GetObjectSize = C_GetObjectSize,
    .C_GetAttributeValue = C_GetAttributeValue,
    .C_SetAttributeValue = C_SetAttributeValue,
    .C_FindObjectsInit = C_FindObjectsInit,
    .C_FindObjects = C_FindObjects,
    .C_FindObjectsFinal = C_FindObjectsFinal,
    .C_EncryptInit = C_EncryptInit,
    .C_Encrypt = C_Encrypt,
    .C_EncryptUpdate = C_EncryptUpdate,
    .C_EncryptFinal = C_EncryptFinal,
    .C_DecryptInit = C_DecryptInit,
    .C_Decrypt = C_Decrypt,
    .C_DecryptUpdate = C_DecryptUpdate,
    .C_DecryptFinal = C_DecryptFinal,
    .C_DigestInit = C_DigestInit,
    .C_Digest = C_Digest,
    .C_DigestUpdate = C_DigestUpdate,
    .C_DigestKey = C_DigestKey,
    .C_DigestFinal = C_DigestFinal,
    .C_SignInit = C_SignInit,
    .C_Sign = C_Sign,
    .C_SignUpdate = C_SignUpdate,
    .C_SignFinal = C_SignFinal,
    .C_SignRecoverInit = C_SignRecoverInit,
    .C_SignRecover = C_SignRecover,
    .C_VerifyInit = C_VerifyInit,
    .C_Verify = C_Verify,
    .C_VerifyUpdate = C_VerifyUpdate,
    .C_VerifyFinal = C_VerifyFinal,
    .C_VerifyRecoverInit = C_VerifyRecoverInit,
    .C_VerifyRecover = C_VerifyRecover,
    .C_DigestEncryptUpdate = C_DigestEncryptUpdate,
    .C_DecryptDigestUpdate = C_DecryptDigestUpdate,
    .C_SignEncryptUpdate = C_SignEncryptUpdate,
    .C_DecryptVerifyUpdate = C_DecryptVerifyUpdate,
    .C_GenerateKey = C_GenerateKey,
    .C_GenerateKeyPair = C_GenerateKeyPair,
    .C_WrapKey = C_WrapKey,
    .C_UnwrapKey = C_UnwrapKey,
    .C_DeriveKey = C_DeriveKey,
    .C_SeedRandom = C_SeedRandom,
    .C_GenerateRandom = C_GenerateRandom,
    .C_GetFunctionStatus = C_GetFunctionStatus,
    .C_CancelFunction = C_CancelFunction,
    .C_WaitForSlotEvent = C_WaitForSlotEvent,
};

/* --- 3.0 -------------------------------------------------------------------------------------- */

/* The list of 2.40, its version apart, and behind it what is new, in the standard's order. */
typedef struct {
	CK_FUNCTION_LIST base;
	vldaa_ck_get_interface_list *C_GetInterfaceList;
	vldaa_ck_get_interface *C_GetInterface;
	vldaa_ck_login_user *C_LoginUser;
	vldaa_ck_session_cancel *C_SessionCancel;
	vldaa_ck_message_init *C_MessageEncryptInit;
	vldaa_ck_message_crypt *C_EncryptMessage;
	vldaa_ck_message_crypt_begin *C_EncryptMessageBegin;
	vldaa_ck_message_crypt_next *C_EncryptMessageNext;
	vldaa_ck_message_final *C_MessageEncryptFinal;
	vldaa_ck_message_init *C_MessageDecryptInit;
	vldaa_ck_message_crypt *C_DecryptMessage;
	vldaa_ck_message_crypt_begin *C_DecryptMessageBegin;
	vldaa_ck_message_crypt_next *C_DecryptMessageNext;
	vldaa_ck_message_final *C_MessageDecryptFinal;
	vldaa_ck_message_init *C_MessageSignInit;
	vldaa_ck_message_sign *C_SignMessage;
	vldaa_ck_message_begin *C_SignMessageBegin;
	vldaa_ck_message_sign *C_SignMessageNext;
	vldaa_ck_message_final *C_MessageSignFinal;
	vldaa_ck_message_init *C_MessageVerifyInit;
	vldaa_ck_message_verify *C_VerifyMessage;
	vldaa_ck_message_begin *C_VerifyMessageBegin;
	vldaa_ck_message_verify *C_VerifyMessageNext;
	vldaa_ck_message_final *C_MessageVerifyFinal;
} function_list_3_0;

static function_list_3_0 functions_3_0 = {
    .base =
	{
	    .version = {3, 0},
	    .C_Initialize = C_Initialize,
	    .C_Finalize = C_Finalize,
	    .C_GetInfo = C_GetInfo,
	    .C_GetFunctionList = C_GetFunctionList,
	    .C_GetSlotList = C_GetSlotList,
	    .C_GetSlotInfo = C_GetSlotInfo,
	    .C_GetTokenInfo = C_GetTokenInfo,
	    .C_GetMechanismList = C_GetMechanismList,
	    .C_GetMechanismInfo = C_GetMechanismInfo,
	    .C_InitToken = C_InitToken,
	    .C_InitPIN = C_InitPIN,
	    .C_SetPIN = C_SetPIN,
	    .C_OpenSession = C_OpenSession,
	    .C_CloseSession = C_CloseSession,
	    .C_CloseAllSessions = C_CloseAllSessions,
	    .C_GetSessionInfo = C_GetSessionInfo,
	    .C_GetOperationState = C_GetOperationState,
	    .C_SetOperationState = C_SetOperationState,
	    .C_Login = C_Login,
	    .C_Logout = C_Logout,
	    .C_CreateObject = C_CreateObject,
	    .C_CopyObject = C_CopyObject,
	    .C_DestroyObject = C_DestroyObject,
	    .C_GetObjectSize = C_GetObjectSize,
	    .C_GetAttributeValue = C_GetAttributeValue,
	    .C_SetAttributeValue = C_SetAttributeValue,
	    .C_FindObjectsInit = C_FindObjectsInit,
	    .C_FindObjects = C_FindObjects,
	    .C_FindObjectsFinal = C_FindObjectsFinal,
	    .C_EncryptInit = C_EncryptInit,
	    .C_Encrypt = C_Encrypt,
	    .C_EncryptUpdate = C_EncryptUpdate,
	    .C_EncryptFinal = C_EncryptFinal,
	    .C_DecryptInit = C_DecryptInit,
	    .C_Decrypt = C_Decrypt,
	    .C_DecryptUpdate = C_DecryptUpdate,
	    .C_DecryptFinal = C_DecryptFinal,
	    .C_DigestInit = C_DigestInit,
	    .C_Digest = C_Digest,
	    .C_DigestUpdate = C_DigestUpdate,
	    .C_DigestKey = C_DigestKey,
	    .C_DigestFinal = C_DigestFinal,
	    .C_SignInit = C_SignInit,
	    .C_Sign = C_Sign,
	    .C_SignUpdate = C_SignUpdate,
	    .C_SignFinal = C_SignFinal,
	    .C_SignRecoverInit = C_SignRecoverInit,
	    .C_SignRecover = C_SignRecover,
	    .C_VerifyInit = C_VerifyInit,
	    .C_Verify = C_Verify,
	    .C_VerifyUpdate = C_VerifyUpdate,
	    .C_VerifyFinal = C_VerifyFinal,
	    .C_VerifyRecoverInit = C_VerifyRecoverInit,
	    .C_VerifyRecover = C_VerifyRecover,
	    .C_DigestEncryptUpdate = C_DigestEncryptUpdate,
	    .C_DecryptDigestUpdate = C_DecryptDigestUpdate,
	    .C_SignEncryptUpdate = C_SignEncryptUpdate,
	    .C_DecryptVerifyUpdate = C_DecryptVerifyUpdate,
	    .C_GenerateKey = C_GenerateKey,
	    .C_GenerateKeyPair = C_GenerateKeyPair,
	    .C_WrapKey = C_WrapKey,
	    .C_UnwrapKey = C_UnwrapKey,
	    .C_DeriveKey = C_DeriveKey,
	    .C_SeedRandom = C_SeedRandom,
	    .C_GenerateRandom = C_GenerateRandom,
	    .C_GetFunctionStatus = C_GetFunctionStatus,
	    .C_CancelFunction = C_CancelFunction,
	    .C_WaitForSlotEvent = C_WaitForSlotEvent,
	},
    .C_GetInterfaceList = C_GetInterfaceList,
    .C_GetInterface = C_GetInterface,
    .C_LoginUser = vldaa_p11_login_user,
    .C_SessionCancel = vldaa_p11_session_cancel,
    .C_MessageEncryptInit = vldaa_p11_no_message_init,
    .C_EncryptMessage = vldaa_p11_no_message_crypt,
    .C_EncryptMessageBegin = vldaa_p11_no_message_crypt_begin,
    .C_EncryptMessageNext = vldaa_p11_no_message_crypt_next,
    .C_MessageEncryptFinal = vldaa_p11_no_message_final,
    .C_MessageDecryptInit = vldaa_p11_no_message_init,
    .C_DecryptMessage = vldaa_p11_no_message_crypt,
    .C_DecryptMessageBegin = vldaa_p11_no_message_crypt_begin,
    .C_DecryptMessageNext = vldaa_p11_no_message_crypt_next,
    .C_MessageDecryptFinal = vldaa_p11_no_message_final,
    .C_MessageSignInit = vldaa_p11_no_message_init,
    .C_SignMessage = vldaa_p11_no_message_sign,
    .C_SignMessageBegin = vldaa_p11_no_message_begin,
    .C_SignMessageNext = vldaa_p11_no_message_sign,
    .C_MessageSignFinal = vldaa_p11_no_message_final,
    .C_MessageVerifyInit = vldaa_p11_no_message_init,
    .C_VerifyMessage = vldaa_p11_no_message_verify,
    .C_VerifyMessageBegin = vldaa_p11_no_message_begin,
    .C_VerifyMessageNext = vldaa_p11_no_message_verify,
    .C_MessageVerifyFinal = vldaa_p11_no_message_final,
};

/* --- finding them ---------------------------------------------------------------------------- */

static CK_UTF8CHAR standard_name[] = "PKCS 11";

enum { INTERFACES = 2 };
/* The newest first: it is what who asks for none in particular gets. */
static vldaa_ck_interface interfaces[INTERFACES] = {
    {standard_name, &functions_3_0, 0},
    {standard_name, &functions_2_40, 0},
};

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list)
{
	if (list == NULL)
		return CKR_ARGUMENTS_BAD;
	*list = &functions_2_40;
	return CKR_OK;
}

CK_RV C_GetInterfaceList(vldaa_ck_interface *list, CK_ULONG *count)
{
	CK_RV rv = CKR_OK;

	if (count == NULL)
		return CKR_ARGUMENTS_BAD;
	if (list != NULL && *count < INTERFACES)
		rv = CKR_BUFFER_TOO_SMALL;
	else if (list != NULL)
		memcpy(list, interfaces, sizeof interfaces);
	*count = INTERFACES;
	return rv;
}

static int is_version(const vldaa_ck_interface *i, const CK_VERSION *wanted)
{
	const CK_FUNCTION_LIST *list = i->functions;

	return list->version.major == wanted->major && list->version.minor == wanted->minor;
}

CK_RV C_GetInterface(CK_UTF8CHAR *name, CK_VERSION *version, vldaa_ck_interface **interface,
		     CK_FLAGS flags)
{
	if (interface == NULL)
		return CKR_ARGUMENTS_BAD;
	/* No list is fit for what 3.0 has flags for: CKF_INTERFACE_FORK_SAFE. */
	if ((name != NULL && strcmp((const char *)name, (const char *)standard_name) != 0) ||
	    flags != 0)
		return CKR_FUNCTION_FAILED;
	for (size_t i = 0; i < INTERFACES; i++) {
		if (version == NULL || is_version(&interfaces[i], version)) {
			*interface = &interfaces[i];
			return CKR_OK;
		}
	}
	return CKR_FUNCTION_FAILED;
}
