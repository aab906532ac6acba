/* test_trace_format.c: the binary form of traces, and lines of other programs' traces.
 *
 *     bin/.obj/plain/tests/trace/test_trace_format
 */
#include "base/error.h"
#include "base/random.h"
#include "tap.h"
#include "trace/format/block.h"
#include "trace/format/recent.h"
#include "trace/format/text.h"
#include "trace/format/trace.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct record records[BLOCK_RECORDS], again[BLOCK_RECORDS];
static uint8_t bytes[BLOCK_ROOM];
static char file_name[] = "/tmp/tlblab-format.XXXXXX";
static pid_t owner; /* of that file: not a process of tap_fork() */

static void remove_file(void)
{
    if (getpid() == owner)
        remove(file_name);
}

__attribute__((constructor)) static void make_file(void)
{
    int file = mkstemp(file_name);
    if (file < 0 || atexit(remove_file) != 0)
        exit(2);
    close(file);
    owner = getpid();
}

static void draw_records(size_t count, bool ordered, uint64_t seed)
{
    struct random random;
    random_seed(&random, 5, seed);
    memset(records, 0, sizeof records);
    for (size_t i = 0; i < count; i++) {
        struct record *r = &records[i];
        unsigned shift = (unsigned)random_below(&random, 64);
        r->sequence = random_next(&random) >> shift;
        r->time_ns = random_next(&random) >> shift;
        r->address = random_next(&random) >> random_below(&random, 64);
        r->bytes = random_next(&random) >> random_below(&random, 64);
        r->site = random_next(&random) >> shift;
        r->process = 17;
        r->thread = UINT32_MAX;
        r->op = (uint8_t)random_below(&random, TRACE_MAPS);
        r->level = (uint8_t)random_below(&random, 5);
        if (ordered && record_is_access(r))
            r->order = (uint8_t)random_below(&random, 2 + RECENT_FRESH);
    }
}

static bool same(const struct record *a, const struct record *b)
{
    return a->sequence == b->sequence && a->time_ns == b->time_ns && a->address == b->address &&
           a->bytes == b->bytes && a->site == b->site && a->process == b->process &&
           a->thread == b->thread && a->op == b->op && a->level == b->level && a->order == b->order;
}

/* The drawn records as bytes. */
static size_t encode(size_t count, bool *ordered)
{
    static struct block_draft draft;
    for (size_t i = 0; i < count; i++)
        block_add(&draft, &records[i]);
    *ordered = draft.ordered;
    return block_write(&draft, bytes);
}

TEST(records_are_read_back_as_they_were_written)
{
    static const size_t counts[] = {1, 2, 100, BLOCK_RECORDS};
    for (size_t k = 0; k < 4; k++) {
        bool ordered;
        draw_records(counts[k], k > 1, k);
        size_t length = encode(counts[k], &ordered);
        CU_ASSERT_EQUAL(ordered, k > 1);
        CU_ASSERT(length <= BLOCK_ROOM);
        CU_ASSERT_EQUAL(block_decode(bytes, length, ordered, again), (long)counts[k]);
        size_t alike = 0;
        for (size_t i = 0; i < counts[k]; i++)
            alike += same(&records[i], &again[i]);
        CU_ASSERT_EQUAL(alike, counts[k]);
    }
}

/* Cut or changed bytes are refused or give other records, but never leave their bounds (which the
 * sanitizers see). */
TEST(broken_bytes_do_no_harm)
{
    struct random random;
    bool ordered;
    draw_records(50, true, 9);
    size_t length = encode(50, &ordered);
    CU_ASSERT(ordered);
    for (size_t cut = 0; cut < length; cut++)
        CU_ASSERT_EQUAL(block_decode(bytes, cut, true, again), -1);
    random_seed(&random, 6, 0);
    for (int i = 0; i < 5000; i++) {
        uint8_t *at = &bytes[random_below(&random, length)], was = *at;
        *at = (uint8_t)random_next(&random);
        CU_ASSERT(block_decode(bytes, length, true, again) <= BLOCK_RECORDS);
        *at = was;
    }
}

TEST(the_checksum_sees_every_bit)
{
    uint8_t text[20] = "nineteen characters";
    uint64_t sum = block_checksum(0, text, 19);
    for (int byte = 0; byte < 19; byte++)
        for (int bit = 0; bit < 8; bit++) {
            text[byte] ^= (uint8_t)(1 << bit);
            CU_ASSERT_NOT_EQUAL(block_checksum(0, text, 19), sum);
            text[byte] ^= (uint8_t)(1 << bit);
        }
    CU_ASSERT_NOT_EQUAL(block_checksum(0, text, 18), sum);
    CU_ASSERT_NOT_EQUAL(block_checksum(1, text, 19), sum);
}

