/* hashjoin.c: a hash table is built from one relation and probed by another, larger one.
 *
 * usage: hashjoin [LOG2_BUILD [LOG2_PROBE]]   (22 24)
 */
#include "workload.h"

struct entry {
    uint64_t key, value; /* key 0: empty */
};

static __attribute__((noinline)) struct entry *new_buckets(size_t count)
{
    return take("buckets", count * sizeof(struct entry));
}

static __attribute__((noinline)) uint64_t *new_build(size_t count)
{
    return take("build", count * sizeof(uint64_t));
}

static __attribute__((noinline)) uint64_t *new_probe(size_t count)
{
    return take("probe", count * sizeof(uint64_t));
}

static inline size_t place_of(uint64_t key, size_t mask)
{
    return (size_t)(key * 0x9e3779b97f4a7c15 >> 20) & mask;
}

static __attribute__((noinline)) void build(struct entry *buckets, size_t mask,
                                            const uint64_t *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = place_of(keys[i], mask);
        while (buckets[at].key != 0)
            at = (at + 1) & mask;
        buckets[at].key = keys[i];
        buckets[at].value = i;
    }
}

static __attribute__((noinline)) uint64_t probe(const struct entry *buckets, size_t mask,
                                                const uint64_t *keys, size_t count)
{
    uint64_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = place_of(keys[i], mask);
        while (buckets[at].key != 0 && buckets[at].key != keys[i])
            at = (at + 1) & mask;
        matches += buckets[at].key == keys[i];
    }
    return matches;
}

int main(int argc, char **argv)
{
    size_t built = (size_t)1 << argument(argc, argv, 1, 22);
    size_t probed = (size_t)1 << argument(argc, argv, 2, 24), mask = 2 * built - 1;
    struct entry *buckets = new_buckets(mask + 1);
    uint64_t *keys = new_build(built), *others = new_probe(probed);
    for (size_t i = 0; i < built; i++)
        keys[i] = 2 * i + 1;
    for (size_t i = built; i > 1; i--) { /* in random order */
        size_t k = next_random() % i;
        uint64_t key = keys[k];
        keys[k] = keys[i - 1];
        keys[i - 1] = key;
    }
    uint64_t expected = 0;
    for (size_t i = 0; i < probed; i++) {
        others[i] = 1 + next_random() % (2 * built); /* every second one is there */
        expected += others[i] % 2;
    }
    begin_work();
    build(buckets, mask, keys, built);
    uint64_t matches = probe(buckets, mask, others, probed);
    end_work((double)(built + probed));
    check(matches == expected, "matches");
    return 0;
}
