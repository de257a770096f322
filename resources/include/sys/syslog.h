#ifndef INTERPLAY_SYS_SYSLOG_H
#define INTERPLAY_SYS_SYSLOG_H
#include <syslog.h>
#endif
