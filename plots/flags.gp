# flags.gp: the levels are above the curves, their labels in rows: flag(row) is the height of one. Needs `low` and
# `high`, and the setting `flags`; sets the range of the y axis.

flags = number("flags")
lefts = number("lefts")
step = dumb ? 0.07 : 0.045
step = step * flags > 0.5 ? 0.5 / flags : step
top = low * (high / low) ** (1 / (1 - step * flags))
flag(row) = low * (top / low) ** (1 - step * (row + 0.5))
set yrange [low : top]
set style textbox opaque noborder
