#!/usr/bin/env bash
# simulate.t: the simulator as a program: tables, seeds, noise, machine descriptions, errors.
# shellcheck disable=SC2016 # awk and sh -c have variables of their own
. "${0%/*}/tap.sh"

models=$ROOT/tests/models
zen4=$models/zen4.tsv
tab=$(printf '\t')

# The rows without metadata and header; `times` leaves number of nodes, layout, sample and ns.
rows() { grep -v '^#' "$1" | sed 1d; }
times() { rows "$1" | cut -f 1,2,6,9; }

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
exits 0 'a points table is measured' simulate --seed 1 "$zen4" "$TMP/page.tsv"
same 'the entries of Zen 4 show exactly' "72${tab}page${tab}0${tab}0.8
73${tab}page${tab}0${tab}2.4
3072${tab}page${tab}0${tab}4.4
3136${tab}page${tab}0${tab}7.410204" "$(times "$TMP/out")"
matches 'the truth stands in the metadata' '^# claim_dtlb2_entries: 3072$' "$TMP/out"
matches 'so does the machine' '^# cpu: simulated AMD Zen 4$' "$TMP/out"
matches 'and its caches' '^# l2_bytes: 1048576$' "$TMP/out"

points page 4096 3 1 2 8 >"$TMP/few.tsv"
for model in "$models"/*.tsv; do
    exits 0 "${model##*/} is legal" simulate --seed 1 "$model" "$TMP/few.tsv"
    same "${model##*/} gives whole rows" 9 "$(awk -F '\t' '!/^#/ && NF == 12 && $9 > 0' "$TMP/out" |
        grep -c '^[0-9]')"
done

# ---- what chance depends on ----

noise=(--seed 7 --noise 'gauss:3,spikes:10,drift:5,ramp:20')
exits 0 'without points it sweeps' simulate "${noise[@]}" "$models/pages-64k.tsv"
matches 'and refines' "${tab}refine${tab}" "$TMP/out"
same 'with the pages of the machine' 65536 "$(rows "$TMP/out" | cut -f 4 | sort -u)"
cp "$TMP/out" "$TMP/sweep.tsv"
{ sed '/^[0-9]/d' "$TMP/sweep.tsv" && rows "$TMP/sweep.tsv" | sort -r; } >"$TMP/reversed.tsv"
exits 0 'a samples table is measured again' \
    simulate "${noise[@]}" "$models/pages-64k.tsv" "$TMP/reversed.tsv"
same 'the order of the points does not matter' "$(rows "$TMP/sweep.tsv" | sort)" \
    "$(rows "$TMP/out" | sort)"

simulate "${noise[@]}" "$zen4" "$TMP/few.tsv" >"$TMP/a.tsv"
simulate "${noise[@]}" "$zen4" "$TMP/few.tsv" >"$TMP/b.tsv"
check 'the same seed gives the same table' cmp "$TMP/a.tsv" "$TMP/b.tsv"
simulate "${noise[@]}" --seed 8 "$zen4" "$TMP/few.tsv" >"$TMP/b.tsv"
same 'another seed gives other times' '' "$(comm -12 <(times "$TMP/a.tsv" | sort) \
    <(times "$TMP/b.tsv" | sort))"

simulate "${noise[@]}" "$zen4" "$TMP/page.tsv" >"$TMP/file.tsv"
exits 0 'points come from standard input' sh -c 'simulate "$@" - <"$TMP/page.tsv"' sh \
    "${noise[@]}" "$zen4"
same 'with the same times' "$(rows "$TMP/file.tsv")" "$(rows "$TMP/out")"

{ echo '# seed: 7' && cat "$TMP/page.tsv"; } >"$TMP/seeded.tsv"
simulate --noise gauss:3,spikes:10,drift:5,ramp:20 "$zen4" "$TMP/seeded.tsv" >"$TMP/out"
same 'the seed comes from the points' "$(rows "$TMP/file.tsv")" "$(rows "$TMP/out")"
simulate "$zen4" "$TMP/page.tsv" >"$TMP/out"
matches 'a fresh seed is in the metadata' '^# seed: [1-9]' "$TMP/out"

# ---- noise ----

points page 4096 20 1 4 16 64 >"$TMP/flat.tsv" # 0.8 ns each
simulate --seed 3 "$zen4" "$TMP/flat.tsv" >"$TMP/out"
same 'without noise times are exact' 0.8 "$(rows "$TMP/out" | cut -f 9 | sort -u)"
simulate --seed 3 --noise gauss:5 "$zen4" "$TMP/flat.tsv" >"$TMP/out"
check 'gauss has the deviation that was asked for' awk -F '\t' '$1 ~ /^[0-9]/ {
    n++; x = $9 / 0.8 - 1; s += x; q += x * x
} END { exit !(n == 80 && s / n < 0.02 && s / n > -0.02 && q / n > 0.035 ^ 2 && q / n < 0.07 ^ 2) }' \
    "$TMP/out"
