/* boundary.h: the rows of the boundaries table: capacities of TLB levels and caches, how certain
 * they are, and whether they are what the machine claims. */
#ifndef TLBLAB_DETECT_BOUNDARY_H
#define TLBLAB_DETECT_BOUNDARY_H

#include "access/layout.h"
#include "table/row.h"
#include <stdbool.h>
#include <stddef.h>

struct level; /* tlb/laps/levels.h */

enum structure {
    STRUCTURE_DTLB,
    STRUCTURE_ITLB,
    STRUCTURE_CACHE,
    STRUCTURE_LINE,
    STRUCTURE_PREFETCH
};

/* Their names, NULL after the last. */
extern const char *const structure_names[];

enum confidence { CONFIDENCE_UNKNOWN = -1, CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

/* Names, NULL after the last. confidence_name() is "" for CONFIDENCE_UNKNOWN. */
extern const char *const confidence_names[];
const char *confidence_name(enum confidence confidence);

struct boundary {
    enum structure structure;
    int level; /* from 1; 0, written as `-`: a line, the private-cache knee, or unknown */
    const struct backing *backing; /* in a table, part of the note */

    double entries; /* of a TLB, lines of a cache; NaN: unknown, or a line */
    double entries_min, entries_max;
    double bytes_min, bytes_max; /* of the capacity; segment: windows before and at the step */
    double plateau_ns;           /* time of a load before the step */
    double step_ns, step_percent;
    int criteria; /* how many of the method's two criteria of a sure answer are met */
    enum confidence confidence;
    bool persistent; /* segment: the windows after it confirm the step; not in the table */
    const char *method;
    struct note note;
    const char *claim; /* of detect --claims: a number, or two; NULL or "": none */
    double error_percent;
    struct row_label label;
};

#define BOUNDARIES_ROOM 32 /* more than any machine has [bound] */

struct boundaries {
    struct boundary at[BOUNDARIES_ROOM + 1]; /* the last one is a spare */
    size_t count;
};

/* No boundary: loads from scattered page frames, all numbers NaN, everything else unknown. */
extern const struct boundary boundary_missing;

/* Adds a boundary for loads from scattered page frames, of which nothing else is known, and returns
 * it. Beyond the capacity of the table it returns a spare one. */
struct boundary *boundary_add(struct boundaries *boundaries, enum structure structure, int level,
                              const char *method);

/* Set the range of the capacity, in entries of `unit` bytes; with the entries, the evidence and the
 * doubts, those of a level; and the step. */
void boundary_set_range(struct boundary *boundary, double least, double most, double unit);
void boundary_set_level(struct boundary *boundary, const struct level *level, double unit);
void boundary_set_step(struct boundary *boundary, double plateau_ns, double step_ns);

/* High if both of the method's criteria of a sure answer are met, medium with one, else low. Words
 * of the note that express doubt set an upper limit. */
enum confidence confidence_of(int criteria, const struct note *note);

/* Adds `interference` if the other hardware thread of the core was busy, by the metadata
 * `sibling_busy` ("yes", "no", or "unknown" and the reason; may be NULL): it took entries and lines
 * of every level. */
void note_sibling(struct note *note, const char *sibling_busy);

/* Sets the confidence of all rows from their criteria and notes: once, when nothing more is known
 * of them, to which note_sibling() adds. */
void boundaries_judge(struct boundaries *boundaries, const char *sibling_busy);

/* The measured size and its range, in entries; of a line or a prefetcher in bytes. */
struct extent {
    double size, least, most;
};
struct extent boundary_extent(const struct boundary *boundary);

/* Sets the row's claim and error from the text of the claim ("" or NULL: none). Of two numbers the
 * one nearer to the measurement is used, with the note `claim_unit_hidden`. A claim is
 * `claim_doubtful`, and has no error, if it is below `first`, the claim of the first level, or if
 * it is outside the measured range by more than the range's width and a quarter of the size. An
 * answer of low confidence never casts doubt on a claim. */
void boundary_check_claim(struct boundary *boundary, const char *claim, const char *first);

/* Whether both describe the same level, or the same prefetcher; and whether a row describes loads
 * from scattered pages of the base size: not code, contiguous frames or huge pages. */
bool boundary_is_same(const struct boundary *a, const struct boundary *b);
bool boundary_is_plain(const struct boundary *boundary);

/* The first row of the same level, or prefetcher; NULL: there is none. */
const struct boundary *boundaries_find(const struct boundaries *boundaries,
                                       const struct boundary *like);

/* The note, with the words for the backing added. */
struct note boundary_note(const struct boundary *boundary);

/* The columns; --claims and --by append some. boundary_write() writes a row, boundary_read() reads
 * one, given a reader of these columns. */
extern const struct column boundary_columns[];
void boundary_write(const struct boundary *boundary, unsigned options);
void boundary_read(const struct row_reader *reader, struct boundary *boundary);

/* sentence.c: "first-level ", or "" for no level or one above the third. */
const char *sentence_level(int level);

/* "First-level data TLB": the subject of a row, here or in an organisation. */
enum { SENTENCE_ROOM = 512 }; /* [bound] */
const char *sentence_subject(enum structure structure, int level, char text[SENTENCE_ROOM]);

/* Appends the reasons for a range that the note has, at most two: ", since ... and ...". */
void sentence_reasons(const struct note *note, char text[SENTENCE_ROOM]);

/* The remark on rows with the note `interference`: how to get a surer answer. */
extern const char sentence_held[];

/* The sentence; "" for a prefetcher, whose note says enough. */
const char *boundary_sentence(const struct boundary *row, char text[SENTENCE_ROOM]);

#endif
