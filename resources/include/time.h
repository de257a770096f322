#ifndef INTERPLAY_TIME_H
#define INTERPLAY_TIME_H
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
extern time_t time(time_t *result);
extern clock_t clock(void);
#define CLOCKS_PER_SEC 1000000L
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
extern double difftime(time_t end, time_t start);
extern time_t mktime(struct tm *time);
extern struct tm *localtime(const time_t *time);
extern struct tm *gmtime(const time_t *time);
extern char *ctime(const time_t *time);
extern int nanosleep(const struct timespec *wanted, struct timespec *rest);
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_TAI 11
#define TIME_UTC 1
#define TIMER_ABSTIME 1
typedef int clockid_t;
typedef void *timer_t;
struct itimerspec { struct timespec it_interval, it_value; };
extern char *tzname[2];
extern long timezone;
extern int daylight;
extern void tzset(void);
extern char *asctime(const struct tm *time), *asctime_r(const struct tm *time, char *text), *ctime_r(const time_t *time, char *text);
extern struct tm *gmtime_r(const time_t *time, struct tm *result), *localtime_r(const time_t *time, struct tm *result);
extern time_t timegm(struct tm *time), timelocal(struct tm *time);
extern size_t strftime(char *text, size_t size, const char *format, const struct tm *time);
extern char *strptime(const char *text, const char *format, struct tm *time);
extern int clock_gettime(clockid_t clock, struct timespec *time), clock_getres(clockid_t clock, struct timespec *time);
extern int clock_settime(clockid_t clock, const struct timespec *time);
extern int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *rest);
extern int timespec_get(struct timespec *time, int base);
#endif
