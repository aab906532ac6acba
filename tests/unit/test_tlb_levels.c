/* test_tlb_levels.c: what curves of several kinds tell together, on made-up series and rows whose
 * truth is known.
 *
 *     bin/.obj/plain/unit/test_tlb_levels
 */
#include "access/kernel.h"
#include "access/layout.h"
#include "base/random.h"
#include "curve/interference.h"
#include "detect/tlb_levels.h"
#include "named.h"
#include "notes.h"
#include "table/note.h"
#include "tap.h"
#include <math.h>
#include <string.h>

#define MIB (UINT64_C(1) << 20)

/* A curve of layout page and its packed: levels of `first` and `second` entries (0: none), 2 and 10
 * ns to miss them. */
struct truth {
    const char *backing;
    uint64_t page_bytes, spacing, last; /* sizes from 4 to last, four an octave and around knees */
    double first, second;
    uint64_t changes_at; /* from this sample on */
    double factor;       /* the entries are multiplied by this */
    double noise, drift, ramp;
    uint64_t samples;
};

static void add(struct series *series, const struct truth *t, const char *layout, double pages,
                uint64_t sample, double ns)
{
    struct sample s = {.point = {.pages = (uint64_t)pages,
                                 .spacing = strcmp(layout, "page") == 0 ? t->spacing : 64,
                                 .page_bytes = t->page_bytes,
                                 .sample = sample,
                                 .layout = layout_find(layout, strlen(layout)),
                                 .kernel = &kernels[KERNEL_READ],
                                 .backing = backing_named(t->backing)},
                       .ns = ns};
    series_add(series, &s);
}

static void measure(struct series *series, const struct truth *t, double pages, struct random *r)
{
    struct point probe = {.pages = (uint64_t)pages,
                          .spacing = t->spacing,
                          .page_bytes = t->page_bytes,
                          .layout = &layouts[LAYOUT_PAGE],
                          .kernel = &kernels[KERNEL_READ],
                          .backing = backing_named(t->backing)};
    if (series_find(series, &probe) != NULL)
        return;
    for (uint64_t s = 0; s < t->samples; s++) {
        double left = t->factor > 0 && s >= t->changes_at ? t->factor : 1;
        double clock = 1 + t->drift * sin(6.2831853 * (double)s / 16) + t->ramp * exp2(-(double)s);
        double ns = 1 + (t->first > 0 && pages > t->first * left ? 2 : 0) +
                    (t->second > 0 && pages > t->second * left ? 8 : 0);
        add(series, t, "page", pages, s, ns * clock * (1 + t->noise * random_normal(r)));
        add(series, t, "packed", pages, s, clock * (1 + t->noise * random_normal(r)));
    }
}

static void add_curve(struct series *series, const struct truth *t)
{
    struct random random;
    double levels[2] = {t->first, t->second};
    random_seed(&random, 7, 0);
    for (double octave = 2; exp2(octave) <= (double)t->last; octave += 0.25)
        measure(series, t, round(exp2(octave)), &random);
    for (int k = 0; k < 2; k++)
        for (double d = -4; d <= 4; d++)
            if (levels[k] > 0)
                measure(series, t, levels[k] + (k == 0 ? d : round(d * levels[k] / 100)), &random);
}

static const struct truth plain = {"scattered", 4096, 4096, 8192, 64, 1024, 0, 0, 0.005, 0, 0, 15};

static struct boundaries judge(const struct truth *truths, size_t count, bool unsure,
                               struct tlb_levels *families)
{
    struct boundaries found = {.count = 0};
    struct series series;
    series_init(&series);
    for (size_t i = 0; i < count; i++)
        add_curve(&series, &truths[i]);
    series_sort(&series);
    *families = tlb_levels_boundaries(&series, unsure, &found);
    series_free(&series);
    return found;
}

/* ---- interference ---- */

