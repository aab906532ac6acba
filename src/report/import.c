/* import: makes tables of what other programs have measured.
 *
 * usage: import FORMAT [FILE...]
 * Reads the output of FORMAT, which --help lists, and writes samples, pairs of cores, boundaries or
 * leaves of CPUID, as chase, pingpong, detect and machine --cpuid write them. The metadata say of
 * which program they are.
 *
 * example: import lmbench lat_mem_rd.txt | detect --method caches
 */
#include "base/args.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/range.h"
#include "table/table.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static uint64_t spacing;

static const struct flag flags[] = {
    {"spacing", FLAG_SIZE, &spacing, "SIZE", "the distance of loads, where FILE does not state it"},
    {0},
};

/* ---- what was read so far ---- */

enum { WORDS_MAX = 4096 }; /* of a line: as many cores as a row of a matrix may have */

static struct {
    const struct lines *lines;
    char *word[WORDS_MAX];
    int words;
    uint64_t spacing, bytes; /* of the rows that follow; 0: not known */
    unsigned run;            /* headings so far: the sample */
    int section, row;
    bool huge, sequential;
    unsigned long rows, left_out;
    int size_at, ns_at; /* columns of a CSV */
    double unit;        /* of its sizes */
} in;

_Noreturn static void die_here(const char *what, const char *text)
{
    die("%s:%lu: '%s' is not %s", in.lines->name, in.lines->number, text, what);
}

static double number_in(const char *text)
{
    double value;
    if (!parse_number(text, strlen(text), &value) || value < 0)
        die_here("a number from 0", text);
    return value;
}

/* "4k", "64M", "1g"; 0: none. */
static uint64_t size_in(const char *text)
{
    char copy[32];
    uint64_t bytes = 0;
    snprintf(copy, sizeof copy, "%s", text);
    char *last = copy + strcspn(copy, ":kmgKMG");
    if (*last == ':')
        *last = '\0';
    else if (*last != '\0')
        last[0] = *last == 'K' || *last == 'k' ? 'k' : (char)toupper((unsigned char)*last);
    if (*last != '\0' && last[1] == ':')
        last[1] = '\0';
    return parse_size(copy, &bytes) ? bytes : 0;
}

/* Takes the line apart at any of these characters; at blanks, also at several. */
static void split(char *line, const char *between)
{
    bool blanks = *between == ' ';
    for (in.words = 0; line != NULL && in.words < WORDS_MAX;) {
        line += blanks ? strspn(line, between) : 0;
        if (blanks && *line == '\0')
            return;
        in.word[in.words++] = line;
        line = strpbrk(line, between);
        if (line != NULL)
            *line++ = '\0';
    }
}

static bool word_is(int k, const char *text)
{
    return k < in.words && strcmp(in.word[k], text) == 0;
}

/* ---- rows ---- */

static const char
    points_header[] = "pages\tlayout\tspacing_bytes\tpage_bytes\trole\tsample\tns\tkernel\tbacking";
static const char pairs_header[] = "core_a\tcore_b\tsample\tns";
static const char boundaries_header[] = "structure\tlevel\tentries\tbytes_min\tbytes_max\tstep_ns\t"
                                        "method";
static const char cpuid_header[] = "leaf\tsubleaf\teax\tebx\tecx\tedx";

/* A load that takes this time in so many bytes. */
static void put_point(double bytes, double ns, const char *kernel)
{
    enum { HUGE_BYTES = 2 << 20 };
    double pages = round(bytes / (double)in.spacing);
    if (pages < 1)
        return;
    put_number(pages, '\t');
    put_text("line", '\t');
    put_count(in.spacing, '\t');
    put_number(in.huge ? HUGE_BYTES : NAN, '\t');
    put_text("sweep", '\t');
    put_count(in.run > 0 ? in.run - 1 : 0, '\t');
    put_number(ns, '\t');
    put_text(kernel, '\t');
    put_text(in.huge ? "huge" : NULL, '\n');
    in.rows++;
}

static void put_boundary(const char *structure, double entries, double bytes, double ns)
{
    put_text(structure, '\t');
    put_number(number_in(in.word[0]), '\t');
    put_number(entries, '\t');
    put_number(bytes, '\t');
    put_number(bytes, '\t');
    put_number(ns, '\t');
    put_text("calibrator", '\n');
    in.rows++;
}

/* ---- the formats ---- */

