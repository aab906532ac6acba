/* platform.h: all that differs between operating systems. Each system implements all of it: in
 * files that begin with its name (linux, darwin, none), in posix*.c, which two of them share, and
 * in root.c and sysfs*.c, which only read files. What a system lacks is an entry that returns the
 * reason. No code outside src/platform/ asks which system it runs on. */
#ifndef TLBLAB_PLATFORM_H
#define TLBLAB_PLATFORM_H

/* Memory sizes and addresses of pages far apart are kept in size_t and in uint64_t. */
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

/* Ends the program with a message and status 2: lack of memory is no reason for a NO. */
_Noreturn void platform_out_of_memory(void);

/* ---- time ---- */

/* Nanoseconds of a monotonic clock, and seconds of processor time of this process. */
uint64_t platform_now_ns(void);
double platform_process_seconds(void);

/* ---- memory ---- */

uint64_t platform_page_bytes(void);

/* Maps zeroed private memory, not yet touched, at a multiple of `align` bytes (a power of two, or 0
 * for any), never on huge pages. Only touched pages take memory. NULL where the system refuses. */
void *platform_map(size_t bytes, size_t align, struct platform_outcome *no_huge);

/* The same on pages of page_bytes (a power of two above the base page, which divides `bytes`), of
 * which `pages` will be touched: from the system's pool where that many are free, else transparent
 * huge pages of that size. NULL where neither is possible; `huge` then says what was tried and what
 * would help. platform_huge() verifies the outcome after touching. */
void *platform_map_huge(size_t bytes, size_t align, uint64_t page_bytes, uint64_t pages,
                        struct platform_outcome *huge);
void platform_unmap(void *memory, size_t bytes);

/* Free pages of that size in the system's pool; 0 where it has none. platform_memory() does not
 * include the pool. */
uint64_t platform_huge_pool(uint64_t page_bytes);

/* The huge page size of this system: of transparent ones, else of the pool; 0 where it has none. */
uint64_t platform_huge_bytes(void);

/* Touches one page of page_bytes. False where the system has no memory for it: another process may
 * have taken the pool's last page. */
bool platform_touch(void *page, uint64_t page_bytes);

/* Touches memory of platform_map() from front to end, on blocks of neighbouring frames where the
 * system has some, and leaves it on base pages. NO gives the reason why the blocks are small. */
struct platform_outcome platform_touch_contiguous(void *memory, size_t bytes);

/* mlock() and MADV_WILLNEED. */
struct platform_outcome platform_lock(void *memory, size_t bytes);
struct platform_outcome platform_will_need(void *memory, size_t bytes);

/* Makes memory executable and read-only, or (executable false) writable; it is never both. */
struct platform_outcome platform_execute(void *memory, size_t bytes, bool executable);

/* Whether the page frames of `count` pages `distance` bytes apart are scattered: YES where most
 * neighbours lie on frames that are not neighbours (pagemap), NO where most do, HINT where the
 * frames cannot be read. */
struct platform_outcome platform_scattered(const void *memory, size_t count, size_t distance);

/* Whether `count` neighbouring pages lie on neighbouring frames in the same order: YES where 15 of
 * 16 do, else NO; HINT where the frames cannot be read. */
struct platform_outcome platform_contiguous(const void *memory, size_t count);

/* Whether `pages` pages of page_bytes back this memory of platform_map_huge(). */
struct platform_outcome platform_huge(const void *memory, size_t bytes, uint64_t page_bytes,
                                      uint64_t pages);

/* ---- nodes of memory (NUMA) ---- */

/* A node that was asked for by its number, or none. */
struct platform_node {
    bool wanted;
    unsigned number;
};

/* Whether this machine has that node, with so many bytes of free memory. NO names what there is. */
struct platform_outcome platform_node_has(struct platform_node node, double bytes);

/* The node of a core; -1 where the system does not say. */
int platform_node_of(int cpu);

/* Restricts mapped memory that was not touched yet to the node. NO where the system refuses. */
struct platform_outcome platform_bind(void *memory, size_t bytes, struct platform_node node);

/* Whether `count` pages `distance` bytes apart lie on the node, as far as they were touched: YES
 * where all do, NO where some do not, HINT where the system does not say. Of many pages it asks for
 * some. */
struct platform_outcome platform_bound(const void *memory, size_t count, size_t distance,
                                       struct platform_node node);

