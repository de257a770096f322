#ifndef INTERPLAY_UNISTD_H
#define INTERPLAY_UNISTD_H
#include <sys/types.h>
extern void _exit(int status);
extern unsigned int sleep(unsigned int seconds);
extern int usleep(unsigned int microseconds);
extern ssize_t read(int file, void *to, size_t size);
extern ssize_t write(int file, const void *from, size_t size);
extern int close(int file);
#endif
