/* Calls the functions of program.c with memory whose bytes are known, and prints:
 *
 *   read PAGES REFS SEED   the sum, where page p begins with the byte 1 + (7 p + SEED) % 100
 *   real PAGES OFFSET      real_pages() of memory that begins OFFSET bytes behind the start of a
 *                          real page of 4096 bytes
 */
#define _DEFAULT_SOURCE
#define main student_main
#include "program.c"
#undef main
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

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

int main(int argc, char *argv[])
{
    int pages = argc > 2 ? atoi(argv[2]) : 0;

    if (argc == 5 && strcmp(argv[1], "read") == 0) {
        printf("%ld\n", read_pages(known(pages, atoi(argv[4])), pages, atol(argv[3])));
    } else if (argc == 4 && strcmp(argv[1], "real") == 0) {
        /* Addresses only; nothing is read. */
        printf("%ld\n", real_pages((char *)0x10000000 + atoi(argv[3]), pages, 4096));
    } else {
        return 2;
    }
    return 0;
}
