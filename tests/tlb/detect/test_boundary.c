/* test_boundary.c: the one judge: what makes an answer high, medium or low; and when a claim has an
 * error, and when it is doubtful; a boundary as a sentence.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_boundary
 */
#include "machine/claim.h"
#include "named.h"
#include "tap.h"
#include "tlb/detect/boundary.h"
#include <math.h>

TEST(criteria_decide)
{
    const struct note none = {0};
    CU_ASSERT_EQUAL(confidence_of(2, &none), CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(confidence_of(1, &none), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(confidence_of(0, &none), CONFIDENCE_LOW);
}

TEST(a_doubt_in_the_note_lowers_it)
{
    struct note note = {0};
    note_add(&note, NOTE_COALESCED); /* no doubt */
    CU_ASSERT_EQUAL(confidence_of(2, &note), CONFIDENCE_HIGH);
    note_add(&note, NOTE_INTERFERENCE);
    CU_ASSERT_EQUAL(confidence_of(2, &note), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(confidence_of(0, &note), CONFIDENCE_LOW); /* and never raises it */
    note_add(&note, NOTE_AT_END_OF_SWEEP);
    CU_ASSERT_EQUAL(confidence_of(2, &note), CONFIDENCE_LOW);
}

TEST(rows_are_judged_by_their_criteria_and_notes)
{
    struct boundaries found = {.count = 0};
    for (int criteria = 0; criteria < 3; criteria++)
        boundary_add(&found, STRUCTURE_DTLB, criteria, "control")->criteria = criteria;
    note_add(&boundary_add(&found, STRUCTURE_DTLB, 4, "control")->note, NOTE_AT_END_OF_SWEEP);
    found.at[3].criteria = 2;
    boundaries_judge(&found, NULL);
    CU_ASSERT_EQUAL(found.at[0].confidence, CONFIDENCE_LOW);
    CU_ASSERT_EQUAL(found.at[1].confidence, CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(found.at[2].confidence, CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(found.at[3].confidence, CONFIDENCE_LOW);
}

/* ---- claims ---- */

static struct boundary level_of(int level, double entries, double least, double most)
{
    struct boundary b = boundary_missing;
    b.level = level;
    b.entries = entries;
    b.entries_min = least;
    b.entries_max = most;
    b.confidence = CONFIDENCE_MEDIUM;
    return b;
}

TEST(one_number_two_or_none)
{
    uint64_t values[CLAIM_VALUES];
    CU_ASSERT_EQUAL(claim_values("3072", values), 1);
    CU_ASSERT_EQUAL(values[0], 3072);
    CU_ASSERT_EQUAL(claim_values("128 or 4096", values), 2);
    CU_ASSERT(values[0] == 128 && values[1] == 4096);
    CU_ASSERT_EQUAL(claim_values(NULL, values), 0);
    CU_ASSERT_EQUAL(claim_values("-", values), 0);
    CU_ASSERT_EQUAL(claim_values("8-15", values), 0);
    CU_ASSERT_EQUAL(claim_values("128 or", values), 0);
    CU_ASSERT_EQUAL(claim_values("128 or many", values), 0);
}

TEST(a_claim_has_an_error)
{
    struct boundary b = level_of(1, 72, 72, 72);
    boundary_check_claim(&b, "64", "64");
    CU_ASSERT_STRING_EQUAL(b.claim, "64");
    CU_ASSERT_EQUAL(b.error_percent, 12.5);
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "");
    boundary_check_claim(&b, NULL, NULL);
    CU_ASSERT(b.claim == NULL && isnan(b.error_percent));
    b = level_of(2, 6000, 4608, 8192); /* within twice the range */
    boundary_check_claim(&b, "3072", "72");
    CU_ASSERT_EQUAL(b.error_percent, 95.3);
}

TEST(of_two_units_the_nearer_one_counts)
{
    struct boundary b = level_of(2, 4128, 4000, 4200);
    boundary_check_claim(&b, "128 or 4096", "96");
    CU_ASSERT_STRING_EQUAL(b.claim, "128 or 4096");
    CU_ASSERT_EQUAL(b.error_percent, 0.8);
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "claim_unit_hidden");
    b = level_of(2, NAN, NAN, NAN);
    boundary_check_claim(&b, "128 or 4096", "96");
    CU_ASSERT(isnan(b.error_percent));
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "claim_unit_hidden");
}

TEST(a_claim_that_cannot_be_is_doubtful_and_has_no_error)
{
    struct boundary b = level_of(2, 6000, 4608, 8192);
    boundary_check_claim(&b, "128", "96");
    CU_ASSERT(isnan(b.error_percent));
    CU_ASSERT_STRING_EQUAL(b.claim, "128");
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "claim_doubtful");
    b = level_of(2, 70, 64, 80); /* as many as claimed, but below the first level */
    boundary_check_claim(&b, "64", "96");
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "claim_doubtful");
    b = level_of(1, 72, 72, 72);
    boundary_check_claim(&b, "144", "144");
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "claim_doubtful");
    b = level_of(0, NAN, NAN, NAN);
    b.structure = STRUCTURE_LINE;
    b.bytes_min = b.bytes_max = 64;
    b.confidence = CONFIDENCE_HIGH;
    boundary_check_claim(&b, "128", NULL);
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "claim_doubtful");
}

