# hierarchy.p: the memory of a machine from its registers to the disk: the time of an access and the bytes
# a second at each step. What was not measured is drawn as not measured.
#
# Example: scripts/hierarchy draws it from one run.
#
# IN: latencies, rates, and the disk of `scripts/hierarchy --disk`.

steps = number("steps")
or_one(name) = number(name) > 0 ? number(name) : 1.0

set datafile missing "-"
unset logscale x
unset key
set xrange [-0.6 : steps - 0.4]
set logscale y
set style fill solid 0.75 noborder
set boxwidth 0.7
unset grid
unset ytics
set border 1
set format y ""
caption = title.(dumb ? " (-: not measured)" : "")

# A bar from `floor` up; its label stands above it, that of a missing one in its place.
top(value, floor) = value > 0 ? value : floor
set multiplot layout 2, 1 title caption noenhanced
set lmargin dumb ? 2 : 6
unset xtics
label(k) = dumb ? strcol(1) : strcol(1)."\n".strcol(2)
above = dumb ? 1 : 0.7

floor = or_one("least_ns") / 4
set yrange [floor : or_one("most_ns") * (or_one("most_ns") / floor) ** 0.2]
set title "time of one access (logarithmic)" noenhanced
plot $DATA using 0:(column("ns") > 0 ? column("ns") : NaN) with boxes lt 1, \
    $DATA using 0:(top(column("ns"), floor)):5 with labels offset 0, above noenhanced

floor = or_one("least_rate") / 4
set yrange [floor : or_one("most_rate") * (or_one("most_rate") / floor) ** 0.2]
set title "reads of one core, bytes a second (logarithmic)" noenhanced
set xtics nomirror scale 0
set bmargin dumb ? 2 : 3
plot $DATA using 0:(column("gb_per_s") > 0 ? column("gb_per_s") : NaN):xtic(label(0)) with boxes lt 3, \
    $DATA using 0:(top(column("gb_per_s"), floor)):6 with labels offset 0, above noenhanced
unset multiplot
