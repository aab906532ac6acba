/* perf.c: lines of perf script: accesses, and samples of accesses that missed in the TLBs.
 *
 *     12/13 4.000123: cpu/mem-loads/P: 7ffe10 1068100842 |OP LOAD|LVL L3 hit|TLB L2 miss|LCK No 47
 * 401136 f
 *
 * is the process and thread, the time, the event, the address, perhaps where the data came from,
 * weights, the address of the code, and perhaps its name. */
#include "trace/format/text.h"
#include "trace/format/words.h"
#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

/* A line, taken apart. */
struct sample {
    struct record record;
    const char *event, *event_end;
    const char *source, *source_end; /* "|OP LOAD|…"; NULL: none */
    const char *symbol;              /* what is behind the code's address */
};

/* ---- parts ---- */

/* "seconds.fraction:", as nanoseconds. */
static bool take_time(const char **at, uint64_t *ns)
{
    char *end;
    uint64_t unit = 1000000000, seconds = strtoull(*at, &end, 10);
    if (end == *at || *end != '.')
        return false;
    *ns = seconds * unit;
    for (end++; isdigit((unsigned char)*end); end++)
        *ns += (uint64_t)(*end - '0') * (unit /= 10);
    if (*end != ':')
        return false;
    *at = end + 1;
    return true;
}

/* What comes before the time, which ends with the process and the thread, or the thread alone, and
 * perhaps the processor: "name 12/13 [003]". */
static bool take_thread(const char *line, const char *end, struct record *r)
{
    uint64_t process, thread;
    while (end > line && isblank((unsigned char)end[-1]))
        end--;
    if (end > line && end[-1] == ']')
        while (end > line && *end != '[')
            end--;
    while (end > line && isblank((unsigned char)end[-1]))
        end--;
    const char *at = end;
    while (at > line && (isdigit((unsigned char)at[-1]) || at[-1] == '/'))
        at--;
    if (at == end || !take_number(&at, 10, "/ \t", &process))
        return false;
    thread = process;
    if (*at == '/' && (at++, !take_number(&at, 10, " \t", &thread)))
        return false;
    r->process = (uint32_t)process;
    r->thread = (uint32_t)thread;
    return process <= UINT32_MAX && thread <= UINT32_MAX;
}

/* The first word that is a time; NULL where there is none. */
static const char *find_time(const char *line)
{
    uint64_t ns;
    const char *at = skip_blanks(line);
    while (*at != '\0') {
        const char *word = at;
        if (take_time(&word, &ns) && (*word == ' ' || *word == '\t'))
            return at;
        at = skip_blanks(skip_word(at));
    }
    return NULL;
}

/* The event, behind its period where that is there. */
static bool take_event(const char **at, struct sample *s)
{
    uint64_t period;
    s->event = skip_blanks(*at);
    const char *end = s->event;
    if (take_number(&end, 10, " \t", &period))
        s->event = skip_blanks(end);
    s->event_end = skip_word(s->event);
    *at = s->event_end;
    return s->event_end > s->event + 1 && s->event_end[-1] == ':';
}

/* "1068100842 |OP LOAD|LVL L3 hit|…|BLK  N/A": the last part is two words. */
static void take_source(const char **at, struct sample *s)
{
    s->source = strstr(*at, "|OP ");
    if (s->source == NULL)
        return;
    const char *last = strrchr(s->source, '|');
    *at = s->source_end = skip_word(skip_blanks(skip_word(last + 1)));
}

/* Weights, the first of which is how long the access took, and the address of the code,
 * right-aligned in 16 places each; a name comes after one blank. */
static void take_code(const char *at, struct sample *s)
{
    const char *first = skip_blanks(at);
    uint64_t number;
    int count = 0;
    for (;; count++) {
        const char *begin = skip_blanks(at), *end = begin, *behind = skip_word(begin);
        bool is_name = count > 0 && begin - at == 1 && behind - begin < 16 &&
                       begin + strspn(begin, "0123456789") < behind;
        if (is_name || !take_number(&end, 16, " \t", &number))
            break;
        s->record.site = number;
        at = end;
    }
    if (count > 1)
        s->record.weight = (uint32_t)strtoull(first, NULL, 10);
    s->symbol = skip_blanks(at);
}

