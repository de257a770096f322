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
#define B0 0
#define CBRK 0
#define CEOL 0
#define CSTATUS 0
#define CTIME 0
#define TCIFLUSH 0
#define TCOOFF 0
#define VINTR 0
#define B50 1
#define CMIN 1
#define IGNBRK 1
#define OPOST 1
#define TCOFLUSH 1
#define TCOON 1
#define VQUIT 1
#define B75 2
#define BRKINT 2
#define OLCUC 2
#define TCIOFF 2
#define TCIOFLUSH 2
#define VERASE 2
#define B110 3
#define CINTR 3
#define TCION 3
#define VKILL 3
#define B134 4
#define CEOF 4
#define CEOT 4
#define IGNPAR 4
#define ONLCR 4
#define VEOF 4
#define B150 5
#define B200 6
#define B300 7
#define VSWTC 7
#define B600 8
#define OCRNL 8
#define PARMRK 8
#define VSTART 8
#define B1200 9
#define VSTOP 9
#define B1800 10
#define VSUSP 10
#define B2400 11
#define VEOL 11
#define B4800 12
#define VREPRINT 12
#define B9600 13
#define VDISCARD 13
#define B19200 14
#define EXTA 14
#define VWERASE 14
#define B38400 15
#define CDISCARD 15
#define CFLUSH 15
#define EXTB 15
#define VLNEXT 15
#define ECHOE 16
#define INPCK 16
#define ONOCR 16
#define CSTART 17
#define CREPRINT 18
#define CRPRNT 18
#define CSTOP 19
#define CKILL 21
#define CLNEXT 22
#define CWERASE 23
#define CDSUSP 25
#define CSUSP 26
#define CQUIT 28
#define ECHOK 32
#define ISTRIP 32
#define ONLRET 32
#define CSIZE 48
#define CSTOPB 64
#define ECHONL 64
#define INLCR 64
#define OFILL 64
#define CERASE 127
#define CREAD 128
#define IGNCR 128
#define NOFLSH 128
#define OFDEL 128
#define ICRNL 0x100
#define PARENB 0x100
#define TOSTOP 0x100
#define ECHOCTL 0x200
#define IUCLC 0x200
#define PARODD 0x200
#define ECHOPRT 0x400
#define HUPCL 0x400
#define IXON 0x400
#define CRDLY 0x600
#define CLOCAL 0x800
#define ECHOKE 0x800
#define IXANY 0x800
#define CBAUDEX 0x1000
#define FLUSHO 0x1000
#define IXOFF 0x1000
#define B57600 0x1001
#define B115200 0x1002
#define B230400 0x1003
#define B460800 0x1004
#define B500000 0x1005
#define B576000 0x1006
#define B921600 0x1007
#define B1000000 0x1008
#define B1152000 0x1009
#define B1500000 0x100a
#define B2000000 0x100b
#define B2500000 0x100c
#define B3000000 0x100d
#define B3500000 0x100e
#define B4000000 0x100f
#define CBAUD 0x100f
#define TABDLY 0x1800
#define IMAXBEL 0x2000
#define PENDIN 0x4000
#define VTDLY 0x4000
#define IEXTEN 0x8000
#define EXTPROC 0x10000
#define CIBAUD 0x100f0000
#define CMSPAR 0x40000000
#define CRTSCTS 0x80000000U
extern speed_t cfgetispeed(const struct termios *attributes), cfgetospeed(const struct termios *attributes);
extern int cfsetspeed(struct termios *attributes, speed_t speed), tcdrain(int file), tcflush(int file, int queue);
extern int tcflow(int file, int action), tcsendbreak(int file, int duration);
extern void cfmakeraw(struct termios *attributes);
#endif
