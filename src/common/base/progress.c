/* progress.c: one line on standard error for the whole run.
 *
 *     progress_draw(3, 10, 12.5);    -> bandwidth: 30 %, 5 s, 13 s left
 */
#include "base/progress.h"
#include "base/args.h"
#include "base/error.h"
#include "base/printable.h"
#include "platform.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 78 }; /* a longer line would not be cleared by a carriage return */

static uint64_t began_ns, drawn_ns;
static int drawn; /* characters on the line now */

/* The run that this program is a part of: when it began, the seconds that it may take (0: any
 * number), and its stage. */
struct whole {
    long long began;
    double budget_s;
    const char *stage; /* NULL: the program is the whole run */
};

static struct whole whole_run(void)
{
    const char *text = getenv("TLBLAB_RUN");
    struct whole whole = {0};
    int used = 0;
    if (text != NULL && sscanf(text, "%lld %lf %n", &whole.began, &whole.budget_s, &used) == 2 &&
        used > 0)
        whole.stage = text + used;
    return whole;
}

static void write_line(char text[WIDTH + 1])
{
    int length = (int)strlen(text);
    fputc('\r', stderr);
    put_printable(text, (size_t)length, stderr);
    if (length < drawn)
        fprintf(stderr, "%*s", drawn - length, "");
    fflush(stderr);
    drawn = length;
}

void progress_draw(size_t done, size_t count, double left_s)
{
    uint64_t now = platform_now_ns();
    char text[WIDTH + 1];
    int used;
    if (args_quiet || !platform_is_terminal(stderr) || platform_is_terminal(stdout) ||
        (drawn_ns > 0 && now - drawn_ns < 100000000))
        return;
    began_ns = began_ns > 0 ? began_ns : now;
    drawn_ns = now;
    struct whole whole = whole_run();
    double passed_s = (double)(now - began_ns) / 1e9;
    if (whole.stage != NULL) {
        passed_s = (double)(time(NULL) - (time_t)whole.began);
        left_s = whole.budget_s > 0 ? fmax(whole.budget_s - passed_s, 0) : NAN;
    }
    used = snprintf(text, sizeof text, count > 0 ? "%.40s: %zu %%" : "%.40s: %zu samples",
                    whole.stage != NULL ? whole.stage : program_name,
                    count > 0 ? (size_t)(100.0 * (double)done / (double)count) : done);
    used += snprintf(text + used, sizeof text - (size_t)used, ", %.0f s", passed_s);
    if (isfinite(left_s) && (size_t)used < sizeof text)
        snprintf(text + used, sizeof text - (size_t)used, ", %.0f s left", left_s);
    write_line(text);
}

void progress_clear(void)
{
    if (drawn > 0)
        fprintf(stderr, "\r%*s\r", drawn, "");
    drawn = 0;
}