static bool take_sample(const char *line, struct sample *s)
{
    const char *at = find_time(line);
    *s = (struct sample){.record = {.bytes = 1}};
    if (at == NULL || !take_thread(line, at, &s->record) || !take_time(&at, &s->record.time_ns) ||
        !take_event(&at, s))
        return false;
    at = skip_blanks(at);
    if (!take_number(&at, 16, " \t", &s->record.address))
        return false;
    take_source(&at, s);
    take_code(at, s);
    return true;
}

/* ---- what it says ---- */

/* Whether a text is in begin … end − 1, in letters of any size. */
static bool has(const char *begin, const char *end, const char *text)
{
    size_t length = strlen(text);
    for (; begin != NULL && begin + length <= end; begin++)
        if (strncasecmp(begin, text, length) == 0)
            return true;
    return false;
}

/* Samples of one access by Arm's SPE are several events, of which one is that of the TLBs. */
static bool is_other_of_spe(const struct sample *s)
{
    static const char *const names[] = {"memory:",   "l1d-access:",    "l1d-miss:",   "llc-access:",
                                        "llc-miss:", "remote-access:", "tlb-access:", NULL};
    size_t length = (size_t)(s->event_end - s->event);
    for (int i = 0; names[i] != NULL; i++)
        if (strlen(names[i]) == length && strncmp(s->event, names[i], length) == 0)
            return true;
    return false;
}

/* Of an event of TLBs, its misses; of other samples, those whose data came after a miss of all
 * TLBs. TEXT_ONE: it is no sample of either kind, but an access. */
static enum text_line judge(const struct sample *s, bool *missed)
{
    const char *tlb = s->source != NULL ? strstr(s->source, "|TLB ") : NULL;
    const char *end = tlb != NULL ? tlb + 1 + strcspn(tlb + 1, "|") : NULL;
    bool of_tlb = has(s->event, s->event_end, "tlb");
    if (is_other_of_spe(s))
        return TEXT_REMARK;
    if (of_tlb)
        *missed = has(s->event, s->event_end, "miss") || has(s->event, s->event_end, "walk") ||
                  has(s->event, s->event_end, "refill");
    else
        *missed = has(tlb, end, "miss"); /* "Walker hit" is a hit of SPE */
    return *missed || (!of_tlb && s->source == NULL) ? TEXT_ONE : TEXT_REMARK;
}

enum text_line text_perf(const char *line, struct record records[2])
{
    struct sample s;
    const char *at = skip_blanks(line);
    bool missed = false;
    if (*at == '#' || *at == '\0')
        return TEXT_REMARK;
    if (!take_sample(line, &s))
        return TEXT_UNKNOWN;
    enum text_line kind = judge(&s, &missed);
    if (has(s.event, s.event_end, "store") || has(s.source, s.source_end, "|OP STORE"))
        s.record.op = TRACE_WRITE;
    s.record.level = missed ? LEVEL_MOST : 0;
    records[0] = s.record;
    return kind;
}

void text_perf_symbol(const char *line, char *name, size_t room)
{
    struct sample s;
    name[0] = '\0';
    if (!take_sample(line, &s))
        return;
    snprintf(name, room, "%s", s.symbol);
    char *file = strstr(name, " (/"), *distance = strstr(name, "+0x");
    if (file == NULL)
        file = strstr(name, " ([");
    if (file != NULL)
        *file = '\0';
    if (distance != NULL)
        *distance = '\0';
}

void text_put_perf(const struct record *r, uint64_t number)
{
    (void)number;
    if (record_is_access(r))
        printf("%" PRIu32 "/%" PRIu32 " %" PRIu64 ".%09" PRIu64 ": %s: %" PRIx64 " %" PRIx64 "\n",
               r->process, r->thread, r->time_ns / 1000000000, r->time_ns % 1000000000,
               r->op == TRACE_WRITE ? "mem-stores" : "mem-loads", r->address, r->site);
}