/* ---- files ---- */

/* An order becomes the accesses it encodes; if orders are kept there are only records.
 */
TEST(orders_of_recent_pages_are_read_as_accesses)
{
    static const uint64_t pages[] = {1, 2, 3, 4, 2, 1, 2, 5, 4, 3, 6};
    enum { PAGES = sizeof pages / sizeof *pages };
    struct recent_orders orders;
    uint64_t places[RECENT_PAGES] = {0}, seen[2][2 * PAGES] = {{0}};
    uint8_t order = RECENT_FRESH;
    FILE *file = fopen(file_name, "wb");
    struct trace_writer *writer = trace_create(file);
    recent_fill(&orders);
    for (uint64_t i = 0; i < PAGES; i++) {
        struct record r = {.sequence = i + 1, .address = pages[i] << 12, .order = 1 + order};
        uint8_t place = 0;
        while (place < RECENT_PAGES && places[place] != pages[i])
            place++;
        if (place == RECENT_PAGES) {
            place = orders.place[order][RECENT_PAGES - 1];
            places[place] = pages[i];
            trace_put(writer, &r);
        }
        order = orders.after[order][place];
    }
    trace_finish(writer);
    fclose(file);
    for (int kept = 0; kept < 2; kept++) {
        const struct record *r;
        struct trace *trace = trace_open(file_name);
        if (kept)
            trace_keep_orders(trace);
        for (int i = 0; i < 2 * PAGES && (r = trace_next(trace)) != NULL; i++)
            seen[kept][i] = (r->address >> 12) * 100 + r->sequence;
        trace_close(trace);
    }
    /* the first access to 2 after 4 is not recorded, since the second one hides it */
    static const uint64_t all[2 * PAGES] = {101, 202, 303, 404, 106, 207, 508, 409, 310, 611};
    static const uint64_t alone[2 * PAGES] = {101, 202, 303, 404, 508, 310, 611};
    CU_ASSERT(memcmp(seen[0], all, sizeof all) == 0);
    CU_ASSERT(memcmp(seen[1], alone, sizeof alone) == 0);
}

enum { FILE_RECORDS = 40000 }; /* of three threads, in several blocks */

static struct record file_record(uint64_t i)
{
    return (struct record){.sequence = i,
                           .time_ns = 3 * i,
                           .address = 4096 * random_mix(1, i) >> 12,
                           .bytes = 8,
                           .site = 0x401000 + i % 7,
                           .process = 5,
                           .thread = (uint32_t)(i / 9000 % 3)};
}

static long write_file(void)
{
    FILE *file = fopen(file_name, "wb");
    struct trace_writer *writer = trace_create(file);
    trace_put_meta(writer, "record", "%s", "accesses");
    for (uint64_t i = 0; i < FILE_RECORDS; i++) {
        struct record r = file_record(i);
        if (i == 20000)
            trace_put_maps(writer, 5, 60000, "00400000-00401000 r-xp 0 0 0 /bin/x\n");
        trace_put(writer, &r);
    }
    trace_finish(writer);
    long length = ftell(file);
    fclose(file);
    return length;
}

/* Reads the file: how many records are as they were written, before the first that is not. */
static uint64_t read_file(int *partial)
{
    struct trace *trace = trace_open(file_name);
    const struct record *r;
    uint64_t count = 0;
    while ((r = trace_next(trace)) != NULL) {
        struct record expected = file_record(count);
        if (r->op == TRACE_MAPS) {
            CU_ASSERT_EQUAL(count, 20000);
            CU_ASSERT_STRING_EQUAL(trace_maps(trace), "00400000-00401000 r-xp 0 0 0 /bin/x\n");
        } else if (same(r, &expected))
            count++;
        else
            break;
    }
    CU_ASSERT_PTR_NULL(r);
    *partial = trace_partial(trace);
    trace_close(trace);
    return count;
}

TEST(a_trace_is_read_back_as_it_was_written)
{
    int partial;
    write_file();
    CU_ASSERT_EQUAL(read_file(&partial), FILE_RECORDS);
    CU_ASSERT_EQUAL(partial, STATUS_DONE);
}

