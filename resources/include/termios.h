#ifndef INTERPLAY_TERMIOS_H
#define INTERPLAY_TERMIOS_H
#define NCCS 32
#define ISIG 1
#define ICANON 2
#define ECHO 8
#define VTIME 5
#define VMIN 6
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
typedef unsigned char cc_t;
typedef unsigned int speed_t;
typedef unsigned int tcflag_t;
struct termios {
    tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
    cc_t c_line, c_cc[NCCS];
    speed_t c_ispeed, c_ospeed;
};
extern int tcgetattr(int file, struct termios *attributes);
extern int tcsetattr(int file, int actions, const struct termios *attributes);
extern int cfsetispeed(struct termios *attributes, speed_t speed);
extern int cfsetospeed(struct termios *attributes, speed_t speed);
#endif
