/*
 * Writes the known answers of every set: <directory>/vldaa2-44.json and so on, and the
 * objects that are too long for them.  README.md documents the fields.
 *
 * Every operation runs through the roles' own functions, its randomness a 32-byte seed that the
 * file states; afterwards everything is verified.  Sealed objects are left out: sealing draws its
 * own randomness.
 */
#include <check.h>
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "role/evp.h"
#include "story.h"

enum { IN_FULL = 16384, MAX_PUBLIC_KEY = 4096 };

static const uint8_t nonce[VLDAA_NONCE_BYTES] = {
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
    0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f};

void must(int ok, const char *what)
{
	ck_assert_msg(ok, "%s", what);
}

static FILE *open_file(const story *s, const char *end)
{
	char path[PATH_MAX];
	FILE *out;

	must(snprintf(path, sizeof path, "%s/%s%s", s->directory, s->name, end) < PATH_MAX, "path");
	out = fopen(path, "wb");
	must(out != NULL, path);
	return out;
}

/* The object's length and digest, and the object itself: here, or in a file beside. */
void put_object(story *s, const char *name, const void *bytes, size_t len)
{
	uint8_t digest[32];

	must(vldaa_evp_sha256(digest, bytes, len) == VLDAA_OK, "SHA-256");
	json_open(&s->json, name, '{');
	json_number(&s->json, "length", len);
	json_hex(&s->json, "sha256", digest, sizeof digest);
	if (len <= IN_FULL) {
		json_hex(&s->json, "hex", bytes, len);
	} else {
		char end[64], file[160];
		FILE *out;

		(void)snprintf(end, sizeof end, "-%s.bin", name);
		(void)snprintf(file, sizeof file, "%s%s", s->name, end);
		json_text(&s->json, "file", file);
		out = open_file(s, end);
		must(fwrite(bytes, 1, len, out) == len && fclose(out) == 0, file);
	}
	json_close(&s->json, '}');
}

/* The digest alone, of what follows from other fields. */
void put_digest(story *s, const char *name, const void *bytes, size_t len)
{
	uint8_t digest[32];

	must(vldaa_evp_sha256(digest, bytes, len) == VLDAA_OK, "SHA-256");
	json_hex(&s->json, name, digest, sizeof digest);
}

/* The seed that the source gives next. */
void put_seed(story *s, const char *name, const test_random *source)
{
	test_random copy = *source;
	uint8_t seed[VLDAA_SEED_BYTES];

	must(test_random_bytes(&copy, seed, sizeof seed) == VLDAA_OK, "source");
	json_hex(&s->json, name, seed, sizeof seed);
}

/* --- Setup -------------------------------------------------------------------------------------
 */

static void setup(story *s, const vldaa_set *set)
{
	const test_random source = {1, 0, -1};
	vldaa_group_key key;
	world *w = &s->world;

	world_init(w, set, source.label);
	must(w->random.counter == 1, "Setup draws one seed");
	json_open(&s->json, "setup", '{');
	put_seed(s, "seed", &source);
	json_hex(&s->json, "authority_private_key", w->authority.pkcs8.data,
		 w->authority.pkcs8.len);
	put_object(s, "issuer_key", w->issuer_key.data, w->issuer_key.len);
	put_object(s, "group_key", w->group_key.data, w->group_key.len);
	must(vldaa_read_group_key(&key, w->group_key.data, w->group_key.len) == VLDAA_OK, "group");
	json_hex(&s->json, "key_id", key.key_id, VLDAA_KEY_ID_BYTES);
	s->details->public_elements(s, &key);
	json_close(&s->json, '}');
}

/* --- Join --------------------------------------------------------------------------------------
 */

static void put_member_record(story *s)
{
	const memory_store *store = &s->car.store;

	for (size_t i = 0; i < store->count; i++) {
		if (store->rows[i].record == VLDAA_RECORD_MEMBER)
			put_object(s, "tpm_key", store->rows[i].value, store->rows[i].len);
	}
}

static void put_pending_record(story *s)
{
	const memory_store *store = &s->car.store;

	for (size_t i = 0; i < store->count; i++) {
		if (store->rows[i].record == VLDAA_RECORD_PENDING)
			json_hex(&s->json, "pending", store->rows[i].value, store->rows[i].len);
	}
}

static void keys(story *s)
{
	const test_random source = {2, 0, -1};
	const test_random host_source = {2, 1, -1};
	uint8_t public_key[MAX_PUBLIC_KEY];
	size_t len;
	car *c = &s->car;

	car_init(c, &s->world, source.label);
	must(c->random.counter == 2, "each key draws one seed");
	json_open(&s->json, "keys", '{');
	put_seed(s, "tpm_seed", &source);
	put_member_record(s);
	must(vldaa_tpm_public_key(c->tpm, vldaa_host_key_id(c->host), public_key, sizeof public_key,
				  &len) == VLDAA_OK,
	     "TPM's public key");
	json_hex(&s->json, "tpm_public_key", public_key, len);
	put_seed(s, "host_seed", &host_source);
	put_object(s, "host_key", c->host_key.data, c->host_key.len);
	json_close(&s->json, '}');
}