/* A heading "stride=64, and below it MiB and ns up to an empty line. */
static void take_lmbench(char *line)
{
    static const char heading[] = "\"stride=";
    if (strncmp(line, heading, sizeof heading - 1) == 0) {
        in.spacing = size_in(line + sizeof heading - 1);
        if (in.spacing == 0)
            die_here("a stride", line);
        in.run = 1;
        in.section = 1;
        return;
    }
    split(line, " \t");
    if (in.words != 2)
        in.section = 0;
    if (in.section == 1)
        put_point(number_in(in.word[0]) * 0x1p20, number_in(in.word[1]), NULL);
}

/* A heading, and below it "1024 : 0.0 ns / 0.0 ns", beyond what a load of the first cache takes. */
static void take_tinymembench(char *line)
{
    if (strncmp(line, "block size :", 12) == 0) {
        in.huge = strstr(line, "[MADV_HUGEPAGE]") != NULL;
        in.section = 1;
        in.run = 1;
        return;
    }
    split(line, " \t");
    if (in.section == 1 && word_is(1, ":") && word_is(3, "ns"))
        put_point(number_in(in.word[0]), number_in(in.word[2]), "random");
}

/* The value of an option "-m 4m" or "-m4m" of a command line; NULL: there is none. */
static const char *option(const char *name)
{
    for (int k = 0; k < in.words; k++)
        if (strncmp(in.word[k], name, 2) == 0)
            return in.word[k][2] != '\0' ? in.word[k] + 2
                   : k + 1 < in.words    ? in.word[k + 1]
                                         : NULL;
    return NULL;
}

/* Whether a word of the line is a program of this name, with or without its folder; which one. */
static int find_program(const char *name)
{
    for (int k = 0; k < in.words; k++) {
        const char *slash = strrchr(in.word[k], '/');
        if (strcmp(slash != NULL ? slash + 1 : in.word[k], name) == 0)
            return k;
    }
    return -1;
}

/* A size and ns; or a command with -m, and below it ns. */
static void take_multichase(char *line)
{
    split(line, " \t");
    if (find_program("multichase") >= 0) {
        const char *size = option("-m"), *stride = option("-s");
        in.bytes = size != NULL ? size_in(size) : 0;
        in.spacing = stride != NULL && size_in(stride) > 0 ? size_in(stride) : in.spacing;
    } else if (in.words == 2 && size_in(in.word[0]) > 0)
        put_point((double)size_in(in.word[0]), number_in(in.word[1]), NULL);
    else if (in.words == 1 && in.bytes > 0) {
        put_point((double)in.bytes, number_in(in.word[0]), NULL);
        in.bytes = 0;
    }
}

/* A row of test-tlb; loads in sequence are left out, since prefetchers serve them. */
static void put_test_tlb(bool huge, bool random)
{
    in.huge = huge;
    if (random)
        put_point((double)in.bytes, strtod(in.word[0], NULL), NULL);
    else
        in.left_out++;
}

/* "make run": a size and a colon, and below it four times: -H, none, -Hr and -r. Or a command, and
 * below it the time. */
static void take_test_tlb(char *line)
{
    split(line, " \t");
    int program = find_program("test-tlb");
    size_t length = in.words == 1 ? strlen(in.word[0]) : 0;
    if (program >= 0) {
        in.huge = in.sequential = false;
        bool random = false;
        for (program++; program < in.words && in.word[program][0] == '-'; program++) {
            in.huge = in.huge || strchr(in.word[program], 'H') != NULL;
            random = random || strchr(in.word[program], 'r') != NULL;
        }
        in.sequential = !random;
        in.section = 1;
        in.bytes = program < in.words ? size_in(in.word[program]) : 0;
        uint64_t stride = program + 1 < in.words ? size_in(in.word[program + 1]) : 0;
        in.spacing = stride > 0 ? stride : in.spacing;
    } else if (length > 1 && in.word[0][length - 1] == ':' && size_in(in.word[0]) > 0) {
        in.bytes = size_in(in.word[0]);
        in.section = 2;
        in.row = 0;
    } else if (in.words == 3 && word_is(2, "cycles)") && in.bytes > 0) {
        bool list = in.section == 2;
        put_test_tlb(list ? in.row % 2 == 0 : in.huge, list ? in.row >= 2 : !in.sequential);
        in.row++;
    }
}

/* "32 KB" as bytes. */
static double sized(int k)
{
    double unit = word_is(k + 1, "KB")   ? 0x1p10
                  : word_is(k + 1, "MB") ? 0x1p20
                  : word_is(k + 1, "GB") ? 0x1p30
                                         : 0;
    if (unit == 0)
        die_here("KB, MB or GB", k + 1 < in.words ? in.word[k + 1] : "");
    return number_in(in.word[k]) * unit;
}

