#include "pseudonyms.h"

#include <openssl/crypto.h>
#include <stdatomic.h>
#include <string.h>

struct vldaa_prov_pseudonym {
	atomic_int references;
	vldaa_pseudonym_key *key;
};

/*
 * Invariant: slots hold a reference each, or NULL; used counts up with every look-up.  member is
 * NULL for a PSEUDONYM object, whose pseudonym is in the first slot for ever.
 */
struct vldaa_prov_member {
	CRYPTO_RWLOCK *create; /* of member: held during Create, and taken first */
	vldaa_member_key *member;
	CRYPTO_RWLOCK *lock; /* of the rest; never held for long */
	uint64_t used;
	struct {
		vldaa_prov_pseudonym *pseudonym;
		uint64_t used;
	} slots[VLDAA_PROV_KEPT];
};

/* --- one pseudonym -----------------------------------------------------------------------------
 */

const vldaa_pseudonym_key *vldaa_prov_pseudonym_key(const vldaa_prov_pseudonym *p)
{
	return p->key;
}

vldaa_prov_pseudonym *vldaa_prov_pseudonym_share(vldaa_prov_pseudonym *p)
{
	(void)atomic_fetch_add(&p->references, 1);
	return p;
}

void vldaa_prov_pseudonym_release(vldaa_prov_pseudonym *p)
{
	if (p == NULL || atomic_fetch_sub(&p->references, 1) != 1)
		return;
	vldaa_pseudonym_key_free(p->key);
	OPENSSL_free(p);
}

static int open_pseudonym(vldaa_prov_pseudonym **pseudonym, const uint8_t *object, size_t len)
{
	vldaa_prov_pseudonym *p = OPENSSL_zalloc(sizeof *p);
	int err;

	*pseudonym = NULL;
	if (p == NULL)
		return VLDAA_ERR_MEMORY;
	atomic_init(&p->references, 1);
	err = vldaa_pseudonym_key_new(&p->key, object, len);
	if (err == VLDAA_OK) {
		*pseudonym = p;
		return VLDAA_OK;
	}
	OPENSSL_free(p);
	return err;
}

/* --- the cache ---------------------------------------------------------------------------------
 */

static int is_for(const vldaa_prov_pseudonym *p, const uint8_t *basename, size_t len)
{
	const vldaa_object_info *info = vldaa_pseudonym_key_info(p->key);

	return info->basename_len == len && memcmp(info->basename, basename, len) == 0;
}

/* NULL: not there. */
static vldaa_prov_pseudonym *find(vldaa_prov_member *m, const uint8_t *basename, size_t len)
{
	for (size_t i = 0; i < VLDAA_PROV_KEPT; i++) {
		vldaa_prov_pseudonym *p = m->slots[i].pseudonym;

		if (p != NULL && is_for(p, basename, len)) {
			m->slots[i].used = ++m->used;
			return vldaa_prov_pseudonym_share(p);
		}
	}
	return NULL;
}

/* Takes a reference over; returns the one that had to go, or NULL. */
static vldaa_prov_pseudonym *put(vldaa_prov_member *m, vldaa_prov_pseudonym *p)
{
	size_t oldest = 0;
	vldaa_prov_pseudonym *gone;

	/* An empty slot was used never, so longest ago. */
	for (size_t i = 1; i < VLDAA_PROV_KEPT; i++) {
		if (m->slots[i].used < m->slots[oldest].used)
			oldest = i;
	}
	gone = m->slots[oldest].pseudonym;
	m->slots[oldest].pseudonym = p;
	m->slots[oldest].used = ++m->used;
	return gone;
}

static int look_up(vldaa_prov_member *m, const uint8_t *basename, size_t len,
		   vldaa_prov_pseudonym **pseudonym)
{
	if (!CRYPTO_THREAD_write_lock(m->lock))
		return VLDAA_ERR_INTERNAL;
	*pseudonym = find(m, basename, len);
	CRYPTO_THREAD_unlock(m->lock);
	return VLDAA_OK;
}