static void join(story *s)
{
	const vldaa_set *set = s->world.set;
	buffer n = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_NONCE));
	buffer call = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_JOIN_CALL));
	buffer request = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_JOIN_REQUEST));
	buffer answer;
	car *c = &s->car;

	json_open(&s->json, "join", '{');
	must(vldaa_issuer_nonce(s->world.issuer, nonce, n.data, n.len, &n.len) == VLDAA_OK,
	     "nonce");
	put_object(s, "nonce", n.data, n.len);
	put_seed(s, "host_seed", &c->random);
	must(vldaa_host_join(c->host, n.data, n.len, call.data, call.len, &call.len) == VLDAA_OK,
	     "call");
	put_object(s, "call", call.data, call.len);
	json_hex(&s->json, "endorsement_private_key", c->endorsement.pkcs8.data,
		 c->endorsement.pkcs8.len);
	json_hex(&s->json, "chain", c->chain.data, c->chain.len);
	put_seed(s, "tpm_seed", &c->random);
	must(vldaa_tpm_request(c->tpm, call.data, call.len, request.data, request.len,
			       &request.len) == VLDAA_OK,
	     "request");
	must(c->random.counter == 4, "Join draws one seed on each side");
	put_pending_record(s);
	put_object(s, "request", request.data, request.len);
	s->details->request(s, (vldaa_bytes){request.data, request.len});
	put_seed(s, "issuer_seed", &s->world.random);
	answer = world_answer(&s->world, request);
	must(s->world.random.counter == 2, "the issuer draws one seed");
	car_accept(c, answer);
	put_object(s, "credential", c->credential.data, c->credential.len);
	s->details->joined(s);
	json_close(&s->json, '}');
	buffer_free(&n);
	buffer_free(&call);
	buffer_free(&request);
	buffer_free(&answer);
}

/* --- Create ------------------------------------------------------------------------------------
 */

static void pseudonyms(story *s)
{
	uint8_t longest[VLDAA_MAX_BASENAME];

	memset(longest, 0xff, sizeof longest);
	json_open(&s->json, "pseudonyms", '[');
	s->details->pseudonym(
	    s, (vldaa_bytes){(const uint8_t *)story_basename, strlen(story_basename)});
	s->details->pseudonym(s, (vldaa_bytes){(const uint8_t *)"crossing 1", 10});
	s->details->pseudonym(s, (vldaa_bytes){(const uint8_t *)"\0", 1});
	s->details->pseudonym(s, (vldaa_bytes){(const uint8_t *)"\0\0", 2});
	s->details->pseudonym(s, (vldaa_bytes){longest, sizeof longest});
	json_close(&s->json, ']');
}

static void create(story *s)
{
	const vldaa_set *set = s->world.set;
	buffer out = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_ATTESTATION));
	buffer reply = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_CREATE_REPLY));
	const size_t cap = out.len, reply_cap = reply.len;
	car *c = &s->car;
	uint8_t calls[64][32], replies[64][32];
	size_t rounds = 0;
	int done = 0;

	json_open(&s->json, "create", '{');
	json_hex(&s->json, "basename", story_basename, strlen(story_basename));
	put_seed(s, "host_seed", &c->random);
	must(vldaa_host_create_begin(c->host, (const uint8_t *)story_basename,
				     strlen(story_basename), out.data, cap, &out.len) == VLDAA_OK,
	     "Create");
	json_open(&s->json, "tpm_seeds", '[');
	for (; !done; rounds++) {
		must(rounds < 64, "rounds");
		put_seed(s, NULL, &c->random);
		must(vldaa_evp_sha256(calls[rounds], out.data, out.len) == VLDAA_OK, "SHA-256");
		must(vldaa_tpm_create(c->tpm, out.data, out.len, reply.data, reply_cap,
				      &reply.len) == VLDAA_OK,
		     "reply");
		must(vldaa_evp_sha256(replies[rounds], reply.data, reply.len) == VLDAA_OK,
		     "SHA-256");
		must(vldaa_host_create_step(c->host, reply.data, reply.len, out.data, cap, &out.len,
					    &done) == VLDAA_OK,
		     "step");
	}
	json_close(&s->json, ']');
	json_open(&s->json, "calls_sha256", '[');
	for (size_t i = 0; i < rounds; i++)
		json_hex(&s->json, NULL, calls[i], 32);
	json_close(&s->json, ']');
	json_open(&s->json, "replies_sha256", '[');
	for (size_t i = 0; i < rounds; i++)
		json_hex(&s->json, NULL, replies[i], 32);
	json_close(&s->json, ']');
	s->attestation = out;
	s->details->attestation(s);
	put_object(s, "attestation", out.data, out.len);
	must(vldaa_attestation_new(&s->verified, s->world.verifier, out.data, out.len) == VLDAA_OK,
	     "the attestation verifies");
	json_hex(&s->json, "attestation_digest", vldaa_attestation_digest(s->verified),
		 VLDAA_DIGEST_BYTES);
	json_close(&s->json, '}');
	buffer_free(&reply);
}

/* --- Sign, Revoke ------------------------------------------------------------------------------
 */

