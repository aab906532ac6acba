/* test_tlb_levels.c: what curves of several kinds show together, on made-up series and rows whose
 * truth is known.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_tlb_levels
 */
#include "machine.h"
#include "named.h"
#include "table/note.h"
#include "tap.h"
#include "tlb/detect/tlb_levels.h"
#include <math.h>
#include <string.h>

#define MIB (UINT64_C(1) << 20)

/* Curves of `page` and of its control on a machine whose TLB another process disturbs, and whose
 * clock is not steady. */
struct measured {
    struct machine machine;
    const char *backing;
    uint64_t page_bytes, spacing, last; /* sizes from 4 to last */
    uint64_t samples;
    uint64_t free_every; /* the neighbour rests every this many samples; 0: no neighbour */
    double left;         /* the part of the entries that he leaves */
    int level;           /* he takes entries of this level (from 0) and those above */
    double drift, ramp;
};

static double disturbed_ns(const struct measured *t, const struct point *point, uint64_t sample,
                           struct random *random)
{
    struct machine m = t->machine;
    double clock = 1 + t->drift * sin(6.2831853 * (double)sample / 16) +
                   t->ramp * exp2(-(double)sample);
    bool held = t->free_every > 0 && sample % t->free_every > 0;
    for (int i = t->level; i < MACHINE_TLBS && held; i++)
        m.tlb[i].entries *= t->left;
    return machine_noisy(&m, clock * machine_ns(&m, point), random);
}

static void add_curve(struct series *series, const struct measured *t)
{
    double sizes[MACHINE_SIZES];
    size_t count = machine_sizes(&t->machine, 4, (double)t->last, sizes);
    struct random random;
    random_seed(&random, 7, 0);
    for (size_t i = 0; i < count; i++)
        for (uint64_t s = 0; s < t->samples; s++)
            for (int control = 0; control < 2; control++) {
                struct point p = point_of(control ? "packed" : "page", (uint64_t)sizes[i],
                                          control ? MACHINE_LINE : t->spacing);
                p.page_bytes = t->page_bytes;
                p.backing = backing_named(t->backing);
                double ns = disturbed_ns(t, &p, s, &random);
                p.sample = s;
                series_add(series, &(struct sample){.point = p, .ns = 1.01 * ns, .min_ns = ns});
            }
}

static struct measured measured(const char *backing, double first, double second)
{
    return (struct measured){.machine = {.load_ns = 1,
                                         .tlb = {{first, 0, 2, 0}, {second, 0, 8, 0}},
                                         .cache = {{512, 0, 1, 0}},
                                         .noise = 0.005},
                             .backing = backing,
                             .page_bytes = 4096,
                             .spacing = 4096,
                             .last = 8192,
                             .samples = 15};
}

static struct measured plain(void)
{
    return measured("scattered", 64, 1024);
}

/* The levels of the TLB. */
static struct boundaries judge(const struct measured *curves, size_t count)
{
    struct boundaries found = {.count = 0};
    struct series series;
    series_init(&series);
    for (size_t i = 0; i < count; i++)
        add_curve(&series, &curves[i]);
    series_sort(&series);
    tlb_levels_find(&series, &found);
    boundaries_judge(&found, NULL);
    series_free(&series);
    size_t levels = 0;
    for (size_t i = 0; i < found.count; i++)
        if (found.at[i].structure != STRUCTURE_CACHE)
            found.at[levels++] = found.at[i];
    found.count = levels;
    return found;
}

/* A neighbour who rests in every third sample. */
TEST(the_fastest_laps_are_those_that_nobody_disturbs)
{
    struct measured t = plain();
    t.left = 0.8;
    t.free_every = 3;
    struct boundaries found = judge(&t, 1);
    CU_ASSERT_FATAL(found.count >= 2);
    CU_ASSERT_EQUAL(found.at[0].entries, 64);
    CU_ASSERT_TRUE(found.at[1].entries_min <= 1024 && found.at[1].entries_max >= 1024);
    CU_ASSERT_NOT_EQUAL(found.at[1].confidence, CONFIDENCE_HIGH);
}

/* ---- instructions ---- */

/* A front end has tables of its own, and no moments show which rise is whose. */
TEST(rises_of_code_without_moments_have_no_level)
{
    struct boundaries found = {.count = 0};
    struct series series;
    series_init(&series);
    for (double n = 4; n <= 1024; n = floor(n * 1.1) + 1)
        for (uint64_t sample = 0; sample < 5; sample++) {
            struct sample s = {.point = point_of("page", (uint64_t)n, MACHINE_PAGE)};
            s.point.kernel = &kernels[KERNEL_CODE];
            s.point.sample = sample;
            s.ns = s.min_ns = n <= 64 ? 2 : 5;
            series_add(&series, &s);
            s.point.layout = &layouts[LAYOUT_PACKED];
            s.point.spacing = MACHINE_LINE;
            s.ns = s.min_ns = 2;
            series_add(&series, &s);
        }
    series_sort(&series);
    tlb_levels_find(&series, &found);
    boundaries_judge(&found, NULL);
    CU_ASSERT_EQUAL_FATAL(found.count, 1);
    CU_ASSERT_EQUAL(found.at[0].structure, STRUCTURE_ITLB);
    CU_ASSERT_EQUAL(found.at[0].level, 0);
    CU_ASSERT_EQUAL(found.at[0].confidence, CONFIDENCE_LOW);
    CU_ASSERT_TRUE(note_has(&found.at[0].note, NOTE_MAY_BE_FRONT_END));
    CU_ASSERT_TRUE(found.at[0].entries_min <= 64 && found.at[0].entries_max >= 64);
    series_free(&series);
}

/* ---- contiguous frames ---- */

