#include "tpm_memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <sqlite3.h>

#include "vldaa/error.h"

/* In front of every piece, which stays aligned for anything. */
typedef union {
	size_t size;
	max_align_t align;
} head;

enum { ROUND = 8 };

static head *head_of(void *piece)
{
	return (head *)piece - 1;
}

static void *wiping_malloc(int size)
{
	head *h = size > 0 ? malloc(sizeof *h + (size_t)size) : NULL;

	if (!h)
		return NULL;
	h->size = (size_t)size;
	return h + 1;
}

static void wiping_free(void *piece)
{
	if (!piece)
		return;
	OPENSSL_cleanse(piece, head_of(piece)->size);
	free(head_of(piece));
}

static int piece_size(void *piece)
{
	return piece ? (int)head_of(piece)->size : 0;
}

/* Never in place: realloc would leave the old bytes where they were. */
static void *wiping_realloc(void *piece, int size)
{
	void *bigger = wiping_malloc(size);
	size_t old = (size_t)piece_size(piece);

	if (!bigger)
		return NULL;
	if (piece)
		memcpy(bigger, piece, old < (size_t)size ? old : (size_t)size);
	wiping_free(piece);
	return bigger;
}

static int round_up(int size)
{
	return (size + ROUND - 1) / ROUND * ROUND;
}

static int begin(void *unused)
{
	(void)unused;
	return SQLITE_OK;
}

static void end(void *unused)
{
	(void)unused;
}

int vldaa_tpm_memory_wiped(void)
{
	static const sqlite3_mem_methods methods = {
	    .xMalloc = wiping_malloc,
	    .xFree = wiping_free,
	    .xRealloc = wiping_realloc,
	    .xSize = piece_size,
	    .xRoundup = round_up,
	    .xInit = begin,
	    .xShutdown = end,
	};

	/* Neither small pieces nor pages from a stock of SQLite's own, to which they go back
	 * unwiped. */
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK ||
	    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) != SQLITE_OK ||
	    sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0) != SQLITE_OK)
		return VLDAA_ERR_STORE;
	return VLDAA_OK;
}
