#!/usr/bin/env bash
# detect.t: what detect makes of whole tables: groups, claims, methods, metadata. How good its answers are
# is looked at elsewhere (accuracy.t, segment.t, tests/bench/); how it reads, in tables.t.
# shellcheck disable=SC2016 # awk has its own variables
. "${0%/*}/../../tap.sh"
long_with_sanitizers
plain_inputs simulate

models=$ROOT/src/tlb/models

header() { grep -v '^#' "$1" | head -n 1; }
# Structure, level and entries of the last output.
levels() { rows "$TMP/out" | cut -f 1-3; }

simulate --seed 1 --meta host=ares "$models/zen4.tsv" >"$TMP/zen 4.tsv"
simulate --seed 1 --meta host=hera "$models/apple-m4.tsv" >"$TMP/m4.tsv"
detect "$TMP/zen 4.tsv" >"$TMP/out"
levels >"$TMP/zen.levels"
detect "$TMP/m4.tsv" >"$TMP/out"
levels >"$TMP/m4.levels"
check 'detect: two machines give two answers' test -s "$TMP/zen.levels" -a -s "$TMP/m4.levels"
check 'detect: the answers of two machines differ' bash -c '! cmp -s "$1" "$2"' bash "$TMP/zen.levels" "$TMP/m4.levels"
simulate --seed 1 --noise spikes:2 "$models/zen3.tsv" | detect >"$TMP/out"
same 'detect: an index that leaves out bits does not lessen the entries' "dtlb${tab}1${tab}64
dtlb${tab}2${tab}2048" "$(levels | grep '^dtlb')"

# ---- groups ----

# answers NAME COLUMN LABEL LEVELS: the rows of one group are those of its own file.
answers() {
    same "$1" "$(cat "$4")" \
        "$(rows "$TMP/out" | awk -F '\t' -v label="$3" -v column="$2" '$column == label' | cut -f 1-3)"
}

prints 'detect: --by file is accepted' "${tab}note${tab}file\$" detect --by file "$TMP/zen 4.tsv" "$TMP/m4.tsv"
answers 'detect: --by file gives the first file its answer' 14 "$TMP/zen 4.tsv" "$TMP/zen.levels"
answers 'detect: --by file gives the second file its answer' 14 "$TMP/m4.tsv" "$TMP/m4.levels"
prints 'detect: --by host is accepted' "${tab}note${tab}host\$" detect --by host "$TMP/zen 4.tsv" "$TMP/m4.tsv"
answers 'detect: --by host gives the first host its answer' 14 ares "$TMP/zen.levels"
answers 'detect: --by host gives the second host its answer' 14 hera "$TMP/m4.levels"
lacks 'detect: --by host judges no two hosts together' 'another machine' "$TMP/err"
cat "$TMP/m4.tsv" "$TMP/zen 4.tsv" >"$TMP/joined.tsv"
exits 0 'detect: --by host accepts tables joined by cat' detect --by host - <"$TMP/joined.tsv"
answers 'detect: --by host gives the first host of a joined table its answer' 14 ares "$TMP/zen.levels"
answers 'detect: --by host gives the second host of a joined table its answer' 14 hera "$TMP/m4.levels"
lacks 'detect: --by host judges no two hosts of a joined table together' 'another machine' "$TMP/err"
exits_saying 2 'detect: two machines in one table are refused' "joined.tsv:[0-9]+: samples of another machine: cpu '.*Zen 4', but '.*M4' in .*joined.tsv" \
    detect "$TMP/joined.tsv"
exits_saying 2 'detect: two machines in two tables are refused' "zen 4.tsv:[0-9]+: samples of another machine: cpu '.*Zen 4', but '.*M4' in .*m4.tsv" \
    detect "$TMP/m4.tsv" "$TMP/zen 4.tsv"
