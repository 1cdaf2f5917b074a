/*
 * A revocation authority's orders: one order is up to three files in the directory's orders/,
 * named by its sequence number with 19 digits,
 *
 *   N.sealed        what is broadcast; written first, and taking the number for ever
 *   N.order         the order in clear; an order without it never left this directory
 *   N.confirmation  the confirmation that was checked
 *
 * each written atomically and durably before anything leaves.  A number is taken by creating a file
 * that must not exist, so that two processes never share one.
 *
 * Numbers are the time in milliseconds, or one more than the largest so far where the clock stands
 * or went back.  Members obey only rising numbers; with the time in them, an authority that lost
 * its last orders with a disk still gives out newer ones.
 *
 * Functions return an exit status, having said why it is not 0.
 */
#ifndef VLDAA_TOOL_REVOKE_ORDERS_H
#define VLDAA_TOOL_REVOKE_ORDERS_H

#include "files.h"
#include "vldaa/revoke.h"

#define VLDAA_ORDERS_DIRECTORY "orders"

/* Makes orders/ in the authority's directory. */
int vldaa_orders_init(const char *directory);

/* Makes the order of a number: fills both buffers, which it allocates. */
typedef int vldaa_orders_make(void *arg, uint64_t sequence, vldaa_buffer *clear,
			      vldaa_buffer *sealed);
/* Takes the next number, makes its order and keeps it.  The buffers are the caller's to free. */
int vldaa_orders_add(const char *directory, vldaa_orders_make *make, void *arg, uint64_t *sequence,
		     vldaa_buffer *clear, vldaa_buffer *sealed);

/* The numbers of all orders, rising; free(*sequences). */
int vldaa_orders_list(uint64_t **sequences, size_t *count, const char *directory);

int vldaa_orders_read_clear(vldaa_buffer *clear, const char *directory, uint64_t sequence);
int vldaa_orders_read_sealed(vldaa_buffer *sealed, const char *directory, uint64_t sequence);

int vldaa_orders_confirmed(const char *directory, uint64_t sequence, int *confirmed);
int vldaa_orders_confirm(const char *directory, uint64_t sequence, const uint8_t *confirmation,
			 size_t len);

#endif
