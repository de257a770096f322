#ifndef INTERPLAY_LIBINTL_H
#define INTERPLAY_LIBINTL_H
extern char *gettext(const char *text), *dgettext(const char *domain, const char *text);
extern char *ngettext(const char *one, const char *many, unsigned long count);
extern char *textdomain(const char *domain), *bindtextdomain(const char *domain, const char *folder);
#endif
