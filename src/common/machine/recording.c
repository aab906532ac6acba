/* recording.c: a recorded machine in place of this one. */
#include "machine/recording.h"
#include "base/error.h"
#include "platform.h"
#include <unistd.h>

void recording_open(const char *folder)
{
    char line[256];
    platform_set_root(folder);
    const char *odd = platform_odd_file();
    if (odd != NULL && access(folder, F_OK) == 0)
        die("%s: a recording has only readable folders and plain files of at most 16 MiB", odd);
    if (!platform_read_line("/uname.txt", line, sizeof line))
        die("%s: no recorded machine there; tlbrecord makes one", folder);
}
