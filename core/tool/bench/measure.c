/* One round runs the whole story once, with a new member; what stands between the clock's readings
 * is what an operation costs all who take part in it. */
#include "bench/measure.h"

#include <string.h>

#include "bench/parties.h"
#include "vldaa/revoke.h"

static const uint8_t basename[] = "vldaa bench";
static const uint8_t message[VLDAA_BENCH_MESSAGE_BYTES];

/* A round's objects, by kind. */
typedef struct {
	vldaa_bytes_out object[VLDAA_KIND_REVOKED_LIST + 1];
	size_t kept; /* of the answer, by the TPM */
	vldaa_bytes_out bare;
	vldaa_bytes_out tpm_public;
} objects;

typedef struct {
	const vldaa_bench_parties *parties;
	vldaa_bench_member member;
	objects *o;
	vldaa_measurement *m;
	vldaa_attestation *attestation;
} bench_round;

enum { TPM_PUBLIC_BYTES = 8192 };

static int objects_new(objects *o, const vldaa_set *set)
{
	int err = VLDAA_OK;

	memset(o, 0, sizeof *o);
	for (int k = VLDAA_KIND_GROUP_KEY; k <= VLDAA_KIND_CONFIRMATION && !err; k++) {
		err = vldaa_bytes_out_new(&o->object[k],
					  vldaa_object_max_size(set, (enum vldaa_kind)k));
	}
	/* A bare signature is shorter than a signature with its digest. */
	if (!err)
		err = vldaa_bytes_out_new(&o->bare, o->object[VLDAA_KIND_COMPACT].cap);
	if (!err)
		err = vldaa_bytes_out_new(&o->tpm_public, TPM_PUBLIC_BYTES);
	return err;
}

static void objects_free(objects *o)
{
	for (size_t k = 0; k < sizeof o->object / sizeof o->object[0]; k++)
		vldaa_bytes_out_free(&o->object[k]);
	vldaa_bytes_out_free(&o->bare);
	vldaa_bytes_out_free(&o->tpm_public);
}

static vldaa_bytes_out *object(bench_round *r, enum vldaa_kind kind)
{
	return &r->o->object[kind];
}

static void seen_bytes(bench_round *r, enum vldaa_bench_object which, size_t len)
{
	if (len > r->m->bytes[which])
		r->m->bytes[which] = len;
}

static void seen(bench_round *r, enum vldaa_bench_object which, enum vldaa_kind kind)
{
	seen_bytes(r, which, object(r, kind)->len);
}

static int timed(bench_round *r, enum vldaa_bench_operation operation, int (*run)(bench_round *))
{
	const double start = vldaa_bench_now();
	const int err = run(r);

	if (!err)
		vldaa_samples_add_since(&r->m->samples[operation], start);
	return err;
}

/* --- the operations ----------------------------------------------------------------------------
 */

static int setup(bench_round *r)
{
	const vldaa_bench_parties *p = r->parties;
	vldaa_bytes_out *key = object(r, VLDAA_KIND_ISSUER_KEY);

	return vldaa_issuer_keygen(p->set, p->solve, p->authority.data, p->authority.len, key->data,
				   key->cap, &key->len);
}

static int answer(bench_round *r)
{
	const vldaa_bench_parties *p = r->parties;
	const vldaa_group_services services = {p->revocation_public.data, p->revocation_public.len,
					       p->fleet_key};
	vldaa_bytes_out *out = object(r, VLDAA_KIND_JOIN_ANSWER);
	uint8_t tag[VLDAA_MAX_TAG_BYTES];
	size_t tag_len = 0;

	return vldaa_issuer_answer(p->issuer, &services, tag, &tag_len, out->data, out->cap,
				   &out->len);
}

/* Join, the issuer's part. */
static int issue(bench_round *r)
{
	const vldaa_bench_parties *p = r->parties;
	const vldaa_bytes_out *request = object(r, VLDAA_KIND_JOIN_REQUEST);
	vldaa_request_info info;
	int err = vldaa_issuer_check(p->issuer, request->data, request->len, p->roots.data,
				     p->roots.len, p->now, &info);

	return err ? err : timed(r, VLDAA_BENCH_ANSWER, answer);
}

