# xnodes.gp: a logarithmic x axis of numbers of nodes for the settings `first` to `last`.

set xrange [number("first") / 1.1 : number("last") * 1.1]
if (number("last") > 2 ** 16 * number("first")) { # too many
    set xtics ()
    do for [k = 0 : 30 : (dumb ? 4 : 2)] { set xtics add (human(2 ** k) 2 ** k) }
}
if (number("last") < 4 * number("first")) { # too few powers of two
    unset logscale x
    set xtics autofreq
}
