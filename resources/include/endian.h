#ifndef INTERPLAY_ENDIAN_H
#define INTERPLAY_ENDIAN_H
#include <stdint.h>
#define LITTLE_ENDIAN 1234
#define BIG_ENDIAN 4321
#define BYTE_ORDER LITTLE_ENDIAN
#define __LITTLE_ENDIAN 1234
#define __BIG_ENDIAN 4321
#define __BYTE_ORDER __LITTLE_ENDIAN
#define PDP_ENDIAN 3412
#define htobe16(number) ((uint16_t) __builtin_bswap16(number))
#define htobe32(number) __builtin_bswap32(number)
#define htobe64(number) __builtin_bswap64(number)
#define be16toh(number) htobe16(number)
#define be32toh(number) htobe32(number)
#define be64toh(number) htobe64(number)
#define htole16(number) ((uint16_t) (number))
#define htole32(number) ((uint32_t) (number))
#define htole64(number) ((uint64_t) (number))
#define le16toh(number) htole16(number)
#define le32toh(number) htole32(number)
#define le64toh(number) htole64(number)
#endif
