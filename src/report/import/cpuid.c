/* cpuid.c: leaves of CPUID, of other programs: those of the first processor. */
#include "base/error.h"
#include "report/import/forms.h"
#include "table/table.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
