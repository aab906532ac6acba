# ylog.gp: a logarithmic y axis with plain numbers from `low`, the setting `least` divided by `below`, to `high`,
# `most` times `above`. A picture of characters has no place for the label of the axis: it shows `unit`.

set logscale y
set ytics ()
if (dumb) { set label unit at graph -0.09, graph 1.07 }
low = number("least") / below
high = number("most") * above
steps = high < 6 * low ? "1 1.2 1.5 2 2.5 3 4 5 6 8" : dumb && high > 500 * low ? "1" : "1 2 5"
do for [k = -4 : 9] {
    do for [s in steps] { set ytics add (sprintf("%g", s * 10.0 ** k) s * 10.0 ** k) }
}
set yrange [low : high]
