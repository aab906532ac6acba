#!/usr/bin/env bash
# simulate.t: the simulator as a program: tables, seeds, noise, machine descriptions, errors. Machines
# of students are in simulate-students.t.
# shellcheck disable=SC2016 # awk and sh -c have variables of their own
. "${0%/*}/../../tap.sh"
long_with_sanitizers

models=$ROOT/src/tlb/models
zen4=$models/zen4.tsv
t=$tab

times() { columns 'pages layout sample ns' "$1"; }

# points LAYOUT SPACING SAMPLES PAGES...: a points table.
points() {
    local layout=$1 spacing=$2 samples=$3 sample=0 pages
    shift 3
    printf 'pages\tlayout\tspacing_bytes\tsample\n'
    for ((; sample < samples; sample++)); do
        for pages; do printf '%s\t%s\t%s\t%s\n' "$pages" "$layout" "$spacing" "$sample"; done
    done
}

# ---- the known truth ----

points page 4096 1 72 73 3072 3136 >"$TMP/page.tsv"
exits 0 'simulate: a table of points is measured' simulate --seed 1 "$zen4" "$TMP/page.tsv"
same 'simulate: the entries of Zen 4 show exactly' "72${tab}page${tab}0${tab}0.8
73${tab}page${tab}0${tab}2.4
3072${tab}page${tab}0${tab}4.4
3136${tab}page${tab}0${tab}5.965306" "$(times "$TMP/out")"
matches 'simulate: the entries are in the metadata' '^# claim_dtlb2_entries: 3072$' "$TMP/out"
matches 'simulate: the machine is in the metadata' '^# cpu: simulated AMD Zen 4$' "$TMP/out"
matches 'simulate: the ways are in the metadata' '^# claim_dtlb2_ways: 12$' "$TMP/out"
matches 'simulate: the entries of the iTLB are in the metadata' '^# claim_itlb1_entries: 64$' "$TMP/out"
matches 'simulate: the caches are in the metadata' '^# l2_bytes: 1048576$' "$TMP/out"

points page 4096 3 1 2 8 >"$TMP/few.tsv"
for model in "$models"/*.tsv; do
    exits 0 "simulate: ${model##*/} is legal" simulate --seed 1 "$model" "$TMP/few.tsv"
    same "simulate: ${model##*/} gives whole rows" 9 "$(awk -F '\t' '!/^#/ && NF == 14 && $9 > 0' "$TMP/out" |
        grep -c '^[0-9]')"
done

# on BACKING KERNEL PAGE_BYTES SPACING PAGES...: a points table of layout `page`.
on() {
    local backing=$1 kernel=$2 page=$3 spacing=$4 pages
    shift 4
    printf 'pages\tlayout\tspacing_bytes\tpage_bytes\tkernel\tbacking\n'
    for pages; do
        printf '%s\tpage\t%s\t%s\t%s\t%s\n' "$pages" "$spacing" "$page" "$kernel" "$backing"
    done
}
# at MODEL BACKING KERNEL PAGE_BYTES SPACING PAGES...: its times, `pages ns;` each.
at() {
    local model=$1
    shift
    on "$@" | simulate --seed 1 "$models/$model.tsv" - | rows - |
        awk -F '\t' '{ printf "%s %s;", $1, $9 }'
}
same 'simulate: an entry of Zen 4 holds four contiguous pages' '72 0.8;288 0.8;' \
    "$(at zen4 contiguous read 4096 4096 72 288)"
same 'simulate: an entry of Zen 4 holds one scattered page' '72 0.8;73 2.4;' "$(at zen4 scattered read 4096 4096 72 73)"
same 'simulate: huge pages go through their own rows' '32 1;64 2.8;' \
    "$(at skylake-client-xor7 huge read 2097152 2097152 32 64)"
same 'simulate: nodes may share a huge page' '64 1;' "$(at skylake-client-xor7 huge read 2097152 4096 64)"
same 'simulate: an xor index keeps pages 512 KiB apart in reach' '512 2.8;' \
    "$(at skylake-client-xor7 scattered read 4096 524288 512)"
same 'simulate: a linear index does not keep pages 512 KiB apart in reach' '16 10.2;' "$(at skylake-sp scattered read 4096 524288 16)"
sed 's/^dtlb\t1\t64/dtlb\t1\t1/' "$models/zen3.tsv" >"$TMP/gap.tsv"
same 'simulate: index bits with a gap keep 16 pages 512 apart in reach, and 8 pages 1024 apart' \
    '16 3.4;8 3.4;9 26.2;' "$(
        models=$TMP at gap scattered read 4096 2097152 16
        models=$TMP at gap scattered read 4096 4194304 8 9
    )"
