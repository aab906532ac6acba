/* sysfs_dmi.c: channels, speed and type of the memory, from the firmware's SMBIOS table. Only root
 * can read it. The table is untrusted, so every length is checked.
 *
 *     sysfs_memory_claims(&sink);    -> "memory_channels", "2", "channels", "SMBIOS type 17: …"
 */
#include "sysfs.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char path[] = "/sys/firmware/dmi/tables/DMI";

/* Real tables are a few KiB. [bound] */
enum { TABLE_MAX = 1 << 20, MODULES_MAX = 256, NAME_ROOM = 64 };

/* A populated memory device (SMBIOS 3.7, 7.18). */
struct module {
    const char *type;        /* NULL: unknown */
    uint64_t mt_per_s;       /* 0: unknown */
    unsigned bits;           /* data width, without error correction; 0: unknown */
    char channel[NAME_ROOM]; /* its socket and channel according to the locators; "": no channel */
};

struct modules {
    struct module at[MODULES_MAX];
    size_t count;
};

/* ---- structures ---- */

/* A structure: its formatted part of `length` bytes, and the strings after it. */
struct structure {
    const unsigned char *at;
    size_t length;
    const char *strings; /* each ends with NUL */
    size_t strings_bytes;
};

/* A little-endian number in the formatted part; 0 if the structure is too short for it. */
static uint64_t field(const struct structure *s, size_t offset, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = bytes; i > 0 && offset + bytes <= s->length; i--)
        value = value << 8 | s->at[offset + i - 1];
    return value;
}

/* The string whose number is at `offset`; "" for none. */
static const char *string_of(const struct structure *s, size_t offset)
{
    uint64_t number = field(s, offset, 1);
    size_t at = 0;
    if (number == 0)
        return "";
    for (uint64_t i = 1; i < number && at < s->strings_bytes; i++)
        at += strlen(s->strings + at) + 1;
    return at < s->strings_bytes ? s->strings + at : "";
}

/* The structure at byte *at, which advances past it. False at the end; sets *damaged if a length
 * exceeds the table. */
static bool next_structure(const unsigned char *table, size_t bytes, size_t *at,
                           struct structure *s, bool *damaged)
{
    enum { HEADER = 4, END_OF_TABLE = 127 };
    if (*at == bytes)
        return false;
    s->at = table + *at;
    *damaged = bytes - *at < HEADER || s->at[1] < HEADER || s->at[1] > bytes - *at;
    if (*damaged || s->at[0] == END_OF_TABLE)
        return false;
    s->length = s->at[1];
    size_t from = *at + s->length, end = from;
    while (end + 1 < bytes && (table[end] != 0 || table[end + 1] != 0))
        end++;
    *damaged = end + 1 >= bytes;
    s->strings = (const char *)table + from;
    s->strings_bytes = end - from;
    *at = end + 2;
    return !*damaged;
}

/* ---- a module ---- */

static const char *type_name(uint64_t type)
{
    static const char *const names[] = {
        [0x0f] = "SDRAM", [0x12] = "DDR",    [0x13] = "DDR2",   [0x18] = "DDR3",   [0x1a] = "DDR4",
        [0x1b] = "LPDDR", [0x1c] = "LPDDR2", [0x1d] = "LPDDR3", [0x1e] = "LPDDR4", [0x20] = "HBM",
        [0x21] = "HBM2",  [0x22] = "DDR5",   [0x23] = "LPDDR5", [0x24] = "HBM3",
    };
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

/* A speed takes two words of the table; the second is used for values too large for the first. */
static uint64_t speed_of(const struct structure *s, size_t offset, size_t extended)
{
    uint64_t speed = field(s, offset, 2);
    return speed == 0xffff ? field(s, extended, 4) & 0x7fffffff : speed;
}

/* Whether the text begins with the word, which is in lower case. */
static bool begins_with(const char *text, const char *word)
{
    while (*word != '\0' && tolower((unsigned char)*text) == *word)
        text++, word++;
    return *word == '\0';
}

/* The end of the channel's name in a locator: after "channel A" or "channel 1", or after the letter
 * in "DIMM_A1", "DIMMA1"; 0 if it names none. */
static size_t channel_end(const char *text)
{
    static const char word[] = "channel";
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        if (!begins_with(text + i, word))
            continue;
        i += sizeof word - 1;
        i += strspn(text + i, " _-");
        return isalnum((unsigned char)text[i]) ? i + 1 : 0;
    }
    size_t end = length;
    while (end > 0 && isdigit((unsigned char)text[end - 1]))
        end--;
    bool letter = end > 0 && end < length && isupper((unsigned char)text[end - 1]);
    bool alone = end == 1 || (end > 1 && !isalnum((unsigned char)text[end - 2])) ||
                 (end > 4 && memcmp(text + end - 5, "DIMM", 4) == 0);
    return letter && alone ? end : 0;
}

