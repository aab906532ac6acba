/* test_args.c: sizes, ranges, the command line, the options of an earlier run, and rules between
 * options.
 *
 *     bin/.obj/plain/tests/common/base/test_args
 */
#include "base/args.h"
#include "base/error.h"
#include "tap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char output[1 << 16];

/* ---- sizes and ranges ---- */

static bool is_size(const char *text, uint64_t wanted)
{
    uint64_t value = 12345;
    return parse_size(text, &value) && value == wanted;
}

static bool takes_size(const char *text)
{
    uint64_t value = 12345;
    return parse_size(text, &value) || value != 12345; /* where refused, left alone */
}

/* Whether none of the words, with `|` between, is taken. */
static bool takes_none(const char *listed, bool (*taken)(const char *word))
{
    char copy[1024];
    bool none = true;
    snprintf(copy, sizeof copy, "%s", listed);
    for (char *word = strtok(copy, "|"); word != NULL; word = strtok(NULL, "|"))
        if (taken(word)) {
            printf("# taken: %s\n", word);
            none = false;
        }
    return none;
}

TEST(sizes_are_read_with_units)
{
    CU_ASSERT_TRUE(is_size("0", 0));
    CU_ASSERT_TRUE(is_size("64", 64));
    CU_ASSERT_TRUE(is_size("4k", 4096));
    CU_ASSERT_TRUE(is_size("4K", 4096));
    CU_ASSERT_TRUE(is_size("2M", 2097152));
    CU_ASSERT_TRUE(is_size("3G", 3221225472));
    CU_ASSERT_TRUE(is_size("007", 7));
    CU_ASSERT_TRUE(is_size("18446744073709551615", UINT64_MAX));
    CU_ASSERT_TRUE(is_size("17179869183G", UINT64_C(17179869183) << 30));
    CU_ASSERT_FALSE(takes_size(""));
    CU_ASSERT_TRUE(takes_none("k|-1|+1|1.5|4KB|4 k| 4|4k |0x10|1T|18446744073709551616|1e3|"
                              "17592186044416M|17179869184G|18014398509481984k",
                              takes_size));
}

/* The values of a range with commas between; "bad" when it is none. */
static const char *range_of(const char *text)
{
    static char list[4096];
    struct range range = {0};
    size_t used = 0;
    if (!parse_range(text, &range))
        return "bad";
    for (size_t i = 0; i < range.count; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%llu", i > 0 ? "," : "",
                                 (unsigned long long)range.values[i]);
    free(range.values);
    return list;
}

TEST(ranges_become_values)
{
    CU_ASSERT_STRING_EQUAL(range_of("16"), "16");
    CU_ASSERT_STRING_EQUAL(range_of("16,64,1k"), "16,64,1024");
    CU_ASSERT_STRING_EQUAL(range_of("9,4,9"), "9,4,9");
    CU_ASSERT_STRING_EQUAL(range_of("16:256:x2"), "16,32,64,128,256");
    CU_ASSERT_STRING_EQUAL(range_of("16:255:x2"), "16,32,64,128");
    CU_ASSERT_STRING_EQUAL(range_of("1:10:x1.5"), "1,2,3,5,8");
    CU_ASSERT_STRING_EQUAL(range_of("10:13:+1"), "10,11,12,13");
    CU_ASSERT_STRING_EQUAL(range_of("10:15:+2"), "10,12,14");
    CU_ASSERT_STRING_EQUAL(range_of("1k:3k:+1k"), "1024,2048,3072");
    CU_ASSERT_STRING_EQUAL(range_of("5:5:x2"), "5");
    CU_ASSERT_STRING_EQUAL(range_of("5:5:+1"), "5");
    CU_ASSERT_STRING_EQUAL(range_of("0:2:+1"), "0,1,2");
    CU_ASSERT_STRING_EQUAL(range_of("1:1000:x10"), "1,10,100,1000");
    CU_ASSERT_STRING_EQUAL(range_of("1:1000000000000000:x1e15"), "1,1000000000000000");
}

