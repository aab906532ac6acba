/* platform.h: all that differs between operating systems. Each has all of it, in files that begin
 * with its name (linux, darwin, none), in those of posix, which two of them share, and in root.c
 * and sysfs*.c, which only read files; what a system lacks is an entry that says why. Nothing
 * outside src/platform/ asks which system it runs on. */
#ifndef TLBLAB_PLATFORM_H
#define TLBLAB_PLATFORM_H

/* Sizes of memory, and addresses of pages far apart, are size_t and uint64_t alike. */
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8
#error "tlblab is for 64-bit systems: buffers of pages far apart do not fit into 32-bit addresses"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An answer to a request, verified: PLATFORM_HINT where the system took it but cannot confirm. */
enum platform_verdict { PLATFORM_NO, PLATFORM_YES, PLATFORM_HINT };

/* Every request tells why it was not (or only perhaps) granted: one clause without a full stop,
 * "" where it was. */
#define PLATFORM_WHY_ROOM 256
struct platform_outcome {
    enum platform_verdict verdict;
    char why[PLATFORM_WHY_ROOM];
};

/* Whether memory can be measured on this platform; if not, `why`. */
bool platform_can_measure(char why[PLATFORM_WHY_ROOM]);

/* Ends the program with a message and status 2: no request is answered "no" because the answer
 * took memory. */
_Noreturn void platform_out_of_memory(void);

/* ---- time ---- */

/* Nanoseconds of a clock that only goes forward, and seconds of processor time of this process. */
uint64_t platform_now_ns(void);
double platform_process_seconds(void);

/* ---- memory ---- */

uint64_t platform_page_bytes(void);

/* Fresh zeroed private memory, not yet touched, at a multiple of `align` bytes (a power of two, or
 * 0 for any), never on huge pages. Only touched pages take memory: address space alone is free.
 * NULL where the system refuses. */
void *platform_map(size_t bytes, size_t align, struct platform_outcome *no_huge);

/* The same on pages of page_bytes (a power of two above the base page, which divides `bytes`), of
 * which `pages` are going to be touched: from the system's pool where that has as many free, else
 * transparent huge pages of that size. NULL, and in `huge` what was tried and what would help,
 * where there are neither. What came of it, platform_huge() tells after touching. */
void *platform_map_huge(size_t bytes, size_t align, uint64_t page_bytes, uint64_t pages,
                        struct platform_outcome *huge);
void platform_unmap(void *memory, size_t bytes);

/* Pages of that size that are free in the system's pool; 0 where it has none. Memory in the pool is
 * not part of platform_memory(). */
uint64_t platform_huge_pool(uint64_t page_bytes);

/* The huge page of this system: the transparent one, else that of the pool; 0: none. */
uint64_t platform_huge_bytes(void);

/* Touches one page of page_bytes. False where the system has no memory for it (a page that was free
 * in the pool may be gone). */
bool platform_touch(void *page, uint64_t page_bytes);

/* Touches memory of platform_map() from front to end, on blocks of neighbouring frames where the
 * system has some, and leaves it on base pages. NO tells why those blocks are small. */
struct platform_outcome platform_touch_contiguous(void *memory, size_t bytes);

/* mlock(); and MADV_WILLNEED. */
struct platform_outcome platform_lock(void *memory, size_t bytes);
struct platform_outcome platform_will_need(void *memory, size_t bytes);

/* Makes memory executable and read-only, or (executable false) writable again: never both. */
struct platform_outcome platform_execute(void *memory, size_t bytes, bool executable);

/* Whether the physical frames under `count` pages that lie `distance` bytes apart really are
 * scattered: YES when most neighbours lie on frames that are not neighbours (pagemap), HINT where
 * the frames cannot be read, NO where they are contiguous. */
struct platform_outcome platform_scattered(const void *memory, size_t count, size_t distance);

/* Whether `count` neighbouring pages lie on neighbouring frames, in the same order: YES when 15 of
 * 16 do, HINT and NO likewise. */
struct platform_outcome platform_contiguous(const void *memory, size_t count);

/* Whether `pages` pages of page_bytes back this memory of platform_map_huge(). */
struct platform_outcome platform_huge(const void *memory, size_t bytes, uint64_t page_bytes,
                                      uint64_t pages);

/* Bytes of address space that one mapping may have now: the widest gap that this process has, its
 * RLIMIT_AS and, where the system does not overcommit, what may still be committed. */
uint64_t platform_address_space(void);

/* Bytes that this process may use: the least of physical memory, what is available, cgroup v1/v2
 * limits and rlimits, as total and as still available. What cannot be read is no limit: UINT64_MAX
 * where nothing can. */
