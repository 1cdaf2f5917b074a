/*
 * What libvldaa-pkcs11.so has beyond PKCS#11: mechanisms, attributes, return codes.  To be included
 * after any pkcs11.h; it has numbers only.
 *
 * Parameters of mechanisms are plain bytes.  NULL with length 0 stands for the default.
 */
#ifndef VLDAA_PKCS11_VLDAA_H
#define VLDAA_PKCS11_VLDAA_H

/* --- mechanisms ----------------------------------------------------------------------------- */

/* C_GenerateKeyPair: an issuer.  Parameter: the parameter set's name; default VLDAA2-44.  The public
 * key is the group's, CKA_VALUE its bytes for everybody. */
#define CKM_VLDAA_SETUP 0xD6440001UL
/* C_GenerateKeyPair: a member.  Parameter: the group key's bytes (CKA_VALUE) or what key files have
 * (CKA_PUBLIC_KEY_INFO: SubjectPublicKeyInfo, DER); default: the only one that the token has as an
 * object. */
#define CKM_VLDAA_MEMBER 0xD6440002UL
/* C_Sign with the issuer's private key: a nonce for one request.  Data: how many seconds it is good
 * for, in decimal; default 86400. */
#define CKM_VLDAA_JOIN_NONCE 0xD6440003UL
/* C_Sign with the member's private key.  Data: the issuer's nonce.  Output: the request. */
#define CKM_VLDAA_JOIN_REQUEST 0xD6440004UL
/* C_Sign with the issuer's private key.  Data: a request.  Output: the answer, which the register
 * has durably by then.  Parameter: "replace" gives a new credential to an endorsement certificate
 * that has one already. */
#define CKM_VLDAA_JOIN_ISSUE 0xD6440005UL
/* C_UnwrapKey with the member's private key.  Wrapped key: the answer.  The key that comes out is
 * the member's own. */
#define CKM_VLDAA_JOIN_FINISH 0xD6440006UL
/* C_DeriveKey with the member's private key: a pseudonym.  Parameter: the basename, 1 to 255 bytes;
 * default: what the member key's CKA_VLDAA_BASENAME says. */
#define CKM_VLDAA_CREATE 0xD6440007UL
/* C_Sign with a pseudonym's private key (no parameter) or the member's (parameter: the basename, as
 * for CREATE; no object is made).  C_Verify with a group's or a pseudonym's public key (parameter:
 * the basename that it must be for; default: any).  The signature carries the attestation, or names
 * it (COMPACT): then the verifier must have the pseudonym's public key as an object. */
#define CKM_VLDAA_SIGN 0xD6440008UL
#define CKM_VLDAA_SIGN_COMPACT 0xD6440009UL
/* C_Sign with the member's private key.  Data: a sealed order.  Output: the confirmation; what the
 * order revokes is gone by then.  CKR_VLDAA_NOT_MINE: the order is for somebody else. */
#define CKM_VLDAA_REVOKE 0xD644000AUL
/* C_Sign with a pseudonym's private key: the pseudonym's revocation token, for the revocation
 * authority.  Data: none, or (for clients that cannot sign nothing) its basename. */
#define CKM_VLDAA_REVOCATION_TOKEN 0xD644000BUL

/* C_GenerateKey: another endorsement key, as long as the one that there is has no certificate.
 * Parameter: P-256 (default), P-384, P-521, ED25519, ED448, RSA-2048, RSA-3072 or RSA-4096; no
 * template.  The handle is that of the certificate request, a data object. */
#define CKM_VLDAA_ENDORSEMENT 0xD644000CUL

/* --- keys ----------------------------------------------------------------------------------- */

/* CKA_KEY_TYPE of all keys but the pseudonyms of sets whose pseudonyms are ML-DSA keys (CKK_ML_DSA of
 * PKCS#11 3.2).
 *
 * C_CreateObject takes two kinds of CKO_PUBLIC_KEY: a group's (CKA_KEY_TYPE CKK_VLDAA, CKA_VALUE its
 * bytes, or CKA_PUBLIC_KEY_INFO), and a pseudonym's (CKA_KEY_TYPE its own, CKA_VLDAA_ATTESTATION) of a group whose key the
 * token has.  CKA_PUBLIC_KEY_INFO of a group, and of a pseudonym that is an ML-DSA key, is what key
 * files have. */
#define CKK_VLDAA 0xD6440001UL

/* CK_ULONG: what the key is for. */
#define CKA_VLDAA_ROLE 0x96440001UL
enum vldaa_ck_role {
	CK_VLDAA_ROLE_ISSUER = 1,
	CK_VLDAA_ROLE_GROUP = 2,
	CK_VLDAA_ROLE_MEMBER = 3,
	CK_VLDAA_ROLE_PSEUDONYM = 4
};
/* Text: the parameter set's name. */
#define CKA_VLDAA_SET 0x96440002UL
/* 32 bytes: names the group. */
#define CKA_VLDAA_KEY_ID 0x96440003UL
/* Bytes: the basename of a pseudonym.  Of a member: the one for calls without a parameter; may be
 * set; "epoch:SECONDS" stands for a new one every so many seconds. */
