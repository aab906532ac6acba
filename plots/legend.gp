# legend.gp: the legend, below the picture, in as many columns as there is space for. Needs `entries`, how many there
# are; the setting `longest` is the number of letters of the longest. A long legend has a smaller font.

longest = number("longest")
across(letter) = floor((dumb ? columns : 1050 / letter) / (longest + 15.0))
down(letter) = int(ceil(entries / (across(letter) > 1 ? 1.0 * across(letter) : 1.0)))
small_legend = !dumb && down(9.6) > 6
lines = small_legend ? down(7.5) : entries < 5 ? entries : down(9.6) > 3 ? down(9.6) : 3
set key below vertical maxrows lines samplen 4
if (small_legend) { set key font ",12" }
set bmargin (dumb ? 4 : lines > 3 ? 6 : 5) + (small_legend ? int(ceil(0.85 * lines)) : lines)
