/* noise.c: noise in the times of a simulated machine. */
#include "tlb/simulate/noise.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/number.h"
#include "base/random.h"
#include "tlb/simulate/model.h"
#include <math.h>
#include <string.h>

/* ---- the list ---- */

static const struct {
    const char *name, *form;
} kinds[NOISE_KINDS] = {
    {"gauss", "gauss:PERCENT, 0 to 100"},
    {"spikes", "spikes:PERCENT, 0 to 100"},
    {"drift", "drift:PERCENT, 0 to 100"},
    {"ramp", "ramp:PERCENT, 0 to 100"},
    {"lognormal", "lognormal:PERCENT, 0 to 100"},
    {"clock", "clock:PERCENT, 0 to 100"},
    {"frames", "frames:PERCENT, 0 to 100"},
    {"neighbour", "neighbour:SHARE[:DUTY[:STRETCH_MS]], two percentages and 0.001 to 1000 ms"},
    {"timer", "timer:NS, 0 to 1000000"},
};

enum { VALUES = 3 };

static enum noise_kind find_kind(const char *item, size_t length)
{
    size_t name = strcspn(item, ":,");
    for (int kind = 0; kind < NOISE_KINDS; kind++)
        if (strlen(kinds[kind].name) == name && memcmp(kinds[kind].name, item, name) == 0)
            return (enum noise_kind)kind;
    die_usage("--noise '%.*s': expected gauss, spikes, drift, ramp, lognormal, clock, frames, "
              "neighbour or timer, and an amount after a colon",
              (int)length, item);
}

/* Reads numbers, each after a colon. Returns how many; 0 if one is not a number, or negative. */
static int read_values(const char *at, const char *end, double value[VALUES])
{
    int count = 0;
    while (at < end && count < VALUES) {
        size_t length = strcspn(++at, ":,");
        if (!parse_number(at, length, &value[count]) || value[count] < 0)
            return 0;
        count++;
        at += length;
    }
    return at == end ? count : 0;
}

static void read_item(struct noise *noise, const char *item, size_t length)
{
    enum noise_kind kind = find_kind(item, length);
    double value[VALUES] = {0, 50, 5}; /* a neighbour's duty and stretch */
    int count = read_values(item + strlen(kinds[kind].name), item + length, value);
    bool good = count == 1 && value[0] <= (kind == NOISE_TIMER ? 1e6 : 100);
    if (kind == NOISE_NEIGHBOUR)
        good = count > 0 && value[0] <= 100 && value[1] <= 100 && value[2] >= 0.001 &&
               value[2] <= 1000;
    if (!good)
        die_usage("--noise '%.*s': expected %s", (int)length, item, kinds[kind].form);
    noise->part[kind] = value[0] / 100;
    if (kind == NOISE_TIMER)
        noise->timer_ns = value[0];
    if (kind == NOISE_NEIGHBOUR) {
        noise->duty = value[1] / 100;
        noise->stretch_ns = value[2] * 1e6;
    }
}

void noise_parse(struct noise *noise, const char *list)
{
    *noise = (struct noise){.timer_ns = 0};
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        read_item(noise, list, length);
        list += length + (list[length] == ',');
    }
}

/* ---- the run's clock ---- */

/* A pass over all points takes a second. Each size has its time in a pass, the same for `page` and
 * `packed`, which are measured side by side. */
static const double pass_ns = 1e9;

/* How long the clock keeps a frequency, and the period of the drift (longer than most runs), in
 * passes. */
static const double clock_passes = 2.5, drift_passes = 16;

/* Noise leaves at least this fraction of a time. */
static const double least_left = 0.1;

/* Streams of random numbers. */
enum { PER_SAMPLE = 4, PER_SIZE, PER_STEP, PER_WINDOW, PER_STRETCH };

/* Uniform in [0, 1), a function of seed, stream and number. */
static double chance(uint64_t seed, uint64_t stream, uint64_t number)
{
    struct random random;
    random_seed(&random, seed, random_mix(number, stream));
    return random_unit(&random);
}

static double start_ns(uint64_t seed, const struct point *p)
{
    return ((double)p->sample + chance(seed, PER_SIZE, random_mix(p->pages, p->sample))) * pass_ns;
}

/* Until `until` on the run's clock the neighbour is present, or not. */
struct stretch {
    bool neighbour;
    uint64_t until;
};

