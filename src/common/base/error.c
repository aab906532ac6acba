/* error.c: how every program complains and ends. */
#include "base/error.h"
#include "base/printable.h"
#include "base/progress.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *program_name = "tlblab";

/* Longer messages are truncated; there may be no memory for them. */
static void complain(const char *format, va_list arguments)
{
    char text[8192];
    fflush(stdout);
    progress_clear();
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "%s: ", program_name);
    put_printable(text, strlen(text), stderr);
    fputc('\n', stderr);
}

void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
}

void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
    _Exit(STATUS_BAD); /* stdout is flushed, and the memory ends with the process */
}

void die_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
    const char *front = getenv("TLBLAB_FRONT") != NULL ? "tlblab " : "";
    fprintf(stderr, "Try '%s%s --help'.\n", front, program_name);
    _Exit(STATUS_BAD); /* stdout is flushed, and the memory ends with the process */
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
    if (fflush(stdout) != 0 || ferror(stdout))
        output_failed();
}

int finish(int status)
{
    progress_clear();
    flush_output();
    if (fclose(stdout) != 0)
        output_failed();
    return status;
}

void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (memory == NULL)
        die("out of memory");
    return memory;
}

void *reallocate(void *old, size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size)
        die("out of memory");
    void *memory = realloc(old, count * size > 0 ? count * size : 1);
    if (memory == NULL)
        die("out of memory");
    return memory;
}
