/* error.c: how every program complains and ends. */
#include "base/error.h"
#include "base/printable.h"
#include "base/progress.h"
#include "platform.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *program_name = "tlblab";

/* Beyond RLIMIT_FSIZE a write then fails, and does not end the program without a word. A handler,
 * since a command that we start would inherit SIG_IGN. */
static void go_on(int signal_number)
{
    (void)signal_number;
}

void error_begin(const char *name)
{
    program_name = name;
#ifdef SIGXFSZ
    signal(SIGXFSZ, go_on);
#endif
}

bool messages_wait, output_begun;
void (*output_rest)(bool end);
static char *waiting; /* messages, each with a newline */

/* A terminal gets lines of its width, which are indented from the second on. */
static void show(const char *line)
{
    enum { INDENT = 2 };
    fflush(stdout);
    progress_clear();
    if (platform_is_terminal(stderr))
        put_words(stderr, line, 0, INDENT, false);
    else
        put_printable(line, strlen(line), stderr);
    fputc('\n', stderr);
}

static void show_waiting(void)
{
    for (char *line = waiting, *end; line != NULL && (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        *end = '\0';
        show(line);
    }
    free(waiting);
    waiting = NULL;
    messages_wait = false;
}

static void keep(const char *line)
{
    size_t used = waiting != NULL ? strlen(waiting) : 0;
    waiting = reallocate(waiting, used + strlen(line) + 2, 1);
    sprintf(waiting + used, "%s\n", line);
}

/* A longer message is cut; there may be no memory for it. */
static void complain(bool waits, const char *format, va_list arguments)
{
    char line[8192];
    int used = snprintf(line, sizeof line, "%s: ", program_name);
    vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
    for (char *c = line; *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
    if (waits)
        keep(line);
    else
        show(line);
}

void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(messages_wait, format, arguments);
    va_end(arguments);
}

void warn_at_once(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(messages_wait && output_begun, format, arguments);
    va_end(arguments);
}

/* Shows all that came before the last message. */
static void end_output(void)
{
    if (output_rest != NULL)
        output_rest(true);
    output_rest = NULL;
    fflush(stdout);
    show_waiting();
}

void die(const char *format, ...)
{
    va_list arguments;
    end_output();
    va_start(arguments, format);
    complain(false, format, arguments);
    va_end(arguments);
    _Exit(STATUS_BAD); /* stdout is flushed, and the memory is freed at exit */
}

void die_usage(const char *format, ...)
{
    va_list arguments;
    end_output();
    va_start(arguments, format);
    complain(false, format, arguments);
    va_end(arguments);
    const char *front = getenv("TLBLAB_FRONT") != NULL ? "tlblab " : "";
    fprintf(stderr, "Try '%s%s --help'.\n", front, program_name);
    _Exit(STATUS_BAD); /* stdout is flushed, and the memory is freed at exit */
}

_Noreturn static void output_failed(void)
{
    if (errno == EPIPE) { /* the reader closed the pipe: end as SIGPIPE does */
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    fprintf(stderr, "%s: cannot write the output: %s\n", program_name, strerror(errno));
    _Exit(STATUS_BAD);
}

void flush_output(void)
{
    if (output_rest != NULL)
        output_rest(false);
    if (fflush(stdout) != 0 || ferror(stdout))
        output_failed();
}

int finish(int status)
{
    progress_clear();
    if (output_rest != NULL)
        output_rest(true);
    output_rest = NULL;
    flush_output();
    show_waiting();
    if (fclose(stdout) != 0)
        output_failed();
    return status;
}

/* Linux gives memory that it does not have, and later kills the program that uses it. So it is
 * asked what is left, once for so many bytes. */
static void check_memory(size_t count, size_t size)
{
    enum { STEP = 16 << 20 }; /* [bound] */
    static _Thread_local double asked;
    double wanted = (double)count * (double)size;
    if ((asked += wanted) < STEP)
        return;
    asked = 0;
    struct platform_memory memory = platform_memory();
    if (wanted + STEP > (double)memory.available)
        die("out of memory: %.0f MiB are left (%s)", (double)memory.available / 0x1p20,
            memory.source);
}

void *allocate(size_t count, size_t size)
{
    check_memory(count, size);
    void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (memory == NULL)
        die("out of memory");
    return memory;
}

void *reallocate(void *old, size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size)
        die("out of memory");
    check_memory(count, size);
    void *memory = realloc(old, count * size > 0 ? count * size : 1);
    if (memory == NULL)
        die("out of memory");
    return memory;
}

/* An array of so many items has room for the next power of two. */
void *extend(void *array, size_t count, size_t size)
{
    bool full = (count & (count - 1)) == 0;
    return full ? reallocate(array, count > 0 ? 2 * count : 1, size) : array;
}
