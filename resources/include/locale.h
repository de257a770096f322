#ifndef INTERPLAY_LOCALE_H
#define INTERPLAY_LOCALE_H
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_ALL 6
extern char *setlocale(int category, const char *locale);
#endif