static struct boundary row(double entries, double min, double max)
{
    return (struct boundary){.structure = STRUCTURE_DTLB,
                             .level = 1,
                             .entries = entries,
                             .entries_min = min,
                             .entries_max = max,
                             .criteria = 2};
}

TEST(an_entry_holds_whole_pages)
{
    for (double n = 2; n <= 16; n++)
        for (double pages = n * 71 + 1; pages <= n * 72; pages++) { /* ends filled in part */
            struct boundary scattered = row(72, 72, 72), b = row(pages, pages, pages);
            CU_ASSERT_TRUE(tlb_levels_coalesce(&b, &scattered));
            CU_ASSERT_TRUE(note_has(&b.note, NOTE_COALESCED));
            CU_ASSERT_EQUAL(note_number(&b.note, NOTE_PAGES_PER_ENTRY), n);
            CU_ASSERT_EQUAL(b.entries, 72);
            CU_ASSERT_EQUAL(b.entries_min, 72);
            CU_ASSERT_EQUAL(b.entries_max, 72);
            CU_ASSERT_EQUAL(b.criteria, 2);
        }
}

TEST(no_whole_number_is_not_rounded)
{
    struct boundary scattered = row(72, 72, 72), b = row(250, 250, 250);
    CU_ASSERT_TRUE(tlb_levels_coalesce(&b, &scattered));
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "coalesced");
    CU_ASSERT_TRUE(isnan(b.entries) && isnan(b.entries_min) && isnan(b.entries_max));
    CU_ASSERT_EQUAL(b.criteria, 1);
    struct boundary wide = row(2000, 1700, 2300), far = row(16000, 13000, 18500); /* 7, 8 or 9 */
    CU_ASSERT_TRUE(tlb_levels_coalesce(&far, &wide));
    CU_ASSERT_STRING_EQUAL(NOTE(far.note), "coalesced");
    struct boundary near = row(8000, 7300, 8400); /* 4 alone */
    CU_ASSERT_TRUE(tlb_levels_coalesce(&near, &wide));
    CU_ASSERT_EQUAL(note_number(&near.note, NOTE_PAGES_PER_ENTRY), 4);
    CU_ASSERT_EQUAL(near.entries, 2000);
}

TEST(one_page_is_no_coalescing)
{
    struct boundary scattered = row(2000, 1700, 2200), b = row(2300, 2000, 2500);
    CU_ASSERT_FALSE(tlb_levels_coalesce(&b, &scattered));
    struct boundary above = row(2400, 2300, 2500), twice = row(3000, 2100, 3200);
    CU_ASSERT_FALSE(tlb_levels_coalesce(&above, &scattered));
    CU_ASSERT_FALSE(tlb_levels_coalesce(&twice, &scattered)); /* the ranges meet */
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "");
    CU_ASSERT_EQUAL(b.entries, 2300);
}

TEST(levels_are_compared_one_by_one)
{
    struct measured t[2] = {plain(), measured("contiguous", 256, 1024)};
    struct boundaries found = judge(t, 2);
    CU_ASSERT_EQUAL_FATAL(found.count, 4);
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[0])), "");
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[2])),
                           "contiguous,coalesced,pages_per_entry=4");
    CU_ASSERT_EQUAL(found.at[2].entries, 64);
    CU_ASSERT_EQUAL(found.at[2].bytes_max, 256 * 4096); /* the reach */
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[3])), "contiguous");
    t[1].machine.tlb[0].entries = 64;
    found = judge(t, 2);
    CU_ASSERT_EQUAL_FATAL(found.count, 4);
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[2])), "contiguous");
    found = judge(t + 1, 1);
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[0])), "contiguous");
}

/* ---- huge pages ---- */

/* Huge pages, and as many of their base pages: the probe for splintered ones. */
static void make_huge(struct measured t[2])
{
    t[0] = measured("huge", 32, 1024);
    t[1] = measured("huge", 0, 0);
    t[0].page_bytes = t[1].page_bytes = t[0].spacing = 2 * MIB;
    t[0].last = t[1].last = 4096;
    t[0].samples = 7;
    t[1].samples = 5;
}

TEST(huge_pages_are_huge)
{
    struct measured t[2];
    make_huge(t);
    struct boundaries found = judge(t, 2);
    CU_ASSERT_EQUAL_FATAL(found.count, 2);
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[0])), "huge");
    CU_ASSERT_EQUAL(found.at[0].entries, 32);
    CU_ASSERT_EQUAL(found.at[0].bytes_max, 32.0 * 2 * MIB);
}

TEST(splintered_pages_are_found)
{
    struct measured t[2];
    make_huge(t);
    t[1].machine.tlb[0].entries = 32; /* that of small pages */
    struct boundaries found = judge(t, 2);
    CU_ASSERT_EQUAL_FATAL(found.count, 2);
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[0])), "huge,splintered");
    CU_ASSERT_EQUAL(found.at[0].bytes_max, 32.0 * 4096);
    CU_ASSERT_NOT_EQUAL(found.at[0].confidence, CONFIDENCE_HIGH);
}

/* Beyond one huge page a rise may be that of huge pages, or of a cache. */
TEST(only_one_huge_page_counts)
{
    struct measured t[2];
    make_huge(t);
    t[1].machine.tlb[0].entries = 600;
    struct boundaries found = judge(t, 2);
    CU_ASSERT_FATAL(found.count > 0);
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[0])), "huge");
}

TEST(without_a_probe_nothing_is_said)
{
    struct measured t[2];
    make_huge(t);
    struct boundaries found = judge(&t[0], 1);
    CU_ASSERT_EQUAL_FATAL(found.count, 2);
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[0])), "huge");
    found = judge(&t[1], 1);
    CU_ASSERT_EQUAL(found.count, 0);
}
