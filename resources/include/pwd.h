#ifndef INTERPLAY_PWD_H
#define INTERPLAY_PWD_H
#include <sys/types.h>
struct passwd { char *pw_name, *pw_passwd; uid_t pw_uid; gid_t pw_gid; char *pw_gecos, *pw_dir, *pw_shell; };
extern struct passwd *getpwnam(const char *name);
extern struct passwd *getpwuid(uid_t user);
extern struct passwd *getpwent(void);
extern void setpwent(void), endpwent(void);
extern int getpwnam_r(const char *name, struct passwd *result, char *text, size_t size, struct passwd **found);
extern int getpwuid_r(uid_t user, struct passwd *result, char *text, size_t size, struct passwd **found);
#endif
