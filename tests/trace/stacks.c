/* stacks.c: arrays that a program takes through functions of its own, for stacks.t. Each is written
 * page by page, in turn with another page, once. */
#include <stdlib.h>

enum { PAGE = 4096 };

/* With -DBARE there are no frame pointers. */
#ifdef BARE
#pragma GCC optimize("omit-frame-pointer")
#endif

/* A layer that xmalloc() alone knows. */
static volatile size_t taken;
static __attribute__((noinline)) char *take(size_t bytes)
{
    char *memory = malloc(bytes);
    taken += memory != NULL;
    return memory;
}

static __attribute__((noinline)) char *xmalloc(size_t bytes)
{
    char *memory = take(bytes);
    if (memory == NULL)
        abort();
    return memory;
}

/* Blocks of one page from one large block. */
struct pool {
    char *memory;
    size_t used;
};

static __attribute__((noinline)) void pool_open(struct pool *pool, size_t pages)
{
    pool->memory = xmalloc(pages * PAGE);
    pool->used = 0;
}

static __attribute__((noinline)) char *pool_take(struct pool *pool)
{
    return pool->memory + PAGE * pool->used++;
}

/* A wrapper that has no usual name. */
static __attribute__((noinline)) char *new_array(size_t pages)
{
    char *array = xmalloc(pages * PAGE);
    array[0] = 1;
    return array;
}

static __attribute__((noinline)) void write_pages(volatile char *memory, size_t pages)
{
    for (size_t i = 0; i < pages; i++)
        memory[i * PAGE] = 1;
}

int main(void)
{
    struct pool pool;
    char *first = xmalloc(4000 * PAGE);
    char *second = xmalloc(5000 * PAGE);
    char *third = new_array(6000);
    char *fourth = new_array(7000);
    pool_open(&pool, 8000);
    write_pages(first, 4000);
    write_pages(second, 5000);
    write_pages(third, 6000);
    write_pages(fourth, 7000);
    for (int i = 0; i < 8000; i++)
        *(volatile char *)pool_take(&pool) = 1;
    return 0;
}
