#ifndef INTERPLAY_SYS_WAIT_H
#define INTERPLAY_SYS_WAIT_H
#include <sys/types.h>
#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(status) (((status) >> 8) & 255)
#define WTERMSIG(status) ((status) & 127)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (WTERMSIG(status) != 0 && WTERMSIG(status) != 127)
extern pid_t wait(int *status);
extern pid_t waitpid(pid_t process, int *status, int options);
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WCOREFLAG 128
#define WNOWAIT 16777216
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFSTOPPED(status) (((status) & 255) == 127)
#define WIFCONTINUED(status) ((status) == 0xffff)
#endif
