/* rate.c: the rate at which a team streams through its memory.
 *
 *     struct rate rate = rate_of(op, 1 << 20, 0, 0, team_count(team));
 *     rate_choose(&rate, team);
 *     double ns = rate_time(&rate, team, passes);
 */
#include "memory/streams/rate.h"
#include <math.h>

enum { BLOCK_BYTES = STREAM_BLOCK * 8 };

/* Each array starts on a new page. */
static const uint64_t array_step = 4096;

static const double sample_least_ns = 10e6, clock_share = 0.001;

/* ---- sizes ---- */

struct rate rate_of(const struct stream_op *op, uint64_t bytes, uint64_t spacing, size_t first,
                    size_t members)
{
    uint64_t part = bytes / op->arrays / members / BLOCK_BYTES * BLOCK_BYTES;
    return (struct rate){
        .op = op, .part = part, .spacing = spacing, .first = first, .members = members};
}

uint64_t rate_bytes(const struct rate *rate)
{
    return rate->part * rate->op->arrays * rate->members;
}

static uint64_t array_distance(const struct rate *rate)
{
    return (rate->part + array_step - 1) / array_step * array_step;
}

uint64_t rate_memory(const struct rate *rate)
{
    return array_distance(rate) * rate->op->arrays;
}

static uint64_t elements_moved(const struct rate *rate, uint64_t bytes)
{
    return rate->spacing > 0 ? (bytes + rate->spacing - 1) / rate->spacing : bytes / 8;
}

double rate_moved(const struct rate *rate, bool allocate)
{
    return (double)rate->members * (double)elements_moved(rate, rate->part) *
           stream_bytes(rate->op, rate->kernel, allocate);
}

double rate_least_ns(struct clock_quality clock)
{
    return fmax(sample_least_ns, fmax(clock.overhead_ns, clock.resolution_ns) / clock_share);
}

/* ---- jobs ---- */

/* Each member streams `length` bytes of each of its arrays, starting at byte `from`. */
struct job {
    const struct rate *rate;
    const struct stream_kernel *kernel;
    const struct team *team;
    uint64_t from, length, passes;
};

static void stream(void *context, size_t member)
{
    const struct job *job = context;
    const struct rate *rate = job->rate;
    if (member < rate->first || member >= rate->first + rate->members)
        return;
    char *memory = team_memory(job->team, member) + job->from;
    uint64_t distance = array_distance(rate);
    struct stream_work work = {.loop = rate->spacing > 0 ? STREAM_SPACED : rate->op->loop,
                               .a = (double *)(void *)memory,
                               .b = (double *)(void *)(memory + distance),
                               .c = (double *)(void *)(memory + 2 * distance),
                               .count = job->length / 8,
                               .passes = job->passes,
                               .spacing = rate->spacing / 8};
    job->kernel->run(&work);
}

double rate_time(const struct rate *rate, struct team *team, uint64_t passes)
{
    struct job job = {rate, rate->kernel, team, 0, rate->part, passes};
    return team_run(team, stream, &job);
}

uint64_t rate_passes(const struct rate *rate, struct team *team, double least_ns)
{
    uint64_t passes = 1;
    double ns = rate_time(rate, team, passes);
    while (ns < least_ns / 8 && passes < UINT64_MAX / 16) {
        passes *= ns < least_ns / 64 ? 8 : 2;
        ns = rate_time(rate, team, passes);
    }
    return ns >= least_ns ? passes : (uint64_t)((double)passes * least_ns / ns * 1.05) + 1;
}

double rate_block(const struct rate *rate, const struct team *team, size_t member, uint64_t *at)
{
    enum { LENGTH = 16384 };
    uint64_t left = rate->part - *at, length = left < LENGTH ? left : LENGTH;
    struct job job = {rate, rate->kernel, team, *at, length, 1};
    stream(&job, member);
    *at = length < left ? *at + length : 0;
    return (double)elements_moved(rate, length) * stream_bytes(rate->op, rate->kernel, false);
}

/* ---- the fastest kernel ---- */

/* A trial streams a part of up to WHOLE bytes as a whole, as the samples do: caches may keep some
 * of it from pass to pass, and a kernel that happened to get a cached piece would look the fastest.
 * In a longer part each trial streams the next piece, which is as cold as in a whole pass. */
enum { WHOLE = 32 << 20, PIECE = 8 << 20 };

/* Short trials of all kernels, repeated so one disturbed trial does not eliminate the fastest; then
 * longer trials of the kernels close to it. */
static const struct {
    double ns, share; /* length of a trial; fraction of the best rate a kernel needs to take part */
} rounds[] = {{1e5, 0}, {1e5, 0.5}, {1e5, 0.5}, {1e6, 0.8}, {1e6, 0.9}, {1e6, 0.9}, {1e6, 0.9}};

struct contest {
    struct rate *rate;
    struct team *team;
    struct job job;
    double best[64]; /* bytes/ns of each kernel; 0: it cannot do the op */
    size_t count;
};

/* Bytes/ns of one trial, which takes about `ns` if the part is short enough. */
static double try_kernel(struct contest *contest, const struct stream_kernel *kernel, double ns)
{
    struct job *job = &contest->job;
    uint64_t part = contest->rate->part;
    bool whole = part <= WHOLE;
    job->kernel = kernel;
    job->passes = 1;
    job->length = whole ? part : PIECE;
    job->from = whole || job->from + 2 * (uint64_t)PIECE > part ? 0 : job->from + PIECE;
    double taken = team_run(contest->team, stream, job);
    while (whole && taken < ns && job->passes < UINT64_MAX / 16) {
        job->passes = taken * 8 < ns ? job->passes * 8
                                     : (uint64_t)((double)job->passes * ns / taken * 1.1) + 1;
        taken = team_run(contest->team, stream, job);
    }
    return (double)job->passes * (double)job->length / taken;
}

/* One trial of each kernel still in the running; of those that bypass the caches, or of the
 * others. */
static void round_of(struct contest *contest, bool past, double ns, double share)
{
    for (size_t k = 0; k < contest->count; k++) {
        const struct stream_kernel *kernel = stream_kernel(k);
        if (stream_unfit(kernel, contest->rate->op, contest->rate->spacing > 0) != NULL ||
            kernel->past != past || contest->best[k] < share)
            continue;
        double rate = try_kernel(contest, kernel, ns);
        if (rate > contest->best[k])
            contest->best[k] = rate;
    }
}

static size_t leader(const struct contest *contest)
{
    size_t best = 0;
    for (size_t k = 1; k < contest->count; k++)
        if (contest->best[k] > contest->best[best])
            best = k;
    return best;
}

void rate_choose(struct rate *rate, struct team *team)
{
    struct contest contest = {.rate = rate, .team = team, .job = {.rate = rate, .team = team}};
    while (contest.count < sizeof contest.best / sizeof *contest.best &&
           stream_kernel(contest.count) != NULL)
        contest.count++;
    for (int past = 0; past < 2; past++)
        for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++)
            round_of(&contest, past, rounds[i].ns,
                     rounds[i].share * contest.best[leader(&contest)]);
    rate->kernel = stream_kernel(leader(&contest));
}
