#ifndef INTERPLAY_SYS_PARAM_H
#define INTERPLAY_SYS_PARAM_H
#include <limits.h>
#define MAXPATHLEN 4096
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
