#ifndef INTERPLAY_SYS_UIO_H
#define INTERPLAY_SYS_UIO_H
#include <sys/types.h>
struct iovec { void *iov_base; size_t iov_len; };
extern ssize_t readv(int file, const struct iovec *blocks, int count), writev(int file, const struct iovec *blocks, int count);
#endif
