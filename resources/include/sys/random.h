#ifndef INTERPLAY_SYS_RANDOM_H
#define INTERPLAY_SYS_RANDOM_H
#include <sys/types.h>
#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
extern ssize_t getrandom(void *block, size_t size, unsigned int flags);
extern int getentropy(void *block, size_t size);
#endif
