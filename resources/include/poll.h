#ifndef INTERPLAY_POLL_H
#define INTERPLAY_POLL_H
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 0x10
#define POLLNVAL 0x20
typedef unsigned long nfds_t;
struct pollfd { int fd; short events, revents; };
extern int poll(struct pollfd *files, nfds_t count, int timeout);
#define POLLRDNORM 64
#define POLLRDBAND 128
#define POLLWRNORM 256
#define POLLWRBAND 512
#endif
