#ifndef INTERPLAY_KLEE_H
#define INTERPLAY_KLEE_H
#include <stddef.h>
#include <stdint.h>
extern void klee_make_symbolic(void *to, size_t size, const char *name);
extern void klee_assume(uintptr_t condition);
#endif
