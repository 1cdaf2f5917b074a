#include <stdio.h>
#include <string.h>

#include "bench/print.h"
#include "bench/reference.h"
#include "bench/target.h"

static const char *const operation_labels[] = {
    [VLDAA_BENCH_SETUP] = "Setup",
    [VLDAA_BENCH_JOIN] = "Join, all steps",
    [VLDAA_BENCH_ISSUE] = "  issuer's part",
    [VLDAA_BENCH_ANSWER] = "    a credential",
    [VLDAA_BENCH_CREATE] = "Create",
    [VLDAA_BENCH_SIGN] = "Sign",
    [VLDAA_BENCH_VERIFY] = "Verify",
    [VLDAA_BENCH_VERIFY_ATTESTATION] = "  attestation alone",
    [VLDAA_BENCH_VERIFY_MESSAGE] = "  message alone",
    [VLDAA_BENCH_LINK] = "Link",
    [VLDAA_BENCH_REVOKE] = "Revoke",
};

static const char *const object_labels[] = {
    [VLDAA_BENCH_GROUP_KEY] = "group key",
    [VLDAA_BENCH_JOIN_REQUEST] = "join request",
    [VLDAA_BENCH_REQUEST_ALONE] = "  less certificate",
    [VLDAA_BENCH_CREDENTIAL] = "credential",
    [VLDAA_BENCH_ATTESTATION] = "attestation",
    [VLDAA_BENCH_BARE] = "message signature",
    [VLDAA_BENCH_COMPACT] = "  with digest",
    [VLDAA_BENCH_SIGNATURE] = "  with attestation",
    [VLDAA_BENCH_TOKEN] = "revocation token",
    [VLDAA_BENCH_ORDER] = "revocation order",
    [VLDAA_BENCH_CONFIRMATION] = "confirmation",
};

enum { TEXT = 32 };

static void time_text(char text[TEXT], double ns)
{
	if (ns <= 0)
		(void)snprintf(text, TEXT, "-");
	else if (ns < 1e3)
		(void)snprintf(text, TEXT, "%.0f ns", ns);
	else if (ns < 1e6)
		(void)snprintf(text, TEXT, "%.1f us", ns * 1e-3);
	else if (ns < 1e9)
		(void)snprintf(text, TEXT, "%.2f ms", ns * 1e-6);
	else
		(void)snprintf(text, TEXT, "%.2f s", ns * 1e-9);
}

/* 1,234,567 */
static void grouped(char text[TEXT], double value)
{
	char digits[TEXT];
	size_t n, out = 0;

	(void)snprintf(digits, sizeof digits, "%.0f", value);
	n = strlen(digits);
	for (size_t i = 0; i < n && out + 2 < TEXT; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			text[out++] = ',';
		text[out++] = digits[i];
	}
	text[out] = '\0';
}

/* "12.3x", "1,234x"; "-" when there is nothing to compare with. */
static void ratio_text(char text[TEXT], double reference, double ours)
{
	const double ratio = ours > 0 ? reference / ours : 0;

	if (ratio <= 0) {
		(void)snprintf(text, TEXT, "-");
	} else if (ratio < 100) {
		(void)snprintf(text, TEXT, "%.1fx", ratio);
	} else {
		grouped(text, ratio);
		(void)strncat(text, "x", TEXT - strlen(text) - 1);
	}
}

/* The heads of the columns behind our own figures. */
static void print_heads(const vldaa_set *set, const char *ratio)
{
	const vldaa_reference *r;

	if (vldaa_target_of(set))
		printf("%11s ", "at most");
	for (size_t i = 0; (r = vldaa_reference_at(set, i)) != NULL; i++) {
		printf("%10s", r->publication->title);
		if (r->publication->ratio)
			printf("%9s", ratio);
	}
	printf("\n");
}

/* A limit; an exclamation mark behind it when it was passed. */
static void print_limit(const vldaa_target *target, const char *text, int met)
{
	if (target)
		printf("%11s%s", met < 0 ? "-" : text, met == 0 ? "!" : " ");
}

static void print_theirs(const vldaa_reference *r, const char *text, const char *ratio)
{
	printf("%10s", text);
	if (r->publication->ratio)
		printf("%9s", ratio);
}

static void limit_text(char text[TEXT], const vldaa_target *target,
		       enum vldaa_bench_operation operation)
{
	const double mean = target ? target->mean[operation] * 1e-6 : 0;
	const double p99 = target ? target->p99[operation] * 1e-6 : 0;

	if (p99 > 0)
		(void)snprintf(text, TEXT, "%g, %g ms", mean, p99);
	else if (mean >= 1000)
		(void)snprintf(text, TEXT, "%g s", mean * 1e-3);
	else
		(void)snprintf(text, TEXT, "%g ms", mean);
}

