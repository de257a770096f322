#ifndef INTERPLAY_SYS_MMAN_H
#define INTERPLAY_SYS_MMAN_H
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 0x20
#define MAP_FAILED ((void *) -1)
extern void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
extern int munmap(void *at, size_t size), mprotect(void *at, size_t size, int protection);
#endif
