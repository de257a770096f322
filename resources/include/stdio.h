#ifndef INTERPLAY_STDIO_H
#define INTERPLAY_STDIO_H
#include <sys/types.h>
#include <stddef.h>
#include <stdarg.h>
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
typedef struct interplay_file FILE;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
extern int printf(const char *format, ...);
extern int fprintf(FILE *stream, const char *format, ...);
extern int sprintf(char *text, const char *format, ...);
extern int snprintf(char *text, size_t size, const char *format, ...);
extern int vprintf(const char *format, va_list arguments);
extern int scanf(const char *format, ...);
extern int fscanf(FILE *stream, const char *format, ...);
extern int sscanf(const char *text, const char *format, ...);
extern int puts(const char *text);
extern int fputs(const char *text, FILE *stream);
extern int putchar(int character);
extern int fputc(int character, FILE *stream);
extern int putc(int character, FILE *stream);
extern int getchar(void);
extern int getc(FILE *stream);
extern int fgetc(FILE *stream);
extern char *fgets(char *text, int size, FILE *stream);
extern FILE *fopen(const char *name, const char *mode);
extern int fclose(FILE *stream);
extern int fflush(FILE *stream);
extern size_t fread(void *to, size_t size, size_t count, FILE *stream);
extern size_t fwrite(const void *from, size_t size, size_t count, FILE *stream);
extern int feof(FILE *stream);
extern int ferror(FILE *stream);
extern void perror(const char *text);
extern int remove(const char *name);
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
extern int vfprintf(FILE *stream, const char *format, va_list arguments);
extern int vsprintf(char *text, const char *format, va_list arguments);
extern int vsnprintf(char *text, size_t size, const char *format, va_list arguments);
extern int vscanf(const char *format, va_list arguments);
extern int dprintf(int file, const char *format, ...);
extern int asprintf(char **result, const char *format, ...);
extern int ungetc(int character, FILE *stream);
extern char *gets(char *text);
extern FILE *fdopen(int file, const char *mode);
extern FILE *freopen(const char *name, const char *mode, FILE *stream);
extern FILE *tmpfile(void);
extern int fileno(FILE *stream);
extern int fseek(FILE *stream, long offset, int from);
extern long ftell(FILE *stream);
extern void rewind(FILE *stream);
extern void clearerr(FILE *stream);
extern int rename(const char *from, const char *to);
extern void setbuf(FILE *stream, char *buffer);
extern int setvbuf(FILE *stream, char *buffer, int mode, size_t size);
extern __PTRDIFF_TYPE__ getline(char **text, size_t *size, FILE *stream);
#define L_ctermid 9
#define L_tmpnam 20
#define TMP_MAX 238328
#define P_tmpdir "/tmp"
typedef struct { long place; int state[2]; } fpos_t;
extern int fgetpos(FILE *stream, fpos_t *place), fsetpos(FILE *stream, const fpos_t *place);
extern int fseeko(FILE *stream, off_t offset, int from);
extern off_t ftello(FILE *stream);
extern FILE *popen(const char *command, const char *mode), *fmemopen(void *block, size_t size, const char *mode);
extern FILE *open_memstream(char **result, size_t *size);
extern int pclose(FILE *stream);
extern ssize_t getdelim(char **text, size_t *size, int end, FILE *stream);
extern int vdprintf(int file, const char *format, va_list arguments);
extern int vasprintf(char **result, const char *format, va_list arguments);
extern int vsscanf(const char *text, const char *format, va_list arguments);
extern int vfscanf(FILE *stream, const char *format, va_list arguments);
extern char *tmpnam(char *name), *tempnam(const char *folder, const char *prefix), *ctermid(char *name);
extern void setlinebuf(FILE *stream), setbuffer(FILE *stream, char *buffer, size_t size);
extern void flockfile(FILE *stream), funlockfile(FILE *stream);
extern int ftrylockfile(FILE *stream);
extern int getc_unlocked(FILE *stream), getchar_unlocked(void), putc_unlocked(int character, FILE *stream);
extern int putchar_unlocked(int character), fgetc_unlocked(FILE *stream), fputc_unlocked(int character, FILE *stream);
extern int feof_unlocked(FILE *stream), ferror_unlocked(FILE *stream), fflush_unlocked(FILE *stream);
extern int fileno_unlocked(FILE *stream);
extern size_t fread_unlocked(void *to, size_t size, size_t count, FILE *stream);
extern size_t fwrite_unlocked(const void *from, size_t size, size_t count, FILE *stream);
extern int getw(FILE *stream), putw(int word, FILE *stream);
#endif
