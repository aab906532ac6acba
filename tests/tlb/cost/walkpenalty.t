#!/usr/bin/env bash
# walkpenalty.t: what a miss costs, from tables whose truth is known; what it refuses.
. "${0%/*}/../../tap.sh"
sanitizers_suffice
data=$ROOT/tests/data

columns=$(printf 'method\tlevel\tpenalty_ns\tlow_ns\thigh_ns\tnote')

exits 0 "walkpenalty: the whitepaper's example gives an answer" walkpenalty "$data/whitepaper-m4.tsv"
same 'walkpenalty: the header has its columns' "$columns" "$(grep -v '^#' "$TMP/out" | head -n 1)"
same 'walkpenalty: the raw penalty is P50 at 512M minus P50 at 16K' "$(printf 'raw\twalk\t81.934\t80.279\t82.027\t16K->512M')" \
    "$(rows "$TMP/out" | head -n 1)"
same 'walkpenalty: the controlled penalty is not there without packed samples' "$(printf 'control\twalk\t-\t-\t-\tno_control')" \
    "$(rows "$TMP/out" | tail -n 1)"
matches 'walkpenalty: the metadata of the input are copied' '^# cpu: Apple M4$' "$TMP/out"
matches 'walkpenalty: the metadata have the program' '^# program: walkpenalty$' "$TMP/out"
{
    grep -v '^[0-9]' "$data/whitepaper-m4.tsv"
    grep '^[0-9]' "$data/whitepaper-m4.tsv" | sort -t "$(printf '\t')" -k 7,7
} >"$TMP/sorted.tsv"
same 'walkpenalty: any order of rows gives the same answer' "$(walkpenalty --quiet "$data/whitepaper-m4.tsv" | rows -)" \
    "$(walkpenalty --quiet "$TMP/sorted.tsv" | rows -)"

prints 'walkpenalty: a virtual machine gives an answer' '^control	walk	11\.99	.*,nested$' walkpenalty "$data/penalty-vm.tsv"
matches 'walkpenalty: a miss that the second level serves is not nested' '^control	1	1\.985	.*_pages$' "$TMP/out"
for hypervisor in none - unknown; do
    sed "s/^# hypervisor: .*/# hypervisor: $hypervisor/" "$data/penalty-vm.tsv" >"$TMP/bare.tsv"
    exits 0 "walkpenalty: hypervisor '$hypervisor' gives an answer" walkpenalty "$TMP/bare.tsv"
    lacks "walkpenalty: hypervisor '$hypervisor' is not nested" nested "$TMP/out"
done

# The comparison point below the first one.
awk -F '\t' -v OFS='\t' '$5 == "comparison" { $7 = 0.5 } { print }' "$data/whitepaper-m4.tsv" \
    >"$TMP/negative.tsv"
exits 0 'walkpenalty: a negative penalty is given' walkpenalty "$TMP/negative.tsv"
matches 'walkpenalty: a negative penalty comes as it is, noted negative' '^raw	walk	-14\.625	.*	16K->512M,negative$' "$TMP/out"

grep -v comparison "$data/whitepaper-m4.tsv" >"$TMP/without.tsv"
exits 1 'walkpenalty: a sweep without the comparison point gives status 1' walkpenalty "$TMP/without.tsv"
matches 'walkpenalty: a sweep without the comparison point says why in the table' '^raw	walk	-	-	-	no_comparison_point$' "$TMP/out"
matches 'walkpenalty: a sweep without the comparison point is reported with the remedy' 'sweep --density' "$TMP/err"
exits 1 'walkpenalty: --quiet without the comparison point gives status 1' walkpenalty --quiet "$TMP/without.tsv"
same 'walkpenalty: --quiet without the comparison point says nothing' '' "$(cat "$TMP/err")"
sed 's/^# buffer_bytes: .*/# buffer_bytes: 268435456/' "$TMP/without.tsv" >"$TMP/small.tsv"
exits 1 'walkpenalty: a buffer below 512 MiB gives status 1' walkpenalty "$TMP/small.tsv"
matches 'walkpenalty: a buffer below 512 MiB is the reason in the table' '^raw	walk	-	-	-	buffer_below_512M$' "$TMP/out"

