/* Calls functions of the program one at a time.
 *
 * Usage: ./harness next ADDRESS
 *        ./harness kib FILE ADDRESS
 *        ./harness allocate MIB huge|small    prints four times yes or no: it is aligned to a huge
 *              page, madvise() was right, nothing was touched before it, all was touched after it
 */
#include "program.c"
#include "support.h"
#include <stddef.h>
#include <sys/mman.h>

static struct {
    char *at;
    size_t bytes;
    int advice;
    long resident;
} harness_told;

static long harness_resident_pages(char *at, size_t bytes)
{
    static unsigned char page[65536];
    long count = 0;

    if (bytes / 4096 > sizeof page || mincore(at, bytes, page) != 0)
        return -1;
    for (size_t i = 0; i < bytes / 4096; i++)
        count += page[i] & 1;
    return count;
}

/* The linker puts these two in place of the system's (check). */
int __real_madvise(void *at, size_t bytes, int advice);
int __wrap_madvise(void *at, size_t bytes, int advice);
void *__real_mmap(void *at, size_t bytes, int prot, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int file, off_t offset);

int __wrap_madvise(void *at, size_t bytes, int advice)
{
    harness_told.at = at;
    harness_told.bytes = bytes;
    harness_told.advice = advice;
    harness_told.resident = harness_resident_pages(at, bytes);
    return __real_madvise(at, bytes, advice);
}

/* A system may align such memory by itself. Here it begins a page after such a boundary. */
void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int file, off_t offset)
{
    size_t huge = 2UL << 20;
    char *memory = __real_mmap(at, bytes + 2 * huge, prot, flags, file, offset);

    return memory == MAP_FAILED ? memory : memory + (huge - (size_t)memory % huge) % huge + 4096;
}

/* Pages of this process's own, or 0 if unknown. The shared page of zeros, which a process gets when
 * it only reads, does not count. */
static long harness_own_pages(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;

    if (file != NULL) {
        if (fscanf(file, "%*d %ld", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return pages;
}

static const char *harness_yes(int is)
{
    return is ? "yes" : "no";
}

static int harness_try_allocate(long bytes, int advice)
{
    long before = harness_own_pages();
    char *memory = allocate(bytes, advice);
    long got = harness_own_pages() - before;

    if (memory == NULL) {
        printf("NULL\n");
        return 0;
    }
    printf("%s ", harness_yes((uintptr_t)memory % HUGE_PAGE == 0));
    printf("%s ", harness_yes(harness_told.advice == advice && harness_told.at <= memory &&
                              harness_told.at != NULL &&
                              harness_told.at + harness_told.bytes >= memory + bytes));
    printf("%s ", harness_yes(harness_told.at != NULL && harness_told.resident == 0));
    /* The system's count of pages is not exact. */
    printf("%s\n", harness_yes(harness_resident_pages(memory, (size_t)bytes) == bytes / 4096 &&
                               (before == 0 || got > bytes / 4096 * 9 / 10)));
    return 0;
}

int harness_main(int argc, char *argv[])
{
    if (argc == 3 && strcmp(argv[1], "next") == 0) {
        printf("%lu\n", (unsigned long)(uintptr_t)next_huge((char *)strtoul(argv[2], NULL, 10)));
    } else if (argc == 4 && strcmp(argv[1], "kib") == 0) {
        FILE *smaps = fopen(argv[2], "r");
        if (smaps == NULL)
            return 2;
        printf("%ld\n", huge_kib(smaps, strtoul(argv[3], NULL, 16)));
    } else if (argc == 4) {
        return harness_try_allocate(atol(argv[2]) << 20,
                                    strcmp(argv[3], "huge") == 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    }
    return 0;
}
