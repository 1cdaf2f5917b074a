/* What is measured. */
#ifndef VLDAA_TOOL_BENCH_OPERATION_H
#define VLDAA_TOOL_BENCH_OPERATION_H

#include "vldaa/params.h"

enum vldaa_bench_operation {
	VLDAA_BENCH_SETUP,
	VLDAA_BENCH_JOIN,   /* member keys, request, issuer's checks and answer, accept */
	VLDAA_BENCH_ISSUE,  /* the issuer's part of it: checks and answer */
	VLDAA_BENCH_ANSWER, /* the answer alone: credential, sealed and signed */
	VLDAA_BENCH_CREATE, /* attestation, verified by the host, and revocation token */
	VLDAA_BENCH_SIGN,   /* one message */
	VLDAA_BENCH_VERIFY, /* attestation and message, as SC24 counts it */
	VLDAA_BENCH_VERIFY_ATTESTATION, /* the attestation alone */
	VLDAA_BENCH_VERIFY_MESSAGE, /* the message alone, under an attestation verified before */
	VLDAA_BENCH_LINK,           /* of two verified attestations */
	VLDAA_BENCH_REVOKE,         /* order, member's obedience, authority's check */
	VLDAA_BENCH_OPERATIONS
};

enum vldaa_bench_object {
	VLDAA_BENCH_GROUP_KEY,
	VLDAA_BENCH_JOIN_REQUEST,
	VLDAA_BENCH_REQUEST_ALONE, /* without its certificates */
	VLDAA_BENCH_CREDENTIAL,
	VLDAA_BENCH_ATTESTATION,
	VLDAA_BENCH_BARE,      /* message signature alone */
	VLDAA_BENCH_COMPACT,   /* with the digest of its attestation */
	VLDAA_BENCH_SIGNATURE, /* with its attestation */
	VLDAA_BENCH_TOKEN,
	VLDAA_BENCH_ORDER, /* sealed */
	VLDAA_BENCH_CONFIRMATION,
	VLDAA_BENCH_OBJECTS
};

#endif
