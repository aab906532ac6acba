/* randomaccess.c: updates of random places of a table, as in the RandomAccess benchmark of HPCC:
 * every update is a new page. Each place is updated by an exclusive or, so a second pass undoes the
 * first; but of two threads that update one place at once one may lose its update, as in HPCC.
 *
 * usage: randomaccess [LOG2_BYTES [LOG2_UPDATES [PARTS]]]   (30 26 1)
 */
#include "workload.h"

ARRAY(table, uint64_t)

/* The sequence of the benchmark: x → 2x in a field of 2^64 elements. */
static inline uint64_t step(uint64_t x)
{
    return x << 1 ^ ((int64_t)x < 0 ? 7 : 0);
}

static __attribute__((noinline)) void update(uint64_t *table, uint64_t mask, uint64_t x,
                                             uint64_t updates)
{
    for (uint64_t i = 0; i < updates; i++) {
        x = step(x);
        table[x & mask] ^= x;
    }
}

/* The parts of the sequence follow one another; `starts` has the element before each. */
static void update_all(uint64_t *table, uint64_t mask, const uint64_t *starts, long parts,
                       uint64_t updates)
{
    EACH_PART(part)
    {
        begin_part(part);
        update(table, mask, starts[part], updates / (uint64_t)parts);
    }
}

int main(int argc, char **argv)
{
    long bytes_log2 = argument(argc, argv, 1, 30), updates_log2 = argument(argc, argv, 2, 26);
    long parts = argument(argc, argv, 3, 1);
    size_t places = ((size_t)1 << bytes_log2) / 8, errors = 0;
    uint64_t *table = new_table(places), updates = (uint64_t)1 << updates_log2;
    uint64_t starts[64], x = 1;
    check(parts <= 64, "at most 64 parts");
    for (long part = 0; part < parts; part++) {
        starts[part] = x;
        for (uint64_t i = 0; i < updates / (uint64_t)parts; i++)
            x = step(x);
    }
    for (size_t i = 0; i < places; i++)
        table[i] = i;
    begin_work();
    update_all(table, places - 1, starts, parts, updates);
    end_work((double)updates);
    if (updates_log2 <= 20) { /* the check takes as long as the work */
        update_all(table, places - 1, starts, parts, updates);
        for (size_t i = 0; i < places; i++)
            errors += table[i] != i;
        check(errors == 0 || (parts > 1 && errors < places / 100),
              "the second pass does not undo the first");
    }
    return 0;
}
