/* note.c: the column `note`. */
#include "table/note.h"
#include "base/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *meaning;
} words[NOTE_WORDS] = {
    [NOTE_PRIVATE_KNEE] = {"private_knee", ""},
    [NOTE_MAY_INTERFERE_WITH_TLB] = {"may_interfere_with_tlb",
                                     "large enough to hide a TLB's boundary or to look like one"},
    [NOTE_OVERLAPS_PRIVATE_CACHE_KNEE] = {"overlaps_private_cache_knee",
                                          "at the private-cache knee: it may be the cache"},
    [NOTE_GRADUAL] = {"gradual", "a gradual rise, so a wide range"},
    [NOTE_NO_CONTROL] = {"no_control", "no comparison with packed samples"},
    [NOTE_FETCH_UNKNOWN] = {"fetch_unknown", ""},
    [NOTE_FETCHED_SINGLY] = {"fetched_singly", ""},
    [NOTE_FETCHED_IN_PAIRS] = {"fetched_in_pairs", ""},
    [NOTE_FETCHED_BYTES] = {"fetched_bytes", ""},
    [NOTE_NEXT_LINE] = {"next_line", ""},
    [NOTE_PREVIOUS_LINE] = {"previous_line", ""},
    [NOTE_ADJACENT_PAIR] = {"adjacent_pair", ""},
    [NOTE_REPEATED_PATTERN] = {"repeated_pattern", ""},
    [NOTE_STRIDE_UP] = {"stride_up", ""},
    [NOTE_STRIDE_DOWN] = {"stride_down", ""},
    [NOTE_PAGE_CROSSING] = {"page_crossing", ""},
    [NOTE_NO_PLATEAU] = {"no_plateau", "no size between two boundaries"},
    [NOTE_NOT_REACHED] = {"not_reached", "the sweep ends before it"},
    [NOTE_FEW_SIZES] = {"few_sizes", "of one or two sizes"},
    [NOTE_NEGATIVE] = {"negative",
                       "negative: noise (heat, a changing clock) was larger than the penalty"},
    [NOTE_WITHIN_RISE] = {"within_rise", "it ends somewhere in the range: sweep --preset caches "
                                         "measures it"},
    [NOTE_AT_END_OF_SWEEP] = {"at_end_of_sweep", "the sweep ends before the rise does"},
    [NOTE_CANNOT_TELL] = {"cannot_tell", "the other measurements do not confirm it"},
    [NOTE_INTERFERENCE] = {"interference", "other work may have held entries meanwhile: a range, "
                                           "not a number"},
    [NOTE_MAY_BE_FRONT_END] = {"may_be_front_end", "the step may belong to the front end (jumps "
                                                   "between many pages), not to the TLB"},
    [NOTE_CODE] = {"code", "measured by jumps, not by loads"},
    [NOTE_CONTIGUOUS] = {"contiguous", ""},
    [NOTE_COALESCED] = {"coalesced", ""},
    [NOTE_PAGES_PER_ENTRY] = {"pages_per_entry", ""},
    [NOTE_HUGE] = {"huge", ""},
    [NOTE_SPLINTERED] = {"splintered",
                         "splintered: the hypervisor backs these huge pages with small ones"},
    [NOTE_CLAIM_UNIT_HIDDEN] = {"claim_unit_hidden",
                                "the claim counts entries, or units of 32: the hypervisor hides "
                                "which"},
    [NOTE_CLAIM_DOUBTFUL] = {"claim_doubtful", "the claim is doubtful: below that of the first "
                                               "level, or far from what was measured"},
    [NOTE_PAGE_ASSUMED] = {"page_assumed",
                           "its page size is assumed, as drivers of cards do not report it"},
    [NOTE_L1_MAY_BE_BYPASSED] =
        {"l1_may_be_bypassed",
         "volatile loads bypass the first cache of a card: level 1 may be its second"},
    [NOTE_NO_COMPARISON_POINT] = {"no_comparison_point",
                                  "no comparison point of 512 MiB was measured"},
    [NOTE_BUFFER_BELOW_512M] = {"buffer_below_512M", "the buffer is smaller than 512 MiB"},
    [NOTE_NO_FIRST_POINT] = {"no_first_point", "the sweep of the comparison point is missing"},
    [NOTE_NO_TLB_LEVEL] = {"no_tlb_level", "no TLB level was found"},
    [NOTE_ADDRESS_SPACE] = {"address_space",
                            "that many pages that far apart do not fit into the address space"},
    [NOTE_NOT_MEASURED] = {"not_measured", "there are no samples of it"},
    [NOTE_HIT_IN_LEVEL] = {"hit_in_level",
                           "probably a hit in the next level: the sweep ends before a walk shows"},
    [NOTE_REACH] = {"reach", ""},
    [NOTE_NESTED] = {"nested", "under a hypervisor: through the guest's tables and the host's"},
    [NOTE_UNSETTLED] = {"unsettled", "pages farther apart may show more sets of fewer ways"},
    [NOTE_SETS_DIFFER] = {"sets_differ", "most sets hold fewer: other work holds entries in them"},
    [NOTE_INDEX_HASH_UNSOLVED] = {"index_hash_unsolved",
                                  "the index uses higher page number bits in an unknown way"},
    [NOTE_ENTRIES_DISAGREE] = {"entries_disagree",
                               "ways times sets differs from the entries of a sweep with stride 1"},
    [NOTE_MAY_MISS_TLB] = {"may_miss_tlb", "it may include TLB misses (layout local avoids them)"},
    [NOTE_SHARED_LINES] = {"shared_lines", "nodes share lines: diluted"},
    [NOTE_NO_BOUNDARY] = {"no_boundary", "no boundary of a cache was found"},
    [NOTE_BELOW_CLAIMED_CACHE] = {"below_claimed_cache",
                                  "it may belong to a larger cache, which the machine claims"},
    [NOTE_BELOW_READ] = {"below_read", "less than a read: its stores do not wait for their lines"},
    [NOTE_IMPOSSIBLE] = {"impossible",
                         "impossible, less than a cycle: the loop was left out, or miscounted"},
    [NOTE_CACHE_EFFECT] = {"cache_effect",
                           "more than the memory can deliver: a cache delivered it"},
    [NOTE_DOES_NOT_FIT] = {"does_not_fit",
                           "it does not fit in the memory of the device, or of the host"},
    [NOTE_CLOCK_STANDS] = {"clock_stands", "the device's clock did not tick during the sample"},
    [NOTE_MOSTLY_LAUNCH] = {"mostly_launch", "most of its time was starting kernels, so the rate "
                                             "is not that of memory or cache"},
};