exits_saying 0 'detect: two machines in one of several files give a warning' 'joined.tsv:[0-9]+: samples of another machine' \
    detect --by file "$TMP/joined.tsv" "$TMP/zen 4.tsv"
{ grep -v '^[0-9]' "$TMP/zen 4.tsv" && rows "$TMP/zen 4.tsv" | sed -n 'p;n'; } >"$TMP/odd.tsv"
{ grep -v '^[0-9]' "$TMP/zen 4.tsv" && rows "$TMP/zen 4.tsv" | sed -n 'n;p'; } >"$TMP/even.tsv"
exits 0 'detect: --by host accepts several runs of one host' detect --by host "$TMP/odd.tsv" "$TMP/m4.tsv" "$TMP/even.tsv"
answers 'detect: --by host unites the runs of one host' 14 ares "$TMP/zen.levels"
grep -v '^# host' "$TMP/zen 4.tsv" >"$TMP/anonymous.tsv"
exits 0 'detect: --by host accepts a table without the host' detect --by host "$TMP/anonymous.tsv"
answers 'detect: --by host calls a table without the host -' 14 - "$TMP/zen.levels"
exits 0 'detect: --claims and --by together are accepted' detect --claims --by host "$TMP/zen 4.tsv" "$TMP/m4.tsv"
same 'detect: --claims and --by put their columns in this order' "claim${tab}error_percent${tab}host" "$(header "$TMP/out" | cut -f 14-)"
same 'detect: --claims and --by give each host the claims of its machine' "72 ares
$(sed -n 's/^# claim_dtlb1_entries: //p' "$TMP/m4.tsv") hera" \
    "$(rows "$TMP/out" | awk -F '\t' '$1 == "dtlb" && $2 == 1 { print $14, $16 }')"

cp "$TMP/zen 4.tsv" "$TMP/a${tab}tab.tsv"
exits 0 'detect: a tab in a file name is accepted' detect --by file "$TMP/a${tab}tab.tsv"
same 'detect: a tab in a file name adds no field' 14 "$(rows "$TMP/out" | awk -F '\t' '{ print NF }' | sort -u)"
grep -v '^[0-9]' "$TMP/zen 4.tsv" >"$TMP/header.tsv"
exits 1 'detect: --by file with a file without rows gives status 1' detect --by file "$TMP/zen 4.tsv" "$TMP/header.tsv"
matches 'detect: --by file names the file without rows' 'detect: .*/header.tsv: the input has no measured rows' "$TMP/err"
answers 'detect: --by file gives the other files their answer' 14 "$TMP/zen 4.tsv" "$TMP/zen.levels"
exits 0 'detect: without --by a file without rows does not matter' detect "$TMP/zen 4.tsv" "$TMP/header.tsv"
printf 'pages\tns\n4\t1\n8\t1\n16\t1\n32\t1\n' >"$TMP/flat.tsv"
exits 1 'detect: a group without boundaries gives status 1' detect --by file "$TMP/zen 4.tsv" "$TMP/flat.tsv"
matches 'detect: a group without boundaries is named' 'detect: .*/flat.tsv: nothing detected' "$TMP/err"

# ---- metadata ----

exits 0 'detect: --meta is accepted' detect --meta note='made up' "$TMP/zen 4.tsv"
same 'detect: the metadata of the input are copied' "$(grep '^#' "$TMP/zen 4.tsv" | grep -v '^# version')" \
    "$(grep '^#' "$TMP/out" | grep -v '^# version' | head -n "$(grep '^#' "$TMP/zen 4.tsv" |
        grep -vc '^# version')")"
matches 'detect: the metadata have the program' '^# program: detect$' "$TMP/out"
matches 'detect: the metadata have the command, quoted' "^# command: detect --meta 'note=made up' '.*/zen 4.tsv'\$" "$TMP/out"
matches 'detect: --meta is in the metadata' '^# note: made up$' "$TMP/out"
detect --quiet --by file "$TMP/joined.tsv" "$TMP/joined.tsv" >"$TMP/out"
same 'detect: joined metadata repeat no line but those of the history' '' \
    "$(grep '^#' "$TMP/out" | grep -Ev '^# (program|version|command)' | sort | uniq -d)"

# ---- claims ----

exits 0 'detect: --claims is accepted' detect --claims "$TMP/zen 4.tsv"
same 'detect: --claims adds the claim of the first level and the error' "72${tab}72${tab}0" \
    "$(rows "$TMP/out" | head -n 1 | cut -f 3,14,15)"
