#ifndef INTERPLAY_SYS_PARAM_H
#define INTERPLAY_SYS_PARAM_H
#include <endian.h>
#include <sys/types.h>
#include <signal.h>
#include <limits.h>
#define MAXPATHLEN 4096
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MAXHOSTNAMELEN 64
#define MAXSYMLINKS 20
#define NBBY 8
#define howmany(count, unit) (((count) + ((unit) - 1)) / (unit))
#define roundup(number, unit) ((((number) + ((unit) - 1)) / (unit)) * (unit))
#define powerof2(number) ((((number) - 1) & (number)) == 0)
#endif
