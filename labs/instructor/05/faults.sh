# Planted mistakes in exercise 05 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

if command -v gnuplot >/dev/null; then
    faulty 05 'graph' 's/.*# max pages: .*/    (void)pages;/'
    sed -i '/logscale/d; /xlabel/d; /dummy.dat/d; s/, \\$/,\\/; s/bytes",\\$/bytes"/' "$work/tlb.p"
    sed -i 's/64 bytes"$/64 bytes"/; s/4K bytes"$/4K bytes", \\/' "$work/tlb.p"
    loses 05 'a graph of two series without a label' 'the header tells the most pages' \
        'tlb.p draws three series' 'tlb.p doubles on the x axis' \
        'tlb.p has a title and both axes have a label'
fi
faulty 05 'two of three' '/^#ifdef DUMMY/,/^#else/{/\(void\)memory;/d}'
loses 05 'a warning with -DDUMMY alone' 'compiles without a warning'
if command -v gnuplot >/dev/null; then
    faulty 05 'script' ''
    cp "$labs"/05-graph/tlb.p "$work"
    loses 05 'the script of the starter' 'tlb.p draws tlb.png' 'tlb.p draws three series' \
        'tlb.p doubles on the x axis' 'tlb.p has a title and both axes have a label'
fi
