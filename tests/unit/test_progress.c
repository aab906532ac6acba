/* test_progress.c: the progress bar as a terminal shows it.
 *
 *     bin/.obj/plain/unit/test_progress
 */
#define _XOPEN_SOURCE 700 /* posix_openpt() */
#include "base/progress.h"
#include "tap.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Draws twice with a terminal as stderr, and copies to stdout what arrives there. */
static void draw(void)
{
    char drawn[256];
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
        exit(77);
    int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    dup2(other, STDERR_FILENO);
    progress_draw(3, 10, 12.4);
    progress_draw(10, 10, 0);
    ssize_t got = read(terminal, drawn, sizeof drawn);
    exit(got > 0 && write(STDOUT_FILENO, drawn, (size_t)got) == got ? 0 : 1);
}

static void the_bar_is_thirty_wide_and_cleared_at_the_end(void)
{
    static char output[512];
    char wanted[128];
    snprintf(wanted, sizeof wanted, "\r[#########%21s]  30 %%, 12 s left \r%54s\r", "", "");
    CU_ASSERT_EQUAL(tap_fork(draw, "", output, sizeof output), 0);
    CU_ASSERT_STRING_EQUAL(output, wanted);
}

int main(void)
{
    TAP_SUITE("progress", {"the bar is thirty wide, and cleared at the end",
                           the_bar_is_thirty_wide_and_cleared_at_the_end});
    return tap_run();
}
