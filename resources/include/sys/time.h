#ifndef INTERPLAY_SYS_TIME_H
#define INTERPLAY_SYS_TIME_H
#include <time.h>
struct timeval { time_t tv_sec; long tv_usec; };
extern int gettimeofday(struct timeval *time, void *zone);
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
struct timezone { int tz_minuteswest, tz_dsttime; };
struct itimerval { struct timeval it_interval, it_value; };
#define timerisset(time) ((time)->tv_sec || (time)->tv_usec)
#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timercmp(left, right, compare) \
    ((left)->tv_sec == (right)->tv_sec ? (left)->tv_usec compare (right)->tv_usec : (left)->tv_sec compare (right)->tv_sec)
extern int settimeofday(const struct timeval *time, const struct timezone *zone);
extern int getitimer(int which, struct itimerval *value);
extern int setitimer(int which, const struct itimerval *wanted, struct itimerval *previous);
extern int utimes(const char *name, const struct timeval times[2]);
#endif
