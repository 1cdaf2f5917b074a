/* The commands, one file each; main.c has the table. */
#ifndef VLDAA_TOOL_COMMANDS_H
#define VLDAA_TOOL_COMMANDS_H

#include "options.h"

extern const vldaa_command vldaa_command_issuer;
extern const vldaa_command vldaa_command_tpm;
extern const vldaa_command vldaa_command_member;
extern const vldaa_command vldaa_command_token;
extern const vldaa_command vldaa_command_verify;
extern const vldaa_command vldaa_command_link;
extern const vldaa_command vldaa_command_revoke;
extern const vldaa_command vldaa_command_inspect;
extern const vldaa_command vldaa_command_bench;

#endif
