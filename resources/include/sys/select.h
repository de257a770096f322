#ifndef INTERPLAY_SYS_SELECT_H
#define INTERPLAY_SYS_SELECT_H
#include <sys/time.h>
#define FD_SETSIZE 1024
typedef struct { long bits[FD_SETSIZE / (8 * sizeof(long))]; } fd_set;
#define FD_ZERO(set) ((void) (*(set) = (fd_set) {{ 0 }}))
#define FD_SET(file, set) ((void) ((set)->bits[(file) / (8 * sizeof(long))] |= 1UL << (file) % (8 * sizeof(long))))
#define FD_CLR(file, set) ((void) ((set)->bits[(file) / (8 * sizeof(long))] &= ~(1UL << (file) % (8 * sizeof(long)))))
#define FD_ISSET(file, set) (((set)->bits[(file) / (8 * sizeof(long))] >> (file) % (8 * sizeof(long)) & 1) != 0)
extern int select(int count, fd_set *readable, fd_set *writable, fd_set *failed, struct timeval *timeout);
#endif
