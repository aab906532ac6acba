#!/usr/bin/env bash
# walkpenalty.t: what a miss costs, from tables whose truth is known; what it refuses.
. "${0%/*}/tap.sh"
data=$ROOT/tests/data

# rows FILE: without metadata and header.
rows() { grep -v '^#' "$1" | tail -n +2; }
columns=$(printf 'method\tlevel\tpenalty_ns\tlow_ns\thigh_ns\tnote')

exits 0 'the whitepaper example' walkpenalty "$data/whitepaper-m4.tsv"
same 'names its columns' "$columns" "$(grep -v '^#' "$TMP/out" | head -n 1)"
same 'P50 at 512M minus P50 at 16K' "$(printf 'raw\twalk\t81.93\t81.83\t82.01\t16K->512M')" \
    "$(rows "$TMP/out" | head -n 1)"
same 'no control without packed' "$(printf 'control\twalk\t-\t-\t-\tno_control')" \
    "$(rows "$TMP/out" | tail -n 1)"
matches 'copies the metadata' '^# cpu: Apple M4$' "$TMP/out"
matches 'adds its own' '^# program: walkpenalty$' "$TMP/out"
{
    grep -v '^[0-9]' "$data/whitepaper-m4.tsv"
    grep '^[0-9]' "$data/whitepaper-m4.tsv" | sort -t "$(printf '\t')" -k 9,9
} >"$TMP/sorted.tsv"
same 'any order of rows gives the same' "$(walkpenalty --quiet "$data/whitepaper-m4.tsv" | rows -)" \
    "$(walkpenalty --quiet "$TMP/sorted.tsv" | rows -)"

exits 0 'a virtual machine' walkpenalty "$data/penalty-vm.tsv"
matches 'a walk is labelled nested' '^control	walk	12\.[0-9]*	.*,nested$' "$TMP/out"
matches 'a miss that the second level serves is not' '^control	1	2\.[0-9]*	.*_pages$' "$TMP/out"
for hypervisor in none - unknown; do
    sed "s/^# hypervisor: .*/# hypervisor: $hypervisor/" "$data/penalty-vm.tsv" >"$TMP/bare.tsv"
    exits 0 "hypervisor '$hypervisor'" walkpenalty "$TMP/bare.tsv"
    lacks 'is not nested' nested "$TMP/out"
done

# The comparison point below the first one.
awk -F '\t' -v OFS='\t' '$5 == "comparison" { $9 = 0.5 } { print }' "$data/whitepaper-m4.tsv" \
    >"$TMP/negative.tsv"
exits 0 'a negative penalty' walkpenalty "$TMP/negative.tsv"
matches 'comes as it is' '^raw	walk	-0\.37	.*	16K->512M,negative$' "$TMP/out"

grep -v comparison "$data/whitepaper-m4.tsv" >"$TMP/without.tsv"
exits 1 'nothing available' walkpenalty "$TMP/without.tsv"
matches 'says why in the table' '^raw	walk	-	-	-	no_comparison_point$' "$TMP/out"
matches 'and on stderr, with the remedy' 'sweep --density' "$TMP/err"
exits 1 'quietly' walkpenalty --quiet "$TMP/without.tsv"
same 'without a word' '' "$(cat "$TMP/err")"
sed 's/^# buffer_bytes: .*/# buffer_bytes: 268435456/' "$TMP/without.tsv" >"$TMP/small.tsv"
exits 1 'the smallest buffer' walkpenalty "$TMP/small.tsv"
matches 'is the reason' '^raw	walk	-	-	-	buffer_below_512M$' "$TMP/out"

exits 0 'two files' walkpenalty "$data/whitepaper-m4.tsv" "$data/penalty-vm.tsv"
same 'give all three figures' "$(printf 'raw walk\ncontrol 1\ncontrol walk')" \
    "$(rows "$TMP/out" | cut -f 1,2 | tr '\t' ' ')"

