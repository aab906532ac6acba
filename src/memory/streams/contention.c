/* contention.c: loaded latency and false sharing. */
#include "memory/streams/contention.h"
#include "access/chain.h"
#include "access/kernel.h"
#include "base/error.h"
#include "base/random.h"
#include "machine/outcome.h"
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- the chain ---- */

double victim_needs(uint64_t bytes, uint64_t line_bytes)
{
    uint64_t lines = bytes / line_bytes;
    return (double)bytes + (double)lines * sizeof(uint32_t);
}

struct victim victim_open(const struct team_options *alone, uint64_t line_bytes, uint64_t seed)
{
    uint64_t nodes = alone->bytes / line_bytes;
    struct victim victim = {team_open(alone), nodes * line_bytes, line_bytes, NULL};
    struct random random;
    team_reach(victim.team, alone->bytes);
    char *memory = team_memory(victim.team, 0);
    uint32_t *next = allocate(nodes, sizeof *next);
    random_seed(&random, seed, nodes);
    chain_cycle(next, nodes, &random);
    for (uint64_t i = 0; i < nodes; i++)
        *(void **)(void *)(memory + i * line_bytes) = memory + next[i] * line_bytes;
    free(next);
    victim.node = (void **)(void *)memory;
    return victim;
}

/* ---- loaded latency ---- */

/* Bytes a member has streamed, and its time; no two members share a line. */
struct streamed {
    _Alignas(128) double bytes;
    uint64_t ns;
};

struct loaded_job {
    struct victim *victim;
    struct team *team;
    const struct rate *rate;
    uint64_t delay_ns, loads, chased; /* loads requested and loads timed */
    double chase_ns;
    struct streamed *streamed; /* of each member */
    _Alignas(128) atomic_bool over;
};

/* The first loads are not timed, which lets all members start streaming. */
static void chase(struct loaded_job *job)
{
    struct kernel_work work = {.start = {job->victim->node}, .loads = job->loads / 8};
    uint64_t end[KERNEL_CHAINS];
    kernels[KERNEL_READ].run(&work, end);
    work.start[0] = (void **)(uintptr_t)end[0];
    work.loads = job->loads;
    uint64_t start = platform_now_ns();
    job->chased = kernels[KERNEL_READ].run(&work, end);
    job->chase_ns = (double)(platform_now_ns() - start);
    job->victim->node = (void **)(uintptr_t)end[0];
    atomic_store(&job->over, true);
}

static void stream_blocks(struct loaded_job *job, size_t member)
{
    uint64_t at = 0, start = platform_now_ns();
    double bytes = 0;
    while (!atomic_load_explicit(&job->over, memory_order_relaxed)) {
        bytes += rate_block(job->rate, job->team, member, &at);
        if (job->delay_ns == 0)
            continue;
        uint64_t begin = platform_now_ns();
        while (platform_now_ns() - begin < job->delay_ns &&
               !atomic_load_explicit(&job->over, memory_order_relaxed))
            ;
    }
    job->streamed[member] = (struct streamed){.bytes = bytes, .ns = platform_now_ns() - start};
}

static void chase_or_stream(void *context, size_t member)
{
    struct loaded_job *job = context;
    if (member == 0)
        chase(job);
    else if (job->rate != NULL)
        stream_blocks(job, member);
}

/* Bytes a second of all streaming members during a chase of at least least_ns. */
static double run_loaded(struct loaded_job *job, double least_ns)
{
    double bytes_per_s = 0;
    size_t count = team_count(job->team);
    job->streamed = aligned_alloc(_Alignof(struct streamed), count * sizeof *job->streamed);
    if (job->streamed == NULL)
        die("out of memory");
    job->chase_ns = 0;
    for (job->loads = 1 << 14; job->chase_ns < least_ns; job->loads *= 2) {
        job->over = false;
        job->chased = 0;
        team_run(job->team, chase_or_stream, job);
    }
    for (size_t i = 1; i < count && job->rate != NULL; i++)
        bytes_per_s += job->streamed[i].bytes / (double)job->streamed[i].ns * 1e9;
    free(job->streamed);
    return bytes_per_s;
}

struct loaded_run {
    struct rates *rates;
    struct team *team;
    struct victim *victim;
    const struct rate *rate;
    const struct range *delays;
};