static bool has_interference(const struct truth *truth)
{
    struct tlb_levels families;
    struct boundaries found = judge(truth, 1, false, &families);
    bool noted = false;
    for (size_t i = 0; i < found.count; i++)
        if (note_has(&found.at[i].note, NOTE_INTERFERENCE)) {
            noted = true;
            CU_ASSERT_NOT_EQUAL(found.at[i].confidence, CONFIDENCE_HIGH);
        }
    CU_ASSERT_EQUAL(noted, families.interference);
    return noted;
}

static void two_states_are_seen(void)
{
    struct truth t = plain;
    t.changes_at = 8;
    t.factor = 0.97;
    CU_ASSERT_TRUE(has_interference(&t));
    t.noise = 0.03;
    CU_ASSERT_TRUE(has_interference(&t));
    t.changes_at = 6;
    CU_ASSERT_TRUE(has_interference(&t));
    t.factor = 1.03; /* others that go */
    CU_ASSERT_TRUE(has_interference(&t));
}

/* Only the level that changes has it. */
static void the_other_level_is_left_alone(void)
{
    struct truth t = plain;
    struct tlb_levels families;
    t.changes_at = 8;
    t.factor = 0.99; /* 63.4 entries are 63 whole ones, and one size alone changes there */
    struct boundaries found = judge(&t, 1, false, &families);
    CU_ASSERT_EQUAL_FATAL(found.count, 2);
    CU_ASSERT_FALSE(note_has(&found.at[0].note, NOTE_INTERFERENCE));
    CU_ASSERT_TRUE(note_has(&found.at[1].note, NOTE_INTERFERENCE));
}

static void one_state_is_none(void)
{
    struct truth t = plain;
    CU_ASSERT_FALSE(has_interference(&t));
    for (double noise = 0; noise < 0.06; noise += 0.02)
        for (double drift = 0; drift <= 0.4; drift += 0.2)
            for (double ramp = 0; ramp <= 0.6; ramp += 0.3) {
                t.noise = noise;
                t.drift = drift;
                t.ramp = ramp;
                CU_ASSERT_FALSE(has_interference(&t));
            }
}

static void few_samples_tell_nothing(void)
{
    struct truth t = plain;
    t.changes_at = 3;
    t.factor = 0.97;
    t.samples = 7;
    CU_ASSERT_FALSE(has_interference(&t));
}

static void a_long_rise_is_a_hint_where_siblings_hide(void)
{
    struct curve_point at[] = {{.pages = 1000}, {.pages = 1010}, {.pages = 1650}, {.pages = 1590}};
    struct curve curve = {at, 4};
    struct knee knee = {.before = 0, .after = 1, .end = 2};
    CU_ASSERT_TRUE(interference_long_rise(&curve, &knee));
    knee.end = 3;
    CU_ASSERT_FALSE(interference_long_rise(&curve, &knee));
}

/* ---- contiguous frames ---- */

static struct boundary row(double entries, double min, double max)
{
    return (struct boundary){.structure = STRUCTURE_DTLB,
                             .level = 1,
                             .entries = entries,
                             .entries_min = min,
                             .entries_max = max,
                             .confidence = CONFIDENCE_HIGH};
}

static void an_entry_holds_whole_pages(void)
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
            CU_ASSERT_EQUAL(b.confidence, CONFIDENCE_HIGH);
        }
}

static void no_whole_number_is_not_rounded(void)
{
    struct boundary scattered = row(72, 72, 72), b = row(250, 250, 250);
    CU_ASSERT_TRUE(tlb_levels_coalesce(&b, &scattered));
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "coalesced");
    CU_ASSERT_TRUE(isnan(b.entries) && isnan(b.entries_min) && isnan(b.entries_max));
    CU_ASSERT_EQUAL(b.confidence, CONFIDENCE_MEDIUM);
    struct boundary wide = row(2000, 1700, 2300), far = row(16000, 13000, 18500); /* 7, 8 or 9 */
    CU_ASSERT_TRUE(tlb_levels_coalesce(&far, &wide));
    CU_ASSERT_STRING_EQUAL(NOTE(far.note), "coalesced");
    struct boundary near = row(8000, 7300, 8400); /* 4 alone */
    CU_ASSERT_TRUE(tlb_levels_coalesce(&near, &wide));
    CU_ASSERT_EQUAL(note_number(&near.note, NOTE_PAGES_PER_ENTRY), 4);
    CU_ASSERT_EQUAL(near.entries, 2000);
}

