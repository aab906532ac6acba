/* lists.c: caches, TLBs, pairs of cores and leaves of CPUID, of other programs. */
#include "base/error.h"
#include "report/import/forms.h"
#include "table/table.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char matrix_header[] = "core_a\tcore_b\tsample\tns";
const char lists_header[] = "structure\tlevel\tentries\tbytes_min\tbytes_max\tstep_ns\tmethod";

static void put_boundary(struct reading *in, const char *structure, double entries, double bytes,
                         double ns)
{
    put_text(structure, '\t');
    put_number(reading_number(in, in->word[0]), '\t');
    put_number(entries, '\t');
    put_number(bytes, '\t');
    put_number(bytes, '\t');
    put_number(ns, '\t');
    put_text("calibrator", '\n');
    in->rows++;
}

/* "32 KB" as bytes. */
static double sized(const struct reading *in, int k)
{
    static const char *const units[] = {"KB", "MB", "GB"};
    const char *unit = k + 1 < in->words ? in->word[k + 1] : "";
    for (int u = 0; u < 3; u++)
        if (strcasecmp(unit, units[u]) == 0)
            return reading_number(in, in->word[k]) * (double)(1024ULL << 10 * u);
    reading_die(in, "KB, MB or GB", unit);
}

/* The number before the first word "ns". */
static double ns_of_row(const struct reading *in)
{
    for (int k = 1; k < in->words; k++)
        if (reading_is(in, k, "ns"))
            return reading_number(in, in->word[k - 1]);
    return NAN;
}

/* Its two lists: "1 32 KB 64 bytes … 3.90 ns = 10 cy" and "1 64 4 KB 5.51 ns = 14 cy". */
void take_calibrator(struct reading *in, char *line)
{
    enum { CACHES = 1, TLBS };
    reading_split(in, line, " \t");
    if (reading_is(in, 0, "caches:") || reading_is(in, 0, "TLBs:"))
        in->section = reading_is(in, 0, "caches:") ? CACHES : TLBS;
    else if (in->words == 0)
        in->section = 0;
    else if (in->section == CACHES && in->words > 5 && reading_is(in, 4, "bytes"))
        put_boundary(in, "cache", sized(in, 1) / reading_number(in, in->word[3]), sized(in, 1),
                     ns_of_row(in));
    else if (in->section == TLBS && in->words > 5 && isdigit((unsigned char)*in->word[1]))
        put_boundary(in, "dtlb", reading_number(in, in->word[1]),
                     reading_number(in, in->word[1]) * sized(in, 2), ns_of_row(in));
}

/* A matrix of ns, or its lower half: the row is one core, the column the other. Other lines have
 * other characters, such as the name of the processor. */
void take_core_to_core(struct reading *in, char *line)
{
    if (strchr(line, ',') == NULL || line[strspn(line, "0123456789.,eE+- NaN")] != '\0')
        return;
    reading_split(in, line, ",");
    for (int k = 0; k < in->words && k < in->row; k++) {
        in->word[k] += strspn(in->word[k], " ");
        if (*in->word[k] == '\0' || strncmp(in->word[k], "NaN", 3) == 0)
            continue;
        put_count((uint64_t)k, '\t');
        put_count((uint64_t)in->row, '\t');
        put_count(0, '\t');
        put_number(reading_number(in, in->word[k]), '\n');
        in->rows++;
    }
    in->row++;
}

/* ---- CPUID: the leaves of the first processor ---- */

const char leaves_header[] = "leaf\tsubleaf\teax\tebx\tecx\tedx";

/* A register, or the number of a leaf. */
static unsigned long register_in(const struct reading *in, const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 16);
    if (!isxdigit((unsigned char)*text) || *end != '\0' || value > UINT32_MAX)
        reading_die(in, "32 bits in hexadecimal", text);
    return value;
}

/* A leaf, its sub-leaf (NULL: not stated, so the next one if the leaf is there again), and four
 * registers, each after so many characters: "eax=". Leaf 0 again is the next processor's. */
static void put_leaf(struct reading *in, const char *leaf, const char *subleaf,
                     char *const registers[4], size_t after)
{
    unsigned long number = register_in(in, leaf);
    bool again = in->row > 0 && number == in->leaf;
    unsigned long sub = subleaf != NULL ? register_in(in, subleaf) : again ? in->subleaf + 1 : 0;
    in->section += number == 0 && in->row++ > 0;
    if (in->section > 0)
        return;
    put_formatted("0x%08lx\t%lu", number, sub);
    for (int k = 0; k < 4; k++) {
        if (strlen(registers[k]) < after)
            reading_die(in, "a register", registers[k]);
        put_formatted("\t0x%08lx", register_in(in, registers[k] + after));
    }
    put_formatted("\n");
    in->leaf = number;
    in->subleaf = sub;
    in->rows++;
}

/* Of cpuid -r "0x00000001 0x00: eax=… ebx=… ecx=… edx=…", which old versions print without the
 * sub-leaf, of InstLatx64 "CPUID 00000004:
 * EAX-EBX-ECX-EDX [SL 01]", of hwloc-gather-cpuid "5 4 0 1 0 => 1c004122 1c0003f 3f 0": a mask,
 * whose third bit is that the sub-leaf counts, what the registers were before, and after. */
void take_cpuid(struct reading *in, char *line)
{
    enum { SUBLEAF_COUNTS = 4 };
    reading_split(in, line, " \t:-[]");
    int registers = in->words - 4;
    if ((registers == 1 || registers == 2) && strncmp(in->word[registers], "eax=", 4) == 0)
        put_leaf(in, in->word[0], registers == 2 ? in->word[1] : NULL, in->word + registers, 4);
    else if (reading_is(in, 5, "=>") && in->words == 10)
        put_leaf(in, in->word[1],
                 strtoul(in->word[0], NULL, 16) & SUBLEAF_COUNTS ? in->word[3] : "0", in->word + 6,
                 0);
    else if (reading_is(in, 0, "CPUID") && in->words >= 6 && strlen(in->word[1]) == 8)
        put_leaf(in, in->word[1], reading_is(in, 6, "SL") && in->words > 7 ? in->word[7] : NULL,
                 in->word + 2, 0);
}
