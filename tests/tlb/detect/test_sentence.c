/* test_sentence.c: boundaries as sentences.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_sentence
 */
#include "tap.h"
#include "tlb/detect/boundary.h"
#include <math.h>

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
