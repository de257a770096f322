#ifndef INTERPLAY_SYS_CDEFS_H
#define INTERPLAY_SYS_CDEFS_H
#define __P(arguments) arguments
#define __PMT(arguments) arguments
#define __CONCAT(left, right) left ## right
#define __STRING(text) #text
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#define __unused __attribute__((__unused__))
#endif
