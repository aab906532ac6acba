/* not_linux.c: refuses what only Linux has: huge pages, swap of one process, counters outside the
 * cores, physical addresses, and running programs on chosen pages.
 */
#include "platform.h"
#include "sysfs.h"

/* A refusal has no use for its parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

uint64_t platform_huge_pool(uint64_t page_bytes)
{
    return 0;
}

uint64_t platform_huge_bytes(void)
{
    return 0;
}

static struct platform_outcome no_huge_pages(void)
{
    return platform_result(PLATFORM_NO, "this platform offers programs no huge pages");
}

void *platform_map_huge(size_t bytes, size_t align, uint64_t page_bytes, uint64_t pages,
                        struct platform_outcome *huge)
{
    *huge = no_huge_pages();
    return NULL;
}

struct platform_outcome platform_huge(const void *memory, size_t bytes, uint64_t page_bytes,
                                      uint64_t pages)
{
    return no_huge_pages();
}

bool platform_huge_ranges(uint32_t process, struct platform_huge_ranges *huge)
{
    huge->count = 0;
    return false;
}

/* Elsewhere no limit can confine swapping to one process: macOS compresses and swaps everyone's
 * memory. */
struct platform_outcome platform_swap(uint64_t *bytes)
{
    *bytes = 0;
    return platform_root()[0] != '\0'
               ? sysfs_swap(bytes)
               : platform_result(PLATFORM_NO, "this platform has no control groups");
}

int platform_counter_open(const struct platform_event *event, char why[PLATFORM_WHY_ROOM])
{
    if (platform_root()[0] != '\0')
        snprintf(why, PLATFORM_WHY_ROOM, "%s is a recorded machine: it counts nothing",
                 platform_root());
    else
        snprintf(why, PLATFORM_WHY_ROOM, "this platform has no counters outside the cores");
    return -1;
}

bool platform_counter_read(int counter, uint64_t *count)
{
    return false;
}

void platform_counter_close(int counter)
{
}

struct platform_outcome platform_physical(const void *memory, uint64_t *paddr)
{
    return platform_result(PLATFORM_NO, "this platform shows no physical addresses");
}

struct platform_outcome platform_frames(uint32_t process, platform_take_frame *take, void *context)
{
    return platform_result(PLATFORM_NO, "this platform shows no page frames");
}

bool platform_self(char *path, size_t size)
{
    return false;
}

bool platform_event_named(const char *name, struct platform_event *event)
{
    return false;
}

int platform_undivided(const char *file, bool inherited, char path[PLATFORM_PATH_ROOM])
{
    snprintf(path, PLATFORM_PATH_ROOM, "%s", file);
    return -1;
}

bool platform_run(char *const *command, const char *library, enum platform_pages pages, bool ask,
                  bool silent, const struct platform_watch *watch, struct platform_usage *usage,
                  char why[PLATFORM_WHY_ROOM])
{
    *usage = (struct platform_usage){0};
    snprintf(why, PLATFORM_WHY_ROOM, "this platform cannot choose the pages of a program");
    return false;
}
