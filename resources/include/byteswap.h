#ifndef INTERPLAY_BYTESWAP_H
#define INTERPLAY_BYTESWAP_H
#include <stdint.h>
#define bswap_16(number) ((uint16_t) __builtin_bswap16(number))
#define bswap_32(number) __builtin_bswap32(number)
#define bswap_64(number) __builtin_bswap64(number)
#endif
