# Planted mistakes in exercise 04 and the points that they cost; tests/pipes/labs-faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

faulty 04 'bytes only' 's/return 2 \* pages;/return pages + 4;/; s/return count;/return (long)pages * PAGESIZE \/ real;/'
loses 04 'pages counted by bytes, steps of 4' 'doubles from 4' \
    'real_pages: the same, not at the start of a page' 'real_pages: 30 pages of 8192 bytes' \
    'real_pages: 30 pages of 1024 bytes'
faulty 04 flat ''
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $2 = sprintf("%.6f", 0.01 + $1 / 1e7) } 1' "$work/tlb4K.dat" >"$TMP/flat.dat"
cp "$TMP/flat.dat" "$work/tlb4K.dat"
exits 0 'a flat curve costs nothing' "$labs/grade" 04 "$work"
matches 'it cannot be told, and why' '# CANNOT TELL: .*huge pages' "$TMP/out"
