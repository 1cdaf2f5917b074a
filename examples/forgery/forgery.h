/*
 * The forgeries.  Everything here starts from a group: the public key that every verifier has, and
 * nothing else.  No function of this example calls vldaa/issuer.h.
 *
 * Results are VLDAA_OK or a code of vldaa/error.h: the library's own, when its honest code refused.
 */
#ifndef FORGERY_H
#define FORGERY_H

#include "format.h"
#include "vldaa/host.h"

/* --- credential.c: a credential by linear algebra ----------------------------------------------
 */

/*
 * A CREDENTIAL object for the member key u_T, u_H: a random tag i and an s with
 *     [A' | B + i g] s = u + u_T + u_H   (mod q),                                        (1)
 * and how long s_1 and s_2 are beside the bound 1.1 gamma sqrt(2d).
 */
typedef struct {
	bytes object;
	double norm[2];
	double bound;
} credential;
void forgery_credential(credential *out, const group *g, poly u_T, poly u_H);

/* The library's own host, joined to the group by a forged credential that it has checked and
 * accepted. */
int forgery_host(vldaa_host **host, credential *out, const group *g, poly u_T);

/* --- member.c: the library's own TPM and host, with a forged credential ------------------------
 */

typedef struct member member;
int forgery_member_new(member **m, credential *out, const group *g);
void forgery_member_free(member *m);
int forgery_member_attest(member *m, basename_bytes basename, bytes *attestation_object);
int forgery_member_sign(member *m, const bytes *attestation_object, const void *message, size_t len,
			bytes *compact);

/* --- pseudonym.c: under any pseudonym, also somebody else's ------------------------------------
 *
 * These verify where every response may be larger than q / 2 (VLDAA-128 and -256); for VLDAA-42 the
 * verifier finds the responses too long.
 */

/* An attestation of this pseudonym, whose secret nobody needs to know. */
bytes forgery_attestation(const group *g, basename_bytes basename, const poly *nym);
/* A message signature under it, as a COMPACT object. */
bytes forgery_signature(const group *g, const subject *about);

/* Another valid attestation or signature from a valid one: the largest coefficient of a response
 * moves by q.  Both give -1 for bytes that are no such object of the group. */
int forgery_maul_attestation(const group *g, const bytes *in, bytes *out);
int forgery_maul_signature(const group *g, const bytes *in, bytes *out);

/* --- cheat.c: a member with a TPM of its own making, who has two pseudonyms for one basename ----
 */

typedef struct cheat cheat;
int forgery_cheat_new(cheat **c, const group *g, basename_bytes basename);
void forgery_cheat_free(cheat *c);

enum pseudonym { HONEST, SHIFTED };

/* c (1 + X + ... + X^(d-1)) / 2: 1 when every coefficient is an integer, which is so exactly when
 * the challenge's weight is even. */
int forgery_half_of_ones_times(const ring *R, const poly *challenge, poly *half);
int forgery_cheat_attest(cheat *c, enum pseudonym which, bytes *attestation_object);
int forgery_cheat_sign(const cheat *c, enum pseudonym which, const bytes *attestation_object,
		       const void *message, size_t len, bytes *compact);

#endif