struct platform_memory {
    uint64_t total;     /* the limit */
    uint64_t available; /* of it, not in use now */
    char source[64]; /* which of them leaves the least: "MemAvailable", "cgroup memory.max", … */
    char limit_source[64]; /* and which one sets `total` */
};
struct platform_memory platform_memory(void);

/* Bytes of swap that this process may still take beyond that. NO where it has none, or where no
 * control group keeps it from pushing everybody else out first. */
struct platform_outcome platform_swap(uint64_t *bytes);

/* ---- processors ---- */

/* Pins the calling thread to the idlest core that it may use (watched for 20 ms; among equals a
 * performance core); *cpu is that core, or the present one when the answer is not YES. */
struct platform_outcome platform_pin(int *cpu);

/* Takes from the calling thread the cores that are not of this kind, "performance" or "efficiency";
 * where all are alike they are performance cores. NO where none is left: then nothing is taken. */
struct platform_outcome platform_restrict(const char *kind);

/* Moves the calling thread to the next core that it may use, without pinning it there; *cpu is the
 * core that it runs on then. NO where there is but one. */
struct platform_outcome platform_move(int *cpu);

/* Is a hardware thread that shares the core `cpu` busy? "yes", "no", or "unknown" with the reason
 * (a guest hides its siblings, so there it is never "no"). */
const char *platform_sibling_busy(int cpu, char why[PLATFORM_WHY_ROOM]);

/* What disturbed this thread so far: page faults, context switches, moves to another core. False
 * when the system does not count them. */
struct platform_counts {
    uint64_t faults, switches, migrations;
};
bool platform_counts(struct platform_counts *counts);

/* Whether a hardware performance counter can be opened here; NO tells why (errno and the setting
 * that forbids it). */
struct platform_outcome platform_perf(void);

/* ---- what the machine says of itself ---- */

/* Every path of the system is read through these, below the given root ("" for the running system):
 * a recorded machine can stand in for the real one. */
void platform_set_root(const char *directory);
const char *platform_root(void);

/* NULL for a file that is not there or cannot be read. */
FILE *platform_open(const char *path);

/* The first line (or all of it) of a file such as "/sys/devices/…", without the last newline; false
 * when it cannot be read or is longer than `room`. */
bool platform_read_line(const char *path, char *text, size_t room);

/* CPUID, from the processor, or from the file `cpuid.tsv` of a recorded machine (columns leaf,
 * subleaf, eax, ebx, ecx, edx, hexadecimal with 0x). False where there is no such leaf or
 * instruction. */
struct platform_cpuid {
    uint32_t eax, ebx, ecx, edx;
};
bool platform_cpuid(uint32_t leaf, uint32_t subleaf, struct platform_cpuid *registers);

bool platform_has_cpuid(void);

/* What the system claims of the machine: calls `claim` for each thing it tells, with the unit (""
 * for none) and the source. The same key may come twice. platform_sysconf() is the C library's word
 * on caches: the least trustworthy, so it is a function of its own, to be asked last. */
typedef void platform_claim(void *context, const char *key, const char *value, const char *unit,
                            const char *source);
void platform_claims(platform_claim *claim, void *context);
void platform_sysconf(platform_claim *claim, void *context);

/* "performance" or "efficiency", where the cores of the machine differ; else "uniform" or
 * "unknown". */
const char *platform_core_kind(int cpu);

/* The system's name, release and architecture, as uname prints them. */
void platform_system(char *text, size_t room);

/* Host name. */
void platform_host(char *text, size_t room);

/* Whether this stream of the process is a terminal; whether `file` is the regular file that stdout
 * goes to. */
bool platform_is_terminal(FILE *stream);
bool platform_is_stdout(const char *file);

/* ---- several threads ---- */

/* The cores that this process may use, the one to be taken first in front: the idlest, as for
 * platform_pin(), where one that stands further in front counts as busy for the hardware threads
 * beside it. Writes `room` of them at most and returns how many there are; to be asked before a
 * thread pins itself. Takes 20 ms. */
size_t platform_cores(int *cpus, size_t room);

/* Pins the calling thread to core `cpu`. */
struct platform_outcome platform_pin_to(int cpu);

/* Starts a thread that calls work(context); NULL, and the reason, where the system refuses. Every
 * thread must be joined. */
struct platform_thread;
struct platform_thread *platform_thread_start(void (*work)(void *context), void *context,
                                              char why[PLATFORM_WHY_ROOM]);
void platform_thread_join(struct platform_thread *thread);

/* A place where `count` threads wait for each other, as often as they like; {.count = N} to start
 * with. The first to come spin, so that all go on within a microsecond, then yield, and after some
 * milliseconds sleep. */
struct platform_barrier {
    size_t count;
    _Atomic size_t arrived;
    _Atomic size_t round;
};
void platform_barrier_wait(struct platform_barrier *barrier);

#endif