static void one_page_is_no_coalescing(void)
{
    struct boundary scattered = row(2000, 1700, 2200), b = row(2300, 2000, 2500);
    CU_ASSERT_FALSE(tlb_levels_coalesce(&b, &scattered));
    struct boundary above = row(2400, 2300, 2500), twice = row(3000, 2100, 3200);
    CU_ASSERT_FALSE(tlb_levels_coalesce(&above, &scattered));
    CU_ASSERT_FALSE(tlb_levels_coalesce(&twice, &scattered)); /* the ranges meet */
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "");
    CU_ASSERT_EQUAL(b.entries, 2300);
}

static void levels_are_compared_one_by_one(void)
{
    struct tlb_levels families;
    struct truth t[2] = {plain, plain};
    t[1].backing = "contiguous";
    t[1].first = 256;
    struct boundaries found = judge(t, 2, false, &families);
    CU_ASSERT_EQUAL_FATAL(found.count, 4);
    CU_ASSERT_TRUE(families.compared && families.coalesced);
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[0])), "");
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[2])),
                           "contiguous,coalesced,pages_per_entry=4");
    CU_ASSERT_EQUAL(found.at[2].entries, 64);
    CU_ASSERT_EQUAL(found.at[2].bytes_max, 256 * 4096); /* the reach */
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[3])), "contiguous");
    t[1].first = 64;
    found = judge(t, 2, false, &families);
    CU_ASSERT_EQUAL(found.count, 4);
    CU_ASSERT_TRUE(families.compared && !families.coalesced);
    found = judge(t + 1, 1, false, &families);
    CU_ASSERT_FALSE(families.compared);
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[0])), "contiguous");
}

/* ---- huge pages ---- */

static const struct truth huge = {"huge", 2 * MIB, 2 * MIB, 4096, 32, 1024, 0, 0, 0.005, 0, 0, 7};
static const struct truth probe = {"huge", 2 * MIB, 4096, 4096, 0, 0, 0, 0, 0.005, 0, 0, 5};

static void huge_pages_are_huge(void)
{
    struct tlb_levels families;
    struct truth t[2] = {huge, probe};
    struct boundaries found = judge(t, 2, false, &families);
    CU_ASSERT_EQUAL_FATAL(found.count, 2);
    CU_ASSERT_EQUAL(families.splinter_bytes, 0);
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[0])), "huge");
    CU_ASSERT_EQUAL(found.at[0].entries, 32);
    CU_ASSERT_EQUAL(found.at[0].bytes_max, 32.0 * 2 * MIB);
}

static void splintered_pages_are_found(void)
{
    struct tlb_levels families;
    struct truth t[2] = {huge, probe};
    t[1].first = 32; /* that of small pages */
    struct boundaries found = judge(t, 2, false, &families);
    CU_ASSERT_EQUAL_FATAL(found.count, 2);
    CU_ASSERT_EQUAL(families.splinter_bytes, 4096);
    CU_ASSERT_STRING_EQUAL(NOTE(boundary_note(&found.at[0])), "huge,splintered");
    CU_ASSERT_EQUAL(found.at[0].bytes_max, 32.0 * 4096);
    CU_ASSERT_NOT_EQUAL(found.at[0].confidence, CONFIDENCE_HIGH);
}

