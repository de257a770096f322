#include <stddef.h>
extern void *alloca(size_t size);
