# studies.p: numbers of the PTAT paper beside ours.
#
# Usage: gnuplot -c plots/studies.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: tests/bench/figures FOLDER && gnuplot -c plots/studies.p FOLDER/figures.tsv figures.png
#
# IN: rows of figures.tsv, which tests/bench/figures writes. OUT ends in .png, .svg, .pdf, or .txt for
# characters.

call ARG0[1 : sum [k = 1 : strlen(ARG0)] (strstrt(ARG0[k : *], "/") > 0)]."begin.gp" "studies" ARG1 ARG2 ARG3 ARG4 ARG5
most = number("most")

unset logscale x
set xtics autofreq rotate by -40 noenhanced
set datafile missing "-"
set yrange [0 : most * 1.15]
set style data histogram
set style histogram cluster gap 1
set style fill solid 0.7 noborder
set rmargin 6
set key left top

plot $DATA using 2:xtic(1) title "paper", $DATA using 3 title "ours"
