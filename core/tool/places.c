#include "places.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "member_tpm.h"

/* A file or directory that exists, whatever it is called. */
typedef struct {
	dev_t device;
	ino_t inode;
	const char *path; /* as it was given */
} place;

typedef struct {
	place *places;
	size_t count;
} place_list;

struct vldaa_places {
	const vldaa_call *call;
	place_list inputs; /* in the order of by_file */
	place_list directories;
	char *tpm_directory; /* of a member */
};

/* --- what there is -----------------------------------------------------------------------------
 */

static int by_file(const void *a, const void *b)
{
	const place *x = a, *y = b;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->inode > y->inode) - (x->inode < y->inode);
}

/* The list has room.  What is not there cannot be damaged; a pipe or a device neither. */
static void add(place_list *list, const char *path, int directory)
{
	struct stat info;

	if (!path || stat(path, &info) != 0 ||
	    !(directory ? S_ISDIR(info.st_mode) : S_ISREG(info.st_mode)))
		return;
	list->places[list->count++] = (place){info.st_dev, info.st_ino, path};
}

/* What the argument at this position is: see options.h. */
static char argument_kind(const vldaa_command *command, int position)
{
	const char *kinds = command->argument_kinds;
	const int count = kinds ? (int)strlen(kinds) : 0;

	if (count == 0)
		return 0;
	return kinds[position < count ? position : count - 1];
}

static void add_arguments(vldaa_places *p)
{
	const vldaa_call *call = p->call;

	for (int i = 0; i < call->argc; i++) {
		const char kind = argument_kind(call->command, i);

		if (kind == VLDAA_ARGUMENT_INPUT)
			add(&p->inputs, call->argv[i], 0);
		if (kind == VLDAA_ARGUMENT_DIRECTORY || kind == VLDAA_ARGUMENT_MEMBER)
			add(&p->directories, call->argv[i], 1);
		if (kind == VLDAA_ARGUMENT_MEMBER) {
			p->tpm_directory = vldaa_member_tpm_directory(call->argv[i]);
			add(&p->directories, p->tpm_directory, 1);
		}
	}
}

static void add_options(vldaa_places *p)
{
	const vldaa_call *call = p->call;

	for (size_t i = 0; i < call->given; i++) {
		const vldaa_option *o = &call->command->options[call->given_option[i]];

		if ((o->flags & VLDAA_OPTION_INPUT) != 0)
			add(&p->inputs, call->given_value[i], 0);
	}
}

int vldaa_places_new(vldaa_places **places, const vldaa_call *call)
{
	vldaa_places *p = calloc(1, sizeof *p);
	/* At most one TPM's directory for each argument. */
	const size_t room = 2 * (size_t)call->argc + call->given + 1;

	*places = p;
	if (p) {
		p->call = call;
		p->inputs.places = calloc(room, sizeof *p->inputs.places);
		p->directories.places = calloc(room, sizeof *p->directories.places);
	}
	if (!p || !p->inputs.places || !p->directories.places) {
		vldaa_places_free(p);
		*places = NULL;
		return vldaa_report(NULL, VLDAA_ERR_MEMORY);
	}
	add_arguments(p);
	add_options(p);
	qsort(p->inputs.places, p->inputs.count, sizeof *p->inputs.places, by_file);
	return VLDAA_EXIT_OK;
}

void vldaa_places_free(vldaa_places *p)
{
	if (!p)
		return;
	free(p->inputs.places);
	free(p->directories.places);
	free(p->tpm_directory);
	free(p);
}

/* --- what may be written -----------------------------------------------------------------------
 */

/* The name of the directory that a file lies in, with room for `room` more characters, to free;
 * NULL when there is no memory. */
static char *parent_of(const char *path, size_t room)
{
	const char *slash = strrchr(path, '/');
	const size_t len = slash ? (size_t)(slash - path) + 1 : 0;
	char *parent = malloc(len + 2 + room);

	if (!parent)
		return NULL;
	memcpy(parent, path, len);
	memcpy(parent + len, ".", 2);
	return parent;
}

static const place *find_directory(const vldaa_places *p, const struct stat *info)
{
	for (size_t i = 0; i < p->directories.count; i++) {
		const place *d = &p->directories.places[i];

		if (d->device == info->st_dev && d->inode == info->st_ino)
			return d;
	}
	return NULL;
}

/* Deeper than any file can be made by name (PATH_MAX in Linux is 4096). */
enum { MAX_DEPTH = 4096 };

