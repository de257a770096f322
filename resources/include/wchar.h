#ifndef INTERPLAY_WCHAR_H
#define INTERPLAY_WCHAR_H
#include <stddef.h>
#include <stdarg.h>
#include <stdio.h>
#include <wctype.h>
struct tm;
typedef struct { int count; union { wint_t wide; char bytes[4]; } value; } mbstate_t;
#define WCHAR_MIN __WCHAR_MIN__
#define WCHAR_MAX __WCHAR_MAX__
extern wchar_t *wcscpy(wchar_t *to, const wchar_t *from), *wcsncpy(wchar_t *to, const wchar_t *from, size_t size);
extern wchar_t *wcscat(wchar_t *to, const wchar_t *from), *wcsncat(wchar_t *to, const wchar_t *from, size_t size);
extern int wcscmp(const wchar_t *left, const wchar_t *right), wcsncmp(const wchar_t *left, const wchar_t *right, size_t size);
extern int wcscoll(const wchar_t *left, const wchar_t *right);
extern size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t size);
extern wchar_t *wcsdup(const wchar_t *text), *wcschr(const wchar_t *text, wchar_t c), *wcsrchr(const wchar_t *text, wchar_t c);
extern size_t wcscspn(const wchar_t *text, const wchar_t *rejected), wcsspn(const wchar_t *text, const wchar_t *accepted);
extern wchar_t *wcspbrk(const wchar_t *text, const wchar_t *accepted), *wcsstr(const wchar_t *text, const wchar_t *part);
extern wchar_t *wcstok(wchar_t *text, const wchar_t *separators, wchar_t **state);
extern size_t wcslen(const wchar_t *text), wcsnlen(const wchar_t *text, size_t size);
extern wchar_t *wmemchr(const wchar_t *block, wchar_t c, size_t size), *wmemset(wchar_t *to, wchar_t c, size_t size);
extern int wmemcmp(const wchar_t *left, const wchar_t *right, size_t size);
extern wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t size), *wmemmove(wchar_t *to, const wchar_t *from, size_t size);
extern wint_t btowc(int c);
extern int wctob(wint_t c), mbsinit(const mbstate_t *state);
extern size_t mbrtowc(wchar_t *to, const char *from, size_t size, mbstate_t *state), wcrtomb(char *to, wchar_t c, mbstate_t *state);
extern size_t mbrlen(const char *text, size_t size, mbstate_t *state);
extern size_t mbsrtowcs(wchar_t *to, const char **from, size_t size, mbstate_t *state);
extern size_t wcsrtombs(char *to, const wchar_t **from, size_t size, mbstate_t *state);
extern double wcstod(const wchar_t *text, wchar_t **end);
extern float wcstof(const wchar_t *text, wchar_t **end);
extern long double wcstold(const wchar_t *text, wchar_t **end);
extern long wcstol(const wchar_t *text, wchar_t **end, int base);
extern unsigned long wcstoul(const wchar_t *text, wchar_t **end, int base);
extern long long wcstoll(const wchar_t *text, wchar_t **end, int base);
extern unsigned long long wcstoull(const wchar_t *text, wchar_t **end, int base);
extern wint_t fgetwc(FILE *stream), getwc(FILE *stream), getwchar(void), fputwc(wchar_t c, FILE *stream);
extern wint_t putwc(wchar_t c, FILE *stream), putwchar(wchar_t c), ungetwc(wint_t c, FILE *stream);
extern wchar_t *fgetws(wchar_t *to, int size, FILE *stream);
extern int fputws(const wchar_t *text, FILE *stream), fwide(FILE *stream, int mode);
extern int wprintf(const wchar_t *format, ...), fwprintf(FILE *stream, const wchar_t *format, ...);
extern int swprintf(wchar_t *to, size_t size, const wchar_t *format, ...);
extern int vwprintf(const wchar_t *format, va_list list), vfwprintf(FILE *stream, const wchar_t *format, va_list list);
extern int vswprintf(wchar_t *to, size_t size, const wchar_t *format, va_list list);
extern int wscanf(const wchar_t *format, ...), fwscanf(FILE *stream, const wchar_t *format, ...);
extern int swscanf(const wchar_t *text, const wchar_t *format, ...);
extern size_t wcsftime(wchar_t *to, size_t size, const wchar_t *format, const struct tm *time);
#endif