sed 's/^# claim_dtlb1_entries: .*/# claim_dtlb1_entries: 64/; /^# claim_dtlb2/d' "$TMP/zen 4.tsv" >"$TMP/claims.tsv"
exits 0 'detect: claims that differ are accepted' detect --claims "$TMP/claims.tsv"
same 'detect: claims that differ change no answer' "$(cat "$TMP/zen.levels")" "$(levels)"
same 'detect: claims that differ change the error alone' "64${tab}12.5 -${tab}-" \
    "$(rows "$TMP/out" | sed -n 1,2p | cut -f 14,15 | paste -s -d ' ' -)"
same 'detect: a second level that is claimed below the first is doubtful' '- 80 -10
claim_doubtful 64 -' "$(sed 's/^# claim_dtlb1_entries: .*/# claim_dtlb1_entries: 80/; s/^# claim_dtlb2_entries: .*/# claim_dtlb2_entries: 64/' \
    "$TMP/zen 4.tsv" | detect --claims | rows - | sed -n 1,2p | cut -f 13-15 | tr '\t' ' ')"

# ---- methods ----

exits 2 'detect: an unknown method gives status 2' detect --method magic "$TMP/zen 4.tsv"
matches 'detect: an unknown method is answered with those that there are' "--method 'magic': there are control, line, prefetch, caches, segment" "$TMP/err"
exits 2 'detect: an unknown group gives status 2' detect --by cpu "$TMP/zen 4.tsv"
matches 'detect: an unknown group is answered with those that there are' "--by 'cpu': there are file and host" "$TMP/err"
exits 2 'detect: --method segment without windows is refused' detect --method segment "$TMP/zen 4.tsv"
matches 'detect: --method segment says that it needs box or line' 'needs samples of layout box or line' "$TMP/err"
exits 2 'detect: --method control without pages is refused' detect --method control "$ROOT/tests/data/whitepaper-m4.tsv"
matches 'detect: --method control says that it needs page' 'needs samples of layout page' "$TMP/err"
awk -F '\t' '!/^[0-9]/ || $2 == "page"' "$TMP/zen 4.tsv" >"$TMP/page.tsv"
exits 0 'detect: pages without a control curve are accepted' detect "$TMP/page.tsv"
same 'detect: pages without a control curve are noted no_control, with low confidence' '' "$(rows "$TMP/out" | cut -f 11,13 | grep -v "^low${tab}.*no_control")"

# A clock that runs slower moves no boundary, and all sizes stretched stretch the answer.
change ns '$column * 2.5' "$TMP/zen 4.tsv" | change min_ns '$column * 2.5' - >"$TMP/slow.tsv"
exits 0 'detect: a slower clock gives an answer' detect "$TMP/slow.tsv"
same 'detect: a slower clock moves no boundary' "$(cat "$TMP/zen.levels")" "$(levels)"
# stretch FACTOR FILE: all numbers of nodes; those of layout set are targets and others.
stretch() {
    awk -F '\t' -v OFS='\t' -v by="$1" "$by_name_in_full"'
        function stretched(n) { return int(n * by + 0.5) }
        $at["targets"] == "-" { $1 = stretched($1); print; next }
        { $1 = ($at["targets"] = stretched($at["targets"])) + ($at["others"] = stretched($at["others"])); print }' "$2"
}
stretch 1.07 "$TMP/zen 4.tsv" >"$TMP/stretched.tsv"
exits 0 'detect: a stretched curve gives an answer' detect "$TMP/stretched.tsv"
check 'detect: a stretched curve stretches the answer' awk -F '\t' 'NR == FNR { was[$1 $2] = $3; next }
    { ratio = $3 / was[$1 $2]; if (ratio < 1.055 || ratio > 1.085) bad = 1; seen++ }
    END { exit bad || !seen }' "$TMP/zen.levels" <(levels)
# ---- instructions, contiguous frames, huge pages ----

