/* flag.c: the values of flags, and which need or exclude which.
 *
 *     {"interval", FLAG_SECONDS, &interval, "SECONDS", "length of a phase", .needs = "by=phase"}
 *         ->   misses: --interval needs --by phase
 */
#include "base/flag.h"
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_words[] = {
    [FLAG_TEXT] = "a value",
    [FLAG_COUNT] = "a whole number",
    [FLAG_SIZE] = "a size above 0 such as 64, 4K, 2M or 1G",
    [FLAG_POWER] = "a power of two such as 4K, 2M or 1G",
    [FLAG_NUMBER] = "a number",
    [FLAG_SECONDS] = "more than 0 seconds",
    [FLAG_RANGE] = "a list such as 16,64,1k or a range such as 16:4k:x2 or 60:80:+1 (a million "
                   "values at most)",
};

static bool is_bounded(const struct flag *flag)
{
    return flag->min != 0 || flag->max != 0;
}

static bool is_within(const struct flag *flag, double value)
{
    return (!is_bounded(flag) || (value >= flag->min && (flag->max == 0 || value <= flag->max))) &&
           (flag->multiple == 0 || fmod(value, flag->multiple) == 0);
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
        return *text != '\0';
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
    if (flag->multiple != 0)
        used = snprintf(bounds, sizeof bounds, ", multiples of %g", flag->multiple);
    if (is_bounded(flag) || flag->kind == FLAG_COUNT)
        used += snprintf(bounds + used, sizeof bounds - (size_t)used, " from %.10g", min);
    if (flag->max != 0)
        snprintf(bounds + used, sizeof bounds - (size_t)used, " to %.10g", flag->max);
    die_usage("--%s '%s': expected %s%s", flag->name, text, kind_words[flag->kind], bounds);
}

/* ---- rules ---- */

/* A list of conditions in words; the longest has " or --" before each letter. The caller frees it.
 */
static char *list_of(const char *conditions, size_t length)
{
    char *list = allocate(7 * length + 1, 1), *end = list;
    char before = ' ';
    for (size_t at = 0; at < length; at++) {
        size_t next = at + strcspn(conditions + at, " ,");
        next = next < length ? next : length;
        if (at > 0)
            end = stpcpy(end, next == length ? " or " : ", ");
        if (before == ' ' && islower((unsigned char)conditions[at]))
            end = stpcpy(end, "--");
        for (; at < next; at++)
            *end++ = conditions[at] == '=' ? ' ' : conditions[at];
        before = conditions[at];
    }
    *end = '\0';
    return list;
}

/* Whether one of the words of a list with commas is among those of another. */
static bool share_a_word(const char *some, const char *others, size_t length)
{
    for (; *some != '\0'; some += strcspn(some, ","), some += *some == ',') {
        size_t word = strcspn(some, ",");
        for (size_t at = 0; at < length; at++) {
            size_t other = strcspn(others + at, ", ");
            if (other == word && strncmp(some, others + at, word) == 0)
                return true;
            at += other;
        }
    }
    return false;
}

/* The value of the k-th flag; NULL where it has none. */
static const char *value_of(const struct given *given, size_t k)
{
    const struct flag *flag = &given->flags[k];
    return flag->kind == FLAG_WORD ? choice_chosen(flag->value) : given->texts[k];
}

static bool holds(const struct given *given, const char *condition, size_t length)
{
    size_t name = strcspn(condition, " =");
    if (isupper((unsigned char)*condition))
        return given->operands > 0;
    for (size_t k = 0; given->flags[k].name != NULL; k++) {
        const char *flag = given->flags[k].name, *value = value_of(given, k);
        if (strlen(flag) != name || strncmp(flag, condition, name) != 0)
            continue;
        if (name == length)
            return given->texts[k] != NULL;
        return value != NULL && share_a_word(value, condition + name + 1, length - name - 1);
    }
    return false;
}

/* The first condition that holds; NULL where none does. */
static const char *first_of(const struct given *given, const char *conditions, size_t *length)
{
    for (; *conditions != '\0'; conditions += *length, conditions += *conditions == ' ') {
        *length = strcspn(conditions, " ");
        if (holds(given, conditions, *length))
            return conditions;
    }
    return NULL;
}

void flags_check(const struct given *given)
{
    for (size_t k = 0; given->flags[k].name != NULL; k++) {
        const struct flag *flag = &given->flags[k];
        size_t length = 0;
        const char *held;
        if (given->texts[k] == NULL)
            continue;
        if (flag->needs != NULL && first_of(given, flag->needs, &length) == NULL)
            die_usage("--%s needs %s", flag->name, list_of(flag->needs, strlen(flag->needs)));
        if (flag->excludes != NULL && (held = first_of(given, flag->excludes, &length)) != NULL)
            die_usage("--%s does not go with %s", flag->name, list_of(held, length));
    }
}

char *flag_rules(const struct flag *flag)
{
    const char *needs = flag->needs != NULL ? flag->needs : "";
    const char *excludes = flag->excludes != NULL ? flag->excludes : "";
    char *before = list_of(needs, strlen(needs)), *after = list_of(excludes, strlen(excludes));
    size_t bytes = strlen(before) + strlen(after) + 32;
    char *text = allocate(bytes, 1);
    snprintf(text, bytes, "%s%s%s%s", *before != '\0' ? "; needs " : "", before,
             *after != '\0' ? "; not with " : "", after);
    free(before);
    free(after);
    return text;
}
