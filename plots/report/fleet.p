# fleet.p: the levels of many machines below one another: a line for each host, a point with its range for each
# level, or two at the ends of a range alone, so that a machine unlike its sisters, or one that was
# disturbed, is seen at once.
#
# Example: scripts/fleet room.txt -- tlblab sweep | detect --by host | scripts/plot --output room.png fleet
#
# IN: boundaries of detect --by host.

levels = number("curves")
hosts = number("hosts")
low = number("least") / 1.5

set xlabel "entries, and their range"
set xrange [low : number("most") * 1.5]
set yrange [hosts + 0.5 : 0.5]
set ytics ()
entries = levels
load here."legend.gp"
set lmargin number("widest") + (dumb ? 5 : 4)

plot $DATA index levels using (low):1:ytic(2) with points lc rgb "#00ffffff" notitle, \
    for [l = 0 : levels - 1] $DATA index l using 3:1:4:5 with xerrorbars lt l + 1 lw 2 dt 1 ps 0 notitle, \
    for [l = 0 : levels - 1] $DATA index l using ($6 > 0 ? $3 : $4):1 with points lt l + 1 lw 2 title columnheader(2), \
    for [l = 0 : levels - 1] $DATA index l using ($6 > 0 ? $3 : $5):1 with points lt l + 1 lw 2 notitle
