#ifndef INTERPLAY_SYS_EPOLL_H
#define INTERPLAY_SYS_EPOLL_H
#include <stdint.h>
#include <signal.h>
#define EPOLL_CLOEXEC 0x80000
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3
#define EPOLLIN 1
#define EPOLLPRI 2
#define EPOLLOUT 4
#define EPOLLERR 8
#define EPOLLHUP 16
#define EPOLLRDHUP 0x2000
#define EPOLLONESHOT (1U << 30)
#define EPOLLET (1U << 31)
typedef union { void *ptr; int fd; uint32_t u32; uint64_t u64; } epoll_data_t;
struct epoll_event { uint32_t events; epoll_data_t data; } __attribute__((__packed__));
extern int epoll_create(int size), epoll_create1(int flags);
extern int epoll_ctl(int poll, int operation, int file, struct epoll_event *event);
extern int epoll_wait(int poll, struct epoll_event *events, int count, int timeout);
#endif
