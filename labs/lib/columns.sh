# columns.sh: columns of tables by name, in awk. A script that sources it begins an awk program with "$by_name":
#
#     awk -F '\t' "$by_name"'$at["layout"] == "page" { print $at["ns"] }' samples.tsv
#
# The program sees rows alone, of any number of tables; `at` has the columns of the row's table. With
# "$by_name_in_full" metadata and headers are printed as they are, a header followed by `more`.
# shellcheck shell=bash disable=SC2034,SC2016 # others use them; awk expands them
by_name='/^#/ || FNR == 1 { head = 0 } /^#/ { next }
    !head { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; head = 1; next }
    '
by_name_in_full='/^#/ || FNR == 1 { head = 0 } /^#/ { print; next }
    !head { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; head = 1; print $0 more; next }
    '
