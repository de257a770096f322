#ifndef INTERPLAY_TIME_H
#define INTERPLAY_TIME_H
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
extern time_t time(time_t *result);
extern clock_t clock(void);
#define CLOCKS_PER_SEC 1000000L
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
extern double difftime(time_t end, time_t start);
extern time_t mktime(struct tm *time);
extern struct tm *localtime(const time_t *time);
extern struct tm *gmtime(const time_t *time);
extern char *ctime(const time_t *time);
extern int nanosleep(const struct timespec *wanted, struct timespec *rest);
#endif
