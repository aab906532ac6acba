# laps.p: how many loads of the fastest lap miss, by the number of targets; a panel for each question that
# detect asked. None up to the number that fits; with one more, every lap has a miss.
#
# Example: detect --explain samples.tsv >laps.tsv && scripts/plot --output laps.png laps laps.tsv
#
# IN: a table of detect --explain.

load here."questions.gp"

set label 2 "fit" at screen 0.3, screen height left offset 1, 0 point lt 1 ps big
set label 3 "open" at screen 0.45, screen height left offset 1, 0 point lt 6 pt (dumb ? 6 : 5) ps big
set label 4 "do not fit" at screen 0.6, screen height left offset 1, 0 point lt 2 pt (dumb ? 2 : 9) ps big
set multiplot layout 1, questions title title noenhanced
set bmargin dumb ? 4 : 6
set lmargin 8
set tmargin dumb ? 3 : 3.5
set rmargin dumb ? 1 : 2
set xlabel "number of pages"
do for [q = 1 : questions] {
    least = word(setting("lowest"), q) + 0
    most = word(setting("highest"), q) + 0
    top = word(setting("misses"), q) + 0
    fits = word(setting("fits"), q) + 0
    set title named(q) noenhanced
    if (q == 1 && !dumb) { set ylabel "misses per lap" } else { unset ylabel }
    set xrange [least - 0.5 : most + 0.5]
    set yrange [-0.06 * top : 1.15 * top]
    set xtics step(most - least, dumb ? 3 : 5)
    set ytics 0, top <= 20 && !dumb ? 1 : step(top, dumb ? 6 : 14)
    set arrow 1 from fits, graph 0 to fits, graph 0.9 nohead lc rgb "#404040" lw 1.5 dt 3
    set label 1 sprintf("%d fit", fits) at fits, graph 0.95 right offset -0.5, 0
    plot $DATA index q - 1 using 1:2 with points lt 1 ps big notitle, \
        $DATA index q - 1 using 1:3 with points lt 6 pt (dumb ? 6 : 5) ps big notitle, \
        $DATA index q - 1 using 1:4 with points lt 2 pt (dumb ? 2 : 9) ps big notitle
    unset label 2
    unset label 3
    unset label 4
}
unset multiplot
