/* tlbcc.c: a program for tlbcc.t; its argument says what it does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* Memory at an address that the test knows. */
static char *map(uintptr_t address, size_t pages)
{
    char *memory = mmap((void *)address, pages * PAGE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory != (char *)address)
        exit(9);
    return memory;
}

static volatile char *const a = (volatile char *)0x200000000000;
static volatile char *const b = (volatile char *)0x300000000000;

/* n pages, in turn with one other page, so that no access is to the page of the one before. */
static void touch(int n)
{
    for (int i = 0; i < n; i++) {
        a[(1 + i) * PAGE];
        a[0];
    }
}

static void on_signal(int number)
{
    (void)number;
    b[0] = 1;
    b[PAGE] = 1;
}

static int many_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGALRM, &action, NULL);
    for (int i = 0; i < 200; i++) {
        touch(100);
        raise(SIGALRM);
    }
    return 0;
}

/* Pages that signal handlers touch, one after the other, whatever they interrupt. */
static volatile long touched_by_alarms;

static void on_alarm(int number)
{
    (void)number;
    for (int i = 0; i < 9 && touched_by_alarms < 90000; i++)
        b[touched_by_alarms++ * PAGE] = 1;
}

static int many_alarms(void)
{
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
    map((uintptr_t)b + 100 * PAGE, 90000 - 100);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 400; i++)
        touch(1000);
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%ld\n", touched_by_alarms);
    return 0;
}

static int in_processes(void)
{
    touch(10);
    for (int child = 0; child < 3; child++)
        if (fork() == 0) {
            touch(100 + child);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    return 0;
}

struct large {
    long words[1024]; /* two pages */
};

/* The accesses that gcc leaves to calls: copies, ranges, atomics, an access across two pages. */
static int in_calls(void)
{
    *(struct large *)(b + 8 * PAGE) = *(const struct large *)(a + 8 * PAGE);
    atomic_fetch_add((_Atomic long *)(uintptr_t)(a + 16 * PAGE), 1);
    int expected = 0;
    atomic_compare_exchange_strong((_Atomic int *)(uintptr_t)(a + 17 * PAGE), &expected, 1);
    *(volatile long *)(a + 19 * PAGE - 4);
    struct packed {
        char c;
        long l;
    } __attribute__((packed));
    ((volatile struct packed *)(a + 21 * PAGE - 4))->l = 1;
    return 0;
}

/* Accesses that are the C library's. */
static int in_library(char *x, char *y)
{
    memset(x, 'x', 2 * PAGE);
    x[2 * PAGE - 1] = '\0';
    memcpy(y, x, 2 * PAGE);
    if (strlen(y) != 2 * PAGE - 1 || strcmp(x, y) != 0)
        return 1;
    return memchr(y + PAGE, '\0', PAGE) == NULL;
}

static int with_heap(void)
{
    char *block = malloc(10 * PAGE);
    for (volatile char *at = block; at < block + 10 * PAGE; at += PAGE)
        *at = 1;
    volatile size_t too_much = SIZE_MAX / 4;
    if (realloc(block, too_much) != NULL)
        return 1;
    if (munmap((char *)block + 1, PAGE) == 0 ||
        munmap((void *)(UINTPTR_MAX / PAGE * PAGE), PAGE) == 0)
        return 1;
    block = realloc(block, 20 * PAGE);
    free(block);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    char *x = map((uintptr_t)a, 2000), *y = map((uintptr_t)b, 100);
    if (strcmp(what, "signals") == 0)
        return many_signals();
    if (strcmp(what, "alarms") == 0)
        return many_alarms();
    if (strcmp(what, "fork") == 0)
        return in_processes();
    if (strcmp(what, "calls") == 0)
        return in_calls();
    if (strcmp(what, "library") == 0)
        return in_library(x, y);
    if (strcmp(what, "heap") == 0)
        return with_heap();
    if (strcmp(what, "plugin") == 0) {
        void *library = dlopen(argv[2], RTLD_NOW);
        void (*run)(void *) = library != NULL ? (void (*)(void *))dlsym(library, "run") : NULL;
        if (run == NULL)
            return 8;
        run(x);
        return 0;
    }
    touch(1000);
    if (strcmp(what, "segv") == 0)
        *(volatile char *)8 = 1;
    if (strcmp(what, "abort") == 0)
        abort();
    if (strcmp(what, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(what, "_exit") == 0)
        _exit(7);
    if (strcmp(what, "exec") == 0)
        execl(argv[0], argv[0], "exit", (char *)NULL);
    exit(strcmp(what, "exit") == 0 ? 6 : 0);
}
