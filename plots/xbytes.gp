# xbytes.gp: a logarithmic x axis of sizes, 4 KiB, 16 KiB, for the settings `first` to `last`.

bytes(n) = n < 2 ** 10 ? sprintf("%d B", n) : n < 2 ** 20 ? sprintf("%g KiB", n / 2.0 ** 10) \
         : n < 2 ** 30 ? sprintf("%g MiB", n / 2.0 ** 20) : sprintf("%g GiB", n / 2.0 ** 30)
first = number("first")
last = number("last")
set xtics ()
every_octave = last < first * 2 ** 7
do for [k = 0 : 44 : (every_octave ? 1 : dumb || last > first * 2 ** 20 ? 4 : 2)] { set xtics add (bytes(2.0 ** k) 2.0 ** k) }
set xrange [first / 1.1 : last * 1.1]
