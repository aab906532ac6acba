/* range.c: sizes and ranges on the command line. */
#include "base/range.h"
#include "base/error.h"
#include "base/number.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { RANGE_VALUES_MAX = 1000000 };

/* Reads a whole number with an optional suffix at *text and moves *text past it. */
static bool scan_size(const char **text, uint64_t *bytes)
{
    const char *at = *text;
    uint64_t value = 0;
    if (!isdigit((unsigned char)*at))
        return false;
    for (; isdigit((unsigned char)*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    unsigned shift = *at == 'k' || *at == 'K' ? 10 : *at == 'M' ? 20 : *at == 'G' ? 30 : 0;
    if (shift > 0)
        at++;
    if (value > UINT64_MAX >> shift)
        return false;
    *bytes = value << shift;
    *text = at;
    return true;
}

bool parse_size(const char *text, uint64_t *bytes)
{
    uint64_t value;
    if (!scan_size(&text, &value) || *text != '\0')
        return false;
    *bytes = value;
    return true;
}

uint64_t size_or(const char *text, uint64_t otherwise)
{
    uint64_t bytes;
    return text != NULL && parse_size(text, &bytes) && bytes > 0 ? bytes : otherwise;
}

bool is_power_of_two(uint64_t size)
{
    return size > 0 && (size & (size - 1)) == 0;
}

static bool range_append(struct range *range, uint64_t value)
{
    if (range->count >= RANGE_VALUES_MAX)
        return false;
    if ((range->count & (range->count - 1)) == 0) /* capacity doubles at powers of two */
        range->values = reallocate(range->values, range->count > 0 ? 2 * range->count : 1,
                                   sizeof *range->values);
    range->values[range->count++] = value;
    return true;
}

static bool range_add_steps(struct range *range, uint64_t from, uint64_t to, uint64_t step)
{
    for (uint64_t value = from; step > 0; value += step) {
        if (!range_append(range, value))
            return false;
        if (to - value < step)
            return true;
    }
    return false;
}

/* The product is kept unrounded, so rounding errors do not add up. */
static bool range_add_factors(struct range *range, uint64_t from, uint64_t to, double factor)
{
    if (!(factor > 1) || from == 0)
        return false;
    double most = (double)to * (1 + 1e-12);
    uint64_t last = 0, steps = 0;
    for (double value = (double)from; value <= most && value < 0x1p64; value *= factor) {
        uint64_t rounded = (uint64_t)(value + 0.5);
        if (++steps > RANGE_VALUES_MAX) /* a factor near 1 repeats values for many steps */
            return false;
        if (rounded != last && rounded <= to && !range_append(range, rounded))
            return false;
        last = rounded;
    }
    return true;
}

bool parse_range(const char *text, struct range *range)
{
    uint64_t from, to, step;
    struct range result = {0};
    bool good = scan_size(&text, &from);
    if (good && *text == ':') {
        text++;
        good = scan_size(&text, &to) && from <= to && *text++ == ':';
        if (good && *text == '+') {
            text++;
            good = scan_size(&text, &step) && *text == '\0' &&
                   range_add_steps(&result, from, to, step);
        } else {
            double factor;
            good = good && *text == 'x' && parse_number(text + 1, strlen(text + 1), &factor) &&
                   range_add_factors(&result, from, to, factor);
        }
    } else {
        good = good && range_append(&result, from);
        while (good && *text == ',') {
            text++;
            good = scan_size(&text, &from) && range_append(&result, from);
        }
        good = good && *text == '\0';
    }
    if (good)
        *range = result;
    else
        free(result.values);
    return good;
}

void replace_range(struct range *range, struct range by)
{
    free(range->values);
    *range = by;
}
