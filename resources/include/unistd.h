#ifndef INTERPLAY_UNISTD_H
#define INTERPLAY_UNISTD_H
#include <sys/types.h>
extern void _exit(int status);
extern unsigned int sleep(unsigned int seconds);
extern int usleep(unsigned int microseconds);
extern ssize_t read(int file, void *to, size_t size);
extern ssize_t write(int file, const void *from, size_t size);
extern int close(int file);
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
extern int access(const char *name, int mode);
extern unsigned int alarm(unsigned int seconds);
extern int chdir(const char *name);
extern int dup(int file);
extern int dup2(int file, int other);
extern pid_t fork(void);
extern int fsync(int file);
extern char *getcwd(char *text, size_t size);
extern pid_t getpid(void);
extern pid_t getppid(void);
extern uid_t getuid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern int isatty(int file);
extern off_t lseek(int file, off_t offset, int from);
extern int pause(void);
extern int pipe(int files[2]);
extern int rmdir(const char *name);
extern long sysconf(int name);
extern int unlink(const char *name);
extern char *optarg;
extern int optind, opterr, optopt;
extern int getopt(int count, char *const arguments[], const char *options);
#define _PC_LINK_MAX 0
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _PC_NAME_MAX 3
#define _SC_NGROUPS_MAX 3
#define _PC_PATH_MAX 4
#define _SC_OPEN_MAX 4
#define _PC_PIPE_BUF 5
#define _SC_VERSION 29
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_LINE_MAX 43
#define _SC_IOV_MAX 60
#define _SC_GETGR_R_SIZE_MAX 69
#define _SC_GETPW_R_SIZE_MAX 70
#define _SC_LOGIN_NAME_MAX 71
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _SC_MONOTONIC_CLOCK 149
#define _SC_HOST_NAME_MAX 180
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define L_SET 0
#define L_INCR 1
#define L_XTND 2
typedef __PTRDIFF_TYPE__ intptr_t;
typedef unsigned int socklen_t;
extern char **environ;
extern int execl(const char *path, const char *argument, ...), execlp(const char *file, const char *argument, ...);
extern int execle(const char *path, const char *argument, ...);
extern int execv(const char *path, char *const arguments[]), execvp(const char *file, char *const arguments[]);
extern int execve(const char *path, char *const arguments[], char *const environment[]);
extern int setuid(uid_t user), setgid(gid_t group), seteuid(uid_t user), setegid(gid_t group);
extern gid_t getegid(void);
extern int getgroups(int count, gid_t groups[]), setpgid(pid_t process, pid_t group);
extern pid_t getpgid(pid_t process), getpgrp(void), getsid(pid_t process), setsid(void), gettid(void);
extern int link(const char *from, const char *to), symlink(const char *from, const char *to);
extern ssize_t readlink(const char *name, char *text, size_t size);
extern int truncate(const char *name, off_t size), ftruncate(int file, off_t size), fdatasync(int file);
extern ssize_t pread(int file, void *to, size_t size, off_t offset), pwrite(int file, const void *from, size_t size, off_t offset);
extern int gethostname(char *name, size_t size), sethostname(const char *name, size_t size), getpagesize(void), nice(int step);
extern int chown(const char *name, uid_t user, gid_t group), fchown(int file, uid_t user, gid_t group), chroot(const char *name);
extern int fchdir(int file), lockf(int file, int command, off_t size), daemon(int stay, int keep);
extern int unlinkat(int folder, const char *name, int flags);
extern char *getlogin(void), *ttyname(int file), *crypt(const char *key, const char *salt), *getpass(const char *prompt);
extern int ttyname_r(int file, char *name, size_t size), brk(void *end), getentropy(void *block, size_t size);
extern void *sbrk(__PTRDIFF_TYPE__ step);
extern long pathconf(const char *name, int which), fpathconf(int file, int which), syscall(long number, ...);
extern void sync(void), swab(const void *from, void *to, ssize_t size);
extern pid_t tcgetpgrp(int file);
extern int tcsetpgrp(int file, pid_t group);
extern unsigned int ualarm(unsigned int first, unsigned int interval);
#endif
