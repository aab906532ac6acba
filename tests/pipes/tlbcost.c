/* tlbcost.c: a program for tlbcost.t, which touches so many MiB: of malloc, of mmap, or its own. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static char own[64 << 20];

int main(int argc, char **argv)
{
    size_t bytes = (size_t)(argc > 2 ? atoi(argv[2]) : 0) << 20;
    char *memory = own;
    if (argc > 1 && strcmp(argv[1], "malloc") == 0)
        memory = malloc(bytes);
    if (argc > 1 && strcmp(argv[1], "mmap") == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < bytes; i += 4096)
        ((volatile char *)memory)[i] = 1;
    return memory == NULL;
}
