/* Who uses a token: C_InitToken, PINs, C_Login, C_Logout; callers hold the slot's lock. */
#ifndef VLDAA_P11_LOGIN_H
#define VLDAA_P11_LOGIN_H

#include "slot.h"

/* Without a token yet this makes one.  CKR_SESSION_EXISTS when this process has sessions. */
CK_RV vldaa_p11_init_token(vldaa_p11_slot *slot, const uint8_t *so_pin, CK_ULONG len,
			   const uint8_t label[VLDAA_P11_LABEL]);
/* For a slot that was entered. */
CK_RV vldaa_p11_login(vldaa_p11_slot *slot, CK_USER_TYPE user, const uint8_t *pin, CK_ULONG len);
CK_RV vldaa_p11_logout(vldaa_p11_slot *slot);
CK_RV vldaa_p11_init_pin(vldaa_p11_slot *slot, const uint8_t *pin, CK_ULONG len);
/* The PIN of who is logged in; the user's when nobody is. */
CK_RV vldaa_p11_set_pin(vldaa_p11_slot *slot, const uint8_t *old_pin, CK_ULONG old_len,
			const uint8_t *new_pin, CK_ULONG new_len);

#endif
