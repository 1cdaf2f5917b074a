/* The commands of `vldaa revoke`, and what they share. */
#ifndef VLDAA_TOOL_REVOKE_REVOKE_H
#define VLDAA_TOOL_REVOKE_REVOKE_H

#include "options.h"

extern const vldaa_command vldaa_command_revoke_init;
extern const vldaa_command vldaa_command_revoke_order;
extern const vldaa_command vldaa_command_revoke_obey;
extern const vldaa_command vldaa_command_revoke_confirm;
extern const vldaa_command vldaa_command_revoke_list;

#endif
