/* platform.h: everything that differs between operating systems. Each system implements all of it:
 * in files that begin with its name (linux, darwin, none), in posix*.c, which two of them share,
 * and in root.c and sysfs*.c, which only read files. If a system lacks a feature, the function
 * returns the reason. No code outside src/platform/ asks which system it runs on. */
#ifndef TLBLAB_PLATFORM_H
#define TLBLAB_PLATFORM_H

/* Memory sizes and addresses of pages far apart are held in both size_t and uint64_t. */
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8
#error "tlblab is for 64-bit systems: buffers of pages far apart do not fit into 32-bit addresses"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The verified outcome of a request; HINT: the system accepts but cannot confirm it. */
enum platform_verdict { PLATFORM_NO, PLATFORM_YES, PLATFORM_HINT };

/* The reason for NO and HINT: one clause without a full stop; "" for YES. */
#define PLATFORM_WHY_ROOM 256
struct platform_outcome {
    enum platform_verdict verdict;
    char why[PLATFORM_WHY_ROOM];
};
struct platform_outcome platform_result(enum platform_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether this platform can measure memory; if not, `why` receives the reason. */
bool platform_can_measure(char why[PLATFORM_WHY_ROOM]);

/* Ends the program with a message and status 2: running out of memory is not a NO. */
_Noreturn void platform_out_of_memory(void);

/* ---- time ---- */

/* Nanoseconds of a monotonic clock, and seconds of processor time of this process. */
uint64_t platform_now_ns(void);
double platform_process_seconds(void);

/* ---- memory ---- */

uint64_t platform_page_bytes(void);

/* Maps zeroed private memory, not yet touched, at a multiple of `align` bytes (a power of two, or 0
 * for any), never on huge pages. Only touched pages take memory. NULL if the system refuses. */
void *platform_map(size_t bytes, size_t align, struct platform_outcome *no_huge);

/* The same on pages of page_bytes (a power of two above the base page that divides `bytes`), of
 * which `pages` will be touched: from the system's pool if that many are free, else transparent
 * huge pages of that size. NULL if neither is possible; `huge` then says what was tried and what
 * would help. platform_huge() verifies the outcome after touching. */
void *platform_map_huge(size_t bytes, size_t align, uint64_t page_bytes, uint64_t pages,
                        struct platform_outcome *huge);
void platform_unmap(void *memory, size_t bytes);

/* Free pages of that size in the system's pool, 0 if it has none. platform_memory() does not
 * include the pool. */
uint64_t platform_huge_pool(uint64_t page_bytes);

/* This system's huge page size: that of transparent ones, else of the pool; 0 if it has none. */
uint64_t platform_huge_bytes(void);

/* Touches one page of page_bytes. False if the system has no memory for it: another process may
 * have taken the pool's last page. */
bool platform_touch(void *page, uint64_t page_bytes);

/* Touches memory of platform_map() from start to end, on blocks of contiguous frames if the system
 * has any, and leaves it on base pages. NO says why the blocks are small. */
struct platform_outcome platform_touch_contiguous(void *memory, size_t bytes);

/* mlock() and MADV_WILLNEED. */
struct platform_outcome platform_lock(void *memory, size_t bytes);
struct platform_outcome platform_will_need(void *memory, size_t bytes);

/* Invalidates the TLB entries of base pages one by one. A full flush will not do: a processor may
 * keep the entries and merely tag them as stale. Does nothing where the system offers no way, or
 * for locked memory. */
void platform_invalidate(void *memory, size_t bytes);

/* Makes memory executable and read-only, or (executable false) writable; it is never both. */
struct platform_outcome platform_execute(void *memory, size_t bytes, bool executable);

/* Whether the page frames of `count` pages `distance` bytes apart are scattered: YES if most
 * neighbours are on frames that are not adjacent (pagemap), NO if most are, HINT if the frames
 * cannot be read. */
struct platform_outcome platform_scattered(const void *memory, size_t count, size_t distance);

/* Whether `count` adjacent pages are on adjacent frames in the same order: YES if 15 of 16 are,
 * else NO; HINT if the frames cannot be read. */
struct platform_outcome platform_contiguous(const void *memory, size_t count);

/* Whether `pages` pages of page_bytes back this memory of platform_map_huge(). */
struct platform_outcome platform_huge(const void *memory, size_t bytes, uint64_t page_bytes,
                                      uint64_t pages);

/* ---- nodes of memory (NUMA) ---- */

/* A node requested by number, or none. */
struct platform_node {
    bool wanted;
    unsigned number;
};

/* Whether this machine has that node, with this many bytes of free memory. NO says what is
 * there. */
struct platform_outcome platform_node_has(struct platform_node node, double bytes);

/* The node of a core; -1 if the system does not say. */
int platform_node_of(int cpu);

/* Restricts mapped, untouched memory to the node. NO if the system refuses. */
struct platform_outcome platform_bind(void *memory, size_t bytes, struct platform_node node);

/* Whether `count` pages `distance` bytes apart are on the node, as far as they have been touched:
 * YES if all are, NO if some are not, HINT if the system does not say. Of many pages it checks
 * some. */
struct platform_outcome platform_bound(const void *memory, size_t count, size_t distance,
                                       struct platform_node node);

/* Bytes of address space available to one mapping now: the minimum of the widest gap between
 * mappings, what RLIMIT_AS leaves and, if the system does not overcommit, what may still be
 * committed. */
uint64_t platform_address_space(void);

/* Bytes this process may use, in total and still available: the minimum of physical or available
 * memory, cgroup v1/v2 limits and rlimits. Unreadable limits are ignored; UINT64_MAX if there are
 * none. */
struct platform_memory {
    uint64_t total;     /* the limit */
    uint64_t available; /* not in use now */
    char source[64];    /* which limit sets `available`: "MemAvailable", "cgroup memory.max", … */
    char limit_source[64]; /* which limit sets `total` */
};
struct platform_memory platform_memory(void);

/* Bytes of swap this process may still use beyond that. NO if it has none, or if no control group
 * keeps the process from swapping out all others first. */
struct platform_outcome platform_swap(uint64_t *bytes);

/* ---- processors ---- */

/* Pins the calling thread to the idlest core it may use (observed for 20 ms; ties go to performance
 * cores). *cpu is that core, or the current one if the outcome is not YES. */
struct platform_outcome platform_pin(int *cpu);

/* Restricts the calling thread to cores of this kind, "performance" or "efficiency"; if all cores
 * are alike, they are performance cores. NO, and no change, if none would be left. */
struct platform_outcome platform_restrict(const char *kind);

/* Moves the calling thread to the next core it may use, without pinning it; *cpu is the core it
 * then runs on. NO if it may use only one. */
struct platform_outcome platform_move(int *cpu);

/* Whether another hardware thread of `cpu`'s core is busy: "yes", "no", or "unknown" with the
 * reason. Never "no" in a guest, whose siblings are hidden. */
const char *platform_sibling_busy(int cpu, char why[PLATFORM_WHY_ROOM]);

/* Disturbances of this thread so far: page faults, context switches, migrations between cores.
 * False if the system does not count them. */
struct platform_counts {
    uint64_t faults, switches, migrations;
    int cpu; /* where it runs now; -1: unknown */
};
bool platform_counts(struct platform_counts *counts);

/* Whether a hardware performance counter can be opened; NO gives errno and the setting that forbids
 * it. */
struct platform_outcome platform_perf(void);

/* ---- counters of the uncore, and physical addresses ---- */

/* An event counted outside the cores, regardless of which core causes it; the fields are those of
 * perf_event_open(2). `cpu` must be in the unit's cpumask. */
struct platform_event {
    uint32_t type;
    uint64_t config, config1, config2;
    int cpu;
};

/* Opens a counter and starts it; -1 with reason and remedy. */
int platform_counter_open(const struct platform_event *event, char why[PLATFORM_WHY_ROOM]);

/* The count so far. False if it cannot be read, or the counter did not run all the time because it
 * was shared. */
bool platform_counter_read(int counter, uint64_t *count);
void platform_counter_close(int counter);

/* The physical address of touched memory. NO, with what would help, if the system does not show
 * it. */
struct platform_outcome platform_physical(const void *memory, uint64_t *paddr);

/* Sleeps; 0 yields the core. */
void platform_sleep(double seconds);

/* ---- claims of the machine ---- */

/* All system files are read below this root: "" for the running system, or the folder of a recorded
 * machine; or they are given instead, in the order of strcmp() of their paths. */
struct platform_file {
    char *path, *bytes;
    size_t length;
    unsigned long line; /* its first one in the recording */
};
void platform_set_root(const char *directory);
void platform_set_files(const char *recording, const struct platform_file *files, size_t count);
const char *platform_root(void); /* or the name of the recording */

/* The given file with this path; NULL if there is none, or none are given. */
const struct platform_file *platform_given(const char *path);

enum { PLATFORM_FILE_MAX = 16 << 20 };

/* Recordings are untrusted input. Returns the first entry below the root that is neither a folder,
 * nor a regular file of at most PLATFORM_FILE_MAX bytes (a FIFO or device would block), nor a link
 * to one of these, or that cannot be read; NULL if there is none. */
const char *platform_odd_file(void);

/* Opens a file below the root for reading; NULL if it is missing or unreadable. */
FILE *platform_open(const char *path);

/* Whether there is such a folder below the root; of given files, whether one is in it. */
bool platform_has_folder(const char *path);

/* Reads the first line of a file such as "/sys/devices/…", without its newline; false if it cannot
 * be read or does not fit. */
bool platform_read_line(const char *path, char *text, size_t size);

/* CPUID of the processor, or from the file `cpuid.tsv` of a recorded machine (columns leaf,
 * subleaf, eax, ebx, ecx, edx, hexadecimal with 0x). False if the leaf or the instruction does not
 * exist. */
struct platform_cpuid {
    uint32_t eax, ebx, ecx, edx;
};
bool platform_cpuid(uint32_t leaf, uint32_t subleaf, struct platform_cpuid *registers);

bool platform_has_cpuid(void);

/* Calls `claim` for each fact the system states about the machine, with its unit ("" for none) and
 * source. A key may come twice. platform_sysconf() has the C library's claims about caches,
 * separate because callers use this least trusted source last. */
typedef void platform_claim(void *context, const char *key, const char *value, const char *unit,
                            const char *source);
void platform_claims(platform_claim *claim, void *context);
void platform_sysconf(platform_claim *claim, void *context);

/* "performance" or "efficiency" if the cores differ, else "uniform" or "unknown". */
const char *platform_core_kind(int cpu);

/* The name of a core of Arm's architecture by the numbers of /proc/cpuinfo, NULL for others. */
const char *platform_arm_name(const char *implementer, const char *part);

/* The system's name, release and architecture, as printed by uname. */
void platform_system(char *text, size_t size);

/* Host name. */
void platform_host(char *text, size_t size);

/* Whether a stream is a terminal. */
bool platform_is_terminal(FILE *stream);

/* The characters of a line of the terminal that the stream is; 0 if unknown. */
unsigned platform_terminal_width(FILE *stream);

/* Whether stdout writes to the regular file `file`. */
bool platform_is_stdout(const char *file);

/* Writes the message to stderr if the user ends the program (Ctrl-C) while stdout is a regular
 * file. It must stay valid. */
void platform_say_if_interrupted(const char *message);

/* Waits while another process holds the lock on a regular file it is writing (flock). */
void platform_wait_unlocked(const char *file);

/* ---- programs ---- */

/* This program's executable; false if the system does not say. */
bool platform_self(char *path, size_t size);

/* The path of a file for lists that blanks, colons or commas divide, such as LD_PRELOAD: a file
 * with one of these in its name is opened and named by its descriptor, which `inherited` leaves to
 * commands that this process becomes. Returns the descriptor, or -1. */
enum { PLATFORM_PATH_ROOM = 4096 };
int platform_undivided(const char *file, bool inherited, char path[PLATFORM_PATH_ROOM]);

/* An event of the processor's counters by its libpfm name, such as "DTLB_LOAD_MISSES:WALK_ACTIVE".
 * False if this processor has no such event. */
bool platform_event_named(const char *name, struct platform_event *event);

/* Events to count while a command runs, in all its processes. */
enum { PLATFORM_WATCHED = 4 };
struct platform_watch {
    struct platform_event event[PLATFORM_WATCHED];
    size_t count;
};

/* How a command ran. */
struct platform_usage {
    double wall_s, user_s, system_s;
    int status;                       /* as in a shell: 128 + the signal that ended it */
    double counted[PLATFORM_WATCHED]; /* NAN: not counted */
    uint64_t rss_max;         /* peak bytes of the largest process, according to the system */
    uint64_t rss, huge_bytes; /* memory of the largest process at its observed peak, and how much of
                                 it was on huge pages; for chosen objects, as reported at exit by
                                 the preloaded library; both 0: unknown */
};

/* A command gets only base pages; or huge ones wherever possible; or huge ones only where it asks,
 * unless the system hands them out regardless. */
enum platform_pages { PLATFORM_BASE, PLATFORM_HUGE, PLATFORM_ADVISED };

/* Runs a command (its stdin is /dev/null, its stdout goes to our stderr or, where `silent`,
 * nowhere) and waits for it. The library is preloaded; its environment makes it ask for huge pages
 * or, with base pages, do nothing. `ask`: finds out how much memory was on huge pages, which takes
 * time, so wall_s is then useless. Events that cannot be counted are silently left out; counts of
 * events that share a counter are scaled. False, with the reason, if the system cannot. */
bool platform_run(char *const *command, const char *library, enum platform_pages pages, bool ask,
                  bool silent, const struct platform_watch *watch, struct platform_usage *usage,
                  char why[PLATFORM_WHY_ROOM]);

/* ---- a traced program (trace/format/ring.h) ---- */

/* Maps the shared memory of an inherited file descriptor, which stays open; NULL with the reason on
 * failure. */
void *platform_map_shared(int descriptor, size_t *bytes, char why[PLATFORM_WHY_ROOM]);

/* Whether the process exists and has not ended. */
bool platform_is_running(uint32_t process);

/* Addresses of a process that are on huge pages, ascending; `hint`: some of them are. [bound] */
enum { PLATFORM_HUGE_RANGES = 4096 };
struct platform_huge_range {
    uint64_t begin, end;
    bool hint;
};
struct platform_huge_ranges {
    uint64_t page_bytes;
    size_t count;
    struct platform_huge_range at[PLATFORM_HUGE_RANGES];
};

/* The same of another process, now; false where the system does not say. */
bool platform_huge_ranges(uint32_t process, struct platform_huge_ranges *huge);

/* Calls take() for each page of a process that is in memory, by ascending address, with its frame
 * and the name of its mapping ("": none). NO, with the reason, where the system does not show
 * frames. */
typedef void platform_take_frame(void *context, const char *mapping, uint64_t address,
                                 uint64_t frame);
struct platform_outcome platform_frames(uint32_t process, platform_take_frame *take, void *context);

/* ---- several threads ---- */

/* The cores this process may use, ordered by idleness as in platform_pin(); each core listed counts
 * as busy for its hardware siblings. Writes at most `capacity` of them and returns the total
 * number. Called before a thread pins itself. Takes 20 ms. */
size_t platform_cores(int *cpus, size_t capacity);

/* Pins the calling thread to core `cpu`. */
struct platform_outcome platform_pin_to(int cpu);

/* Starts a thread that calls work(context); NULL with the reason if the system refuses. Every
 * thread must be joined. */
struct platform_thread;
struct platform_thread *platform_thread_start(void (*work)(void *context), void *context,
                                              char why[PLATFORM_WHY_ROOM]);
void platform_thread_join(struct platform_thread *thread);

/* A reusable barrier for `count` threads, initialised by {.count = N}. Waiting threads first spin,
 * so all continue within a microsecond, then yield, and after some milliseconds sleep. */
struct platform_barrier {
    size_t count;
    _Atomic size_t arrived;
    _Atomic size_t round;
};
void platform_barrier_wait(struct platform_barrier *barrier);

#endif
