# ylog.gp: a logarithmic y axis with plain numbers; needs `low` and `high`, the range of the data.

set logscale y
set ytics ()
steps = high < 6 * low ? "1 1.2 1.5 2 2.5 3 4 5 6 8" : dumb && high > 500 * low ? "1" : "1 2 5"
do for [k = -4 : 9] {
    do for [s in steps] { set ytics add (sprintf("%g", s * 10.0 ** k) s * 10.0 ** k) }
}