/* A trace is legal wherever it is cut: the records before the cut are read, and it says so. */
TEST(a_trace_is_legal_wherever_it_is_cut)
{
    long length = write_file();
    uint64_t before = 0;
    int partial, loud = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    for (long cut = 1; cut < length; cut += length / 97) {
        write_file();
        CU_ASSERT_EQUAL(truncate(file_name, cut), 0);
        uint64_t count = read_file(&partial);
        CU_ASSERT_EQUAL(partial, STATUS_PARTIAL);
        CU_ASSERT(count >= before && count <= FILE_RECORDS);
        before = count;
    }
    dup2(loud, STDERR_FILENO);
    CU_ASSERT(before > FILE_RECORDS / 2);
}

static void read_damaged(void)
{
    int partial;
    read_file(&partial);
}

/* No changed byte goes unnoticed. */
TEST(a_changed_byte_is_noticed)
{
    for (int k = 0; k < 20; k++) {
        long length = write_file(), place = 8 + (length - 9) * k / 19;
        FILE *file = fopen(file_name, "r+b");
        fseek(file, place, SEEK_SET);
        int byte = fgetc(file);
        fseek(file, place, SEEK_SET);
        fputc(byte ^ 0x10, file);
        fclose(file);
        CU_ASSERT_TRUE(tap_refuses(read_damaged, "", "is damaged"));
    }
}

/* Takes the third block out of the file: records, and no metadata. */
static void drop_block(long length)
{
    char *content = malloc((size_t)length), *block[4] = {NULL};
    FILE *file = fopen(file_name, "rb");
    CU_ASSERT_EQUAL(fread(content, 1, (size_t)length, file), (size_t)length);
    fclose(file);
    for (long i = 0, k = 0; i < length - 4 && k < 4; i++)
        if (memcmp(content + i, "TBLK", 4) == 0)
            block[k++] = content + i;
    CU_ASSERT_PTR_NOT_NULL_FATAL(block[3]);
    file = fopen(file_name, "wb");
    fwrite(content, 1, (size_t)(block[2] - content), file);
    fwrite(block[3], 1, (size_t)(content + length - block[3]), file);
    fclose(file);
    free(content);
}

static void count_all(void)
{
    struct trace *trace = trace_open(file_name);
    while (trace_next(trace) != NULL)
        ;
    trace_close(trace);
}

TEST(a_block_that_is_missing_whole_is_noticed)
{
    drop_block(write_file());
    CU_ASSERT_TRUE(tap_refuses(count_all, "", "blocks are missing"));
}

/* An access of no processor is refused by its number; blocks may be as large. */
TEST(an_access_that_no_processor_makes_is_refused)
{
    static const struct record tried[] = {
        {.op = TRACE_ALLOC, .address = 1, .bytes = UINT64_MAX},
        {.op = TRACE_READ, .address = UINT64_MAX - 7, .bytes = 8},
        {.op = TRACE_READ, .address = 1, .bytes = ACCESS_MAX},
        {.op = TRACE_READ, .address = 1, .bytes = ACCESS_MAX + 1},
        {.op = TRACE_WRITE, .address = UINT64_MAX - 7, .bytes = 9, .order = 1 + RECENT_FRESH}};
    static const char *const why[] = {"record 4: an access of 67108865 bytes at 0x1: more than",
                                      "record 4: an access of 9 bytes at 0xfffffffffffffff8: it"};
    char output[4096];
    for (int k = 0; k < 2; k++) {
        FILE *file = fopen(file_name, "wb");
        struct trace_writer *writer = trace_create(file);
        for (int i = 0; i < 3; i++)
            trace_put(writer, &tried[i]);
        trace_put(writer, &tried[3 + k]);
        trace_finish(writer);
        fclose(file);
        CU_ASSERT_EQUAL(tap_fork(count_all, "", output, sizeof output), STATUS_BAD);
        CU_ASSERT_PTR_NOT_NULL(strstr(output, file_name));
        CU_ASSERT_PTR_NOT_NULL(strstr(output, why[k]));
    }
}

/* ---- text ---- */

static void check_line(text_parse *parse, const char *line, const char *expected)
{
    struct record r[2];
    char found[256] = "", *at = found;
    memset(r, 0, sizeof r);
    int count = parse(line, r);
    at += sprintf(at, "%d", count);
    for (int i = 0; i < count; i++)
        at += sprintf(at, " %s %llx %llu site %llx %u/%u time %llu", trace_op_names[r[i].op],
                      (unsigned long long)r[i].address, (unsigned long long)r[i].bytes,
                      (unsigned long long)r[i].site, r[i].process, r[i].thread,
                      (unsigned long long)r[i].time_ns);
    CU_ASSERT_STRING_EQUAL(found, expected);
}

