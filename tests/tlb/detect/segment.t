#!/usr/bin/env bash
# segment.t: the whitepaper's schedule (sweep --density) and its algorithm (detect --method
# segment) from end to end, on curves that awk makes of the points; nothing is measured.
. "${0%/*}/../../tap.sh"
sanitizers_suffice
example=$ROOT/tests/data/whitepaper-m4.tsv

# fill FILE: points as samples: 1 ns, 4 ns from 3.6 MiB on, 12 ns from 50 MiB on, and an L1D.
fill() {
    awk -F '\t' -v OFS='\t' '
        /^#/ { print; next }
        /^pages/ { print "# l1d_bytes: 32768"; print $0, "ns"; next }
        { mib = $1 * $3 / 2^20
          print $0, (mib < 3.6 ? 1 : mib < 50 ? 4 : 12) + (3 * $6 + NR) % 5 / 100 }' "$1"
}

# plan OPTION...: the first points.
plan() { command plan --quiet --seed 1 --samples 2 "$@"; }

prints 'segment: the worked example gives an answer' 'dtlb.*	no_control$' detect --method segment "$example"
matches 'segment: a warning says that it may be a cache' '^detect: .*no control .*may be the edge of a cache' "$TMP/err"
same 'segment: the worked example is 4 MiB, 128 to 256 entries, midpoint 192' \
    "$(printf 'dtlb\t1\t192\t128\t256\t2097152\t4194304')" "$(rows "$TMP/out" | head -n 1 | cut -f 1-7)"
same 'segment: the worked example names the method' segment "$(rows "$TMP/out" | head -n 1 | cut -f 12)"
same 'segment: samples of layout box alone choose the method' "$(rows "$TMP/out")" "$(detect --quiet "$example" | rows -)"
{
    grep -v '^[0-9]' "$example"
    grep '^[0-9]' "$example" | sort -t "$(printf '\t')" -k 7,7
} >"$TMP/sorted.tsv"
same 'segment: any order of rows gives the same answer' "$(rows "$TMP/out")" "$(detect --quiet "$TMP/sorted.tsv" | rows -)"
sed 's/^# buffer_bytes: .*/# buffer_bytes: 536870912/' "$example" >"$TMP/other.tsv"
same 'segment: two buffers are two curves' "$(rows "$TMP/out"; rows "$TMP/out")" \
    "$(detect --quiet "$example" "$TMP/other.tsv" | rows -)"
sed 's/^# chain: .*/# chain: same-random-in-box/' "$example" >"$TMP/other.tsv"
same 'segment: two orders of the windows are two curves' "$(rows "$TMP/out"; rows "$TMP/out")" \
    "$(detect --quiet "$example" "$TMP/other.tsv" | rows -)"
lacks 'segment: metadata with l1d_bytes cause no warning' 'l1d_bytes' "$TMP/err"
grep -v '^# l1d_bytes' "$example" >"$TMP/no-l1d.tsv"
exits 0 'segment: metadata without l1d_bytes are accepted' detect "$TMP/no-l1d.tsv"
matches 'segment: metadata without l1d_bytes cause a warning with the assumed size' 'no l1d_bytes in the metadata: 32 KiB' "$TMP/err"
awk -F '\t' -v OFS='\t' '/^[0-9]/ && $5 != "comparison" { $7 = 1 } { print }' "$example" >"$TMP/flat.tsv"
exits 1 'segment: the comparison point is no boundary' detect --quiet "$TMP/flat.tsv"
same 'segment: a curve without a boundary gives a header alone' '' "$(rows "$TMP/out")"
sed 's/	box	/	line	/' "$example" >"$TMP/line.tsv"
same 'segment: layout line gives the same steps as box, with low confidence' "$(detect --quiet "$example" | rows - | sed 's/high/low/')" "$(detect --quiet --method segment "$TMP/line.tsv" | rows -)"
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $7 *= 3 } { print }' "$example" >"$TMP/slow.tsv"
same 'segment: a slower clock moves no boundary' "$(detect --quiet "$example" | rows - | cut -f 1-7)" \
    "$(detect --quiet "$TMP/slow.tsv" | rows - | cut -f 1-7)"

