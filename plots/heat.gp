# heat.gp: colours of a map of times: from light to dark in even steps, so that a grey print keeps the
# order; darker is slower.

set logscale cb
set cbtics ()
do for [k = -4 : 9] {
    do for [s in "1 2 5"] { set cbtics add (sprintf("%g", s * 10.0 ** k) s * 10.0 ** k) }
}
set palette defined (0 "#fff7e0", 0.25 "#f6c667", 0.5 "#d9723b", 0.75 "#98304f", 1 "#32124a")
unset grid
unset key
small = ",12"
# A place outside the picture, since gnuplot 5.4 crashes where NaN leaves no label.
only(wanted, value) = wanted ? value : 1e30
