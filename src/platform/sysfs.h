/* sysfs.h: facts that Linux states in /sys and /proc, live or recorded. It only reads files, so
 * that every platform can replay a recorded machine. Private to src/platform/. */
#ifndef TLBLAB_SYSFS_H
#define TLBLAB_SYSFS_H

#include "platform.h"
#include "sink.h"

struct platform_memory sysfs_memory(void);

/* Adds a limit of which `used` of `total` bytes are in use: the least total and the least rest
 * hold. */
void sysfs_limit(struct platform_memory *memory, uint64_t total, uint64_t used, const char *source);
struct platform_outcome sysfs_swap(uint64_t *bytes);

/* The claims of platform_claims() and platform_sysconf(). `ask` returns the C library's value, or 0
 * for an unknown one; NULL reads the recorded machine's getconf.txt. */
void sysfs_claims(platform_claim *claim, void *context);
void sysfs_sysconf(long (*ask)(const char *name), platform_claim *claim, void *context);

/* Parts of sysfs_claims(): the clock (of the cores in the list `online`; `cpu` stands for all), and
 * the memory's channels. What no file states is `unknown`, with the reason. */
void sysfs_clock_claims(const struct sink *sink, const char *online, long cpu);
void sysfs_memory_claims(const struct sink *sink);

/* Reads the text after `key` and blanks or a colon, from the first line that begins so. */
bool sysfs_read_keyed(const char *path, const char *key, char *text, size_t room);

/* The least number above `after` in a list such as "0-3,8"; -1 where there is none. */
long sysfs_list_next(const char *list, long after);

/* How the faster cores of a machine with several kinds of core are recognised. */
struct sysfs_kinds {
    char fast[1024]; /* list of the fast cores, or "" where only capacities are known */
    long capacity;   /* a core of at least this capacity is fast */
    bool several;    /* the machine has more than one kind */
    const char *source;
};
struct sysfs_kinds sysfs_kinds(void);
bool sysfs_is_fast(const struct sysfs_kinds *kinds, long cpu);

/* Whether this is a virtual machine, as far as the system shows it. */
bool sysfs_is_guest(void);

#endif