static bool takes_range(const char *text)
{
    return strcmp(range_of(text), "bad") != 0;
}

TEST(ranges_that_are_none_are_refused)
{
    CU_ASSERT_FALSE(takes_range(""));
    CU_ASSERT_TRUE(
        takes_none(",|1,|,1|1,,2|1;2|1:2|1:2:|1:2:3|1:2:x|1:2:x1|1:2:x0|1:2:x-2|1:2:x0.5|"
                   "1:2:xnan|1:2:xinf|1:2:+0|1:2:+|1:2:+-1|2:1:x2|2:1:+1|0:8:x2|1:8:x2:3|1:8:+1x|1:"
                   "8:x2k|-1:8:+1|"
                   "1 :8:+1|a:b:+1|1:8:*2|4:16k|1:18446744073709551616:x2",
                   takes_range));
}

static size_t count_of(const char *text)
{
    struct range range = {0};
    if (!parse_range(text, &range))
        return 0;
    for (size_t i = 1; i < range.count; i++)
        CU_ASSERT_TRUE(range.values[i] > range.values[i - 1]);
    free(range.values);
    return range.count;
}

TEST(ranges_of_too_many_values_are_refused)
{
    CU_ASSERT_EQUAL(count_of("1:1000000:+1"), 1000000);
    CU_ASSERT_EQUAL(count_of("1:1000001:+1"), 0);
    CU_ASSERT_EQUAL(count_of("1:18446744073709551615:+1"), 0);
    CU_ASSERT_EQUAL(count_of("1:18446744073709551615:x2"), 64);
    CU_ASSERT_EQUAL(count_of("18446744073709551615:18446744073709551615:+1"), 1);
    CU_ASSERT_EQUAL(count_of("18446744073709551600:18446744073709551615:+10"), 2);
    /* a factor so small that no value changes for ages */
    CU_ASSERT_EQUAL(count_of("1:1000:x1.000000000001"), 0);
    CU_ASSERT_EQUAL(count_of("1:1000:x1.0001"), 1000);
}

/* ---- the command line ---- */

static bool flag_yes;
static const char *flag_text;
static uint64_t flag_count, flag_size;
static double flag_number;
static struct range flag_range;
static double flag_seconds;
static const struct {
    const char *name;
    int legs;
} animals[] = {{"hen", 2}, {"cow", 4}, {"ant", 6}, {0}};
static struct choice flag_word = CHOICE_OF(animals);

static const struct flag flags[] = {
    {"yes", FLAG_YES, &flag_yes, NULL, "a switch"},
    {"text", FLAG_TEXT, &flag_text, "TEXT", "words"},
    {"count", FLAG_COUNT, &flag_count, "N", "whole number"},
    {"size", FLAG_SIZE, &flag_size, "SIZE", "bytes"},
    {"word", FLAG_WORD, &flag_word, "ANIMAL", "one of a list"},
    {"seconds", FLAG_SECONDS, &flag_seconds, "SECONDS", "time"},
    {"number", FLAG_NUMBER, &flag_number, "X", "number"},
    {"range", FLAG_RANGE, &flag_range, "RANGE", "sizes"},
    {0},
};

static uint64_t flag_shared;
static const struct flag shared[] = {{"shared", FLAG_COUNT, &flag_shared, "N", "of two programs"},
                                     {0}};
static const struct {
    const char *name, *help;
} shapes[] = {{"round", "without a corner, as a ball is, or a coin, or a wheel"},
              {"square", "with four"},
              {0}};
static const struct topic topics[] = {{"shapes", "Shapes", CHOICE_OF(shapes), NULL, "outlines"},
                                      {0}};

static struct program program = {.name = "test",
                                 .purpose = "try the command line",
                                 .operands = "[FILE...]",
                                 .example = "test --yes",
                                 .flags = flags,
                                 .shared = shared,
                                 .per_run = "seconds number ",
                                 .inherits = "exam quiz ",
                                 .writes_table = true,
                                 .topics = topics};