/* Beyond one huge page a rise may be that of huge pages, or of a cache. */
static void only_one_huge_page_counts(void)
{
    struct tlb_levels families;
    struct truth t[2] = {huge, probe};
    t[1].first = 600;
    struct boundaries found = judge(t, 2, false, &families);
    CU_ASSERT_TRUE(found.count > 0);
    CU_ASSERT_EQUAL(families.splinter_bytes, 0);
}

static void without_a_probe_nothing_is_said(void)
{
    struct tlb_levels families;
    struct boundaries found = judge(&huge, 1, false, &families);
    CU_ASSERT_EQUAL(families.splinter_bytes, 0);
    CU_ASSERT_EQUAL(found.count, 2);
    found = judge(&probe, 1, false, &families);
    CU_ASSERT_EQUAL(found.count, 0);
}

/* ---- instructions ---- */

static void name_code(struct boundary rows[3], size_t count, double second, double third)
{
    double steps[3] = {2, second, third};
    for (size_t i = 0; i < count; i++) {
        rows[i] = row(64, 64, 64);
        rows[i].level = (int)i + 1;
        rows[i].step_ns = steps[i];
    }
    tlb_levels_name_code(rows, count);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_EQUAL(rows[i].structure, STRUCTURE_ITLB);
        CU_ASSERT(i == 0 || rows[i].confidence == CONFIDENCE_MEDIUM);
    }
    CU_ASSERT_EQUAL(rows[0].level, 1);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[0].note), "");
    CU_ASSERT_EQUAL(rows[0].confidence, CONFIDENCE_HIGH);
}

static void a_walk_stands_out(void)
{
    struct boundary rows[3];
    name_code(rows, 2, 8, 0);
    CU_ASSERT_EQUAL(rows[1].level, 2);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[1].note), "");
    name_code(rows, 3, 1, 8);
    CU_ASSERT_EQUAL(rows[1].level, 0);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[1].note), "may_be_front_end");
    CU_ASSERT_EQUAL(rows[2].level, 2);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[2].note), "");
}

static void what_cannot_be_told_apart_is_called_so(void)
{
    struct boundary rows[3] = {{0}};
    name_code(rows, 2, 1, 0);
    CU_ASSERT_EQUAL(rows[1].level, 2);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[1].note), "may_be_front_end");
    name_code(rows, 3, 1, 2);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[1].note), "may_be_front_end");
    CU_ASSERT_STRING_EQUAL(NOTE(rows[2].note), "may_be_front_end");
    CU_ASSERT_EQUAL(rows[2].level, 3);
    name_code(rows, 1, 0, 0);
    rows[1] = row(512, 256, 600);
    rows[1].step_ns = 8;
    note_add(&rows[1].note, NOTE_GRADUAL);
    tlb_levels_name_code(rows, 2);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[1].note), "gradual,may_be_front_end");
}

int main(void)
{
    TAP_SUITE("interference", {"two states are seen", two_states_are_seen},
              {"the other level is left alone", the_other_level_is_left_alone},
              {"one state is none, whatever the clock does", one_state_is_none},
              {"few samples tell nothing", few_samples_tell_nothing},
              {"a long rise is a hint", a_long_rise_is_a_hint_where_siblings_hide});
    TAP_SUITE("contiguous frames", {"an entry holds whole pages", an_entry_holds_whole_pages},
              {"no whole number is not rounded", no_whole_number_is_not_rounded},
              {"one page is no coalescing", one_page_is_no_coalescing},
              {"levels are compared one by one", levels_are_compared_one_by_one});
    TAP_SUITE("huge pages", {"huge pages are huge", huge_pages_are_huge},
              {"splintered pages are found", splintered_pages_are_found},
              {"only one huge page counts", only_one_huge_page_counts},
              {"without a probe nothing is said", without_a_probe_nothing_is_said});
    TAP_SUITE("instructions", {"a walk stands out", a_walk_stands_out},
              {"what cannot be told apart is called so", what_cannot_be_told_apart_is_called_so});
    return tap_run();
}