static int request(bench_round *r)
{
	static const uint8_t nonce_bytes[VLDAA_NONCE_BYTES] = {1};
	vldaa_bench_member *m = &r->member;
	vldaa_bytes_out *host_key = object(r, VLDAA_KIND_HOST_KEY);
	vldaa_bytes_out *nonce = object(r, VLDAA_KIND_NONCE);
	vldaa_bytes_out *call = object(r, VLDAA_KIND_JOIN_CALL);
	vldaa_bytes_out *out = object(r, VLDAA_KIND_JOIN_REQUEST);
	int err = vldaa_tpm_keygen(m->tpm, r->parties->group_key, r->parties->group_key_len);

	if (!err)
		err = vldaa_host_keygen(m->host, host_key->data, host_key->cap, &host_key->len);
	if (!err)
		err = vldaa_issuer_nonce(r->parties->issuer, nonce_bytes, nonce->data, nonce->cap,
					 &nonce->len);
	if (!err)
		err = vldaa_host_join(m->host, nonce->data, nonce->len, call->data, call->cap,
				      &call->len);
	if (!err)
		err = vldaa_tpm_request(m->tpm, call->data, call->len, out->data, out->cap,
					&out->len);
	return err;
}

/* What the TPM keeps of an answer besides its part of the credential: fleet key, authority's key in a
 * block, and the credential's own length. */
static size_t kept_besides(const vldaa_bench_parties *p)
{
	return sizeof p->fleet_key + 4 + p->revocation_public.len + 4;
}

static int accept(bench_round *r)
{
	vldaa_bench_member *m = &r->member;
	const vldaa_bytes_out *in = object(r, VLDAA_KIND_JOIN_ANSWER);
	vldaa_bytes_out *credential = object(r, VLDAA_KIND_CREDENTIAL);
	const size_t before = vldaa_memory_store_len(&m->store, VLDAA_RECORD_MEMBER);
	int err = vldaa_tpm_accept(m->tpm, in->data, in->len, credential->data, credential->cap,
				   &credential->len);

	if (!err)
		r->o->kept = vldaa_memory_store_len(&m->store, VLDAA_RECORD_MEMBER) - before -
			     kept_besides(r->parties);
	return err;
}

static int join(bench_round *r)
{
	vldaa_bench_member *m = &r->member;
	vldaa_bytes_out *credential = object(r, VLDAA_KIND_CREDENTIAL), *pub = &r->o->tpm_public;
	int err = vldaa_bench_member_new(m, r->parties);

	if (!err)
		err = request(r);
	if (!err)
		err = timed(r, VLDAA_BENCH_ISSUE, issue);
	if (!err)
		err = accept(r);
	if (!err)
		err = vldaa_tpm_public_key(m->tpm, vldaa_host_key_id(m->host), pub->data, pub->cap,
					   &pub->len);
	if (!err)
		err = vldaa_host_accept(m->host, credential->data, credential->len, pub->data,
					pub->len);
	return err;
}

static int create(bench_round *r)
{
	vldaa_bench_member *m = &r->member;
	vldaa_bytes_out *reply = object(r, VLDAA_KIND_CREATE_REPLY);
	vldaa_bytes_out *token = object(r, VLDAA_KIND_TOKEN);
	/* The calls and the attestation that comes last; an attestation is the longer. */
	vldaa_bytes_out *out = object(r, VLDAA_KIND_ATTESTATION);
	uint8_t digest[VLDAA_DIGEST_BYTES];
	int done = 0;
	int err = vldaa_host_create_begin(m->host, basename, sizeof basename - 1, out->data,
					  out->cap, &out->len);

	while (!err && !done) {
		err = vldaa_tpm_create(m->tpm, out->data, out->len, reply->data, reply->cap,
				       &reply->len);
		if (!err)
			err = vldaa_host_create_step(m->host, reply->data, reply->len, out->data,
						     out->cap, &out->len, &done);
	}
	if (!err)
		err = vldaa_attestation_digest_of(out->data, out->len, digest);
	if (!err)
		err = vldaa_tpm_token(m->tpm, vldaa_host_key_id(m->host), basename,
				      sizeof basename - 1, digest, token->data, token->cap,
				      &token->len);
	return err;
}

