# Planted mistakes in exercise 14 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # the test sets work

faulty 14 'never touched' 's/^        memory\[i\] = 1;/        (void)i;/'
own=('pages.dat: your measurement' 'pages.dat: huge pages came')
loses 14 'memory that nobody touched' 'allocate: touches every page' "${own[@]}"
faulty 14 'read' 's/^        memory\[i\] = 1;/        (void)*(volatile char *)(memory + i);/'
loses 14 'memory that was only read' 'allocate: touches every page' "${own[@]}"
faulty 14 'too late' '/^char \*allocate/,/^}/{/madvise/d; s/^    return memory;/    madvise(memory, (size_t)bytes, advice);\n&/;}'
loses 14 'advised when it was touched' 'allocate: asks for huge pages, and touches them after that' "${own[@]}"
faulty 14 'unaligned' 's/^    memory = next_huge\(memory\);/    memory = next_huge(memory) + 4096;/'
loses 14 'a page beside' 'allocate: begins where a huge page can'
faulty 14 'sum' 's/here = from .*;/here = to > 0 * address;/'
loses 14 'any mapping' 'huge_kib: of that mapping, and of no other' \
    'huge_kib: -1 for an address that is in none' 'huge_kib: its end belongs to the next one' "${own[@]}"
faulty 14 'beyond' 's/address < to;/address <= to;/; s/kib = n;/kib = kib < 0 ? n : kib;/'
loses 14 'one address too many' 'huge_kib: its end belongs to the next one' 'huge_kib: -1 for an address that is in none'
faulty 14 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^splintered.*/splintered = a/' "$work/answers.txt"
sed -i '/^late/d' "$work/pages.dat"
loses 14 'a late prediction, a wrong answer, a row left out' 'prediction made before measuring' \
    'answer splintered' 'pages.dat: your measurement' 'pages.dat: huge pages came'

rewritten 14 'rounded' next_huge allocate <<'C'
char *next_huge(char *address)
{
    uintptr_t mask = HUGE_PAGE - 1;

    return (char *)(((uintptr_t)address + mask) & ~mask);
}

static int touch(char *memory, long bytes)
{
    return memset(memory, 0xff, (size_t)bytes) == memory;
}

char *allocate(long bytes, int advice)
{
    char *all = mmap(NULL, (size_t)bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
                     MAP_ANONYMOUS | MAP_PRIVATE | MAP_NORESERVE, -1, 0);

    if (all == MAP_FAILED)
        return NULL;
    char *memory = next_huge(all);

    if (madvise(memory, (size_t)bytes, advice) != 0)
        perror("madvise");
    return touch(memory, bytes) ? memory : NULL;
}
C
keeps 14 'a mask, memset()'
rewritten 14 'read aloud' huge_kib <<'C'
static int starts_with(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

long huge_kib(FILE *smaps, unsigned long address)
{
    char line[4096];
    int inside = 0;

    while (fgets(line, sizeof line, smaps)) {
        char *rest;
        unsigned long from = strtoul(line, &rest, 16);

        if (*rest == '-') {
            inside = address >= from && address < strtoul(rest + 1, NULL, 16);
            continue;
        }
        if (inside && starts_with(line, "AnonHugePages:"))
            return atol(line + strlen("AnonHugePages:"));
    }
    return -1;
}
C
keeps 14 'strtoul() and strncmp()'
faulty 14 'backwards' 's/for \(long i = 0; i < bytes; i \+= 4096\)/for (long i = bytes - 4096; i >= 0; i -= 4096)/'
keeps 14 'the last page first'