static void put_signature(story *s, const uint8_t *message, size_t len)
{
	const uint64_t counter = s->car.random.counter;
	buffer compact, whole;

	json_open(&s->json, NULL, '{');
	json_hex(&s->json, "message", message, len);
	put_seed(s, "seed", &s->car.random);
	compact = car_sign(&s->car, s->attestation, VLDAA_FORM_COMPACT, message, len);
	must(s->car.random.counter == counter + 1, "Sign draws one seed");
	s->car.random.counter = counter;
	whole = car_sign(&s->car, s->attestation, VLDAA_FORM_SELF_CONTAINED, message, len);
	put_object(s, "compact", compact.data, compact.len);
	put_digest(s, "self_contained_sha256", whole.data, whole.len);
	must(world_verify(&s->world, compact, s->verified, message, len) == VLDAA_OK &&
		 world_verify(&s->world, whole, NULL, message, len) == VLDAA_OK,
	     "the signature verifies");
	json_close(&s->json, '}');
	buffer_free(&compact);
	buffer_free(&whole);
}

static void sign(story *s)
{
	uint8_t message[300];

	for (size_t i = 0; i < sizeof message; i++)
		message[i] = (uint8_t)i;
	json_open(&s->json, "signatures", '[');
	put_signature(s, message, 0);
	put_signature(s, (const uint8_t *)"brake ahead", 11);
	put_signature(s, message, sizeof message);
	json_close(&s->json, ']');
}

static void revoke(story *s)
{
	const vldaa_order_terms terms = {VLDAA_REVOKE_SOFT, 7, 5, 1900000000};
	const vldaa_set *set = s->world.set;
	const world *w = &s->world;
	buffer token = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_TOKEN));
	buffer order = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_ORDER));
	buffer sealed = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_SEALED_ORDER));
	buffer confirmation = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_CONFIRMATION));
	car *c = &s->car;

	json_open(&s->json, "revoke", '{');
	put_seed(s, "token_seed", &c->random);
	must(vldaa_tpm_token(c->tpm, vldaa_host_key_id(c->host), (const uint8_t *)story_basename,
			     strlen(story_basename), vldaa_attestation_digest(s->verified),
			     token.data, token.len, &token.len) == VLDAA_OK,
	     "token");
	put_object(s, "token", token.data, token.len);
	json_hex(&s->json, "authority_private_key", w->revocation.pkcs8.data,
		 w->revocation.pkcs8.len);
	must(vldaa_order_new(s->verified, &terms, w->revocation.pkcs8.data, w->revocation.pkcs8.len,
			     w->fleet_key, order.data, order.len, &order.len, sealed.data,
			     sealed.len, &sealed.len) == VLDAA_OK,
	     "order");
	put_object(s, "order", order.data, order.len);
	put_seed(s, "confirmation_seed", &c->random);
	must(vldaa_tpm_obey(c->tpm, sealed.data, sealed.len, confirmation.data, confirmation.len,
			    &confirmation.len) == VLDAA_OK,
	     "confirmation");
	put_object(s, "confirmation", confirmation.data, confirmation.len);
	must(vldaa_confirmation_check(w->verifier, order.data, order.len, confirmation.data,
				      confirmation.len, token.data, token.len) == VLDAA_OK,
	     "the confirmation verifies");
	json_close(&s->json, '}');
	buffer_free(&token);
	buffer_free(&order);
	buffer_free(&sealed);
	buffer_free(&confirmation);
}

static void write_set(const char *to, const vldaa_set *set)
{
	static story s;
	size_t len = strlen(vldaa_set_name(set));

	memset(&s, 0, sizeof s);
	s.directory = to;
	s.details = set->scheme == &vldaa_scheme_published ? &published_details : &oneshot_details;
	must(len < sizeof s.name, "name");
	for (size_t i = 0; i < len; i++)
		s.name[i] = (char)tolower((unsigned char)vldaa_set_name(set)[i]);
	s.json.out = open_file(&s, ".json");
	json_open(&s.json, NULL, '{');
	json_text(&s.json, "set", vldaa_set_name(set));
	json_number(&s.json, "set_id", vldaa_set_id(set));
	setup(&s, set);
	keys(&s);
	join(&s);
	pseudonyms(&s);
	create(&s);
	sign(&s);
	revoke(&s);
	json_close(&s.json, '}');
	must(fclose(s.json.out) == 0, "close");
	vldaa_attestation_free(s.verified);
	buffer_free(&s.attestation);
	car_free(&s.car);
	world_free(&s.world);
}

static const char *directory;

/* A test only because the helpers of the other tests' world assert. */
START_TEST(write_all)
{
	for (size_t i = 0; vldaa_set_at(i); i++)
		write_set(directory, vldaa_set_at(i));
}
END_TEST

int main(int argc, char **argv)
{
	Suite *s = suite_create("known answers");
	TCase *tc = tcase_create("write");
	SRunner *sr = srunner_create(s);

	if (argc != 2) {
		fprintf(stderr, "usage: vldaa-vectors DIRECTORY\n");
		return 2;
	}
	directory = argv[1];
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, write_all);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_MINIMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
