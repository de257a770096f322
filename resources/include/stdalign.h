#ifndef INTERPLAY_STDALIGN_H
#define INTERPLAY_STDALIGN_H
#define alignas _Alignas
#define alignof _Alignof
#endif
