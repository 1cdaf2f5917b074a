/* vldaa bench: what every operation costs on this machine, beside what was published. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "bench/print.h"
#include "commands.h"
#include "output.h"

enum { SET, ITERATIONS, JSON };

static const vldaa_option options[] = {
    [SET] = {"set", 0, "NAME", "only this set; may be given several times", VLDAA_OPTION_MANY},
    [ITERATIONS] = {"iterations", 'n', "N", "rounds of each set; 50 when not given", 0},
    [JSON] = {"json", 0, NULL, "answer as JSON", 0},
    {0},
};

enum { DEFAULT_ITERATIONS = 50, MAX_ITERATIONS = 1000000, MAX_SETS = 16, PROCESSOR_TEXT = 128 };

/* Linux names the processor in a text file; elsewhere it stays unknown. */
static const char *find_processor(char text[PROCESSOR_TEXT])
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[256];
	const char *found = NULL;

	while (file && !found && fgets(line, sizeof line, file)) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, "model name", 10) != 0 || !colon)
			continue;
		colon += strspn(colon, ": \t");
		(void)snprintf(text, PROCESSOR_TEXT, "%.*s", (int)strcspn(colon, "\n"), colon);
		found = text;
	}
	if (file)
		(void)fclose(file);
	return found;
}

static int parse_iterations(const vldaa_call *call, size_t *iterations)
{
	const char *text = call->values[ITERATIONS];
	char *end;
	long n;

	*iterations = DEFAULT_ITERATIONS;
	if (!text)
		return VLDAA_EXIT_OK;
	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || *end || end == text || n < 1 || n > MAX_ITERATIONS)
		return vldaa_usage(call, "--iterations is a number from 1 to %d", MAX_ITERATIONS);
	*iterations = (size_t)n;
	return VLDAA_EXIT_OK;
}

/* The sets that were asked for, in the order of asking; all when none was. */
static int choose_sets(const vldaa_call *call, const vldaa_set *sets[MAX_SETS], size_t *count)
{
	const char *name;
	size_t position = 0;

	*count = 0;
	while ((name = vldaa_call_each(call, SET, &position)) != NULL) {
		const vldaa_set *set = vldaa_set_by_name(name);

		if (!set)
			return vldaa_usage_set(call, name);
		if (*count == MAX_SETS)
			return vldaa_usage(call, "that are too many sets");
		sets[(*count)++] = set;
	}
	if (*count > 0)
		return VLDAA_EXIT_OK;
	while (*count < MAX_SETS && (sets[*count] = vldaa_set_at(*count)) != NULL)
		(*count)++;
	return VLDAA_EXIT_OK;
}

typedef struct {
	vldaa_progress bar;
	size_t done;
} progress;

static void step(void *arg)
{
	progress *p = arg;

	vldaa_progress_step(&p->bar, ++p->done);
}

static int measure(vldaa_bench_result *result, const vldaa_set *const *sets, size_t count)
{
	progress p = {.done = 0};
	int err = vldaa_measure_baseline(result->baseline, result->iterations);

	vldaa_progress_begin(&p.bar, "measuring", count * result->iterations);
	for (size_t i = 0; i < count && !err; i++) {
		result->set_count = i + 1;
		err = vldaa_measure(&result->sets[i], sets[i], result->iterations, step, &p);
	}
	vldaa_progress_end(&p.bar);
	return err;
}

static int run(const vldaa_call *call)
{
	const vldaa_set *sets[MAX_SETS];
	vldaa_measurement measurements[MAX_SETS];
	vldaa_baseline baseline;
	char processor[PROCESSOR_TEXT];
	vldaa_bench_result result = {.sets = measurements, .baseline = &baseline};
	size_t count;
	int err, status = parse_iterations(call, &result.iterations);

	if (status == VLDAA_EXIT_OK)
		status = choose_sets(call, sets, &count);
	if (status != VLDAA_EXIT_OK)
		return status;
	for (size_t i = 0; i < count; i++)
		vldaa_warn_set(sets[i]);
	result.processor = find_processor(processor);
	err = measure(&result, sets, count);
	if (err)
		status = vldaa_report("bench", err);
	else if (call->values[JSON])
		vldaa_bench_print_json(&result);
	else
		vldaa_bench_print_table(&result);
	for (size_t i = 0; i < result.set_count; i++)
		vldaa_measurement_free(&measurements[i]);
	vldaa_baseline_free(&baseline);
	return status;
}

const vldaa_command vldaa_command_bench = {
    .name = "bench",
    .summary = "Measure every operation on this machine, beside published figures",
    .arguments = "",
    .options = options,
    .run = run,
    .details =
	"Each round is the whole story with a new member, all roles in this process and nothing\n"
	"on the disk.  Everything runs in one thread.\n"
	"\n"
	"  vldaa bench --set VLDAA2-44 --iterations 200",
};
