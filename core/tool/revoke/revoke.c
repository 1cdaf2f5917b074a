/* vldaa revoke: the revocation authority, and the members that obey it. */
#include "revoke/revoke.h"

#include "commands.h"

static const vldaa_command *const children[] = {
    &vldaa_command_revoke_init,    &vldaa_command_revoke_order, &vldaa_command_revoke_obey,
    &vldaa_command_revoke_confirm, &vldaa_command_revoke_list,  NULL,
};

const vldaa_command vldaa_command_revoke = {
    .name = "revoke",
    .summary = "Revoke a pseudonym: its owner obeys, without anybody learning who it is",
    .children = children,
    .details =
	"The revocation authority makes an order against a pseudonym and broadcasts it to the\n"
	"fleet, encrypted.  Every member opens it; the pseudonym's owner makes itself unable to\n"
	"sign under it again and confirms that.  Until then verifiers may load the list of\n"
	"unconfirmed orders.\n"
	"\n"
	"  vldaa revoke init RA --authority ra.pem --fleet-key fleet.key --group group.pem\n"
	"  vldaa revoke order RA --signature bad.sig --soft -o order\n"
	"  vldaa revoke obey CAR order -o confirmation          (every member)\n"
	"  vldaa revoke confirm RA confirmation\n"
	"  vldaa revoke list RA --unconfirmed -o revoked.list",
};
