#ifndef INTERPLAY_SYS_RESOURCE_H
#define INTERPLAY_SYS_RESOURCE_H
#include <sys/time.h>
#define RLIMIT_NOFILE 7
#define RUSAGE_SELF 0
typedef unsigned long rlim_t;
struct rlimit { rlim_t rlim_cur, rlim_max; };
extern int getrlimit(int which, struct rlimit *limit), setrlimit(int which, const struct rlimit *limit);
#endif