#define CKA_VLDAA_BASENAME 0x96440004UL
/* Bytes: the pseudonym. */
#define CKA_VLDAA_NYM 0x96440005UL
/* Bytes: the attestation object. */
#define CKA_VLDAA_ATTESTATION 0x96440006UL
/* CK_BBOOL: the member has its credential. */
#define CKA_VLDAA_JOINED 0x96440007UL
/* Of an issuer, given when it is made or set later: SubjectPublicKeyInfo (DER) of the revocation
 * authority; the manufacturers' root certificates (PEM or DER); the fleet's broadcast key (32 bytes;
 * made by the token when it is not given). */
#define CKA_VLDAA_REVOCATION_KEY 0x96440008UL
#define CKA_VLDAA_ROOTS 0x96440009UL
#define CKA_VLDAA_FLEET_KEY 0x9644000AUL
/* Of a group's public key, may be set: lists that verification obeys. */
#define CKA_VLDAA_ROGUE_LIST 0x9644000BUL
#define CKA_VLDAA_REVOKED_LIST 0x9644000CUL

/* --- return codes --------------------------------------------------------------------------- */

/* Every error of libvldaa that no code of PKCS#11 says as well: VLDAA_ERR_x is CKR_VLDAA + -x
 * (vldaa/error.h, which says more of each).  What C_Verify and C_CreateObject find wrong is
 * CKR_SIGNATURE_INVALID and CKR_ATTRIBUTE_VALUE_INVALID. */
#define CKR_VLDAA 0xD6440000UL
/* Not in this state. */
#define CKR_VLDAA_NO_KEY (CKR_VLDAA + 6)
/* VLDAA_ERR_NO_CREDENTIAL. */
#define CKR_VLDAA_NOT_JOINED (CKR_VLDAA + 7)
#define CKR_VLDAA_HAVE_KEY (CKR_VLDAA + 8)
#define CKR_VLDAA_EXHAUSTED (CKR_VLDAA + 9)
/* What was given is cut off, of another kind (KIND), not valid, for others, or refused. */
#define CKR_VLDAA_TRUNCATED (CKR_VLDAA + 20)
#define CKR_VLDAA_TRAILING (CKR_VLDAA + 21)
#define CKR_VLDAA_KIND (CKR_VLDAA + 22)
#define CKR_VLDAA_VERSION (CKR_VLDAA + 23)
#define CKR_VLDAA_ENCODING (CKR_VLDAA + 24)
#define CKR_VLDAA_RANGE (CKR_VLDAA + 25)
#define CKR_VLDAA_WRONG_SET (CKR_VLDAA + 26)
#define CKR_VLDAA_WRONG_ISSUER (CKR_VLDAA + 27)
#define CKR_VLDAA_WRONG_BASENAME (CKR_VLDAA + 28)
#define CKR_VLDAA_NORM (CKR_VLDAA + 29)
#define CKR_VLDAA_PROOF (CKR_VLDAA + 30)
#define CKR_VLDAA_ATTESTATION (CKR_VLDAA + 31)
#define CKR_VLDAA_ROGUE (CKR_VLDAA + 32)
/* VLDAA_ERR_REVOKED: a list names the pseudonym. */
#define CKR_VLDAA_REVOKED_LISTED (CKR_VLDAA + 33)
#define CKR_VLDAA_NONCE (CKR_VLDAA + 34)
#define CKR_VLDAA_CERTIFICATE (CKR_VLDAA + 35)
#define CKR_VLDAA_ENDORSEMENT (CKR_VLDAA + 36)
#define CKR_VLDAA_KEY_REGISTERED (CKR_VLDAA + 37)
#define CKR_VLDAA_MEMBER_EXISTS (CKR_VLDAA + 38)
#define CKR_VLDAA_BANNED (CKR_VLDAA + 39)
#define CKR_VLDAA_CREDENTIAL (CKR_VLDAA + 40)
#define CKR_VLDAA_KEY (CKR_VLDAA + 41)
#define CKR_VLDAA_UNSEAL (CKR_VLDAA + 42)
/* VLDAA_ERR_TOMBSTONE: the pseudonym ended on this token. */
#define CKR_VLDAA_REVOKED (CKR_VLDAA + 43)
#define CKR_VLDAA_NOT_MINE (CKR_VLDAA + 44)
#define CKR_VLDAA_ORDER_SIGNATURE (CKR_VLDAA + 45)
#define CKR_VLDAA_ORDER_SEQUENCE (CKR_VLDAA + 46)
#define CKR_VLDAA_ORDER_EXPIRED (CKR_VLDAA + 47)
#define CKR_VLDAA_CONFIRMATION (CKR_VLDAA + 48)
#define CKR_VLDAA_TAG (CKR_VLDAA + 49)
#define CKR_VLDAA_EXPELLED (CKR_VLDAA + 50)
#define CKR_VLDAA_TOKEN (CKR_VLDAA + 51)
#define CKR_VLDAA_KEY_NEAR (CKR_VLDAA + 52)

#endif
