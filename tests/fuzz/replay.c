/*
 * Runs a fuzz target over the files of the folders that are given, and over 200 variants of each
 * that are the same in every run.  Fails when no file is taken for what it is: the kept inputs are
 * stale then, and make_corpus writes them anew.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { VARIANTS = 200 };

static buffer read_file(const char *folder, const char *name)
{
	char path[4096];
	buffer b = {NULL, 0};
	FILE *f;
	long len;

	if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
		return b;
	f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END) || (len = ftell(f)) < 0) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	rewind(f);
	b = buffer_new((size_t)len);
	if (fread(b.data, 1, b.len, f) != b.len) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	fclose(f);
	return b;
}

/* xorshift64 (Marsaglia): any sequence does, as long as it is always the same. */
static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* One to four bytes changed, or the end cut off, or a piece repeated. */
static void run_variant(buffer b, uint64_t *state)
{
	buffer v = buffer_new(b.len + 16);
	size_t at = b.len ? (size_t)(next(state) % b.len) : 0;

	memcpy(v.data, b.data, b.len);
	v.len = b.len;
	switch (b.len ? next(state) % 4 : 4) {
	case 0:
		v.len = at;
		break;
	case 1:
		memmove(v.data + at + 16, v.data + at, b.len - at);
		v.len = b.len + 16;
		break;
	case 4:
		break;
	default:
		for (uint64_t n = next(state) % 4 + 1; n > 0; n--)
			v.data[next(state) % b.len] ^= (uint8_t)(1U << next(state) % 8);
	}
	(void)LLVMFuzzerTestOneInput(v.data, v.len);
	buffer_free(&v);
}

static unsigned run_folder(const char *folder)
{
	DIR *d = opendir(folder);
	const struct dirent *e;
	unsigned files = 0;

	if (!d) {
		perror(folder);
		exit(EXIT_FAILURE);
	}
	while ((e = readdir(d)) != NULL) {
		uint64_t state =
		    88172645463325252; /* each file's own, in whatever order they come */
		buffer b;

		if (e->d_name[0] == '.')
			continue;
		b = read_file(folder, e->d_name);
		(void)LLVMFuzzerTestOneInput(b.data, b.len);
		for (int i = 0; i < VARIANTS; i++)
			run_variant(b, &state);
		buffer_free(&b);
		files++;
	}
	closedir(d);
	return files;
}

int main(int argc, char **argv)
{
	unsigned files = 0;

	for (int i = 1; i < argc; i++)
		files += run_folder(argv[i]);
	printf("%u files, %lu inputs taken\n", files, fuzz_accepted);
	if (files == 0 || fuzz_accepted == 0) {
		fprintf(stderr, "no input was taken: write them anew with make_corpus\n");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
