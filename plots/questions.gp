# questions.gp: the panels of laps.p and moments.p, one for each question of detect --explain.

questions = words(setting("questions"))
question(q) = word(setting("questions"), q)
named(q) = question(q) eq "closer_flushed" ? "closer, flushed" : question(q) eq "set_flushed" ? "one set, level 1 flushed" \
    : question(q) eq "set" ? "pages of one set" : "pages side by side"

unset logscale x
unset key # the labels are one for all panels
set xtics autofreq
set ytics autofreq
height = dumb ? 0.01 : 0.03
big = 1.6 * point
