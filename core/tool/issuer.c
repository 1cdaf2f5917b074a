/* `vldaa issuer`: founds a group and lets members join. */
#include "commands.h"
#include "issuer_directory.h"

vldaa_passphrase vldaa_issuer_passphrase(const vldaa_call *call, int file_option)
{
	return (vldaa_passphrase){call->values[file_option], call->values[file_option + 1],
				  call->argv[0], 0};
}

static const vldaa_command *const children[] = {
    &vldaa_command_issuer_init,   &vldaa_command_issuer_nonce,  &vldaa_command_issuer_issue,
    &vldaa_command_issuer_list,   &vldaa_command_issuer_ban,    &vldaa_command_issuer_rogue,
    &vldaa_command_issuer_export, &vldaa_command_issuer_backup, NULL,
};

const vldaa_command vldaa_command_issuer = {
    .name = "issuer",
    .summary = "Found a group and let members join",
    .children = children,
};
