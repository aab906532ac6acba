/* Calls the functions of program.c with memory whose bytes are known, and prints:
 *
 *   read PAGES REFS SEED   the sum, where page p begins with the byte 1 + (7 p + SEED) % 100
 *   touch PAGES            how many of its pages prepare(PAGES) has touched
 *   sparse PAGES REFS      the sum, where page p begins with the byte 1 + p and the rest is 0
 */
#define _DEFAULT_SOURCE
#define main student_main
#include "program.c"
#undef main
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The memory ends with the last page; reading beyond it crashes. All other bytes are 101. */
static char *known(int pages, int seed)
{
    size_t bytes = (size_t)PAGESIZE * (size_t)pages, real = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole = (bytes + real - 1) / real * real;
    char *map = mmap(NULL, whole + real, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                     0);
    char *memory = map + whole - bytes;

    memset(map, 101, whole);
    mprotect(map + whole, real, PROT_NONE);
    for (int p = 0; p < pages; p++)
        memory[(size_t)p * PAGESIZE] = (char)(1 + (7 * p + seed) % 100);
    return memory;
}

static long resident(char *memory, int pages)
{
    size_t real = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)memory / real * real;
    size_t span = (uintptr_t)memory + (size_t)PAGESIZE * (size_t)pages - first;
    size_t count = (span + real - 1) / real;
    unsigned char *there = calloc(count, 1);
    long sum = 0;

    if (mincore((void *)first, span, (void *)there) != 0)
        return -1;
    for (size_t k = 0; k < count; k++)
        sum += there[k] & 1;
    return sum;
}

int main(int argc, char *argv[])
{
    int pages = argc > 2 ? atoi(argv[2]) : 0;

    if (argc == 5 && strcmp(argv[1], "read") == 0) {
        printf("%ld\n", read_pages(known(pages, atoi(argv[4])), pages, atol(argv[3])));
    } else if (argc == 3 && strcmp(argv[1], "touch") == 0) {
        char *memory = prepare(pages);

        long there = memory == NULL ? 0 : resident(memory, pages);

        printf("%ld\n", there < pages ? there : pages); /* there may be one more at the end */
    } else if (argc == 4 && strcmp(argv[1], "sparse") == 0) {
        size_t bytes = (size_t)PAGESIZE * (size_t)pages, real = (size_t)sysconf(_SC_PAGESIZE);
        char *memory = mmap(NULL, bytes + real, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (memory == MAP_FAILED)
            return 3;
        mprotect(memory + bytes, real, PROT_NONE);
        for (int p = 0; p < pages; p++)
            memory[(size_t)p * PAGESIZE] = (char)(1 + p);
        printf("%ld\n", read_pages(memory, pages, atol(argv[3])));
    } else {
        return 2;
    }
    return 0;
}