# made KERNEL BACKING PAGE_BYTES SPACING "ENTRIES:NS ..." "PASSES": rows of page and packed; a load
# from more than ENTRIES pages takes NS longer. Without noise worth the name.
made() {
    awk -v OFS='\t' -v kernel="$1" -v backing="$2" -v page="$3" -v spacing="$4" -v steps="$5" \
        -v passes="$6" '
        function wish(size) {
            size = int(size + 0.5)
            if (size >= 4 && !(size in seen)) sizes[++n] = size
            seen[size] = 1
        }
        BEGIN {
            for (octave = 2; octave <= 12; octave += 0.25) wish(2 ^ octave)
            s = split(steps, step, " ")
            for (k = 1; k <= s; k++) {
                split(step[k], part, ":")
                for (d = -3; d <= 4; d++) wish(part[1] + d)
            }
            p = split(passes, pass, " ")
            for (k = 1; k <= p; k++)
                for (i = 1; i <= n; i++) {
                    ns = 1 + (sizes[i] * 7 + pass[k] * 13) % 11 / 5000
                    print sizes[i], "packed", 64, page, "sweep", pass[k], kernel, backing, ns
                    for (m = 1; m <= s; m++) {
                        split(step[m], part, ":")
                        if (sizes[i] > part[1]) ns += part[2]
                    }
                    print sizes[i], "page", spacing, page, "sweep", pass[k], kernel, backing, ns
                }
        }'
}
columns="pages layout spacing_bytes page_bytes role sample kernel backing ns"
head_of() { printf '%s\n' "$@" && tr ' ' '\t' <<<"$columns"; }
passes="0 1 2 3 4 5 6 7 8 9"
# Structure, level, entries, their range, confidence and note of the last output's TLBs.
tlbs() { rows "$TMP/out" | awk -F '\t' '$1 != "cache" { print $1, $2, $3, $4, $5, $11, $13 }'; }

{
    head_of '# claim_itlb1_entries: 64' '# claim_itlb2_entries: 512'
    made code scattered 4096 4096 '64:2 512:9' "$passes"
} >"$TMP/code.tsv"
exits 0 'detect: samples of code give an answer' detect --claims "$TMP/code.tsv"
same 'detect: rises of code without moments have no level, and no claim' "itlb - 64 low may_be_front_end -$tab-
itlb - 512 low may_be_front_end -$tab-" \
    "$(rows "$TMP/out" | awk -F '\t' '$1 == "itlb" { print $1, $2, $3, $11, $13, $14 "\t" $15 }')"
sed "s/${tab}code${tab}/${tab}read${tab}/" "$TMP/code.tsv" >"$TMP/read.tsv"
grep -v '^#\|^pages' "$TMP/code.tsv" >>"$TMP/read.tsv"
exits 0 'detect: loads and code in one table give an answer' detect "$TMP/read.tsv"
same 'detect: loads and code have rows of their own, the loads first' 'dtlb 1 dtlb 2 itlb - itlb -' \
    "$(tlbs | awk '{ print $1, $2 }' | paste -s -d ' ' -)"

{
    head_of '# hypervisor: KVM'
    made read scattered 4096 4096 '64:2 1024:9' "$passes"
    made read contiguous 4096 4096 '64:2 1024:9' "$passes"
} >"$TMP/contiguous.tsv"
exits 0 'detect: contiguous frames give an answer' detect "$TMP/contiguous.tsv"
same 'detect: contiguous frames are noted after the scattered ones' '- contiguous' \
    "$(tlbs | cut -d ' ' -f 7 | uniq | paste -s -d ' ' -)"
{
    head_of
    made read scattered 4096 4096 '64:2 1024:9' "$passes"
    made read contiguous 4096 4096 '256:30 2048:9' "$passes"
} >"$TMP/cache.tsv"
exits 0 'detect: contiguous frames on a plateau of their own give an answer' detect "$TMP/cache.tsv"
same 'detect: a rise of contiguous frames from another plateau is no level' 'dtlb 1 64' \
    "$(tlbs | awk '/contiguous/ { print $1, $2, $3 }')"
{
    head_of '# hypervisor: KVM' '# claim_dtlb1_entries: 64'
    made read scattered 4096 4096 '64:2 1024:9' "$passes"
    made read contiguous 4096 4096 '255:2 2600:9' "$passes"
} >"$TMP/coalesced.tsv"
exits 0 'detect: coalesced pages give an answer' detect --claims "$TMP/coalesced.tsv"
same 'detect: coalesced entries are pages by pages per entry; what is no whole number is not known' \
    'dtlb 1 64 64 64 medium -
