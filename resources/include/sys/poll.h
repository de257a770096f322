#ifndef INTERPLAY_SYS_POLL_H
#define INTERPLAY_SYS_POLL_H
#include <poll.h>
#endif