static int sign(bench_round *r)
{
	vldaa_bench_member *m = &r->member;
	vldaa_bytes_out *bare = &r->o->bare;
	int err =
	    vldaa_tpm_sign_begin(m->tpm, vldaa_host_key_id(m->host), basename, sizeof basename - 1,
				 vldaa_attestation_digest(r->attestation));

	if (!err)
		err = vldaa_tpm_sign_update(m->tpm, message, sizeof message);
	if (!err)
		err = vldaa_tpm_sign_end(m->tpm, bare->data, bare->cap, &bare->len);
	return err;
}

/* Not measured: it copies. */
static int form(bench_round *r, enum vldaa_form which, enum vldaa_kind kind)
{
	const vldaa_bytes_out *att = object(r, VLDAA_KIND_ATTESTATION), *bare = &r->o->bare;
	vldaa_bytes_out *out = object(r, kind);

	return vldaa_host_signature(r->member.host, which, att->data, att->len, bare->data,
				    bare->len, out->data, out->cap, &out->len);
}

static int verify_as(bench_round *r, enum vldaa_kind kind, const vldaa_attestation *known)
{
	const vldaa_bytes_out *in = object(r, kind);
	vldaa_verification *v = NULL;
	int err = vldaa_verification_new(&v, r->parties->verifier, in->data, in->len, known,
					 basename, sizeof basename - 1);

	if (!err)
		err = vldaa_verification_update(v, message, sizeof message);
	if (!err)
		err = vldaa_verification_end(v);
	vldaa_verification_free(v);
	return err;
}

static int verify(bench_round *r)
{
	return verify_as(r, VLDAA_KIND_SIGNATURE, NULL);
}

static int verify_message(bench_round *r)
{
	return verify_as(r, VLDAA_KIND_COMPACT, r->attestation);
}

static int verify_attestation(bench_round *r)
{
	const vldaa_bytes_out *in = object(r, VLDAA_KIND_ATTESTATION);

	return vldaa_attestation_new(&r->attestation, r->parties->verifier, in->data, in->len);
}

static int link_both(bench_round *r)
{
	int linked = 0;
	int err = vldaa_link(r->attestation, r->attestation, &linked);

	return err || linked ? err : VLDAA_ERR_INTERNAL;
}

static int revoke(bench_round *r)
{
	const vldaa_bench_parties *p = r->parties;
	const vldaa_order_terms terms = {VLDAA_REVOKE_SOFT, 0, 1, p->now + 3600};
	const vldaa_bytes_out *token = object(r, VLDAA_KIND_TOKEN);
	vldaa_bytes_out *order = object(r, VLDAA_KIND_ORDER);
	vldaa_bytes_out *sealed = object(r, VLDAA_KIND_SEALED_ORDER);
	vldaa_bytes_out *confirmation = object(r, VLDAA_KIND_CONFIRMATION);
	int err = vldaa_order_new(r->attestation, &terms, p->revocation.data, p->revocation.len,
				  p->fleet_key, order->data, order->cap, &order->len, sealed->data,
				  sealed->cap, &sealed->len);

	if (!err)
		err = vldaa_tpm_obey(r->member.tpm, sealed->data, sealed->len, confirmation->data,
				     confirmation->cap, &confirmation->len);
	if (!err)
		err = vldaa_confirmation_check(p->verifier, order->data, order->len,
					       confirmation->data, confirmation->len, token->data,
					       token->len);
	return err;
}

/* --- rounds ------------------------------------------------------------------------------------
 */