exits 0 'walkpenalty: two files together give an answer' walkpenalty <(grep -Ev '^# (cpu|l1d_bytes):' "$data/whitepaper-m4.tsv") "$data/penalty-vm.tsv"
same 'walkpenalty: two files together give all three figures' "$(printf 'raw walk\ncontrol 1\ncontrol walk')" \
    "$(rows "$TMP/out" | cut -f 1,2 | tr '\t' ' ')"

# Answers by file or host; whether a walk is nested depends on its own machine's metadata.
figures() { rows "$1" | awk -F '\t' '$3 != "-" { print $1, $2, $3, ($6 ~ /nested/ ? "nested" : "bare"), $7 }'; }
sed 's/^# cpu: .*/&\n# host: ares/' "$data/penalty-vm.tsv" >"$TMP/ares 1.tsv"
sed 's/^# cpu: .*/&\n# host: hera/' "$data/whitepaper-m4.tsv" >"$TMP/hera.tsv"
of() { # ARES HERA: the figures that stand for each
    walkpenalty --quiet "$TMP/ares 1.tsv" | figures - | sed "s|\$|$1|"
    walkpenalty --quiet "$TMP/hera.tsv" | figures - | sed "s|\$|$2|"
}
exits 0 'walkpenalty: --by file is accepted' walkpenalty --by file "$TMP/ares 1.tsv" "$TMP/hera.tsv"
same 'walkpenalty: --by file adds the column file' "$columns$(printf '\tfile')" "$(grep -v '^#' "$TMP/out" | head -n 1)"
same 'walkpenalty: --by file gives each file its figures' "$(of "$TMP/ares 1.tsv" "$TMP/hera.tsv")" "$(figures "$TMP/out")"
same 'walkpenalty: --by file calls a walk nested by its own file' 'nested bare' "$(figures "$TMP/out" | sed -n '2,3p' | cut -d ' ' -f 4 | paste -s -d ' ' -)"
exits 0 'walkpenalty: --by host is accepted' walkpenalty --by host "$TMP/ares 1.tsv" "$TMP/hera.tsv"
same 'walkpenalty: --by host adds the column host' "$columns$(printf '\thost')" "$(grep -v '^#' "$TMP/out" | head -n 1)"
same 'walkpenalty: --by host gives each host its figures' "$(of ares hera)" "$(figures "$TMP/out")"
cat "$TMP/ares 1.tsv" "$TMP/hera.tsv" >"$TMP/joined.tsv"
exits 0 'walkpenalty: --by host of tables joined by cat is accepted' walkpenalty --by host - <"$TMP/joined.tsv"
same 'walkpenalty: --by host of tables joined by cat keeps the hosts apart' "$(of ares hera)" "$(figures "$TMP/out")"
exits 1 'walkpenalty: --by file with a file without figures gives status 1' walkpenalty --by file "$TMP/ares 1.tsv" "$TMP/small.tsv"
same 'walkpenalty: --by file with a file without figures has those of the other' "$(of "$TMP/ares 1.tsv" x | grep -v x\$)" "$(figures "$TMP/out")"
exits_saying 2 'walkpenalty: two machines are refused' "hera.tsv:[0-9]+: samples of another machine: cpu 'Apple M4'" \
    walkpenalty "$TMP/ares 1.tsv" "$TMP/hera.tsv"
exits_saying 2 'walkpenalty: --by page is refused' "'page': there are file and host" walkpenalty --by page "$TMP/hera.tsv"

# ---- walks in depth ----

# The page table of 4 KiB pages: entries of the lowest table are for adjacent pages, those of the next for
# pages 2 MiB apart, and so on. `walk` rows are caches of the upper ones.
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
    points 64 8192 packed && points 4096 8192
    points $((2 << 20)) 1024 && points "$gib" 256
} >"$TMP/points.tsv"
simulate --seed 1 --noise gauss:0.5 "$TMP/machine.tsv" "$TMP/points.tsv" >"$TMP/depths.tsv"
exits 0 'walkpenalty: walks in depth give an answer' walkpenalty "$TMP/depths.tsv"
same 'walkpenalty: walks in depth have a row each, after the others' 'raw walk
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
check 'walkpenalty: walks in depth: adjacent pages find the tables above cached' near walk1 8
same 'walkpenalty: walks in depth: adjacent pages have the ordinary walk' "$(awk -F '\t' '$2 == "walk" && $1 == "control"' "$TMP/out" | cut -f 3-)" \
    "$(awk -F '\t' '$2 == "walk1"' "$TMP/out" | cut -f 3-)"
