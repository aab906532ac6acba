/* perf.c: lines of perf script: accesses, and samples of accesses that missed in the TLBs.
 *
 *     12/13 4.000123: cpu/mem-loads/P: 7ffe10 1068100842 |OP LOAD|LVL L3 hit|TLB L2 miss|LCK No 47
 * 401136 f
 *
 * is the process and thread, the time, the event, the address, perhaps where the data came from,
 * weights, the address of the code, and perhaps its name. With call chains the address of the code
 * is on the next line, and those of its callers are on the lines after that. */
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

/* The fields before the time, which end with the process and the thread, or the thread alone, and
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

/* "1068100842 |OP LOAD|LVL L3 hit|…|BLK  N/A": the last part is two words, or more that begin with
 * a capital, "AFF PRED SG". Before Linux 5.19 the text began with what is now behind "|LVL ". */
static void take_source(const char **at, struct sample *s)
{
    static const char *const begins[] = {"|OP ", "|LVL ", "|SNP "};
    for (size_t i = 0; i < sizeof begins / sizeof *begins && s->source == NULL; i++)
        s->source = strstr(*at, begins[i]);
    if (s->source == NULL)
        return;
    const char *last = strrchr(s->source, '|');
    const char *end = skip_word(skip_blanks(skip_word(last + 1)));
    while (*end == ' ' && isupper((unsigned char)end[1]))
        end = skip_word(end + 1);
    *at = s->source_end = end;
}

/* Whether the word after `at` is a name and no address: it comes after one blank, where numbers are
 * right-aligned in 16 places. Addresses of other programs may follow one blank, too. */
static bool is_name(const char *at, int count)
{
    const char *begin = skip_blanks(at), *end = skip_word(begin);
    const char *digits = "0123456789";
    bool decimal = begin + strspn(begin, digits) >= end;
    bool none = strcspn(begin, digits) >= (size_t)(end - begin);
    return begin - at == 1 && end - begin < 16 && (count > 0 ? !decimal : none);
}

/* Weights, the first of which is how long the access took, and the address of the code unless that
 * is on the next line; its name. Returns how many numbers there are. */
static int take_code(const char *at, bool chained, struct sample *s)
{
    const char *first = skip_blanks(at);
    uint64_t number;
    int count = 0;
    for (;; count++) {
        const char *end = skip_blanks(at);
        if (is_name(at, count) || !take_number(&end, 16, " \t", &number))
            break;
        s->record.site = chained ? 0 : number;
        at = end;
    }
    if (count > !chained)
        s->record.weight = (uint32_t)strtoull(first, NULL, 10);
    s->symbol = skip_blanks(at);
    return count;
}

/* TEXT_ONE, or TEXT_NO_ADDRESS where there is none but the code's. */
static enum text_line take_sample(const char *line, bool chained, struct sample *s)
{
    const char *at = find_time(line);
    *s = (struct sample){.record = {.bytes = 1}};
    if (at == NULL || !take_thread(line, at, &s->record) || !take_time(&at, &s->record.time_ns) ||
        !take_event(&at, s))
        return TEXT_UNKNOWN;
    at = skip_blanks(at);
    if (*at == '\0')
        return TEXT_NO_ADDRESS;
    if (!take_number(&at, 16, " \t", &s->record.address))
        return TEXT_UNKNOWN;
    take_source(&at, s);
    int numbers = take_code(at, chained, s);
    return numbers == 0 && s->source == NULL && *s->symbol != '\0' ? TEXT_NO_ADDRESS : TEXT_ONE;
}

