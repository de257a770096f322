#ifndef INTERPLAY_LOCALE_H
#define INTERPLAY_LOCALE_H
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_ALL 6
extern char *setlocale(int category, const char *locale);
#define LC_GLOBAL_LOCALE (-1)
#define LC_CTYPE_MASK 1
#define LC_NUMERIC_MASK 2
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_TIME_MASK 4
#define LC_MESSAGES 5
#define LC_PAPER 7
#define LC_COLLATE_MASK 8
#define LC_NAME 8
#define LC_ADDRESS 9
#define LC_TELEPHONE 10
#define LC_MEASUREMENT 11
#define LC_IDENTIFICATION 12
#define LC_MONETARY_MASK 16
#define LC_MESSAGES_MASK 32
#define LC_PAPER_MASK 128
#define LC_NAME_MASK 256
#define LC_ADDRESS_MASK 512
#define LC_TELEPHONE_MASK 1024
#define LC_MEASUREMENT_MASK 2048
#define LC_IDENTIFICATION_MASK 4096
#define LC_ALL_MASK 8127
#include <stddef.h>
typedef struct interplay_locale *locale_t;
struct lconv { char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point; };
extern struct lconv *localeconv(void);
extern locale_t newlocale(int mask, const char *name, locale_t base), uselocale(locale_t locale), duplocale(locale_t locale);
extern void freelocale(locale_t locale);
#endif
