# Planted mistakes in exercise 05 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

kept='work: the load is in a loop in a loop' empty='work: a loop in a loop counts, with -DDUMMY'
prints='the program prints a legal table with whole rounds'
all=("$prints" "$prints, with -DDUMMY" 'the header states the page size' 'the header states the largest number of pages'
    'tlb4K.dat: your measurement' 'tlb64.dat: your measurement' 'dummy.dat: your measurement')
graph=('tlb.p draws tlb.png' 'tlb.p draws three series' 'tlb.p doubles on the x axis'
    'tlb.p has a title and both axes have a label')

faulty 05 'two of three' '/^#ifdef DUMMY/,/^#else/s/long sum = 0;/long sum = 0, unused;/'
loses 05 'a warning with -DDUMMY alone' 'compiles without a warning'
faulty 05 'formula' '/^#ifdef DUMMY/,/^#else/{/for \(/d; s/sum\+\+;/sum = rounds * pages;/}'
loses 05 'a formula for the dummy' "$empty" "${all[@]}"
faulty 05 'multiplied' '/^#else/,/^#endif/{/long r = 0/d; s/return sum;/return rounds * sum;/}'
loses 05 'one round for all' "$kept" "${all[@]}"
faulty 05 'no header' 's/.*# page size: .*/    (void)pagesize;/; s/# total number/# number/'
loses 05 'settings left out' "$prints" "$prints, with -DDUMMY" 'the header states the page size'
faulty 05 'one more' '/^#else/,/^#endif/s/r < rounds/r <= rounds/'
loses 05 'a round too many' "$prints"
if command -v gnuplot >/dev/null; then
    faulty 05 'graph' 's/.*# max pages: .*/    (void)pages;/'
    sed -i '/logscale/d; /xlabel/d; /dummy.dat/d; s/, \\$/,\\/; s/bytes",\\$/bytes"/' "$work/tlb.p"
    sed -i 's/64 bytes"$/64 bytes"/; s/4K bytes"$/4K bytes", \\/' "$work/tlb.p"
    loses 05 'a graph of two series without a label' 'the header states the largest number of pages' "${graph[@]:1}"
    faulty 05 'script' ''
    cp "$labs"/05-graph/starter/tlb.p "$work"
    loses 05 'the script of the starter' "${graph[@]}"
    faulty 05 'names' ''
    sed -i '/^plot/,$d' "$work/tlb.p"
    echo 'print "tlb4K.dat tlb64.dat dummy.dat"; plot "tlb4K.dat" using 1:2 title "all"' >>"$work/tlb.p"
    loses 05 'a script that prints the names of the files' "${graph[@]:0:2}"
    faulty 05 'empty' ''
    sed 's/^plot.*/plot sqrt(x) title "tlb4K.dat", log(x) title "tlb64.dat", x title "dummy.dat"/; /^ *"/d' \
        "$full/tlb.p" >"$work/tlb.p"
    loses 05 'curves of formulas' "${graph[@]:1:1}"
    faulty 05 'terminal' ''
    printf '%s\n' 'set output' 'set terminal dumb' >>"$work/tlb.p"
    loses 05 'another terminal after the picture' "${graph[@]:1:1}"
    matches 'faults: 05: the check says what may follow the picture' 'no set or unset may follow it, but set output' "$TMP/rows"
fi

faulty 05 'lines' 's/^    printf\("# page size: %ld bytes\\n", pagesize\);/    printf("# host: mine\\n# page size: %ld\\n", pagesize);/'
cat >"$work/tlb.p" <<'P'
set terminal pngcairo size 800, 600
set output 'tlb.png'
set title "What a reference costs"
set xlabel "pages"; set ylabel "ns"; set log x 2; set log y
refs = 10 * 1024 * 1024
cost(s) = s / refs * 1e9
files = "dummy tlb64 tlb4K"
plot for [f in files] f.'.dat' using "pages":(cost($2)) with lines lw 2 title f
set output
P
keeps 05 'another header, a script with a loop and two logarithmic axes'
faulty 05 'one for both' 's/^#ifdef DUMMY$/&\n#define AT(memory) 1\n#else\n#define AT(memory) memory\n#endif\n&/'
awk '
    /^#ifdef DUMMY$/ && ++seen == 2 { print "static long read_all(const char *memory, int pages)\n{\n    long sum = 0;\n\n    for (const char *end = memory + (size_t)pages * PAGESIZE; memory < end; memory += PAGESIZE)\n        sum += AT(*memory);\n    return sum;\n}\n" }
    1' "$work/solution.c" | sed '/^static long work/,/^}/{s/for (int p = 0; p < pages; p++)/sum += read_all(memory, pages);/; /sum += memory\[/d; /sum++;/d; /(void)memory;/d}' >"$work/new.c"
mv "$work/new.c" "$work/solution.c"
keeps 05 'one inner loop for both, in a function of its own'
faulty 05 'while' 's/for \(long r = 0; r < rounds; r\+\+\)/while (rounds-- > 0)/'
keeps 05 'while in place of for'
