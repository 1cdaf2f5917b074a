/*
 * Every hash of the project: a domain separator, the parameter set's identifier, then parts that
 * are length-prefixed, so that no two different inputs have the same bytes.
 *
 *   input = len8(separator) separator || set id (4 bytes) || { len (8 bytes) part }*
 *
 * len8 is one byte; integers are big-endian.
 */
#ifndef VLDAA_HASH_H
#define VLDAA_HASH_H

#include "random/shake.h"

/* The one list of domain separators; the strings are in hash.c beside their meanings. */
enum vldaa_domain {
	VLDAA_DOMAIN_KEY_ID,            /* key id of an issuer's public key */
	VLDAA_DOMAIN_EXPAND,            /* public uniform elements from the issuer's seed rho */
	VLDAA_DOMAIN_BASENAME,          /* H(bsn) -> R_q */
	VLDAA_DOMAIN_CHALLENGE,         /* SampleInBall from c~ */
	VLDAA_DOMAIN_JOIN,              /* c~ of the proofs of Join */
	VLDAA_DOMAIN_CREATE_HOST,       /* D_H: the host's first messages of Create */
	VLDAA_DOMAIN_CREATE,            /* c~ of the attestation */
	VLDAA_DOMAIN_SIGN,              /* c~ of a message signature, token or confirmation */
	VLDAA_DOMAIN_MESSAGE,           /* digest of a message */
	VLDAA_DOMAIN_ATTESTATION,       /* digest of an attestation */
	VLDAA_DOMAIN_NYM_ERROR,         /* PRF(K_T): the pseudonym's error e_N */
	VLDAA_DOMAIN_REVOCATION,        /* PRF of the TPM's whole secret: the revocation secret */
	VLDAA_DOMAIN_REVOCATION_DIGEST, /* what the revocation token signs */
	VLDAA_DOMAIN_RNG,       /* expansion of a fresh seed into an operation's randomness */
	VLDAA_DOMAIN_REQUEST,   /* identity of a join request, and of its chain */
	VLDAA_DOMAIN_ORDER,     /* digest of a revocation order */
	VLDAA_DOMAIN_TOMBSTONE, /* name of a tombstone record: key id and basename */
	VLDAA_DOMAIN_AUTHORITY, /* digest of the key that signs the issuer's answers */
	VLDAA_DOMAIN_LISTS,     /* which lists a verifier has */
	/* the one-shot sets */
	VLDAA_DOMAIN_OS_PUBLIC,  /* u, b_x, D_0, D_1 from the group key */
	VLDAA_DOMAIN_OS_NYM,     /* rho of a pseudonym's ML-DSA key */
	VLDAA_DOMAIN_OS_S2,      /* PRF(K_T): s2 of a pseudonym */
	VLDAA_DOMAIN_OS_K,       /* PRF(K_T): its ML-DSA key K */
	VLDAA_DOMAIN_OS_CREATE,  /* seed_0 of Create's proof */
	VLDAA_DOMAIN_OS_JOIN,    /* seed_0 of Join's proof */
	VLDAA_DOMAIN_OS_SUBJECT, /* what a token or confirmation is about */
	VLDAA_DOMAIN_OS_RECEIPT, /* what the host gets for a credential: names the TPM's key */
	VLDAA_DOMAINS
};

void vldaa_hash_init(vldaa_shake *s, uint32_t rate, enum vldaa_domain domain, uint32_t set_id);
/* One length-prefixed part. */
void vldaa_hash_part(vldaa_shake *s, const void *part, size_t len);
/* A part given in pieces: the total length first, then vldaa_shake_absorb for exactly that many
 * bytes. */
void vldaa_hash_part_begin(vldaa_shake *s, uint64_t len);
/* The same as a part of four bytes, big-endian. */
void vldaa_hash_u32(vldaa_shake *s, uint32_t value);

#endif
