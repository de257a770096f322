#ifndef INTERPLAY_LIBGEN_H
#define INTERPLAY_LIBGEN_H
extern char *basename(char *path), *dirname(char *path);
#endif
