#ifndef INTERPLAY_STRINGS_H
#define INTERPLAY_STRINGS_H
#include <stddef.h>
extern int strcasecmp(const char *left, const char *right);
extern int strncasecmp(const char *left, const char *right, size_t size);
extern int bcmp(const void *left, const void *right, size_t size);
extern void bcopy(const void *from, void *to, size_t size);
extern void bzero(void *to, size_t size);
extern char *index(const char *text, int character);
extern char *rindex(const char *text, int character);
extern int ffs(int value);
extern int ffsl(long value), ffsll(long long value);
#endif
