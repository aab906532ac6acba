/* curves.c: times by size, of other programs. */
#include "base/error.h"
#include "report/import/forms.h"
#include "table/table.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char curves_header[] = "pages\tlayout\tspacing_bytes\tpage_bytes\trole\tsample\tns\tkernel\t"
                             "backing";

/* A load that takes this time in so many bytes. */
static void put_point(struct reading *in, double bytes, double ns, const char *kernel)
{
    enum { HUGE_BYTES = 2 << 20 };
    double pages = round(bytes / (double)in->spacing);
    if (pages < 1)
        return;
    put_number(pages, '\t');
    put_text("line", '\t');
    put_count(in->spacing, '\t');
    put_number(in->huge ? HUGE_BYTES : NAN, '\t');
    put_text("sweep", '\t');
    put_count(0, '\t');
    put_number(ns, '\t');
    put_text(kernel, '\t');
    put_text(in->huge ? "huge" : NULL, '\n');
    in->rows++;
}

/* A heading "stride=64, and below it MiB and ns up to an empty line. */
void take_lmbench(struct reading *in, char *line)
{
    static const char heading[] = "\"stride=";
    if (strncmp(line, heading, sizeof heading - 1) == 0) {
        in->spacing = reading_size(line + sizeof heading - 1);
        if (in->spacing == 0)
            reading_die(in, "a stride", line);
        in->section = 1;
        return;
    }
    reading_split(in, line, " \t");
    if (in->words != 2)
        in->section = 0;
    if (in->section == 1)
        put_point(in, reading_number(in, in->word[0]) * 0x1p20, reading_number(in, in->word[1]),
                  NULL);
}

/* A heading, and below it "1024 : 0.0 ns / 0.0 ns", beyond what a load of the first cache takes. */
void take_tinymembench(struct reading *in, char *line)
{
    if (strncmp(line, "block size :", 12) == 0) {
        in->huge = strstr(line, "HUGEPAGE") != NULL && strstr(line, "NOHUGEPAGE") == NULL;
        in->section = 1;
        return;
    }
    reading_split(in, line, " \t");
    if (in->section == 1 && reading_is(in, 1, ":") && reading_is(in, 3, "ns"))
        put_point(in, reading_number(in, in->word[0]), reading_number(in, in->word[2]), "random");
}

/* The value of an option "-m 4m" or "-m4m" of a command line; NULL: there is none. */
static const char *option(const struct reading *in, const char *name)
{
    for (int k = 0; k < in->words; k++)
        if (strncmp(in->word[k], name, 2) == 0)
            return in->word[k][2] != '\0' ? in->word[k] + 2
                   : k + 1 < in->words    ? in->word[k + 1]
                                          : NULL;
    return NULL;
}

/* Whether a word of the line is a program of this name, with or without its folder; which one. */
static int find_program(const struct reading *in, const char *name)
{
    for (int k = 0; k < in->words; k++) {
        const char *slash = strrchr(in->word[k], '/');
        if (strcmp(slash != NULL ? slash + 1 : in->word[k], name) == 0)
            return k;
    }
    return -1;
}

/* A size and ns; or a command with -m, or "total_memory = …" of -v, and below it ns. */
void take_multichase(struct reading *in, char *line)
{
    reading_split(in, line, " \t");
    if (reading_is(in, 1, "=") && in->words > 2) {
        uint64_t value = reading_size(in->word[2]);
        in->bytes = reading_is(in, 0, "total_memory") ? value : in->bytes;
        in->spacing = reading_is(in, 0, "stride") && value > 0 ? value : in->spacing;
    } else if (find_program(in, "multichase") >= 0) {
        const char *size = option(in, "-m"), *stride = option(in, "-s");
        in->bytes = size != NULL ? reading_size(size) : 0;
        in->spacing = stride != NULL && reading_size(stride) > 0 ? reading_size(stride)
                                                                 : in->spacing;
    } else if ((in->words == 2 || (in->words == 3 && reading_is(in, 2, "ns"))) &&
               reading_size(in->word[0]) > 0)
        put_point(in, (double)reading_size(in->word[0]), reading_number(in, in->word[1]), NULL);
    else if (in->words == 1 && in->bytes > 0) {
        put_point(in, (double)in->bytes, reading_number(in, in->word[0]), NULL);
        in->bytes = 0;
    }
}

/* A row of test-tlb; loads in sequence are left out, since prefetchers serve them. */
static void put_test_tlb(struct reading *in, bool huge, bool random)
{
    in->huge = huge;
    if (random)
        put_point(in, (double)in->bytes, strtod(in->word[0], NULL), NULL);
    else
        in->left_out++;
}

/* "make run": a size and a colon, and below it four times: -H, none, -Hr and -r. Or a command, and
 * below it the time. */
