/* `vldaa token`: keys in a PKCS#11 token. */
#include "commands.h"
#include "token/token.h"

static const vldaa_command *const children[] = {
    &vldaa_command_token_init,     &vldaa_command_token_endorse, &vldaa_command_token_setup,
    &vldaa_command_token_join,     &vldaa_command_token_create,  &vldaa_command_token_sign,
    &vldaa_command_token_basename, &vldaa_command_token_obey,    &vldaa_command_token_list,
    &vldaa_command_token_show,     &vldaa_command_token_pin,     NULL,
};

const vldaa_command vldaa_command_token = {
    .name = "token",
    .summary =
	"Issuer's and members' keys in a PKCS#11 token, where any PKCS#11 program finds them",
    .children = children,
    .details = "VLDAA_TOKEN_DIR names the tokens' directories.  In this order:\n"
	       "  1. init, endorse    a token with its PINs; its endorsement key's certificate\n"
	       "  2. setup            an issuer founds a group, on a token of its own\n"
	       "  3. join             a token becomes a member\n"
	       "  4. create, sign     pseudonyms, and what is signed under them\n"
	       "     basename         the default of programs that give none, such as openssl\n"
	       "  5. obey             orders of the revocation authority (vldaa revoke)",
};