static const struct program *tried = &program;
static char *words[32];
static int word_count;
static const char *excluded; /* names for args_refuse(), or NULL */
static const char *earlier;  /* the options of the run to be resumed, with `|` between */

static void inherit(void)
{
    static char copy[1024];
    const char *options[8];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", earlier);
    for (char *option = strtok(copy, "|"); option != NULL; option = strtok(NULL, "|"))
        options[count++] = option;
    args_inherit(options, count, "FILE");
}

static void print_option(const char *name, const char *value)
{
    printf("<--%s%s%s>", name, *value != '\0' ? " " : "", value);
}

/* Parses and prints what came of it. */
static void parse_words(void)
{
    int first = args_parse(tried, word_count, words);
    if (tried->inherits == NULL) /* its rules have been checked */
        exit(0);
    if (excluded != NULL)
        args_refuse(excluded, "%s", "the test");
    if (earlier != NULL)
        inherit();
    args_check();
    if (flag_shared != 0)
        printf("shared=%llu ", (unsigned long long)flag_shared);
    if (flag_yes)
        printf("yes ");
    if (flag_text != NULL)
        printf("text=%s ", flag_text);
    if (flag_count != 0)
        printf("count=%llu ", (unsigned long long)flag_count);
    if (flag_size != 0)
        printf("size=%llu ", (unsigned long long)flag_size);
    if (flag_number != 0)
        printf("number=%g ", flag_number);
    if (flag_word.chosen != NULL)
        printf("word=%s ", *(const char *const *)flag_word.chosen);
    if (flag_seconds != 0)
        printf("seconds=%g ", flag_seconds);
    if (flag_range.count > 0)
        printf("range=%zu ", flag_range.count);
    for (size_t k = 0; k < args_meta_count(); k++)
        printf("meta:%s ", args_meta(k));
    for (int i = first; i < word_count; i++)
        printf("operand:%s ", words[i]);
    if (args_quiet)
        printf("quiet ");
    if (args_pretty != PRETTY_AUTO)
        printf("pretty=%d ", (int)args_pretty);
    if (args_columns != NULL)
        printf("%s ", args_columns);
    printf("[%s]", args_command());
    if (earlier != NULL)
        args_each_option(print_option);
    free(flag_range.values);
    exit(0);
}

/* Sets the command line from one string, with `|` between words. */
static void set_line(const char *line)
{
    static char copy[1024];
    snprintf(copy, sizeof copy, "%s", line);
    word_count = 0;
    words[word_count++] = (char *)"./test";
    for (char *word = strtok(copy, "|"); word != NULL; word = strtok(NULL, "|"))
        words[word_count++] = word;
    words[word_count] = NULL;
}

static int run(const char *line)
{
    set_line(line);
    return tap_fork(parse_words, "", output, sizeof output);
}

static bool gives(const char *line, const char *wanted)
{
    earlier = NULL;
    set_line(line);
    return tap_writes(parse_words, "", wanted);
}

static bool refuses(const char *line, const char *message)
{
    earlier = NULL;
    int status = run(line);
    bool good = status == STATUS_BAD && strstr(output, message) != NULL &&
                strstr(output, "\nTry 'test --help'.\n") != NULL &&
                strncmp(output, "test: ", 6) == 0;
    if (!good)
        printf("# status %d: %s\n", status, output);
    return good;
}