static void print_times(vldaa_measurement *m)
{
	const vldaa_target *target = vldaa_target_of(m->set);
	const vldaa_reference *r;

	printf("  %-21s%10s%10s%10s", "", "median", "p99", "mean");
	print_heads(m->set, "faster");
	for (int i = 0; i < VLDAA_BENCH_OPERATIONS; i++) {
		const enum vldaa_bench_operation operation = (enum vldaa_bench_operation)i;
		const vldaa_sample_summary s = vldaa_samples_summary(&m->samples[i]);
		char median[TEXT], p99[TEXT], mean[TEXT], theirs[TEXT], ratio[TEXT], limit[TEXT];

		time_text(median, s.median);
		time_text(p99, s.p99);
		time_text(mean, s.mean);
		limit_text(limit, target, operation);
		printf("  %-21s%10s%10s%10s", operation_labels[i], median, p99, mean);
		print_limit(target, limit, vldaa_target_time_met(target, operation, &s));
		for (size_t k = 0; (r = vldaa_reference_at(m->set, k)) != NULL; k++) {
			time_text(theirs, r->seconds[operation] * 1e9);
			ratio_text(ratio, r->seconds[operation] * 1e9, s.mean);
			print_theirs(r, theirs, ratio);
		}
		printf("\n");
	}
}

static void print_sizes(const vldaa_measurement *m)
{
	const vldaa_target *target = vldaa_target_of(m->set);
	const vldaa_reference *r;

	printf("  %-21s%30s", "", "bytes");
	print_heads(m->set, "smaller");
	for (int i = 0; i < VLDAA_BENCH_OBJECTS; i++) {
		const enum vldaa_bench_object object = (enum vldaa_bench_object)i;
		const double ours = (double)m->bytes[i];
		char bytes[TEXT], theirs[TEXT], ratio[TEXT], limit[TEXT];

		grouped(bytes, ours);
		grouped(limit, target ? (double)target->bytes[i] : 0);
		printf("  %-21s%30s", object_labels[i], bytes);
		print_limit(target, limit, vldaa_target_bytes_met(target, object, m->bytes[i]));
		for (size_t k = 0; (r = vldaa_reference_at(m->set, k)) != NULL; k++) {
			grouped(theirs, r->bytes[i]);
			ratio_text(ratio, r->bytes[i], ours);
			print_theirs(r, r->bytes[i] > 0 ? theirs : "-", ratio);
		}
		printf("\n");
	}
}

static void print_baseline(vldaa_baseline *b)
{
	const vldaa_sample_summary sign = vldaa_samples_summary(&b->sign);
	const vldaa_sample_summary verify = vldaa_samples_summary(&b->verify);
	char median[TEXT], p99[TEXT], mean[TEXT];

	printf("\nFor comparison: ECDSA P-256 (not anonymous, not post-quantum), %zu bytes\n",
	       b->bytes);
	time_text(median, sign.median);
	time_text(p99, sign.p99);
	time_text(mean, sign.mean);
	printf("  %-21s%10s%10s%10s\n", "sign", median, p99, mean);
	time_text(median, verify.median);
	time_text(p99, verify.p99);
	time_text(mean, verify.mean);
	printf("  %-21s%10s%10s%10s\n", "verify", median, p99, mean);
}

/* The texts of what was compared with, one a line broken at blanks. */
static void print_wrapped(const char *title, const char *text)
{
	enum { WIDTH = 86 };
	size_t at = strlen(title) + 1;

	printf("%s:", title);
	while (*text) {
		const size_t word = strcspn(text, " ");

		if (at + 1 + word > WIDTH) {
			printf("\n ");
			at = 1;
		}
		printf(" %.*s", (int)word, text);
		at += 1 + word;
		text += word + strspn(text + word, " ");
	}
	printf("\n");
}

static void print_publications(const vldaa_bench_result *result)
{
	const vldaa_publication *p;
	const vldaa_reference *r;

	for (size_t i = 0; (p = vldaa_publication_at(i)) != NULL; i++) {
		int used = 0;

		for (size_t k = 0; k < result->set_count; k++) {
			for (size_t j = 0; (r = vldaa_reference_at(result->sets[k].set, j)); j++)
				used |= r->publication == p;
		}
		if (used)
			print_wrapped(p->title, p->text);
	}
}

void vldaa_bench_print_table(const vldaa_bench_result *result)
{
	printf("vldaa %s, %zu rounds, one thread, messages of %d bytes\n", VLDAA_VERSION,
	       result->iterations, VLDAA_BENCH_MESSAGE_BYTES);
	if (result->processor)
		printf("on %s\n", result->processor);
	for (size_t i = 0; i < result->set_count; i++) {
		vldaa_measurement *m = &result->sets[i];
		const int bits = vldaa_set_signature_bits(m->set);

		if (bits > 0)
			printf("\n%s: %d bits against forgery\n", vldaa_set_name(m->set), bits);
		else
			printf("\n%s: anybody can forge\n", vldaa_set_name(m->set));
		print_times(m);
		print_sizes(m);
	}
	print_baseline(result->baseline);
	printf(
	    "\n"
	    "Times are the thread's processor time: other load on the machine hardly counts.\n"
	    "Setup makes the issuer's keys (NTRU in the VLDAA2 sets).  Join includes the issuer's\n"
	    "check of the endorsement certificate, Create the host's verification and the\n"
	    "revocation token.  \"at most\" is what a set is meant to stay within on a 2-core cloud\n"
	    "machine, in the mean (and at p99); an exclamation mark: it did not.  \"faster\" compares means.\n");
	print_publications(result);
}
