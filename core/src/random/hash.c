/* The list of domain separators, and the unambiguous framing of every hash input (hash.h). */
#include "random/hash.h"

#include <string.h>

/*
 * Changing a string changes every value derived under it, so none is ever changed or reused.  A
 * separator has at most 255 bytes; no two are equal (test_hash).
 */
static const char *const separator[VLDAA_DOMAINS] = {
    /* 32 bytes from the issuer's encoded public key. */
    [VLDAA_DOMAIN_KEY_ID] = "VLDAA key id",
    /* A', u, A_1, A_2, a_T, a_H from rho. */
    [VLDAA_DOMAIN_EXPAND] = "VLDAA expand",
    /* b = H(bsn), from the key id and the basename. */
    [VLDAA_DOMAIN_BASENAME] = "VLDAA basename",
    /* The challenge polynomial from its hash c~. */
    [VLDAA_DOMAIN_CHALLENGE] = "VLDAA challenge",
    /* c~ of the proofs that the TPM and the host know e_T and e_H. */
    [VLDAA_DOMAIN_JOIN] = "VLDAA join",
    /* D_H, what the host commits to before the TPM draws the challenge of Create. */
    [VLDAA_DOMAIN_CREATE_HOST] = "VLDAA create-host",
    /* c~ of the attestation. */
    [VLDAA_DOMAIN_CREATE] = "VLDAA create",
    /* c~ of a signature under a pseudonym; its type is a part of the input. */
    [VLDAA_DOMAIN_SIGN] = "VLDAA sign",
    /* 64 bytes from a message of any length, before it is signed. */
    [VLDAA_DOMAIN_MESSAGE] = "VLDAA message",
    /* The digest by which compact signatures and orders name an attestation. */
    [VLDAA_DOMAIN_ATTESTATION] = "VLDAA attestation",
    /* Secret: the stream that the pseudonym's error e_N is drawn from, keyed with K_T. */
    [VLDAA_DOMAIN_NYM_ERROR] = "VLDAA pseudonym error",
    /* Secret until confirmed: the revocation secret of a pseudonym, keyed with the TPM's
     * whole secret (e_T and K_T, as in its member record). */
    [VLDAA_DOMAIN_REVOCATION] = "VLDAA revocation secret",
    /* Digest of a revocation secret, which the revocation token signs. */
    [VLDAA_DOMAIN_REVOCATION_DIGEST] = "VLDAA revocation digest",
    /* Secret: one operation's randomness from its fresh seed (rng.h). */
    [VLDAA_DOMAIN_RNG] = "VLDAA rng",
    /* Names a join request, and the certificate chain in it.  The endorsement key signs the
     * request's bytes, not this. */
    [VLDAA_DOMAIN_REQUEST] = "VLDAA request",
    /* Digest of a revocation order. */
    [VLDAA_DOMAIN_ORDER] = "VLDAA order",
    /* Name under which a token stores that a pseudonym was revoked. */
    [VLDAA_DOMAIN_TOMBSTONE] = "VLDAA tombstone",
    /* Names, in the group key, the ordinary key that signs the issuer's answers. */
    [VLDAA_DOMAIN_AUTHORITY] = "VLDAA authority",
    /* Names the lists that a verifier has; never leaves the process. */
    [VLDAA_DOMAIN_LISTS] = "VLDAA lists",
    /* u, b_x, D_0, D_1 of a one-shot group, from its seed and h. */
    [VLDAA_DOMAIN_OS_PUBLIC] = "VLDAA2 public",
    /* rho, the public seed of a pseudonym's ML-DSA key, from key id and basename. */
    [VLDAA_DOMAIN_OS_NYM] = "VLDAA2 nym",
    /* Secret: the stream that a pseudonym's s2 is drawn from, keyed with K_T. */
    [VLDAA_DOMAIN_OS_S2] = "VLDAA2 s2",
    /* Secret: a pseudonym's ML-DSA seed K, keyed with K_T. */
    [VLDAA_DOMAIN_OS_K] = "VLDAA2 K",
    /* Everything public of Create, before the proof's first message. */
    [VLDAA_DOMAIN_OS_CREATE] = "VLDAA2 create",
    /* The same of Join. */
    [VLDAA_DOMAIN_OS_JOIN] = "VLDAA2 join",
    /* What a revocation token or confirmation is about, inside the signed message. */
    [VLDAA_DOMAIN_OS_SUBJECT] = "VLDAA2 subject",
    /* What a host has for the credential in its TPM: a name of the TPM's public member key. */
    [VLDAA_DOMAIN_OS_RECEIPT] = "VLDAA2 receipt",
};

static void absorb_big_endian(vldaa_shake *s, uint64_t value, unsigned bytes)
{
	while (bytes-- > 0) {
		const uint8_t byte = (uint8_t)(value >> (8 * bytes));
		vldaa_shake_absorb(s, &byte, 1);
	}
}

void vldaa_hash_init(vldaa_shake *s, uint32_t rate, enum vldaa_domain domain, uint32_t set_id)
{
	const size_t len = strlen(separator[domain]);

	vldaa_shake_init(s, rate);
	absorb_big_endian(s, len, 1);
	vldaa_shake_absorb(s, separator[domain], len);
	absorb_big_endian(s, set_id, 4);
}

void vldaa_hash_part_begin(vldaa_shake *s, uint64_t len)
{
	absorb_big_endian(s, len, 8);
}

void vldaa_hash_part(vldaa_shake *s, const void *part, size_t len)
{
	vldaa_hash_part_begin(s, len);
	vldaa_shake_absorb(s, part, len);
}

void vldaa_hash_u32(vldaa_shake *s, uint32_t value)
{
	vldaa_hash_part_begin(s, 4);
	absorb_big_endian(s, value, 4);
}