same 'simulate: walks cost more where tables are far apart' '5 12.5;33 15.5;' "$(
    at skylake-client-xor7 huge read 1073741824 549755813888 5
    at skylake-client-xor7 scattered read 4096 2147483648 33
)"
same 'simulate: code goes through the iTLB' '64 0.8;' "$(at zen4 scattered code 4096 4096 64)"
same 'simulate: code of one page more than the iTLB holds misses throughout' '65 2.4;' \
    "$(at zen4 scattered code 4096 4096 65)"
same 'simulate: splintered huge pages are small ones' '64 0.9;128 2.5;' \
    "$(at splintered-guest huge read 2097152 4096 64 128)"
on huge read 2097152 4096 64 | simulate --seed 1 "$models/splintered-guest.tsv" - >"$TMP/out"
same 'simulate: splintered huge pages keep their size in the table' 2097152 "$(rows "$TMP/out" | cut -f 4)"
lacks 'simulate: splintered huge pages are not in the metadata' '^# huge' "$TMP/out"
printf 'pages\tlayout\tspacing_bytes\ttargets\tothers\n%s\n%s\n' "120${t}set${t}524288${t}24${t}96" \
    "121${t}set${t}524288${t}25${t}96" >"$TMP/set.tsv"
exits 0 'simulate: layout set is measured' simulate --seed 1 "$zen4" "$TMP/set.tsv"
same 'simulate: a set of Zen 4 holds 24 pages and not 25' '24 yes;25 no;' "$(rows "$TMP/out" |
    awk -F '\t' '{ printf "%d %s;", $1 - 96, ($11 < 2.5 ? "yes" : "no") }')"

# ---- what chance depends on ----

noise=(--seed 7 --noise 'gauss:3,spikes:10,drift:5,ramp:20')
exits 0 'simulate: a machine without points is swept' simulate "${noise[@]}" "$models/pages-64k.tsv"
same 'simulate: a sweep takes moments and a curve' 'all asked control few sweep' "$(columns role "$TMP/out" | sort -u | paste -s -d ' ' -)"
same 'simulate: a sweep has the pages of the machine' 65536 "$(rows "$TMP/out" | cut -f 4 | sort -u)"
cp "$TMP/out" "$TMP/sweep.tsv"
{ sed '/^[0-9]/d' "$TMP/sweep.tsv" && rows "$TMP/sweep.tsv" | sort -r; } >"$TMP/reversed.tsv"
exits 0 'simulate: a table of samples is measured again' \
    simulate "${noise[@]}" "$models/pages-64k.tsv" "$TMP/reversed.tsv"
same 'simulate: the order of the points does not matter' "$(columns "$sample_columns" "$TMP/sweep.tsv" | sort)" \
    "$(columns "$sample_columns" "$TMP/out" | sort)"

simulate "${noise[@]}" "$zen4" "$TMP/few.tsv" >"$TMP/a.tsv"
simulate "${noise[@]}" "$zen4" "$TMP/few.tsv" >"$TMP/b.tsv"
check 'simulate: the same seed gives the same table' cmp "$TMP/a.tsv" "$TMP/b.tsv"
simulate "${noise[@]}" --seed 8 "$zen4" "$TMP/few.tsv" >"$TMP/b.tsv"
same 'simulate: another seed gives other times' '' "$(comm -12 <(times "$TMP/a.tsv" | sort) \
    <(times "$TMP/b.tsv" | sort))"

simulate "${noise[@]}" "$zen4" "$TMP/page.tsv" >"$TMP/file.tsv"
exits 0 'simulate: points from standard input are measured' sh -c 'simulate "$@" - <"$TMP/page.tsv"' sh \
    "${noise[@]}" "$zen4"
same 'simulate: points from standard input have the same times as from a file' "$(rows "$TMP/file.tsv")" "$(rows "$TMP/out")"

{ echo '# seed: 7' && cat "$TMP/page.tsv"; } >"$TMP/seeded.tsv"
simulate --noise gauss:3,spikes:10,drift:5,ramp:20 "$zen4" "$TMP/seeded.tsv" >"$TMP/out"
same 'simulate: the seed comes from the points' "$(rows "$TMP/file.tsv")" "$(rows "$TMP/out")"
simulate "$zen4" "$TMP/page.tsv" >"$TMP/out"
matches 'simulate: a fresh seed is in the metadata' '^# seed: [1-9]' "$TMP/out"