simulate --seed 3 --noise spikes:25 "$zen4" "$TMP/flat.tsv" >"$TMP/out"
check 'spikes hit some and only add' awk -F '\t' '$1 ~ /^[0-9]/ {
    n += $9 > 0.8; less += $9 < 0.8
} END { exit !(n >= 8 && n <= 32 && less == 0) }' "$TMP/out"
simulate --seed 3 --noise drift:10 "$zen4" "$TMP/flat.tsv" >"$TMP/out"
same 'drift swings with the number of the sample' '0 0.8;4 0.88;8 0.8;12 0.72;16 0.8;' \
    "$(times "$TMP/out" | awk '$1 == 4 && $3 % 4 == 0 { printf "%s %s;", $3, $4 }')"
simulate --seed 3 --noise ramp:50 "$zen4" "$TMP/flat.tsv" >"$TMP/out"
same 'a cold clock warms up' '0 1.2;1 1;2 0.9;3 0.85;' \
    "$(times "$TMP/out" | awk '$1 == 4 && $3 < 4 { printf "%s %s;", $3, $4 }')"

# ---- tables of others ----

{ printf '# l3_bytes: 5\n# claim_dtlb1_entries: 99\n# page_bytes: 65536\n' && cat "$TMP/page.tsv"; } \
    >"$TMP/foreign.tsv"
exits 0 'points of another machine' simulate "$models/no-tlb-knee.tsv" "$TMP/foreign.tsv"
same 'its claims are taken back' '# claim_dtlb1_entries: -' \
    "$(grep '^# claim_dtlb1' "$TMP/out" | tail -n 1)"
same 'its page is replaced' 4096 "$(rows "$TMP/out" | cut -f 4 | sort -u)"
printf 'pages\tlayout\tspacing_bytes\tkernel\n3\tline\t4096\tlinear\n3\tline\t4096\tdummy\n' \
    >"$TMP/lab.tsv"
exits 0 "the printed lab's kernels" simulate "$zen4" "$TMP/lab.tsv"
same 'references, time and sum as it prints them' "10485759 0.0083886072 10485759
10485759 0.010485759 10485759" "$(rows "$TMP/out" | cut -f 13-15 | tr '\t' ' ')"
printf '# buffer_bytes: 67108864\npages\tlayout\tspacing_bytes\n64\tbox\t256\n262144\tbox\t256\n' \
    >"$TMP/box.tsv"
exits 0 'layout box' simulate --seed 1 "$zen4" "$TMP/box.tsv"
check 'windows in reach of the TLB cost less' awk -F '\t' '{ ns[$1] = $9 }
    END { exit !(ns[64] < ns[262144] - 3) }' "$TMP/out"
{ cat "$TMP/page.tsv" && printf '99\tpage'; } >"$TMP/cut.tsv"
exits 1 'a cut last line' simulate "$zen4" "$TMP/cut.tsv"
same 'the rest is measured' 4 "$(rows "$TMP/out" | wc -l | tr -d ' ')"

# ---- the loop by hand ----

if [ -x "$OUT/sweep" ] && [ "$(getconf PAGESIZE)" = 4096 ] &&
    sweep --plan --seed 5 >"$TMP/plan.tsv" 2>"$TMP/err" && [ ! -s "$TMP/err" ]; then
    simulate --noise gauss:2 "$zen4" "$TMP/plan.tsv" >"$TMP/hand.tsv"
    for ((i = 0; i < 100; i++)); do
        sweep --plan "$TMP/hand.tsv" >"$TMP/plan.tsv"
        [ -n "$(rows "$TMP/plan.tsv")" ] || break
        simulate --noise gauss:2 "$zen4" "$TMP/plan.tsv" >"$TMP/more.tsv"
        cat "$TMP/more.tsv" >>"$TMP/hand.tsv"
    done
    simulate --seed 5 --noise gauss:2 "$zen4" >"$TMP/whole.tsv"
    same 'the loop by hand gives the rows of the whole' "$(rows "$TMP/whole.tsv")" \
        "$(grep '^[0-9]' "$TMP/hand.tsv")"
else
    skip 'the loop by hand' 'needs sweep, pages of 4096 bytes and enough memory for its plan'
fi

# ---- mistakes ----

