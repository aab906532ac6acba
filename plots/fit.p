# fit.p: the fit behind detect's method control: page minus packed as measured, the fitted curve and the
# capacities above; below what the fit leaves, with the errors of the points.
#
# Usage: gnuplot -c plots/fit.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: detect --explain samples.tsv >fit.tsv && gnuplot -c plots/fit.p fit.tsv fit.png
#
# IN: a table of detect --explain. OUT ends in .png, .svg, .pdf, or .txt for characters.

call ARG0[1 : sum [k = 1 : strlen(ARG0)] (strstrt(ARG0[k : *], "/") > 0)]."begin.gp" "fit" ARG1 ARG2 ARG3 ARG4 ARG5
levels = number(1)
low = number(4)
high = number(5) > low ? number(5) : low + 1
below = number(6)
above = number(7) > below ? number(7) : below + 1
share = dumb ? 0.55 : 0.63
set lmargin dumb ? 9 : 10
set xrange [number(2) / 1.1 : number(3) * 1.1]
if (number(3) < 4 * number(2)) { # too few powers of two
    unset logscale x
    set xtics autofreq
}
set style textbox opaque noborder
# The labels are above the curve.
ceiling = high + (high - low) * (0.08 + (dumb ? 0.16 : 0.09) * levels)
flag(row) = ceiling - (ceiling - low) * (dumb ? 0.11 : 0.065) * (row + 0.5)
only(wanted, value) = wanted ? value : NaN

set multiplot
set origin 0, 1 - share
set size 1, share
set title (title eq "" ? about[3:*] : title) noenhanced
set ylabel "page - packed, ns per access"
set bmargin 1
set yrange [low - (high - low) * 0.05 : ceiling]
set key left center Left reverse samplen 4 # the curve rises to the right
if (dumb) { set label 1 "ns" at graph -0.09, graph 1.1 } # it has no room for ylabel
plot for [k = 1 : (levels > 0)] $DATA index 1 using 1:(low):(0):(flag($4) - low) \
        with vectors nohead lc rgb "#404040" lw 1.5 dt 3 notitle, \
    $DATA index 0 using 1:2 with points lt 1 title "measured", \
    $DATA index 0 using 1:3 with lines lt 2 dt 1 title "fitted", \
    for [k = 1 : (levels > 0)] $DATA index 1 using (only($2 > 0, $1)):(flag($4)):3 \
        with labels left offset 0.5, 0 boxed noenhanced notitle, \
    for [k = 1 : (levels > 0)] $DATA index 1 using (only($2 < 0, $1)):(flag($4)):3 \
        with labels right offset -0.5, 0 boxed noenhanced notitle

set origin 0, 0
set size 1, 1 - share
unset title
unset label 1
set tmargin 1
set bmargin dumb ? 3 : 4
set xlabel "number of pages"
set ylabel "residual, ns"
set yrange [below - (above - below) * 0.08 : above + (above - below) * (dumb ? 0.4 : 0.3)] # the key's room
set key top left Left reverse samplen 4
set xzeroaxis lt 1 lc rgb "#404040" lw 1.5 dt 1
if (dumb) {
    plot $DATA index 0 using 1:4 with points lt 1 title "measured - fitted"
} else {
    plot $DATA index 0 using 1:4:5 with yerrorbars lt 1 title "measured - fitted, with its error"
}
unset multiplot
