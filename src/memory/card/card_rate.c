/* card_rate.c: the rates of a card. */
#include "memory/card/card_rate.h"
#include "base/args.h"
#include "base/error.h"
#include "base/progress.h"
#include "memory/card/card_chase.h"
#include "memory/streams/rate_row.h"
#include "platform.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sample's kernels take this long in total, or number this many. [prior] */
static const double sample_ns = 2e6;
enum { PASSES_MAX = 64 };

/* A pass over a small working set is nearly all launch; its own time is then unknown, but at least
 * this fraction of the whole. [prior] */
static const double least_part = 0.1;

/* A pass that could take too long for one kernel is split. The first kernels have this many
 * elements, or this many per work item; later ones grow by at most this factor. [prior] */
enum { PIECE_MIN = 1 << 20, PIECE_EACH = 16, PIECE_GROWTH = 16 };

/* Default sizes; transfers above TRANSFER_MAX take long and show nothing new. [prior] */
enum { SIZE_MIN = 16 << 10, MEMORY_PART = 8, TRANSFER_MAX = 256 << 20 };

enum { ELEMENT = 16, WORD = 4 }; /* [bound] */

static const struct op {
    const char *name, *help;
    enum card_kernel kernel;
    unsigned arrays;
    bool transfer, to_device, pinned;
    const char *kind; /* the column `kernel` */
} ops[] = {
    {"read", "loads of 16 bytes", CARD_READ, 1, .kind = "uint4"},
    {"write", "stores of 16 bytes", CARD_WRITE, 1, .kind = "uint4"},
    {"copy", "a[i] = b[i]", CARD_COPY, 2, .kind = "uint4"},
    {"triad", "a[i] = b[i] + s * c[i]", CARD_TRIAD, 3, .kind = "float4"},
    {"to_device", "from host memory", CARD_READ, 1, true, true, false, NULL},
    {"to_device_pinned", "the same, from memory that the driver locked", CARD_READ, 1, true, true,
     true, NULL},
    {"from_device", "to host memory", CARD_READ, 1, true, false, false, NULL},
    {"from_device_pinned", "the same, to memory that the driver locked", CARD_READ, 1, true, false,
     true, NULL},
    {0},
};

enum { OPS = sizeof ops / sizeof *ops - 1 };

struct rates {
    const struct card_rates_options *options;
    struct card *card;
    uint64_t memory; /* of the device, before this run's buffers */
    uint64_t start_ns;
    double launch_ns;
    double kernels_ns;      /* of this sample's timed kernels, launches included */
    double last_s;          /* of the previous sample */
    size_t lacked, untimed; /* samples that did not fit; samples without a clock tick */
    uint64_t filled[CARD_BUFFERS];
};

void card_rates_print_ops(void)
{
    help_words(&(struct choice)CHOICE_OF(ops));
}

/* ---- options ---- */

static bool is_plain_read(const struct op *op)
{
    return op->kernel == CARD_READ && !op->transfer;
}

/* Fills in the ops to measure; returns their number. Without a list, spacings select only reads,
 * and numbers of work items exclude transfers. */
static size_t choose_ops(const struct card_rates_options *o, const void *chosen[OPS])
{
    static const struct choice all = CHOICE_OF(ops);
    size_t count = 0;
    if (o->ops != NULL)
        count = choice_list(&all, "op", o->ops, chosen, OPS);
    for (size_t i = 0; i < OPS && o->ops == NULL; i++)
        if (o->spacings.count > 0 ? is_plain_read(&ops[i])
                                  : o->items.count == 0 || !ops[i].transfer)
            chosen[count++] = &ops[i];
    for (size_t i = 0; i < count; i++) {
        const struct op *op = chosen[i];
        if (o->spacings.count > 0 && !is_plain_read(op))
            die_usage("--spacing does not go with --op %s", op->name);
        if (o->items.count > 0 && op->transfer)
            die_usage("--items: %s has no work items", op->name);
    }
    return count;
}

/* Octaves up to a fraction of the memory, into an array of 64. */
static struct range default_sizes(const struct card_claims *c)
{
    struct range sizes = {allocate(64, sizeof *sizes.values), 0};
    uint64_t most = c->memory_bytes / MEMORY_PART;
    most = most < c->allocation_bytes ? most : c->allocation_bytes;
    for (uint64_t size = SIZE_MIN; size <= most && sizes.count < 64; size *= 2)
        sizes.values[sizes.count++] = size;
    if (sizes.count == 0)
        die("the device reports %llu bytes of memory: too little for any size",
            (unsigned long long)c->memory_bytes);
    return sizes;
}

/* ---- samples ---- */

