/*
 * Result codes of every function that can fail.
 *
 * 0 is success, everything else is a named negative code.  The codes fall into four classes, so
 * that a program can tell "the answer is no" from "there is no answer": see vldaa_error_class().
 */
#ifndef VLDAA_ERROR_H
#define VLDAA_ERROR_H

/* In front of every function that the libraries export; C++ programs get C linkage by it too. */
#if defined(__cplusplus) && defined(__GNUC__)
#define VLDAA_API extern "C" __attribute__((visibility("default")))
#elif defined(__cplusplus)
#define VLDAA_API extern "C"
#elif defined(__GNUC__)
#define VLDAA_API __attribute__((visibility("default")))
#else
#define VLDAA_API
#endif

#if defined(__GNUC__)
#define VLDAA_MUST_CHECK __attribute__((warn_unused_result))
#else
#define VLDAA_MUST_CHECK
#endif

enum vldaa_error {
	VLDAA_OK = 0,

	/* The caller's mistake (class VLDAA_CLASS_USAGE). */
	VLDAA_ERR_ARGUMENT = -1,      /* a NULL or out-of-range argument */
	VLDAA_ERR_BUFFER = -2,        /* output buffer too small; the needed size is stored */
	VLDAA_ERR_STATE = -3,         /* functions called in the wrong order */
	VLDAA_ERR_SET = -4,           /* no parameter set of this name or number */
	VLDAA_ERR_BASENAME = -5,      /* a basename has 1 to 255 bytes */
	VLDAA_ERR_NO_KEY = -6,        /* the TPM or the host has no member key yet */
	VLDAA_ERR_NO_CREDENTIAL = -7, /* the member has not joined yet */
	VLDAA_ERR_HAVE_KEY = -8,      /* a member key exists already */
	VLDAA_ERR_EXHAUSTED = -9,     /* the key has shown all the pseudonyms it may */
	VLDAA_ERR_FORM =
	    -10, /* the set has no bare signatures: its pseudonyms are not ML-DSA keys */

	/* The object says no (class VLDAA_CLASS_INVALID). */
	VLDAA_ERR_TRUNCATED = -20,      /* the bytes end too early */
	VLDAA_ERR_TRAILING = -21,       /* bytes after the end of the object */
	VLDAA_ERR_KIND = -22,           /* another kind of object, or none of ours */
	VLDAA_ERR_VERSION = -23,        /* an encoding version that this library does not read */
	VLDAA_ERR_ENCODING = -24,       /* not the canonical encoding */
	VLDAA_ERR_RANGE = -25,          /* a coefficient is out of range */
	VLDAA_ERR_WRONG_SET = -26,      /* made for another parameter set */
	VLDAA_ERR_WRONG_ISSUER = -27,   /* made for another issuer's group */
	VLDAA_ERR_WRONG_BASENAME = -28, /* made for another basename */
	VLDAA_ERR_NORM = -29,           /* a response or key is longer than its bound */
	VLDAA_ERR_PROOF = -30, /* the challenge does not match: not a valid proof or signature */
	VLDAA_ERR_ATTESTATION = -31,    /* a compact signature names another attestation */
	VLDAA_ERR_ROGUE = -32,          /* the pseudonym belongs to a key on the rogue list */
	VLDAA_ERR_REVOKED = -33,        /* the pseudonym is on the revocation list */
	VLDAA_ERR_NONCE = -34,          /* the nonce is unknown or was used before */
	VLDAA_ERR_CERTIFICATE = -35,    /* the endorsement certificate has no valid chain */
	VLDAA_ERR_ENDORSEMENT = -36,    /* the endorsement key did not sign this request */
	VLDAA_ERR_KEY_REGISTERED = -37, /* this member key is registered with another request */
	VLDAA_ERR_MEMBER_EXISTS = -38,  /* this endorsement key has a live credential */
	VLDAA_ERR_BANNED = -39,         /* this member key or endorsement key is banned */
	VLDAA_ERR_CREDENTIAL =
	    -40, /* the credential does not satisfy the group's equation for this member */
	VLDAA_ERR_KEY = -41,       /* a private key that is not consistent with its public part */
	VLDAA_ERR_UNSEAL = -42,    /* the sealed bytes do not open under this key */
	VLDAA_ERR_TOMBSTONE = -43, /* this pseudonym was revoked: it can never be used again */
	VLDAA_ERR_NOT_MINE = -44,  /* the order revokes somebody else's pseudonym */
	VLDAA_ERR_ORDER_SIGNATURE = -45, /* the revocation authority did not sign this order */
	VLDAA_ERR_ORDER_SEQUENCE = -46,  /* the order is not newer than one already obeyed */
	VLDAA_ERR_ORDER_EXPIRED = -47,   /* the order's time is over */
	VLDAA_ERR_CONFIRMATION = -48,    /* the confirmation is not for this order */
	VLDAA_ERR_TAG = -49,      /* the issuer's register has this tag already: draw another */
	VLDAA_ERR_EXPELLED = -50, /* a hard order ended this member: its TPM never joins again */
	VLDAA_ERR_TOKEN = -51,    /* the revocation token is another pseudonym's */
	VLDAA_ERR_KEY_NEAR = -52, /* one secret could stand behind this and a registered key */

	/* Nothing was decided (class VLDAA_CLASS_FAILED). */
	VLDAA_ERR_RANDOM = -60,   /* the random source failed */
	VLDAA_ERR_MEMORY = -61,   /* out of memory */
	VLDAA_ERR_ATTEMPTS = -62, /* rejection sampling did not end: try again, and report it */
	VLDAA_ERR_STORE = -63,    /* the durable store failed; nothing was changed */
	VLDAA_ERR_SERVICE = -64,  /* a service of the caller (endorse, time) failed */
	VLDAA_ERR_CRYPTO = -65,   /* libcrypto failed */
	VLDAA_ERR_INTERNAL = -66  /* a bug: an invariant of the library does not hold */
};

enum vldaa_error_class {
	VLDAA_CLASS_OK = 0,      /* done, or valid */
	VLDAA_CLASS_INVALID = 1, /* the object was examined and refused */
	VLDAA_CLASS_USAGE = 2,   /* the call itself was wrong */
	VLDAA_CLASS_FAILED = 3   /* could not be examined: no answer */
};

/* The class of a code; codes that the library does not know are VLDAA_CLASS_FAILED. */
VLDAA_API enum vldaa_error_class vldaa_error_class(int code);

/* The code's name without its prefix, for logs and JSON, for example "WRONG_ISSUER". */
VLDAA_API const char *vldaa_error_name(int code);

/* One English sentence without a full stop that says what is wrong, and where there is something
 * to do, what to do. */
VLDAA_API const char *vldaa_error_text(int code);

#endif