/* Each period has one stretch, at a random position. */
static struct stretch stretch_at(const struct noise *noise, uint64_t seed, uint64_t now)
{
    if (noise->part[NOISE_NEIGHBOUR] == 0 || noise->duty == 0)
        return (struct stretch){false, UINT64_MAX};
    uint64_t period = (uint64_t)(noise->stretch_ns / noise->duty), number = now / period;
    double quiet = fmax(0, (double)period - noise->stretch_ns);
    uint64_t begin = number * period + (uint64_t)(chance(seed, PER_STRETCH, number) * quiet);
    uint64_t end = begin + (uint64_t)noise->stretch_ns;
    if (now < begin)
        return (struct stretch){false, begin};
    return now < end ? (struct stretch){true, end} : (struct stretch){false, (number + 1) * period};
}

/* ---- a sample ---- */

/* The factor on the time of all runs, except gauss: the clock, and the page frames of the sample's
 * window of the buffer. */
static double slowness(const struct noise *noise, uint64_t seed, const struct point *p)
{
    struct point window = *p;
    window.sample = p->layout->offset(p, 1, 0); /* where it starts */
    double step = floor(start_ns(seed, p) / (clock_passes * pass_ns));
    return (1 + noise->part[NOISE_CLOCK] * chance(seed, PER_STEP, (uint64_t)step)) *
           (1 + noise->part[NOISE_FRAMES] * chance(seed, PER_WINDOW, model_stream(&window)));
}

/* The factor of gauss, drift and ramp. */
static double factor(const struct noise *noise, const struct point *p, struct random *random)
{
    const double *part = noise->part, two_pi = 6.283185307179586, pass = (double)p->sample;
    double clock = 1 + part[NOISE_DRIFT] * sin(two_pi * pass / drift_passes) +
                   part[NOISE_RAMP] * exp2(-pass);
    double jitter = 1 + part[NOISE_GAUSS] * random_normal(random);
    return fmax(least_left, clock * jitter);
}

/* Loads of a run: whole laps, at least RUN_MIN loads, and at most RUNS_MAX runs per sample, as
 * chase has them for a kernel that does not time its own runs. */
enum { RUN_MIN = 1 << 13, RUNS_MAX = 8 };

static double run_loads(const struct sample *s)
{
    double lap = (double)layout_nodes(&s->point);
    double run = ceil(fmax(RUN_MIN, s->loads / RUNS_MAX) / lap) * lap;
    return s->point.kernel->chases && run < s->loads ? run : s->loads;
}

/* The time of `loads` loads from `now` on; load_ns[1] applies with the neighbour present. */
static double run_ns(const struct noise *noise, uint64_t seed, uint64_t now, double loads,
                     const double load_ns[2])
{
    double passed = 0;
    for (;;) {
        struct stretch stretch = stretch_at(noise, seed, now);
        double left = (double)(stretch.until - now), each = load_ns[stretch.neighbour];
        if (loads * each <= left)
            return passed + loads * each;
        loads -= left / each;
        passed += left;
        now = stretch.until;
    }
}

/* The difference of two readings of the timer. */
static double timed(const struct noise *noise, double ns, struct random *random)
{
    double tick = noise->timer_ns;
    return tick > 0 ? fmax(1, floor(ns / tick + random_unit(random)) * tick) : ns;
}

/* Rounded, so systems whose sin() or log() differ in the last digit give the same table. */
static double rounded_ns(double ns)
{
    return round(ns * 1e6) / 1e6;
}

void noise_disturb(const struct noise *noise, uint64_t seed, double extra_ns, struct sample *s)
{
    struct random random;
    random_seed(&random, seed, random_mix(model_stream(&s->point), PER_SAMPLE));
    double slow = slowness(noise, seed, &s->point) * factor(noise, &s->point, &random);
    double load_ns[2] = {s->ns * slow, (s->ns + fmax(0, extra_ns)) * slow};
    bool hit = random_unit(&random) < noise->part[NOISE_SPIKES];
    double delay = -log(1 - random_unit(&random)); /* exponential, mean 1 */
    double each = run_loads(s), left = s->loads, total = 0;
    double start = start_ns(seed, &s->point);
    s->runs = fmax(1, floor(s->loads / each));
    uint64_t interrupted = random_below(&random, (uint64_t)s->runs);
    double interruption = hit ? delay * s->ns * s->loads : 0;
    s->min_ns = INFINITY;
    for (uint64_t i = 0; i < (uint64_t)s->runs; i++, left -= each) {
        double loads = i + 1 < (uint64_t)s->runs ? each : left;
        double ns = run_ns(noise, seed, (uint64_t)(start + total), loads, load_ns);
        ns *= 1 + noise->part[NOISE_LOGNORMAL] * exp(random_normal(&random));
        ns = timed(noise, ns + (i == interrupted ? interruption : 0), &random);
        s->min_ns = fmin(s->min_ns, rounded_ns(ns / loads));
        total += ns;
    }
    s->ns = rounded_ns(total / s->loads);
    s->run_s = s->loads * s->ns / 1e9;
    s->proc_s = s->refs * s->ns / 1e9;
}
