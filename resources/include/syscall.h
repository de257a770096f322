#ifndef INTERPLAY_SYSCALL_H
#define INTERPLAY_SYSCALL_H
#include <sys/syscall.h>
#endif
