# moments.p: when laps were clean, by the number of targets asked about; a panel for each question. A
# neighbour on the core interferes in episodes, which the control shows.
#
# Example: sweep >samples.tsv; scripts/plot --output moments.png moments samples.tsv
#
# IN: samples of sweep, which measures in moments.

load here."questions.gp"

set xrange [0 : number("moments") + 1]
set label 2 "the number asked about was clean" at screen 0.1, screen height left offset 1, 0 point lt 1
set label 3 "only the control" at screen (dumb ? 0.58 : 0.53), screen height left offset 1, 0 \
    point lt 6 pt (dumb ? 6 : 2)
set label 4 "neither" at screen (dumb ? 0.85 : 0.78), screen height left offset 1, 0 point lt 5 pt (dumb ? 2 : 1)
set multiplot layout questions, 1 margins screen 0.09, screen 0.97, screen (dumb ? 0.2 : 0.18), \
    screen (dumb ? 0.86 : 0.89) spacing screen (dumb ? 0.1 : 0.07) title title noenhanced
do for [q = 1 : questions] {
    least = word(setting("lowest"), q) + 0
    most = word(setting("highest"), q) + 0
    set title named(q) noenhanced offset 0, (dumb ? 0 : -0.6)
    set yrange [least - 0.5 : most + 0.5]
    set ytics step(most - least, dumb ? 3 : questions > 3 ? 16 / questions : 6)
    if (q == int(questions / 2) + 1 && !dumb) { set ylabel "number of pages asked about" } else { unset ylabel }
    set xtics 1, number("every") format ""
    if (q == questions) {
        set xlabel "moments in their order, with the seconds when they were measured"
        do for [k = 1 : words(setting("labels"))] { set xtics add (word(setting("labels"), k) 1 + (k - 1) * number("every")) }
    }
    plot $DATA index q - 1 using 1:2 with points lt 1, \
        $DATA index q - 1 using 1:3 with points lt 6 pt (dumb ? 6 : 2), \
        $DATA index q - 1 using 1:4 with points lt 5 pt (dumb ? 2 : 1)
    unset label 2
    unset label 3
    unset label 4
}
unset multiplot
