#ifndef INTERPLAY_DLFCN_H
#define INTERPLAY_DLFCN_H
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_GLOBAL 0x100
#define RTLD_LOCAL 0
extern void *dlopen(const char *file, int mode), *dlsym(void *library, const char *name);
extern int dlclose(void *library);
extern char *dlerror(void);
#define RTLD_BINDING_MASK 3
#define RTLD_NOLOAD 4
#define RTLD_DEEPBIND 8
#define RTLD_NODELETE 4096
#endif
