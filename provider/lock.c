#include "lock.h"

#include <openssl/crypto.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

/* Invariant: lock is of process, which is negative while a child's first thread makes its own. */
struct vldaa_prov_lock {
	CRYPTO_RWLOCK *lock;
	atomic_int process;
};

vldaa_prov_lock *vldaa_prov_lock_new(void)
{
	vldaa_prov_lock *lock = OPENSSL_zalloc(sizeof *lock);

	if (lock == NULL)
		return NULL;
	lock->lock = CRYPTO_THREAD_lock_new();
	atomic_init(&lock->process, getpid());
	if (lock->lock == NULL) {
		OPENSSL_free(lock);
		lock = NULL;
	}
	return lock;
}

void vldaa_prov_lock_free(vldaa_prov_lock *lock)
{
	if (lock == NULL)
		return;
	CRYPTO_THREAD_lock_free(lock->lock);
	OPENSSL_free(lock);
}

/* 1: the lock is this process's.  A child's first thread makes another one, the others wait for it. */
static int own(vldaa_prov_lock *lock)
{
	const int me = getpid();
	int seen = atomic_load(&lock->process);

	while (seen != me) {
		CRYPTO_RWLOCK *fresh;

		if (seen == -me) {
			(void)sched_yield();
			seen = atomic_load(&lock->process);
			continue;
		}
		if (!atomic_compare_exchange_strong(&lock->process, &seen, -me))
			continue;
		fresh = CRYPTO_THREAD_lock_new();
		if (fresh == NULL) {
			atomic_store(&lock->process, seen);
			return 0;
		}
		/* The parent's may be held here for ever: it is not asked, and its memory stays. */
		lock->lock = fresh;
		atomic_store(&lock->process, me);
		seen = me;
	}
	return 1;
}

int vldaa_prov_lock_write(vldaa_prov_lock *lock)
{
	return own(lock) && CRYPTO_THREAD_write_lock(lock->lock);
}

int vldaa_prov_lock_read(vldaa_prov_lock *lock)
{
	return own(lock) && CRYPTO_THREAD_read_lock(lock->lock);
}

void vldaa_prov_unlock(vldaa_prov_lock *lock)
{
	CRYPTO_THREAD_unlock(lock->lock);
}