TEST(options_are_read_in_their_forms)
{
    CU_ASSERT_TRUE(gives("", "[test]"));
    CU_ASSERT_TRUE(gives("--yes", "yes [test --yes]"));
    CU_ASSERT_TRUE(
        gives("--text|a b|--size=4k", "text=a b size=4096 [test --text 'a b' --size=4k]"));
    CU_ASSERT_TRUE(gives("--text|it's", "text=it's [test --text 'it'\\''s']"));
    CU_ASSERT_TRUE(
        gives("--number|1e-3|--count|7", "count=7 number=0.001 [test --number 1e-3 --count 7]"));
    CU_ASSERT_TRUE(
        gives("--word|cow|--seconds|0.5", "word=cow seconds=0.5 [test --word cow --seconds 0.5]"));
    CU_ASSERT_TRUE(
        gives("--range|1:8:x2|--range|1,2", "range=2 [test --range 1:8:x2 --range 1,2]"));
    CU_ASSERT_TRUE(gives("a|--yes|-|b", "yes operand:a operand:- operand:b [test a --yes - b]"));
    CU_ASSERT_TRUE(gives("--|--yes", "operand:--yes [test -- --yes]"));
    CU_ASSERT_TRUE(gives("--quiet", "quiet [test --quiet]"));
    CU_ASSERT_TRUE(gives("-q", "quiet [test -q]"));
    CU_ASSERT_TRUE(
        gives("--meta|a=b=c|--meta|d_1=", "meta:a=b=c meta:d_1= [test --meta a=b=c --meta d_1=]"));
}

TEST(unknown_options_and_bad_values_are_refused)
{
    CU_ASSERT_TRUE(refuses("--nothing", "unknown option '--nothing'"));
    CU_ASSERT_TRUE(refuses("a|--nothing|b", "unknown option '--nothing'"));
    CU_ASSERT_TRUE(refuses("a|-xyz|b", "unknown option '-x'"));
    CU_ASSERT_TRUE(refuses("--yes=1", "option '--yes=1' takes no value"));
    CU_ASSERT_TRUE(refuses("--text", "option '--text' needs a value"));
    CU_ASSERT_TRUE(refuses("--count|x", "--count 'x': expected a whole number"));
    CU_ASSERT_TRUE(refuses("--count|4k", "--count '4k'"));
    CU_ASSERT_TRUE(refuses("--count|-1", "--count '-1'"));
    CU_ASSERT_TRUE(refuses("--count=", "--count ''"));
    CU_ASSERT_TRUE(refuses("--count|+5", "--count '+5'"));
    CU_ASSERT_TRUE(refuses("--count|5 ", "--count '5 '"));
    CU_ASSERT_TRUE(refuses("--number|+5", "--number '+5'"));
    CU_ASSERT_TRUE(refuses("--number|5 ", "--number '5 '"));
    CU_ASSERT_TRUE(refuses("--seconds|+5", "--seconds '+5'"));
    CU_ASSERT_TRUE(refuses("--seconds|5 ", "--seconds '5 '"));
    CU_ASSERT_TRUE(refuses("--size|4KB", "--size '4KB': expected a size"));
    CU_ASSERT_TRUE(refuses("--word|co", "--word 'co': there are hen, cow and ant\n"));
    CU_ASSERT_TRUE(refuses("--word=", "--word '': there are"));
    CU_ASSERT_TRUE(refuses("--seconds|0", "--seconds '0': expected more than 0 seconds"));
    CU_ASSERT_TRUE(refuses("--seconds|-1", "--seconds '-1': expected more than 0 seconds"));
    CU_ASSERT_TRUE(refuses("--seconds|x", "--seconds 'x': expected more than 0 seconds"));
    CU_ASSERT_TRUE(refuses("--number|nan", "--number 'nan': expected a number"));
    CU_ASSERT_TRUE(refuses("--number|1e999", "--number '1e999'"));
    CU_ASSERT_TRUE(refuses("--range|4:8", "--range '4:8': expected a list"));
    CU_ASSERT_TRUE(refuses("--meta|x", "--meta 'x': expected KEY=VALUE"));
    CU_ASSERT_TRUE(refuses("--meta|=x", "--meta '=x'"));
    CU_ASSERT_TRUE(refuses("--meta|Key=x", "--meta 'Key=x'"));
    CU_ASSERT_TRUE(refuses("--meta|a b=x", "--meta 'a b=x'"));
    CU_ASSERT_TRUE(refuses("--meta|a=x\ny", "--meta 'a': the value must be one line"));
    CU_ASSERT_TRUE(refuses("--meta|a=x\ty", "--meta 'a'"));
    program.operands = "";
    CU_ASSERT_TRUE(refuses("--yes|file", "unexpected operand 'file'"));
    program.operands = "[FILE...]";
    program.writes_table = false;
    CU_ASSERT_TRUE(refuses("--meta|a=b", "unknown option '--meta'"));
    program.writes_table = true;
}

