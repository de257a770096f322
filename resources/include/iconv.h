#ifndef INTERPLAY_ICONV_H
#define INTERPLAY_ICONV_H
#include <stddef.h>
typedef void *iconv_t;
extern iconv_t iconv_open(const char *to, const char *from);
extern size_t iconv(iconv_t state, char **from, size_t *from_size, char **to, size_t *to_size);
extern int iconv_close(iconv_t state);
#endif