# ---- noise ----

points page 4096 20 1 4 16 64 >"$TMP/flat.tsv" # 0.8 ns each
simulate --seed 3 "$zen4" "$TMP/flat.tsv" >"$TMP/out"
same 'simulate: without noise times are exact' 0.8 "$(rows "$TMP/out" | cut -f 9 | sort -u)"
simulate --seed 3 --noise gauss:5 "$zen4" "$TMP/flat.tsv" >"$TMP/out"
check 'simulate: noise gauss has the deviation that was asked for' awk -F '\t' '$1 ~ /^[0-9]/ {
    n++; x = $9 / 0.8 - 1; s += x; q += x * x
} END { exit !(n == 80 && s / n < 0.02 && s / n > -0.02 && q / n > 0.035 ^ 2 && q / n < 0.07 ^ 2) }' \
    "$TMP/out"
simulate --seed 3 --noise spikes:25 "$zen4" "$TMP/flat.tsv" >"$TMP/out"
check 'simulate: noise spikes hits some and only adds' awk -F '\t' '$1 ~ /^[0-9]/ {
    n += $9 > 0.8; less += $9 < 0.8
} END { exit !(n >= 8 && n <= 32 && less == 0) }' "$TMP/out"
simulate --seed 3 --noise drift:10 "$zen4" "$TMP/flat.tsv" >"$TMP/out"
same 'simulate: noise drift swings with the number of the sample' '0 0.8;4 0.88;8 0.8;12 0.72;16 0.8;' \
    "$(times "$TMP/out" | awk '$1 == 4 && $3 % 4 == 0 { printf "%s %s;", $3, $4 }')"
simulate --seed 3 --noise ramp:50 "$zen4" "$TMP/flat.tsv" >"$TMP/out"
same 'simulate: noise ramp falls as a cold clock warms up' '0 1.2;1 1;2 0.9;3 0.85;' \
    "$(times "$TMP/out" | awk '$1 == 4 && $3 < 4 { printf "%s %s;", $3, $4 }')"

# quiet NOISE FIELD: how many of 80 samples have a time of 0.8 there (9 is ns, 11 is min_ns).
quiet() {
    simulate --seed 3 --noise "$1" "$zen4" "$TMP/flat.tsv" | rows - | cut -f "$2" | grep -cx 0.8
}
same 'simulate: noise spikes leaves the fastest lap alone' 80 "$(quiet spikes:50 11)"
same 'simulate: noise lognormal leaves no lap alone' 0 "$(quiet lognormal:1 11)"
# Of the first TLB's 72 translations 54 are the neighbour's; 64 pages need them, 16 do not.
same 'simulate: a neighbour of 75 % leaves 18 of 72 entries' 60 "$(quiet neighbour:75:100 9)"
check 'simulate: a neighbour leaves samples between its stretches alone' \
    [ "$(quiet neighbour:75:50:100 9)" -gt "$(quiet neighbour:75:100 9)" ]
check 'simulate: with a neighbour the fastest lap is more often clean than the mean' \
    [ "$(quiet neighbour:75:50:0.1 11)" -gt "$(quiet neighbour:75:50:0.1 9)" ]

# ---- broken conditions ----

points page 4096 1 8192 8193 9000 >"$TMP/limit.tsv"
exits 0 'simulate: more than the memory is measured with mistake swap' simulate --seed 1 --mistake swap --memory 32M "$zen4" "$TMP/limit.tsv"
same 'simulate: mistake swap is a cliff: nothing is swapped before, every load waits behind' '8192 0 ram;8193 200000 disk;9000 200000 disk;' \
    "$(rows "$TMP/out" | awk -F '\t' '{ printf "%s %s %s;", $1, $15, ($9 > 1000 ? "disk" : "ram") }')"
matches 'simulate: mistake swap has its limit in the metadata' '^# memory_limit_bytes: 33554432$' "$TMP/out"
matches 'simulate: mistake swap is in the metadata' '^# mistake: swap$' "$TMP/out"
report "$TMP/out" >"$TMP/report"
matches 'report: mistake swap gives a warning' '^  Page faults +from 32 MiB on: likely swap' "$TMP/report"
sed 's/^# memory_bytes.*/&\n# memory_limit_bytes: 32M/' "$zen4" >"$TMP/limited.tsv"
same 'simulate: the limit of mistake swap may be of the machine' "$(rows "$TMP/out")" \
    "$(simulate --seed 1 --mistake swap "$TMP/limited.tsv" "$TMP/limit.tsv" | rows -)"
