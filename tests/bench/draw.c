/* draw.c: random machines. */
#include "draw.h"
#include "base/random.h"
#include <math.h>
#include <string.h>

/* The share of machines whose levels are published. */
static const double published_share = 0.9;

/* A word with its weight. */
struct choice {
    const char *word;
    unsigned weight;
};

static double between(struct random *random, double low, double high)
{
    return low + random_unit(random) * (high - low);
}

/* Evenly on a log scale. */
static double between_log(struct random *random, double low, double high)
{
    return low * pow(high / low, random_unit(random));
}

static bool chance(struct random *random, double share)
{
    return random_unit(random) < share;
}

static uint64_t pick(struct random *random, const uint64_t *values, size_t count)
{
    return values[random_below(random, count)];
}
#define PICK(random, ...)                                                                          \
    pick(random, (const uint64_t[]){__VA_ARGS__},                                                  \
         sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static const char *pick_word(struct random *random, const struct choice *choices)
{
    unsigned total = 0;
    for (size_t i = 0; choices[i].word != NULL; i++)
        total += choices[i].weight;
    unsigned at = (unsigned)random_below(random, total);
    while (at >= choices->weight)
        at -= (choices++)->weight;
    return choices->word;
}

/* ---- the TLB ---- */

/* Sets are a power of two, as in all known processors; the ways need not be. */
static void draw_sets(struct random *random, struct drawn_tlb *t, const struct choice *indices,
                      double least, double most)
{
    double wanted = between_log(random, least, most) / (double)t->ways;
    int bits = (int)fmax(1, floor(log2(wanted) + 0.5));
    const char *index = pick_word(random, indices);
    while ((double)(t->ways << bits) > most)
        bits--;
    t->entries = t->ways << bits;
    if (strcmp(index, "xor") == 0)
        snprintf(t->index, sizeof t->index, "xor%d", bits);
    else
        snprintf(t->index, sizeof t->index, "%s", index);
}

static void draw_full(struct drawn_tlb *t, uint64_t entries)
{
    t->entries = t->ways = entries;
    snprintf(t->index, sizeof t->index, "full");
}

/* No known TLB has a tree over a number of ways that is not a power of two. Stale content would
 * stay in it: 20 ways that hold 9 pages, and half of 32, look like two levels. */
static void avoid_missing_ways(struct drawn_tlb *t)
{
    if ((t->ways & (t->ways - 1)) != 0 && strcmp(t->replacement, "plru") == 0)
        t->replacement = "lru";
}

/* Half of the first levels have a size of a real processor, the others any number. */
static void draw_first(struct random *random, struct drawn_tlb *t)
{
    static const struct choice indices[] = {{"linear", 3}, {"xor", 1}, {NULL, 0}};
    static const struct choice rules[] = {{"lru", 9}, {"plru", 5},  {"fifo", 2}, {"random", 2},
                                          {"nru", 1}, {"srrip", 1}, {NULL, 0}};
    t->replacement = pick_word(random, rules);
    t->relation = "neither";
    if (chance(random, 0.3))
        draw_full(t, PICK(random, 16, 32, 40, 48, 64, 72, 96, 128, 160, 192, 224, 256));
    else if (chance(random, 0.4))
        draw_full(t, (uint64_t)(between_log(random, 16, 257)));
    else {
        t->ways = PICK(random, 4, 4, 6, 8);
        draw_sets(random, t, indices, 16, 180);
    }
}

/* Sizes of real second levels, some with a number of sets that is not a power of two. */
static bool draw_known(struct random *random, struct drawn_tlb *t, double least)
{
    static const struct drawn_tlb known[] = {
        {1280, 5, "linear", NULL, NULL, 0},  {1280, 10, "linear", NULL, NULL, 0},
        {1536, 6, "linear", NULL, NULL, 0},  {1536, 12, "xor7", NULL, NULL, 0},
        {2560, 10, "xor8", NULL, NULL, 0},   {2560, 20, "linear", NULL, NULL, 0},
        {3000, 12, "linear", NULL, NULL, 0}, {3000, 8, "linear", NULL, NULL, 0}};
    const struct drawn_tlb *pick = &known[random_below(random, sizeof known / sizeof *known)];
    if (!chance(random, 0.2) || (double)pick->entries < least)
        return false;
    t->entries = pick->entries;
    t->ways = pick->ways;
    memcpy(t->index, pick->index, sizeof t->index);
    return true;
}

static void draw_next(struct random *random, struct drawn_tlb *t, double least, double most)
{
    static const struct choice indices[] = {{"linear", 5}, {"xor", 4}, {"hashed", 1}, {NULL, 0}};
    static const struct choice rules[] = {{"lru", 8}, {"plru", 5},  {"random", 4}, {"fifo", 2},
                                          {"nru", 1}, {"srrip", 2}, {NULL, 0}};
    static const struct choice relations[] = {
        {"neither", 4}, {"inclusive", 1}, {"exclusive", 1}, {NULL, 0}};
    t->replacement = pick_word(random, rules);
    t->relation = pick_word(random, relations);
    if (least < 1280 && most > 3000 && draw_known(random, t, least))
        return;
    if (chance(random, 0.05))
        draw_full(t, (uint64_t)between_log(random, least, most));
    else {
        t->ways = PICK(random, 4, 5, 6, 8, 8, 12, 12, 16, 16, 20, 24);
        draw_sets(random, t, indices, least, most);
    }
}

/* 32, 256 and 2048 entries. */
static void set_three(struct drawn *m)
{
    static const struct drawn_tlb levels[DRAW_LEVELS] = {{32, 32, "full", NULL, NULL, 0},
                                                         {256, 8, "linear", NULL, NULL, 0},
                                                         {2048, 16, "linear", NULL, NULL, 0}};
    for (int i = 0; i < DRAW_LEVELS; i++) {
        m->tlb[i].entries = levels[i].entries;
        m->tlb[i].ways = levels[i].ways;
        memcpy(m->tlb[i].index, levels[i].index, sizeof m->tlb[i].index);
    }
}

static void draw_tlbs(struct random *random, struct drawn *m)
{
    double kind = random_unit(random), first;
    m->tlbs = kind < 0.03 ? 0 : kind < 0.1 ? 1 : kind < 0.88 ? 2 : 3;
    m->walk_ns = between_log(random, 5, 25);
    draw_first(random, &m->tlb[0]);
    m->coalesce = (unsigned)PICK(random, 1, 1, 1, 4, 8);
    first = (double)m->tlb[0].entries;
    m->tlb[1].ns = between(random, 1.5, 3);
    if (m->tlbs < 3)
        draw_next(random, &m->tlb[1], fmax(256, 5 * first), 4096);
    else {
        draw_next(random, &m->tlb[1], fmax(128, 4 * first), fmax(400, 5 * first));
        draw_next(random, &m->tlb[2], fmax(1024, 4 * (double)m->tlb[1].entries), 6144);
        m->tlb[2].ns = m->tlb[1].ns + between(random, 2, 4);
        m->walk_ns += m->tlb[2].ns;
        if (chance(random, 0.3))
            set_three(m);
    }
    for (int i = 0; i < m->tlbs; i++)
        avoid_missing_ways(&m->tlb[i]);
}

/* Data TLBs for small pages, as published by the makers or measured; both levels of each. */
static const struct {
    uint64_t page_bytes;
    struct {
        uint64_t entries, ways;
        const char *index;
    } tlb[2];
} published[] = {
    {4096, {{64, 4, "linear"}, {512, 4, "linear"}}},            /* Intel Nehalem to Ivy Bridge */
    {4096, {{64, 4, "linear"}, {1024, 8, "linear"}}},           /* Haswell */
    {4096, {{64, 4, "linear"}, {1536, 6, "linear"}}},           /* Broadwell */
    {4096, {{64, 4, "linear"}, {1536, 12, "xor7"}}},            /* Skylake to Comet Lake */
    {4096, {{64, 4, "linear"}, {2048, 16, "xor7"}}},            /* Ice Lake, Tiger Lake */
    {4096, {{96, 6, "linear"}, {2048, 16, "xor7"}}},            /* Golden Cove, Redwood Cove */
    {4096, {{48, 48, "full"}, {2048, 4, "linear"}}},            /* Gracemont */
    {4096, {{64, 64, "full"}, {1536, 12, "linear"}}},           /* AMD Zen */
    {4096, {{64, 64, "full"}, {2048, 16, "linear"}}},           /* Zen 2 */
    {4096, {{64, 64, "full"}, {2048, 8, "0,1,2,3,4,5,6,9"}}},   /* Zen 3: measured */
    {4096, {{72, 72, "full"}, {3072, 12, "0,1,2,3,4,5,6,9"}}},  /* Zen 4: measured */
    {4096, {{96, 96, "full"}, {4096, 8, "0,1,2,3,4,5,6,7,9"}}}, /* Zen 5: measured */
    {4096, {{10, 10, "full"}, {512, 4, "linear"}}},             /* Arm Cortex-A53 */
    {4096, {{32, 32, "full"}, {1024, 4, "linear"}}},            /* Cortex-A57, A72 */
    {4096, {{48, 48, "full"}, {1280, 5, "linear"}}},            /* Cortex-A76, Neoverse N1 */
    {4096, {{48, 48, "full"}, {2048, 8, "linear"}}},            /* Neoverse V2 */
    {65536, {{64, 64, "full"}, {1024, 4, "linear"}}},           /* IBM POWER9 */
    {16384, {{160, 160, "full"}, {3072, 12, "linear"}}},        /* Apple M1 */
};

/* One of these levels. Makers do not publish how a full set replaces. */
static void draw_level(struct random *random, size_t machine, int level, struct drawn_tlb *t)
{
    static const struct choice rules[] = {
        {"lru", 6}, {"plru", 3}, {"fifo", 1}, {"random", 1}, {NULL, 0}};
    static const struct choice relations[] = {
        {"neither", 8}, {"inclusive", 1}, {"exclusive", 1}, {NULL, 0}};
    t->replacement = pick_word(random, rules);
    t->relation = level == 0 ? "neither" : pick_word(random, relations);
    t->entries = published[machine].tlb[level].entries;
    t->ways = published[machine].tlb[level].ways;
    snprintf(t->index, sizeof t->index, "%s", published[machine].tlb[level].index);
    if (strchr(t->index, ',') != NULL) { /* measured: recently used pages stay, and none moves up */
        t->replacement = "lru";
        t->relation = "neither";
    }
    avoid_missing_ways(t);
}

static void draw_published(struct random *random, struct drawn *m)
{
    size_t i = random_below(random, sizeof published / sizeof *published);
    m->page_bytes = published[i].page_bytes;
    m->line_bytes = m->page_bytes == 16384 ? 128 : 64;
    for (m->tlbs = 0; m->tlbs < 2; m->tlbs++)
        draw_level(random, i, m->tlbs, &m->tlb[m->tlbs]);
    m->tlb[1].ns = between(random, 1.5, 3);
    m->walk_ns = between_log(random, 5, 25);
    m->coalesce = (unsigned)PICK(random, 1, 1, 1, 4, 8);
}

/* ---- the caches ---- */

static void draw_caches(struct random *random, struct drawn *m)
{
    double cycle = between(random, 0.2, 0.4), ns = cycle * (double)PICK(random, 4, 5);
    uint64_t large = m->page_bytes > 4096 ? 2 : 0; /* such processors have larger caches */
    m->cache[0] = (struct drawn_cache){PICK(random, 32, 32, 48, 64) << (10 + large / 2), 0, ns};
    m->cache[0].ways = m->cache[0].bytes % 3 == 0 ? 12 : 8;
    while (m->cache[0].bytes / m->cache[0].ways > m->page_bytes) /* required by virtual indexing */
        m->cache[0].ways *= 2;
    ns = cycle * between(random, 11, 17);
    m->cache[1] = (struct drawn_cache){
        PICK(random, 256, 512, 512, 1024, 1024, 2048) << (10 + large), PICK(random, 8, 16), ns};
    ns = cycle * between(random, 40, 75);
    m->cache[2] = (struct drawn_cache){PICK(random, 8, 16, 32, 64) << 20, 16, ns};
    m->memory_ns = ns + between(random, 45, 80);
}

struct drawn draw_machine(uint64_t seed, uint64_t number)
{
    struct random random;
    struct drawn m = {.number = number};
    random_seed(&random, seed, number);
    m.page_bytes = PICK(&random, 4096, 4096, 4096, 4096, 16384, 65536);
    m.line_bytes = m.page_bytes == 16384 && chance(&random, 0.5) ? 128 : 64;
    m.memory_bytes = PICK(&random, 16, 64) << 30;
    if (chance(&random, published_share))
        draw_published(&random, &m);
    else
        draw_tlbs(&random, &m);
    draw_caches(&random, &m);
    m.neighbour = PICK(&random, 25, 50, 75);
    m.stretch_ms = PICK(&random, 1, 5, 20);
    return m;
}

/* ---- output ---- */

void draw_write(const struct drawn *m, FILE *file)
{
    fprintf(file,
            "# name: drawn %llu\n# page_bytes: %llu\n# line_bytes: %llu\n# memory_bytes: %llu\n"
            "structure\tlevel\tentries\tways\tindex\treplacement\tns\trelation\tcoalesce\n",
            (unsigned long long)m->number, (unsigned long long)m->page_bytes,
            (unsigned long long)m->line_bytes, (unsigned long long)m->memory_bytes);
    for (int i = 0; i < m->tlbs; i++)
        fprintf(file, "dtlb\t%d\t%llu\t%llu\t%s\t%s\t%.3f\t%s\t%u\n", i + 1,
                (unsigned long long)m->tlb[i].entries, (unsigned long long)m->tlb[i].ways,
                m->tlb[i].index, m->tlb[i].replacement, m->tlb[i].ns, m->tlb[i].relation,
                m->coalesce);
    if (m->tlbs > 0)
        fprintf(file, "walk\t-\t-\t-\t-\t-\t%.3f\t-\t-\n", m->walk_ns);
    for (int i = 0; i < DRAW_LEVELS; i++)
        fprintf(file, "cache\t%d\t%llu\t%llu\tlinear\tlru\t%.3f\t-\t-\n", i + 1,
                (unsigned long long)(m->cache[i].bytes / m->line_bytes),
                (unsigned long long)m->cache[i].ways, m->cache[i].ns);
    fprintf(file, "memory\t-\t-\t-\t-\t-\t%.3f\t-\t-\n", m->memory_ns);
}

double draw_reach(const struct drawn *m, int level)
{
    double pages = (double)m->tlb[level].entries;
    if (level > 0 && strcmp(m->tlb[level].relation, "exclusive") == 0)
        pages += draw_reach(m, level - 1);
    return pages;
}

double draw_step(const struct drawn *m, int level)
{
    double pages = draw_reach(m, level), load = m->memory_ns;
    for (int i = DRAW_LEVELS - 1; i >= 0; i--)
        if (pages * (double)m->line_bytes <= (double)m->cache[i].bytes)
            load = m->cache[i].ns;
    double next = level + 1 < m->tlbs ? m->tlb[level + 1].ns : m->walk_ns;
    return (next - m->tlb[level].ns) / (load + m->tlb[level].ns);
}

void draw_kinds(const struct drawn *m, char *text, size_t room)
{
    static const char *const counted[] = {"no level", "one level", "two levels", "three levels"};
    bool hashed = false, exclusive = false, rare = false;
    for (int i = 0; i < m->tlbs; i++) {
        const char *rule = m->tlb[i].replacement;
        hashed = hashed || strcmp(m->tlb[i].index, "hashed") == 0;
        exclusive = exclusive || strcmp(m->tlb[i].relation, "exclusive") == 0;
        rare = rare || strcmp(rule, "nru") == 0 || strcmp(rule, "srrip") == 0;
    }
    snprintf(text, room, "%s%s%s%s%s", counted[m->tlbs], hashed ? ",hashed" : "",
             exclusive ? ",exclusive" : "", rare ? ",NRU or SRRIP" : "",
             m->tlbs > 0 && !hashed && !exclusive && !rare ? ",plain" : "");
}

void draw_shape(const struct drawn *m, int level, char *text, size_t room)
{
    const struct drawn_tlb *t = &m->tlb[level];
    char ways[24] = "";
    if (t->ways < t->entries)
        snprintf(ways, sizeof ways, "/%llu", (unsigned long long)t->ways);
    snprintf(text, room, "%s%s-%s-%s", strchr(t->index, ',') != NULL ? "gap" : t->index, ways,
             t->replacement, t->relation);
}
