#ifndef INTERPLAY_STRING_H
#define INTERPLAY_STRING_H
#include <stddef.h>
extern void *memcpy(void *to, const void *from, size_t size);
extern void *memmove(void *to, const void *from, size_t size);
extern void *memset(void *to, int value, size_t size);
extern int memcmp(const void *left, const void *right, size_t size);
extern void *memchr(const void *text, int value, size_t size);
extern size_t strlen(const char *text);
extern char *strcpy(char *to, const char *from);
extern char *strncpy(char *to, const char *from, size_t size);
extern char *strcat(char *to, const char *from);
extern char *strncat(char *to, const char *from, size_t size);
extern int strcmp(const char *left, const char *right);
extern int strncmp(const char *left, const char *right, size_t size);
extern char *strchr(const char *text, int character);
extern char *strrchr(const char *text, int character);
extern char *strstr(const char *text, const char *part);
extern char *strtok(char *text, const char *separators);
extern char *strdup(const char *text);
extern char *strerror(int number);
extern size_t strspn(const char *text, const char *accepted);
extern size_t strcspn(const char *text, const char *rejected);
extern size_t strnlen(const char *text, size_t size);
extern char *stpcpy(char *to, const char *from);
extern char *strndup(const char *text, size_t size);
extern char *strpbrk(const char *text, const char *accepted);
extern char *strtok_r(char *text, const char *separators, char **rest);
extern char *strsep(char **text, const char *separators);
extern int strcoll(const char *left, const char *right);
extern size_t strxfrm(char *to, const char *from, size_t size);
extern void *memrchr(const void *text, int value, size_t size);
extern void *mempcpy(void *to, const void *from, size_t size);
extern void *memccpy(void *to, const void *from, int value, size_t size);
extern void *memmem(const void *text, size_t size, const void *part, size_t length);
extern char *strchrnul(const char *text, int character);
extern char *strcasestr(const char *text, const char *part);
extern size_t strlcpy(char *to, const char *from, size_t size);
extern size_t strlcat(char *to, const char *from, size_t size);
extern int strcasecmp(const char *left, const char *right);
extern int strncasecmp(const char *left, const char *right, size_t size);
extern char *stpncpy(char *to, const char *from, size_t size);
extern char *strsignal(int number);
extern int strerror_r(int number, char *text, size_t size);
extern int strverscmp(const char *left, const char *right);
extern void *rawmemchr(const void *text, int value);
extern void explicit_bzero(void *to, size_t size);
#ifndef __STRICT_ANSI__
#include <strings.h>
#endif
#endif
