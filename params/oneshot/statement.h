/* The statements as data, before masks and bounds. */
#ifndef VLDAA_PARAMS_ONESHOT_STATEMENT_H
#define VLDAA_PARAMS_ONESHOT_STATEMENT_H

#include "oneshot/derive.h"

/* Fill everything up to ws2; *s is zero but for its initialised numbers. */
void vldaa_oneshot_describe_attestation(vldaa_oneshot_statement *s,
					const vldaa_oneshot_choice *choice);
void vldaa_oneshot_describe_join(vldaa_oneshot_statement *s, const vldaa_oneshot_choice *choice);

#endif
