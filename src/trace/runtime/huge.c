/* huge.c: the library that tlbcost puts before those of a program: it asks for huge pages for all
 * the memory that the program has and maps, or for none, and says at the end how much lies on them.
 *
 * TLBLAB_HUGE: 1 asks. TLBLAB_HUGE_ANSWER: the file for the answer (answer.h). malloc() itself asks
 * by GLIBC_TUNABLES=glibc.malloc.hugetlb=1, which tlbcost sets. */
#define _GNU_SOURCE
#include "answer.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* With musl it is a macro, of mmap. */
#undef mmap64

static const size_t huge_bytes = (size_t)2 << 20;
static bool asks;

/* A larger mapping, of which whole huge pages are kept. */
static void *map_aligned(size_t bytes, int protection, int flags)
{
    size_t wide = bytes + huge_bytes;
    char *memory = (char *)syscall(SYS_mmap, NULL, wide, protection, flags, -1, 0);
    if (memory == MAP_FAILED)
        return MAP_FAILED;
    size_t before = (huge_bytes - (uintptr_t)memory % huge_bytes) % huge_bytes;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), kept = (bytes + page - 1) / page * page;
    if (before > 0)
        munmap(memory, before);
    if (wide - before > kept)
        munmap(memory + before + kept, wide - before - kept);
    madvise(memory + before, bytes, MADV_HUGEPAGE);
    return memory + before;
}

static void *map(void *wanted, size_t bytes, int protection, int flags, int file, off_t offset)
{
    bool ours = asks && wanted == NULL && bytes >= huge_bytes && bytes < SIZE_MAX / 2 &&
                (flags & (MAP_ANONYMOUS | MAP_PRIVATE)) == (MAP_ANONYMOUS | MAP_PRIVATE) &&
                (flags & (MAP_HUGETLB | MAP_STACK | MAP_GROWSDOWN)) == 0 && protection != PROT_NONE;
    if (ours) {
        void *memory = map_aligned(bytes, protection, flags);
        if (memory != MAP_FAILED)
            return memory;
    }
    return (void *)syscall(SYS_mmap, wanted, bytes, protection, flags, file, offset);
}

__attribute__((visibility("default"))) void *mmap(void *wanted, size_t bytes, int protection,
                                                  int flags, int file, off_t offset)
{
    return map(wanted, bytes, protection, flags, file, offset);
}

__attribute__((visibility("default"))) void *mmap64(void *wanted, size_t bytes, int protection,
                                                    int flags, int file, int64_t offset)
{
    return map(wanted, bytes, protection, flags, file, offset);
}

/* Asks for what is there before the program begins: its variables. */
__attribute__((constructor)) static void begin(void)
{
    const char *huge = getenv("TLBLAB_HUGE");
    unsigned long first, end;
    char line[512], perms[8];
    asks = huge != NULL && *huge == '1';
    FILE *maps = asks ? fopen("/proc/self/maps", "re") : NULL;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%lx-%lx %7s", &first, &end, perms) == 3 && strcmp(perms, "rw-p") == 0 &&
            end - first >= huge_bytes && strstr(line, "[stack]") == NULL)
            madvise((void *)first, end - first, MADV_HUGEPAGE);
    if (maps != NULL)
        fclose(maps);
}

/* "rss huge" in KiB. */
__attribute__((destructor)) static void answer(void)
{
    int descriptor = answer_descriptor("TLBLAB_HUGE_ANSWER");
    unsigned long rss = 0, huge = 0;
    char line[256];
    FILE *smaps = descriptor >= 0 ? fopen("/proc/self/smaps_rollup", "re") : NULL;
    while (smaps != NULL && fgets(line, sizeof line, smaps) != NULL) {
        sscanf(line, "Rss: %lu", &rss);
        sscanf(line, "AnonHugePages: %lu", &huge);
    }
    if (smaps != NULL) {
        fclose(smaps);
        dprintf(descriptor, "%lu %lu\n", rss, huge);
    }
}