exits 2 'density: an unknown density is refused' plan --density higher
exits 2 'density: --chain global-random has no windows and is refused' plan --density low --buffer 1G --chain global-random
exits 2 'density: a stride that leaves one node is refused' plan --density low --buffer 1M --spacing 1M
matches 'density: a stride that leaves one node is reported with the count' 'fewer than 2' "$TMP/err"
exits 2 'density: a stride that is no multiple of 8 is refused' plan --density low --buffer 1G --spacing 100
exits 2 'density: sizes by name are refused' plan --density low --buffer 1G --pages 16:64:x2

exits 0 'density: low gives a plan' plan --density low --buffer 1G
cp "$TMP/out" "$TMP/low.tsv"
same 'density: low is 15 windows and the comparison, twice' '32 2 15' \
    "$(rows "$TMP/out" | awk '{ n++ } $5 == "comparison" { c++ } !seen[$1]++ { w++ }
        END { print n, c, w - 1 }')"
same 'density: the default stride is 256' 256 "$(rows "$TMP/out" | cut -f 3 | sort -u)"
same 'density: the last window is 256 MiB' 268435456 \
    "$(rows "$TMP/out" | awk '$5 == "sweep" { bytes = $1 * $3 } END { print bytes }')"
matches 'density: the default chain is random-box' '^# chain: random-box$' "$TMP/out"
matches 'density: the buffer is in the metadata' '^# buffer_bytes: 1073741824$' "$TMP/out"
exits 0 'density: a buffer of 256 MiB gives a plan' plan --density low --buffer 256M
lacks 'density: a buffer of 256 MiB has no comparison point' 'comparison' "$TMP/out"
exits 0 'density: --chain same-random-in-box gives a plan' plan --density low --buffer 1G --chain same-random-in-box
matches 'density: --chain same-random-in-box is in the metadata' '^# chain: same-random-in-box$' "$TMP/out"
exits 0 'density: high gives a plan' plan --density high --buffer 1G
same 'density: high is 29 windows and the comparison, twice' 60 "$(rows "$TMP/out" | wc -l | tr -d ' ')"
exits 0 'density: a stride of 12 KiB gives a plan' plan --density high --buffer 1G --spacing 12k
same 'density: a stride of 12 KiB starts at 24 KiB' 24576 "$(rows "$TMP/out" | awk 'NR == 1 { print $1 * $3 }')"

# The loop by hand: plan, measure, append, until no point comes.
loop() { # DENSITY; prints how many points each turn had
    plan --density "$1" --buffer 1G >"$TMP/points.tsv"
    fill "$TMP/points.tsv" >"$TMP/samples.tsv"
    local turns=''
    while turns="$turns $(rows "$TMP/points.tsv" | wc -l | tr -d ' ')" && [ "${turns##* }" -gt 0 ]; do
        [ "$turns" = " ${turns##* }" ] || fill "$TMP/points.tsv" | rows - >>"$TMP/samples.tsv"
        plan "$TMP/samples.tsv" >"$TMP/points.tsv"
    done
    printf '%s\n' "$turns"
}
same 'density: low has no refinement' ' 32 0' "$(loop low)"
same 'density: medium refines once, two intervals in eighths' ' 32 28 0' "$(loop medium)"
same 'density: high refines once' ' 60 28 0' "$(loop high)"
same 'density: the refinement is in eighths, from the window before the boundary to the one after it' \
    '3456 3840 4224 4608 4992 5376 5760' \
    "$(awk '$5 == "refine" && $6 == 0 && $1 * $3 < 2^23 { print $1 * $3 / 1024 }' "$TMP/samples.tsv" |
        paste -s -d ' ' -)"
exits 0 'segment: refined samples give an answer' detect "$TMP/samples.tsv"
same 'segment: refined samples narrow the range at both levels' 'dtlb 1 3538944 3932160, dtlb 2 50331648 56623104' \
    "$(rows "$TMP/out" | awk '{ printf "%s%s %s %s %s", (NR > 1 ? ", " : ""), $1, $2, $6, $7 }')"
awk '!/^[0-9]/ || n++ < 70' "$TMP/samples.tsv" >"$TMP/interrupted.tsv"
same 'density: an interrupted run goes on' 18 "$(plan "$TMP/interrupted.tsv" | rows - | wc -l | tr -d ' ')"
finish_tests
