#ifndef INTERPLAY_SYS_IOCTL_H
#define INTERPLAY_SYS_IOCTL_H
#define FIONREAD 0x541B
#define FIONBIO 0x5421
#define TIOCGWINSZ 0x5413
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
extern int ioctl(int file, unsigned long request, ...);
#endif
