/* number.c: numbers as tables and command lines have them. */
#include "base/number.h"
#include "base/error.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exact for up to 15 digits and powers of ten up to 22: both are exact doubles, and one operation
 * rounds once (Clinger 1990). False for longer numbers. */
static bool scale_exactly(uint64_t digits, ptrdiff_t exponent, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (digits > 999999999999999u || exponent < -22 || exponent > 22)
        return false;
    *value = exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
    return true;
}

/* All other numbers, through strtod(); their syntax has already been checked. */
static bool parse_slowly(const char *text, size_t length, double *value)
{
    char copy[512];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = strtod(copy, NULL);
    return isfinite(*value);
}

const char *parse_digits(const char *at, const char *end, uint64_t *number)
{
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (uint64_t)(*at - '0');
    return at;
}

bool parse_number(const char *text, size_t length, double *value)
{
    const char *end = text + length;
    bool negative = length > 0 && *text == '-';
    const char *first = text + negative;
    uint64_t digits = 0, power = 0;
    const char *at = parse_digits(first, end, &digits);
    ptrdiff_t seen = at - first, exponent = 0;
    if (at < end && *at == '.') {
        first = at + 1;
        at = parse_digits(first, end, &digits);
        exponent = first - at;
        seen -= exponent;
    }
    if (seen == 0)
        return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        bool below = at + 1 < end && at[1] == '-';
        first = at + (below || (at + 1 < end && at[1] == '+') ? 2 : 1);
        at = parse_digits(first, end, &power);
        if (at == first)
            return false;
        power = at - first > 4 ? 10000 : power;
        exponent += below ? -(ptrdiff_t)power : (ptrdiff_t)power;
    }
    if (at != end)
        return false;
    double scaled;
    if (seen > 19 || !scale_exactly(digits, exponent, &scaled))
        return parse_slowly(text, length, value);
    *value = negative ? -scaled : scaled;
    return true;
}

void number_text(double value, char text[NUMBER_ROOM])
{
    strcpy(text, "-");
    for (int digits = 15; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, NUMBER_ROOM, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
}

double rounded(double value, double per_unit)
{
    return isfinite(value) ? round(value * per_unit) / per_unit + 0.0 : NAN;
}

const char *size_text(double bytes, int digits, char text[NUMBER_ROOM])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 4; unit++)
        bytes /= 1024;
    if (bytes >= pow(10, digits - 1)) /* which %g writes with an exponent above 10^digits */
        snprintf(text, NUMBER_ROOM, "%.0f %s", bytes, units[unit]);
    else
        snprintf(text, NUMBER_ROOM, "%.*g %s", digits, bytes, units[unit]);
    return text;
}

/* ---- sizes and ranges ---- */

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
    range->values = extend(range->values, range->count, sizeof *range->values);
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
    double max = (double)to * (1 + 1e-12);
    uint64_t last = 0, steps = 0;
    for (double value = (double)from; value <= max && value < 0x1p64; value *= factor) {
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
