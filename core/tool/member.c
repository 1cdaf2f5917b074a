/* `vldaa member`: a device's host, which keeps the credential and has its TPM sign. */
#include "commands.h"
#include "member_commands.h"

vldaa_passphrase vldaa_member_passphrase(const vldaa_call *call, int file_option)
{
	return (vldaa_passphrase){call->values[file_option], call->values[file_option + 1],
				  call->argv[0], 0};
}

static const vldaa_command *const children[] = {
    &vldaa_command_member_keygen, &vldaa_command_member_request, &vldaa_command_member_finish,
    &vldaa_command_member_create, &vldaa_command_member_sign,    &vldaa_command_member_show,
    &vldaa_command_member_export, &vldaa_command_member_tpm,     NULL,
};

const vldaa_command vldaa_command_member = {
    .name = "member",
    .summary = "Join a group and sign as one of its members",
    .children = children,
};
