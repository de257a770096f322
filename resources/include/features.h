#ifndef INTERPLAY_FEATURES_H
#define INTERPLAY_FEATURES_H
#ifndef __STRICT_ANSI__
#define _DEFAULT_SOURCE 1
#endif
#define __GLIBC_PREREQ(major, minor) 0
#endif