dtlb 2 1024 1024 1024 medium -
dtlb 1 64 64 64 medium contiguous,coalesced,pages_per_entry=4
dtlb 2 - - - medium contiguous,coalesced' "$(tlbs)"
same 'detect: the bytes of coalesced entries are their reach' "$((255 * 4096)) 64${tab}0" \
    "$(rows "$TMP/out" | awk -F '\t' '/pages_per_entry/ { print $7, $14 "\t" $15 }')"

# huge NAME PROBE: 2 MiB pages with 32 and 1024 entries, and small nodes in them.
huge() {
    {
        head_of '# claim_dtlb1_entries: 64'
        made read huge 2097152 2097152 '32:2 1024:9' "$passes"
        made read huge 2097152 4096 "$2" '0 1 2 3 4' | awk -F '\t' -v OFS='\t' '$2 == "page" {
            for (n = 8; n <= 4096; n *= 2) if ($1 == n) print }'
    } >"$TMP/huge.tsv"
    exits 0 "detect: $1 give an answer" detect --claims "$TMP/huge.tsv"
}
huge 'huge pages' '9999:0'
same 'detect: huge pages have entries of 2 MiB, and no claim' 'dtlb 1 32 67108864 medium huge -
dtlb 2 1024 2147483648 medium huge -' "$(rows "$TMP/out" |
    awk -F '\t' '$1 == "dtlb" { print $1, $2, $3, $7, $11, $13, $14 }')"
lacks 'detect: huge pages are not called splintered' splintered "$TMP/err"
huge 'splintered huge pages' '64:2'
same 'detect: splintered huge pages reach less, with low confidence' 'dtlb 1 32 131072 low huge,splintered' \
    "$(rows "$TMP/out" |
        awk -F '\t' '$1 == "dtlb" && $2 == 1 { print $1, $2, $3, $7, $11, $13 }')"
matches 'detect: splintered huge pages are reported with the reason' 'splintered .*the hypervisor backs them with small pages' "$TMP/err"
huge 'huge pages with a rise beyond one page' '1000:9'
lacks 'detect: a rise beyond one huge page is not called splintered' splintered "$TMP/err"

# ---- the same on simulated machines ----

# machine COALESCE [LINE]: 64 entries for loads and for code, 32 for huge pages.
machine() {
    printf '# %s\n' 'name: edges' 'page_bytes: 4096' 'line_bytes: 64' 'memory_bytes: 64G' ${2:+"$2"}
    tr ' ' '\t' <<END
structure level entries ways index replacement page_bytes line_bytes ns relation coalesce
dtlb 1 64 - full lru 4096 - 0 - $1
dtlb 2 1536 12 linear lru 4096 - 1.8 neither 1
dtlb 1 32 - full lru 2097152 - 0 - 1
dtlb 2 1024 8 linear lru 2097152 - 1.8 neither 1
itlb 1 64 - full lru 4096 - 0 - 1
itlb 2 1024 8 linear lru 4096 - 2 neither 1
walk - - - - - - - 7.5 - -
cache 1 512 8 linear lru - 64 0.8 - -
cache 2 16384 - full lru - 64 2.8 neither -
memory - - - - - - - 80 - -
END
}
# points KERNEL BACKING PAGE_BYTES SPACING "AROUND ...": sizes to 4096, and all around some.
points() {
    local around='' entries
    for entries in $5; do around+=" $entries:0"; done
    made "$1" "$2" "$3" "$4" "$around" '0 1 2 3 4 5 6 7 8' | cut -f 1-8
}
points_head="${columns% ns}"
# measured MACHINE POINTS: with noise.
measured() {
    { tr ' ' '\t' <<<"$points_head" && cat "$2"; } >"$TMP/points.tsv"
    simulate --seed 5 --noise gauss:1,spikes:2 "$1" "$TMP/points.tsv"
}
machine 1 >"$TMP/one.tsv"
machine 4 >"$TMP/four.tsv"
machine 1 'huge: splintered' >"$TMP/splintered.tsv"

