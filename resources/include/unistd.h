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
#endif
