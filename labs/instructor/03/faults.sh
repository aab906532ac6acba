# Planted mistakes in exercise 03 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

first='read_pages: the first byte of each page, and no other'
whole='read_pages: whole rounds, none too many'
beyond='read_pages: beyond 4 GiB'
prints='the program prints a legal table with whole rounds'
touched='prepare: every page was touched'
kept='the load is in a loop in a loop'
table='line.dat: your measurement'

faulty 03 'bytes' 's/memory\[\(long\)p \* PAGESIZE\];/memory[(long)p * 8];/'
loses 03 'steps of 8 bytes' "$touched" "$first" "$whole" "$beyond" "$prints" "$table"
faulty 03 'one more' '/^long read_pages/,/^}/s/p < pages/p <= pages/'
loses 03 'one page too many' "$touched" "$first" "$whole" "$beyond" "$prints" "$table"
faulty 03 'int' '/^long read_pages/,/^}/s/\(long\)p/p/; s/malloc\((.*)\);/calloc(\1, 1);/; s/= 1;$/+= 0;/'
sed -i -E '/^char \*prepare/,/^}/{/memory\[/d; /for /d}' "$work/solution.c"
loses 03 'no cast, nothing touched' "$beyond" "$touched" "$prints"
faulty 03 'nothing' '/^long read_pages/,/^}/s/return sum;/return 0 * sum;/'
loses 03 'a sum of zero' "$touched" "$first" "$whole" "$beyond" "$kept" "$prints" "$table"
rewritten 03 'formula' read_pages <<'C'
long read_pages(const char *memory, int pages, long refs)
{
    long sum = 0;

    for (int p = 0; p < pages; p++)
        sum += memory[(long)p * PAGESIZE];
    return sum * (refs / pages);
}
C
loses 03 'a round, and a multiplication for the others' "$touched" "$kept" "$first" "$whole" "$beyond" "$prints" "$table"
faulty 03 'read only' '/^char \*prepare/,/^}/s/memory\[\(long\)p \* PAGESIZE\] = 1;/(void)*(volatile char *)(memory + (long)p * PAGESIZE);/'
sed -i '/^char \*prepare/,/^}/s/malloc(\(.*\));/calloc(\1, 1);/' "$work/solution.c"
loses 03 'pages that were only read' "$beyond" "$touched" "$prints"
faulty 03 'late' ''
echo '# I knew it' >>"$work/predict.txt"
loses 03 'a late prediction' 'prediction made before measuring'

rewritten 03 'helper' read_pages <<'C'
static long read_round(const char *memory, int pages)
{
    long sum = 0;

    for (const char *at = memory; at < memory + (size_t)pages * PAGESIZE; at += PAGESIZE)
        sum += *at;
    return sum;
}

long read_pages(const char *memory, int pages, long refs)
{
    long sum = 0;

    for (long round = 0; round < refs / pages; round++)
        sum += read_round(memory, pages);
    return sum;
}
C
keeps 03 'a round in a function of its own, with pointers'
rewritten 03 'memset' prepare <<'C'
#include <string.h>

char *prepare(int pages)
{
    size_t bytes = (size_t)pages;

    bytes *= PAGESIZE;
    char *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);

    return memory == NULL ? NULL : memset(memory, 1, bytes);
}
C
keeps 03 'memset() and aligned memory'
rewritten 03 'byte' read_pages <<'C'
inline char byte_at(const char *memory, long page);
inline char byte_at(const char *memory, long page)
{
    return memory[page * PAGESIZE];
}

long read_pages(const char *memory, int pages, long refs)
{
    long sum = 0, rounds = refs / pages;

    while (rounds-- > 0) {
        long page = 0;

        while (page < pages)
            sum += byte_at(memory, page++);
    }
    return sum;
}
C
keeps 03 'a load in a function of its own, inline and not static'
