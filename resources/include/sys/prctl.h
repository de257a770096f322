#ifndef INTERPLAY_SYS_PRCTL_H
#define INTERPLAY_SYS_PRCTL_H
#define PR_SET_NAME 15
#define PR_GET_NAME 16
#define PR_SET_PDEATHSIG 1
#define PR_SET_DUMPABLE 4
extern int prctl(int option, ...);
#endif
