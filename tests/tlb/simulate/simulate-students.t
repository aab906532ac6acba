#!/usr/bin/env bash
# simulate-students.t: machines made of a student's name and the teacher's secret.
. "${0%/*}/../../tap.sh"
long_with_sanitizers

zen4=$ROOT/src/tlb/models/zen4.tsv
printf 'pages\tlayout\tspacing_bytes\tsample\n' >"$TMP/page.tsv"
printf '%s\tpage\t4096\t0\n' 72 73 3072 3136 >>"$TMP/page.tsv"

secret=$TMP/secret
echo 'only the teacher knows this' >"$secret"
anna() { simulate --id anna --secret "$secret" "$@"; }
printf '# seed: 7\n# cpu: Somebody\n' | cat - "$TMP/page.tsv" >"$TMP/told.tsv"
exits 0 'simulate: --id gives a student a machine' anna --noise gauss:1 "$TMP/told.tsv"
cp "$TMP/out" "$TMP/anna.tsv"
same 'simulate: --id has the student and no claims in the metadata' 'program version id page_bytes line_bytes' \
    "$(sed -n 's/^# \([a-z_]*\):.*/\1/p' "$TMP/anna.tsv" | paste -s -d ' ' -)"
same 'simulate: --id gives the same times again' "$(rows "$TMP/anna.tsv")" "$(anna --noise gauss:1 "$TMP/page.tsv" | rows -)"
check 'simulate: --id gives another student another machine' test "$(rows "$TMP/anna.tsv")" != \
    "$(simulate --id ben --secret "$secret" --noise gauss:1 "$TMP/page.tsv" | rows -)"
echo 'only another one knows this' >"$TMP/other"
check 'simulate: --id gives another machine for another secret' test "$(rows "$TMP/anna.tsv")" != \
    "$(simulate --id anna --secret "$TMP/other" --noise gauss:1 "$TMP/page.tsv" | rows -)"
exits 0 'simulate: --id --describe shows the grader the machine' anna --describe
cp "$TMP/out" "$TMP/truth.tsv"
same "simulate: --id --describe is the student's machine" "$(anna "$TMP/page.tsv" | rows - | head -n 3)" \
    "$(simulate "$TMP/truth.tsv" "$TMP/page.tsv" | rows - | head -n 3)"
# entries NAME: those of data pages of 4096 bytes, according to the truth, and as found by detect.
told() { awk -F '\t' '$1 == "dtlb" && $7 == 4096 { print $3 }' "$1"; }
for id in anna ${LONG:+ben eve}; do
    simulate --id "$id" --secret "$secret" --describe >"$TMP/truth.tsv"
    simulate --id "$id" --secret "$secret" --noise gauss:1 | detect >"$TMP/found.tsv"
    same "simulate: machine of $id: the ranges of detect hold it" '1 1' "$(paste <(told "$TMP/truth.tsv") \
        <(awk -F '\t' '$1 == "dtlb" { print $3, $4, $5 }' "$TMP/found.tsv") |
        awk '{ printf "%s%d", (NR > 1 ? " " : ""), $3 <= $1 && $1 <= $4 }')"
done
sizes() { simulate --id "$1" --secret "$secret" --noise gauss:1 | grep -v '^#' | cut -f 1-6 | cksum; }
[ -z "${LONG-}" ] || same 'simulate: the sizes of the table do not depend on the machine' "$(sizes anna)" "$(sizes ben)"
exits 2 'simulate: --id without --secret is refused' simulate --id anna
exits_saying 2 'simulate: --secret without --id is refused' '--secret needs --id' simulate --secret "$secret" "$zen4"
exits 2 'simulate: --id with --seed is refused' anna --seed 1
echo short >"$TMP/short"
exits_saying 2 'simulate: a short secret is refused' 'can be guessed; .*urandom' simulate --id anna --secret "$TMP/short"
exits 2 'simulate: a secret that is not there is refused' simulate --id anna --secret "$TMP/nowhere"

finish_tests
