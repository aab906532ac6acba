/* prose.c: the words of the report. */
#include "report/prose.h"
#include "base/note.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void prose_say(const char *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("  %-17s ", label);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

const char *prose_size(double bytes, char text[PROSE_ROOM])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 3; unit++)
        bytes /= 1024;
    snprintf(text, PROSE_ROOM, "%.4g %s", bytes, units[unit]);
    return text;
}

const char *prose_range(double low, double high, char text[PROSE_ROOM])
{
    if (low < high)
        snprintf(text, PROSE_ROOM, "%.0f to %.0f", low, high);
    else
        snprintf(text, PROSE_ROOM, "%.0f", low);
    return text;
}

void prose_put_quoted(const char *name)
{
    putchar('\'');
    for (; *name != '\0'; name++)
        fputs(*name == '\'' ? "'\\''" : (const char[]){*name, '\0'}, stdout);
    putchar('\'');
}

static const char *const meanings[][2] = {
    {"segment", "segment: steps over a baseline; a cache may pass for a TLB"},
    {"control", "control: TLBs by page minus packed, caches by packed alone"},
    {"derivative", "derivative: where one latency curve rises; no TLB is looked for"},
    {"caches", "caches: capacities from one latency curve; no TLB is looked for"},
    {"line", "line: where the second node of a pair begins to cost a miss of its own"},
    {"jump", "jump: the largest ratio of two neighbours, whatever it is"},
    {"plateau", "plateau: where a flat region ends; too early for what rises slowly"},
    {"private_knee", ""},
    {"no_control", "no packed samples to compare with"},
    {"overlaps_private_cache_knee", "at the private-cache knee: it may be the cache"},
    {"overlaps_cache_knee", "near a cache's boundary, which may have moved it"},
    {"may_interfere_with_tlb", "large enough to hide a TLB's boundary or to pass for one"},
    {"gradual", "a gradual rise, so a wide range"},
    {"at_end_of_sweep", "the sweep ends before the rise does"},
    {"interference", "something else may have held entries meanwhile: a range, not a number"},
    {"may_be_front_end", "it may be the front end's (jumps between many pages), not the TLB's"},
    {"code", "measured by jumps, not by loads"},
    {"contiguous", ""},
    {"coalesced", ""},
    {"huge", ""},
    {"splintered", "splintered: the hypervisor backs these huge pages with small ones"},
    {"nested", "under a hypervisor: through the guest's tables and the host's"},
    {"negative", "negative: noise (heat, a changing clock) was larger than the penalty"},
    {"control_misses_too", "too small: packed missed the first level as well"},
    {"no_comparison_point", "no comparison point of 512 MiB was measured"},
    {"buffer_below_512M", "the buffer is smaller than 512 MiB"},
    {"no_first_point", "the sweep of the comparison point is missing"},
    {"no_tlb_level", "no TLB level was found"},
    {"address_space", "so many pages so far apart do not fit into the address space"},
    {"not_measured", "there are no samples of it"},
    {"held_by_tlb", "the TLB still holds as many pages as were measured"},
    {"entries_disagree", "ways times sets is not what a sweep of neighbouring pages gives"},
    {"first_level_random", "which pages the first level lets through is chance"},
    {"sets_differ", "most sets hold fewer: somebody else has entries in them"},
    {"unsettled", "its capacity may fall further with pages farther apart"},
    {"impossible", "impossible, less than a cycle: the loop was left out, or miscounted"},
    {"below_read", "less than a read: its stores do not wait for their lines"},
    {"shared_lines", "nodes share lines: diluted"},
    {"no_boundary", "no boundary of a cache was found"},
    {"no_plateau", "no size between two boundaries"},
    {"not_reached", "the sweep ends before it"},
    {"few_sizes", "of one or two sizes"},
    {"two_slopes", "one rise with two slopes: it may be two levels"},
    {"scattered", "samples of one size differ: a shared cache, or luck with page frames"},
    {"sparse", "few sizes were measured: less than 4 an octave"},
    {"cannot_tell", "what else was measured does not confirm it"},
    {"joined", "it may be a part of the level before"},
    {"may_miss_tlb", "misses of the TLB may be in it (layout local avoids them)"},
    {"below_claimed_cache", "the machine claims a cache that is larger: it may be that one's"},
    {"index_hash_unsolved", "how higher bits of the page number enter is not known"},
};

const char *prose_meaning(const char *word)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (strcmp(meanings[i][0], word) == 0)
            return meanings[i][1];
    return word;
}

void prose_say_notes(const char *note)
{
    const char *label = "Note";
    char word[NOTE_ROOM];
    for (; *note != '\0'; note += strspn(note, ",")) {
        int length = (int)strcspn(note, ",");
        snprintf(word, sizeof word, "%.*s", length, note);
        note += length;
        if (strstr(word, "->") != NULL || strchr(word, '=') != NULL || *prose_meaning(word) == '\0')
            continue;
        prose_say(label, "%s", prose_meaning(word));
        label = "";
    }
}
