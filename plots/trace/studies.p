# studies.p: numbers of the PTAT paper beside ours.
#
# Example: tests/bench/figures FOLDER && scripts/plot --output figures.png studies FOLDER/figures.tsv
#
# IN: rows of figures.tsv, which tests/bench/figures writes.

bars = number("bars")
most = number("most") > 0 ? number("most") : 1
letter = bars > 24 || number("longest") > 60 ? 10 : 12
small = sprintf(",%d", letter)
set lmargin dumb ? number("longest") + 2 : number("longest") * letter / 19.0 + 4

unset logscale x
set xtics autofreq
set datafile missing "-"
set xrange [0 : most * 1.4] # with space for the numbers
set yrange [bars + 0.6 : 0.4]
set ytics nomirror noenhanced font small
set style fill solid 0.7 noborder
set key below vertical maxrows 1
set bmargin dumb ? 4 : 5

plot $DATA using ($3 / 2):($1 - 0.2):($3 / 2):(0.18):ytic(2) with boxxyerror lt 1 title "paper", \
    $DATA using ($4 / 2):($1 + 0.2):($4 / 2):(0.18) with boxxyerror lt 2 fs pattern 2 title "ours", \
    $DATA using 5:1:6 with labels left offset 0.5, 0 font small noenhanced notitle
