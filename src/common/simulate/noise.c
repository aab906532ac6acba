/* noise.c: noise in the times of a simulated machine.
 *
 *     struct noise noise;
 *     noise_parse(&noise, "gauss:2,spikes:1");
 *     model_measure(&model, &point, seed, &sample);
 *     noise_disturb(&noise, seed, &sample);
 */
#include "simulate/noise.h"
#include "base/error.h"
#include "base/number.h"
#include "base/random.h"
#include "simulate/model.h"
#include <math.h>
#include <string.h>

static const char *const names[NOISE_KINDS] = {"gauss", "spikes", "drift", "ramp"};

/* Period of the drift in passes over all points: longer than most runs. */
static const double drift_period = 16;

/* Noise leaves at least this share of a time. */
static const double least_left = 0.1;

void noise_parse(struct noise *noise, const char *list)
{
    *noise = (struct noise){{0}};
    while (*list != '\0') {
        size_t length = strcspn(list, ","), name = strcspn(list, ":,");
        double percent;
        int kind = 0;
        while (kind < NOISE_KINDS &&
               (strlen(names[kind]) != name || memcmp(names[kind], list, name) != 0))
            kind++;
        if (kind == NOISE_KINDS || name == length ||
            !parse_number(list + name + 1, length - name - 1, &percent) || percent < 0 ||
            percent > 100)
            die_usage("--noise '%.*s': expected gauss, spikes, drift or ramp, a colon, and from 0 "
                      "to 100 per cent",
                      (int)length, list);
        noise->part[kind] = percent / 100;
        list += length + (list[length] == ',');
    }
}

/* The factor on this sample's time. The sample number is the clock: all samples of a pass over the
 * points are taken at once. */
static double factor(const struct noise *noise, uint64_t seed, const struct sample *sample)
{
    const double *part = noise->part, two_pi = 6.283185307179586;
    struct random random;
    random_seed(&random, seed, random_mix(model_stream(&sample->point), NOISE_KINDS));
    double pass = (double)sample->point.sample;
    double clock = 1 + part[NOISE_DRIFT] * sin(two_pi * pass / drift_period) +
                   part[NOISE_RAMP] * exp2(-pass);
    double jitter = 1 + part[NOISE_GAUSS] * random_normal(&random);
    bool hit = random_unit(&random) < part[NOISE_SPIKES];
    double delay = -log(1 - random_unit(&random)); /* exponential, mean 1 */
    return fmax(least_left, clock * jitter) + (hit ? delay : 0);
}

/* Rounded, so that another system's sin() or log(), off in the last digit, gives the same table. */
void noise_disturb(const struct noise *noise, uint64_t seed, struct sample *sample)
{
    sample->ns = round(sample->ns * factor(noise, seed, sample) * 1e6) / 1e6;
    sample->min_ns = sample->ns; /* all laps are alike */
    sample->laps = 1;
    sample->run_s = sample->loads * sample->ns / 1e9;
    sample->proc_s = sample->refs * sample->ns / 1e9;
}
