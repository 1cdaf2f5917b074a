#include "revoke/orders.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report.h"
#include "vldaa/keyfile.h"

enum { DIGITS = 19, MAX_TRIES = 1000 };

static const char sealed_suffix[] = ".sealed";
static const char clear_suffix[] = ".order";
static const char confirmation_suffix[] = ".confirmation";

/* To free; NULL, having said so. */
static char *order_path(const char *directory, uint64_t sequence, const char *suffix)
{
	char name[96];

	(void)snprintf(name, sizeof name, "%s/%0*" PRIu64 "%s", VLDAA_ORDERS_DIRECTORY, DIGITS,
		       sequence, suffix);
	return vldaa_path(directory, name);
}

/* The number of a file name with this suffix (NULL: any); 0: it is none of ours. */
static uint64_t number_of(const char *name, const char *suffix)
{
	uint64_t n = 0;

	if (strspn(name, "0123456789") != DIGITS || name[DIGITS] != '.')
		return 0;
	if (suffix && strcmp(name + DIGITS, suffix) != 0)
		return 0;
	for (int i = 0; i < DIGITS; i++)
		n = n * 10 + (uint64_t)(name[i] - '0');
	return n <= INT64_MAX ? n : 0;
}

int vldaa_orders_init(const char *directory)
{
	char *path = vldaa_path(directory, VLDAA_ORDERS_DIRECTORY);
	int status = path ? vldaa_make_directory(path) : VLDAA_EXIT_FAILED;

	free(path);
	return status;
}

/* --- walking the directory ---------------------------------------------------------------------
 */

typedef struct {
	uint64_t *numbers;
	size_t count;
	size_t room;
} number_list;

static int append(number_list *list, uint64_t n)
{
	if (list->count == list->room) {
		const size_t room = list->room ? 2 * list->room : 64;
		uint64_t *more = realloc(list->numbers, room * sizeof *more);

		if (!more)
			return -1;
		list->numbers = more;
		list->room = room;
	}
	list->numbers[list->count++] = n;
	return 0;
}

static int read_numbers(DIR *dir, const char *suffix, number_list *list)
{
	for (;;) {
		const struct dirent *entry;
		uint64_t n;

		errno = 0;
		entry = readdir(dir);
		if (!entry)
			return errno ? -1 : 0;
		n = number_of(entry->d_name, suffix);
		if (n > 0 && append(list, n) != 0)
			return -1;
	}
}

