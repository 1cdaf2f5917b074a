/*
 * forgery [-o DIR] GROUP_KEY [ATTESTATION]
 *
 * Given a group's public key (an object, or PEM as `vldaa issuer` writes it), makes a credential,
 * attestations and signed messages that verify.  Given also some member's attestation, makes them
 * under that member's pseudonym; without one, under a pseudonym whose secret nobody knows.  -o
 * writes the objects into a directory.
 *
 * Every step checks its own claim with the library's verifier; the exit status is 0 when all hold, and
 * 3 for a group of a one-shot set, in which nothing of this works: the program says why.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/pem.h>
#include <openssl/x509.h>

#include "forgery.h"
#include "vldaa/verify.h"

static const char message[] = "road closed ahead";
enum { MESSAGE_LEN = sizeof message - 1 };

typedef struct {
	group g;
	const vldaa_set *set;
	vldaa_verifier *verifier; /* of anybody who has the group's key */
	const char *directory;    /* NULL: write nothing */
} story;

static void claim(int holds, const char *what)
{
	printf("  %s  %s\n", holds ? "ok " : "NOT", what);
	if (!holds)
		exit(EXIT_FAILURE);
}

static void claim_done(int err, const char *what)
{
	if (err)
		fprintf(stderr, "%s: %s\n", vldaa_error_name(err), vldaa_error_text(err));
	claim(err == VLDAA_OK, what);
}

/* --- files -------------------------------------------------------------------------------------
 */

enum { MAX_FILE = 1 << 20 };

static bytes read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	bytes b = forgery_bytes_new(MAX_FILE);

	if (!f) {
		perror(path);
		exit(2);
	}
	b.len = fread(b.at, 1, b.cap, f);
	fclose(f);
	return b;
}

/* The object in a PEM SubjectPublicKeyInfo is its BIT STRING. */
static bytes object_in_pem(const bytes *file)
{
	BIO *bio = BIO_new_mem_buf(file->at, (int)file->len);
	char *name = NULL, *header = NULL;
	unsigned char *der = NULL;
	const unsigned char *at, *key = NULL;
	long der_len = 0;
	int key_len = 0;
	X509_PUBKEY *spki = NULL;
	bytes object = forgery_bytes_new(0);

	if (bio && PEM_read_bio(bio, &name, &header, &der, &der_len) == 1) {
		at = der;
		spki = d2i_X509_PUBKEY(NULL, &at, der_len);
	}
	if (spki && X509_PUBKEY_get0_param(NULL, &key, &key_len, NULL, spki) == 1)
		forgery_put(&object, key, (size_t)key_len);
	X509_PUBKEY_free(spki);
	OPENSSL_free(name);
	OPENSSL_free(header);
	OPENSSL_free(der);
	BIO_free(bio);
	return object;
}

static void write_object(const story *s, const char *name, const void *data, size_t len)
{
	char path[4096];
	FILE *f;

	if (!s->directory)
		return;
	snprintf(path, sizeof path, "%s/%s", s->directory, name);
	f = fopen(path, "wb");
	if (!f || fwrite(data, 1, len, f) != len || fclose(f) != 0) {
		perror(path);
		exit(2);
	}
}

/* --- what a verifier says ----------------------------------------------------------------------
 */

static vldaa_attestation *verified(const story *s, const bytes *object)
{
	vldaa_attestation *a = NULL;

	if (vldaa_attestation_new(&a, s->verifier, object->at, object->len))
		return NULL;
	return a;
}

static int verify_message(const story *s, const vldaa_attestation *known, const uint8_t *signature,
			  size_t len, const void *text, size_t text_len)
{
	vldaa_verification *v = NULL;
	int err = vldaa_verification_new(&v, s->verifier, signature, len, known, NULL, 0);

	if (!err)
		err = vldaa_verification_update(v, text, text_len);
	if (!err)
		err = vldaa_verification_end(v);
	vldaa_verification_free(v);
	return err;
}

/* With one bit of one byte changed, here and there, nothing verifies: the verifier does look. */
static int changed_is_refused(const story *s, const vldaa_attestation *known, bytes object)
{
	const size_t step = object.len / 7;
	int refused = 1;

	for (size_t i = 0; i < object.len; i += step) {
		int err;

		object.at[i] ^= 4;
		if (known) {
			err = verify_message(s, known, object.at, object.len, message, MESSAGE_LEN);
		} else {
			vldaa_attestation *a = NULL;

			err = vldaa_attestation_new(&a, s->verifier, object.at, object.len);
			vldaa_attestation_free(a);
		}
		object.at[i] ^= 4;
		refused &= vldaa_error_class(err) == VLDAA_CLASS_INVALID;
	}
	return refused;
}