/* "	          401136 add+0x6 (/tmp/prog)": a function of a call chain. */
static bool take_frame(const char *line, struct sample *s)
{
    const char *at = skip_blanks(line);
    *s = (struct sample){.record = {.bytes = 1}};
    if (at == line || !take_number(&at, 16, " \t", &s->record.site))
        return false;
    s->symbol = skip_blanks(at);
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

/* Whether the event counts misses of the first level that the second one serves, as Intel's
 * dtlb_load_misses.stlb_hit and AMD's ls_l1_d_tlb_miss.tlb_reload_4k_l2_hit, or says nothing of the
 * second, as Arm's l1d_tlb_refill. */
static bool is_of_first(const struct sample *s)
{
    static const char *const names[] = {"stlb_hit", "l2_hit", "l2_tlb_hit", "page_hit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has(s->event, s->event_end, names[i]))
            return true;
    return has(s->event, s->event_end, "l1") && !has(s->event, s->event_end, "l2_miss") &&
           !has(s->event, s->event_end, "l2_tlb_miss");
}

/* How many levels were missed by a load whose data_src is known: "TLB L2 hit", of AMD's IBS, missed
 * the first; "L1 or L2 hit", of Intel's PEBS, need not have. "Walker hit" is a hit of Arm's SPE. */
static uint8_t missed_by_source(const char *source)
{
    const char *tlb = source != NULL ? strstr(source, "|TLB ") : NULL;
    const char *end = tlb != NULL ? tlb + 1 + strcspn(tlb + 1, "|") : NULL;
    return has(tlb, end, "miss") ? LEVEL_MAX : has(tlb, end, "|TLB L2 hit") ? 1 : 0;
}

/* How many levels a sample missed: of an event of TLBs, by its name; of other samples, by data_src.
 * TEXT_ONE: it is no sample of either kind, but an access. */
static enum text_line judge(const struct sample *s, uint8_t *missed)
{
    static const char *const words[] = {"miss", "walk", "refill"};
    bool of_tlb = has(s->event, s->event_end, "tlb");
    *missed = 0;
    if (is_other_of_spe(s))
        return TEXT_REMARK;
    if (!of_tlb)
        *missed = missed_by_source(s->source);
    for (size_t i = 0; of_tlb && i < sizeof words / sizeof *words; i++)
        if (has(s->event, s->event_end, words[i]))
            *missed = LEVEL_MAX;
    if (of_tlb && is_of_first(s))
        *missed = 1;
    return *missed > 0 || (!of_tlb && s->source == NULL) ? TEXT_ONE : TEXT_REMARK;
}

/* The address of a miss that is the code's own, or 0, is none: the event states none. Fetches of
 * instructions do have that of the code. */
static bool lacks_address(const struct sample *s, uint8_t missed)
{
    const struct record *r = &s->record;
    return missed > 0 && s->source == NULL && !has(s->event, s->event_end, "itlb") &&
           (r->address == 0 || r->address == r->site);
}

static enum text_line read_sample(const char *line, const char *frame, struct record *record)
{
    struct sample s, code;
    enum text_line kind = take_sample(line, frame != NULL, &s);
    uint8_t missed;
    if (kind != TEXT_ONE)
        return kind;
    if (frame != NULL && take_frame(frame, &code))
        s.record.site = code.record.site;
    kind = judge(&s, &missed);
    if (lacks_address(&s, missed))
        return TEXT_NO_ADDRESS;
    if (has(s.event, s.event_end, "store") || has(s.source, s.source_end, "|OP STORE"))
        s.record.op = TRACE_WRITE;
    s.record.level = missed;
    *record = s.record;
    return kind;
}

/* A comment, what perf writes to the same terminal, "[ perf record: …", "Warning:", … or a record
 * of its own, "… PERF_RECORD_MMAP2 …". */
static bool is_remark(const char *line)
{
    static const char *const begins[] = {"#", "[ perf ", "Warning:", "Processed ", "Check IO/CPU"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(line, begins[i], strlen(begins[i])) == 0)
            return true;
    return *line == '\0' || strstr(line, " PERF_RECORD_") != NULL;
}

enum text_line text_perf(const char *line, struct record records[2])
{
    struct sample s;
    if (is_remark(skip_blanks(line)))
        return TEXT_REMARK;
    enum text_line kind = read_sample(line, NULL, &records[0]);
    return kind == TEXT_UNKNOWN && take_frame(line, &s) ? TEXT_REMARK : kind;
}

bool text_perf_is_sample(const char *line)
{
    struct sample s;
    return take_sample(line, false, &s) == TEXT_ONE;
}

bool text_perf_is_frame(const char *line)
{
    struct sample s;
    return take_sample(line, false, &s) == TEXT_UNKNOWN && take_frame(line, &s);
}

enum text_line text_perf_chained(const char *line, const char *frame, struct record *record)
{
    return read_sample(line, frame, record);
}

void text_perf_symbol(const char *line, char *name, size_t room)
{
    struct sample s;
    name[0] = '\0';
    if (take_sample(line, false, &s) != TEXT_ONE && !take_frame(line, &s))
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