same 'simulate: scattered frames are never coalesced' "$(simulate --seed 1 "$TMP/one.tsv" | grep '^[0-9]')" \
    "$(simulate --seed 1 "$TMP/four.tsv" | grep '^[0-9]')"
{
    points read scattered 4096 4096 '64 1536'
    points read contiguous 4096 4096 '256 1536'
} >"$TMP/both"
measured "$TMP/four.tsv" "$TMP/both" >"$TMP/samples.tsv"
exits 0 'detect: a machine of four pages to an entry gives an answer' detect "$TMP/samples.tsv"
check 'detect: four pages to an entry are found' awk -F '\t' '/contiguous/ && /pages_per_entry=4/ && $2 == 1 {
    found = $4 <= 64 && 64 <= $5 } END { exit !found }' "$TMP/out"
same 'detect: the entries of four pages do not change those of scattered frames' 64 "$(tlbs | awk '!/contiguous/ && $2 == 1 { print $3 }')"
measured "$TMP/one.tsv" "$TMP/both" >"$TMP/samples.tsv"
exits 0 'detect: a machine of one page to an entry gives an answer' detect "$TMP/samples.tsv"
lacks 'detect: one page to an entry is not called coalesced' coalesced "$TMP/out"
{ points read huge 2097152 2097152 '32 1024' && points read huge 2097152 4096 64; } >"$TMP/both"
measured "$TMP/one.tsv" "$TMP/both" >"$TMP/samples.tsv"
exits 0 'detect: a machine with huge pages gives an answer' detect "$TMP/samples.tsv"
same 'detect: the entries for huge pages are found on a machine' 'dtlb 1 32 medium huge' "$(tlbs | awk '$2 == 1 { print $1, $2, $3, $6, $7 }')"
measured "$TMP/splintered.tsv" "$TMP/both" >"$TMP/samples.tsv"
exits 0 'detect: a machine with splintered huge pages gives an answer' detect "$TMP/samples.tsv"
same 'detect: the splintered huge pages of a machine are found' huge,splintered "$(tlbs | awk '$2 == 1 { print $7 }')"
simulate --seed 5 --noise gauss:1,spikes:2 --preset itlb "$TMP/one.tsv" >"$TMP/samples.tsv"
exits 0 "detect: a machine's code gives an answer" detect "$TMP/samples.tsv"
same "detect: a machine's code has its own levels" 'itlb 1 64 high
itlb 2 - low' "$(tlbs | awk '{ print $1, $2, $3, $6 }')"
check "detect: the second level of a machine's code is within its range" awk -F '\t' '
    $2 == 2 { found = $4 <= 1024 && 1024 <= $5 } END { exit !found }' "$TMP/out"
for preset in tlb coalescing; do
    simulate --seed 5 --noise spikes:2 --preset $preset "$TMP/four.tsv" | detect --quiet >"$TMP/out"
    same "detect: four pages to an entry are counted in moments, with preset $preset" 'dtlb 1 64 high -' \
        "$(tlbs | awk '$2 == 1 && !/contiguous/ { print $1, $2, $3, $6, $7 }')"
done
same 'detect: an entry of contiguous pages is known in moments' 'dtlb 1 64 high contiguous,coalesced,pages_per_entry=4' \
    "$(tlbs | awk '$2 == 1 && /contiguous/ { print $1, $2, $3, $6, $7 }')"
simulate --seed 5 --noise spikes:2 --page-size 2M "$TMP/one.tsv" | detect --quiet >"$TMP/out"
same 'detect: huge pages are counted in moments' 'dtlb 1 32 high huge' "$(tlbs | awk '$2 == 1 { print $1, $2, $3, $6, $7 }')"

