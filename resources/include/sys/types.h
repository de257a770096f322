#ifndef INTERPLAY_SYS_TYPES_H
#define INTERPLAY_SYS_TYPES_H
#include <stddef.h>
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned int id_t, useconds_t;
typedef unsigned long ino_t, nlink_t, fsblkcnt_t, fsfilcnt_t;
typedef unsigned __INT64_TYPE__ dev_t;
typedef int key_t, clockid_t;
typedef long blksize_t, blkcnt_t, suseconds_t, time_t, clock_t;
typedef void *timer_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef __INT64_TYPE__ int64_t;
#ifndef __STRICT_ANSI__
typedef unsigned char u_char;
typedef unsigned short u_short, ushort;
typedef unsigned int u_int, uint;
typedef unsigned long u_long, ulong;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef unsigned __INT64_TYPE__ u_int64_t, u_quad_t;
typedef __INT64_TYPE__ quad_t, loff_t;
typedef int daddr_t;
typedef char *caddr_t;
#endif
#endif
