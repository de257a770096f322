#ifndef INTERPLAY_SYS_TERMIOS_H
#define INTERPLAY_SYS_TERMIOS_H
#include <termios.h>
#endif
