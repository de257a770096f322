#ifndef INTERPLAY_REGEX_H
#define INTERPLAY_REGEX_H
#include <sys/types.h>
#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
enum { REG_NOERROR, REG_NOMATCH, REG_BADPAT, REG_ECOLLATE, REG_ECTYPE, REG_EESCAPE, REG_ESUBREG, REG_EBRACK, REG_EPAREN,
       REG_EBRACE, REG_BADBR, REG_ERANGE, REG_ESPACE, REG_BADRPT };
typedef int regoff_t;
typedef struct { void *buffer; unsigned long allocated, used, syntax; char *fastmap; unsigned char *translate; size_t re_nsub; unsigned flags; } regex_t;
typedef struct { regoff_t rm_so, rm_eo; } regmatch_t;
extern int regcomp(regex_t *expression, const char *text, int flags);
extern int regexec(const regex_t *expression, const char *text, size_t count, regmatch_t *matches, int flags);
extern size_t regerror(int code, const regex_t *expression, char *text, size_t size);
extern void regfree(regex_t *expression);
#define REG_ENOSYS (-1)
#define REG_STARTEND 4
#define REG_EEND 14
#define REG_ESIZE 15
#define REG_ERPAREN 16
#endif
