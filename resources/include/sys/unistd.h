#ifndef INTERPLAY_SYS_UNISTD_H
#define INTERPLAY_SYS_UNISTD_H
#include <unistd.h>
#endif
