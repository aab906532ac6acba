/* accuracy: compares the answers of detect for random simulated machines with the truth. A worker
 * of tests/bench/accuracy, which starts several and sums up.
 *
 * usage: accuracy SEED FIRST LAST DUTY   rows for these machines, with a neighbour for DUTY per
 * cent of the time accuracy SEED NUMBER            the description of one, for simulate(1)
 *
 * A machine's curve is simulated once, without noise, and once with the neighbour's entries taken;
 * NOISES_EACH kinds of noise are drawn and added afterwards.
 * Chains and page frames of a point are drawn CHAINS times, and its samples use them in turn, so
 * that page frames vary between samples as on hardware. Samples lie at eight places of the buffer
 * in turn (layout_place()), so CHAINS is a multiple of eight.
 */
#include "access/kernel.h"
#include "access/layout.h"
#include "base/args.h"
#include "base/error.h"
#include "base/random.h"
#include "draw.h"
#include "measure/run.h"
#include "tlb/detect/boundary.h"
#include "tlb/detect/segment.h"
#include "tlb/detect/tlb_levels.h"
#include "tlb/plan/plan.h"
#include "tlb/simulate/model.h"
#include "tlb/simulate/noise.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHAINS = 8, SEGMENT_EVERY = 20, SEGMENT_SAMPLES = 30 };

static const char *const noises[] = {"gauss:0",  "gauss:1",  "gauss:3", "gauss:10",
                                     "spikes:2", "drift:3",  "ramp:10", "lognormal:2",
                                     "clock:5",  "frames:2", "timer:20"};
enum { NOISES = sizeof noises / sizeof *noises, NOISES_EACH = 4, NOISES_APART = 3 };

/* A row belongs to a level when it is within this share of it. A sweep need not find a step below
 * `visible_least` of a load. */
static const double match_most = 0.25, visible_least = 0.05;

/* ---- measuring ---- */

/* Samples without noise by point and chain: a hash table with open addressing, its size a power of
 * two. */
struct memo {
    uint64_t *key; /* 0: free */
    struct sample *sample;
    size_t count, room;
};

struct bench {
    struct drawn truth;
    struct model model, beside; /* beside: with the neighbour */
    uint64_t seed;
    struct memo memo, beside_memo;
    const struct noise *noise; /* of the sweep at hand */
};

static size_t memo_place(const struct memo *memo, uint64_t key)
{
    size_t place = (size_t)key & (memo->room - 1);
    while (memo->key[place] != 0 && memo->key[place] != key)
        place = (place + 1) & (memo->room - 1);
    return place;
}

static void memo_free(struct memo *memo)
{
    free(memo->key);
    free(memo->sample);
}

static void memo_grow(struct memo *memo)
{
    struct memo old = *memo;
    memo->room = old.room > 0 ? 2 * old.room : 1024;
    memo->key = allocate(memo->room, sizeof *memo->key);
    memo->sample = allocate(memo->room, sizeof *memo->sample);
    for (size_t i = 0; i < old.room; i++) {
        size_t place = memo_place(memo, old.key[i]);
        memo->key[place] = old.key[i];
        memo->sample[place] = old.sample[i];
    }
    memo_free(&old);
}

/* The sample at a point without noise, for the point's chain. */
static struct sample undisturbed(struct memo *memo, const struct model *model, uint64_t seed,
                                 const struct point *point)
{
    struct point chain = *point;
    chain.sample %= point->buffer > 0 ? 1 : CHAINS; /* windows of `box` are many in one chain */
    uint64_t key = model_stream(&chain) | 1;
    if (2 * memo->count >= memo->room)
        memo_grow(memo);
    size_t place = memo_place(memo, key);
    if (memo->key[place] == 0) {
        model_measure(model, &chain, seed, &memo->sample[place]);
        memo->key[place] = key;
        memo->count++;
    }
    struct sample sample = memo->sample[place];
    sample.point = *point;
    sample.t_s = (double)point->sample;
    return sample;
}

static const char *refuses(void *self, const struct point *point)
{
    return model_refuses(&((const struct bench *)self)->model, point);
}

