#ifndef INTERPLAY_SETJMP_H
#define INTERPLAY_SETJMP_H
typedef long jmp_buf[32];
extern int setjmp(jmp_buf state);
extern void longjmp(jmp_buf state, int value);
typedef jmp_buf sigjmp_buf;
#define sigsetjmp(state, mask) setjmp(state)
extern void siglongjmp(sigjmp_buf state, int value);
#endif