static void all_seen(bench_round *r)
{
	r->m->bytes[VLDAA_BENCH_GROUP_KEY] = r->parties->group_key_len;
	seen(r, VLDAA_BENCH_JOIN_REQUEST, VLDAA_KIND_JOIN_REQUEST);
	seen_bytes(r, VLDAA_BENCH_REQUEST_ALONE,
		   object(r, VLDAA_KIND_JOIN_REQUEST)->len - r->parties->chain.len);
	/* with one-shot sets the TPM has it, and the host a receipt; else the host has it */
	if (r->o->kept > 0)
		seen_bytes(r, VLDAA_BENCH_CREDENTIAL, r->o->kept);
	else
		seen(r, VLDAA_BENCH_CREDENTIAL, VLDAA_KIND_CREDENTIAL);
	seen(r, VLDAA_BENCH_ATTESTATION, VLDAA_KIND_ATTESTATION);
	seen_bytes(r, VLDAA_BENCH_BARE, r->o->bare.len);
	seen(r, VLDAA_BENCH_COMPACT, VLDAA_KIND_COMPACT);
	seen(r, VLDAA_BENCH_SIGNATURE, VLDAA_KIND_SIGNATURE);
	seen(r, VLDAA_BENCH_TOKEN, VLDAA_KIND_TOKEN);
	seen(r, VLDAA_BENCH_ORDER, VLDAA_KIND_SEALED_ORDER);
	seen(r, VLDAA_BENCH_CONFIRMATION, VLDAA_KIND_CONFIRMATION);
}

static int run_round(bench_round *r)
{
	int err = timed(r, VLDAA_BENCH_SETUP, setup);

	if (!err)
		err = timed(r, VLDAA_BENCH_JOIN, join);
	if (!err)
		err = timed(r, VLDAA_BENCH_CREATE, create);
	if (!err)
		err = timed(r, VLDAA_BENCH_VERIFY_ATTESTATION, verify_attestation);
	if (!err)
		err = timed(r, VLDAA_BENCH_SIGN, sign);
	if (!err)
		err = form(r, VLDAA_FORM_SELF_CONTAINED, VLDAA_KIND_SIGNATURE);
	if (!err)
		err = form(r, VLDAA_FORM_COMPACT, VLDAA_KIND_COMPACT);
	if (!err)
		err = timed(r, VLDAA_BENCH_VERIFY, verify);
	if (!err)
		err = timed(r, VLDAA_BENCH_VERIFY_MESSAGE, verify_message);
	if (!err)
		err = timed(r, VLDAA_BENCH_LINK, link_both);
	if (!err)
		err = timed(r, VLDAA_BENCH_REVOKE, revoke);
	if (!err)
		all_seen(r);
	return err;
}

int vldaa_measure(vldaa_measurement *m, const vldaa_set *set, size_t iterations,
		  vldaa_bench_progress *progress, void *arg)
{
	vldaa_bench_parties parties;
	objects o;
	int err;

	memset(m, 0, sizeof *m);
	m->set = set;
	err = vldaa_bench_parties_new(&parties, set);
	for (int i = 0; i < VLDAA_BENCH_OPERATIONS && !err; i++)
		err = vldaa_samples_init(&m->samples[i], iterations);
	memset(&o, 0, sizeof o);
	if (!err)
		err = objects_new(&o, set);
	for (size_t i = 0; i < iterations && !err; i++) {
		bench_round r = {.parties = &parties, .o = &o, .m = m};

		err = run_round(&r);
		vldaa_attestation_free(r.attestation);
		vldaa_bench_member_free(&r.member);
		if (progress)
			progress(arg);
	}
	objects_free(&o);
	vldaa_bench_parties_free(&parties);
	return err;
}

void vldaa_measurement_free(vldaa_measurement *m)
{
	for (int i = 0; i < VLDAA_BENCH_OPERATIONS; i++)
		vldaa_samples_free(&m->samples[i]);
}