same 'simulate: a limit of the machine alone swaps nothing' "$(simulate --seed 1 "$zen4" "$TMP/limit.tsv" | rows -)" \
    "$(simulate --seed 1 "$TMP/limited.tsv" "$TMP/limit.tsv" | rows -)"
{ points line 64 1 524288 1048576 && points local 64 1 1048576 | sed 1d; } >"$TMP/lines.tsv"
simulate --seed 1 --mistake swap --memory 32M "$zen4" "$TMP/lines.tsv" >"$TMP/out"
same 'simulate: mistake swap may keep pages that are visited again and again' '0 101089 3125' \
    "$(rows "$TMP/out" | cut -f 15 | paste -s -d ' ' -)"

simulate --seed 1 --noise gauss:1 "$zen4" >"$TMP/sound.tsv"
exits 0 'simulate: mistake claims is simulated' simulate --seed 1 --noise gauss:1 --mistake claims "$zen4"
same 'simulate: mistake claims has wrong claims in the metadata' '128 16384 36 1536 6 4096' "$(for key in line_bytes l1d_bytes claim_dtlb1_entries \
    claim_dtlb2_entries claim_dtlb2_ways page_bytes; do sed -n "s/^# $key: //p" "$TMP/out"; done | paste -s -d ' ' -)"
same "simulate: mistake claims leaves the machine's curve as it is""'"'s' "$(rows "$TMP/sound.tsv")" "$(rows "$TMP/out")"
same 'simulate: mistake claims changes no answer of detect' "$(detect "$TMP/sound.tsv" | rows -)" "$(detect "$TMP/out" | rows -)"
same 'simulate: mistake claims shows as an error of detect --claims' '72 36 100' "$(detect --claims "$TMP/out" | rows - |
    awk -F '\t' '$1 == "dtlb" && $2 == 1 { print $3, $(NF - 1), $NF }')"

points page 4096 400 4 >"$TMP/long.tsv"
exits 0 'simulate: mistake cold is simulated' simulate --seed 1 --mistake cold "$zen4" "$TMP/long.tsv"
same 'simulate: mistake cold is three times as slow at first and falls' '2.4 yes yes' "$(times "$TMP/out" | awk '
    NR == 1 { first = $4 } NR > 1 && $4 > last { falls = "no" } { last = $4 }
    END { print first, (falls == "" ? "yes" : falls), (last < 1.2 && last >= 0.8 ? "yes" : "no") }')"
same 'simulate: mistake cold has in t_s the time of the samples before' yes "$(rows "$TMP/out" | awk -F '\t' '
    ($14 - sum) ^ 2 > 1e-12 { wrong = 1 } { sum += $13 } END { print (wrong || sum < 0.05 ? "no" : "yes") }')"

points line 64 60 400 >"$TMP/moves.tsv"
exits 0 'simulate: mistake migrate is simulated' simulate --seed 1 --mistake migrate "$zen4" "$TMP/moves.tsv"
same 'simulate: mistake migrate moves some samples' yes "$(rows "$TMP/out" | awk -F '\t' '
    $17 > 0 { moved++ } $17 > 7 { bad = 1 } END { print (moved > 5 && moved < 40 && !bad ? "yes" : "no") }')"
same 'simulate: mistake migrate makes moved samples slower than all others' yes "$(rows "$TMP/out" | awk -F '\t' '
    $17 > 0 && (least == 0 || $9 < least) { least = $9 } $17 == 0 && $9 > most { most = $9 }
    END { print (most > 0 && least > most ? "yes" : "no") }')"
same 'simulate: mistake migrate does not depend on the order of the points' "$(rows "$TMP/out" | sort)" \
    "$({ head -n 1 "$TMP/moves.tsv" && sed 1d "$TMP/moves.tsv" | sort -r; } |
        simulate --seed 1 --mistake migrate "$zen4" - | rows - | sort)"
exits 2 'simulate: a mistake that cannot be simulated is refused' simulate --mistake vanished "$zen4" "$TMP/moves.tsv"
matches 'simulate: a mistake that cannot be simulated is answered with those that can' "--mistake 'vanished': there are swap, claims, cold, migrate\$" "$TMP/err"
exits 2 'simulate: mistake swap without a limit is refused' simulate --mistake swap "$zen4" "$TMP/moves.tsv"
matches 'simulate: mistake swap without a limit asks for one' 'has no memory_limit_bytes: set a limit with --memory SIZE' "$TMP/err"
exits 2 'simulate: --memory without mistake swap is refused' simulate --memory 1G "$zen4" "$TMP/moves.tsv"
matches 'simulate: --memory without mistake swap is reported' '--memory needs --mistake swap' "$TMP/err"
same 'simulate: --help mistakes lists them' 'swap claims cold migrate' \
    "$(simulate --help mistakes | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | paste -s -d ' ' -)"