void take_test_tlb(struct reading *in, char *line)
{
    reading_split(in, line, " \t");
    int program = find_program(in, "test-tlb");
    size_t length = in->words == 1 ? strlen(in->word[0]) : 0;
    if (program >= 0) {
        in->huge = in->sequential = false;
        bool random = false;
        for (program++; program < in->words && in->word[program][0] == '-'; program++) {
            in->huge = in->huge || strchr(in->word[program], 'H') != NULL;
            random = random || strchr(in->word[program], 'r') != NULL;
        }
        in->sequential = !random;
        in->section = 1;
        in->bytes = program < in->words ? reading_size(in->word[program]) : 0;
        uint64_t stride = program + 1 < in->words ? reading_size(in->word[program + 1]) : 0;
        in->spacing = stride > 0 ? stride : in->spacing;
    } else if (length > 1 && in->word[0][length - 1] == ':' && reading_size(in->word[0]) > 0) {
        in->bytes = reading_size(in->word[0]);
        in->section = 2;
        in->row = 0;
    } else if (in->words == 3 && reading_is(in, 2, "cycles)") && in->bytes > 0) {
        bool list = in->section == 2;
        put_test_tlb(in, list ? in->row % 2 == 0 : in->huge, list ? in->row >= 2 : !in->sequential);
        in->row++;
    }
}

/* Whether the name has this word, in letters of any size. */
static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = name; *at != '\0'; at++)
        if (strncasecmp(at, word, length) == 0 && (at == name || !isalpha((unsigned char)at[-1])) &&
            !isalpha((unsigned char)at[length]))
            return true;
    return false;
}

/* Takes a line of a CSV apart; in quotes a separator is text, and two quotes are one. */
static void split_csv(struct reading *in, char *line)
{
    for (in->words = 0; line != NULL && in->words < WORDS_MAX;) {
        char *to = line += strspn(line, " "), *from = line;
        in->word[in->words++] = to;
        bool quoted = false;
        for (; *from != '\0' && (quoted || *from != in->separator); from++) {
            bool twice = quoted && from[0] == '"' && from[1] == '"';
            if (*from != '"' || twice)
                *to++ = *from;
            else
                quoted = !quoted;
            from += twice;
        }
        line = *from != '\0' ? from + 1 : NULL;
        while (to > in->word[in->words - 1] && to[-1] == ' ')
            to--;
        *to = '\0';
    }
}

/* The bytes of the unit that a column is in; 0: it has no size. In "GB/s" it is
 * part of a rate, in "Size / KiB" a unit. */
static double size_unit(const char *name)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"bytes", 1},    {"byte", 1},    {"B", 1},        {"KiB", 0x1p10}, {"KB", 0x1p10},
                 {"MiB", 0x1p20}, {"MB", 0x1p20}, {"GiB", 0x1p30}, {"GB", 0x1p30}};
    const char *slash = strchr(name, '/');
    bool rate = slash != NULL && slash[1] != ' ';
    for (size_t u = 0; u < sizeof units / sizeof *units && !rate; u++)
        if (has_word(name, units[u].name))
            return units[u].bytes;
    return 0;
}

/* Whether the column is in ns, and no spread of times. */
static bool is_time(const char *name)
{
    static const char *const spreads[] = {"stdev", "stddev", "std", "sd", "iqr", "error", "err"};
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++)
        if (has_word(name, spreads[i]))
            return false;
    return has_word(name, "ns");
}

/* If semicolons separate fields, as in countries that write 3,9, a comma is the decimal point.
 */
static double csv_number(const struct reading *in, char *text)
{
    char *comma = in->separator == ';' ? strchr(text, ',') : NULL;
    if (comma != NULL)
        *comma = '.';
    return reading_number(in, text);
}

/* Which columns of the header are the size and the time: of several with units of size the one that
 * is named so, of several times the first. */
static void take_csv_header(struct reading *in)
{
    int sizes = 0, named = 0;
    in->size_at = in->ns_at = -1;
    in->columns = in->words;
    for (int k = 0; k < in->words; k++) {
        bool size = size_unit(in->word[k]) > 0, is_named = size && has_word(in->word[k], "size");
        if (is_time(in->word[k]) && in->ns_at < 0)
            in->ns_at = k;
        if (is_named || (size && named == 0))
            in->size_at = k;
        sizes += size;
        named += is_named;
    }
    if (in->size_at < 0 || in->ns_at < 0)
        die("%s:%lu: the header has no column of %s", in->lines->name, in->lines->number,
            in->ns_at < 0 ? "times in ns" : "sizes in bytes, KiB, MiB or GiB");
    if (sizes > 1 && named != 1)
        die("%s:%lu: the header has %d columns in bytes, KiB, MiB or GiB: name one of them size",
            in->lines->name, in->lines->number, sizes);
    if (in->size_at == in->ns_at)
        die("%s:%lu: the header has one column: commas, semicolons or tabs separate columns",
            in->lines->name, in->lines->number);
    in->unit = size_unit(in->word[in->size_at]);
    in->section = 1;
}

void take_csv(struct reading *in, char *line)
{
    if (strncmp(line, "sep=", 4) == 0 || line[strspn(line, " \t,;")] == '\0')
        return; /* "sep=;" is for spreadsheets */
    if (in->section == 0)
        in->separator = strchr(line, ';') != NULL ? ';' : strchr(line, ',') != NULL ? ',' : '\t';
    split_csv(in, line);
    if (in->section == 0) {
        take_csv_header(in);
        return;
    }
    if (in->words != in->columns)
        die("%s:%lu: the row has %d fields, and the header %d", in->lines->name, in->lines->number,
            in->words, in->columns);
    char *size = in->word[in->size_at], *ns = in->word[in->ns_at];
    if (*ns != '\0' && *size != '\0')
        put_point(in, csv_number(in, size) * in->unit, csv_number(in, ns), NULL);
}