static int remember(vldaa_prov_member *m, vldaa_prov_pseudonym *p)
{
	vldaa_prov_pseudonym *gone;

	if (!CRYPTO_THREAD_write_lock(m->lock))
		return VLDAA_ERR_INTERNAL;
	gone = put(m, vldaa_prov_pseudonym_share(p));
	CRYPTO_THREAD_unlock(m->lock);
	vldaa_prov_pseudonym_release(gone);
	return VLDAA_OK;
}

/* --- members -----------------------------------------------------------------------------------
 */

static int open_object(vldaa_prov_member *m, const uint8_t *object, size_t len)
{
	vldaa_object_info info;
	int err = vldaa_object_inspect(&info, object, len);

	if (err == VLDAA_OK && info.kind == VLDAA_KIND_PSEUDONYM)
		return open_pseudonym(&m->slots[0].pseudonym, object, len);
	return err == VLDAA_OK ? vldaa_member_key_new(&m->member, object, len) : err;
}

int vldaa_prov_member_new(vldaa_prov_member **member, const uint8_t *object, size_t len)
{
	vldaa_prov_member *m = OPENSSL_zalloc(sizeof *m);
	int err = VLDAA_ERR_MEMORY;

	*member = NULL;
	if (m == NULL)
		return err;
	m->create = CRYPTO_THREAD_lock_new();
	m->lock = CRYPTO_THREAD_lock_new();
	if (m->create != NULL && m->lock != NULL)
		err = open_object(m, object, len);
	if (err != VLDAA_OK) {
		vldaa_prov_member_free(m);
		return err;
	}
	*member = m;
	return VLDAA_OK;
}

void vldaa_prov_member_free(vldaa_prov_member *m)
{
	if (m == NULL)
		return;
	for (size_t i = 0; i < VLDAA_PROV_KEPT; i++)
		vldaa_prov_pseudonym_release(m->slots[i].pseudonym);
	vldaa_member_key_free(m->member);
	CRYPTO_THREAD_lock_free(m->lock);
	CRYPTO_THREAD_lock_free(m->create);
	OPENSSL_free(m);
}

static int create(vldaa_prov_member *m, const uint8_t *basename, size_t len,
		  vldaa_prov_pseudonym **pseudonym)
{
	const size_t size =
	    vldaa_object_max_size(vldaa_member_key_set(m->member), VLDAA_KIND_PSEUDONYM);
	uint8_t *object = OPENSSL_malloc(size);
	size_t object_len = 0;
	int err = VLDAA_ERR_MEMORY;

	if (object != NULL)
		err = vldaa_member_key_create(m->member, basename, len, object, size, &object_len);
	if (err == VLDAA_OK)
		err = open_pseudonym(pseudonym, object, object_len);
	OPENSSL_clear_free(object, size);
	if (err == VLDAA_OK)
		err = remember(m, *pseudonym);
	return err;
}

/* Whoever waited for the lock may find that somebody else made it. */
static int create_once(vldaa_prov_member *m, const uint8_t *basename, size_t len,
		       vldaa_prov_pseudonym **pseudonym)
{
	int err;

	if (!CRYPTO_THREAD_write_lock(m->create))
		return VLDAA_ERR_INTERNAL;
	err = look_up(m, basename, len, pseudonym);
	if (err == VLDAA_OK && *pseudonym == NULL)
		err = create(m, basename, len, pseudonym);
	CRYPTO_THREAD_unlock(m->create);
	return err;
}

int vldaa_prov_member_pseudonym(vldaa_prov_member *m, const uint8_t *basename, size_t len,
				vldaa_prov_pseudonym **pseudonym)
{
	int err;

	*pseudonym = NULL;
	if (m->member == NULL) {
		if (len > 0 && !is_for(m->slots[0].pseudonym, basename, len))
			return VLDAA_ERR_WRONG_BASENAME;
		*pseudonym = vldaa_prov_pseudonym_share(m->slots[0].pseudonym);
		return VLDAA_OK;
	}
	err = look_up(m, basename, len, pseudonym);
	if (err == VLDAA_OK && *pseudonym == NULL)
		err = create_once(m, basename, len, pseudonym);
	if (err != VLDAA_OK) {
		vldaa_prov_pseudonym_release(*pseudonym);
		*pseudonym = NULL;
	}
	return err;
}
