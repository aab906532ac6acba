/* posix.c: what every POSIX system does alike; linux.c and darwin.c are the rest.
 *
 *     platform_system(text, sizeof text);    -> "Linux 6.12.1 x86_64"
 */
#include "platform.h"
#include "sysfs.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

double platform_process_seconds(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0)
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

uint64_t platform_page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

void platform_unmap(void *memory, size_t bytes)
{
    munmap(memory, bytes);
}

void platform_system(char *text, size_t room)
{
    struct utsname u;
    if (platform_root()[0] != '\0') {
        if (!platform_read_line("/uname.txt", text, room))
            snprintf(text, room, "unknown");
    } else if (uname(&u) == 0) {
        snprintf(text, room, "%s %s %s", u.sysname, u.release, u.machine);
    } else {
        snprintf(text, room, "unknown");
    }
}

/* A recorded machine keeps its name to itself. */
void platform_host(char *text, size_t room)
{
    struct utsname u;
    if (platform_root()[0] == '\0' && uname(&u) == 0)
        snprintf(text, room, "%s", u.nodename);
    else
        snprintf(text, room, "unknown");
}

bool platform_stderr_is_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

/* glibc knows the names; other C libraries do not. */
static long ask_sysconf(const char *name)
{
#ifdef _SC_LEVEL1_DCACHE_SIZE
    static const struct {
        const char *name;
        int code;
    } codes[] = {
        {"LEVEL1_DCACHE_SIZE", _SC_LEVEL1_DCACHE_SIZE},
        {"LEVEL1_DCACHE_ASSOC", _SC_LEVEL1_DCACHE_ASSOC},
        {"LEVEL1_DCACHE_LINESIZE", _SC_LEVEL1_DCACHE_LINESIZE},
        {"LEVEL1_ICACHE_SIZE", _SC_LEVEL1_ICACHE_SIZE},
        {"LEVEL1_ICACHE_ASSOC", _SC_LEVEL1_ICACHE_ASSOC},
        {"LEVEL2_CACHE_SIZE", _SC_LEVEL2_CACHE_SIZE},
        {"LEVEL2_CACHE_ASSOC", _SC_LEVEL2_CACHE_ASSOC},
        {"LEVEL3_CACHE_SIZE", _SC_LEVEL3_CACHE_SIZE},
        {"LEVEL3_CACHE_ASSOC", _SC_LEVEL3_CACHE_ASSOC},
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(name, codes[i].name) == 0)
            return sysconf(codes[i].code);
#endif
    (void)name;
    return 0;
}

void platform_sysconf(platform_claim *claim, void *context)
{
    sysfs_sysconf(platform_root()[0] == '\0' ? ask_sysconf : NULL, claim, context);
}