# ---- tables of others ----

{ printf '# l3_bytes: 5\n# claim_dtlb1_entries: 99\n# page_bytes: 65536\n' && cat "$TMP/page.tsv"; } \
    >"$TMP/foreign.tsv"
exits 0 'simulate: points of another machine are measured' simulate "$models/no-tlb-knee.tsv" "$TMP/foreign.tsv"
same 'simulate: points of another machine lose its claims' '# claim_dtlb1_entries: -' \
    "$(grep '^# claim_dtlb1' "$TMP/out" | tail -n 1)"
same "simulate: points of another machine get this machine's page" 4096 "$(rows "$TMP/out" | cut -f 4 | sort -u)"
printf 'pages\tlayout\tspacing_bytes\tkernel\n3\tline\t4096\tlinear\n3\tline\t4096\tdummy\n' \
    >"$TMP/lab.tsv"
exits 0 "simulate: the printed lab's kernels are measured" simulate "$zen4" "$TMP/lab.tsv"
same "simulate: the printed lab's kernels have references, time and sum as it prints them" "10485759 0.0083886072 10485759
10485759 0.010485759 10485759" "$(rows "$TMP/out" | cut -f 15-17 | tr '\t' ' ')"
printf '# buffer_bytes: 67108864\npages\tlayout\tspacing_bytes\n64\tbox\t256\n262144\tbox\t256\n' \
    >"$TMP/box.tsv"
exits 0 'simulate: layout box is measured' simulate --seed 1 "$zen4" "$TMP/box.tsv"
check 'simulate: windows of layout box in reach of the TLB cost less' awk -F '\t' '{ ns[$1] = $9 }
    END { exit !(ns[64] < ns[262144] - 3) }' "$TMP/out"
{ cat "$TMP/page.tsv" && printf '99\tpage'; } >"$TMP/cut.tsv"
exits 1 'simulate: a table of points whose last line is cut gives status 1' simulate "$zen4" "$TMP/cut.tsv"
same 'simulate: a table of points whose last line is cut is measured without that line' 4 "$(rows "$TMP/out" | wc -l | tr -d ' ')"

# ---- the loop by hand, of the machine that takes the fewest rounds ----

looped=$models/skylake-client-xor7.tsv
if [ -x "$OUT/sweep" ] && [ "$(getconf PAGESIZE)" = 4096 ] &&
    plan --seed 5 >"$TMP/plan.tsv" 2>"$TMP/err" && [ ! -s "$TMP/err" ]; then
    simulate --noise gauss:2 "$looped" "$TMP/plan.tsv" >"$TMP/hand.tsv"
    for ((i = 0; i < 100; i++)); do
        plan "$TMP/hand.tsv" >"$TMP/plan.tsv"
        [ -n "$(rows "$TMP/plan.tsv")" ] || break
        simulate --noise gauss:2 "$looped" "$TMP/plan.tsv" >"$TMP/more.tsv"
        cat "$TMP/more.tsv" >>"$TMP/hand.tsv"
    done
    simulate --seed 5 --noise gauss:2 "$looped" >"$TMP/whole.tsv"
    same 'simulate: the loop by hand gives the rows of the whole' "$(columns "$sample_columns" "$TMP/whole.tsv")" \
        "$(columns "$sample_columns" "$TMP/hand.tsv")"
else
    skip 'simulate: the loop by hand gives the rows of the whole' 'needs sweep, pages of 4096 bytes and enough memory for its plan'
fi

# ---- mistakes ----

cat >"$TMP/machine.tsv" <<'END'
# name: a machine with one of everything
# page_bytes: 4096
# line_bytes: 64
# memory_bytes: 64G
structure	level	entries	ways	index	replacement	page_bytes	line_bytes	ns	relation	coalesce
dtlb	1	72	-	full	lru	4096	-	0	-	4
dtlb	2	3072	24	linear	lru	4096	-	1.6	inclusive	4
dtlb	1	32	4	xor3	plru	2097152	-	0	-	1
itlb	1	64	8	hashed	fifo	-	-	0	-	1
walk	-	-	-	-	-	-	-	7.5	-	-
walk	1	32	-	-	random	-	-	4	-	-
cache	1	512	8	0^6,1,2,3,4,5	lru	-	64	0.8	-	-
cache	2	16384	8	linear	lru	-	64	2.8	exclusive	-
memory	-	-	-	-	-	-	-	80	-	-
END
exits 0 'simulate: a description with one of everything is legal' simulate --seed 1 "$TMP/machine.tsv" "$TMP/page.tsv"