static double estimate_s(void *self, const struct point *point)
{
    (void)self;
    (void)point;
    return 0; /* there is no budget */
}

static void measure(void *self, const struct point *point, struct sample *sample)
{
    struct bench *b = self;
    double extra_ns = 0;
    *sample = undisturbed(&b->memo, &b->model, b->seed, point);
    if (b->noise->part[NOISE_NEIGHBOUR] > 0)
        extra_ns = undisturbed(&b->beside_memo, &b->beside, b->seed, point).ns - sample->ns;
    noise_disturb(b->noise, b->seed, extra_ns, sample);
}

/* The samples of simulate on that machine, apart from the noise. */
static void sweep(struct bench *b, const struct plan_options *plan, struct series *series)
{
    struct machine machine = {
        .self = b, .refuses = refuses, .estimate_s = estimate_s, .measure = measure};
    struct run_options options = {.machine = &machine, .budget_s = INFINITY, .no_table = true};
    series_init(series);
    plan_run(plan, &options, series);
    series_sort(series);
}

static void by_control(struct bench *b, struct boundaries *found)
{
    struct plan_options plan = option_plan(NULL, 0, b->model.page_bytes, b->model.line_bytes);
    struct series series;
    sweep(b, &plan, &series);
    tlb_levels_find(&series, found);
    boundaries_judge(found, NULL);
    series_free(&series);
}

/* The whitepaper's own schedule: its finest grid, 512 MiB, 30 samples. */
static void by_segment(struct bench *b, struct boundaries *found)
{
    struct plan_options plan = option_plan(NULL, 0, b->model.page_bytes, b->model.line_bytes);
    uint64_t l1d = b->truth.cache[0].bytes;
    plan.kind = PLAN_DENSITY;
    plan.density = &densities[2]; /* high */
    plan.spacing = DENSITY_STRIDE;
    plan.samples = SEGMENT_SAMPLES;
    plan.buffer_bytes = 512 << 20;
    plan.l1d_bytes = l1d;
    struct series series;
    sweep(b, &plan, &series);
    const struct point *like = NULL;
    for (size_t i = 0; i < series.count && like == NULL; i++)
        if (group_layout(&series.groups[i])->windows)
            like = &series.groups[i].point;
    if (like != NULL)
        segment_detect(&series, like, l1d, b->model.line_bytes, found);
    boundaries_judge(found, NULL);
    series_free(&series);
}

/* ---- judging ---- */

struct verdict {
    const char *method, *noise;
    const struct boundary *row[DRAW_LEVELS]; /* of each level, or NULL */
};

static double distance(const struct boundary *row, double pages)
{
    return fabs(log(row->entries / pages));
}

/* A level's row is the nearest one within 25 per cent of it that is not nearer to another level. */
static int level_of(const struct drawn *truth, const struct boundary *row)
{
    int best = -1;
    for (int i = 0; i < truth->tlbs; i++)
        if (fabs(row->entries / draw_reach(truth, i) - 1) <= match_most &&
            (best < 0 ||
             distance(row, draw_reach(truth, i)) < distance(row, draw_reach(truth, best))))
            best = i;
    return best;
}

static void put_row(const struct drawn *truth, const struct verdict *v, int level,
                    const struct boundary *row, const char *outcome)
{
    char shape[96] = "-", text[NOTE_ROOM];
    put_count(truth->number, '\t');
    put_text(v->method, '\t');
    put_text(v->noise, '\t');
    put_count(truth->page_bytes, '\t');
    put_number(level >= 0 ? level + 1 : (double)NAN, '\t');
    if (level >= 0)
        draw_shape(truth, level, shape, sizeof shape);
    put_text(shape, '\t');
    put_number(level >= 0 ? draw_reach(truth, level) : (double)NAN, '\t');
    put_number(level >= 0 ? round(1000 * draw_step(truth, level)) / 10 : (double)NAN, '\t');
    put_number(row != NULL ? round(row->entries) : (double)NAN, '\t');
    put_number(row != NULL ? round(row->entries_min) : (double)NAN, '\t');
    put_number(row != NULL ? round(row->entries_max) : (double)NAN, '\t');
    put_text(row != NULL ? confidence_name(row->confidence) : NULL, '\t');
    put_text(row != NULL ? note_text(&row->note, text) : NULL, '\t');
    put_text(outcome, '\t');
    draw_kinds(truth, shape, sizeof shape);
    put_text(shape, '\n');
}