/* The socket that a locator names, such as "P0" in "P0_DIMM_A1" or "CPU1" in "DIMM CPU1 A"; its
 * length is 0 if it names none. */
static const char *socket_in(const char *text, size_t *length)
{
    static const char *const words[] = {"cpu", "proc", "socket", "node", "p"};
    for (size_t i = 0; text[i] != '\0'; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            if ((i > 0 && isalnum((unsigned char)text[i - 1])) || !begins_with(text + i, words[k]))
                continue;
            const char *after = text + i + strlen(words[k]);
            after += strspn(after, " _-");
            size_t digits = strspn(after, "0123456789");
            *length = (size_t)(after - text) - i + digits;
            if (digits > 0)
                return text + i;
        }
    *length = 0;
    return text;
}

/* Most firmware names channels in the bank's locator, some in the device's. The bank's may be the
 * same for all sockets, so the socket in the device's locator is part of the name. */
static void name_channel(const struct structure *s, char channel[NAME_ROOM])
{
    size_t length;
    const char *socket = socket_in(string_of(s, 0x10), &length);
    for (size_t offset = 0x11; offset >= 0x10; offset--) {
        const char *text = string_of(s, offset);
        size_t end = channel_end(text);
        if (end > 0 && length + 1 + end < NAME_ROOM) {
            snprintf(channel, NAME_ROOM, "%.*s %.*s", (int)length, socket, (int)end, text);
            return;
        }
    }
}

/* Adds the module of a type 17 structure, if its slot is populated. */
static void add_module(struct modules *modules, const struct structure *s)
{
    enum { NON_VOLATILE = 0x1f };
    if (field(s, 0x0c, 2) == 0 || field(s, 0x12, 1) == NON_VOLATILE ||
        modules->count == MODULES_MAX)
        return;
    struct module *module = &modules->at[modules->count++];
    uint64_t width = field(s, 0x0a, 2), configured = speed_of(s, 0x20, 0x58);
    *module = (struct module){.type = type_name(field(s, 0x12, 1)),
                              .mt_per_s = configured > 0 ? configured : speed_of(s, 0x15, 0x54),
                              .bits = width < 0xffff ? (unsigned)width : 0};
    name_channel(s, module->channel);
}

/* ---- claims ---- */

/* Sets `first` to the first module of each channel, or to every module if the firmware names no
 * channels. Returns their number. */
static size_t channels_of(const struct modules *modules, bool named, bool first[MODULES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < modules->count; i++) {
        first[i] = true;
        for (size_t k = 0; named && k < i; k++)
            first[i] = first[i] && strcmp(modules->at[i].channel, modules->at[k].channel) != 0;
        count += first[i];
    }
    return count;
}

static bool all_named(const struct modules *modules)
{
    bool named = true;
    for (size_t i = 0; i < modules->count; i++)
        named = named && modules->at[i].channel[0] != '\0';
    return named;
}

static void say_unknown(const struct sink *sink, const char *key, const char *unit, const char *why)
{
    say(sink, key, "unknown", unit, why);
}

static void claim_nothing(const struct sink *sink, const char *why)
{
    say_unknown(sink, "memory_type", "", why);
    say_unknown(sink, "memory_channels", "channels", why);
    say_unknown(sink, "memory_bus_bits", "bits", why);
    say_unknown(sink, "memory_mt_per_s", "MT/s", why);
    say_unknown(sink, "memory_peak_gb_per_s", "GB/s", why);
}