TEST(lackeys_lines_are_read)
{
    check_line(text_lackey, "I  04001ed0,3", "1 execute 4001ed0 3 site 0 0/0 time 0");
    check_line(text_lackey, " L 1ffeff7e0,8", "1 read 1ffeff7e0 8 site 0 0/0 time 0");
    check_line(text_lackey, " S 0421c7cc,4", "1 write 421c7cc 4 site 0 0/0 time 0");
    check_line(text_lackey, " M 0421c7cc,4",
               "2 read 421c7cc 4 site 0 0/0 time 0 write 421c7cc 4 site 0 0/0 time 0");
    check_line(text_lackey, "==123== Lackey, an example Valgrind tool", "0");
    check_line(text_lackey, " L 1ffe", "-1");
    check_line(text_lackey, "hello", "-3");
    check_line(text_lackey, "I am the program's", "-3");
    check_line(text_lackey, " L 1ffe,", "-1");
    check_line(text_lackey, "", "-3");
}

TEST(perf_scripts_lines_are_read)
{
    check_line(text_perf, "   12/13    4.000123: cpu/mem-loads,ldlat=30/P:     7ffe10   401136",
               "1 read 7ffe10 1 site 401136 12/13 time 4000123000");
    check_line(text_perf, "7/7 1.5: mem-stores: ffff8000 0",
               "1 write ffff8000 1 site 0 7/7 time 1500000000");
    check_line(text_perf, "# captured on: today", "0");
    check_line(text_perf, "a b 7/8 [003] 1.5: 100 mem-loads/P: 7ffe10      47           401136 add",
               "1 read 7ffe10 1 site 401136 7/8 time 1500000000");
    check_line(text_perf, "b 8 1.5: ibs_op//: 7ffe10 1 |OP STORE|LVL L1|TLB L2 miss|LCK No 47 4011",
               "1 write 7ffe10 1 site 4011 8/8 time 1500000000");
    check_line(text_perf, "b 8 1.5: ibs_op//: 7ffe10 1 |OP LOAD|LVL L1|TLB L2 hit|LCK No 47 4011",
               "1 read 7ffe10 1 site 4011 8/8 time 1500000000");
    check_line(text_perf, "b 8 1.5: memory: 7ffe10 1 |OP LOAD|LVL L1|TLB Walker miss|LCK No 4011",
               "0");
    check_line(text_perf, "b 8 1.5: tlb-access: 7ffe10 4011", "0");
    check_line(text_perf, "\t   401136 add+0x6 (/tmp/prog)", "0");
    check_line(text_perf, "7/7 1.5: dTLB-load-misses:u: 401136 add+0x6 (/tmp/prog)", "-2");
    check_line(text_perf, "7/7 1.5: dTLB-load-misses:u: ", "-2");
    check_line(text_perf, "7/7 mem-stores: ffff8000", "-1");
    check_line(text_perf, "7/7 1.5: mem-stores ffff8000", "-1");
}

TEST(drmemtraces_lines_are_read)
{
    check_line(
        text_drmemtrace,
        "           7           1:     3264162 ifetch       3 byte(s) @ 0x00007f8f7e7cd0c0 48 "
        "89 e7             mov    %rsp, %rdi",
        "1 execute 7f8f7e7cd0c0 3 site 7f8f7e7cd0c0 3264162/3264162 time 0");
    check_line(
        text_drmemtrace,
        "           9           2:     3264162 write        8 byte(s) @ 0x00007ffc7c5a0aa8 by "
        "PC 0x00007f8f7e7cd0c3",
        "1 write 7ffc7c5a0aa8 8 site 7f8f7e7cd0c3 3264162/3264162 time 0");
    check_line(text_drmemtrace, "           1           0:     3264162 <marker: version 3>", "0");
    check_line(text_drmemtrace, "<--record#-> <--instr#->: <---tid---> <record details>", "0");
    check_line(text_drmemtrace, "------------------------------------------------------------",
               "0");
    check_line(text_drmemtrace,
               "   173370: T1774669 read         8 byte(s) @ 0x00007f8881e37c70 by PC 0x402680",
               "1 read 7f8881e37c70 8 site 402680 1774669/1774669 time 0");
    check_line(text_drmemtrace, "        1: T1774673 <marker: version 4>", "0");
    check_line(text_drmemtrace, "9: 5 read 8 byte(s) @ 0x1 by PC 0x2",
               "1 read 1 8 site 2 5/5 time 0");
    check_line(text_drmemtrace, "9 2: 5 write 8 bytes", "-1");
    check_line(text_drmemtrace, "hello", "-1");
}
