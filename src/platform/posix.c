/* posix.c: functions that are the same on Linux and macOS; the others are in linux.c and darwin.c.
 *
 *     platform_system(text, sizeof text);    -> "Linux 6.12.1 x86_64"
 */
#define _DEFAULT_SOURCE  /* MAP_ANONYMOUS with glibc … */
#define _DARWIN_C_SOURCE /* … and on macOS */
#include "posix.h"
#include "platform.h"
#include "sysfs.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

bool platform_can_measure(char why[PLATFORM_WHY_ROOM])
{
    why[0] = '\0';
    return true;
}

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

/* ---- memory ---- */

/* Reserves no memory: most of a buffer with nodes far apart is never touched. */
static void *map_anonymous(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Maps `align` extra bytes and unmaps both ends. */
static char *map_aligned(size_t bytes, size_t align)
{
    size_t page = platform_page_bytes();
    if (align <= page)
        return map_anonymous(bytes);
    size_t extra = align - page;
    char *memory = bytes > SIZE_MAX - extra ? NULL : map_anonymous(bytes + extra);
    if (memory == NULL)
        return map_anonymous(bytes); /* address space is tight: accept any alignment */
    size_t before = (align - (uintptr_t)memory % align) % align;
    if (before > 0)
        munmap(memory, before);
    if (extra > before)
        munmap(memory + before + bytes, extra - before);
    return memory + before;
}

/* The bytes in whole pages, plus an inaccessible guard page: otherwise the system would merge
 * adjacent mappings and report their page sizes together. */
static size_t with_guard(size_t bytes)
{
    size_t page = platform_page_bytes();
    return (bytes + page - 1) / page * page + page;
}

void *posix_map(size_t bytes, size_t align)
{
    size_t page = platform_page_bytes();
    if (bytes == 0 || bytes > SIZE_MAX - 2 * page)
        return NULL;
    size_t whole = with_guard(bytes);
    char *memory = map_aligned(whole, align);
    if (memory != NULL)
        mprotect(memory + whole - page, page, PROT_NONE);
    return memory;
}

void platform_unmap(void *memory, size_t bytes)
{
    munmap(memory, with_guard(bytes));
}

/* macOS allows this for programs without the hardened runtime, such as these; a program signed for
 * it needs MAP_JIT. */
struct platform_outcome platform_execute(void *memory, size_t bytes, bool executable)
{
    if (mprotect(memory, bytes, PROT_READ | (executable ? PROT_EXEC : PROT_WRITE)) != 0)
        return platform_result(PLATFORM_NO, "mprotect: %s", strerror(errno));
    return (struct platform_outcome){.verdict = PLATFORM_YES};
}

struct platform_outcome platform_lock(void *memory, size_t bytes)
{
    struct rlimit limit = {0};
    if (mlock(memory, bytes) == 0)
        return (struct platform_outcome){.verdict = PLATFORM_YES};
    int error = errno;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur < bytes)
        return platform_result(PLATFORM_NO,
                               "RLIMIT_MEMLOCK is %llu bytes; ulimit -l or limits.conf raises it",
                               (unsigned long long)limit.rlim_cur);
    return platform_result(PLATFORM_NO, "mlock: %s", strerror(error));
}

/* ---- disturbances ---- */

bool posix_counts(int who, int cpu, struct platform_counts *counts)
{
    static _Thread_local int last = -1;
    static _Thread_local uint64_t moves;
    struct rusage usage;
    if (getrusage(who, &usage) != 0)
        return false;
    moves += last >= 0 && cpu != last;
    last = cpu;
    *counts = (struct platform_counts){
        .faults = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt,
        .switches = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw,
        .migrations = moves,
        .cpu = cpu,
    };
    return true;
}

/* ---- claims of the system ---- */

void platform_system(char *text, size_t size)
{
    struct utsname u;
    if (platform_root()[0] != '\0') {
        if (!platform_read_line("/uname.txt", text, size))
            snprintf(text, size, "unknown");
    } else if (uname(&u) == 0) {
        snprintf(text, size, "%s %s %s", u.sysname, u.release, u.machine);
    } else {
        snprintf(text, size, "unknown");
    }
}

/* A recording does not include the host's name. */
void platform_host(char *text, size_t size)
{
    struct utsname u;
    if (platform_root()[0] == '\0' && uname(&u) == 0)
        snprintf(text, size, "%s", u.nodename);
    else
        snprintf(text, size, "unknown");
}

bool platform_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

unsigned platform_terminal_width(FILE *stream)
{
    struct winsize size;
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static const char *last_words;

static void say_and_end(int signal_number)
{
    ssize_t written = write(STDERR_FILENO, last_words, strlen(last_words));
    (void)written;
    raise(signal_number); /* whose default action is set again (SA_RESETHAND) */
}

void platform_say_if_interrupted(const char *message)
{
    struct stat out;
    struct sigaction now, then = {.sa_handler = say_and_end, .sa_flags = (int)SA_RESETHAND};
    last_words = message;
    if (fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode) &&
        sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        sigaction(SIGINT, &then, NULL);
}

bool platform_is_stdout(const char *file)
{
    struct stat out, in;
    return fstat(STDOUT_FILENO, &out) == 0 && stat(file, &in) == 0 && S_ISREG(in.st_mode) &&
           out.st_dev == in.st_dev && out.st_ino == in.st_ino;
}

/* glibc has these names; other C libraries do not. */
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

/* ---- files and memory of a traced program ---- */

void platform_wait_unlocked(const char *file)
{
    struct stat status;
    if (stat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    flock(descriptor, LOCK_SH);
    close(descriptor);
}

void *platform_map_shared(int descriptor, size_t *bytes, char why[PLATFORM_WHY_ROOM])
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || status.st_size <= 0) {
        snprintf(why, PLATFORM_WHY_ROOM, "descriptor %d is not shared memory", descriptor);
        return NULL;
    }
    *bytes = (size_t)status.st_size;
    void *memory = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) {
        snprintf(why, PLATFORM_WHY_ROOM, "%s", strerror(errno));
        return NULL;
    }
    return memory;
}

void platform_sleep(double seconds)
{
    struct timespec rest = {.tv_sec = (time_t)seconds};
    rest.tv_nsec = (long)((seconds - (double)rest.tv_sec) * 1e9);
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
        ;
}
