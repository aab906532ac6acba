/* progress.c: a progress bar on standard error.
 *
 *     progress_draw(3, 10, 12.5);    -> [#########                     ]  30 %, 12 s left
 */
#include "base/progress.h"
#include "base/args.h"
#include "platform.h"
#include <stdint.h>
#include <stdio.h>

void progress_draw(size_t done, size_t count, double left_s)
{
    enum { WIDTH = 30 };
    static uint64_t drawn_ns;
    uint64_t now = platform_now_ns();
    if (args_quiet || !platform_is_terminal(stderr) || platform_is_terminal(stdout))
        return;
    if (done < count && now - drawn_ns < 100000000)
        return;
    drawn_ns = now;
    int filled = (int)(done * WIDTH / count);
    if (done < count)
        fprintf(stderr, "\r[%.*s%*s] %3zu %%, %.0f s left ", filled,
                "##############################", WIDTH - filled, "", done * 100 / count, left_s);
    else
        fprintf(stderr, "\r%*s\r", WIDTH + 24, "");
}