# bad NAME MESSAGE SED: that description changed by sed is refused with the message.
bad() {
    sed "$3" "$TMP/machine.tsv" >"$TMP/bad.tsv"
    exits 2 "simulate: $1: the description is refused" simulate "$TMP/bad.tsv" "$TMP/page.tsv"
    matches "simulate: $1: the refusal says where and why" "^simulate: .*/bad\\.tsv:$2" "$TMP/err"
    same "simulate: $1: a refused description gives no output" '' "$(cat "$TMP/out")"
}
bad 'ways that do not divide' "7: column 'ways': 23 ways do not divide 3072 entries" "7s/24/23/"
bad 'no entries' "7: column 'entries': 0 is not between 1 and" "7s/3072/0/"
bad 'too many entries' "7: column 'entries': 307200000 is not between" "7s/3072/307200000/"
bad 'more ways than entries' "7: column 'ways': 4000 is not between 1 and 3072" "7s/24/4000/"
bad 'a negative time' "7: column 'ns': -1.6 ns is not between" "7s/1\\.6/-1.6/"
bad 'a load that takes no time' "14: column 'ns': 0 ns is not between" "14s/80/0/"
bad 'no time' "7: column 'ns': missing" "7s/1\\.6/-/"
bad 'a time that is text' "7: column 'ns': 'soon' is not a number" "7s/1\\.6/soon/"
bad 'an unknown replacement' "7: column 'replacement': unknown replacement 'mru': there are lru, plru, random, fifo, nru and srrip" '7s/lru/mru/'
bad 'an unknown index' "7: column 'index': 'xored' is not simulated; known: linear, full, hashed, xor1 to xor40, and index bits as in 0\\^7,1\\^8" '7s/linear/xored/'
bad 'xor with too many places' "8: column 'index': 'xor41' is not simulated" '8s/xor3/xor41/'
bad 'xor with none' "8: column 'index': 'xor0' is not simulated" '8s/xor3/xor0/'
bad 'xor of sets that are no power of two' "8: column 'index': xor needs a number of sets that is a power of two, not 6" "8s/32${t}4/24${t}4/"
bad 'xor of one set' "8: column 'index': a fully associative structure has only one set" "8s/32${t}4/4${t}4/"
bad 'index bits of other sets' "7: column 'index': 3 index bits select one of 8 sets, and this structure has 128" '7s/linear/0,1,2/'
bad 'index bits of one set' "9: column 'index': 1 index bits select one of 2 sets, and this structure has 1" "9s/64${t}8${t}hashed/64${t}-${t}0/"
bad 'index bits of sets that are no power of two' "7: column 'index': 3 index bits select one of 8 sets, and this structure has 6" "7s/3072${t}24${t}linear/144${t}24${t}0,1,2/"
bad 'an index bit without end' "7: column 'index': '0,1,' is not a list of index bits as in" '7s/linear/0,1,/'
bad 'an index bit without a bit' "7: column 'index': '0,,1' is not a list" '7s/linear/0,,1/'
bad 'an index that begins with a comma' "7: column 'index': ',0,1' is not a list" '7s/linear/,0,1/'
bad 'an exclusive or of one bit and none' "7: column 'index': '0\\^,1' is not a list" '7s/linear/0^,1/'
bad 'text among index bits' "7: column 'index': '0,1x' is not a list" '7s/linear/0,1x/'
bad 'an index bit too far' "7: column 'index': bit 41 is above 40" '7s/linear/0^41/'
bad 'an index bit that no word holds' "7: column 'index': bit 18446744073709551616 is above 40" '7s/linear/18446744073709551616/'
bad 'a bit twice in an index bit' "7: column 'index': bit 7 occurs twice in one index bit" '7s/linear/0^7,1^7^7/'
bad 'index bits that depend on one another' "7: column 'index': index bit 3 of '0,1\\^2,0\\^1\\^2' is the exclusive or of index bits before it" '7s/linear/0,1^2,0^1^2/'
bad 'too many index bits' "7: column 'index': more than 16 index bits" "7s/linear/$(seq -s , 0 16)/"
bad 'a hash of one set' "9: column 'index': a fully associative structure has only one set" "9s/64${t}8/64${t}-/"
bad 'full with ways' "7: column 'index': 'full' means one set, and this structure has 128" '7s/linear/full/'
bad 'an unknown relation' "7: column 'relation': unknown relation 'friendly': there are neither, inclusive and exclusive" '7s/inclusive/friendly/'
bad 'a relation of the first level' "6: column 'relation': level 1 has no level before it" "6s/0${t}-/0${t}exclusive/"
bad 'a relation of what a walk caches' "11: column 'relation': page-walk caches have no relation" "11s/4${t}-/4${t}inclusive/"
bad 'coalescing of three' "6: column 'coalesce': 3 is not a power of two" '6s/4$/3/'
bad 'coalescing of too many' "6: column 'coalesce': 128 is not between 1 and 64" '6s/4$/128/'
bad 'coalescing lines' "12: column 'coalesce': 4 is not between 1 and 1" '12s/-$/4/'
bad 'an inclusive level that coalesces otherwise' "7: column 'coalesce': an inclusive level must have the value of the level before it, line 6" '7s/4$/2/'
bad 'an unknown structure' "10: column 'structure': unknown structure 'wlak': there are dtlb, itlb, walk, cache, memory and prefetch" '10s/^walk/wlak/'
bad 'a page that is smaller' "8: column 'page_bytes': 2048 is neither the machine's 4096 nor a larger power of two" '8s/2097152/2048/'
bad 'a page of an odd size' "8: column 'page_bytes': 2097153 is neither" '8s/2097152/2097153/'
bad 'the page of a cache' "12: column 'page_bytes': 8192 differs from the machine's 4096" "12s/lru${t}-/lru${t}8192/"
bad 'another line' "12: column 'line_bytes': 128 differs from the machine's 64" '12s/64/128/'
bad 'a level twice' "7: column 'level': this level has two rows" "7s/dtlb${t}2/dtlb${t}1/"
bad 'a level twice, once for any page' "8: column 'level': this level has two rows" '8s/2097152/-/'
bad 'a level too far' "7: column 'level': 5 is not between 1 and 4" "7s/dtlb${t}2/dtlb${t}5/"
bad 'a level missing' "7: column 'level': dtlb level 3 has no level 2 before it" "7s/dtlb${t}2/dtlb${t}3/"
bad 'a level missing for its page' "8: column 'level': dtlb level 2 has no level 1 before it" "8s/dtlb${t}1/dtlb${t}2/"
bad 'a walk with too many levels' "11: column 'level': 4 is not between 1 and 3" "11s/walk${t}1/walk${t}4/"
bad 'no row for small pages' ' no dtlb row for pages of 4096 bytes' '6,7d'
bad 'a walk with ways' "10: column 'ways': this structure has no such value" "10s/walk$t-$t-$t-/walk$t-$t-${t}4/"
bad 'a memory with replacement' "14: column 'replacement': this structure has no such value" "14s/memory$t-$t-$t-$t-$t-/memory$t-$t-$t-$t-${t}lru/"
bad 'two memories' "15: column 'structure': this structure has two rows" '14p'
bad 'no memory' ' no row for the memory' '/^memory/d'
bad 'no walk' ' no row for the walk, which a machine with a dtlb needs' '/^walk/d'
bad 'what a walk caches, and no walk' ' no row for the walk, which a machine with a page-walk cache needs' '/^[di]tlb/d; 10d'
bad 'no name' " no metadata 'name'" '/^# name/d'
bad 'no page' " no metadata 'page_bytes'" '/^# page_bytes/d'
bad 'a page that is no size' " metadata 'page_bytes': 'big' is not a size" 's/^# page_bytes.*/# page_bytes: big/'
bad 'a page that is no power of two' ' metadata: page_bytes and line_bytes must be' 's/^# page_bytes.*/# page_bytes: 5000/'
bad 'a page of a few bytes' ' metadata: page_bytes must be at least 64' '/^# [pl].*_bytes/s/[0-9]*$/32/'
bad 'a line longer than a page' ' metadata: a line must fit' 's/^# line_bytes.*/# line_bytes: 8192/'
bad 'huge pages of an unknown kind' " metadata 'huge': 'yes' is not simulated; known: splintered" '1s/$/\n# huge: yes/'
bad 'no such column' "5: no column 'ways' in the header" '5s/ways/roads/'
printf '%s' "$(cat "$zen4")" >"$TMP/bad.tsv"
exits 2 'simulate: a description whose last line is cut is refused' simulate "$TMP/bad.tsv" "$TMP/page.tsv"
: >"$TMP/empty.tsv"
exits 2 'simulate: an empty description is refused' simulate "$TMP/empty.tsv"
exits 2 'simulate: a description that is not there is refused' simulate "$TMP/none.tsv"

