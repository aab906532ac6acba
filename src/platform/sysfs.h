/* sysfs.h: facts from Linux's /sys and /proc, live or recorded. Only reads files, so every platform
 * can replay a recorded machine. Private to src/platform/. */
#ifndef TLBLAB_SYSFS_H
#define TLBLAB_SYSFS_H

#include "platform.h"
#include "sink.h"

struct platform_memory sysfs_memory(void);

/* Adds a limit with `used` of `total` bytes in use: the minimum total and the minimum remainder
 * apply. */
void sysfs_limit(struct platform_memory *memory, uint64_t total, uint64_t used, const char *source);
struct platform_outcome sysfs_swap(uint64_t *bytes);

/* The claims of platform_claims() and platform_sysconf(). `ask` returns the C library's value, or 0
 * if unknown; NULL reads the recorded machine's getconf.txt. */
void sysfs_claims(platform_claim *claim, void *context);
void sysfs_sysconf(long (*ask)(const char *name), platform_claim *claim, void *context);

/* Reads the text after `key` and blanks or a colon, from the first line that starts with it. */
bool sysfs_read_keyed(const char *path, const char *key, char *text, size_t size);

/* ---- sets of numbers, as of cores ---- */

/* No system has more processors. The words are those of Linux's masks of processors. */
enum { SYSFS_SET_MAX = 1 << 16, SYSFS_SET_WORD = 8 * sizeof(long) };
struct sysfs_set {
    unsigned long bits[SYSFS_SET_MAX / SYSFS_SET_WORD];
};

/* Read a list such as "0-3,8", of any length: a file, or the rest of the line "KEY:" of a file.
 * False, and an empty set, if there is none, or it is empty. */
bool sysfs_set_read(const char *path, struct sysfs_set *set);
bool sysfs_set_keyed(const char *path, const char *key, struct sysfs_set *set);

bool sysfs_set_has(const struct sysfs_set *set, long number);
void sysfs_set_put(struct sysfs_set *set, long number, bool in);
size_t sysfs_set_count(const struct sysfs_set *set);

/* The smallest number above `after`; -1 if there is none. */
long sysfs_set_next(const struct sysfs_set *set, long after);

/* Writes the set as such a list to `text`, as much as fits, and returns it. */
char *sysfs_set_text(const struct sysfs_set *set, char *text, size_t size);

/* ---- cores ---- */

/* The number in a file of a core's folder, -1 if there is none. */
long sysfs_cpu_number(long cpu, const char *file);

/* A cache of a core: level, kind and size. False if the core has none of that index. */
enum { SYSFS_CACHES = 16 };
bool sysfs_cache(long cpu, int index, struct cache_claim *cache);

/* Whether the cores are of several kinds. */
enum sysfs_verdict { SYSFS_UNKNOWN, SYSFS_ONE, SYSFS_SEVERAL };
struct sysfs_kinds {
    enum sysfs_verdict verdict;
    char source[192]; /* what shows it, or why it is unknown */
    struct sysfs_set online, fast;
    const char *online_source; /* NULL: unknown which cores are online */
    long core[2]; /* represent the slower cores, and the faster or all; -1: there are none */
};
struct sysfs_kinds sysfs_kinds(void);

/* True for all cores that are not known to be of several kinds. */
bool sysfs_is_fast(const struct sysfs_kinds *kinds, long cpu);

/* Whether a core of Arm's architecture, implementer << 16 | part, is made for systems with larger
 * ones beside it. */
bool sysfs_is_small(unsigned long code);

/* The memory nodes, and the file that lists them; NULL: unknown. A node without memory has only
 * cores. */
const char *sysfs_nodes(struct sysfs_set *nodes);

/* Parts of sysfs_claims(): the caches; the clock (`cpu` represents all cores); the memory channels;
 * and, as its manual has them, the TLBs of an Arm core. Facts in no file are `unknown`, with the
 * reason. */
void sysfs_cache_claims(const struct sink *sink, const struct sysfs_kinds *kinds);
void sysfs_clock_claims(const struct sink *sink, const struct sysfs_set *online, long cpu);
void sysfs_memory_claims(const struct sink *sink);
void sysfs_arm_claims(const struct sink *sink, long cpu, uint64_t page_bytes);

/* Whether this is a virtual machine, as far as the system shows. */
bool sysfs_is_guest(void);

#endif
