/* The commands of `vldaa member`. */
#ifndef VLDAA_TOOL_MEMBER_COMMANDS_H
#define VLDAA_TOOL_MEMBER_COMMANDS_H

#include "member_directory.h"
#include "options.h"

/* From the options --passphrase-file and, after it in the table, --passphrase-env. */
vldaa_passphrase vldaa_member_passphrase(const vldaa_call *call, int file_option);

extern const vldaa_command vldaa_command_member_keygen;
extern const vldaa_command vldaa_command_member_request;
extern const vldaa_command vldaa_command_member_finish;
extern const vldaa_command vldaa_command_member_create;
extern const vldaa_command vldaa_command_member_sign;
extern const vldaa_command vldaa_command_member_show;
extern const vldaa_command vldaa_command_member_export;
extern const vldaa_command vldaa_command_member_tpm;

#endif
