/* card_find.c: finds a device by number or name, and the memory it has. */
#include "base/error.h"
#include "base/number.h"
#include "memory/card/card.h"
#include "platform.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

uint64_t card_memory(const struct card_claims *claims)
{
    uint64_t there = claims->unified ? platform_memory().available : UINT64_MAX;
    return claims->memory_bytes < there ? claims->memory_bytes : there;
}

static bool has_name(const char *name, const char *part)
{
    size_t length = strlen(part);
    for (; *name != '\0'; name++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)name[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

/* "0 (NAME), 1 (NAME)": the devices for an error. */
static const char *listed(const struct card_claims *cards, size_t count, char *text,
                          size_t capacity)
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < count && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s%zu (%s)", i > 0 ? ", " : "", i,
                                 cards[i].name);
    return text;
}

size_t cards_find(const struct card_claims *cards, size_t count, const char *which)
{
    char text[1024];
    size_t found = count, matches = 0;
    double number;
    if (which == NULL)
        return 0;
    bool digits = strspn(which, "0123456789") == strlen(which);
    if (digits && parse_number(which, strlen(which), &number) && number < (double)count)
        return (size_t)number;
    for (size_t i = 0; i < count && !digits; i++)
        if (has_name(cards[i].name, which)) {
            found = i;
            matches++;
        }
    if (matches != 1)
        die_usage("--device '%s': %s; there are %s", which,
                  matches == 0 ? "no such device" : "several devices have that in their names",
                  listed(cards, count, text, sizeof text));
    return found;
}