static void print_inherited(void)
{
    static const char *const names[] = {"test", "exam", "qui", "quiz", "quizz", "tes"};
    word_count = 1;
    args_parse(tried, word_count, words);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (args_inherits_from(names[i]))
            printf("%s ", names[i]);
    exit(0);
}

TEST(options_of_two_programs_come_first)
{
    CU_ASSERT_TRUE(gives("--shared|3|--count|7", "shared=3 count=7 [test --shared 3 --count 7]"));
    CU_ASSERT_EQUAL(run("--help"), 0);
    const char *at = strstr(output, "--shared N");
    CU_ASSERT_TRUE(at != NULL && at < strstr(output, "--yes"));
    CU_ASSERT_TRUE(tap_writes(print_inherited, "", "test exam quiz "));
}

TEST(options_that_do_not_go_together_are_refused)
{
    excluded = "size shared ";
    CU_ASSERT_TRUE(gives("--count|7", "count=7 [test --count 7]"));
    CU_ASSERT_TRUE(refuses("--size|4k", "--size does not go with the test\n"));
    CU_ASSERT_TRUE(refuses("--shared|3", "--shared does not go with the test\n"));
    excluded = NULL;
}

TEST(help_lists_the_options)
{
    CU_ASSERT_EQUAL(run("--help|--nothing"), 0);
    for (const struct flag *flag = flags; flag->name != NULL; flag++)
        CU_ASSERT_PTR_NOT_NULL(strstr(output, flag->help));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "Usage: test [OPTION...] [FILE...]"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "--meta KEY=VALUE"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "Example: test --yes"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "--pretty[=LIST]"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "--help shapes              outlines: round and square"));
    CU_ASSERT_EQUAL(run("-h"), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "Usage: test"));
    CU_ASSERT_EQUAL(run("--version"), 0);
    CU_ASSERT_PTR_EQUAL(strstr(output, "test (tlblab) " TLBLAB_VERSION "\n"), output);
}

TEST(help_TOPIC_explains_its_words)
{
    CU_ASSERT_EQUAL(run("--help|shapes"), 0);
    CU_ASSERT_STRING_EQUAL(
        output, "Shapes:\n"
                "  round                      without a corner, as a ball is, or a coin, "
                "or a\n"
                "                             wheel\n"
                "  square                     with four\n");
    CU_ASSERT_EQUAL(run("--help=shapes"), 0);
    CU_ASSERT_TRUE(refuses("--help|sounds", "--help 'sounds': there are shapes"));
}

TEST(the_view_is_always_or_never_asked_for)
{
    CU_ASSERT_TRUE(gives("--pretty|--yes", "yes pretty=1 [test --pretty --yes]"));
    CU_ASSERT_TRUE(gives("--pretty=a,b", "pretty=1 a,b [test --pretty=a,b]"));
    CU_ASSERT_TRUE(gives("--pretty=a|--pretty=never", "pretty=2 [test --pretty=a --pretty=never]"));
}

/* ---- an earlier run ---- */

static bool resumes(const char *line, const char *options, const char *wanted)
{
    earlier = options;
    set_line(line);
    return tap_writes(parse_words, "", wanted);
}

static bool contradicts(const char *line, const char *options, const char *message)
{
    earlier = options;
    set_line(line);
    return tap_refuses(parse_words, "", message);
}

