#ifndef INTERPLAY_SYS_ERRNO_H
#define INTERPLAY_SYS_ERRNO_H
#include <errno.h>
#endif
