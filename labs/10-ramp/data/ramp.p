# ramp.p: draws ramp.dat in the terminal: the clock frequency of each piece of work.
#
# Usage: gnuplot data/ramp.p
set terminal dumb 78 20
set datafile separator tab
set datafile columnheaders
set title "the clock"
set xlabel "s since the start"
set ylabel "GHz"
set yrange [0:*]
plot "ramp.dat" using "t_s":"ghz" with points notitle