static void judge(const struct drawn *truth, struct verdict v, const struct boundaries *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct boundary *row = &found->at[i];
        if (row->structure != STRUCTURE_DTLB)
            continue;
        int level = level_of(truth, row);
        if (level >= 0 && v.row[level] != NULL) { /* two rows for one level: the farther is false */
            double pages = draw_reach(truth, level);
            bool nearer = distance(row, pages) < distance(v.row[level], pages);
            put_row(truth, &v, -1, nearer ? v.row[level] : row, "false");
            v.row[level] = nearer ? row : v.row[level];
        } else if (level >= 0)
            v.row[level] = row;
        else
            put_row(truth, &v, -1, row, "false");
    }
    for (int i = 0; i < truth->tlbs; i++) {
        double pages = draw_reach(truth, i);
        if (v.row[i] == NULL)
            put_row(truth, &v, i, NULL, draw_step(truth, i) < visible_least ? "hidden" : "missed");
        else if (fabs(v.row[i]->entries - pages) <= (i == 0 ? 0 : 0.02 * pages))
            put_row(truth, &v, i, v.row[i], "right");
        else
            put_row(truth, &v, i, v.row[i], "off");
    }
    if (truth->tlbs == 0)
        put_row(truth, &v, -1, NULL, "none");
}

/* ---- machines ---- */

static void read_back(struct bench *b)
{
    char path[] = "/tmp/tlblab.XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file == NULL)
        die("%s: cannot be written", path);
    draw_write(&b->truth, file);
    fclose(file);
    model_read(&b->model, path);
    unlink(path);
}

/* The noise of that number, with the neighbour beside it. */
static struct noise noise_of(const struct drawn *truth, int number, unsigned duty)
{
    char list[64];
    struct noise noise;
    snprintf(list, sizeof list, "%s,neighbour:%u:%u:%u", noises[number],
             duty > 0 ? (unsigned)truth->neighbour : 0, duty, (unsigned)truth->stretch_ms);
    noise_parse(&noise, list);
    return noise;
}

static void bench_machine(uint64_t seed, uint64_t number, unsigned duty)
{
    struct bench b = {.truth = draw_machine(seed, number), .seed = random_mix(seed, number)};
    read_back(&b);
    b.beside = model_beside_neighbour(&b.model, (double)b.truth.neighbour / 100);
    for (int i = 0; i < NOISES_EACH; i++) {
        struct boundaries found = {.count = 0};
        int kind = (int)((b.seed % NOISES + NOISES_APART * (uint64_t)i) % NOISES);
        struct noise noise = noise_of(&b.truth, kind, duty);
        b.noise = &noise;
        by_control(&b, &found);
        judge(&b.truth, (struct verdict){"control", noises[kind], {NULL}}, &found);
        found.count = 0;
        if (number % SEGMENT_EVERY != 1)
            continue;
        by_segment(&b, &found);
        judge(&b.truth, (struct verdict){"segment", noises[kind], {NULL}}, &found);
    }
    memo_free(&b.memo);
    memo_free(&b.beside_memo);
    flush_output();
}

int main(int argc, char **argv)
{
    uint64_t number[4] = {0};
    program_name = "accuracy";
    args_quiet = true;
    if (argc != 3 && argc != 5)
        die("usage: accuracy SEED FIRST LAST DUTY, or accuracy SEED NUMBER");
    for (int i = 1; i < argc; i++) {
        char *end;
        number[i - 1] = strtoull(argv[i], &end, 10);
        if (*end != '\0' || end == argv[i])
            die("'%s' is not a number", argv[i]);
    }
    if (argc == 3) {
        struct drawn machine = draw_machine(number[0], number[1]);
        draw_write(&machine, stdout);
        return finish(STATUS_DONE);
    }
    for (uint64_t i = number[1]; i <= number[2]; i++)
        bench_machine(number[0], i, (unsigned)number[3]);
    return finish(STATUS_DONE);
}