/* An attestation and a compact signature under it, from every side. */
static vldaa_attestation *claim_forged(const story *s, const bytes *att, const bytes *compact)
{
	vldaa_attestation *a = verified(s, att);
	bytes whole = forgery_self_contained(&s->g, att, compact);

	claim(a != NULL, "the attestation verifies");
	claim(verify_message(s, a, compact->at, compact->len, message, MESSAGE_LEN) == 0,
	      "a message signed under it verifies (compact)");
	claim(verify_message(s, NULL, whole.at, whole.len, message, MESSAGE_LEN) == 0,
	      "and with its attestation, for anybody who has the group's key");
	claim(verify_message(s, a, compact->at, compact->len, message, MESSAGE_LEN - 1) != 0,
	      "another message does not");
	claim(changed_is_refused(s, NULL, *att) && changed_is_refused(s, a, *compact),
	      "nor do the attestation and the signature with one byte changed");
	forgery_bytes_free(&whole);
	return a;
}

/* --- sets that this does not forge in ----------------------------------------------------------
 */

enum { DOES_NOT_APPLY = 3 };

/* What core/README.md says of the one-shot sets. */
static const struct {
	const char *name;
	double degree, p, beta2, log_q;
} oneshot_sets[] = {
    {"VLDAA2-44", 512, 12289, 34034726, 45},
    {"VLDAA2-87", 1024, 12289, 70265242, 46},
};

/* Returns where object is no group key of such a set. */
static void explain_oneshot(const bytes *object)
{
	vldaa_object_info info;

	if (vldaa_object_inspect(&info, object->at, object->len) ||
	    info.kind != VLDAA_KIND_GROUP_KEY)
		return;
	for (size_t i = 0; i < sizeof oneshot_sets / sizeof oneshot_sets[0]; i++) {
		const double length =
		    oneshot_sets[i].p * sqrt(oneshot_sets[i].degree / 12); /* u + b_x X + D s */
		const double beta = sqrt(oneshot_sets[i].beta2);

		if (strcmp(oneshot_sets[i].name, vldaa_set_name(info.set)) != 0)
			continue;
		printf(
		    "The group's public key: %s.\n"
		    "This program does not apply to that set: it forges by linear algebra modulo q,\n"
		    "where no length is asked for that linear algebra does not give.  Here one is:\n\n",
		    oneshot_sets[i].name);
		printf(
		    "1. A credential is (v_1, v_2) with v_1 + h v_2 = u + b_x X + D s modulo p = %.0f,\n"
		    "   no longer than %.0f.  Division gives one, about %.0f long: %.0f times too long.\n"
		    "   A short one is as hard as a Falcon signature, with a lattice in dimension %.0f.\n",
		    oneshot_sets[i].p, beta, length, length / beta, 2 * oneshot_sets[i].degree);
		printf(
		    "2. All responses are bounded far below q, which has %.0f bits: q added to one of them\n"
		    "   is refused.\n",
		    oneshot_sets[i].log_q);
		puts(
		    "3. A proof under somebody else's pseudonym shows a short s and a short error for it, to\n"
		    "   an exact norm: the error that solves t = A s + E for a chosen s is as long as q1.\n"
		    "4. Shifting a pseudonym by half of q1 puts halves into the proof, whose weights\n"
		    "   make them long.\n");
		printf(
		    "The library answers %d bits for this set's security against forgery.  Its own test of\n"
		    "these attempts: tests/unit/test_oneshot_forgery.c.\n",
		    vldaa_set_signature_bits(info.set));
		exit(DOES_NOT_APPLY);
	}
}

/* --- the story ---------------------------------------------------------------------------------
 */

static void begin(story *s, const char *path)
{
	bytes file = read_file(path);
	bytes object = file.len >= 4 && memcmp(file.at, "VLDA", 4) == 0
			   ? forgery_bytes_copy(file.at, file.len)
			   : object_in_pem(&file);

	explain_oneshot(&object);
	if (forgery_group_read(&s->g, object.at, object.len)) {
		fprintf(stderr, "%s: no group key of a published set\n", path);
		exit(2);
	}
	forgery_bytes_free(&file);
	forgery_bytes_free(&object);
	s->set = vldaa_set_by_id(s->g.n->id);
	printf("The group's public key: %s, d = %u, q = %lld, key id ", s->g.n->name,
	       (unsigned)s->g.R->d, (long long)s->g.R->q);
	for (size_t i = 0; i < 4; i++)
		printf("%02x", s->g.key_id[i]);
	puts("...\nThat is all this program has.");
	claim_done(vldaa_verifier_new(&s->verifier, s->g.object.at, s->g.object.len),
		   "the library takes it as a group key");
	claim(memcmp(vldaa_verifier_key_id(s->verifier), s->g.key_id, VLDAA_KEY_ID_BYTES) == 0,
	      "and has the same key id");
	claim(vldaa_set_signature_bits(s->set) == 0,
	      "asked for this set's security against forgery, the library answers 0 bits");
}

