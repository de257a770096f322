#ifndef INTERPLAY_GLOB_H
#define INTERPLAY_GLOB_H
#include <stddef.h>
#define GLOB_ERR 1
#define GLOB_MARK 2
#define GLOB_NOSORT 4
#define GLOB_DOOFFS 8
#define GLOB_NOCHECK 16
#define GLOB_APPEND 32
#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_NOMATCH 3
typedef struct { size_t gl_pathc; char **gl_pathv; size_t gl_offs; int gl_flags; void *interplay_functions[5]; } glob_t;
extern int glob(const char *pattern, int flags, int (*error)(const char *, int), glob_t *found);
extern void globfree(glob_t *found);
#endif
