/* number.c: numbers in the form the tables use. */
#include "base/number.h"
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