/* The number before the first word "ns". */
static double ns_of_row(void)
{
    for (int k = 1; k < in.words; k++)
        if (word_is(k, "ns"))
            return number_in(in.word[k - 1]);
    return NAN;
}

/* Its two lists: "1 32 KB 64 bytes … 3.90 ns = 10 cy" and "1 64 4 KB 5.51 ns = 14 cy". */
static void take_calibrator(char *line)
{
    enum { CACHES = 1, TLBS };
    split(line, " \t");
    if (word_is(0, "caches:") || word_is(0, "TLBs:"))
        in.section = word_is(0, "caches:") ? CACHES : TLBS;
    else if (in.words == 0)
        in.section = 0;
    else if (in.section == CACHES && in.words > 5 && word_is(4, "bytes"))
        put_boundary("cache", sized(1) / number_in(in.word[3]), sized(1), ns_of_row());
    else if (in.section == TLBS && in.words > 5 && isdigit((unsigned char)*in.word[1]))
        put_boundary("dtlb", number_in(in.word[1]), number_in(in.word[1]) * sized(2), ns_of_row());
}

/* A matrix of ns, or its lower half: the row is one core, the column the other. */
static void take_core_to_core(char *line)
{
    if (strchr(line, ',') == NULL)
        return;
    split(line, ",");
    for (int k = 0; k < in.words && k < in.row; k++) {
        in.word[k] += strspn(in.word[k], " ");
        if (*in.word[k] == '\0')
            continue;
        put_count((uint64_t)k, '\t');
        put_count((uint64_t)in.row, '\t');
        put_count(0, '\t');
        put_number(number_in(in.word[k]), '\n');
        in.rows++;
    }
    in.row++;
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

/* Which columns of the header are the size and the time. */
static void take_csv_header(void)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"bytes", 1},    {"byte", 1},    {"B", 1},        {"KiB", 0x1p10}, {"KB", 0x1p10},
                 {"MiB", 0x1p20}, {"MB", 0x1p20}, {"GiB", 0x1p30}, {"GB", 0x1p30}};
    in.size_at = in.ns_at = -1;
    for (int k = 0; k < in.words; k++) {
        if (has_word(in.word[k], "ns") && in.ns_at < 0)
            in.ns_at = k;
        for (size_t u = 0; u < sizeof units / sizeof *units && in.size_at < 0; u++)
            if (has_word(in.word[k], units[u].name)) {
                in.size_at = k;
                in.unit = units[u].bytes;
            }
    }
    if (in.size_at < 0 || in.ns_at < 0)
        die("%s:%lu: the header has no column of %s", in.lines->name, in.lines->number,
            in.ns_at < 0 ? "times in ns" : "sizes in bytes, KiB, MiB or GiB");
    in.section = 1;
}

static void take_csv(char *line)
{
    if (*line == '#' || *line == '\0')
        return;
    split(line, strchr(line, ';') != NULL ? ";" : strchr(line, ',') != NULL ? "," : "\t");
    for (int k = 0; k < in.words; k++) {
        char *end = in.word[k] + strlen(in.word[k]);
        in.word[k] += strspn(in.word[k], " \"");
        while (end > in.word[k] && strchr(" \"", end[-1]) != NULL)
            *--end = '\0';
    }
    if (in.section == 0) {
        take_csv_header();
        return;
    }
    if (in.size_at >= in.words || in.ns_at >= in.words)
        die("%s:%lu: the row has %d fields", in.lines->name, in.lines->number, in.words);
    if (*in.word[in.ns_at] != '\0')
        put_point(number_in(in.word[in.size_at]) * in.unit, number_in(in.word[in.ns_at]), NULL);
}

/* A register, or the number of a leaf. */
static unsigned long register_in(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 16);
    if (!isxdigit((unsigned char)*text) || *end != '\0' || value > UINT32_MAX)
        die_here("32 bits in hexadecimal", text);
    return value;
}

/* A leaf, its sub-leaf, then four registers, each after so many characters: "eax=". */
static void put_leaf(char *const registers[4], size_t after, const char *leaf, const char *subleaf)
{
    put_formatted("0x%08lx\t%lu", register_in(leaf), register_in(subleaf));
    for (int k = 0; k < 4; k++) {
        if (strlen(registers[k]) < after)
            die_here("a register", registers[k]);
        put_formatted("\t0x%08lx", register_in(registers[k] + after));
    }
    put_formatted("\n");
    in.rows++;
}

