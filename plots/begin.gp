# begin.gp: the beginning of every picture: reads its data and sets its style.
#
# Usage: call here."/begin.gp" KIND IN OUT [TITLE [COLUMNS ROWS]]
#
# Reads IN with table.awk and KIND.awk into $DATA. Its first line is `about`, the title if none is
# given; its second has the numbers number(1), number(2), … Then it loads style.gp. Ends with status
# 2 for data that cannot be read.

out = ARG3
title = ARG4
columns = ARG5 eq "" ? 79 : ARG5 + 0
rows = ARG6 eq "" ? 24 : ARG6 + 0
here = system(sprintf("dirname '%s'", ARG0))
dumb = out[strlen(out) - 3:*] eq ".txt"
data = system(sprintf("LC_ALL=C awk -v dumb=%d -f '%s/table.awk' -f '%s/%s.awk' '%s'", dumb, here, here, \
    ARG1, ARG2))
if (GPVAL_SYSTEM_ERRNO) { exit status 2 }
set print $DATA
print data
unset print
load here."/style.gp"

about = $DATA[1]
# gnuplot does not take 1e+16 for a number: it wants a point.
pointed(w, e) = e > 1 && strstrt(w, ".") == 0 ? w[:e - 1].".".w[e:] : w
number(k) = pointed(word($DATA[2], k + 1), strstrt(word($DATA[2], k + 1), "e")) + 0
