/*
 * One table of functions for each scheme (proof system).  Roles call these and nothing below; they
 * do not know which scheme they serve.
 *
 * Who sends what to whom, for both generations; "payload" is what a scheme writes, the rest is the
 * role's:
 *
 *   step    from    to      published sets                   one-shot sets (later)
 *   ------  ------  ------  -------------------------------  ------------------------------
 *   Setup   issuer  all     rho, B                           h, CRS seed
 *   Join    host    TPM     nonce, u_H, proof                nonce
 *           TPM     issuer  + u_T, proof; endorsement        u_T, proof; endorsement
 *           issuer  TPM     (i, s), sealed                   (x, v_2), sealed
 *           TPM     host    (i, s)                           nothing secret
 *   Create  host    TPM     bsn, D_H, w_3's host part        bsn
 *           TPM     host    c~, nonce, z_T, z_N, nym         the attestation's payload
 *                           (the host may need many rounds)  (one round)
 *   Sign    host    TPM     bsn, attestation digest, message the same
 *           TPM     host    c~, z_1, z_N                     an ML-DSA signature
 *
 * In all functions `payload` bytes are fixed-length where `size` says so.  Functions of the TPM
 * take a workspace and never allocate.  All return VLDAA_OK or a named error.
 */
#ifndef VLDAA_SCHEME_H
#define VLDAA_SCHEME_H

#include "random/rng.h"
#include "vldaa/issuer.h"
#include "vldaa/object.h"
#include "wire/bits.h"

/* Sizes in bytes that a scheme answers for a set. */
enum vldaa_part {
	/* fixed-length payloads */
	VLDAA_PART_GROUP,       /* of the group key */
	VLDAA_PART_ISSUER,      /* of the issuer's private key */
	VLDAA_PART_TPM_SECRET,  /* of the TPM's key */
	VLDAA_PART_HOST_SECRET, /* of the host's key */
	VLDAA_PART_MEMBER_TPM,  /* the TPM's public member key (u_T) */
	VLDAA_PART_MEMBER_HOST, /* the host's public member key (u_H); may be 0 */
	VLDAA_PART_TAG,         /* what must never serve in two credentials (i, x) */
	VLDAA_PART_NYM,         /* the pseudonym */
	VLDAA_PART_ROGUE,       /* an entry of the rogue list */
	VLDAA_PART_BARE,        /* a message signature that stands alone; 0: they do not */
	VLDAA_PART_PUBLIC_KEY,  /* the pseudonym as an ML-DSA public key; 0: it is none */
	VLDAA_PART_NYM_SECRET,  /* of a pseudonym's private key */
	/* payloads with a maximum length */
	VLDAA_PART_JOIN_TPM,  /* u_T and its proof */
	VLDAA_PART_JOIN_HOST, /* u_H and its proof */
	VLDAA_PART_CREDENTIAL,
	VLDAA_PART_CREATE_CALL, /* without the basename */
	VLDAA_PART_CREATE_REPLY,
	VLDAA_PART_ATTESTATION, /* with nym, without the basename */
	VLDAA_PART_SIGN,        /* a message signature */
	/* memory */
	VLDAA_PART_GROUP_CONTEXT,
	VLDAA_PART_ISSUER_CONTEXT,
	VLDAA_PART_HOST_CONTEXT,
	VLDAA_PART_TPM_WORKSPACE,
	VLDAA_PART_PSEUDONYM_CONTEXT,
	VLDAA_PART_VERIFY_WORKSPACE,
	VLDAA_PART_NYM_CONTEXT,        /* a pseudonym's private key, read-only */
	VLDAA_PART_NYM_CONTEXT_SECRET, /* how much of it, from its beginning, is secret */
	VLDAA_PART_NYM_LOAD_WORKSPACE, /* to load one */
	VLDAA_PART_NYM_SIGN_WORKSPACE  /* to sign with it */
};

/* What Sign signs: the host's interface reaches messages only. */
enum vldaa_sign_type {
	VLDAA_SIGN_MESSAGE = 0,
	VLDAA_SIGN_TOKEN = 1,       /* over the digest of the revocation secret */
	VLDAA_SIGN_CONFIRMATION = 2 /* over the digest of a revocation order */
};

