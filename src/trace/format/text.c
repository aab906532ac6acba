/* text.c: lines of valgrind's lackey and drmemtrace's view.
 *
 *     struct record records[2];
 *     if (text_lackey(" L 1ffeff7e0,8", records) == TEXT_ONE)
 *         use(&records[0]);
 */
#include "trace/format/text.h"
#include "trace/format/words.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- lackey ---- */

enum text_line text_lackey(const char *line, struct record records[2])
{
    static const char kinds[] = "ILSM";
    const char *at = skip_blanks(line), *kind = strchr(kinds, *at);
    struct record r = {.op = TRACE_READ};
    if (strncmp(line, "==", 2) == 0 || strncmp(line, "--", 2) == 0)
        return TEXT_REMARK;
    if (*at == '\0' || kind == NULL || at[1] != ' ')
        return TEXT_OUTPUT;
    at = skip_blanks(at + 1);
    size_t digits = strspn(at, "0123456789abcdefABCDEF");
    if (digits == 0 || (at[digits] != ',' && at[digits] != '\0'))
        return TEXT_OUTPUT;
    if (!take_number(&at, 16, ",", &r.address) || *at++ != ',' ||
        !take_number(&at, 10, " ", &r.bytes))
        return TEXT_UNKNOWN;
    if (*skip_blanks(at) != '\0')
        return TEXT_OUTPUT;
    r.op = *kind == 'I' ? TRACE_EXECUTE : *kind == 'S' ? TRACE_WRITE : TRACE_READ;
    records[0] = records[1] = r;
    records[1].op = TRACE_WRITE;
    return *kind == 'M' ? TEXT_TWO : TEXT_ONE;
}

void text_put_lackey(const struct record *r, uint64_t number)
{
    (void)number;
    if (record_is_access(r))
        printf(r->op == TRACE_EXECUTE ? "I  %08" PRIx64 ",%" PRIu64 "\n"
               : r->op == TRACE_WRITE ? " S %08" PRIx64 ",%" PRIu64 "\n"
                                      : " L %08" PRIx64 ",%" PRIu64 "\n",
               r->address, r->bytes);
}

/* ---- drmemtrace ---- */

static bool is_drmemtrace_head(const char *line)
{
    const char *at = skip_blanks(line);
    return *at == '\0' || strncmp(line, "Output format:", 14) == 0 ||
           strncmp(line, "<--record#", 10) == 0 || strncmp(line, "<record#>", 9) == 0 ||
           strncmp(line, "-----", 5) == 0 || strncmp(line, "View tool results:", 18) == 0 ||
           (isdigit((unsigned char)*at) && strstr(at, " : total") != NULL);
}

static bool take_op(const char *at, uint8_t *op)
{
    static const char *const names[] = {"read ", "write ", "ifetch "};
    for (int k = TRACE_READ; k <= TRACE_EXECUTE; k++)
        if (strncmp(at, names[k], strlen(names[k])) == 0) {
            *op = (uint8_t)k;
            return true;
        }
    return false;
}

/* "3264915", "T3264915" up to release 9, and "W0.T3264915", of a workload, in those of today. */
static bool take_thread(const char **at, struct record *r)
{
    uint64_t workload = 0, thread;
    bool in_workload = **at == 'W';
    *at += in_workload;
    if (in_workload && (!take_number(at, 10, ".", &workload) || *(*at)++ != '.'))
        return false;
    *at += **at == 'T';
    if (!take_number(at, 10, " ", &thread) || thread > UINT32_MAX)
        return false;
    r->thread = (uint32_t)thread;
    r->process = in_workload ? (uint32_t)workload : r->thread;
    return true;
}

enum text_line text_drmemtrace(const char *line, struct record records[2])
{
    static const char bytes_at[] = " byte(s) @ 0x", by[] = " by PC 0x";
    struct record r = {.op = TRACE_READ};
    uint64_t number;
    const char *at = skip_blanks(line);
    if (is_drmemtrace_head(line))
        return TEXT_REMARK;
    if (!take_number(&at, 10, " :", &number))
        return TEXT_UNKNOWN;
    at = skip_blanks(at);
    if ((*at != ':' && !take_number(&at, 10, ":", &number)) || *at++ != ':')
        return TEXT_UNKNOWN;
    at = skip_blanks(at);
    if (!take_thread(&at, &r))
        return TEXT_UNKNOWN;
    at = skip_blanks(at);
    if (!take_op(at, &r.op))
        return *at != '\0' ? TEXT_REMARK : TEXT_UNKNOWN; /* markers, thread exits */
    at = skip_blanks(skip_word(at));
    if (!take_number(&at, 10, " ", &r.bytes) || strncmp(at, bytes_at, sizeof bytes_at - 1) != 0)
        return TEXT_UNKNOWN;
    at += sizeof bytes_at - 1;
    if (!take_number(&at, 16, " ", &r.address))
        return TEXT_UNKNOWN;
    if (strncmp(at, by, sizeof by - 1) == 0) {
        at += sizeof by - 1;
        take_number(&at, 16, " ", &r.site);
    } else if (r.op == TRACE_EXECUTE)
        r.site = r.address;
    records[0] = r;
    return TEXT_ONE;
}

void text_put_drmemtrace(const struct record *r, uint64_t number)
{
    static const char *const names[] = {"read", "write", "ifetch"};
    if (!record_is_access(r))
        return;
    printf("%12" PRIu64 " %11d: %11" PRIu32 " %-6s %7" PRIu64 " byte(s) @ 0x%016" PRIx64, number, 0,
           r->thread, names[r->op], r->bytes, r->address);
    if (r->op != TRACE_EXECUTE)
        printf(" by PC 0x%016" PRIx64, r->site);
    putchar('\n');
}