# refused NAME MESSAGE: the points in bad.tsv are refused.
refused() {
    exits_saying 2 "simulate: $1: the points are refused" "$2" simulate "$zen4" "$TMP/bad.tsv"
}
printf 'pages\tlayout\tspacing_bytes\n4\tpage\t4096\n8\tbox\t256\n' >"$TMP/bad.tsv"
refused 'box without a buffer' "bad.tsv:3: .*buffer_bytes"
printf 'pages\tlayout\tspacing_bytes\n99999999999\tpage\t4096\n' >"$TMP/bad.tsv"
refused 'more than the memory' "bad.tsv:2: .*memory"
printf 'pages\tlayout\tspacing_bytes\n9000000000000000000\tline\t4096\n' >"$TMP/bad.tsv"
refused 'more than addresses reach' "bad.tsv:2: .*address space"
on huge read 16384 16384 4 >"$TMP/bad.tsv"
refused 'pages of a size without rows' "bad.tsv:2: no TLB rows for pages of 16384 bytes"
on scattered code 4096 4096 4 >"$TMP/code.tsv"
exits 2 'simulate: code without an iTLB is refused' simulate "$models/skylake-sp.tsv" "$TMP/code.tsv"
matches 'simulate: code without an iTLB is named with its line' "code.tsv:2: kernel 'code' needs an itlb" "$TMP/err"
exits 2 'simulate: --preset itlb without an iTLB is refused' simulate "$models/skylake-sp.tsv" --preset itlb
matches 'simulate: --preset itlb without an iTLB is reported' "kernel 'code' needs an itlb" "$TMP/err"
same 'simulate: --preset itlb without an iTLB begins no table' '' "$(cat "$TMP/out")"
on huge read 4096 4096 4 >"$TMP/bad.tsv"
refused 'huge pages that are not' "bad.tsv:2: backing huge has no pages of 4096 bytes"