_Static_assert(NOTE_WORDS <= 64, "a note has a bit for each word");

void note_add(struct note *note, enum note_word word)
{
    note->words |= (uint64_t)1 << word;
}

void note_add_number(struct note *note, enum note_word word, double number)
{
    note_add(note, word);
    note->number = number;
}

void note_add_text(struct note *note, const char *text, size_t length)
{
    size_t used = strlen(note->text);
    snprintf(note->text + used, sizeof note->text - used, "%s%.*s", used > 0 ? "," : "",
             (int)length, text);
}

bool note_has(const struct note *note, enum note_word word)
{
    return (note->words >> word & 1) != 0;
}

double note_number(const struct note *note, enum note_word word)
{
    return note_has(note, word) ? note->number : (double)NAN;
}

const char *note_name(enum note_word word)
{
    return words[word].name;
}

const char *note_meaning(enum note_word word)
{
    return words[word].meaning;
}

static bool has_number(enum note_word word)
{
    return word == NOTE_FETCHED_BYTES || word == NOTE_PAGES_PER_ENTRY ||
           word == NOTE_HIT_IN_LEVEL || word == NOTE_REACH || word == NOTE_STRIDE_UP ||
           word == NOTE_STRIDE_DOWN;
}

const char *note_text(const struct note *note, char text[NOTE_ROOM])
{
    size_t used = (size_t)snprintf(text, NOTE_ROOM, "%s", note->text);
    for (enum note_word w = 0; w < NOTE_WORDS; w++) {
        if (!note_has(note, w))
            continue;
        used += (size_t)snprintf(text + used, NOTE_ROOM - used, "%s%s", used > 0 ? "," : "",
                                 words[w].name);
        if (has_number(w))
            used += (size_t)snprintf(text + used, NOTE_ROOM - used, "=%.15g", note->number);
    }
    return text;
}

/* Adds one word of a note; false for a word that is not fixed. */
static bool parse_word(struct note *note, const char *text, size_t length)
{
    for (enum note_word w = 0; w < NOTE_WORDS; w++) {
        size_t name = strlen(words[w].name);
        if (length < name || memcmp(text, words[w].name, name) != 0)
            continue;
        if (has_number(w) ? length > name && text[name] == '=' &&
                                parse_number(text + name + 1, length - name - 1, &note->number)
                          : length == name) {
            note_add(note, w);
            return true;
        }
    }
    return false;
}

struct note note_parse(const char *text, size_t length)
{
    struct note note = {0};
    for (const char *end = text + length; text < end;) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        size_t word = (size_t)((comma != NULL ? comma : end) - text);
        if (word > 0 && !parse_word(&note, text, word))
            note_add_text(&note, text, word);
        text += word + 1;
    }
    return note;
}