# bad NAME MESSAGE SED: the description of Zen 4 changed by sed is refused with the message.
bad() {
    sed "$3" "$zen4" >"$TMP/bad.tsv"
    exits 2 "$1" simulate "$TMP/bad.tsv" "$TMP/page.tsv"
    matches "$1: says where and why" "^simulate: .*/bad\\.tsv:$2" "$TMP/err"
    same "$1: no output" '' "$(cat "$TMP/out")"
}
t='	'
bad 'ways that do not divide' "8: column 'ways': 23 ways do not divide 3072 entries" "s/${t}24${t}/${t}23${t}/"
bad 'no entries' "8: column 'entries': 0 is not between 1 and" "s/3072/0/"
bad 'too many entries' "8: column 'entries': 307200000 is not between" "s/3072/307200000/"
bad 'more ways than entries' "8: column 'ways': 4000 is not between 1 and 3072" "s/${t}24${t}/${t}4000${t}/"
bad 'a negative time' "8: column 'ns': -1.6 ns is not between" "s/1\\.6/-1.6/"
bad 'a load that takes no time' "13: column 'ns': 0 ns is not between" "s/80/0/"
bad 'no time' "8: column 'ns': missing" "s/1\\.6/-/"
bad 'a time that is text' "8: column 'ns': 'soon' is not a number" "s/1\\.6/soon/"
bad 'an unknown replacement' "8: column 'replacement': 'plru' is not simulated; known: lru" '8s/lru/plru/'
bad 'an unknown index' "8: column 'index': 'xor7' is not simulated; known: linear" '8s/linear/xor7/'
bad 'full with ways' "8: column 'index': 'full' is not simulated" '8s/linear/full/'
bad 'an unknown relation' "8: column 'relation': 'exclusive' is not" '8s/neither/exclusive/'
bad 'coalescing' "7: column 'coalesce': '4' is not simulated" '7s/1$/4/'
bad 'an unknown structure' "9: column 'structure': 'wlak' is not one of" 's/^walk/wlak/'
bad 'another page' "7: column 'page_bytes': 8192 differs from the machine's 4096" '7s/4096/8192/'
bad 'another line' "10: column 'line_bytes': 128 differs from the machine's 64" "10s/64/128/"
bad 'a level twice' "8: column 'level': this level stands twice" "8s/dtlb${t}2/dtlb${t}1/"
bad 'a level too far' "8: column 'level': 5 is not between 1 and 4" "8s/dtlb${t}2/dtlb${t}5/"
bad 'a level missing' " dtlb level 3 stands there without level 2" "8s/dtlb${t}2/dtlb${t}3/"
bad 'a walk with ways' "9: column 'ways': this structure has none" "9s/walk$t-$t-$t-/walk$t-$t-${t}4/"
bad 'two memories' "14: column 'structure': this structure stands twice" '13p'
bad 'no memory' ' no row for the memory' '/^memory/d'
bad 'no walk' ' no row for the walk' '/^walk/d'
bad 'no name' " no metadata 'name'" '/^# name/d'
bad 'no page' " no metadata 'page_bytes'" '/^# page_bytes/d'
bad 'a page that is no size' " metadata 'page_bytes': 'big' is not a size" 's/^# page_bytes.*/# page_bytes: big/'
bad 'a page that is no power of two' ' metadata: page_bytes and line_bytes must be' 's/^# page_bytes.*/# page_bytes: 5000/'
bad 'a line longer than a page' ' metadata: a line must fit' 's/^# line_bytes.*/# line_bytes: 8192/'
bad 'no such column' " no column 'ways' in the header" '6s/ways/roads/'
printf '%s' "$(cat "$zen4")" >"$TMP/bad.tsv"
exits 2 'a description that is cut off' simulate "$TMP/bad.tsv" "$TMP/page.tsv"
: >"$TMP/empty.tsv"
exits 2 'an empty description' simulate "$TMP/empty.tsv"
exits 2 'no such description' simulate "$TMP/none.tsv"

# refused NAME MESSAGE: the points in bad.tsv are refused.
refused() {
    exits 2 "$1" simulate "$zen4" "$TMP/bad.tsv"
    matches "$1: says why" "$2" "$TMP/err"
}
printf 'pages\tlayout\tspacing_bytes\n4\tpage\t4096\n8\tbox\t256\n' >"$TMP/bad.tsv"
refused 'box without a buffer' "bad.tsv:3: column 'pages': .*buffer_bytes"
printf 'pages\tlayout\tspacing_bytes\n99999999999\tpage\t4096\n' >"$TMP/bad.tsv"
refused 'more than the memory' "bad.tsv:2: column 'pages': .*memory"
printf 'pages\tlayout\tspacing_bytes\n9000000000000000000\tline\t4096\n' >"$TMP/bad.tsv"
refused 'more than addresses reach' "bad.tsv:2: column 'pages': .*addresses"

exits 2 'no machine' simulate
matches 'no machine: says so' '^simulate: which machine' "$TMP/err"
exits 2 'an unknown option' simulate --loud "$zen4"
matches 'an unknown option: points to --help' "^Try 'simulate --help'" "$TMP/err"
for noise in gauss gauss: gauss:x gauss:-1 gauss:101 hiss:3 :3 gauss:3,,drift:1; do
    exits 2 "--noise $noise" simulate --noise "$noise" "$zen4" "$TMP/page.tsv"
    matches "--noise $noise: says what is expected" '^simulate: --noise .*expected gauss' "$TMP/err"
done
exits 2 '--seed wants a number' simulate --seed x "$zen4"
exits 0 '--help' simulate --help
matches '--help names the operands' 'MACHINE \[POINTS\.\.\.\]' "$TMP/out"
if [ -w /dev/full ]; then
    exits 2 'a full disk is an error' sh -c 'simulate "$1" "$2" >/dev/full' sh "$zen4" "$TMP/page.tsv"
fi
finish_tests
