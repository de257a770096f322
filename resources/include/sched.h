#ifndef INTERPLAY_SCHED_H
#define INTERPLAY_SCHED_H
extern int sched_yield(void);
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#endif
