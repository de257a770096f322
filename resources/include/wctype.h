#ifndef INTERPLAY_WCTYPE_H
#define INTERPLAY_WCTYPE_H
typedef unsigned int wint_t;
typedef unsigned long wctype_t;
typedef const int *wctrans_t;
#ifndef WEOF
#define WEOF (0xffffffffu)
#endif
extern int iswalnum(wint_t c), iswalpha(wint_t c), iswblank(wint_t c), iswcntrl(wint_t c), iswdigit(wint_t c);
extern int iswgraph(wint_t c), iswlower(wint_t c), iswprint(wint_t c), iswpunct(wint_t c), iswspace(wint_t c);
extern int iswupper(wint_t c), iswxdigit(wint_t c), iswctype(wint_t c, wctype_t kind);
extern wctype_t wctype(const char *name);
extern wctrans_t wctrans(const char *name);
extern wint_t towlower(wint_t c), towupper(wint_t c), towctrans(wint_t c, wctrans_t how);
#endif
