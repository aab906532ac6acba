/* card_simulated.c: the card behind the driver of card.c. */
#include "card_simulated.h"
#include <stdlib.h>
#include <string.h>

enum { WAYS = 16, LEVELS_SETS = 1 << 14 };

/* Bytes, entries, and nanoseconds of a load or of what it adds. */
static struct setting {
    const char *name;
    double value;
} settings[] = {{"l1", 65536},
                {"l2", 1 << 20},
                {"memory", 1 << 28},
                {"line", 128},
                {"page", 1 << 21},
                {"tlb1", 16},
                {"tlb2", 64},
                {"l1_ns", 30},
                {"l2_ns", 180},
                {"memory_ns", 450},
                {"tlb2_ns", 90},
                {"walk_ns", 300},
                {"hop_ns", 4},
                {"launch_ns", 6000},
                {"tick_ns", 1},
                {"watchdog_ns", 1e18},
                {"lost_after", 1e18},
                {"lost_after_writes", 1e18},
                {"rising_ns", 0},
                {"devices", 1},
                {"gb_per_s", 900},
                {"cache_gb_per_s", 3000},
                {"allocation", 1 << 28},
                {"unified", 0},
                {"virtual_l1", 0}};

double setting(const char *name)
{
    const char *list = getenv("TLBLAB_CARD");
    size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return strtod(at + length + 1, NULL);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strcmp(settings[i].name, name) == 0)
            return settings[i].value;
    abort();
}

bool fails(const char *how)
{
    const char *list = getenv("TLBLAB_CARD");
    size_t length = strlen(how);
    for (const char *at = list; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, how, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* ---- the card: LRU levels, set-associative, and a clock ---- */

struct level {
    uint64_t key[LEVELS_SETS][WAYS]; /* the last used first; 0: none, so keys begin at 1 */
};
static struct level caches[2], tlbs[2];

/* Whether the level, with this many entries, holds the key; it does from now on. A hashed index
 * spreads the keys over the sets as at random. */
static bool hits(struct level *level, double entries, uint64_t number, bool hashed)
{
    uint64_t ways = entries < WAYS ? (uint64_t)entries : WAYS, sets = (uint64_t)entries / ways;
    uint64_t index = hashed ? number * 0x9e3779b97f4a7c15 >> 40 : number;
    uint64_t *set = level->key[index % sets % LEVELS_SETS], way = 0, key = number + 1;
    while (way < ways - 1 && set[way] != key)
        way++;
    bool hit = set[way] == key;
    memmove(set + 1, set, way * sizeof *set);
    set[0] = key;
    return hit;
}

/* Of a virtual first cache a hit needs no translation; a volatile load passes by it. */
static double load_ns(uint64_t word, bool is_volatile)
{
    static double l1, l2, line, page, tlb1, tlb2, ns[5], virtual_l1;
    if (line == 0) {
        l1 = setting("l1"), l2 = setting("l2"), line = setting("line"), page = setting("page");
        tlb1 = setting("tlb1"), tlb2 = setting("tlb2");
        ns[0] = setting("l1_ns"), ns[1] = setting("l2_ns"), ns[2] = setting("memory_ns");
        ns[3] = setting("tlb2_ns"), ns[4] = setting("walk_ns"), virtual_l1 = setting("virtual_l1");
    }
    uint64_t number = 4 * word / (uint64_t)line, frame = 4 * word / (uint64_t)page;
    bool hit = !is_volatile && hits(&caches[0], l1 / line, number, false);
    if (hit && virtual_l1 > 0)
        return ns[0];
    double time = hits(&tlbs[0], tlb1, frame, false)   ? 0
                  : hits(&tlbs[1], tlb2, frame, false) ? ns[3]
                                                       : ns[4];
    if (hit)
        return time + ns[0];
    return time + (hits(&caches[1], l2 / line, number, true) ? ns[1] : ns[2]);
}

/* ---- kernels ---- */

static double chase(struct _cl_kernel *k, bool is_volatile)
{
    uint32_t *a = k->argument[0].buffer->at, *state = k->argument[1].buffer->at;
    double time = 0, hop = setting("hop_ns");
    for (uint64_t i = 0; i < 16 * k->argument[2].number; i++) {
        double slowest = 0;
        for (unsigned c = 0; c < k->chains; c++) {
            uint64_t word = (uint64_t)state[c] * k->unit;
            double ns = load_ns(word, is_volatile);
            slowest = ns > slowest ? ns : slowest;
            state[c] = a[word];
        }
        time += slowest + hop;
    }
    if (fails("broken"))
        state[0]++;
    return time;
}

/* Lanes whose words are in the same one of 32 banks wait for one another. */
static double chase_local(struct _cl_kernel *k, size_t items)
{
    uint32_t *a = k->argument[0].buffer->at, *state = k->argument[1].buffer->at;
    unsigned conflicts = 0, bank[32] = {0};
    for (size_t i = 0; i < items; i++)
        conflicts = ++bank[state[i] % 32] > conflicts ? bank[state[i] % 32] : conflicts;
    for (uint64_t hop = 0; items == 1 && hop < 16 * k->argument[2].number; hop++)
        state[0] = a[state[0]];
    return 10000 + 16 * (double)k->argument[2].number * (setting("hop_ns") + 25.0 * conflicts);
}

static double chase_constant(struct _cl_kernel *k)
{
    uint32_t *a = k->argument[0].buffer->at, *state = k->argument[1].buffer->at;
    for (uint64_t hop = 0; hop < 16 * k->argument[2].number; hop++)
        state[0] = a[state[0]];
    return 16 * (double)k->argument[2].number * (setting("hop_ns") + 20);
}

/* A stream: as fast as the memory or the cache, and as 600 ns of latency allow with these items. */
static double stream(double bytes, double moved, size_t items)
{
    double rate = bytes <= setting("l2") ? setting("cache_gb_per_s") : setting("gb_per_s");
    double in_flight = (double)items * 16 / 600;
    return moved / (rate < in_flight ? rate : in_flight);
}

double card_simulated(struct _cl_kernel *k, size_t first, size_t items)
{
    const char *name = k->name;
    uint64_t last = 0, step = k->argument[3].number;
    if (strcmp(name, "link_nodes") == 0) {
        uint32_t *a = k->argument[0].buffer->at, *b = k->argument[1].buffer->at;
        for (uint64_t i = 0; i < k->argument[2].number; i++)
            a[(uint64_t)b[2 * i] * k->unit] = b[2 * i + 1];
        return (double)k->argument[2].number;
    }
    if (strcmp(name, "chase") == 0)
        return chase(k, false);
    if (strcmp(name, "chase_volatile") == 0)
        return chase(k, true);
    if (strcmp(name, "arithmetic") == 0)
        return 16 * (double)k->argument[1].number * setting("hop_ns");
    if (strcmp(name, "chase_constant") == 0)
        return chase_constant(k);
    if (strcmp(name, "chase_local") == 0)
        return chase_local(k, items);
    last = k->argument[2].number;
    if (strcmp(name, "read_spaced") == 0) /* sectors of 32 bytes */
        return stream(4.0 * (double)(last * step),
                      (double)(last - first) * (step < 8 ? 4.0 * (double)step : 32), items);
    double arrays = strcmp(name, "stream_copy") == 0    ? 2
                    : strcmp(name, "stream_triad") == 0 ? 3
                                                        : 1;
    last = arrays == 3 ? step : last;
    return stream(16 * arrays * (double)last, 16 * arrays * (double)(last - first), items);
}
