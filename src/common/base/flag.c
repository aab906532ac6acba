/* flag.c: the value of a flag. */
#include "base/flag.h"
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_words[] = {
    [FLAG_COUNT] = "a whole number",
    [FLAG_SIZE] = "a size above 0 such as 64, 4K, 2M or 1G",
    [FLAG_POWER] = "a power of two such as 4K, 2M or 1G",
    [FLAG_NUMBER] = "a number",
    [FLAG_SECONDS] = "more than 0 seconds",
    [FLAG_RANGE] = "a list such as 16,64,1k or a range such as 16:4k:x2 or 60:80:+1, of a million "
                   "values at most",
};

static bool is_bounded(const struct flag *flag)
{
    return flag->min != 0 || flag->max != 0;
}

static bool is_within(const struct flag *flag, double value)
{
    return !is_bounded(flag) || (value >= flag->min && (flag->max == 0 || value <= flag->max));
}

static bool set_number(const struct flag *flag, const char *text)
{
    double number;
    if (!parse_number(text, strlen(text), &number) || !is_within(flag, number) ||
        (flag->kind == FLAG_SECONDS && number <= 0))
        return false;
    *(double *)flag->value = number;
    return true;
}

static bool set_range(const struct flag *flag, const char *text)
{
    struct range parsed, *range = flag->value;
    bool within = parse_range(text, &parsed);
    if (!within)
        return false;
    for (size_t k = 0; k < parsed.count; k++)
        within = within && is_within(flag, (double)parsed.values[k]);
    free(within ? range->values : parsed.values);
    *range = within ? parsed : *range;
    return within;
}

/* 0 is refused even as a count, because it means "not given" in the programs. */
static bool set_size(const struct flag *flag, const char *text)
{
    uint64_t size;
    if ((flag->kind == FLAG_COUNT && text[strspn(text, "0123456789")] != '\0') ||
        !parse_size(text, &size) || size == 0 || !is_within(flag, (double)size) ||
        (flag->kind == FLAG_POWER && !is_power_of_two(size)))
        return false;
    *(uint64_t *)flag->value = size;
    return true;
}

bool flag_set(const struct flag *flag, const char *text)
{
    switch (flag->kind) {
    case FLAG_YES:
        *(bool *)flag->value = true;
        return true;
    case FLAG_TEXT:
        *(const char **)flag->value = text;
        return true;
    case FLAG_WORD:
        return choose(flag->value, text);
    case FLAG_COUNT:
    case FLAG_SIZE:
    case FLAG_POWER:
        return set_size(flag, text);
    case FLAG_NUMBER:
    case FLAG_SECONDS:
        return set_number(flag, text);
    case FLAG_RANGE:
        return set_range(flag, text);
    }
    return false;
}

void flag_take(const struct flag *flag, const char *text)
{
    char bounds[64] = "";
    int used = 0;
    double min = flag->kind == FLAG_COUNT && flag->min < 1 ? 1 : flag->min;
    if (flag_set(flag, text))
        return;
    if (flag->kind == FLAG_WORD)
        die_usage("--%s '%s': there are %s", flag->name, text, choice_names(flag->value));
    if (is_bounded(flag) || flag->kind == FLAG_COUNT)
        used = snprintf(bounds, sizeof bounds, " from %.10g", min);
    if (flag->max != 0)
        snprintf(bounds + used, sizeof bounds - (size_t)used, " to %.10g", flag->max);
    die_usage("--%s '%s': expected %s%s", flag->name, text, kind_words[flag->kind], bounds);
}
