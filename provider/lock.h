/*
 * A lock that is free in a forked child, whatever a thread of the parent was doing at that time.  For
 * what is whole at every moment, or begun anew by a child (token/token.h): the thread that held it is not
 * there to finish.
 */
#ifndef VLDAA_PROVIDER_LOCK_H
#define VLDAA_PROVIDER_LOCK_H

typedef struct vldaa_prov_lock vldaa_prov_lock;

/* NULL when there is no memory, which free allows. */
vldaa_prov_lock *vldaa_prov_lock_new(void);
void vldaa_prov_lock_free(vldaa_prov_lock *lock);

/* 1, or 0: then it is not held. */
int vldaa_prov_lock_write(vldaa_prov_lock *lock);
int vldaa_prov_lock_read(vldaa_prov_lock *lock);
void vldaa_prov_unlock(vldaa_prov_lock *lock);

#endif
