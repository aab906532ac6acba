/* rules.c: which flags need or exclude which.
 *
 *     {"interval", FLAG_SECONDS, &interval, "SECONDS", "length of a phase", .needs = "by=phase"}
 *         ->   misses: --interval needs --by phase
 */
#include "base/rules.h"
#include "base/args.h"
#include "base/error.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void rules_check(const struct given *given)
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

char *rules_text(const struct flag *flag)
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