/* The role's directory that this one is or lies in.  The name, which has room for MAX_DEPTH
 * times "/..", goes up until the root, which is its own parent. */
static const place *find_around(const vldaa_places *p, char *directory)
{
	char *end = directory + strlen(directory);
	struct stat info, last = {.st_ino = 0};

	for (int depth = 0; depth < MAX_DEPTH && stat(directory, &info) == 0; depth++) {
		const place *found = find_directory(p, &info);

		if (found)
			return found;
		if (depth > 0 && info.st_dev == last.st_dev && info.st_ino == last.st_ino)
			return NULL;
		last = info;
		memcpy(end, "/..", 4);
		end += 3;
	}
	return NULL;
}

/* The role's directory that the file lies in, or that the directory is or lies in. */
static int find_role(const vldaa_places *p, const char *path, int is_directory, const place **found)
{
	const size_t room = (size_t)3 * MAX_DEPTH;
	char *from = NULL;

	*found = NULL;
	if (is_directory) {
		from = malloc(strlen(path) + 1 + room);
		if (from)
			memcpy(from, path, strlen(path) + 1);
	} else {
		from = parent_of(path, room);
	}
	if (!from)
		return vldaa_report(NULL, VLDAA_ERR_MEMORY);
	*found = find_around(p, from);
	free(from);
	return VLDAA_EXIT_OK;
}

int vldaa_places_may_write(const vldaa_places *p, const char *path)
{
	const place *found;
	struct stat info;
	place key;
	int exists, status;

	if (strcmp(path, "-") == 0)
		return VLDAA_EXIT_OK;
	exists = stat(path, &info) == 0;
	if (exists && S_ISREG(info.st_mode)) {
		key = (place){info.st_dev, info.st_ino, NULL};
		found = bsearch(&key, p->inputs.places, p->inputs.count, sizeof key, by_file);
		if (found)
			return vldaa_usage(p->call, "%s would be written over %s, which is read",
					   path, found->path);
	}
	status = find_role(p, path, exists && S_ISDIR(info.st_mode), &found);
	if (found)
		return vldaa_usage(
		    p->call, "%s lies in %s, which holds nothing but what commands keep there",
		    path, found->path);
	return status;
}

static int same_directory(const char *a, const char *b)
{
	char *x = parent_of(a, 0), *y = parent_of(b, 0);
	struct stat of_x, of_y;
	const int same = x && y && stat(x, &of_x) == 0 && stat(y, &of_y) == 0 &&
			 of_x.st_dev == of_y.st_dev && of_x.st_ino == of_y.st_ino;

	free(x);
	free(y);
	return same;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int same_file(const char *a, const char *b)
{
	struct stat x, y;

	if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
		return strcmp(a, b) == 0;
	if (stat(a, &x) == 0 && stat(b, &y) == 0)
		return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
	return strcmp(name_of(a), name_of(b)) == 0 && same_directory(a, b);
}

/* The output at this position of the command line, arguments first; NULL when it is none. */
static const char *output_at(const vldaa_call *call, size_t position)
{
	const size_t arguments = (size_t)call->argc;

	if (position < arguments)
		return argument_kind(call->command, (int)position) == VLDAA_ARGUMENT_OUTPUT
			   ? call->argv[position]
			   : NULL;
	position -= arguments;
	if ((call->command->options[call->given_option[position]].flags & VLDAA_OPTION_OUTPUT) == 0)
		return NULL;
	return call->given_value[position];
}

static int check_twice(const vldaa_call *call, size_t first)
{
	const size_t count = (size_t)call->argc + call->given;

	for (size_t i = first + 1; i < count; i++) {
		const char *a = output_at(call, first), *b = output_at(call, i);

		if (b && same_file(a, b))
			return vldaa_usage(call, "two outputs would go to %s",
					   strcmp(a, "-") == 0 ? "standard output" : a);
	}
	return VLDAA_EXIT_OK;
}

int vldaa_places_check(const vldaa_call *call)
{
	const size_t count = (size_t)call->argc + call->given;
	vldaa_places *places = NULL;
	int status = VLDAA_EXIT_OK;

	for (size_t i = 0; i < count && status == VLDAA_EXIT_OK; i++) {
		const char *output = output_at(call, i);

		if (!output)
			continue;
		if (!places)
			status = vldaa_places_new(&places, call);
		if (status == VLDAA_EXIT_OK)
			status = vldaa_places_may_write(places, output);
		if (status == VLDAA_EXIT_OK)
			status = check_twice(call, i);
	}
	vldaa_places_free(places);
	return status;
}