/* Bytes of address space that one mapping may have now: the least of the widest gap between
 * mappings, what RLIMIT_AS leaves and, where the system does not overcommit, what may still be
 * committed. */
uint64_t platform_address_space(void);

/* Bytes that this process may use, in total and still available: the least of physical or available
 * memory, cgroup v1/v2 limits and rlimits. An unreadable limit is none: UINT64_MAX without any. */
struct platform_memory {
    uint64_t total;     /* the limit */
    uint64_t available; /* not in use now */
    char source[64];    /* which limit sets `available`: "MemAvailable", "cgroup memory.max", … */
    char limit_source[64]; /* which limit sets `total` */
};
struct platform_memory platform_memory(void);

/* Bytes of swap that this process may still use beyond that. NO where it has none, or where no
 * control group stops the process from swapping out all others first. */
struct platform_outcome platform_swap(uint64_t *bytes);

/* ---- processors ---- */

/* Pins the calling thread to the idlest core that it may use (watched for 20 ms; among equals a
 * performance core). *cpu is that core, or the present one where the outcome is not YES. */
struct platform_outcome platform_pin(int *cpu);

/* Restricts the calling thread to cores of this kind, "performance" or "efficiency"; where all
 * cores are alike, they are performance cores. NO, and no change, where none would be left. */
struct platform_outcome platform_restrict(const char *kind);

/* Moves the calling thread to the next core that it may use, without pinning it; *cpu is the core
 * that it then runs on. NO where it may use only one. */
struct platform_outcome platform_move(int *cpu);

/* Whether another hardware thread of the core of `cpu` is busy: "yes", "no", or "unknown" with the
 * reason. Never "no" in a guest, whose siblings are hidden. */
const char *platform_sibling_busy(int cpu, char why[PLATFORM_WHY_ROOM]);

/* Disturbances of this thread so far: page faults, context switches, migrations between cores.
 * False where the system does not count them. */
struct platform_counts {
    uint64_t faults, switches, migrations;
};
bool platform_counts(struct platform_counts *counts);

/* Whether a hardware performance counter can be opened; NO gives errno and the setting that forbids
 * it. */
struct platform_outcome platform_perf(void);

/* ---- counters of the uncore, and physical addresses ---- */

/* An event that a counter outside the cores counts, whoever causes it; the fields are those of
 * perf_event_open(2). `cpu` is one that the unit's cpumask names. */
struct platform_event {
    uint32_t type;
    uint64_t config, config1, config2;
    int cpu;
};

/* Opens a counter that counts from now on; -1 with the reason and the remedy. */
int platform_counter_open(const struct platform_event *event, char why[PLATFORM_WHY_ROOM]);

/* The count so far. False where it cannot be read, or where the counter did not count all the time
 * because others shared it. */
bool platform_counter_read(int counter, uint64_t *count);
void platform_counter_close(int counter);

/* The physical address of memory that has been touched. NO where the system does not show it, with
 * what would help. */
struct platform_outcome platform_physical(const void *memory, uint64_t *paddr);

void platform_sleep(double seconds);

/* ---- claims of the machine ---- */

/* All files of the system are read below this root: "" for the running system, or the folder of a
 * recorded machine. */
void platform_set_root(const char *directory);
const char *platform_root(void);

/* A recording may come from anybody. The first thing below the root that is no folder and no plain
 * file of at most 16 MiB (a FIFO or a device would block, a link may lead elsewhere), or what
 * cannot be read; NULL: there is none. */
const char *platform_odd_file(void);

/* Opens a file below the root for reading; NULL where it is missing or cannot be read. */
FILE *platform_open(const char *path);

/* Reads the first line of a file such as "/sys/devices/…", without its newline; false where it
 * cannot be read or does not fit into `room`. */
bool platform_read_line(const char *path, char *text, size_t room);

/* CPUID of the processor, or from the file `cpuid.tsv` of a recorded machine (columns leaf,
 * subleaf, eax, ebx, ecx, edx, hexadecimal with 0x). False where the leaf or the instruction does
 * not exist. */
struct platform_cpuid {
    uint32_t eax, ebx, ecx, edx;
};
bool platform_cpuid(uint32_t leaf, uint32_t subleaf, struct platform_cpuid *registers);

bool platform_has_cpuid(void);

/* Calls `claim` for each fact that the system states about the machine, with its unit ("" for none)
 * and source. A key may come twice. platform_sysconf() has the C library's claims on caches, a
 * function of its own because callers use this least trusted source last. */
