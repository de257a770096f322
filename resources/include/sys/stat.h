#ifndef INTERPLAY_SYS_STAT_H
#define INTERPLAY_SYS_STAT_H
#include <sys/types.h>
#include <time.h>
struct stat {
  unsigned long st_dev, st_ino, st_nlink;
  mode_t st_mode;
  uid_t st_uid;
  gid_t st_gid;
  off_t st_size;
  time_t st_atime, st_mtime, st_ctime;
};
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
#endif
