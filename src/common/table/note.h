/* note.h: the column `note`: remarks on a row, as comma-separated fixed words. Some words have a
 * number ("reach=32"). In memory the words are bits; writing a row makes the text, reading parses
 * it. To add a word, add its line to NOTE_LIST. */
#ifndef TLBLAB_TABLE_NOTE_H
#define TLBLAB_TABLE_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each word: its enumerator, itself, whether it has a number, and its meaning for a report ("": the
 * report puts it differently). In the order in which a note lists them; the manual pages explain
 * them. */
#define NOTE_LIST(WORD)                                                                            \
    /* boundaries: what the step looks like, then what it belongs to */                            \
    WORD(PRIVATE_KNEE, "private_knee", false, "")                                                  \
    WORD(MAY_INTERFERE_WITH_TLB, "may_interfere_with_tlb", false,                                  \
         "large enough to hide a TLB's boundary or to look like one")                              \
    WORD(OVERLAPS_PRIVATE_CACHE_KNEE, "overlaps_private_cache_knee", false,                        \
         "at the private-cache knee: it may be the cache")                                         \
    WORD(GRADUAL, "gradual", false, "a gradual rise, so a wide range")                             \
    WORD(NO_CONTROL, "no_control", false, "no comparison with packed samples")                     \
    WORD(FETCH_UNKNOWN, "fetch_unknown", false, "")                                                \
    WORD(FETCHED_SINGLY, "fetched_singly", false, "")                                              \
    WORD(FETCHED_IN_PAIRS, "fetched_in_pairs", false, "")                                          \
    WORD(FETCHED_BYTES, "fetched_bytes", true, "")                                                 \
    /* which prefetcher: one word per row, from the first to the last */                           \
    WORD(NEXT_LINE, "next_line", false, "")                                                        \
    WORD(PREVIOUS_LINE, "previous_line", false, "")                                                \
    WORD(ADJACENT_PAIR, "adjacent_pair", false, "")                                                \
    WORD(REPEATED_PATTERN, "repeated_pattern", false, "")                                          \
    WORD(STRIDE_UP, "stride_up", true, "")                                                         \
    WORD(STRIDE_DOWN, "stride_down", true, "")                                                     \
    WORD(PAGE_CROSSING, "page_crossing", false, "")                                                \
    WORD(NO_PLATEAU, "no_plateau", false, "no size between two boundaries")                        \
    WORD(NOT_REACHED, "not_reached", false, "the sweep ends before it")                            \
    WORD(FEW_SIZES, "few_sizes", false, "of one or two sizes")                                     \
    WORD(NEGATIVE, "negative", false,                                                              \
         "negative: noise (heat, a changing clock) was larger than the penalty")                   \
    WORD(AT_END_OF_SWEEP, "at_end_of_sweep", false, "the sweep ends before the rise does")         \
    WORD(INTERFERENCE, "interference", false,                                                      \
         "other work may have held entries meanwhile: a range, not a number")                      \
    WORD(MAY_BE_FRONT_END, "may_be_front_end", false,                                              \
         "the step may belong to the front end (jumps between many pages), not to the TLB")        \
    WORD(CONTIGUOUS, "contiguous", false, "")                                                      \
    WORD(COALESCED, "coalesced", false, "")                                                        \
    WORD(PAGES_PER_ENTRY, "pages_per_entry", true, "")                                             \
    WORD(HUGE, "huge", false, "")                                                                  \
    WORD(SPLINTERED, "splintered", false,                                                          \
         "splintered: the hypervisor backs these huge pages with small ones")                      \
    WORD(CLAIM_UNIT_HIDDEN, "claim_unit_hidden", false,                                            \
         "the claim counts entries, or units of 32: the hypervisor hides which")                   \
    WORD(CLAIM_DOUBTFUL, "claim_doubtful", false,                                                  \
         "the claim is doubtful: below that of the first level, or far from what was measured")    \
    WORD(PAGE_ASSUMED, "page_assumed", false,                                                      \
         "its page size is assumed, as drivers of cards do not report it")                         \
    WORD(L1_MAY_BE_BYPASSED, "l1_may_be_bypassed", false,                                          \
         "volatile loads bypass the first cache of a card: level 1 may be its second")             \
    /* penalties */                                                                                \
    WORD(NO_COMPARISON_POINT, "no_comparison_point", false,                                        \
         "no comparison point of 512 MiB was measured")                                            \
    WORD(BUFFER_BELOW_512M, "buffer_below_512M", false, "the buffer is smaller than 512 MiB")      \
    WORD(NO_FIRST_POINT, "no_first_point", false, "the sweep of the comparison point is missing")  \
    WORD(NO_TLB_LEVEL, "no_tlb_level", false, "no TLB level was found")                            \
    WORD(ADDRESS_SPACE, "address_space", false,                                                    \
         "that many pages that far apart do not fit into the address space")                       \
    WORD(NOT_MEASURED, "not_measured", false, "there are no samples of it")                        \
    WORD(HIT_IN_LEVEL, "hit_in_level", true,                                                       \
         "probably a hit in the next level: the sweep ends before a walk shows")                   \
    WORD(REACH, "reach", true, "")                                                                 \
    WORD(NESTED, "nested", false, "under a hypervisor: through the guest's tables and the host's") \
    /* organisation */                                                                             \
    WORD(UNSETTLED, "unsettled", false, "pages farther apart may show more sets of fewer ways")    \
    WORD(SETS_DIFFER, "sets_differ", false,                                                        \
         "most sets hold fewer: other work holds entries in them")                                 \
    WORD(INDEX_HASH_UNSOLVED, "index_hash_unsolved", false,                                        \
         "the index uses higher page number bits in an unknown way")                               \
    WORD(ENTRIES_DISAGREE, "entries_disagree", false,                                              \
         "ways times sets differs from the entries of a sweep with stride 1")                      \
    /* latencies */                                                                                \
    WORD(MAY_MISS_TLB, "may_miss_tlb", false,                                                      \
         "it may include TLB misses (layout local avoids them)")                                   \
    WORD(SHARED_LINES, "shared_lines", false, "nodes share lines: diluted")                        \
    WORD(NO_BOUNDARY, "no_boundary", false, "no boundary of a cache was found")                    \
    WORD(BELOW_CLAIMED_CACHE, "below_claimed_cache", false,                                        \
         "it may belong to a larger cache, which the machine claims")                              \
    WORD(BELOW_READ, "below_read", false,                                                          \
         "less than a read: its stores do not wait for their lines")                               \
    WORD(IMPOSSIBLE, "impossible", false,                                                          \
         "impossible, less than a cycle: the loop was left out, or miscounted")                    \
    /* rates of a card */                                                                          \
    WORD(CACHE_EFFECT, "cache_effect", false,                                                      \
         "more than the memory can deliver: a cache delivered it")                                 \
    WORD(DOES_NOT_FIT, "does_not_fit", false,                                                      \
         "it does not fit in the memory of the device, or of the host")                            \
    WORD(CLOCK_STANDS, "clock_stands", false, "the device's clock did not tick during the sample") \
    WORD(MOSTLY_LAUNCH, "mostly_launch", false,                                                    \
         "most of its time was starting kernels, so the rate is not that of memory or cache")

enum note_word {
#define NOTE_ENUMERATOR(name, word, has_number, meaning) NOTE_##name,
    NOTE_LIST(NOTE_ENUMERATOR) NOTE_WORDS
};

struct note {
    uint64_t words; /* one bit each */
    double number;  /* of the word with a number, of which there is at most one */
    char text[96]; /* other text, written first: the range of a penalty, "16K->512M", and words from
                      other versions */
};

/* Adds a word, a word with its number, or a text, which is cut to fit. */
void note_add(struct note *note, enum note_word word);
void note_add_number(struct note *note, enum note_word word, double number);
void note_add_text(struct note *note, const char *text, size_t length);

bool note_has(const struct note *note, enum note_word word);

/* The number of a word; NaN if the note lacks the word. */
double note_number(const struct note *note, enum note_word word);

/* The text of a note ("" for an empty one), and the note of a text. */
enum { NOTE_ROOM = 1024 }; /* for all words together */
const char *note_text(const struct note *note, char text[NOTE_ROOM]);
struct note note_parse(const char *text, size_t length);

/* The word, and its meaning for a report ("": the report puts it differently). */
const char *note_name(enum note_word word);
const char *note_meaning(enum note_word word);

#endif
