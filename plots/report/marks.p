# marks.p: the distribution of the marks of a course: a histogram of the sums, and for each exercise
# the quartiles, the median, and the extremes.
#
# Example: scripts/plot --output marks.png marks summary.tsv
#
# IN: a summary as labs/instructor/marks writes it. A picture of characters shows no exercises.

exercises = words(setting("exercises"))
unset logscale x
unset key

if (!dumb) {
    set multiplot title title noenhanced
    unset title
    set size 0.38, 0.95
}

set xlabel "points, per cent of all"
set ylabel "students"
set xrange [0:100]
set yrange [0:*]
set xtics () # those of style.gp are powers of two
do for [percent = 0 : 100 : 20] { set xtics add (sprintf("%d", percent) percent) }
set boxwidth 9
set style fill solid 0.6 noborder
stats $DATA index 0 using 2 nooutput
if (STATS_max < 8) { set ytics 1 } # no half students
plot $DATA index 0 using ($1 + 5):2 with boxes lt 1

if (dumb) { exit }
set xlabel "exercise"
set ylabel "points, per cent: median, middle half, ends"
set xrange [0.3 : exercises + 0.7]
set yrange [0:105]
set ytics autofreq
set xtics ()
set origin 0.38, 0
set size 0.62, 0.95
if (exercises > 12) { set xtics font ",11" }
do for [e = 1 : exercises] { set xtics add (word(setting("exercises"), e) e) }
set boxwidth 0.6
set style fill solid 0.25 border
plot $DATA index 1 using 1:3:2:6:5 with candlesticks lt 1 lw 1 dt 1 whiskerbars 0.5, \
     $DATA index 1 using 1:4:4:4:4 with candlesticks lt 2 lw 3 dt 1
unset multiplot
