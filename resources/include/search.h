#ifndef INTERPLAY_SEARCH_H
#define INTERPLAY_SEARCH_H
#include <stddef.h>
typedef enum { FIND, ENTER } ACTION;
typedef enum { preorder, postorder, endorder, leaf } VISIT;
typedef struct entry { char *key; void *data; } ENTRY;
extern int hcreate(size_t count);
extern ENTRY *hsearch(ENTRY item, ACTION action);
extern void hdestroy(void);
extern void *tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
extern void *tfind(const void *key, void *const *root, int (*compare)(const void *, const void *));
extern void *tdelete(const void *key, void **root, int (*compare)(const void *, const void *));
extern void twalk(const void *root, void (*action)(const void *node, VISIT order, int depth));
extern void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *));
extern void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *));
extern void insque(void *element, void *after), remque(void *element);
#endif
