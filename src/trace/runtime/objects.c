/* objects.c: the library that 'tlbcost --huge' puts before those of a program: it asks for huge
 * pages for some of its objects alone, or lists where it takes large blocks.
 *
 * TLBLAB_HUGE: 1 asks for those that TLBLAB_HUGE_OBJECTS names, a line for each: "block HASH", of
 * the calls that take it, or "data OFFSET BYTES FILE", a variable; numbers are in hexadecimal,
 * offsets from where the file is mapped first. TLBLAB_HUGE_LIST: the file for the list (answer.h).
 * TLBLAB_HUGE_ANSWER: that for how many KiB were asked for and lie on huge pages. */
#define _GNU_SOURCE
#include "answer.h"
#include "calls.h"
#include "takes.h"
#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { OBJECTS_MAX = 256, STACKS_MAX = 1024, CALLS_MAX = 64, RANGES_MAX = 1024 };
static const size_t huge_bytes = (size_t)2 << 20;

static uint64_t objects[OBJECTS_MAX]; /* hashes of stacks up to a call */
static int object_count;

/* Return addresses, the innermost first, each with the hash of those up to it. */
struct stack {
    int count;
    uintptr_t sites[CALLS_MAX];
    uint64_t hashes[CALLS_MAX];
};
static struct stack stacks[STACKS_MAX];
static unsigned stack_count;
static bool lists;

static struct range {
    uintptr_t begin, end;
} ranges[RANGES_MAX]; /* asked for */
static unsigned range_count;

/* ---- blocks ---- */

/* Whole pages within an object. */
static void ask(uintptr_t begin, uintptr_t end)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    begin = (begin + page - 1) & ~(page - 1);
    end &= ~(page - 1);
    if (end <= begin || madvise((void *)begin, end - begin, MADV_HUGEPAGE) != 0)
        return;
    unsigned at = __atomic_fetch_add(&range_count, 1, __ATOMIC_RELAXED);
    if (at < RANGES_MAX)
        ranges[at] = (struct range){begin, end};
}

static void list_stack(const struct stack *stack)
{
    for (unsigned i = 0; i < stack_count && i < STACKS_MAX; i++)
        if (stacks[i].count == stack->count &&
            stacks[i].hashes[stack->count - 1] == stack->hashes[stack->count - 1])
            return;
    unsigned at = __atomic_fetch_add(&stack_count, 1, __ATOMIC_RELAXED);
    if (at < STACKS_MAX)
        stacks[at] = *stack;
}

/* ---- files ---- */

/* The lowest address at which a file is mapped; 0: none. */
static uintptr_t base_of(const char *file)
{
    char line[4352];
    uintptr_t base = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (base == 0 && maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        char *path = strchr(line, '/');
        line[strcspn(line, "\n")] = '\0';
        if (path != NULL && strcmp(path, file) == 0)
            base = (uintptr_t)strtoumax(line, NULL, 16);
    }
    if (maps != NULL)
        fclose(maps);
    return base;
}

/* ---- what is taken ---- */