# Of a sweep that was cut off before its curve there are moments alone.
moments() { awk -F '\t' -v OFS='\t' "$by_name_in_full"' $at["moment"] != "-" { '"$1"' print }' "$TMP/samples.tsv" >"$TMP/cut.tsv"; }
simulate --seed 5 --preset itlb "$TMP/one.tsv" >"$TMP/samples.tsv"
moments '' && detect --quiet "$TMP/cut.tsv" >"$TMP/out"
same 'detect: moments of code without a curve are of the instruction TLB' 'itlb 1 64 high' "$(tlbs | awk '{ print $1, $2, $3, $6 }')"
simulate --seed 5 "$TMP/one.tsv" >"$TMP/samples.tsv"
moments '$at["targets"] += 300000; $at["pages"] += 300000;'
exits 1 'detect: moments of more targets than are counted are no crash' detect --quiet "$TMP/cut.tsv"

# ---- interference ----

{ echo '# sibling_busy: yes (core 1 is at 80 %)' && cat "$TMP/zen 4.tsv"; } >"$TMP/sibling.tsv"
exits 0 'detect: a busy sibling thread is accepted' detect "$TMP/sibling.tsv"
same 'detect: a busy sibling thread is interference everywhere, and nothing is sure' '' \
    "$(rows "$TMP/out" | cut -f 11,13 | grep -v '^\(medium\|low\)'"$tab"'\(.*,\)*interference$')"
matches 'detect: a busy sibling thread is reported' 'perhaps on the other hardware thread of the core' "$TMP/err"
same 'detect: a busy sibling thread changes no entries' "$(cat "$TMP/zen.levels")" "$(levels)"
for busy in no unknown; do
    { echo "# sibling_busy: $busy" && cat "$TMP/zen 4.tsv"; } >"$TMP/sibling.tsv"
    exits 0 "detect: sibling_busy $busy is accepted" detect "$TMP/sibling.tsv"
    lacks "detect: sibling_busy $busy is no interference" interference "$TMP/out"
done
{
    head_of
    made read scattered 4096 4096 '64:2 1024:9' '0 1 2 3 4 5 6'
    made read scattered 4096 4096 '61:2 1024:9' '7 8 9 10 11 12 13'
} | awk -F '\t' '!/^[0-9]/ || $1 <= 58 || $1 >= 69 || ($1 > 60 && $1 < 69)' >"$TMP/states.tsv"
prints 'detect: two states in one run give an answer' "^dtlb${tab}1${tab}64${tab}64${tab}64${tab}" detect "$TMP/states.tsv"
matches 'detect: two states in one run leave the other level alone' "^dtlb${tab}2${tab}1024${tab}.*${tab}-\$" "$TMP/out"
for seed in 1 ${LONG:+2 3}; do
    simulate --seed "$seed" --noise gauss:3,spikes:5,drift:20,ramp:50 "$models/skylake-sp.tsv" |
        detect 2>/dev/null >"$TMP/out"
    matches "detect: a clock that changes, seed $seed: levels are found" "^dtlb${tab}1${tab}64" "$TMP/out"
    lacks "detect: a clock that changes, seed $seed: no level shows interference" interference "$TMP/out"
done

# ---- disturbances ----

