#ifndef INTERPLAY_SYS_FCNTL_H
#define INTERPLAY_SYS_FCNTL_H
#include <fcntl.h>
#endif
