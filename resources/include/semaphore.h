#ifndef INTERPLAY_SEMAPHORE_H
#define INTERPLAY_SEMAPHORE_H
#include <time.h>
#define SEM_FAILED ((sem_t *) 0)
typedef union { char bytes[4 * sizeof(long)]; long align; } sem_t;
extern int sem_init(sem_t *semaphore, int shared, unsigned int value), sem_destroy(sem_t *semaphore);
extern sem_t *sem_open(const char *name, int flags, ...);
extern int sem_close(sem_t *semaphore), sem_unlink(const char *name), sem_wait(sem_t *semaphore), sem_trywait(sem_t *semaphore);
extern int sem_timedwait(sem_t *semaphore, const struct timespec *time), sem_post(sem_t *semaphore);
extern int sem_getvalue(sem_t *semaphore, int *value);
#endif
