# style.gp: terminal and style of all pictures. Needs the variables of draw.gp: `out`, whose ending
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

# Okabe & Ito's colours, which colour-blind people can distinguish; dashes and points for a grey print. No two of
# 30 line types have the same colour and the same dashes.
colours = "#0072B2 #D55E00 #009E73 #CC79A7 #000000 #E69F00"
dashes = "1 2 4 3 5"
shapes = "7 4 9 12 6 2 5 8 13 10"
disturbed = 31
do for [k = 0 : 29] {
    dash = word(dashes, (k + k / 6) % 5 + 1) + 0
    shape = dumb ? k + 1 : word(shapes, k % 10 + 1) + 0
    set linetype k + 1 lc rgb word(colours, k % 6 + 1) lw 2 dt dash pt shape ps point
}
set linetype disturbed lc rgb "#a0a0a0" lw 1 dt 1 pt 6 ps 0.7 * point
set linetype cycle 30

set border 3
set tics nomirror out noenhanced # names of hosts, programs, ...
set key noenhanced
if (!dumb) { set grid xtics ytics lt 1 lc rgb "#dddddd" lw 1 dt 1 }

# A step between labels such that there are few and all are integers.
step(span, labels) = span <= labels ? 1 : span <= 2 * labels ? 2 : span <= 5 * labels ? 5 : span <= 10 * labels ? 10 \
    : 20 * ceil(span / (20. * labels))

# Numbers of pages in powers of two: 512, 1Ki, 2Ki.
human(n) = n < 2 ** 10 ? sprintf("%d", n) : n < 2 ** 20 ? sprintf("%dKi", n / 2 ** 10) \
         : sprintf("%dMi", n / 2 ** 20)
set logscale x 2
set xtics ()
do for [k = 0 : 30 : (dumb ? 2 : 1)] { set xtics add (human(2 ** k) 2 ** k) }