static void claim_types(const struct sink *sink, const struct modules *modules)
{
    char all[160] = "";
    for (size_t i = 0; i < modules->count; i++) {
        const char *type = modules->at[i].type;
        bool fresh = type != NULL;
        for (size_t k = 0; k < i; k++)
            fresh = fresh && modules->at[k].type != type;
        size_t used = strlen(all);
        if (fresh)
            snprintf(all + used, sizeof all - used, "%s%s", used > 0 ? "," : "", type);
    }
    if (all[0] != '\0')
        say(sink, "memory_type", all, "", "SMBIOS type 17");
    else
        say_unknown(sink, "memory_type", "", "SMBIOS type 17 names no type of DRAM");
}

/* Speed and width: the peak is the sum over the channels, each of which runs at the speed of its
 * modules. If channels differ in speed, `memory_mt_per_s` is the slowest. */
static void claim_rates(const struct sink *sink, const struct modules *modules,
                        const bool first[MODULES_MAX], const char *channels)
{
    char value[32], source[160];
    uint64_t slowest = UINT64_MAX, bits = 0;
    double peak = 0;
    bool fast = true, wide = true;
    for (size_t i = 0; i < modules->count; i++) {
        const struct module *m = &modules->at[i];
        if (!first[i])
            continue;
        slowest = m->mt_per_s < slowest ? m->mt_per_s : slowest;
        bits += m->bits;
        peak += (double)m->mt_per_s * m->bits / 8 / 1e3;
        fast = fast && m->mt_per_s > 0;
        wide = wide && m->bits > 0;
    }
    if (wide)
        say_number(sink, "memory_bus_bits", bits, "bits", channels);
    else
        say_unknown(sink, "memory_bus_bits", "bits", "SMBIOS type 17 states no data width");
    if (fast)
        say_number(sink, "memory_mt_per_s", slowest, "MT/s", "SMBIOS type 17");
    else
        say_unknown(sink, "memory_mt_per_s", "MT/s",
                    "SMBIOS type 17 states no speed (a virtual machine's does not)");
    snprintf(value, sizeof value, "%.6g", peak);
    snprintf(source, sizeof source, "speed x data width, %s", channels);
    if (fast && wide)
        say(sink, "memory_peak_gb_per_s", value, "GB/s", source);
    else
        say_unknown(sink, "memory_peak_gb_per_s", "GB/s",
                    "SMBIOS type 17 states no speed or no data width");
}

static void claim_modules(const struct sink *sink, const struct modules *modules)
{
    bool first[MODULES_MAX], named = all_named(modules);
    size_t count = channels_of(modules, named, first);
    const char *channels = named ? "SMBIOS type 17: channels by their names"
                                 : "SMBIOS type 17: names no channel, one for each module assumed";
    if (modules->count == 0) {
        claim_nothing(sink, "SMBIOS lists no memory module");
        return;
    }
    claim_types(sink, modules);
    say_number(sink, "memory_channels", count, "channels", channels);
    claim_rates(sink, modules, first, channels);
}

/* Reads the whole table into allocated memory; NULL with the reason. */
static unsigned char *read_table(size_t *bytes, char why[PLATFORM_WHY_ROOM])
{
    errno = 0;
    FILE *file = platform_open(path);
    if (file == NULL) {
        bool forbidden = errno == EACCES || errno == EPERM;
        snprintf(why, PLATFORM_WHY_ROOM, forbidden ? "only root can read %s" : "no %s", path);
        return NULL;
    }
    unsigned char *table = malloc(TABLE_MAX);
    if (table == NULL)
        platform_out_of_memory();
    *bytes = fread(table, 1, TABLE_MAX, file);
    fclose(file);
    unsigned char *exact = realloc(table, *bytes > 0 ? *bytes : 1);
    return exact != NULL ? exact : table;
}

void sysfs_memory_claims(const struct sink *sink)
{
    char why[PLATFORM_WHY_ROOM];
    static struct modules modules;
    struct structure s;
    size_t bytes = 0, at = 0;
    bool damaged = false;
    unsigned char *table = read_table(&bytes, why);
    if (table == NULL) {
        claim_nothing(sink, why);
        return;
    }
    enum { MEMORY_DEVICE = 17 };
    modules.count = 0;
    while (next_structure(table, bytes, &at, &s, &damaged))
        if (s.at[0] == MEMORY_DEVICE)
            add_module(&modules, &s);
    snprintf(why, sizeof why, "%s is damaged at byte %zu", path, at);
    if (damaged)
        claim_nothing(sink, why);
    else
        claim_modules(sink, &modules);
    free(table);
}
