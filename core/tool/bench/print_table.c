#include <stdio.h>
#include <string.h>

#include "bench/print.h"
#include "bench/reference.h"

static const char *const operation_labels[] = {
    [VLDAA_BENCH_SETUP] = "Setup",
    [VLDAA_BENCH_JOIN] = "Join, all steps",
    [VLDAA_BENCH_CREATE] = "Create",
    [VLDAA_BENCH_SIGN] = "Sign",
    [VLDAA_BENCH_VERIFY] = "Verify",
    [VLDAA_BENCH_VERIFY_ATTESTATION] = "  attestation alone",
    [VLDAA_BENCH_VERIFY_MESSAGE] = "  message alone",
    [VLDAA_BENCH_LINK] = "Link",
    [VLDAA_BENCH_REVOKE] = "Revoke",
};

static const char *const object_labels[] = {
    [VLDAA_BENCH_GROUP_KEY] = "group key",       [VLDAA_BENCH_JOIN_REQUEST] = "join request",
    [VLDAA_BENCH_CREDENTIAL] = "credential",     [VLDAA_BENCH_ATTESTATION] = "attestation",
    [VLDAA_BENCH_COMPACT] = "message signature", [VLDAA_BENCH_SIGNATURE] = "  with attestation",
    [VLDAA_BENCH_TOKEN] = "revocation token",    [VLDAA_BENCH_ORDER] = "revocation order",
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

static void print_times(vldaa_measurement *m)
{
	const int chen = vldaa_chen2021_seconds(m->set, VLDAA_BENCH_JOIN) > 0;
	const int sc24 = vldaa_sc24_seconds(m->set, VLDAA_BENCH_JOIN) > 0;

	printf("  %-21s%10s%10s%10s", "", "median", "p99", "mean");
	if (sc24)
		printf("%10s%9s", "SC24", "faster");
	if (chen)
		printf("%10s%9s", "Chen 2021", "faster");
	printf("\n");
	for (int i = 0; i < VLDAA_BENCH_OPERATIONS; i++) {
		const enum vldaa_bench_operation operation = (enum vldaa_bench_operation)i;
		const vldaa_sample_summary s = vldaa_samples_summary(&m->samples[i]);
		const double references[] = {vldaa_sc24_seconds(m->set, operation) * 1e9,
					     vldaa_chen2021_seconds(m->set, operation) * 1e9};
		char median[TEXT], p99[TEXT], mean[TEXT], theirs[TEXT], ratio[TEXT];

		time_text(median, s.median);
		time_text(p99, s.p99);
		time_text(mean, s.mean);
		printf("  %-21s%10s%10s%10s", operation_labels[i], median, p99, mean);
		for (int k = 0; k < sc24 + chen; k++) {
			time_text(theirs, references[k]);
			ratio_text(ratio, references[k], s.mean);
			printf("%10s%9s", theirs, ratio);
		}
		printf("\n");
	}
}

static void print_sizes(const vldaa_measurement *m)
{
	const int sc24 = vldaa_sc24_bytes(m->set, VLDAA_BENCH_ATTESTATION) > 0;

	printf("  %-21s%10s", "", "bytes");
	if (sc24)
		printf("%30s%9s", "SC24", "smaller");
	printf("\n");
	for (int i = 0; i < VLDAA_BENCH_OBJECTS; i++) {
		const double theirs = vldaa_sc24_bytes(m->set, (enum vldaa_bench_object)i);
		char bytes[TEXT], their_text[TEXT], ratio[TEXT];

		grouped(bytes, (double)m->bytes[i]);
		printf("  %-21s%10s", object_labels[i], bytes);
		if (sc24) {
			if (theirs > 0)
				grouped(their_text, theirs);
			else
				(void)snprintf(their_text, TEXT, "-");
			ratio_text(ratio, theirs, (double)m->bytes[i]);
			printf("%30s%9s", their_text, ratio);
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
	    "SC24: Lesaignoux and Carmona, SECRYPT 2024, Tables 3 and 4, mean of 50 runs on a\n"
	    "Core i5-8265U at 1.60 GHz; \"faster\" compares means.  Its Revoke comes without the\n"
	    "encryption of the order, ours with it.  Create includes the host's verification and\n"
	    "the revocation token, Join the issuer's check of the endorsement certificate.\n");
}
