# What the pictures share; labs/instructor/draw reads it before each of them.
set terminal pngcairo size 640,420 font "DejaVu Sans,11"
set datafile separator tab
set datafile commentschars "#"
set datafile columnheaders
set linetype 1 lc rgb "#0072B2" lw 2 pt 7 ps 0.7
set linetype 2 lc rgb "#D55E00" lw 2 dt 2 pt 4 ps 0.7
set linetype 3 lc rgb "#009E73" lw 2 dt 4 pt 9 ps 0.7
set border 3
set tics nomirror out
set key left top
set grid lt 1 lc rgb "#dddddd" lw 1
