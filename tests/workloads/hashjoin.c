/* hashjoin.c: a hash table is built from one relation and probed by another, larger one.
 * Of several parts each builds its own part of the table, from all keys, and probes all of the
 * table with its part of the other relation.
 *
 * usage: hashjoin [LOG2_BUILD [LOG2_PROBE [PARTS]]]   (22 24 1; PARTS: a power of two)
 */
#include "workload.h"

struct entry {
    uint64_t key, value; /* key 0: empty */
};

ARRAY(buckets, struct entry)
ARRAY(build, uint64_t)
ARRAY(probe, uint64_t)

/* The table: `mask` of all places, `part` of those of one part, at whose end comes its beginning.
 */
struct table {
    struct entry *buckets;
    size_t mask, part;
};

static inline size_t place_of(uint64_t key, size_t mask)
{
    return (size_t)(key * 0x9e3779b97f4a7c15 >> 20) & mask;
}

static inline size_t next_place(size_t at, size_t part)
{
    return (at & ~part) | ((at + 1) & part);
}

static __attribute__((noinline)) void build(struct table table, const uint64_t *keys, size_t count,
                                            size_t begin)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = place_of(keys[i], table.mask);
        if ((at & ~table.part) != begin)
            continue;
        while (table.buckets[at].key != 0)
            at = next_place(at, table.part);
        table.buckets[at].key = keys[i];
        table.buckets[at].value = i;
    }
}

static __attribute__((noinline)) uint64_t probe(struct table table, const uint64_t *keys,
                                                size_t count)
{
    uint64_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = place_of(keys[i], table.mask);
        while (table.buckets[at].key != 0 && table.buckets[at].key != keys[i])
            at = next_place(at, table.part);
        matches += table.buckets[at].key == keys[i];
    }
    return matches;
}

int main(int argc, char **argv)
{
    size_t built = (size_t)1 << argument(argc, argv, 1, 22);
    size_t probed = (size_t)1 << argument(argc, argv, 2, 24);
    long parts = argument(argc, argv, 3, 1);
    check((parts & (parts - 1)) == 0, "PARTS is a power of two");
    struct table table = {new_buckets(2 * built), 2 * built - 1, 2 * built / (size_t)parts - 1};
    uint64_t *keys = new_build(built), *others = new_probe(probed);
    uint32_t *order = random_order(built);
    for (size_t i = 0; i < built; i++)
        keys[i] = 2 * (uint64_t)order[i] + 1;
    free(order);
    uint64_t expected = 0, matches = 0;
    for (size_t i = 0; i < probed; i++) {
        others[i] = 1 + next_random() % (2 * built); /* every second one is there */
        expected += others[i] % 2;
    }
    begin_work();
    EACH_PART(part)
    {
        begin_part(part);
        build(table, keys, built, (size_t)part * (table.part + 1));
    }
    EACH_PART(part)
    {
        begin_part(part);
        size_t count = probed / (size_t)parts;
        uint64_t found = probe(table, others + (size_t)part * count, count);
        __atomic_fetch_add(&matches, found, __ATOMIC_RELAXED);
    }
    end_work((double)(built + probed));
    check(matches == expected, "matches");
    return 0;
}
