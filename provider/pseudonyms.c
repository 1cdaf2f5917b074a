#include "pseudonyms.h"

#include <openssl/crypto.h>
#include <string.h>

#include "lock.h"
#include "pseudonym.h"
#include "vldaa/pkcs11-vldaa.h"

/*
 * Invariant: slots hold a reference each, or NULL; used counts up with every look-up.  A member has
 * member, or token_key; what is one pseudonym for ever has it in a slot, with token_key when it is in a
 * token.
 */
struct vldaa_prov_member {
	CRYPTO_RWLOCK *create; /* of member and token_key: held during Create, and taken first */
	vldaa_member_key *member;
	vldaa_prov_token_key *token_key;
	int is_pseudonym;
	vldaa_prov_lock *lock; /* of the rest; never held for long */
	uint64_t used;
	struct {
		vldaa_prov_pseudonym *pseudonym;
		uint64_t used;
	} slots[VLDAA_PROV_KEPT];
};

/* --- the cache ---------------------------------------------------------------------------------
 */

/* len 0: any. */
static int is_for(const vldaa_prov_pseudonym *p, const uint8_t *basename, size_t len)
{
	const vldaa_object_info *info = vldaa_prov_pseudonym_info(p);

	return len == 0 ||
	       (info->basename_len == len && memcmp(info->basename, basename, len) == 0);
}

/* NULL: not there. */
static vldaa_prov_pseudonym *find(vldaa_prov_member *m, const uint8_t *basename, size_t len)
{
	for (size_t i = 0; i < VLDAA_PROV_KEPT; i++) {
		vldaa_prov_pseudonym *p = m->slots[i].pseudonym;

		if (p != NULL && is_for(p, basename, len) && vldaa_prov_pseudonym_is_current(p)) {
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
	if (!vldaa_prov_lock_write(m->lock))
		return VLDAA_ERR_INTERNAL;
	*pseudonym = find(m, basename, len);
	vldaa_prov_unlock(m->lock);
	return VLDAA_OK;
}

static int remember(vldaa_prov_member *m, vldaa_prov_pseudonym *p)
{
	vldaa_prov_pseudonym *gone;

	if (!vldaa_prov_lock_write(m->lock))
		return VLDAA_ERR_INTERNAL;
	gone = put(m, vldaa_prov_pseudonym_share(p));
	vldaa_prov_unlock(m->lock);
	vldaa_prov_pseudonym_release(gone);
	return VLDAA_OK;
}

/* --- members -----------------------------------------------------------------------------------
 */

static int open_object(vldaa_prov_member *m, const uint8_t *object, size_t len)
{
	vldaa_object_info info;
	int err = vldaa_object_inspect(&info, object, len);

	if (err != VLDAA_OK)
		return err;
	m->is_pseudonym = info.kind == VLDAA_KIND_PSEUDONYM;
	return m->is_pseudonym ? vldaa_prov_pseudonym_open(&m->slots[0].pseudonym, object, len)
			       : vldaa_member_key_new(&m->member, object, len);
}

/* NULL when there is no memory. */
static vldaa_prov_member *new_member(void)
{
	vldaa_prov_member *m = OPENSSL_zalloc(sizeof *m);

	if (m == NULL)
		return NULL;
	m->create = CRYPTO_THREAD_lock_new();
	m->lock = vldaa_prov_lock_new();
	if (m->create != NULL && m->lock != NULL)
		return m;
	vldaa_prov_member_free(m);
	return NULL;
}

int vldaa_prov_member_new(vldaa_prov_member **member, const uint8_t *object, size_t len)
{
	vldaa_prov_member *m = new_member();
	int err = m != NULL ? open_object(m, object, len) : VLDAA_ERR_MEMORY;

	if (err != VLDAA_OK) {
		vldaa_prov_member_free(m);
		m = NULL;
	}
	*member = m;
	return err;
}

int vldaa_prov_member_in_token(vldaa_prov_member **member, vldaa_prov_token_key *key)
{
	vldaa_prov_member *m = new_member();

	*member = m;
	if (m == NULL)
		return VLDAA_ERR_MEMORY;
	m->token_key = vldaa_prov_token_key_share(key);
	m->is_pseudonym = vldaa_prov_token_key_role(key) == CK_VLDAA_ROLE_PSEUDONYM;
	return VLDAA_OK;
}

void vldaa_prov_member_free(vldaa_prov_member *m)
{
	if (m == NULL)
		return;
	for (size_t i = 0; i < VLDAA_PROV_KEPT; i++)
		vldaa_prov_pseudonym_release(m->slots[i].pseudonym);
	vldaa_member_key_free(m->member);
	vldaa_prov_token_key_release(m->token_key);
	vldaa_prov_lock_free(m->lock);
	CRYPTO_THREAD_lock_free(m->create);
	OPENSSL_free(m);
}

static int create_here(vldaa_prov_member *m, const uint8_t *basename, size_t len,
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
		err = vldaa_prov_pseudonym_open(pseudonym, object, object_len);
	OPENSSL_clear_free(object, size);
	return err;
}

static int create(vldaa_prov_member *m, const uint8_t *basename, size_t len,
		  vldaa_prov_pseudonym **pseudonym)
{
	int err;

	if (m->token_key == NULL)
		err = create_here(m, basename, len, pseudonym);
	else
		err = vldaa_prov_pseudonym_find(pseudonym, m->token_key, basename, len);
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
	/* One pseudonym is looked for as such, and compared. */
	const size_t wanted = m->is_pseudonym ? 0 : len;
	int err;

	*pseudonym = NULL;
	err = look_up(m, basename, wanted, pseudonym);
	if (err == VLDAA_OK && *pseudonym == NULL)
		err = create_once(m, basename, wanted, pseudonym);
	if (err == VLDAA_OK && !is_for(*pseudonym, basename, len))
		err = VLDAA_ERR_WRONG_BASENAME;
	if (err != VLDAA_OK) {
		vldaa_prov_pseudonym_release(*pseudonym);
		*pseudonym = NULL;
	}
	return err;
}
