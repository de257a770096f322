#ifndef INTERPLAY_SYS_SYSMACROS_H
#define INTERPLAY_SYS_SYSMACROS_H
#include <sys/types.h>
#define major(device) ((unsigned) ((device) >> 8 & 0xfff) | (unsigned) ((device) >> 32 & 0xfffff000))
#define minor(device) ((unsigned) ((device) & 0xff) | (unsigned) ((device) >> 12 & 0xffffff00))
#define makedev(major, minor) \
    (((dev_t) (major) & 0xfff) << 8 | ((dev_t) (major) & 0xfffff000) << 32 | ((minor) & 0xff) | ((dev_t) (minor) & 0xffffff00) << 12)
#endif
