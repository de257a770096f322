#ifndef INTERPLAY_THREADS_H
#define INTERPLAY_THREADS_H
#include <time.h>
#define thread_local _Thread_local
#define ONCE_FLAG_INIT { 0 }
#define TSS_DTOR_ITERATIONS 4
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain, mtx_recursive, mtx_timed };
typedef unsigned long thrd_t;
typedef unsigned int tss_t;
typedef struct { int words[10]; } mtx_t;
typedef struct { int words[12]; } cnd_t;
typedef struct { int done; } once_flag;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
extern int thrd_create(thrd_t *thread, thrd_start_t start, void *argument), thrd_equal(thrd_t one, thrd_t other);
extern thrd_t thrd_current(void);
extern int thrd_sleep(const struct timespec *time, struct timespec *left), thrd_detach(thrd_t thread);
extern int thrd_join(thrd_t thread, int *result);
extern void thrd_exit(int result) __attribute__((__noreturn__)), thrd_yield(void);
extern int mtx_init(mtx_t *mutex, int kind), mtx_lock(mtx_t *mutex), mtx_trylock(mtx_t *mutex), mtx_unlock(mtx_t *mutex);
extern int mtx_timedlock(mtx_t *mutex, const struct timespec *time);
extern void mtx_destroy(mtx_t *mutex), call_once(once_flag *flag, void (*function)(void));
extern int cnd_init(cnd_t *condition), cnd_signal(cnd_t *condition), cnd_broadcast(cnd_t *condition);
extern int cnd_wait(cnd_t *condition, mtx_t *mutex);
extern void cnd_destroy(cnd_t *condition);
extern int tss_create(tss_t *key, tss_dtor_t end), tss_set(tss_t key, void *value);
extern void *tss_get(tss_t key);
extern void tss_delete(tss_t key);
#endif
