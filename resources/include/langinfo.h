#ifndef INTERPLAY_LANGINFO_H
#define INTERPLAY_LANGINFO_H
typedef int nl_item;
#define CODESET 14
#define RADIXCHAR 0x10000
#define THOUSEP 0x10001
extern char *nl_langinfo(nl_item item);
#endif
