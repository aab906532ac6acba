# Settings that the pictures share. The script picture.p of an exercise draws two: expected.png, made by the teacher from
# data/, and mine.png, made by labs/run from your tables; then LAB is the folder of the exercise.
folder = system('printf %s "$LAB"')
mine = folder ne ""
whose = mine ? ": mine" : ""
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

# In mine.png the expected curves are grey, behind the student's: linetype 9. N of them are `for [k = 1 : N * mine]`, which
# are none in expected.png. data(FILE) is a table of the exercise, and recorded(FILE) is one in a command of the shell.
set linetype 9 lc rgb "#c4c4c4" lw 3 pt 7 ps 0.5
expected(k) = mine && k == 1 ? "expected" : ""
data(file) = mine ? folder."/data/".file : file
recorded(file) = mine ? '"$LAB"/data/'.file : file

# The table FILE with a header as the others have, also where it is that of the printed lab: "#pages", a tab, " proc".
lab(file) = "< LC_ALL=C sed '/^#.*\t/s/^# *//;s/\t */\t/g' ".file

# From a table with several samples: rows of the number of pages and a time, of one layout and one distance
# ("" for any), loads one after the other. All of them, the shortest of each size, or the median. Noise only adds
# time, so the shortest is the best estimate of a capacity; the median and all show how much noise there is.
columns = "/^#/ { next } !head { head = 1; for (i = 1; i <= NF; i++) at[$i] = i; next } "
samples(file, layout, spacing) = sprintf("< LC_ALL=C awk -F '\t' '%s \
    BEGIN { print \"pages\tns\"; fflush() } \
    (\"%s\" == \"\" || $at[\"layout\"] == \"%s\") && (\"%s\" == \"\" || $at[\"spacing_bytes\"] == \"%s\") && \
    (!(\"chains\" in at) || $at[\"chains\"] <= 1) { print $at[\"pages\"] \"\t\" $at[\"ns\"] | \"sort -g -k 1,1 -k 2,2\" }' %s", \
    columns, layout, layout, spacing, spacing, file)
least(file, layout, spacing) = samples(file, layout, spacing)." | awk '!seen[$1]++'"
median(file, layout, spacing) = samples(file, layout, spacing)." | awk ' \
    $1 != pages { if (n) print pages \"\t\" ns[int((n + 1) / 2)]; pages = $1; n = 0 } \
    { ns[++n] = $2 } \
    END { if (n) print pages \"\t\" ns[int((n + 1) / 2)] }'"

# The same for both layouts: pages, page, packed, where both were measured.
both(file) = sprintf("< LC_ALL=C awk -F '\t' '%s \
    { k = $at[\"pages\"] FS $at[\"layout\"]; t = $at[\"ns\"]; n[$at[\"pages\"]]; \
      if (!(k in least) || t < least[k]) least[k] = t } \
    END { print \"pages\tpage\tpacked\"; fflush(); for (p in n) \
        if ((p FS \"page\") in least && (p FS \"packed\") in least) \
            print p \"\t\" least[p FS \"page\"] \"\t\" least[p FS \"packed\"] | \"sort -n\" }' %s", columns, file)
