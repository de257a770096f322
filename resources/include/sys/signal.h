#ifndef INTERPLAY_SYS_SIGNAL_H
#define INTERPLAY_SYS_SIGNAL_H
#include <signal.h>
#endif
