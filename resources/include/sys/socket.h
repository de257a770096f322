#ifndef INTERPLAY_SYS_SOCKET_H
#define INTERPLAY_SYS_SOCKET_H
#include <sys/types.h>
#include <sys/uio.h>
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define PF_UNIX AF_UNIX
#define PF_INET AF_INET
#define PF_INET6 AF_INET6
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_BROADCAST 6
#define SO_KEEPALIVE 9
#define SOMAXCONN 4096
#define MSG_PEEK 2
#define MSG_DONTWAIT 0x40
#define MSG_NOSIGNAL 0x4000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { sa_family_t ss_family; char padding[126 - sizeof(unsigned long)]; unsigned long align; };
struct msghdr {
    void *msg_name; socklen_t msg_namelen; struct iovec *msg_iov; size_t msg_iovlen;
    void *msg_control; size_t msg_controllen; int msg_flags;
};
extern int socket(int domain, int type, int protocol), bind(int socket, const struct sockaddr *address, socklen_t size);
extern int connect(int socket, const struct sockaddr *address, socklen_t size), listen(int socket, int backlog);
extern int accept(int socket, struct sockaddr *address, socklen_t *size), shutdown(int socket, int how);
extern int socketpair(int domain, int type, int protocol, int sockets[2]);
extern int getsockname(int socket, struct sockaddr *address, socklen_t *size);
extern int getpeername(int socket, struct sockaddr *address, socklen_t *size);
extern ssize_t send(int socket, const void *block, size_t size, int flags), recv(int socket, void *block, size_t size, int flags);
extern ssize_t sendto(int socket, const void *block, size_t size, int flags, const struct sockaddr *to, socklen_t length);
extern ssize_t recvfrom(int socket, void *block, size_t size, int flags, struct sockaddr *from, socklen_t *length);
extern ssize_t sendmsg(int socket, const struct msghdr *message, int flags), recvmsg(int socket, struct msghdr *message, int flags);
extern int getsockopt(int socket, int level, int option, void *value, socklen_t *size);
extern int setsockopt(int socket, int level, int option, const void *value, socklen_t size);
#endif
