#include "bench/print.h"
#include "bench/reference.h"
#include "bench/target.h"
#include "output.h"

static const char *const operation_names[] = {
    [VLDAA_BENCH_SETUP] = "setup",
    [VLDAA_BENCH_JOIN] = "join",
    [VLDAA_BENCH_ISSUE] = "issue",
    [VLDAA_BENCH_ANSWER] = "answer",
    [VLDAA_BENCH_CREATE] = "create",
    [VLDAA_BENCH_SIGN] = "sign",
    [VLDAA_BENCH_VERIFY] = "verify",
    [VLDAA_BENCH_VERIFY_ATTESTATION] = "verify_attestation",
    [VLDAA_BENCH_VERIFY_MESSAGE] = "verify_message",
    [VLDAA_BENCH_LINK] = "link",
    [VLDAA_BENCH_REVOKE] = "revoke",
};

static const char *const object_names[] = {
    [VLDAA_BENCH_GROUP_KEY] = "group_key",
    [VLDAA_BENCH_JOIN_REQUEST] = "join_request",
    [VLDAA_BENCH_REQUEST_ALONE] = "join_request_without_certificates",
    [VLDAA_BENCH_CREDENTIAL] = "credential",
    [VLDAA_BENCH_ATTESTATION] = "attestation",
    [VLDAA_BENCH_BARE] = "message_signature",
    [VLDAA_BENCH_COMPACT] = "compact_signature",
    [VLDAA_BENCH_SIGNATURE] = "signature_with_attestation",
    [VLDAA_BENCH_TOKEN] = "revocation_token",
    [VLDAA_BENCH_ORDER] = "sealed_order",
    [VLDAA_BENCH_CONFIRMATION] = "confirmation",
};

const char *vldaa_bench_operation_name(enum vldaa_bench_operation operation)
{
	return operation_names[operation];
}

const char *vldaa_bench_object_name(enum vldaa_bench_object object)
{
	return object_names[object];
}

static void summary(vldaa_json *json, const vldaa_sample_summary *s)
{
	vldaa_json_double(json, "median_ns", s->median);
	vldaa_json_double(json, "p99_ns", s->p99);
	vldaa_json_double(json, "mean_ns", s->mean);
}

/* Every reference's figure, and how many times ours goes into it. */
static void compared(vldaa_json *json, const vldaa_publication *publication, const char *unit,
		     double reference, double ours)
{
	enum { NAME = 64 };
	char name[NAME];

	if (reference <= 0 || ours <= 0)
		return;
	(void)snprintf(name, NAME, "%s_%s", publication->key, unit);
	vldaa_json_double(json, name, reference);
	(void)snprintf(name, NAME, "%s_ratio", publication->key);
	vldaa_json_double(json, name, reference / ours);
}

static void target(vldaa_json *json, const char *name, double most)
{
	if (most > 0)
		vldaa_json_double(json, name, most);
}

static void print_operation(vldaa_json *json, vldaa_measurement *m,
			    enum vldaa_bench_operation operation)
{
	const vldaa_sample_summary s = vldaa_samples_summary(&m->samples[operation]);
	const vldaa_target *t = vldaa_target_of(m->set);
	const int met = vldaa_target_time_met(t, operation, &s);
	const vldaa_reference *r;

	vldaa_json_object(json, vldaa_bench_operation_name(operation));
	summary(json, &s);
	if (met >= 0) {
		target(json, "target_mean_ns", t->mean[operation]);
		target(json, "target_p99_ns", t->p99[operation]);
		vldaa_json_bool(json, "met", met);
	}
	for (size_t i = 0; (r = vldaa_reference_at(m->set, i)) != NULL; i++)
		compared(json, r->publication, "s", r->seconds[operation], s.mean * 1e-9);
	vldaa_json_object_end(json);
}

static void print_size(vldaa_json *json, const vldaa_measurement *m, enum vldaa_bench_object object)
{
	const size_t bytes = m->bytes[object];
	const vldaa_target *t = vldaa_target_of(m->set);
	const int met = vldaa_target_bytes_met(t, object, bytes);
	const vldaa_reference *r;

	vldaa_json_object(json, vldaa_bench_object_name(object));
	vldaa_json_int(json, "bytes", (int64_t)bytes);
	if (met >= 0) {
		vldaa_json_int(json, "target_bytes", (int64_t)t->bytes[object]);
		vldaa_json_bool(json, "met", met);
	}
	for (size_t i = 0; (r = vldaa_reference_at(m->set, i)) != NULL; i++)
		compared(json, r->publication, "bytes", r->bytes[object], (double)bytes);
	vldaa_json_object_end(json);
}

static void print_set(vldaa_json *json, vldaa_measurement *m)
{
	vldaa_json_object(json, NULL);
	vldaa_json_string(json, "set", vldaa_set_name(m->set));
	vldaa_json_int(json, "signature_bits", vldaa_set_signature_bits(m->set));
	vldaa_json_int(json, "key_bits", vldaa_set_key_bits(m->set));
	vldaa_json_object(json, "operations");
	for (int i = 0; i < VLDAA_BENCH_OPERATIONS; i++)
		print_operation(json, m, (enum vldaa_bench_operation)i);
	vldaa_json_object_end(json);
	vldaa_json_object(json, "sizes");
	for (int i = 0; i < VLDAA_BENCH_OBJECTS; i++)
		print_size(json, m, (enum vldaa_bench_object)i);
	vldaa_json_object_end(json);
	vldaa_json_object_end(json);
}

static void print_baseline(vldaa_json *json, vldaa_baseline *b)
{
	const vldaa_sample_summary sign = vldaa_samples_summary(&b->sign);
	const vldaa_sample_summary verify = vldaa_samples_summary(&b->verify);

	vldaa_json_object(json, "baseline");
	vldaa_json_string(json, "algorithm", "ECDSA P-256, SHA-256 (libcrypto)");
	vldaa_json_object(json, "sign");
	summary(json, &sign);
	vldaa_json_object_end(json);
	vldaa_json_object(json, "verify");
	summary(json, &verify);
	vldaa_json_object_end(json);
	vldaa_json_int(json, "signature_bytes", (int64_t)b->bytes);
	vldaa_json_object_end(json);
}

void vldaa_bench_print_json(const vldaa_bench_result *result)
{
	const vldaa_publication *p;
	vldaa_json json;

	vldaa_json_init(&json, stdout);
	vldaa_json_object(&json, NULL);
	vldaa_json_string(&json, "vldaa", VLDAA_VERSION);
	vldaa_json_string(&json, "processor", result->processor);
	vldaa_json_int(&json, "threads", 1);
	vldaa_json_int(&json, "iterations", (int64_t)result->iterations);
	vldaa_json_int(&json, "message_bytes", VLDAA_BENCH_MESSAGE_BYTES);
	vldaa_json_object(&json, "references");
	for (size_t i = 0; (p = vldaa_publication_at(i)) != NULL; i++)
		vldaa_json_string(&json, p->key, p->text);
	vldaa_json_object_end(&json);
	vldaa_json_array(&json, "sets");
	for (size_t i = 0; i < result->set_count; i++)
		print_set(&json, &result->sets[i]);
	vldaa_json_array_end(&json);
	print_baseline(&json, result->baseline);
	vldaa_json_object_end(&json);
}
