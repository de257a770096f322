#ifndef INTERPLAY_SYS_STAT_H
#define INTERPLAY_SYS_STAT_H
#include <sys/types.h>
#include <time.h>
struct stat {
  dev_t st_dev;
  ino_t st_ino;
  nlink_t st_nlink;
  mode_t st_mode;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
  struct timespec st_atim, st_mtim, st_ctim;
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFREG 0100000
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
extern int stat(const char *name, struct stat *result);
extern int fstat(int file, struct stat *result);
extern int lstat(const char *name, struct stat *result);
extern int mkdir(const char *name, mode_t mode);
extern int chmod(const char *name, mode_t mode);
extern mode_t umask(mode_t mask);
#define S_IXOTH 01
#define S_IWOTH 02
#define S_IROTH 04
#define S_IRWXO 07
#define S_IXGRP 010
#define S_IWGRP 020
#define S_IRGRP 040
#define S_IRWXG 070
#define S_IEXEC 0100
#define S_IWRITE 0200
#define S_IREAD 0400
#define S_IRWXU 0700
#define S_ISVTX 01000
#define S_ISGID 02000
#define S_ISUID 04000
#define S_IFIFO 010000
#define S_IFCHR 020000
#define S_IFBLK 060000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)
#define ACCESSPERMS 0777
extern int fchmod(int file, mode_t mode), mkfifo(const char *name, mode_t mode), mknod(const char *name, mode_t mode, dev_t device);
extern int fstatat(int folder, const char *name, struct stat *result, int flags), mkdirat(int folder, const char *name, mode_t mode);
extern int utimensat(int folder, const char *name, const struct timespec times[2], int flags);
extern int futimens(int file, const struct timespec times[2]);
#endif
