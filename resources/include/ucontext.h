#ifndef INTERPLAY_UCONTEXT_H
#define INTERPLAY_UCONTEXT_H
#include <signal.h>
#endif
