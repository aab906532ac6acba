/* seal: makes a broken binary trace on stdin readable, so that a reader goes on to what is broken
 * in it.
 *
 * usage: seal <TRACE
 */
#include "sealing.h"
#include <stdlib.h>

enum { ROOM = 1 << 20 };
static uint8_t trace[ROOM];

int main(void)
{
    seal(trace, fread(trace, 1, sizeof trace, stdin), stdout);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
