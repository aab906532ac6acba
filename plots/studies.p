# studies.p: what huge pages do to the misses and to the time of programs (figure 8 of the PTAT paper).
#
# Usage: gnuplot -c plots/studies.p IN OUT [TITLE [COLUMNS ROWS]]
# Example: tests/bench/studies FOLDER && gnuplot -c plots/studies.p FOLDER/studies.tsv studies.png
#
# IN: a table of tests/bench/studies. OUT ends in .png, .svg, .pdf, or .txt for characters.

call system(sprintf("dirname '%s'", ARG0))."/begin.gp" "studies" ARG1 ARG2 ARG3 ARG4 ARG5
most = number(2)

unset logscale x
set xtics autofreq rotate by -30 noenhanced
set datafile missing "-"
set title (title eq "" ? about[3:*] : title) noenhanced
set ylabel "huge pages against 4 KiB"
set yrange [0 : most > 1 ? most * 1.2 : 1.2]
set style data histogram
set style histogram cluster gap 1
set style fill solid 0.7 noborder
set key left top

plot $DATA using 2:xtic(1) title "misses", $DATA using 3 title "speed of the untraced program"