static void release_memory(struct rates *r)
{
    card_release(r->card);
    memset(r->filled, 0, sizeof r->filled);
}

/* The nanoseconds of a kernel over at most `piece` elements from `first` on, minus its launch
 * unless that is nearly all of it. */
static double piece_ns(struct rates *r, const struct card_work *work, uint64_t first,
                       uint64_t piece)
{
    struct card_work part = *work;
    part.first = first;
    part.count = work->count - first < piece ? work->count : first + piece;
    if (part.items == 0)
        part.items = part.count - first;
    double ns = card_run(r->card, &part);
    r->kernels_ns += ns;
    return fmax(ns - r->launch_ns, least_part * ns);
}

/* Goes over the working set once, in growing kernels; returns how many elements fit in a kernel
 * without it taking too long. */
static uint64_t warm(struct rates *r, const struct card_work *work)
{
    uint64_t items = work->items > 0 ? work->items : 1;
    uint64_t piece = work->items > 0 ? PIECE_EACH * items : PIECE_MIN, first = 0;
    while (work->count - first > piece) {
        double ns = piece_ns(r, work, first, piece), longer = CARD_KERNEL_MOST_NS / fmax(ns, 1);
        first += piece;
        piece = (uint64_t)((double)piece * fmin(longer, PIECE_GROWTH)) / items * items;
        piece = piece > items ? piece : items;
    }
    piece_ns(r, work, first, piece);
    return piece;
}

/* Gives the op its arrays and fills them: memory never written may be a single page of zeros. With
 * shared memory, the host's end of a transfer is in it too. */
static bool take_memory(struct rates *r, const struct op *op, uint64_t bytes)
{
    unsigned all = op->arrays + (op->transfer && r->options->claims.unified);
    if ((double)bytes * all > (double)r->memory)
        return false;
    for (unsigned b = CARD_A; b < op->arrays; b++) {
        if (!card_reserve(r->card, (enum card_buffer)b, bytes)) {
            r->filled[b] = 0;
            return false;
        }
        if (r->filled[b] < bytes && !op->transfer) {
            warm(r, &(struct card_work){.kernel = CARD_WRITE,
                                        .into = (enum card_buffer)b,
                                        .count = bytes / ELEMENT});
            r->filled[b] = bytes;
        }
    }
    return true;
}

static double pass_ns(struct rates *r, const struct op *op, const struct card_work *work,
                      uint64_t piece, uint64_t bytes)
{
    double ns = 0;
    if (op->transfer)
        return card_transfer(r->card, op->to_device, op->pinned, bytes);
    for (uint64_t first = 0; first < work->count; first += piece)
        ns += piece_ns(r, work, first, piece);
    return ns;
}

/* The minimum time of a kernel that does nothing. */
static double launch_ns(struct card *card)
{
    struct card_work nothing = {.kernel = CARD_ARITHMETIC};
    double least = INFINITY;
    for (int i = 0; i < PASSES_MAX; i++)
        least = fmin(least, card_run(card, &nothing));
    return least;
}

/* GB/s of passes timed together, noted if they are mostly launches: NaN if the working set does not
 * fit, infinite if the clock did not tick. */
static double rate_of(struct rates *r, const struct op *op, const struct card_work *work,
                      uint64_t bytes, double counted, struct note *note)
{
    double total = 0;
    int passes = 0;
    if (!take_memory(r, op, bytes) ||
        (op->transfer && isnan(card_transfer(r->card, op->to_device, op->pinned, bytes))))
        return NAN;
    uint64_t piece = op->transfer ? 0 : warm(r, work);
    r->kernels_ns = 0;
    for (; passes < PASSES_MAX && total < sample_ns; passes++)
        total += pass_ns(r, op, work, piece, bytes);
    if (total < r->kernels_ns / 2)
        note_add(note, NOTE_MOSTLY_LAUNCH);
    return total == 0 ? INFINITY : counted * passes / total;
}

/* The bytes of each array of a working set: whole elements. */
static uint64_t array_bytes(const struct op *op, uint64_t size)
{
    return size / op->arrays / ELEMENT * ELEMENT;
}

