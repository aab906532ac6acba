/* streams.c: the rates at which a team streams through its memory.
 *
 *     struct rate rate = rate_of(op, 1 << 20, 0, 0, team_count(team));
 *     rate_choose(&rate, team);
 *     double ns = rate_time(&rate, team, passes);
 */
#include "memory/streams/streams.h"
#include "base/error.h"
#include "base/progress.h"
#include "machine/outcome.h"
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

double rate_moved(const struct rate *rate)
{
    return (double)rate->members * (double)elements_moved(rate, rate->part) *
           stream_bytes(rate->op);
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
    return (double)elements_moved(rate, length) * stream_bytes(rate->op);
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

/* ---- points and their samples ---- */

void streams_add(struct streams *streams, const struct rate *rate)
{
    streams->at = reallocate(streams->at, streams->count + 1, sizeof *streams->at);
    streams->at[streams->count++] = (struct stream_point){.rate = *rate};
    if (rate_memory(rate) > streams->memory)
        streams->memory = rate_memory(rate);
}

/* A rate that most memory reaches. [prior] */
static const double bytes_a_ns = 10;

/* Seconds of a sample: as measured; before that, estimated at bytes_a_ns. */
static double estimate_s(const struct stream_point *point, double least_ns)
{
    double pass = point->passes > 0 ? point->pass_ns
                                    : (double)rate_bytes(&point->rate) / bytes_a_ns;
    return (pass + fmax(pass, least_ns)) / 1e9;
}

/* Seconds of rate_choose(): a few dozen passes over at most that many bytes. */
static double choosing_s(const struct stream_point *point)
{
    static const double passes = 60, most = 64 << 20;
    if (point->rate.kernel != NULL)
        return 0;
    return 0.1 + passes * fmin(most, (double)rate_bytes(&point->rate)) / bytes_a_ns / 1e9;
}

/* An untimed pass warms the caches, unless a pass is too long for them to matter. */
static double time_sample(const struct rates *rates, struct team *team, struct stream_point *point)
{
    static const double long_pass_ns = 100e6;
    double least_ns = rate_least_ns(rates->clock);
    if (point->rate.kernel == NULL)
        rate_choose(&point->rate, team);
    if (point->passes == 0)
        point->passes = rate_passes(&point->rate, team, least_ns);
    else if (point->pass_ns < long_pass_ns)
        rate_time(&point->rate, team, 1);
    double ns = rate_time(&point->rate, team, point->passes);
    for (; ns < least_ns; ns = rate_time(&point->rate, team, point->passes))
        point->passes = (uint64_t)((double)point->passes * fmin(least_ns / ns * 1.1, 1000)) + 1;
    point->pass_ns = ns / (double)point->passes;
    return point->pass_ns;
}

static void measure(const struct rates *rates, struct team *team, struct stream_point *point,
                    uint64_t sample)
{
    const struct rate *rate = &point->rate;
    uint64_t begin = platform_now_ns();
    double pass_ns = time_sample(rates, team, point);
    struct rate_row row = {.op = rate->op->name,
                           .kernel = rate->kernel->name,
                           .bytes = (double)rate_bytes(rate),
                           .threads = (double)rate->members,
                           .sample = (double)sample,
                           .spacing = rate->spacing > 0 ? (double)rate->spacing : 8,
                           .delay_ns = NAN,
                           .gb_per_s = rate_moved(rate) / pass_ns,
                           .ns = NAN,
                           .huge = outcome_keep(team_huge(team)),
                           .node = team_node(team),
                           .t_s = rates_time(rates, begin),
                           .run_s = (double)(platform_now_ns() - begin) / 1e9};
    rates_put(rates, &row);
}

/* Seconds of the samples left after `done`. */
static double left_s(const struct rates *rates, const struct streams *streams, size_t done)
{
    double left = 0, least_ns = rate_least_ns(rates->clock);
    for (size_t i = 0; i < streams->count; i++) {
        uint64_t taken = done / streams->count + (i < done % streams->count);
        left += estimate_s(&streams->at[i], least_ns) * (double)(rates->samples - taken) +
                choosing_s(&streams->at[i]);
    }
    return left;
}

size_t streams_samples(const struct rates *rates, const struct streams *streams)
{
    return rates_samples(rates, streams->count);
}

double streams_seconds(const struct rates *rates, const struct streams *streams)
{
    return left_s(rates, streams, 0);
}

bool streams_measure(const struct rates *rates, struct team *team, struct streams *streams,
                     const struct streams_beside *beside)
{
    double least_ns = rate_least_ns(rates->clock);
    size_t all = streams_samples(rates, streams);
    for (size_t done = 0; done < all; done++) {
        struct stream_point *point = &streams->at[done % streams->count];
        uint64_t memory = rate_memory(&point->rate);
        if (!rates_has_time(rates, team_reach_s(team, memory) + estimate_s(point, least_ns) +
                                       choosing_s(point)))
            return false;
        team_reach(team, memory); /* late, so a short budget still gets the small sizes */
        progress_draw(beside->before + done, beside->all,
                      left_s(rates, streams, done) + beside->later_s);
        measure(rates, team, point, done / streams->count);
    }
    return true;
}
