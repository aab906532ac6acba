/* number.c: numbers as the tables hold them. */
#include "base/number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exact for up to 15 digits and powers of ten up to 22: both are exact doubles, and one operation
 * rounds once (Clinger 1990). False for longer numbers. */
static bool scale_exactly(uint64_t digits, int exponent, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (digits > 999999999999999u || exponent < -22 || exponent > 22)
        return false;
    *value = exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
    return true;
}

/* All other numbers, through strtod(); their syntax is checked already. */
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

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool parse_number(const char *text, size_t length, double *value)
{
    const char *at = text, *end = text + length;
    bool negative = at < end && *at == '-';
    uint64_t digits = 0;
    int seen = 0, significant = 0, exponent = 0;
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    for (bool fraction = false; at < end && (is_digit(*at) || *at == '.'); at++) {
        if (*at == '.') {
            if (fraction)
                return false;
            fraction = true;
            continue;
        }
        seen++;
        exponent -= fraction;
        if (significant < 18)
            digits = digits * 10 + (uint64_t)(*at - '0');
        significant += digits > 0;
    }
    if (seen == 0)
        return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        int sign = at + 1 < end && at[1] == '-' ? -1 : 1, power = 0;
        at += at + 1 < end && (at[1] == '-' || at[1] == '+') ? 2 : 1;
        if (at == end)
            return false;
        for (; at < end && is_digit(*at); at++)
            power = power < 10000 ? power * 10 + (*at - '0') : power;
        exponent += sign * power;
    }
    if (at != end)
        return false;
    double scaled;
    if (significant > 15 || !scale_exactly(digits, exponent, &scaled))
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
