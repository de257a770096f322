#ifndef INTERPLAY_DIRENT_H
#define INTERPLAY_DIRENT_H
#include <sys/types.h>
#define DT_UNKNOWN 0
#define DT_DIR 4
#define DT_REG 8
#define DT_LNK 10
typedef struct interplay_directory DIR;
struct dirent { unsigned long d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
extern DIR *opendir(const char *name), *fdopendir(int file);
extern struct dirent *readdir(DIR *directory);
extern int closedir(DIR *directory), dirfd(DIR *directory);
extern void rewinddir(DIR *directory), seekdir(DIR *directory, long place);
extern long telldir(DIR *directory);
extern int alphasort(const struct dirent **left, const struct dirent **right);
extern int scandir(const char *name, struct dirent ***found, int (*wanted)(const struct dirent *),
                   int (*order)(const struct dirent **, const struct dirent **));
#define DT_FIFO 1
#define DT_CHR 2
#define DT_BLK 6
#define DT_SOCK 12
#define DT_WHT 14
#endif
