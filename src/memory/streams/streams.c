/* streams.c: streaming points and their samples. */
#include "memory/streams/streams.h"
#include "base/error.h"
#include "base/progress.h"
#include "machine/outcome.h"
#include <math.h>

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
                    uint64_t sample, bool count_allocate)
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
                           .gb_per_s = rate_moved(rate, count_allocate) / pass_ns,
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
        measure(rates, team, point, done / streams->count, streams->count_allocate);
    }
    return true;
}
