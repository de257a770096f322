#ifndef INTERPLAY_ERR_H
#define INTERPLAY_ERR_H
extern void err(int code, const char *format, ...) __attribute__((__noreturn__));
extern void errx(int code, const char *format, ...) __attribute__((__noreturn__));
extern void warn(const char *format, ...), warnx(const char *format, ...);
#include <stdarg.h>
extern void verr(int code, const char *format, va_list arguments) __attribute__((__noreturn__));
extern void verrx(int code, const char *format, va_list arguments) __attribute__((__noreturn__));
extern void vwarn(const char *format, va_list arguments), vwarnx(const char *format, va_list arguments);
#endif