static void a_member_that_never_joined(const story *s)
{
	const basename_bytes basename = {"platoon-7", 9};
	member *m;
	credential cred;
	bytes att, again, compact;
	vldaa_attestation *a, *b;
	int linked = 0;

	printf("\n1. A credential: solve [A' | B + i g] s = u + u_T + u_H modulo q = %lld,\n"
	       "   three polynomials of s at random, the fourth by a division.\n",
	       (long long)s->g.R->q);
	claim_done(forgery_member_new(&m, &cred, &s->g),
		   "the library's host accepts the credential");
	printf("       ||s_1|| = %.3g, ||s_2|| = %.3g; allowed: %.3g\n", cred.norm[0], cred.norm[1],
	       cred.bound);
	puts("   From here on the library's own TPM and host work as if they had joined.");
	claim_done(forgery_member_attest(m, basename, &att), "they make an attestation");
	claim_done(forgery_member_attest(m, basename, &again), "and another one");
	claim_done(forgery_member_sign(m, &att, message, MESSAGE_LEN, &compact),
		   "and sign a message");
	a = claim_forged(s, &att, &compact);
	b = verified(s, &again);
	claim(b && vldaa_link(a, b, &linked) == 0 && linked == 1, "the two attestations link");
	write_object(s, "credential", cred.object.at, cred.object.len);
	write_object(s, "member.attestation", att.at, att.len);
	write_object(s, "member.signature", compact.at, compact.len);

	bytes mauled, mauled_signature;

	puts("\n2. Another valid attestation from a valid one: add q to a response.");
	claim(forgery_maul_attestation(&s->g, &att, &mauled) == 0, "one number in z_s3 moved by q");
	vldaa_attestation_free(b);
	b = verified(s, &mauled);
	claim(b && memcmp(vldaa_attestation_digest(a), vldaa_attestation_digest(b),
			  VLDAA_DIGEST_BYTES) != 0,
	      "the attestation verifies, and is not the one that was made");
	claim(forgery_maul_signature(&s->g, &compact, &mauled_signature) == 0,
	      "the signature's z_N alike");
	claim((verify_message(s, a, mauled_signature.at, mauled_signature.len, message,
			      MESSAGE_LEN) == 0) == s->g.n->responses_exceed_q,
	      s->g.n->responses_exceed_q
		  ? "it verifies too"
		  : "that is refused: the signature's bounds are below q in this set");
	vldaa_attestation_free(a);
	vldaa_attestation_free(b);
	forgery_bytes_free(&att);
	forgery_bytes_free(&again);
	forgery_bytes_free(&compact);
	forgery_bytes_free(&mauled);
	forgery_bytes_free(&mauled_signature);
	forgery_bytes_free(&cred.object);
	forgery_member_free(m);
}

