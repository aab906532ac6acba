# style.gp: terminal and style of all pictures. Needs the variables of begin.gp: `out`, whose ending
# chooses the format (.png .svg .pdf, .txt for characters: `dumb`), `columns` and `rows`.

set encoding utf8
set datafile separator tab
set datafile columnheaders
ending = out[strlen(out) - 3:*]
if (dumb) {
    set terminal dumb size columns, rows noenhanced
} else { if (ending eq ".svg") {
    set terminal svg size 1200,800 dynamic enhanced font "DejaVu Sans,16" background "white"
} else { if (ending eq ".pdf") {
    set terminal pdfcairo size 24cm,16cm font "DejaVu Sans,11"
} else { if (strstrt(GPVAL_TERMINALS, "pngcairo")) {
    set terminal pngcairo size 1200,800 font "DejaVu Sans,16"
} else {
    set terminal png truecolor size 1200,800 medium
}}}}
set output out
svg = ending eq ".svg" # a sample then shows its values to a pointer over it

point = ending eq ".png" ? 0.9 : 0.55 # the other terminals' points are larger

# Okabe & Ito's colours, which colour-blind people can distinguish; dashes and points for a grey
# print.
set linetype 1 lc rgb "#0072B2" lw 2 dt 1 pt 7 ps point
set linetype 2 lc rgb "#D55E00" lw 2 dt 2 pt 4 ps point
set linetype 3 lc rgb "#009E73" lw 2 dt 4 pt 9 ps point
set linetype 4 lc rgb "#CC79A7" lw 2 dt 3 pt 12 ps point
set linetype 5 lc rgb "#000000" lw 2 dt 5 pt 6 ps point
set linetype 6 lc rgb "#E69F00" lw 2 dt 1 pt 2 ps point
set linetype 7 lc rgb "#a0a0a0" lw 1 dt 1 pt 6 ps 0.7 * point # samples that were disturbed
set linetype cycle 6
if (dumb) { do for [k = 1 : 7] { set linetype k pt k } }

set border 3
set tics nomirror out noenhanced # names of hosts, programs, ...
set key noenhanced
if (!dumb) { set grid xtics ytics lt 1 lc rgb "#dddddd" lw 1 dt 1 }

# Numbers of pages in powers of two: 512, 1Ki, 2Ki.
human(n) = n < 2 ** 10 ? sprintf("%d", n) : n < 2 ** 20 ? sprintf("%dKi", n / 2 ** 10) \
         : sprintf("%dMi", n / 2 ** 20)
set logscale x 2
set xtics ()
do for [k = 0 : 30 : (dumb ? 2 : 1)] { set xtics add (human(2 ** k) 2 ** k) }