check 'walkpenalty: walks in depth: pages 2 MiB apart read one more table' near walk2 11
check 'walkpenalty: walks in depth: pages 1 GiB apart read two more tables' near walk3 16
reach() { awk -F '\t' -v level="$1" '$2 == level { sub(/.*reach=/, "", $6); print $6 }' "$TMP/out"; }
same 'walkpenalty: walks in depth: the reach of the first walk cache shows' '32 32' "$(reach walk2) $(reach walk3)"
same 'walkpenalty: walks in depth: a distance without address space says so' '- - - address_space' \
    "$(awk -F '\t' '$2 == "walk4" { print $3, $4, $5, $6 }' "$TMP/out")"
cp "$TMP/out" "$TMP/whole"
awk -F '\t' '/^#/ || /^pages/ || $3 <= 4096' "$TMP/depths.tsv" >"$TMP/ordinary.tsv"
exits 0 'walkpenalty: walks without pages far apart give an answer' walkpenalty "$TMP/ordinary.tsv"
same 'walkpenalty: walks without pages far apart have no rows of depth, and the others as before' "$(rows "$TMP/whole" | grep -v 'walk[0-9]')" \
    "$(rows "$TMP/out")"
awk -F '\t' -v gib="$gib" '/^#/ || /^pages/ || $3 <= 4096 || $3 == gib' "$TMP/depths.tsv" >"$TMP/gap.tsv"
exits 0 'walkpenalty: walks with a distance left out give an answer' walkpenalty "$TMP/gap.tsv"
same 'walkpenalty: walks with a distance left out are noted not_measured' not_measured "$(awk -F '\t' '$2 == "walk2" { print $6 }' "$TMP/out")"
{ echo '# hypervisor: KVM' && cat "$TMP/depths.tsv"; } >"$TMP/nested.tsv"
exits 0 'walkpenalty: walks in a guest give an answer' walkpenalty "$TMP/nested.tsv"
same 'walkpenalty: walks in a guest are all noted nested' 'walk walk1 walk2 walk3' \
    "$(rows "$TMP/out" | awk -F '\t' '/nested/ { print $2 }' | paste -s -d ' ' -)"

same 'walkpenalty: standard input gives the same answer' "$(walkpenalty --quiet "$data/penalty-vm.tsv" | rows -)" \
    "$(walkpenalty --quiet <"$data/penalty-vm.tsv" | rows -)"

head -c -20 "$data/penalty-vm.tsv" >"$TMP/cut.tsv"
exits 1 'walkpenalty: a last line that is cut gives status 1' walkpenalty "$TMP/cut.tsv"
matches 'walkpenalty: a last line that is cut is dropped with a warning' 'cut.tsv:511: the last line has no newline' "$TMP/err"
matches 'walkpenalty: a last line that is cut leaves the answer of the rest' '^control	1	1\.985	' "$TMP/out"
: >"$TMP/empty.tsv"
exits 2 'walkpenalty: an empty file is refused' walkpenalty "$TMP/empty.tsv"
cut -f 1-6 "$data/penalty-vm.tsv" >"$TMP/no-ns.tsv"
exits_saying 2 'walkpenalty: a table without ns is refused' "no column 'ns'" walkpenalty "$TMP/no-ns.tsv"
sed 's/^65\(.*\)	[0-9.]*	\([0-9]*\)$/65\1	nan	\2/' "$data/penalty-vm.tsv" >"$TMP/nan.tsv"
exits_saying 2 'walkpenalty: a time of nan is refused' "nan.tsv:[0-9]+: column 'ns': 'nan'" walkpenalty "$TMP/nan.tsv"
exits 2 'walkpenalty: an unknown option is refused' walkpenalty --density high
if [ -w /dev/full ]; then
    walkpenalty "$data/penalty-vm.tsv" >/dev/full 2>"$TMP/err"
    same 'walkpenalty: a full disk is an error' 2 "$?"
else
    skip 'walkpenalty: a full disk is an error' 'no /dev/full here'
fi
finish_tests
