#ifndef INTERPLAY_SYS_SYSCALL_H
#define INTERPLAY_SYS_SYSCALL_H
extern long syscall(long number, ...);
#endif