/* The first point is the chase alone. */
static void put_loaded(void *context, uint64_t sample, size_t i)
{
    const struct loaded_run *l = context;
    const struct rate *rate = i > 0 ? l->rate : NULL;
    uint64_t delay = i > 0 ? l->delays->values[i - 1] : 0;
    uint64_t begin = platform_now_ns();
    struct loaded_job job = {.victim = l->victim, .team = l->team, .rate = rate, .delay_ns = delay};
    struct rate_row row = {.op = "chase",
                           .bytes = (double)l->victim->bytes,
                           .threads = i > 0 ? (double)team_count(l->team) : 1,
                           .sample = (double)sample,
                           .spacing = (double)l->victim->line_bytes,
                           .delay_ns = i > 0 ? (double)delay : NAN,
                           .gb_per_s = NAN,
                           .huge = outcome_keep(team_huge(l->victim->team)),
                           .node = team_node(l->victim->team),
                           .t_s = rates_time(l->rates, begin)};
    double bytes_per_s = run_loaded(&job, rate_least_ns(l->rates->clock));
    row.run_s = (double)(platform_now_ns() - begin) / 1e9;
    row.ns = job.chase_ns / (double)job.chased;
    rates_put(l->rates, &row);
    if (rate == NULL)
        return;
    row.op = rate->op->name;
    row.kernel = rate->kernel->name;
    row.bytes = (double)rate_bytes(rate);
    row.spacing = 8;
    row.huge = outcome_keep(team_huge(l->team));
    row.node = team_node(l->team);
    row.gb_per_s = bytes_per_s / 1e9;
    row.ns = row.run_s = NAN; /* the previous row holds the time */
    rates_put(l->rates, &row);
}

bool loaded_latency(struct rates *rates, struct team *team, struct victim *victim,
                    const struct streams *streams, const struct range *delays)
{
    bool complete = true;
    for (size_t i = 0; i < streams->count && complete; i++) {
        struct rate *rate = &streams->at[i].rate;
        struct loaded_run run = {rates, team, victim, rate, delays};
        if (rate->kernel == NULL)
            rate_choose(rate, team);
        complete = rates_sample(rates, 1 + delays->count, "--delay, --samples", put_loaded, &run);
    }
    return complete;
}

/* ---- false sharing ---- */

struct sharing_job {
    char *memory;
    size_t members;
    uint64_t spacing, increments;
};

static void increment(void *context, size_t member)
{
    const struct sharing_job *job = context;
    if (member >= job->members)
        return;
    _Atomic uint64_t *counter = (_Atomic uint64_t *)(void *)(job->memory + member * job->spacing);
    for (uint64_t i = job->increments; i > 0; i--)
        atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

struct sharing_run {
    struct rates *rates;
    struct team *team;
    const struct range *spacings;
};

/* The first point is one thread alone. */
static void put_sharing(void *context, uint64_t sample, size_t i)
{
    const struct sharing_run *s = context;
    uint64_t spacing = i > 0 ? s->spacings->values[i - 1] : 0, begin = platform_now_ns();
    struct sharing_job job = {team_memory(s->team, 0), i > 0 ? 2 : 1, spacing, 1 << 14};
    double ns, least_ns = rate_least_ns(s->rates->clock);
    while ((ns = team_run(s->team, increment, &job)) < least_ns)
        job.increments *= ns < least_ns / 4 ? 4 : 2;
    struct rate_row row = {.op = "sharing",
                           .bytes = (double)(spacing + sizeof(uint64_t)),
                           .threads = (double)job.members,
                           .sample = (double)sample,
                           .spacing = i > 0 ? (double)spacing : NAN,
                           .delay_ns = NAN,
                           .gb_per_s = NAN,
                           .ns = ns / (double)job.increments,
                           .huge = outcome_keep(team_huge(s->team)),
                           .node = team_node(s->team),
                           .t_s = rates_time(s->rates, begin),
                           .run_s = (double)(platform_now_ns() - begin) / 1e9};
    rates_put(s->rates, &row);
}

bool false_sharing(struct rates *rates, struct team *team, const struct range *spacings)
{
    struct sharing_run run = {rates, team, spacings};
    return rates_sample(rates, 1 + spacings->count, "--spacing, --samples", put_sharing, &run);
}
