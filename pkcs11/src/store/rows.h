/* Objects as rows: an encoded list of attributes, and a secret. */
#ifndef VLDAA_P11_ROWS_H
#define VLDAA_P11_ROWS_H

#include "store.h"

enum { VLDAA_P11_UID = 16 };

typedef struct {
	int64_t id;
	int64_t parent; /* 0: none */
	int64_t stamp;  /* changes with the row */
	int is_private;
	int is_kept;
	uint8_t uid[VLDAA_P11_UID];
	uint8_t *attributes; /* NULL when sealed and there was no master key */
	size_t attributes_len;
} vldaa_p11_row;

/* Frees what it holds. */
void vldaa_p11_row_clear(vldaa_p11_row *row);

/* Writes parent, is_private, is_kept, uid and attributes, and the secret when there is one; sets id
 * and stamp. */
int vldaa_p11_row_insert(vldaa_p11_store *s, const uint8_t *master, vldaa_p11_row *row,
			 const uint8_t *secret, size_t secret_len);
/* Writes the attributes anew.  VLDAA_P11_ERR_NO_ROW. */
int vldaa_p11_row_update(vldaa_p11_store *s, const uint8_t *master, const vldaa_p11_row *row);
/* A new secret in place of the row's. */
int vldaa_p11_row_set_secret(vldaa_p11_store *s, const uint8_t *master, int64_t id,
			     const uint8_t *secret, size_t len);
/* With the rows whose parent it is.  VLDAA_P11_ERR_NO_ROW. */
int vldaa_p11_row_delete(vldaa_p11_store *s, int64_t id);

int vldaa_p11_row_load(const vldaa_p11_store *s, const uint8_t *master, int64_t id,
		       vldaa_p11_row *row);
/* *secret is for vldaa_p11_secret_free.  VLDAA_P11_ERR_NO_ROW also when it has none. */
int vldaa_p11_row_secret(const vldaa_p11_store *s, const uint8_t *master, int64_t id,
			 uint8_t **secret, size_t *len);

/* All rows' ids and stamps, by rising id.  Another value than 0 ends the walk and is its result. */
typedef int vldaa_p11_visit_row(void *arg, int64_t id, int64_t stamp);
int vldaa_p11_rows_walk(const vldaa_p11_store *s, vldaa_p11_visit_row *visit, void *arg);

#endif
