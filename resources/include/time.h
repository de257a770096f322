#ifndef INTERPLAY_TIME_H
#define INTERPLAY_TIME_H
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
extern time_t time(time_t *result);
extern clock_t clock(void);
#endif