typedef void platform_claim(void *context, const char *key, const char *value, const char *unit,
                            const char *source);
void platform_claims(platform_claim *claim, void *context);
void platform_sysconf(platform_claim *claim, void *context);

/* "performance" or "efficiency" where the cores differ, else "uniform" or "unknown". */
const char *platform_core_kind(int cpu);

/* The system's name, release and architecture, as uname prints them. */
void platform_system(char *text, size_t room);

/* Host name. */
void platform_host(char *text, size_t room);

/* Whether a stream is a terminal; whether stdout writes to the regular file `file`. */
bool platform_is_terminal(FILE *stream);
bool platform_is_stdout(const char *file);

/* Waits while another process holds the lock of a regular file that it writes (flock). */
void platform_wait_unlocked(const char *file);

/* ---- programs ---- */

/* The file of this program; false where the system does not say. */
bool platform_self(char *path, size_t room);

/* An event of the processor's counters by its name in libpfm, such as
 * "DTLB_LOAD_MISSES:WALK_ACTIVE". False where this processor has none of that name. */
bool platform_event_named(const char *name, struct platform_event *event);

/* Events that are counted while a command runs, in all its processes. */
enum { PLATFORM_WATCHED = 4 };
struct platform_watch {
    struct platform_event event[PLATFORM_WATCHED];
    size_t count;
};

/* How a command ran. */
struct platform_usage {
    double wall_s, user_s, system_s;
    int status;                       /* as a shell has it: 128 + the signal that ended it */
    double counted[PLATFORM_WATCHED]; /* NAN: not */
    uint64_t rss_most;        /* bytes of the largest process at any time, as the system says */
    uint64_t rss, huge_bytes; /* memory of the largest process at its largest moment that was seen,
                                 and of it on huge pages; of chosen objects, as the library that was
                                 put before the command says at its end; both 0: not known */
};

/* A command has base pages alone; or huge ones wherever it can; or these only where it asks for
 * them, and where the system gives them unasked and cannot be told otherwise. */
enum platform_pages { PLATFORM_BASE, PLATFORM_HUGE, PLATFORM_ADVISED };

/* Runs a command (its stdin is /dev/null, its stdout goes to our stderr or, where `silent`,
 * nowhere) and waits for it. The library is put before all others, told by its environment to ask
 * for huge pages, or with base pages to do nothing. `ask`: finds out how much memory was on huge
 * pages, which takes time: wall_s is then of no use. What cannot be counted is left out without a
 * word; counts of events that share a counter are scaled. False with the reason where the system
 * cannot. */
bool platform_run(char *const *command, const char *library, enum platform_pages pages, bool ask,
                  bool silent, const struct platform_watch *watch, struct platform_usage *usage,
                  char why[PLATFORM_WHY_ROOM]);

/* ---- a traced program (trace/ring.h) ---- */

/* Maps the shared memory of an inherited file descriptor; NULL with the reason where that fails. */
void *platform_map_shared(int descriptor, size_t *bytes, char why[PLATFORM_WHY_ROOM]);

/* Whether the process is there and has not ended. */
bool platform_is_running(uint32_t process);

/* Lets others run for some microseconds. */
void platform_nap(unsigned microseconds);

/* ---- several threads ---- */

/* The cores that this process may use, ordered by idleness as in platform_pin(); each core counts
 * as busy for the hardware threads beside it that follow. Writes at most `room` of them and returns
 * the number of all. Called before a thread pins itself. Takes 20 ms. */
size_t platform_cores(int *cpus, size_t room);

/* Pins the calling thread to core `cpu`. */
struct platform_outcome platform_pin_to(int cpu);

/* Starts a thread that calls work(context); NULL with the reason where the system refuses. Every
 * thread must be joined. */
struct platform_thread;
struct platform_thread *platform_thread_start(void (*work)(void *context), void *context,
                                              char why[PLATFORM_WHY_ROOM]);
void platform_thread_join(struct platform_thread *thread);

/* A reusable barrier for `count` threads, initialised by {.count = N}. Waiting threads spin, so
 * that all continue within a microsecond, later yield, and after some milliseconds sleep. */
struct platform_barrier {
    size_t count;
    _Atomic size_t arrived;
    _Atomic size_t round;
};
void platform_barrier_wait(struct platform_barrier *barrier);

#endif