# disturb CONDITION CHANGE: three columns more; rows of the condition are changed, and have a switch.
disturb() {
    awk -F '\t' -v OFS='\t' -v more='\tfaults\tswitches\tmigrations' "$by_name_in_full
        { disturbed = $1; if (disturbed) { $2 } print \$0, 0, (disturbed ? 2 : 0), \"-\" }" "$TMP/zen 4.tsv"
}
disturb 'NR % 50 == 0' '' >"$TMP/calm.tsv"
exits_saying 0 'detect: disturbed samples are accepted' '^detect: [0-9]+ of [0-9]+ samples were disturbed .*; without them the answer is within its ranges$' \
    detect "$TMP/calm.tsv"
same 'detect: disturbed samples that do no harm change no entries' "$(cat "$TMP/zen.levels")" "$(levels)"
exits 0 'detect: --quiet accepts disturbed samples' detect --quiet "$TMP/calm.tsv"
same 'detect: --quiet says nothing of disturbed samples' '' "$(cat "$TMP/err")"
slow='$2 == "page" && $1 > 1000 && $1 <= 3072' # of the second level, by as much as a walk
disturb "$slow" '$at["ns"] += 5; $at["min_ns"] += 5' >"$TMP/harm.tsv"
exits 0 'detect: disturbed samples as slow as a walk are accepted' detect "$TMP/harm.tsv"
matches 'detect: disturbed samples that do harm are reported with the answer without them' '; without them dtlb 2: unknown, not 768$' "$TMP/err"
lacks 'detect: disturbed samples that do harm are not blamed for the other level' 'dtlb 1' "$TMP/err"
disturb "$slow && \$6 > 1" '$at["ns"] += 5; $at["min_ns"] += 5' | detect --quiet >"$TMP/out"
same 'detect: disturbed samples as slow as a walk change no entries where there are others' "$(cat "$TMP/zen.levels")" "$(levels)"
disturb 1 '' >"$TMP/all.tsv"
exits 0 'detect: a file of disturbed samples alone is accepted' detect --by file "$TMP/all.tsv" "$TMP/zen 4.tsv"
matches 'detect: a file of disturbed samples alone is named' '/all.tsv: ([0-9]+) of \1 samples were disturbed .*; the others are too few for an answer$' "$TMP/err"
lacks 'detect: a file of disturbed samples alone says nothing of another file' '/zen 4.tsv: .*disturbed' "$TMP/err"
change switches 1 "$ROOT/tests/machines/intel-xeon-guest/sweep.tsv" '$2 == "page"' >"$TMP/pages.tsv"
exits 0 'detect: a curve of which all samples are disturbed is accepted' detect --method control "$TMP/pages.tsv"
matches 'detect: without that curve there is no other answer' '; the others are too few for an answer$' "$TMP/err"

# ---- several runs ----

# One plan for all three.
simulate --seed 1 --noise gauss:1 "$models/skylake-sp.tsv" >"$TMP/run 1.tsv"
for seed in 2 3; do
    simulate --seed "$seed" --noise gauss:1 "$models/skylake-sp.tsv" "$TMP/run 1.tsv" >"$TMP/run $seed.tsv"
done
exits 0 'detect: three runs of a machine are compared' detect --by file "$TMP/run 1.tsv" "$TMP/run 2.tsv" "$TMP/run 3.tsv"
matches 'detect: three runs agree on the first level' '^detect: dtlb 1: 64 in 3 of 3 runs$' "$TMP/err"
matches 'detect: three runs agree on the second level' '^detect: dtlb 2: 15.* in 3 of 3 runs$' "$TMP/err"
exits 0 'detect: --quiet accepts two runs' detect --quiet --by file "$TMP/run 1.tsv" "$TMP/run 2.tsv"
same 'detect: --quiet says nothing of the agreement' '' "$(cat "$TMP/err")"
sed 's/^dtlb\t1\t64/dtlb\t1\t96/' "$models/skylake-sp.tsv" >"$TMP/larger.tsv"
simulate --seed 3 "$TMP/larger.tsv" >"$TMP/other.tsv"
exits 0 'detect: a run that differs is accepted' detect --by file "$TMP/run 1.tsv" "$TMP/run 2.tsv" "$TMP/other.tsv"
matches 'detect: a run that differs is named with its answer' '^detect: dtlb 1: 64 in 2 of 3 runs; 96 in .*/other.tsv$' "$TMP/err"
exits 0 'detect: two machines together are accepted' detect --by file "$TMP/zen 4.tsv" "$TMP/m4.tsv"
lacks 'detect: two machines need not agree' 'runs' "$TMP/err"
exits 0 'detect: a run alone is accepted' detect --by file "$TMP/run 1.tsv"
lacks 'detect: a run alone has none to agree with' 'runs' "$TMP/err"
# Half of the time a neighbour holds half of the entries: then no lap is clean, and no moment counts.
simulate --seed 1 --noise neighbour:50:50:20 zen3 | detect --quiet >"$TMP/out"
same 'detect: clean laps show both levels beside a neighbour that pauses' '1 64 64 64;2 2048 2048 2048;' \
    "$(rows "$TMP/out" | awk -F '\t' '$1 == "dtlb" { printf "%s %s %s %s;", $2, $3, $4, $5 }')"
finish_tests
