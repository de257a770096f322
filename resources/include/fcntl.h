#ifndef INTERPLAY_FCNTL_H
#define INTERPLAY_FCNTL_H
#include <sys/types.h>
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 64
#define O_EXCL 128
#define O_TRUNC 512
#define O_APPEND 1024
#define O_NONBLOCK 2048
extern int open(const char *name, int flags, ...);
extern int fcntl(int file, int command, ...);
#define AT_FDCWD (-100)
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_EACCESS 0x200
#define AT_REMOVEDIR 0x200
#define AT_SYMLINK_FOLLOW 0x400
#define F_DUPFD 0
#define F_OK 0
#define F_RDLCK 0
#define F_ULOCK 0
#define F_GETFD 1
#define F_LOCK 1
#define F_WRLCK 1
#define F_SETFD 2
#define F_TLOCK 2
#define F_UNLCK 2
#define F_GETFL 3
#define F_TEST 3
#define F_EXLCK 4
#define F_SETFL 4
#define F_SETOWN 8
#define F_SHLCK 8
#define F_GETOWN 9
#define F_DUPFD_CLOEXEC 0x406
#define FD_CLOEXEC 1
#define O_ACCMODE 3
#define O_NOCTTY 0x100
#define O_NDELAY 0x800
#define O_DSYNC 0x1000
#define O_ASYNC 0x2000
#define O_DIRECTORY 0x10000
#define O_NOFOLLOW 0x20000
#define O_CLOEXEC 0x80000
#define O_FSYNC 0x101000
#define O_RSYNC 0x101000
#define O_SYNC 0x101000
#define POSIX_FADV_NORMAL 0
#define POSIX_FADV_RANDOM 1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED 3
#define POSIX_FADV_DONTNEED 4
#define POSIX_FADV_NOREUSE 5
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
struct flock { short l_type, l_whence; off_t l_start, l_len; pid_t l_pid; };
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
extern int creat(const char *name, mode_t mode), openat(int folder, const char *name, int flags, ...);
extern int lockf(int file, int command, off_t size);
extern int posix_fadvise(int file, off_t start, off_t size, int advice), posix_fallocate(int file, off_t start, off_t size);
#endif
