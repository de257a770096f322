#ifndef INTERPLAY_SIGNAL_H
#define INTERPLAY_SIGNAL_H
#include <sys/types.h>
typedef int sig_atomic_t;
#define SIGINT 2
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGSEGV 11
#define SIGALRM 14
#define SIGTERM 15
#define SIG_DFL ((void (*)(int)) 0)
#define SIG_IGN ((void (*)(int)) 1)
#define SIG_ERR ((void (*)(int)) -1)
extern void (*signal(int number, void (*handler)(int)))(int);
extern int raise(int number);
#define SIGHUP 1
#define SIGQUIT 3
#define SIGTRAP 5
#define SIGIOT 6
#define SIGBUS 7
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL 29
#define SIGPWR 30
#define SIGSYS 31
#define SIGRTMIN 34
#define SIGRTMAX 64
#define NSIG 65
#define SIGSTKSZ 8192
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 134217728
#define SA_STACK 134217728
#define SA_RESTART 268435456
#define SA_INTERRUPT 536870912
#define SA_NODEFER 1073741824
#define SA_NOMASK 1073741824
#define SA_ONESHOT 0x80000000U
#define SA_RESETHAND 0x80000000U
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
#define SIGEV_THREAD_ID 4
typedef struct { unsigned long bits[1024 / (8 * sizeof(unsigned long))]; } sigset_t;
typedef void (*sighandler_t)(int);
union sigval { int sival_int; void *sival_ptr; };
typedef struct {
    int si_signo, si_errno, si_code;
    pid_t si_pid;
    uid_t si_uid;
    int si_status;
    void *si_addr;
    long si_band;
    union sigval si_value;
} siginfo_t;
struct sigaction {
    union { void (*handler)(int); void (*action)(int, siginfo_t *, void *); } interplay_handler;
    sigset_t sa_mask;
    int sa_flags;
    void (*sa_restorer)(void);
};
#define sa_handler interplay_handler.handler
#define sa_sigaction interplay_handler.action
typedef struct { void *ss_sp; int ss_flags; size_t ss_size; } stack_t;
extern int kill(pid_t process, int number), killpg(pid_t group, int number);
extern int sigaction(int number, const struct sigaction *wanted, struct sigaction *previous);
extern int sigemptyset(sigset_t *set), sigfillset(sigset_t *set), sigaddset(sigset_t *set, int number);
extern int sigdelset(sigset_t *set, int number), sigismember(const sigset_t *set, int number);
extern int sigprocmask(int how, const sigset_t *set, sigset_t *previous), sigpending(sigset_t *set);
extern int sigsuspend(const sigset_t *mask), sigwait(const sigset_t *set, int *number);
extern int pthread_sigmask(int how, const sigset_t *set, sigset_t *previous);
extern int sigaltstack(const stack_t *wanted, stack_t *previous), siginterrupt(int number, int flag);
extern void psignal(int number, const char *text);
#endif