/* "CPU 0:" and "0x00000001 0x00: eax=… ebx=… ecx=… edx=…" of cpuid -r, or "Logical CPU #0" and
 * "CPUID 00000004: EAX-EBX-ECX-EDX [SL 01]" of InstLatx64: the first processor's leaves. */
static void take_cpuid(char *line)
{
    if (strncmp(line, "CPU ", 4) == 0 || strstr(line, "Logical CPU #") != NULL)
        in.section++;
    if (in.section > 1)
        return;
    split(line, " \t:-[]");
    if (in.words == 6 && strncmp(in.word[2], "eax=", 4) == 0)
        put_leaf(in.word + 2, 4, in.word[0], in.word[1]);
    else if (word_is(0, "CPUID") && in.words >= 6 && strlen(in.word[1]) == 8)
        put_leaf(in.word + 2, 0, in.word[1], word_is(6, "SL") && in.words > 7 ? in.word[7] : "0");
}

/* The spacing is that of the program where nobody says otherwise; 0: rows have none. */
static const struct form {
    const char *name, *help, *program, *header;
    uint64_t spacing;
    void (*take)(char *line);
} forms[] = {
    {"lmbench", "times by size, of lat_mem_rd", "lat_mem_rd of lmbench", points_header, 64,
     take_lmbench},
    {"tinymembench", "times by size, beyond the first cache's", "tinymembench", points_header, 64,
     take_tinymembench},
    {"multichase", "times, below or beside their sizes", "multichase", points_header, 256,
     take_multichase},
    {"test-tlb", "times by size, of make run or below commands", "test-tlb", points_header, 64,
     take_test_tlb},
    {"calibrator", "caches and TLBs", "Calibrator", boundaries_header, 0, take_calibrator},
    {"core-to-core", "times of pairs of cores, as CSV", "core-to-core-latency", pairs_header, 0,
     take_core_to_core},
    {"cpuid", "leaves of CPUID, of cpuid -r or InstLatx64", "cpuid -r or InstLatx64", cpuid_header,
     0, take_cpuid},
    {"csv", "times by size, whose header names ns, and bytes, KiB, MiB or GiB", "a CSV",
     points_header, 64, take_csv},
    {0},
};

static const struct choice formats = CHOICE_OF(forms);
static const struct topic topics[] = {
    {"formats", "Formats", CHOICE_OF(forms), NULL, "output of these programs"}, {0}};

static const struct program program = {
    .name = "import",
    .purpose = "make tables of what other programs have measured",
    .operands = "FORMAT [FILE...]",
    .example = "import lmbench lat_mem_rd.txt | detect --method caches",
    .flags = flags,
    .topics = topics,
    .writes_table = true,
};

static bool import_file(const struct form *form, const char *name)
{
    struct lines lines = lines_open(name);
    size_t length;
    bool cut = false;
    char *line;
    unsigned long before = in.rows;
    in.lines = &lines;
    in.section = in.row = 0;
    in.bytes = 0;
    in.huge = false;
    in.spacing = spacing > 0 ? spacing : form->spacing;
    while ((line = lines_next(&lines, &length, &cut)) != NULL) {
        if (length > 0 && line[length - 1] == '\r')
            line[length - 1] = '\0';
        form->take(line);
    }
    if (in.rows == before)
        die("%s: no line of it is of %s", name, form->program);
    if (cut)
        warn("%s: the last line has no end and is left out", name);
    lines_close(&lines);
    return cut;
}

int main(int argc, char **argv)
{
    static char *const standard[] = {"-", NULL};
    int first = args_parse(&program, argc, argv);
    if (first == argc)
        die_usage("which FORMAT? --help formats lists them");
    const struct form *form = choice_find(&formats, argv[first], strlen(argv[first]));
    if (form == NULL)
        die_usage("no format '%s': --help formats lists them", argv[first]);
    char *const *files = first + 1 < argc ? argv + first + 1 : standard;
    table_begin(NULL);
    table_put_meta("imported_from", "%s", form->program);
    for (char *const *file = files; *file != NULL; file++)
        table_put_meta("imported_file", "%s", *file);
    table_put_header(form->header);
    bool cut = false;
    for (char *const *file = files; *file != NULL; file++)
        cut = import_file(form, *file) || cut;
    if (in.left_out > 0 && !args_quiet)
        warn("%lu times of loads in sequence are left out: prefetchers serve them", in.left_out);
    return finish(cut ? STATUS_PARTIAL : STATUS_DONE);
}