TEST(an_earlier_run_gives_its_options)
{
    CU_ASSERT_TRUE(resumes("", "", "[test]"));
    CU_ASSERT_TRUE(resumes("", "--yes|--size 4k", "yes size=4096 [test]<--yes><--size 4k>"));
    CU_ASSERT_TRUE(resumes("--quiet", "--text it's a b",
                           "text=it's a b quiet [test --quiet]"
                           "<--text it's a b>"));
    CU_ASSERT_TRUE(resumes("", "--word cow", "word=cow [test]<--word cow>"));
    CU_ASSERT_TRUE(resumes("--size|4k", "--size 4k", "size=4096 [test --size 4k]<--size 4k>"));
    CU_ASSERT_TRUE(resumes("", "--size 4k|--size 8k", "size=8192 [test]<--size 8k>"));
    /* what belongs to one run alone: not inherited, no contradiction */
    CU_ASSERT_TRUE(resumes("", "--number 5", "[test]"));
    CU_ASSERT_TRUE(resumes("--number|6", "--number 5", "number=6 [test --number 6]"));
    CU_ASSERT_TRUE(resumes("--meta|a=b", "", "meta:a=b [test --meta a=b]"));
}

TEST(contradictions_to_an_earlier_run_are_refused)
{
    CU_ASSERT_TRUE(contradicts("--size|8k", "--size 4k", "--size '8k' contradicts"));
    CU_ASSERT_TRUE(contradicts("--size|8k", "", "--size '8k' contradicts"));
    CU_ASSERT_TRUE(contradicts("--yes", "", "--yes '' contradicts"));
    CU_ASSERT_TRUE(contradicts("", "--unknown", "FILE: the option '--unknown'"));
    CU_ASSERT_TRUE(contradicts("", "--sizes 4k", "FILE: the option '--sizes 4k'"));
    CU_ASSERT_TRUE(contradicts("", "size 4k", "FILE: the option 'size 4k'"));
    CU_ASSERT_TRUE(contradicts("", "--size x", "FILE: the option '--size x'"));
    CU_ASSERT_TRUE(contradicts("", "--size", "FILE: the option '--size'"));
    CU_ASSERT_TRUE(contradicts("", "--word co", "FILE: the option '--word co'"));
}

/* ---- flags that need or exclude others, bounds of values, and mistyped names ---- */

static const char *const colours[] = {"red", "green", "blue", NULL};
static struct choice colour = {colours, sizeof *colours, colours};
static bool sharp;
static const char *list, *other;
static uint64_t rule_count, page;
static double share;
static struct range sizes;

static const struct flag rule_flags[] = {
    {"colour", FLAG_WORD, &colour, "NAME", "red at first"},
    {"list", FLAG_TEXT, &list, "LIST", "words"},
    {"sharp", FLAG_YES, &sharp, NULL, "needs one of two", .needs = "list=one,two other"},
    {"other", FLAG_TEXT, &other, "TEXT", "not with green", .excludes = "colour=green,blue FILE"},
    {"count", FLAG_COUNT, &rule_count, "N", "needs the default", .needs = "colour=red", .max = 9},
    {"page", FLAG_POWER, &page, "SIZE", "bytes", .min = 4096},
    {"share", FLAG_NUMBER, &share, "X", "a share", .min = -1, .max = 1},
    {"sizes", FLAG_RANGE, &sizes, "RANGE", "sizes", .min = 1},
    {0},
};

static const struct program rules = {.name = "test",
                                     .purpose = "try rules",
                                     .operands = "[FILE]",
                                     .example = "",
                                     .flags = rule_flags};

static bool takes(const char *line)
{
    earlier = NULL;
    bool taken = run(line) == 0;
    if (!taken)
        printf("# %s: %s\n", line, output);
    return taken;
}

TEST(a_flag_is_refused_without_what_it_needs)
{
    tried = &rules;
    CU_ASSERT_TRUE(refuses("--sharp", "--sharp needs --list one, two or --other"));
    CU_ASSERT_TRUE(refuses("--sharp|--list|on,twos", "--sharp needs --list one, two or --other"));
    CU_ASSERT_TRUE(takes("--sharp|--list|three,two"));
    CU_ASSERT_TRUE(takes("--other|x|--sharp"));
    CU_ASSERT_TRUE(takes("--list|one"));
}

