#ifndef INTERPLAY_WAIT_H
#define INTERPLAY_WAIT_H
#include <sys/wait.h>
#endif
