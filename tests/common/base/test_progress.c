/* test_progress.c: the line of progress as a terminal shows it.
 *
 *     bin/.obj/plain/tests/common/base/test_progress
 */
#define _XOPEN_SOURCE 700 /* posix_openpt() */
#include "base/error.h"
#include "base/progress.h"
#include "platform.h"
#include "tap.h"
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A pseudo-terminal whose output goes to *reader; NULL: this system has none. */
static FILE *open_terminal(int *reader)
{
    *reader = posix_openpt(O_RDWR | O_NOCTTY);
    if (*reader < 0 || grantpt(*reader) != 0 || unlockpt(*reader) != 0)
        return NULL;
    FILE *terminal = fopen(ptsname(*reader), "w");
    return terminal != NULL && platform_is_terminal(terminal) ? terminal : NULL;
}

static bool has_terminals(void)
{
    int reader;
    FILE *terminal = open_terminal(&reader);
    if (terminal == NULL)
        return false;
    fclose(terminal);
    close(reader);
    return true;
}

/* Runs `body` with a terminal as stderr, and copies to stdout what arrives there. */
static void on_terminal(void (*body)(void))
{
    int reader;
    char drawn[256];
    FILE *terminal = open_terminal(&reader);
    dup2(fileno(terminal), STDERR_FILENO);
    fclose(terminal);
    body();
    close(STDERR_FILENO); /* reading ends after the drawn text */
    for (ssize_t got; (got = read(reader, drawn, sizeof drawn)) > 0;)
        if (write(STDOUT_FILENO, drawn, (size_t)got) != got)
            exit(1);
}

static void draw_share(void)
{
    progress_draw(3, 10, 12.4);
    progress_draw(4, 10, 11); /* sooner than a tenth of a second after it */
    progress_clear();
}

static void draw_count(void)
{
    progress_draw(480, 0, INFINITY);
    warn("a message");
}

static void share(void)
{
    on_terminal(draw_share);
}

static void count(void)
{
    on_terminal(draw_count);
}

static void shows(void (*body)(void), const char *wanted)
{
    static char output[1024];
    CU_ASSERT_EQUAL(tap_fork(body, "", output, sizeof output), 0);
    CU_ASSERT_STRING_EQUAL(output, wanted);
}

TEST_IF(has_terminals(), the_line_has_the_share_and_the_seconds_and_is_cleared)
{
    char wanted[128];
    const char *line = "tlblab: 30 %, 0 s, 12 s left";
    snprintf(wanted, sizeof wanted, "\r%s\r%*s\r", line, (int)strlen(line), "");
    shows(share, wanted);
}

TEST_IF(has_terminals(), a_message_has_a_line_of_its_own)
{
    char wanted[128];
    const char *line = "tlblab: 480 samples, 0 s";
    snprintf(wanted, sizeof wanted, "\r%s\r%*s\rtlblab: a message\r\n", line, (int)strlen(line),
             "");
    shows(count, wanted);
}