# Answers by file or host; a walk is nested by the metadata of its own machine.
figures() { rows "$1" | awk -F '\t' '$3 != "-" { print $1, $2, $3, ($6 ~ /nested/ ? "nested" : "bare"), $7 }'; }
sed 's/^# cpu: .*/&\n# host: ares/' "$data/penalty-vm.tsv" >"$TMP/ares 1.tsv"
sed 's/^# cpu: .*/&\n# host: hera/' "$data/whitepaper-m4.tsv" >"$TMP/hera.tsv"
of() { # ARES HERA: the figures that stand for each
    walkpenalty --quiet "$TMP/ares 1.tsv" | figures - | sed "s|\$|$1|"
    walkpenalty --quiet "$TMP/hera.tsv" | figures - | sed "s|\$|$2|"
}
exits 0 '--by file' walkpenalty --by file "$TMP/ares 1.tsv" "$TMP/hera.tsv"
same 'adds a column' "$columns$(printf '\tfile')" "$(grep -v '^#' "$TMP/out" | head -n 1)"
same 'each file has its figures' "$(of "$TMP/ares 1.tsv" "$TMP/hera.tsv")" "$(figures "$TMP/out")"
same 'three of them' 'nested bare' "$(figures "$TMP/out" | sed -n '2,3p' | cut -d ' ' -f 4 | paste -s -d ' ' -)"
exits 0 '--by host' walkpenalty --by host "$TMP/ares 1.tsv" "$TMP/hera.tsv"
same 'adds its column' "$columns$(printf '\thost')" "$(grep -v '^#' "$TMP/out" | head -n 1)"
same 'each host has its figures' "$(of ares hera)" "$(figures "$TMP/out")"
cat "$TMP/ares 1.tsv" "$TMP/hera.tsv" >"$TMP/joined.tsv"
exits 0 '--by host of tables joined by cat' walkpenalty --by host - <"$TMP/joined.tsv"
same 'keeps the hosts apart' "$(of ares hera)" "$(figures "$TMP/out")"
exits 1 'a file without figures' walkpenalty --by file "$TMP/ares 1.tsv" "$TMP/small.tsv"
same 'does not hide those of the other' "$(of "$TMP/ares 1.tsv" x | grep -v x\$)" "$(figures "$TMP/out")"
exits 2 '--by page' walkpenalty --by page "$TMP/hera.tsv"
matches 'there is no such thing' "'page': there are file and host" "$TMP/err"

# ---- walks in depth ----

# The page table of 4 KiB pages: entries of the lowest table are for pages side by side, those of the
# next for pages 2 MiB apart, and so on. `walk` rows are caches of the upper ones.
tr ' ' '\t' >"$TMP/machine.tsv" <<END
# name: depths
# page_bytes: 4096
# line_bytes: 64
# memory_bytes: 64G
structure level entries ways index replacement page_bytes line_bytes ns relation coalesce
dtlb 1 64 4 linear lru 4096 - 0 - 1
dtlb 2 512 8 linear lru 4096 - 2 neither 1
walk - - - - - - - 8 - -
walk 1 32 - full lru - - 3 - -
walk 2 4 - full lru - - 5 - -
cache 1 512 8 linear lru - 64 1 - -
cache 2 65536 - full lru - 64 3 neither -
memory - - - - - - - 80 - -
END
# points SPACING LAST [LAYOUT]: four sizes an octave from 4 to LAST, and those around 64 and 512.
points() {
    awk -v OFS='\t' -v spacing="$1" -v last="$2" -v layout="${3:-page}" 'BEGIN {
        for (octave = 2; octave <= 13; octave += 0.25) sizes[int(2 ^ octave + 0.5)]
        for (d = -3; d <= 4; d++) { sizes[64 + d]; sizes[512 + 4 * d] }
        for (size in sizes)
            for (sample = 0; size + 0 <= last && sample < 7; sample++)
                print size, layout, spacing, 4096, sample
    }'
}
gib=$((1 << 30))
{
    printf 'pages\tlayout\tspacing_bytes\tpage_bytes\tsample\n'
    points 64 4096 packed && points 4096 4096
    points $((2 << 20)) 1024 && points "$gib" 256
} >"$TMP/points.tsv"
simulate --seed 1 --noise gauss:0.5 "$TMP/machine.tsv" "$TMP/points.tsv" >"$TMP/depths.tsv"
exits 0 'walks in depth' walkpenalty "$TMP/depths.tsv"
same 'a row each, behind the others' 'raw walk
control 1
control walk
control walk1
control walk2
control walk3
control walk4' "$(rows "$TMP/out" | cut -f 1,2 | tr '\t' ' ')"
# near LEVEL NS: the figure is within a twentieth, and within its quartiles.
near() {
    awk -F '\t' -v level="$1" -v ns="$2" '$2 == level {
        found = $3 > 0.95 * ns && $3 < 1.05 * ns && $4 <= $3 && $3 <= $5
    } END { exit !found }' "$TMP/out"
}
check 'pages side by side: the tables above are at hand' near walk1 8
same 'which is the walk of old' "$(awk -F '\t' '$2 == "walk" && $1 == "control"' "$TMP/out" | cut -f 3-)" \
    "$(awk -F '\t' '$2 == "walk1"' "$TMP/out" | cut -f 3-)"
