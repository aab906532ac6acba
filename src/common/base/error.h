/* error.h: how every program complains and ends. Exit status: 0 done, 1 a negative or partial
 * answer, 2 bad usage, bad data, or the system refused. */
#ifndef TLBLAB_BASE_ERROR_H
#define TLBLAB_BASE_ERROR_H

#include <stddef.h>

enum { STATUS_DONE = 0, STATUS_PARTIAL = 1, STATUS_BAD = 2 };

/* The name that stands before every message; args_parse() sets it. */
extern const char *program_name;

/* "program: message" on stderr. Say the likely cause and the remedy. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, after flushing stdout (so nothing measured is lost), then exit with status 2. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a wrong command line: adds "Try 'program --help'". */
_Noreturn void die_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Flushes and closes stdout; a write that failed (a full disk) is an error: exits 2. A reader that
 * went away (EPIPE) ends the program quietly. Returns `status` otherwise, so that main can say
 * `return finish(status);`. */
int finish(int status);

/* Flushes stdout after a row, with the same treatment of errors as finish(). */
void flush_output(void);

/* calloc() and realloc() of count × size bytes, checked for overflow; they die instead of failing.
 */
void *allocate(size_t count, size_t size);
void *reallocate(void *old, size_t count, size_t size);

#endif
