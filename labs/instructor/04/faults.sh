# Planted mistakes in exercise 04 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

first='read_pages: the first byte of each page' prints='the program prints a legal table with whole rounds'
touched='prepare: every page was touched'
lines='real_pages: pages of 64 bytes' large='real_pages: pages of 8192 bytes'
small='real_pages: pages of 1504 bytes'
all=("$touched" "$lines" "$large" "$small")
tables=('tlb64.dat: your measurement' 'tlb4K.dat: your measurement' 'tlb4K.dat: 4096 pages are slower than 4')

faulty 04 'bytes only' 's/return 2 \* pages;/return pages + 4;/; s/return count;/return (long)pages * PAGESIZE \/ real;/'
loses 04 'pages counted by bytes, steps of 4' 'doubles from 4' "$lines" "$large" "$small"
faulty 04 'untouched' '/^char \*prepare/,/^}/{/memory\[/d; /for /d; s/malloc\((.*)\);/calloc(\1, 1);/}'
loses 04 'pages that nobody touched' "${all[@]}" "$prints" "${tables[@]}"
faulty 04 'words' '/^long read_pages/,/^}/s/\(long\)p \* PAGESIZE/(long)p * 8/'
loses 04 'eight bytes in place of a page' "${all[@]}" "$first" "$prints" "${tables[@]}"
faulty 04 'formula' '/^long read_pages/,/^}/s/^    long sum = 0;/    if (memory != NULL)\n        return rounds * pages;\n&/'
loses 04 'a formula for the sum' 'read_pages: the load is in a loop in a loop' "${all[@]}" "$first" "$prints" "${tables[@]}"
faulty 04 'one by one' 's/return 2 \* pages;/return pages + pages \/ 2;/'
loses 04 'half as many more' 'doubles from 4'
faulty 04 flat ''
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $2 = sprintf("%.6f", 0.01 + $1 / 1e7) } 1' "$work/tlb4K.dat" >"$TMP/flat.dat"
cp "$TMP/flat.dat" "$work/tlb4K.dat"
exits 0 'a flat curve costs nothing' "$labs/lib/grade" 04 "$work"
matches 'it is inconclusive, and why' '# CANNOT TELL: .*huge pages' "$TMP/out"

rewritten 04 'first and last' real_pages <<'C'
long real_pages(const char *memory, int pages, long real)
{
    if (PAGESIZE >= real)
        return pages;
    uintptr_t begin = (uintptr_t)memory, last = begin + (uintptr_t)(pages - 1) * PAGESIZE;

    return (long)(last / (uintptr_t)real - begin / (uintptr_t)real) + 1;
}
C
keeps 04 'the first page and the last'
rewritten 04 'mask' real_pages next_size <<'C'
static uintptr_t page_of(const char *at, long real)
{
    return (uintptr_t)at & ~((uintptr_t)real - 1);
}

long real_pages(const char *memory, int pages, long real)
{
    long count = 1;

    for (int p = 1; p < pages; p++)
        if (page_of(memory + (size_t)p * PAGESIZE, real) !=
            page_of(memory + (size_t)(p - 1) * PAGESIZE, real))
            count++;
    return count;
}

int next_size(int pages)
{
    return pages << 1;
}
C
keeps 04 'a mask, a shift'
rewritten 04 'pointers' read_pages prepare <<'C'
char *prepare(int pages)
{
    size_t bytes = PAGESIZE * (size_t)pages;
    char *memory = calloc(bytes, 1), *at = memory;

    while (at != NULL && at < memory + bytes) {
        *at = 1;
        at += PAGESIZE;
    }
    return memory;
}

long read_pages(const char *memory, int pages, long refs)
{
    const char *end = memory + (size_t)pages * PAGESIZE;
    long sum = 0;

    for (long left = refs; left >= pages; left -= pages)
        for (const char *at = memory; at < end; at += PAGESIZE)
            sum += *at;
    return sum;
}
C
keeps 04 'pointers for numbers'
