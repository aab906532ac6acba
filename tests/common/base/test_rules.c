/* test_rules.c: flags that need or exclude others, bounds of values, and mistyped names.
 *
 *     bin/.obj/plain/unit/test_rules
 */
#include "base/args.h"
#include "base/error.h"
#include "tap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char output[1 << 16];

static const char *const colours[] = {"red", "green", "blue", NULL};
static struct choice colour = {colours, sizeof *colours, colours};
static bool sharp;
static const char *list, *other;
static uint64_t count, page;
static double share;
static struct range sizes;

static const struct flag flags[] = {
    {"colour", FLAG_WORD, &colour, "NAME", "red at first"},
    {"list", FLAG_TEXT, &list, "LIST", "words"},
    {"sharp", FLAG_YES, &sharp, NULL, "needs one of two", .needs = "list=one,two other"},
    {"other", FLAG_TEXT, &other, "TEXT", "not with green", .excludes = "colour=green,blue FILE"},
    {"count", FLAG_COUNT, &count, "N", "needs the default", .needs = "colour=red", .max = 9},
    {"page", FLAG_POWER, &page, "SIZE", "bytes", .min = 4096},
    {"share", FLAG_NUMBER, &share, "X", "a share", .min = -1, .max = 1},
    {"sizes", FLAG_RANGE, &sizes, "RANGE", "sizes", .min = 1},
    {0},
};

static struct program program = {
    .name = "test", .purpose = "try rules", .operands = "[FILE]", .example = "", .flags = flags};

static char *words[16];
static int word_count;

static void parse_words(void)
{
    args_parse(&program, word_count, words);
    free(sizes.values);
    exit(0);
}

static int run(const char *line)
{
    static char copy[256];
    snprintf(copy, sizeof copy, "test %s", line);
    word_count = 0;
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        words[word_count++] = word;
    words[word_count] = NULL;
    return tap_fork(parse_words, "", output, sizeof output);
}

static bool takes(const char *line)
{
    bool taken = run(line) == 0;
    if (!taken)
        printf("# %s: %s\n", line, output);
    return taken;
}

static bool refuses(const char *line, const char *why)
{
    char message[256];
    snprintf(message, sizeof message, "test: %s\nTry 'test --help'.\n", why);
    bool refused = run(line) == STATUS_BAD && strcmp(output, message) == 0;
    if (!refused)
        printf("# %s: %s\n", line, output);
    return refused;
}

TEST(a_flag_is_refused_without_what_it_needs)
{
    CU_ASSERT_TRUE(refuses("--sharp", "--sharp needs --list one, two or --other"));
    CU_ASSERT_TRUE(refuses("--sharp --list on,twos", "--sharp needs --list one, two or --other"));
    CU_ASSERT_TRUE(takes("--sharp --list three,two"));
    CU_ASSERT_TRUE(takes("--other x --sharp"));
    CU_ASSERT_TRUE(takes("--list one"));
}

TEST(a_flag_is_refused_with_what_it_excludes)
{
    CU_ASSERT_TRUE(
        refuses("--other x --colour blue", "--other does not go with --colour green or blue"));
    CU_ASSERT_TRUE(refuses("--other x file", "--other does not go with FILE"));
    CU_ASSERT_TRUE(takes("--other x --colour red"));
    CU_ASSERT_TRUE(takes("--colour green file"));
}

TEST(a_default_counts_as_a_value)
{
    CU_ASSERT_TRUE(takes("--count 5"));
    CU_ASSERT_TRUE(takes("--count 5 --colour red"));
    CU_ASSERT_TRUE(refuses("--count 5 --colour green", "--count needs --colour red"));
}

TEST(values_out_of_bounds_are_refused)
{
    CU_ASSERT_TRUE(takes("--count 9"));
    CU_ASSERT_TRUE(refuses("--count 10", "--count '10': expected a whole number from 1 to 9"));
    CU_ASSERT_TRUE(takes("--page 4k"));
    CU_ASSERT_TRUE(refuses("--page 2k", "--page '2k': expected a power of two such as 4K, 2M or 1G "
                                        "from 4096"));
    CU_ASSERT_EQUAL(run("--page 12k"), STATUS_BAD);
    CU_ASSERT_TRUE(takes("--share -1"));
    CU_ASSERT_TRUE(refuses("--share -1.5", "--share '-1.5': expected a number from -1 to 1"));
    CU_ASSERT_TRUE(takes("--sizes 1,2 --sizes 3"));
    CU_ASSERT_EQUAL(run("--sizes 4,0"), STATUS_BAD);
    CU_ASSERT_TRUE(refuses("a b c", "unexpected operand 'b'"));
}

TEST(help_shows_rules_as_wide_as_COLUMNS)
{
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
