/* sysfs.h: what a Linux system says of itself in /sys and /proc, live or recorded. Only file
 * reading, so that every platform can replay a recorded machine. Private to src/platform/. */
#ifndef TLBLAB_SYSFS_H
#define TLBLAB_SYSFS_H

#include "platform.h"

struct platform_memory sysfs_memory(void);

/* One more limit: `used` bytes of `total` are taken. The least total and the least rest count. */
void sysfs_limit(struct platform_memory *memory, uint64_t total, uint64_t used, const char *source);
struct platform_outcome sysfs_swap(uint64_t *bytes);

/* The claims of platform_claims() and platform_sysconf(); `ask` answers for the C library (0 when
 * it does not know), NULL reads the recorded machine's getconf.txt. */
void sysfs_claims(platform_claim *claim, void *context);
void sysfs_sysconf(long (*ask)(const char *name), platform_claim *claim, void *context);

/* Text behind `key` and blanks or a colon at the start of a line of a file. */
bool sysfs_read_keyed(const char *path, const char *key, char *text, size_t room);

/* The next number after `after` in a list such as "0-3,8"; -1 at its end. */
long sysfs_list_next(const char *list, long after);

/* How to tell the faster cores of a machine with several kinds from the others. */
struct sysfs_kinds {
    char fast[1024]; /* their list, or "" where only capacities are known */
    long capacity;   /* a core of this capacity or more is a fast one */
    bool several;    /* there is more than one kind */
    const char *source;
};
struct sysfs_kinds sysfs_kinds(void);
bool sysfs_is_fast(const struct sysfs_kinds *kinds, long cpu);

/* Is this a virtual machine, as far as it can be told? */
bool sysfs_is_guest(void);

#endif
