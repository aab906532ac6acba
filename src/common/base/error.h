/* error.h: how every program complains and ends. Exit status: 0 done, 1 a negative or partial
 * answer, 2 bad usage, bad data, or the system refused. */
#ifndef TLBLAB_BASE_ERROR_H
#define TLBLAB_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

enum { STATUS_DONE = 0, STATUS_PARTIAL = 1, STATUS_BAD = 2 };

/* The program's name, which starts every message; args_parse() sets it by error_begin(). */
extern const char *program_name;
void error_begin(const char *name);

/* Prints "program: message" on stderr. A message names the likely cause and the remedy. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Flushes stdout so no measured row is lost, prints the message and exits 2. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* die() for a wrong command line: adds "Try 'program --help'". */
_Noreturn void die_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A warning that cannot wait, such as how long the program will take: shown at once while nothing
 * of the output is. */
void warn_at_once(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* If stdout and stderr are one terminal, messages wait until the output ends; and whether a part
 * of it is shown. */
extern bool messages_wait, output_begun;

/* Writes what stdout lacks: all, or what must be seen now; NULL: nothing is held back. */
extern void (*output_rest)(bool end);

/* Flushes and closes stdout, and returns `status` for main() to return. A failed write (a full
 * disk) exits 2; a closed pipe (EPIPE) ends the program quietly. */
int finish(int status);

/* Flushes stdout after a row; errors end the program as in finish(). */
void flush_output(void);

/* calloc() and realloc() of count × size bytes, checked for overflow; they die if memory is
 * short. */
void *allocate(size_t count, size_t size);
void *reallocate(void *old, size_t count, size_t size);

/* Makes room for one more in an array of `count` items that grows by this function alone. */
void *extend(void *array, size_t count, size_t size);

#endif