static int collect(number_list *list, const char *directory, const char *suffix)
{
	char *path = vldaa_path(directory, VLDAA_ORDERS_DIRECTORY);
	DIR *dir = path ? opendir(path) : NULL;
	int status = VLDAA_EXIT_FAILED;

	*list = (number_list){NULL, 0, 0};
	if (path && !dir)
		status = vldaa_report_errno(path);
	if (dir) {
		status =
		    read_numbers(dir, suffix, list) == 0 ? VLDAA_EXIT_OK : vldaa_report_errno(path);
		(void)closedir(dir);
	}
	if (status != VLDAA_EXIT_OK) {
		free(list->numbers);
		*list = (number_list){NULL, 0, 0};
	}
	free(path);
	return status;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int vldaa_orders_list(uint64_t **sequences, size_t *count, const char *directory)
{
	number_list list;
	int status = collect(&list, directory, clear_suffix);

	if (list.count > 0)
		qsort(list.numbers, list.count, sizeof *list.numbers, by_number);
	*sequences = list.numbers;
	*count = list.count;
	return status;
}

/* --- adding ------------------------------------------------------------------------------------
 */

static int next_number(const char *directory, uint64_t *next)
{
	struct timespec now = {0, 0};
	uint64_t largest = 0, time_number = 1;
	number_list list;
	int status = collect(&list, directory, NULL);

	for (size_t i = 0; i < list.count; i++)
		largest = list.numbers[i] > largest ? list.numbers[i] : largest;
	free(list.numbers);
	if (clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec > 0)
		time_number = (uint64_t)now.tv_sec * 1000 + (uint64_t)(now.tv_nsec / 1000000);
	*next = time_number > largest ? time_number : largest + 1;
	if (status == VLDAA_EXIT_OK && *next > INT64_MAX) {
		vldaa_say("%s: there are no numbers left for orders", directory);
		status = VLDAA_EXIT_FAILED;
	}
	return status;
}

/* Writes the sealed order, unless the number is taken (*taken). */
static int take(const char *directory, uint64_t sequence, const vldaa_buffer *sealed, int *taken)
{
	char *path = order_path(directory, sequence, sealed_suffix);
	int status = VLDAA_EXIT_FAILED, err;

	*taken = 0;
	if (!path)
		return status;
	err =
	    vldaa_file_write(path, sealed->data, sealed->len, VLDAA_FILE_NEW | VLDAA_FILE_PRIVATE);
	if (err == VLDAA_FILE_ERR_IO && errno == EEXIST) {
		*taken = 1;
		status = VLDAA_EXIT_OK;
	} else {
		status = err ? vldaa_report(path, err) : VLDAA_EXIT_OK;
	}
	free(path);
	return status;
}

static int write_as(const char *directory, uint64_t sequence, const char *suffix, unsigned flags,
		    const uint8_t *data, size_t len)
{
	char *path = order_path(directory, sequence, suffix);
	int status =
	    path ? vldaa_write(path, data, len, flags | VLDAA_FILE_PRIVATE) : VLDAA_EXIT_FAILED;

	free(path);
	return status;
}

int vldaa_orders_add(const char *directory, vldaa_orders_make *make, void *arg, uint64_t *sequence,
		     vldaa_buffer *clear, vldaa_buffer *sealed)
{
	int status = VLDAA_EXIT_OK, taken = 1;

	for (int i = 0; i < MAX_TRIES && taken && status == VLDAA_EXIT_OK; i++) {
		vldaa_buffer_free(clear);
		vldaa_buffer_free(sealed);
		status = next_number(directory, sequence);
		if (status == VLDAA_EXIT_OK)
			status = make(arg, *sequence, clear, sealed);
		if (status == VLDAA_EXIT_OK)
			status = take(directory, *sequence, sealed, &taken);
	}
	if (status == VLDAA_EXIT_OK && taken) {
		vldaa_say("%s: other processes take every number for an order: try again",
			  directory);
		status = VLDAA_EXIT_FAILED;
	}
	if (status == VLDAA_EXIT_OK)
		status = write_as(directory, *sequence, clear_suffix, VLDAA_FILE_NEW, clear->data,
				  clear->len);
	return status;
}

/* --- reading and confirming --------------------------------------------------------------------
 */

static int read_as(vldaa_buffer *out, const char *directory, uint64_t sequence, const char *suffix,
		   enum vldaa_kind kind)
{
	char *path = order_path(directory, sequence, suffix);
	int status = path ? vldaa_read_object(out, NULL, path, kind) : VLDAA_EXIT_FAILED;

	free(path);
	/* The authority's own files: what is wrong with them decides nothing. */
	return status == VLDAA_EXIT_OK ? status : VLDAA_EXIT_FAILED;
}

int vldaa_orders_read_clear(vldaa_buffer *clear, const char *directory, uint64_t sequence)
{
	return read_as(clear, directory, sequence, clear_suffix, VLDAA_KIND_ORDER);
}

int vldaa_orders_read_sealed(vldaa_buffer *sealed, const char *directory, uint64_t sequence)
{
	return read_as(sealed, directory, sequence, sealed_suffix, VLDAA_KIND_SEALED_ORDER);
}

int vldaa_orders_confirmed(const char *directory, uint64_t sequence, int *confirmed)
{
	char *path = order_path(directory, sequence, confirmation_suffix);

	if (!path)
		return VLDAA_EXIT_FAILED;
	*confirmed = vldaa_exists(path);
	free(path);
	return VLDAA_EXIT_OK;
}

int vldaa_orders_confirm(const char *directory, uint64_t sequence, const uint8_t *confirmation,
			 size_t len)
{
	/* Whoever else confirms it meanwhile has checked it too. */
	return write_as(directory, sequence, confirmation_suffix, 0, confirmation, len);
}
