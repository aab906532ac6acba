/* test_progress.c: the progress bar as a terminal shows it.
 *
 *     bin/.obj/plain/unit/test_progress
 */
#define _XOPEN_SOURCE 700 /* posix_openpt() */
#include "base/progress.h"
#include "platform.h"
#include "tap.h"
#include <fcntl.h>
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

/* Draws twice with a terminal as stderr, and copies to stdout what arrives there. */
static void draw(void)
{
    int reader;
    char drawn[256];
    FILE *terminal = open_terminal(&reader);
    dup2(fileno(terminal), STDERR_FILENO);
    fclose(terminal);
    progress_draw(3, 10, 12.4);
    progress_draw(10, 10, 0);
    close(STDERR_FILENO); /* reading ends after the drawn text */
    for (ssize_t got; (got = read(reader, drawn, sizeof drawn)) > 0;)
        if (write(STDOUT_FILENO, drawn, (size_t)got) != got)
            exit(1);
}

static void the_bar_is_thirty_wide_and_cleared_at_the_end(void)
{
    static char output[1024];
    char wanted[128];
    snprintf(wanted, sizeof wanted, "\r[#########%21s]  30 %%, 12 s left \r%54s\r", "", "");
    CU_ASSERT_EQUAL(tap_fork(draw, "", output, sizeof output), 0);
    CU_ASSERT_STRING_EQUAL(output, wanted);
}

int main(void)
{
    int reader;
    FILE *terminal = open_terminal(&reader);
    if (terminal == NULL)
        return tap_skip_all("there are no terminals here");
    fclose(terminal);
    close(reader);
    TAP_SUITE("progress", {"the bar is thirty wide, and cleared at the end",
                           the_bar_is_thirty_wide_and_cleared_at_the_end});
    return tap_run();
}