/* The same in each run: of where a call lies in its file, and of the calls before. */
static uint64_t hash_call(uint64_t hash, uintptr_t site)
{
    Dl_info info;
    if (dladdr((void *)site, &info) == 0)
        return hash;
    for (const char *c = info.dli_fname; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u; /* FNV-1a */
    hash = (hash ^ (site - (uintptr_t)info.dli_fbase)) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

/* The calls from the one that returns to `site` on. */
static void read_stack(struct stack *stack, uintptr_t site)
{
    void *found[CALLS_MAX];
    uint64_t hash = 14695981039346656037u;
    stack->count = calls_from((void *)site, found, NULL, CALLS_MAX);
    for (int i = 0; i < stack->count; i++) {
        stack->sites[i] = (uintptr_t)found[i];
        stack->hashes[i] = hash = hash_call(hash, stack->sites[i]);
    }
}

static bool is_chosen(const struct stack *stack)
{
    for (int i = 0; i < stack->count; i++)
        for (int k = 0; k < object_count; k++)
            if (stack->hashes[i] == objects[k])
                return true;
    return false;
}

static void take(void *block, size_t bytes, void *site)
{
    struct stack stack;
    if (block == NULL || block == MAP_FAILED || bytes < huge_bytes || (!lists && object_count == 0))
        return;
    read_stack(&stack, (uintptr_t)site);
    if (lists)
        list_stack(&stack);
    if (is_chosen(&stack))
        ask((uintptr_t)block, (uintptr_t)block + bytes);
}

/* ---- the program begins ---- */

static void take_line(const char *line)
{
    uintmax_t offset, bytes;
    int used = 0;
    if (sscanf(line, "block %jx", &offset) == 1 && object_count < OBJECTS_MAX)
        objects[object_count++] = offset;
    else if (sscanf(line, "data %jx %jx %n", &offset, &bytes, &used) == 2 && used > 0) {
        uintptr_t base = base_of(line + used);
        if (base > 0)
            ask(base + (uintptr_t)offset, base + (uintptr_t)offset + (uintptr_t)bytes);
    }
}

__attribute__((constructor)) static void begin(void)
{
    const char *asks = getenv("TLBLAB_HUGE"), *list = getenv("TLBLAB_HUGE_LIST");
    const char *named = getenv("TLBLAB_HUGE_OBJECTS");
    lists = list != NULL;
    if (asks == NULL || *asks != '1' || named == NULL)
        return;
    char *rest = NULL, *text = strdup(named);
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        take_line(line);
    free(text);
}

/* ---- it ends ---- */

static void put_stack(FILE *list, const struct stack *stack)
{
    fputs("stack", list);
    for (int i = 0; i < stack->count; i++)
        fprintf(list, " %" PRIxPTR " %" PRIx64, stack->sites[i], stack->hashes[i]);
    putc('\n', list);
}

static void answer_list(int descriptor)
{
    char text[4096];
    size_t got;
    FILE *maps = fopen("/proc/self/maps", "re");
    FILE *list = fdopen(dup(descriptor), "a");
    while (maps != NULL && list != NULL && (got = fread(text, 1, sizeof text, maps)) > 0)
        fwrite(text, 1, got, list);
    for (unsigned i = 0; list != NULL && i < stack_count && i < STACKS_MAX; i++)
        put_stack(list, &stacks[i]);
    if (list != NULL) {
        fputs("end\n", list);
        fclose(list);
    }
    if (maps != NULL)
        fclose(maps);
}

static bool was_asked(uintptr_t begin, uintptr_t end)
{
    for (unsigned i = 0; i < range_count && i < RANGES_MAX; i++)
        if (ranges[i].begin < end && begin < ranges[i].end)
            return true;
    return false;
}

/* Of the mappings that hold what was asked for: a mapping has one advice. */
static void answer_huge(int descriptor)
{
    char line[4352];
    uintmax_t begin, end;
    unsigned long kib, rss = 0, huge = 0;
    bool within = false;
    FILE *smaps = fopen("/proc/self/smaps", "re");
    while (smaps != NULL && fgets(line, sizeof line, smaps) != NULL) {
        if (sscanf(line, "%jx-%jx ", &begin, &end) == 2)
            within = was_asked((uintptr_t)begin, (uintptr_t)end);
        else if (within && sscanf(line, "Rss: %lu", &kib) == 1)
            rss += kib;
        else if (within && sscanf(line, "AnonHugePages: %lu", &kib) == 1)
            huge += kib;
    }
    if (smaps != NULL)
        fclose(smaps);
    dprintf(descriptor, "%lu %lu\n", rss, huge);
}

__attribute__((destructor)) static void end(void)
{
    int list = answer_descriptor("TLBLAB_HUGE_LIST");
    int answer = answer_descriptor("TLBLAB_HUGE_ANSWER");
    if (list >= 0)
        answer_list(list);
    if (answer >= 0)
        answer_huge(answer);
}
