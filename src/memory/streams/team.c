/* team.c: threads that run jobs together.
 *
 *     struct team_options options = {.cpus = cpus, .count = 2, .bytes = 1 << 20};
 *     struct team *team = team_open(&options);
 *     team_reach(team, options.bytes);
 *     double ns = team_run(team, job, context);
 */
#include "memory/streams/team.h"
#include "base/error.h"
#include "measure/binding.h"
#include <math.h>
#include <stdlib.h>

/* Members write their times simultaneously, so no two share a line or a pair of adjacent lines. */
struct team_member {
    _Alignas(128) struct team *team;
    size_t number;
    uint64_t start_ns, end_ns;
    struct platform_thread *thread;
};

struct team {
    struct team_options options;
    struct team_member *members;
    struct platform_barrier barrier;
    team_job *job; /* NULL: threads end */
    void *context;
    char *memory;
    uint64_t each, bytes;   /* bytes of memory per member, and in total */
    uint64_t touched, from; /* bytes of `each` touched so far; where the next touch starts */
    double touch_ns;        /* time of all touches */
    bool refused;           /* the system refused huge pages */
    struct platform_outcome huge;
    const char *node; /* as team_node() returns it */
};

/* ---- threads ---- */

/* Runs one job; false when the thread ends. Members may sleep at the first barrier; at the second
 * all are awake and start together. */
static bool work(struct team_member *member)
{
    struct team *team = member->team;
    platform_barrier_wait(&team->barrier);
    platform_barrier_wait(&team->barrier);
    team_job *job = team->job; /* member 0 may already have set the next one when this one ends */
    member->start_ns = platform_now_ns();
    if (job != NULL)
        job(team->context, member->number);
    member->end_ns = platform_now_ns();
    platform_barrier_wait(&team->barrier);
    return job != NULL;
}

static void run_thread(void *context)
{
    struct team_member *member = context;
    platform_pin_to(member->team->options.cpus[member->number]);
    while (work(member))
        ;
}

double team_run(struct team *team, team_job *job, void *context)
{
    team->job = job;
    team->context = context;
    work(&team->members[0]);
    uint64_t start = UINT64_MAX, end = 0;
    for (size_t i = 0; i < team->options.count; i++) {
        start = team->members[i].start_ns < start ? team->members[i].start_ns : start;
        end = team->members[i].end_ns > end ? team->members[i].end_ns : end;
    }
    return (double)(end - start);
}

static void start_threads(struct team *team)
{
    char why[PLATFORM_WHY_ROOM];
    size_t count = team->options.count;
    team->members = aligned_alloc(_Alignof(struct team_member), count * sizeof *team->members);
    if (team->members == NULL)
        die("out of memory");
    for (size_t i = 0; i < count; i++)
        team->members[i] = (struct team_member){.team = team, .number = i};
    platform_pin_to(team->options.cpus[0]);
    for (size_t i = 1; i < count; i++) {
        struct team_member *member = &team->members[i];
        member->thread = platform_thread_start(run_thread, member, why);
        if (member->thread == NULL)
            die("the system starts fewer than %zu threads: %s", count, why);
    }
}

/* ---- memory ---- */

/* With larger huge pages the wasted memory outweighs the saved translations. */
static const uint64_t page_most = (uint64_t)32 << 20;

/* The page size of the memory. */
static uint64_t page_of(const struct team_options *options)
{
    uint64_t huge = options->base_pages ? 0 : platform_huge_bytes();
    return huge > 0 && huge <= page_most ? huge : platform_page_bytes();
}

static uint64_t each_of(const struct team_options *options)
{
    uint64_t page = page_of(options);
    return (options->bytes + page - 1) / page * page;
}

double team_needs(const struct team_options *options)
{
    return (double)(options->count - options->without) * (double)each_of(options);
}

/* Maps the memory of all members at once, so that the pool of huge pages is checked for all. */
static void map_memory(struct team *team)
{
    uint64_t page = page_of(&team->options);
    team->each = each_of(&team->options);
    size_t parts = team->options.count - team->options.without;
    if (team->each > SIZE_MAX / 2 / parts)
        die("%zu times %llu bytes do not fit into the address space", parts,
            (unsigned long long)team->each);
    team->bytes = team->each * parts;
    team->huge.verdict = PLATFORM_NO;
    if (page > platform_page_bytes())
        team->memory = platform_map_huge(team->bytes, page, page, team->bytes / page, &team->huge);
    else
        snprintf(team->huge.why, sizeof team->huge.why,
                 team->options.base_pages ? "not requested"
                                          : "the system has none of a useful size");
    struct platform_outcome base;
    if (team->memory == NULL)
        team->memory = platform_map(team->bytes, page, &base);
    if (team->memory == NULL)
        die("the system refuses %.0f MiB of memory: %s", (double)team->bytes / 0x1p20, base.why);
    node_bind(team->options.node, team->memory, team->bytes);
}

static void touch(void *context, size_t member)
{
    struct team *team = context;
    uint64_t page = page_of(&team->options);
    if (member < team->options.without)
        return;
    char *own = team_memory(team, member);
    for (uint64_t at = team->from; at < team->touched; at += page) {
        if (!team->refused && !platform_touch(own + at, page))
            die("the system has no more pages of %llu bytes", (unsigned long long)page);
        for (uint64_t i = 0; i < page; i += sizeof(double))
            *(double *)(void *)(own + at + i) = 1;
    }
}

/* Bytes in whole pages. */
static uint64_t reach_of(const struct team *team, uint64_t bytes)
{
    uint64_t page = page_of(&team->options);
    return bytes < team->each ? (bytes + page - 1) / page * page : team->each;
}

void team_reach(struct team *team, uint64_t bytes)
{
    uint64_t page = page_of(&team->options), reach = reach_of(team, bytes);
    size_t parts = team->options.count - team->options.without;
    if (reach <= team->touched)
        return;
    team->from = team->touched;
    team->touched = reach;
    team->touch_ns += team_run(team, touch, team);
    if (!team->refused)
        team->huge = platform_huge(team->memory, team->bytes, page, reach / page * parts);
    team->node = node_verify(team->options.node, team->memory, team->bytes / page, page);
}

double team_reach_s(const struct team *team, uint64_t bytes)
{
    static const double least_ns = 1; /* per new byte, when many threads touch memory */
    uint64_t reach = reach_of(team, bytes);
    double ns = team->touched > 0 ? fmax(least_ns, team->touch_ns / (double)team->touched)
                                  : least_ns;
    return reach > team->touched ? (double)(reach - team->touched) * ns / 1e9 : 0;
}

/* ---- a team ---- */

struct team *team_open(const struct team_options *options)
{
    struct team *team = allocate(1, sizeof *team);
    team->options = *options;
    team->barrier.count = options->count;
    map_memory(team);
    team->refused = team->huge.verdict == PLATFORM_NO;
    start_threads(team);
    return team;
}

void team_close(struct team *team)
{
    team->job = NULL;
    work(&team->members[0]);
    for (size_t i = 1; i < team->options.count; i++)
        platform_thread_join(team->members[i].thread);
    platform_unmap(team->memory, team->bytes);
    free(team->members);
    free(team);
}

size_t team_count(const struct team *team)
{
    return team->options.count;
}

char *team_memory(const struct team *team, size_t member)
{
    return team->memory + (member - team->options.without) * team->each;
}

struct platform_outcome team_huge(const struct team *team)
{
    return team->huge;
}

const char *team_node(const struct team *team)
{
    return team->node;
}