TEST(a_flag_is_refused_with_what_it_excludes)
{
    tried = &rules;
    CU_ASSERT_TRUE(
        refuses("--other|x|--colour|blue", "--other does not go with --colour green or blue"));
    CU_ASSERT_TRUE(refuses("--other|x|file", "--other does not go with FILE"));
    CU_ASSERT_TRUE(takes("--other|x|--colour|red"));
    CU_ASSERT_TRUE(takes("--colour|green|file"));
}

TEST(a_default_counts_as_a_value)
{
    tried = &rules;
    CU_ASSERT_TRUE(takes("--count|5"));
    CU_ASSERT_TRUE(takes("--count|5|--colour|red"));
    CU_ASSERT_TRUE(refuses("--count|5|--colour|green", "--count needs --colour red"));
}

TEST(values_out_of_bounds_are_refused)
{
    tried = &rules;
    CU_ASSERT_TRUE(takes("--count|9"));
    CU_ASSERT_TRUE(refuses("--count|10", "--count '10': expected a whole number from 1 to 9"));
    CU_ASSERT_TRUE(takes("--page|4k"));
    CU_ASSERT_TRUE(refuses("--page|2k", "--page '2k': expected a power of two such as 4K, 2M or 1G "
                                        "from 4096"));
    CU_ASSERT_EQUAL(run("--page|12k"), STATUS_BAD);
    CU_ASSERT_TRUE(takes("--share|-1"));
    CU_ASSERT_TRUE(refuses("--share|-1.5", "--share '-1.5': expected a number from -1 to 1"));
    CU_ASSERT_TRUE(takes("--sizes|1,2|--sizes|3"));
    CU_ASSERT_EQUAL(run("--sizes|4,0"), STATUS_BAD);
    CU_ASSERT_TRUE(refuses("a|b|c", "unexpected operand 'b'"));
}

TEST(help_shows_rules_as_wide_as_COLUMNS)
{
    tried = &rules;
    unsetenv("COLUMNS");
    CU_ASSERT_EQUAL(run("--help"), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "needs one of two; needs --list one, two or --other\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "not with green; not with --colour green, blue or\n"));
    setenv("COLUMNS", "120", 1);
    CU_ASSERT_EQUAL(run("--help"), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "; not with --colour green, blue or FILE\n"));
    setenv("COLUMNS", "wide", 1);
    CU_ASSERT_EQUAL(run("--help"), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "; not with --colour green, blue or\n"));
    unsetenv("COLUMNS");
}

static const char *meant(const char *word)
{
    static const char *const names[] = {"budget", "seed", "samples", "spacing", "page", NULL};
    const struct choice choice = CHOICE_OF(names);
    return choice_nearest(&choice, word, strlen(word));
}

TEST(a_mistyped_name_is_recognised)
{
    tried = &rules;
    CU_ASSERT_STRING_EQUAL(meant("bugdet"), "budget");
    CU_ASSERT_STRING_EQUAL(meant("buget"), "budget");
    CU_ASSERT_STRING_EQUAL(meant("budgets"), "budget");
    CU_ASSERT_STRING_EQUAL(meant("samles"), "samples");
    CU_ASSERT_STRING_EQUAL(meant("pages"), "page");
    CU_ASSERT_STRING_EQUAL(meant("apeg"), "page");
    CU_ASSERT_STRING_EQUAL(meant("sede"), "seed");
    CU_ASSERT_PTR_NULL(meant("egap"));
    CU_ASSERT_PTR_NULL(meant("nothing"));
    CU_ASSERT_PTR_NULL(meant("x"));
    CU_ASSERT_PTR_NULL(meant(""));
    CU_ASSERT_PTR_NULL(meant("budgetbudgetbudgetbudgetbudgetbudget"));
    CU_ASSERT_TRUE(
        refuses("--colout=red", "unknown option '--colout=red': did you mean '--colour'?"));
}