TEST(an_answer_of_low_confidence_casts_no_doubt_on_a_claim)
{
    struct boundary b = level_of(2, 3008, 2256, 4011);
    b.confidence = CONFIDENCE_LOW;
    boundary_check_claim(&b, "8192", "512");
    CU_ASSERT_STRING_EQUAL(NOTE(b.note), "");
    CU_ASSERT_EQUAL(b.error_percent, -63.3);
}

/* The last one has its place and no number. */
TEST(boundaries_beyond_their_room_do_not_count)
{
    struct boundaries found = {.count = 0};
    for (int i = 0; i <= BOUNDARIES_ROOM; i++)
        boundary_add(&found, STRUCTURE_CACHE, i + 1, "caches");
    CU_ASSERT_EQUAL(found.count, BOUNDARIES_ROOM);
}

/* ---- sentences ---- */

static const double page = 4096;

static struct boundary row(enum structure structure, int level, double entries, double least,
                           double most, enum confidence confidence)
{
    struct boundary b = boundary_missing;
    b.structure = structure;
    b.level = level;
    b.entries = entries;
    boundary_set_range(&b, least, most, structure == STRUCTURE_CACHE ? 64 : page);
    b.confidence = confidence;
    return b;
}

static const char *of(const struct boundary *b)
{
    static char text[SENTENCE_ROOM];
    return boundary_sentence(b, text);
}

TEST(a_level_of_a_TLB_has_entries_certainty_range_and_reason)
{
    struct boundary first = row(STRUCTURE_DTLB, 1, 64, 64, 64, CONFIDENCE_HIGH);
    struct boundary second = row(STRUCTURE_DTLB, 2, 2048, 2048, 2304, CONFIDENCE_MEDIUM);
    CU_ASSERT_STRING_EQUAL(of(&first),
                           "First-level data TLB: 64 entries (256 KiB), high confidence.");
    CU_ASSERT_STRING_EQUAL(of(&second),
                           "Second-level data TLB: 2048 entries (8 MiB), medium confidence; "
                           "between 2048 and 2304.");
    note_add(&second.note, NOTE_INTERFERENCE);
    CU_ASSERT_STRING_EQUAL(
        of(&second),
        "Second-level data TLB: 2048 entries (8 MiB), medium confidence; between 2048 and "
        "2304, since another program may have held entries.");
}

TEST(pages_that_are_not_the_usual_ones_are_named)
{
    struct boundary b = row(STRUCTURE_DTLB, 1, 64, 64, 64, CONFIDENCE_HIGH);
    b.backing = &backings[BACKING_HUGE];
    CU_ASSERT_STRING_EQUAL(
        of(&b), "First-level data TLB for huge pages: 64 entries (256 KiB), high confidence.");
    struct boundary small = b;
    note_add(&small.note, NOTE_SPLINTERED);
    CU_ASSERT_STRING_EQUAL(of(&small), "First-level data TLB for huge pages: unknown, since the "
                                       "hypervisor backs them with small pages.");
    b.backing = &backings[BACKING_CONTIGUOUS];
    note_add_number(&b.note, NOTE_PAGES_PER_ENTRY, 4);
    CU_ASSERT_STRING_EQUAL(of(&b), "First-level data TLB for contiguous page frames, 4 pages per "
                                   "entry: 64 entries (256 KiB), high confidence.");
}

TEST(what_has_no_number_has_bounds)
{
    struct boundary cache = row(STRUCTURE_CACHE, 2, NAN, 9000, NAN, CONFIDENCE_LOW);
    CU_ASSERT_STRING_EQUAL(of(&cache), "Second-level cache: more than 562 KiB, low confidence.");
    cache = row(STRUCTURE_CACHE, 2, NAN, 4827, 23170, CONFIDENCE_LOW);
    note_add(&cache.note, NOTE_GRADUAL);
    CU_ASSERT_STRING_EQUAL(of(&cache), "Second-level cache: between 302 KiB and 1.41 MiB, "
                                       "low confidence, since the rise is gradual.");
    cache = row(STRUCTURE_ITLB, 0, NAN, 64, 512, CONFIDENCE_LOW);
    CU_ASSERT_STRING_EQUAL(of(&cache), "Instruction TLB of unknown level: between 64 and 512 "
                                       "entries, low confidence.");
}

TEST(caches_and_lines_have_their_sizes)
{
    struct boundary b = row(STRUCTURE_CACHE, 1, 512, 506, 576, CONFIDENCE_LOW);
    CU_ASSERT_STRING_EQUAL(of(&b),
                           "First-level cache: 32 KiB, low confidence; between 31.6 KiB and "
                           "36 KiB.");
    b = row(STRUCTURE_LINE, 0, NAN, NAN, NAN, CONFIDENCE_HIGH);
    b.bytes_min = b.bytes_max = 64;
    CU_ASSERT_STRING_EQUAL(of(&b), "Cache line: 64 bytes, high confidence.");
    b.structure = STRUCTURE_PREFETCH;
    CU_ASSERT_STRING_EQUAL(of(&b), "");
}
