#ifndef INTERPLAY_UTIME_H
#define INTERPLAY_UTIME_H
#include <time.h>
struct utimbuf { time_t actime, modtime; };
extern int utime(const char *name, const struct utimbuf *times);
#endif