/* A message on its way into a signature or a verification. */
typedef struct {
	vldaa_shake shake;
} vldaa_message;

typedef struct {
	const uint8_t *bytes;
	size_t len;
} vldaa_bytes;

/* The TPM's view of its member key: pointers into a decoded record. */
typedef struct {
	const vldaa_set *set;
	const uint8_t *key_id;
	const uint8_t *group;   /* payload of the group key */
	const uint8_t *secret;  /* payload of the TPM's key */
	vldaa_bytes credential; /* empty unless the scheme keeps the credential in the TPM */
} vldaa_tpm_key;

/* What a signature is about. */
typedef struct {
	enum vldaa_sign_type type;
	const uint8_t *key_id;
	vldaa_bytes basename;
	const uint8_t *attestation_digest; /* VLDAA_DIGEST_BYTES */
} vldaa_sign_subject;

/* What users are told of a set; see vldaa/params.h. */
typedef struct {
	const char *name;
	uint32_t id;
	int signature_bits;
	int key_bits;
	int anonymity_bits;
	const char *assumptions;
	const char *warning;
} vldaa_set_about;

typedef struct vldaa_scheme {
	const char *name;
	/* At most so many pseudonyms are shown of one key; 0: no limit. */
	uint32_t (*creates)(const vldaa_set *set);
	void (*about)(const vldaa_set *set, vldaa_set_about *about);
	size_t (*size)(const vldaa_set *set, enum vldaa_part part);

	/* Setup.  group_init and issuer_init expand constants into caller's memory of *_CONTEXT
	 * bytes (aligned as malloc's); they are read-only afterwards and may be shared by threads.
	 * payload NULL: of the group only the key id is known, which is enough for nym_init,
	 * verify_begin and verify_end, pseudonym_nym, linked and rogue_nym.
	 */
	int (*issuer_keygen)(const vldaa_set *set, vldaa_ntru_solver *solve, vldaa_rng *rng,
			     uint8_t *issuer, uint8_t *group);
	int (*group_init)(void *group, const vldaa_set *set, const uint8_t *payload,
			  const uint8_t *key_id);
	int (*issuer_init)(void *issuer, const void *group, const uint8_t *payload);

	/* Join.  bind: what the proofs are tied to besides the group. */
	/* group: a key without a secret. */
	int (*tpm_keygen)(const vldaa_set *set, void *workspace, const vldaa_tpm_key *group,
			  vldaa_rng *rng, uint8_t *secret);
	/* Wipes what an operation left in a workspace of this set: it is zero then. */
	void (*tpm_wipe)(const vldaa_set *set, void *workspace, size_t size);
	int (*tpm_join)(const vldaa_tpm_key *key, void *workspace, vldaa_bytes bind, vldaa_rng *rng,
			vldaa_writer *out);
	int (*host_keygen)(const void *group, void *host, vldaa_rng *rng, uint8_t *secret);
	int (*host_init)(void *host, const void *group, const uint8_t *secret,
			 vldaa_bytes credential);
	int (*host_join)(void *host, vldaa_bytes bind, vldaa_rng *rng, vldaa_writer *out);
	int (*join_verify)(const void *group, void *workspace, vldaa_bytes bind_tpm,
			   vldaa_bytes bind_host, vldaa_bytes join_tpm, vldaa_bytes join_host,
			   uint8_t *member_tpm, uint8_t *member_host);
	int (*issue)(void *issuer, const uint8_t *member_tpm, const uint8_t *member_host,
		     vldaa_rng *rng, uint8_t *tag, vldaa_writer *credential);
	/* The TPM looks at an opened credential: what it keeps, and what it hands to the host. */
	int (*tpm_accept)(const vldaa_tpm_key *key, void *workspace, vldaa_bytes credential,
			  vldaa_writer *keep, vldaa_writer *hand_over);
	int (*tpm_public)(const vldaa_tpm_key *key, void *workspace, uint8_t *member_tpm);
	int (*host_accept)(void *host, const uint8_t *member_tpm, vldaa_bytes credential);

	/* Create. */
	int (*host_create_begin)(void *host, vldaa_bytes basename, vldaa_rng *rng,
				 vldaa_writer *call);
	int (*tpm_create)(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			  vldaa_bytes call, vldaa_rng *rng, vldaa_writer *reply);
	/* done 1: out is the attestation's payload; done 0: out is the next call. */
	int (*host_create_step)(void *host, vldaa_bytes reply, vldaa_rng *rng, vldaa_writer *out,
				int *done);
	int (*tpm_nym)(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
		       uint8_t *nym);

	/* Sign: begin, then message bytes into `message`, then end. */
	int (*sign_begin)(const vldaa_tpm_key *key, void *workspace,
			  const vldaa_sign_subject *about, vldaa_message *message);
	int (*sign_end)(const vldaa_tpm_key *key, void *workspace, const vldaa_sign_subject *about,
			vldaa_message *message, vldaa_rng *rng, vldaa_writer *out);

	/* A pseudonym's private key on its own, for members in software: what signs messages under
	 * it and can do nothing else.  nym_secret takes it (PART_NYM_SECRET bytes) and the nym from
	 * the member key; nym_load decodes it strictly and checks that it is this nym's. */
	int (*nym_secret)(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			  uint8_t *secret, uint8_t *nym);
	int (*nym_load)(const vldaa_set *set, void *context, void *workspace, const uint8_t *key_id,
			vldaa_bytes basename, const uint8_t *secret, const uint8_t *nym);
	int (*nym_sign_begin)(const void *context, const vldaa_sign_subject *about,
			      vldaa_message *message);
	int (*nym_sign_end)(const void *context, void *workspace, const vldaa_sign_subject *about,
			    vldaa_message *message, vldaa_rng *rng, vldaa_writer *out);

	/* Verify.  A pseudonym context is filled by attestation_verify (or by nym_init, for a nym
	 * that comes without its proof) and read-only afterwards. */
	int (*attestation_verify)(const void *group, void *workspace, vldaa_bytes basename,
				  vldaa_bytes payload, void *pseudonym);
	int (*nym_init)(const void *group, void *workspace, vldaa_bytes basename,
			const uint8_t *nym, void *pseudonym);
	int (*verify_begin)(const void *group, const void *pseudonym,
			    const vldaa_sign_subject *about, vldaa_message *message);
	int (*verify_end)(const void *group, void *workspace, const void *pseudonym,
			  const vldaa_sign_subject *about, vldaa_message *message,
			  vldaa_bytes signature);
	const uint8_t *(*pseudonym_nym)(const void *pseudonym);
	/* The pseudonym as a public key of PART_PUBLIC_KEY bytes; NULL where that is 0. */
	int (*public_key)(const vldaa_set *set, const uint8_t *key_id, vldaa_bytes basename,
			  const uint8_t *nym, uint8_t *out);
	/* 1 linked, 0 not; both under one set, key id and basename. */
	int (*linked)(const vldaa_set *set, const uint8_t *nym, const uint8_t *other);
	/* 1 when the pseudonym (or a member key) belongs to the rogue entry, 0 when not; negative:
	 * error. */
	int (*rogue_nym)(const void *group, void *workspace, const void *pseudonym,
			 const uint8_t *entry);
	int (*rogue_member)(const void *group, void *workspace, const uint8_t *member_tpm,
			    const uint8_t *entry);
	/* 1 when two TPMs' public member keys are so near that one secret could stand behind both. */
	int (*member_near)(const vldaa_set *set, const uint8_t *member_tpm, const uint8_t *other);
	/* Decodes an entry strictly. */
	int (*rogue_check)(const vldaa_set *set, const uint8_t *entry);
	/* The rogue entry of an extracted TPM key. */
	int (*rogue_entry)(const vldaa_set *set, const uint8_t *tpm_secret, uint8_t *entry);
} vldaa_scheme;

void vldaa_message_absorb(vldaa_message *m, const void *in, size_t len);

/* One entry of the list of sets. */
struct vldaa_set {
	const vldaa_scheme *scheme;
	const void *numbers; /* the scheme's own table */
};

extern const vldaa_scheme vldaa_scheme_published;
extern const vldaa_scheme vldaa_scheme_oneshot;

#endif
