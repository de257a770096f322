#ifndef INTERPLAY_SYS_FILE_H
#define INTERPLAY_SYS_FILE_H
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
extern int flock(int file, int operation);
#endif