check '2 MiB apart: one more is read' near walk2 11
check '1 GiB apart: two more' near walk3 16
reach() { awk -F '\t' -v level="$1" '$2 == level { sub(/.*reach=/, "", $6); print $6 }' "$TMP/out"; }
same 'the cache of the first shows' '32 32' "$(reach walk2) $(reach walk3)"
same 'what is not there had no room' '- - - address_space' \
    "$(awk -F '\t' '$2 == "walk4" { print $3, $4, $5, $6 }' "$TMP/out")"
cp "$TMP/out" "$TMP/whole"
awk -F '\t' '/^#/ || /^pages/ || $3 <= 4096' "$TMP/depths.tsv" >"$TMP/ordinary.tsv"
exits 0 'the same without pages far apart' walkpenalty "$TMP/ordinary.tsv"
same 'has no such rows, and the others are as before' "$(rows "$TMP/whole" | grep -v 'walk[0-9]')" \
    "$(rows "$TMP/out")"
awk -F '\t' -v gib="$gib" '/^#/ || /^pages/ || $3 <= 4096 || $3 == gib' "$TMP/depths.tsv" >"$TMP/gap.tsv"
exits 0 'a distance left out' walkpenalty "$TMP/gap.tsv"
same 'is not for want of room' not_measured "$(awk -F '\t' '$2 == "walk2" { print $6 }' "$TMP/out")"
{ echo '# hypervisor: KVM' && cat "$TMP/depths.tsv"; } >"$TMP/nested.tsv"
exits 0 'walks in a guest' walkpenalty "$TMP/nested.tsv"
same 'are nested' 'walk walk1 walk2 walk3' \
    "$(rows "$TMP/out" | awk -F '\t' '/nested/ { print $2 }' | paste -s -d ' ' -)"

same 'standard input gives the same' "$(walkpenalty --quiet "$data/penalty-vm.tsv" | rows -)" \
    "$(walkpenalty --quiet <"$data/penalty-vm.tsv" | rows -)"

head -c -20 "$data/penalty-vm.tsv" >"$TMP/cut.tsv"
exits 1 'a cut last line' walkpenalty "$TMP/cut.tsv"
matches 'is dropped with a warning' 'cut.tsv:483: the last line has no newline' "$TMP/err"
matches 'the rest counts' '^control	1	2\.' "$TMP/out"
: >"$TMP/empty.tsv"
exits 2 'an empty file' walkpenalty "$TMP/empty.tsv"
cut -f 1-6 "$data/penalty-vm.tsv" >"$TMP/no-ns.tsv"
exits 2 'no column ns' walkpenalty "$TMP/no-ns.tsv"
matches 'is named' "no column 'ns'" "$TMP/err"
sed 's/^65\(.*\)	[0-9.]*	\([0-9]*\)$/65\1	nan	\2/' "$data/penalty-vm.tsv" >"$TMP/nan.tsv"
exits 2 'a time that is none' walkpenalty "$TMP/nan.tsv"
matches 'is named with its line' "nan.tsv:[0-9]+: column 'ns': 'nan'" "$TMP/err"
exits 2 'an unknown option' walkpenalty --density high
if [ -w /dev/full ]; then
    walkpenalty "$data/penalty-vm.tsv" >/dev/full 2>"$TMP/err"
    same 'a full disk is an error' 2 "$?"
else
    skip 'a full disk is an error' 'no /dev/full here'
fi
finish_tests
