#ifndef INTERPLAY_GETOPT_H
#define INTERPLAY_GETOPT_H
#include <unistd.h>
#endif
