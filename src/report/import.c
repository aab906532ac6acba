/* import: makes tables of what other programs have measured.
 *
 * usage: import FORMAT [FILE...]
 * Reads the output of FORMAT, which --help lists, and writes samples, pairs of cores, boundaries,
 * leaves of CPUID or claims, as chase, pingpong, detect, machine --cpuid and machine write them.
 * The metadata say of which program they are.
 *
 * example: import lmbench lat_mem_rd.txt | detect --method caches
 */
#include "base/args.h"
#include "base/error.h"
#include "report/import/forms.h"
#include "table/table.h"
#include <string.h>

static uint64_t spacing;

static const struct flag flags[] = {
    {"spacing", FLAG_SIZE, &spacing, "SIZE", "the distance of loads, where FILE does not state it"},
    {0},
};

/* The spacing is that of the program where nobody says otherwise; 0: rows have none. Of a machine
 * there is one file. */
static const struct form {
    const char *name, *help, *program, *header;
    uint64_t spacing;
    void (*take)(struct reading *in, char *line);
    void (*take_file)(const char *file); /* what is not read by lines */
} forms[] = {
    {"lmbench", "times by size, of lat_mem_rd", "lat_mem_rd of lmbench", curves_header, 64,
     take_lmbench, NULL},
    {"tinymembench", "times by size, beyond the first cache's", "tinymembench", curves_header, 64,
     take_tinymembench, NULL},
    {"multichase", "times, below or beside their sizes", "multichase", curves_header, 256,
     take_multichase, NULL},
    {"test-tlb", "times by size, of make run or below commands", "test-tlb", curves_header, 64,
     take_test_tlb, NULL},
    {"calibrator", "caches and TLBs", "Calibrator", lists_header, 0, take_calibrator, NULL},
    {"core-to-core", "times of pairs of cores, as CSV", "core-to-core-latency --csv", matrix_header,
     0, take_core_to_core, NULL},
    {"cpuid", "leaves of CPUID, of cpuid -r, InstLatx64 or hwloc-gather-cpuid",
     "cpuid -r, InstLatx64 or hwloc-gather-cpuid", leaves_header, 0, take_cpuid, NULL},
    {"hwloc", "a topology as XML, of lstopo", "lstopo of hwloc", NULL, 0, NULL, take_hwloc},
    {"csv", "times by size, whose header names ns, and bytes, KiB, MiB or GiB", "a CSV",
     curves_header, 64, take_csv, NULL},
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

static struct reading in;

static bool import_file(const struct form *form, const char *name)
{
    struct lines lines = lines_open(name);
    size_t length;
    bool cut = false;
    char *line;
    in = (struct reading){.lines = &lines, .rows = 0, .left_out = in.left_out};
    in.spacing = spacing > 0 ? spacing : form->spacing;
    while ((line = lines_next(&lines, &length, &cut)) != NULL) {
        if (length > 0 && line[length - 1] == '\r')
            line[length - 1] = '\0';
        if (*line != '#')
            form->take(&in, line);
    }
    if (in.rows == 0)
        die("%s: no line of it is of %s%s", name, form->program,
            cut ? ": the last line has no end and is left out" : "");
    if (cut)
        warn("%s: the last line has no end and is left out; if it is whole: echo >>%s", name, name);
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
    bool one_machine = form->header == NULL || form->header == leaves_header;
    if (one_machine && files[0] != NULL && files[1] != NULL)
        die_usage("of %s one FILE at a time, since each is a machine", form->name);
    table_begin(NULL);
    table_put_meta("imported_from", "%s", form->program);
    for (char *const *file = files; *file != NULL; file++)
        table_put_meta("imported_file", "%s", *file);
    if (form->take_file != NULL) {
        form->take_file(*files);
        return finish(STATUS_DONE);
    }
    table_put_header(form->header);
    bool cut = false;
    for (char *const *file = files; *file != NULL; file++)
        cut = import_file(form, *file) || cut;
    if (in.left_out > 0 && !args_quiet)
        warn("times of loads in sequence (%lu) are left out: prefetchers serve them", in.left_out);
    return finish(cut ? STATUS_PARTIAL : STATUS_DONE);
}