# ---- machines as descriptions, wrong usage ----

# Again from its own description a machine gives the same times.
for model in "$models"/*.tsv; do
    simulate --describe "$model" >"$TMP/described.tsv"
    same "simulate: ${model##*/} and its description are the same machine" "$(simulate --seed 1 "$model" "$TMP/few.tsv" | rows -)" \
        "$(simulate --seed 1 "$TMP/described.tsv" "$TMP/few.tsv" 2>&1 | rows -)"
done
simulate --describe "$TMP/described.tsv" | grep -v '^# command' >"$TMP/again.tsv"
sed '7s/linear/0^7,1^8,2^9,3,4,5,6/' "$TMP/machine.tsv" >"$TMP/bits.tsv"
same 'simulate: index bits are described as they were given' '0^7,1^8,2^9,3,4,5,6 0^6,1,2,3,4,5' \
    "$(simulate --describe "$TMP/bits.tsv" | grep -o '0^[^	]*' | paste -s -d ' ' -)"
same 'simulate: a description described is itself' "$(grep -v '^# command' "$TMP/described.tsv")" "$(cat "$TMP/again.tsv")"
exits 2 'simulate: --describe takes no points' simulate --describe "$zen4" "$TMP/few.tsv"

exits_saying 2 'simulate: a missing machine is refused' '^simulate: no MACHINE is given' simulate
exits_saying 2 'simulate: an unknown option is refused' "^Try 'simulate --help'" simulate --loud "$zen4"
for noise in gauss gauss: gauss:x gauss:-1 gauss:101 hiss:3 :3 gauss:3,,drift:1 neighbour timer:x; do
    exits 2 "simulate: --noise $noise is refused" simulate --noise "$noise" "$zen4" "$TMP/page.tsv"
    matches "simulate: --noise $noise is answered with what is expected" '^simulate: --noise .*expected ' "$TMP/err"
done
for option in --preset=itlb --page-size=2M; do
    exits 2 "simulate: $option along with POINTS is refused" simulate "$option" "$zen4" "$TMP/page.tsv"
    matches "simulate: $option along with POINTS is reported" 'does not go with the points of .*page.tsv' "$TMP/err"
done
exits 2 'simulate: --seed wants a number' simulate --seed x "$zen4"
prints 'simulate: --help succeeds' 'MACHINE \[POINTS\.\.\.\]' simulate --help
if [ -w /dev/full ]; then
    exits 2 'simulate: a full disk is an error' sh -c 'simulate "$1" "$2" >/dev/full' sh "$zen4" "$TMP/page.tsv"
fi
finish_tests
