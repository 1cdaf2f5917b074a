/* The numbers of the one-shot proofs of each set, generated from params/. */
#ifndef VLDAA_ONESHOT_SETS_H
#define VLDAA_ONESHOT_SETS_H

#include "proof/oneshot.h"

extern const vldaa_os_set vldaa_os_44;
extern const vldaa_os_statement_set vldaa_os_attestation_44;
extern const vldaa_os_statement_set vldaa_os_join_44;
extern const vldaa_os_set vldaa_os_87;
extern const vldaa_os_statement_set vldaa_os_attestation_87;
extern const vldaa_os_statement_set vldaa_os_join_87;

#endif
