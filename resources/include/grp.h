#ifndef INTERPLAY_GRP_H
#define INTERPLAY_GRP_H
#include <sys/types.h>
struct group { char *gr_name, *gr_passwd; gid_t gr_gid; char **gr_mem; };
extern struct group *getgrnam(const char *name);
extern struct group *getgrgid(gid_t group);
extern struct group *getgrent(void);
extern void setgrent(void), endgrent(void);
extern int setgroups(size_t count, const gid_t *groups), initgroups(const char *user, gid_t group);
#endif
