/* solution_put.c: writes a solution as a table, in published form, and in words. */
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "slices/answers/tables.h"
#include "slices/hash/hash_file.h"
#include <inttypes.h>
#include <stdio.h>

enum { NAMED_MAX = 20 /* blocks that are named individually [bound] */ };

/* The address bits in a mask as a list: "21, 30 and 34", or with commas only. [bound] */
enum { BITS_ROOM = 64 * 8 };
static const char *bits_text(uint64_t bits, const char *last, char text[BITS_ROOM])
{
    size_t used = 0;
    text[0] = '\0';
    while (bits != 0) {
        unsigned b = (unsigned)__builtin_ctzll(bits);
        bits &= bits - 1;
        used += (size_t)snprintf(text + used, BITS_ROOM - used, "%s%u",
                                 used == 0   ? ""
                                 : bits != 0 ? (*last != '\0' ? ", " : ",")
                                             : (*last != '\0' ? last : ","),
                                 b);
    }
    return text;
}

/* The addresses of pages to measure, separated by blanks. */
enum { PAGES_TEXT = 64 * 24 }; /* [bound] */
static const char *pages_text(const struct slice_solution *s, char text[PAGES_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned k = 0; k < s->pages_needed; k++)
        used += (size_t)snprintf(text + used, PAGES_TEXT - used, "%s0x%012" PRIx64,
                                 k > 0 ? " " : "", s->page[k]);
    return text;
}

/* ---- remarks ---- */

static void name_blocks(const uint64_t *address, size_t count, const char *what)
{
    for (size_t k = 0; k < count && k < NAMED_MAX; k++)
        warn("0x%012" PRIx64 ": not believed: %s", address[k], what);
    if (count > NAMED_MAX)
        warn("%zu more blocks were not believed: %s", count - NAMED_MAX, what);
}

static void remark_unsolved(const struct slice_solution *s)
{
    size_t lines = (size_t)1 << s->block_bits;
    switch (s->outcome) {
    case SOLVED:
        break;
    case SOLVE_NO_LINES:
        warn("too few lines: no block has the slices of even a quarter of its lines");
        break;
    case SOLVE_TOO_SHORT:
        warn("larger blocks needed: the base sequence is longer than blocks of %zu lines", lines);
        break;
    case SOLVE_UNLIKE:
        warn("larger blocks needed: most blocks of %zu lines are not alike, so either the base "
             "sequence is longer or these are not maps of one processor",
             lines);
        break;
    case SOLVE_LABELS:
        warn("the blocks are alike, but no masks explain their addresses: too many are "
             "mislabelled, or these are not maps of such a hash");
    }
}

static void remark_undetermined(const struct slice_solution *s)
{
    char bits[BITS_ROOM], pages[PAGES_TEXT];
    bool bits_many = !is_power_of_two(s->undetermined), several = s->pages_needed > 1;
    warn("address bit%s %s %s undetermined: %u more page%s would settle %s, such as %s",
         bits_many ? "s" : "", bits_text(s->undetermined, " and ", bits), bits_many ? "are" : "is",
         s->pages_needed, several ? "s" : "", bits_many ? "them" : "it", pages_text(s, pages));
}

static void remark_unchecked(const struct slice_solution *s)
{
    if (s->unchecked == 1)
        warn("0x%012" PRIx64
             ": no other block can show whether it is mislabelled; one more page would",
             s->unchecked_address[0]);
    else if (s->unchecked > 1)
        warn("nothing would show if any of %zu blocks were mislabelled, such as 0x%012" PRIx64
             "; more pages would",
             s->unchecked, s->unchecked_address[0]);
}

void solution_remark(const struct slice_solution *s)
{
    remark_unsolved(s);
    if (s->outcome != SOLVED)
        return;
    name_blocks(s->unlike_address, s->unlike, "unlike the others");
    name_blocks(s->mislabelled_address, s->mislabelled,
                "mislabelled: this is the map of another address");
    name_blocks(s->suspect_address, s->suspect,
                "one of several blocks, of which one is mislabelled");
    if (s->pages_needed > 0)
        remark_undetermined(s);
    if (s->hash.paddr_bits > 0)
        warn("address bits from %u up are not visible: the base is known up to an XOR of its "
             "indices",
             s->hash.paddr_bits);
    if (s->missing > 0)
        warn("%zu lines of the base were never measured", s->missing);
    if (s->pages_needed == 0 && !args_quiet)
        remark_unchecked(s);
}

/* ---- the solution ---- */

void solution_put_table(const struct slice_solution *s, const struct table *source)
{
    char text[PAGES_TEXT];
    table_begin(source);
    hash_put_meta(&s->hash);
    table_put_meta("symmetries", "%u", 1U << s->symmetries);
    table_put_meta("block_lines", "%zu", (size_t)1 << s->block_bits);
    table_put_meta("blocks", "%zu", s->blocks);
    table_put_meta("blocks_spare", "%zu", s->spare);
    table_put_meta("blocks_unchecked", "%zu", s->unchecked);
    table_put_meta("blocks_not_believed", "%zu", s->unlike + s->mislabelled + s->suspect);
    table_put_meta("wrong_percent", "%.4g", 100 * s->wrong);
    if (s->pages_needed > 0) {
        table_put_meta("undetermined_bits", "%s", bits_text(s->undetermined, "", text));
        table_put_meta("pages_needed", "%u", s->pages_needed);
        table_put_meta("pages_to_measure", "%s", pages_text(s, text));
    }
    hash_put_rows(&s->hash);
}

void solution_put_published(const struct slice_solution *s)
{
    if (s->pages_needed > 0 || s->hash.paddr_bits > 0)
        warn("the published form cannot express undetermined masks: nothing is written");
    else
        hash_put_published(&s->hash);
}

int solution_status(const struct slice_solution *s)
{
    bool whole = s->outcome == SOLVED && s->pages_needed == 0 && s->hash.paddr_bits == 0 &&
                 s->missing == 0 && s->unlike + s->mislabelled + s->suspect == 0;
    return whole ? STATUS_DONE : STATUS_PARTIAL;
}
