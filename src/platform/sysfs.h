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

/* Parts of sysfs_claims(): the clock (of the cores in the list `online`; `cpu` represents all), and
 * the memory channels. Facts in no file are `unknown`, with the reason. */
void sysfs_clock_claims(const struct sink *sink, const char *online, long cpu);
void sysfs_memory_claims(const struct sink *sink);

/* Reads the text after `key` and blanks or a colon, from the first line that starts with it. */
bool sysfs_read_keyed(const char *path, const char *key, char *text, size_t size);

/* The smallest number above `after` in a list such as "0-3,8"; -1 if there is none. */
long sysfs_list_next(const char *list, long after);

/* How to recognise the faster cores of a machine with several kinds of core. */
struct sysfs_kinds {
    char fast[1024]; /* list of the fast cores, or "" if only capacities are known */
    long capacity;   /* a core of at least this capacity is fast */
    bool several;    /* the machine has more than one kind */
    const char *source;
};
struct sysfs_kinds sysfs_kinds(void);
bool sysfs_is_fast(const struct sysfs_kinds *kinds, long cpu);

/* Whether this is a virtual machine, as far as the system shows. */
bool sysfs_is_guest(void);

#endif
