/* note.h: the column `note`: remarks on a row, as comma-separated fixed words. Some words have a
 * number ("reach=32"). In memory the words are bits; writing a row makes the text, reading parses
 * it. To add a word, add its name here and its line in note.c and, if it has a number, name it in
 * has_number() there. */
#ifndef TLBLAB_TABLE_NOTE_H
#define TLBLAB_TABLE_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which a note lists them; the manual pages explain them. */
enum note_word {
    /* boundaries: what the step looks like, then what it belongs to */
    NOTE_PRIVATE_KNEE,
    NOTE_MAY_INTERFERE_WITH_TLB,
    NOTE_OVERLAPS_PRIVATE_CACHE_KNEE,
    NOTE_GRADUAL,
    NOTE_NO_CONTROL,
    NOTE_FETCH_UNKNOWN,
    NOTE_FETCHED_SINGLY,
    NOTE_FETCHED_IN_PAIRS,
    NOTE_FETCHED_BYTES, /* with a number */
    /* which prefetcher: one word per row, from the first to the last */
    NOTE_NEXT_LINE,
    NOTE_PREVIOUS_LINE,
    NOTE_ADJACENT_PAIR,
    NOTE_REPEATED_PATTERN,
    NOTE_STRIDE_UP,   /* with a number, as the next */
    NOTE_STRIDE_DOWN, /* the stride in bytes */
    NOTE_PAGE_CROSSING,
    NOTE_NO_PLATEAU,
    NOTE_NOT_REACHED,
    NOTE_FEW_SIZES,
    NOTE_NEGATIVE,
    NOTE_AT_END_OF_SWEEP,
    NOTE_WITHIN_RISE,
    NOTE_CANNOT_TELL,
    NOTE_INTERFERENCE,
    NOTE_MAY_BE_FRONT_END,
    NOTE_CODE,
    NOTE_CONTIGUOUS,
    NOTE_COALESCED,
    NOTE_PAGES_PER_ENTRY, /* with a number */
    NOTE_HUGE,
    NOTE_SPLINTERED,
    NOTE_CLAIM_UNIT_HIDDEN,
    NOTE_CLAIM_DOUBTFUL,
    NOTE_PAGE_ASSUMED,
    NOTE_L1_MAY_BE_BYPASSED,
    /* penalties */
    NOTE_NO_COMPARISON_POINT,
    NOTE_BUFFER_BELOW_512M,
    NOTE_NO_FIRST_POINT,
    NOTE_NO_TLB_LEVEL,
    NOTE_ADDRESS_SPACE,
    NOTE_NOT_MEASURED,
    NOTE_HIT_IN_LEVEL, /* with a number */
    NOTE_REACH,        /* with a number */
    NOTE_NESTED,
    /* organisation */
    NOTE_UNSETTLED,
    NOTE_SETS_DIFFER,
    NOTE_INDEX_HASH_UNSOLVED,
    NOTE_ENTRIES_DISAGREE,
    /* latencies */
    NOTE_MAY_MISS_TLB,
    NOTE_SHARED_LINES,
    NOTE_NO_BOUNDARY,
    NOTE_BELOW_CLAIMED_CACHE,
    NOTE_BELOW_READ,
    NOTE_IMPOSSIBLE,
    /* rates of a card */
    NOTE_CACHE_EFFECT,
    NOTE_DOES_NOT_FIT,
    NOTE_CLOCK_STANDS,
    NOTE_MOSTLY_LAUNCH,
    NOTE_WORDS
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