static void put_sample(struct rates *r, const struct op *op, uint64_t size, uint64_t items,
                       uint64_t spacing, uint64_t sample)
{
    uint64_t begin = platform_now_ns(), each = array_bytes(op, size);
    uint64_t step = spacing / WORD, count = spacing > 0 ? each / spacing : each / ELEMENT;
    struct card_work work = {.kernel = spacing > 0 ? CARD_SPACED : op->kernel,
                             .count = count,
                             .step = step,
                             .items = items};
    double counted = spacing > 0 ? (double)count * WORD : (double)each * op->arrays;
    double claim = r->options->claim_gb_per_s;
    struct rate_row row = {.op = op->name,
                           .bytes = (double)(each * op->arrays),
                           .spacing = spacing > 0 ? (double)spacing : NAN,
                           .threads = items > 0 ? (double)items : NAN,
                           .delay_ns = NAN,
                           .sample = (double)sample,
                           .ns = NAN,
                           .kernel = spacing > 0 ? "uint" : op->kind,
                           .t_s = (double)(begin - r->start_ns) / 1e9,
                           .peak_percent = NAN};
    row.gb_per_s = rate_of(r, op, &work, each, counted, &row.note);
    if (isnan(row.gb_per_s)) {
        note_add(&row.note, NOTE_DOES_NOT_FIT);
        r->lacked++;
    } else if (isinf(row.gb_per_s)) {
        row.gb_per_s = NAN;
        note_add(&row.note, NOTE_CLOCK_STANDS);
        r->untimed++;
    } else if (!op->transfer && !isnan(claim)) {
        row.peak_percent = 100 * row.gb_per_s / claim;
        if (row.gb_per_s > claim)
            note_add(&row.note, NOTE_CACHE_EFFECT);
    }
    r->last_s = row.run_s = (double)(platform_now_ns() - begin) / 1e9;
    table_put_row(rate_columns, RATE_PEAK | RATE_CARD, &row);
    flush_output();
}

/* ---- the run ---- */

static bool has_time(const struct rates *r)
{
    double elapsed = (double)(platform_now_ns() - r->start_ns) / 1e9;
    return elapsed + r->last_s <= r->options->budget_s;
}

/* One pass over all points of an op, in freshly allocated memory. False when the budget ran out. */
static bool measure_op(struct rates *r, const struct op *op, const struct range *sizes,
                       uint64_t sample)
{
    const struct range *items = &r->options->items, *spacings = &r->options->spacings;
    bool named = r->options->sizes.count > 0;
    release_memory(r);
    for (size_t s = 0; s < sizes->count; s++)
        for (size_t g = 0; g < (spacings->count > 0 ? spacings->count : 1); g++)
            for (size_t i = 0; i < (items->count > 0 ? items->count : 1); i++) {
                uint64_t size = sizes->values[s];
                uint64_t spacing = spacings->count > 0 ? spacings->values[g] : 0;
                if (!has_time(r))
                    return false;
                if ((op->transfer && !named && size > TRANSFER_MAX) ||
                    spacing > array_bytes(op, size))
                    continue;
                put_sample(r, op, size, items->count > 0 ? items->values[i] : 0, spacing, sample);
            }
    return true;
}

static void begin(const struct rates *r)
{
    const struct card_rates_options *o = r->options;
    uint64_t limit = o->claims.allocation_bytes < r->memory ? o->claims.allocation_bytes
                                                            : r->memory;
    table_begin(NULL);
    card_put_meta(&o->claims, o->index);
    table_put_meta("memory_limit_bytes", "%llu", (unsigned long long)limit);
    if (!isnan(o->claim_gb_per_s))
        table_put_meta("memory_peak_gb_per_s", "%g", o->claim_gb_per_s);
    table_put_meta("counted", "as STREAM does");
    table_put_columns(rate_columns, RATE_PEAK | RATE_CARD);
}

int card_rates(const struct card_rates_options *options)
{
    bool complete = true;
    const void *chosen[OPS];
    size_t count = choose_ops(options, chosen);
    struct range sizes = options->sizes.count > 0 ? options->sizes
                                                  : default_sizes(&options->claims);
    struct rates r = {
        .options = options, .memory = card_memory(&options->claims), .start_ns = platform_now_ns()};
    r.card = card_open(options->index);
    begin(&r);
    card_warm_up(r.card);
    r.launch_ns = launch_ns(r.card);
    for (uint64_t sample = 0; sample < options->samples && complete; sample++)
        for (size_t i = 0; i < count && complete; i++) {
            progress_draw(sample, options->samples, NAN);
            complete = measure_op(&r, chosen[i], &sizes, sample);
        }
    card_close(r.card);
    if (options->sizes.count == 0)
        free(sizes.values);
    if (!complete)
        warn("the budget of %g s ended before all samples were taken", options->budget_s);
    if (r.lacked > 0 && !args_quiet)
        warn("%zu samples need more memory than this device, or the host, has (note does_not_fit)",
             r.lacked);
    if (r.untimed > 0 && !args_quiet)
        warn("the device's clock did not tick during %zu samples (note clock_stands)", r.untimed);
    return complete && r.lacked == 0 && r.untimed == 0 ? STATUS_DONE : STATUS_PARTIAL;
}
