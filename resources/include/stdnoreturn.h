#ifndef INTERPLAY_STDNORETURN_H
#define INTERPLAY_STDNORETURN_H
#define noreturn _Noreturn
#endif
