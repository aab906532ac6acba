# What the pictures share: expected.png, made by the teacher from data/, and mine.png, made by labs/run
# from your tables with the script mine.p of the exercise.
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
set linetype 4 lc rgb "#CC79A7" lw 2 dt 3 pt 13 ps 0.7
set linetype 5 lc rgb "#666666" lw 2 dt 5 pt 2 ps 0.7

# From a table with several samples: rows of the number of pages and the least time, of one layout and
# one distance ("" for any), loads one after the other. Noise only adds time, so the least of all is the best estimate.
columns = "/^#/ { next } !head { head = 1; for (i = 1; i <= NF; i++) at[$i] = i; next } "
least(file, layout, spacing) = sprintf("< LC_ALL=C awk -F '\t' '%s \
    (\"%s\" == \"\" || $at[\"layout\"] == \"%s\") && (\"%s\" == \"\" || $at[\"spacing_bytes\"] == \"%s\") && \
    (!(\"chains\" in at) || $at[\"chains\"] <= 1) { \
        n = $at[\"pages\"]; t = $at[\"ns\"]; if (!(n in least) || t < least[n]) least[n] = t } \
    END { print \"pages\tns\"; fflush(); for (n in least) print n \"\t\" least[n] | \"sort -n\" }' %s", \
    columns, layout, layout, spacing, spacing, file)

# The same for both layouts: pages, page, packed, where both were measured.
both(file) = sprintf("< LC_ALL=C awk -F '\t' '%s \
    { k = $at[\"pages\"] FS $at[\"layout\"]; t = $at[\"ns\"]; n[$at[\"pages\"]]; \
      if (!(k in least) || t < least[k]) least[k] = t } \
    END { print \"pages\tpage\tpacked\"; fflush(); for (p in n) \
        if ((p FS \"page\") in least && (p FS \"packed\") in least) \
            print p \"\t\" least[p FS \"page\"] \"\t\" least[p FS \"packed\"] | \"sort -n\" }' %s", columns, file)
