#ifndef INTERPLAY_SCHED_H
#define INTERPLAY_SCHED_H
extern int sched_yield(void);
#endif
