/* none.c: the platform of an unknown system: programs process tables, simulate and replay recorded
 * machines, but cannot measure. Strict C11; every request is refused with the reason. `make
 * PLATFORM=none` shows that no other code depends on linux.c or posix.c.
 *
 *     bin/.obj/plain-none/bin/machine --sysroot tests/machines/amd-ryzen-5-7600x/system.txt
 */
#include "platform.h"
#include "sysfs.h"
#include <string.h>
#include <time.h>

/* A refusal has no use for its parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

static const char reason[] = "no platform support was built in";

static struct platform_outcome no(void)
{
    return platform_result(PLATFORM_NO, "%s", reason);
}

bool platform_can_measure(char why[PLATFORM_WHY_ROOM])
{
    snprintf(why, PLATFORM_WHY_ROOM, "%s", reason);
    return false;
}

/* C11 has only the time of day, which is enough for a seed. */
uint64_t platform_now_ns(void)
{
    struct timespec t;
    if (timespec_get(&t, TIME_UTC) == 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

double platform_process_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* C11 cannot ask the system; 4 KiB is the most common size. */
uint64_t platform_page_bytes(void)
{
    return 4096;
}

void *platform_map(size_t bytes, size_t align, struct platform_outcome *no_huge)
{
    if (no_huge != NULL)
        *no_huge = no();
    return NULL;
}

bool platform_touch(void *page, uint64_t page_bytes)
{
    return false;
}

struct platform_outcome platform_touch_contiguous(void *memory, size_t bytes)
{
    return no();
}

void platform_unmap(void *memory, size_t bytes)
{
}

struct platform_outcome platform_lock(void *memory, size_t bytes)
{
    return no();
}

void platform_invalidate(void *memory, size_t bytes)
{
}

struct platform_outcome platform_will_need(void *memory, size_t bytes)
{
    return no();
}

struct platform_outcome platform_execute(void *memory, size_t bytes, bool executable)
{
    return no();
}

struct platform_outcome platform_scattered(const void *memory, size_t count, size_t distance)
{
    return no();
}

struct platform_outcome platform_contiguous(const void *memory, size_t count)
{
    return no();
}

uint64_t platform_address_space(void)
{
    return 0;
}

/* Unknown limits count as unlimited. */
struct platform_memory platform_memory(void)
{
    struct platform_memory memory = {.total = UINT64_MAX, .available = UINT64_MAX};
    if (platform_root()[0] != '\0')
        return sysfs_memory();
    snprintf(memory.source, sizeof memory.source, "%s", reason);
    snprintf(memory.limit_source, sizeof memory.limit_source, "%s", reason);
    return memory;
}

struct platform_outcome platform_pin(int *cpu)
{
    *cpu = -1;
    return no();
}

struct platform_outcome platform_restrict(const char *kind)
{
    return no();
}

struct platform_outcome platform_move(int *cpu)
{
    *cpu = -1;
    return no();
}

const char *platform_sibling_busy(int cpu, char why[PLATFORM_WHY_ROOM])
{
    snprintf(why, PLATFORM_WHY_ROOM, "%s", reason);
    return "unknown";
}

bool platform_counts(struct platform_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    return false;
}

struct platform_outcome platform_perf(void)
{
    return no();
}

const char *platform_core_kind(int cpu)
{
    return "unknown";
}

void platform_claims(platform_claim *claim, void *context)
{
    if (platform_root()[0] != '\0')
        sysfs_claims(claim, context);
    else
        claim(context, "page_bytes", "unknown", "bytes", reason);
}

void platform_sysconf(platform_claim *claim, void *context)
{
    if (platform_root()[0] != '\0')
        sysfs_sysconf(NULL, claim, context);
}

void platform_system(char *text, size_t size)
{
    if (platform_root()[0] == '\0' || !platform_read_line("/uname.txt", text, size))
        snprintf(text, size, "unknown");
}

void platform_host(char *text, size_t size)
{
    snprintf(text, size, "unknown");
}

bool platform_is_terminal(FILE *stream)
{
    return false;
}

unsigned platform_terminal_width(FILE *stream)
{
    return 0;
}

void platform_say_if_interrupted(const char *message)
{
}

bool platform_is_stdout(const char *file)
{
    return false;
}

/* ---- a traced program ---- */

void platform_wait_unlocked(const char *file)
{
}

void *platform_map_shared(int descriptor, size_t *bytes, char why[PLATFORM_WHY_ROOM])
{
    *bytes = 0;
    snprintf(why, PLATFORM_WHY_ROOM, "this platform traces no programs");
    return NULL;
}

bool platform_is_running(uint32_t process)
{
    return false;
}

void platform_sleep(double seconds)
{
}

/* ---- threads: none ---- */

size_t platform_cores(int *cpus, size_t capacity)
{
    return 0;
}

struct platform_outcome platform_pin_to(int cpu)
{
    return no();
}

struct platform_thread *platform_thread_start(void (*work)(void *context), void *context,
                                              char why[PLATFORM_WHY_ROOM])
{
    snprintf(why, PLATFORM_WHY_ROOM, "%s", reason);
    return NULL;
}

void platform_thread_join(struct platform_thread *thread)
{
}

/* There are no other threads to wait for. */
void platform_barrier_wait(struct platform_barrier *barrier)
{
}