static void somebody_elses_pseudonym(const story *s, const char *path)
{
	bytes file = path ? read_file(path) : forgery_bytes_new(0);
	attestation taken;
	vldaa_attestation *victim = NULL, *forged;
	basename_bytes basename = {"platoon-7", 9};
	uint8_t digest[VLDAA_DIGEST_BYTES];
	poly nym = forgery_poly_uniform(s->g.R);
	bytes att, compact;
	int linked = 0;

	puts(
	    "\n3. Somebody else's pseudonym: take any first messages w, hash them to the challenge c,\n"
	    "   and solve A z = w + c t modulo q for the responses z.");
	if (path) {
		victim = verified(s, &file);
		claim(victim != NULL, "the victim's own attestation verifies");
		claim(forgery_attestation_read(&taken, &s->g, &file) == 0,
		      "its pseudonym is in it");
		nym = taken.nym;
		basename = (basename_bytes){taken.basename, taken.basename_len};
	} else {
		puts(
		    "       (no attestation given: a pseudonym of random numbers, which has no owner)");
	}
	att = forgery_attestation(&s->g, basename, &nym);
	forgery_attestation_digest(s->g.n, &att, digest);
	const subject about = {basename, &nym, digest, message, MESSAGE_LEN};
	compact = forgery_signature(&s->g, &about);
	if (!s->g.n->responses_exceed_q) {
		claim(
		    verified(s, &att) == NULL,
		    "refused for this set: the responses under a pseudonym are longer than allowed");
		puts(
		    "       Shorter ones exist; finding them takes lattice reduction in dimension 256,\n"
		    "       which this program does not do.");
	} else {
		forged = claim_forged(s, &att, &compact);
		write_object(s, "pseudonym.attestation", att.at, att.len);
		write_object(s, "pseudonym.signature", compact.at, compact.len);
		if (victim) {
			claim(vldaa_link(victim, forged, &linked) == 0 && linked == 1,
			      "it links to the victim's attestation");
			forgery_attestation_digest(s->g.n, &file, digest);
			forgery_bytes_free(&compact);
			compact = forgery_signature(&s->g, &about);
			claim(verify_message(s, victim, compact.at, compact.len, message,
					     MESSAGE_LEN) == 0,
			      "a message forged under the victim's own attestation verifies");
			write_object(s, "victim.signature", compact.at, compact.len);
		}
		vldaa_attestation_free(forged);
	}
	vldaa_attestation_free(victim);
	forgery_bytes_free(&file);
	forgery_bytes_free(&att);
	forgery_bytes_free(&compact);
}

static void two_pseudonyms_for_one_basename(const story *s)
{
	const basename_bytes basename = {"one vote each", 13};
	cheat *c = NULL, *other = NULL;
	bytes first, second, compact;
	vldaa_attestation *a, *b;
	int linked = 1;

	puts("\n4. Two pseudonyms for one basename.");
	claim_done(forgery_cheat_new(&c, &s->g, basename), "a member with a TPM of its own making");
	claim_done(forgery_cheat_attest(c, HONEST, &first), "makes an attestation");
	a = verified(s, &first);
	claim(a != NULL, "it verifies");
	if (s->g.n->kappa % 2 == 0) {
		printf(
		    "   kappa = %u is even: nym + ((q+1)/2)(1 + X + ... + X^(d-1)) passes as well.\n",
		    (unsigned)s->g.n->kappa);
		claim_done(forgery_cheat_attest(c, SHIFTED, &second),
			   "the same member, the same secret");
		claim_done(forgery_cheat_sign(c, SHIFTED, &second, message, MESSAGE_LEN, &compact),
			   "a message under the second pseudonym");
		b = claim_forged(s, &second, &compact);
		forgery_bytes_free(&compact);
	} else {
		printf(
		    "   kappa = %u is odd, so shifting a pseudonym by (q+1)/2 does not work here;\n"
		    "   a second forged credential does.\n",
		    (unsigned)s->g.n->kappa);
		claim(forgery_cheat_attest(c, SHIFTED, &second) != VLDAA_OK,
		      "the shifted one is refused");
		forgery_bytes_free(&second);
		claim_done(forgery_cheat_new(&other, &s->g, basename),
			   "the same person, another member");
		claim_done(forgery_cheat_attest(other, HONEST, &second), "makes an attestation");
		b = verified(s, &second);
		claim(b != NULL, "it verifies");
	}
	claim(vldaa_link(a, b, &linked) == 0 && linked == 0, "the two do not link");
	vldaa_attestation_free(a);
	vldaa_attestation_free(b);
	forgery_bytes_free(&first);
	forgery_bytes_free(&second);
	forgery_cheat_free(c);
	forgery_cheat_free(other);
}

int main(int argc, char **argv)
{
	story s = {.directory = NULL};
	int at = 1;

	if (argc >= 3 && strcmp(argv[1], "-o") == 0) {
		s.directory = argv[2];
		at = 3;
	}
	if (argc - at < 1 || argc - at > 2) {
		fprintf(stderr, "usage: %s [-o DIR] GROUP_KEY [ATTESTATION]\n", argv[0]);
		return 2;
	}
	begin(&s, argv[at]);
	write_object(&s, "message", message, MESSAGE_LEN);
	a_member_that_never_joined(&s);
	somebody_elses_pseudonym(&s, argv[at + 1]);
	two_pseudonyms_for_one_basename(&s);
	printf("\nEverything above was made from the public key alone: %s is not unforgeable.\n",
	       s.g.n->name);
	vldaa_verifier_free(s.verifier);
	forgery_group_free(&s.g);
	return EXIT_SUCCESS;
}
