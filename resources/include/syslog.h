#ifndef INTERPLAY_SYSLOG_H
#define INTERPLAY_SYSLOG_H
#include <stdarg.h>
#define LOG_EMERG 0
#define LOG_ALERT 1
#define LOG_CRIT 2
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_NOTICE 5
#define LOG_INFO 6
#define LOG_DEBUG 7
#define LOG_PID 1
#define LOG_CONS 2
#define LOG_NDELAY 8
#define LOG_USER (1 << 3)
#define LOG_DAEMON (3 << 3)
#define LOG_LOCAL0 (16 << 3)
extern void openlog(const char *name, int option, int facility);
extern void syslog(int priority, const char *format, ...);
extern void vsyslog(int priority, const char *format, va_list arguments);
extern void closelog(void);
extern int setlogmask(int mask);
#endif
