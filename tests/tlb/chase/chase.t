#!/usr/bin/env bash
# chase.t: chase as a program: points from options and from tables, and mistakes made on purpose. Times are not
# judged. Refusals are in chase-refused.t, resuming after a kill in chase-resumed.t.
# shellcheck disable=SC2016,SC2059 # awk and sh -c have variables of their own; tables as formats
. "${0%/*}/../../tap.sh"
long_with_sanitizers
. "${0%/*}/chase.sh"

if [ "$PLATFORM" = none ]; then
    exits_saying 2 'chase: a system that cannot measure gives status 2' '^chase: cannot measure here: .' chase --pages 4
    same 'chase: a system that cannot measure gives no table' '' "$(cat "$TMP/out")"
    exits 0 'chase: --help works on a system that cannot measure' chase --help
    finish_tests
fi

# ---- points from options ----

exits 0 'chase: points from options are measured' "${quick[@]}" --pages 4,8 --layout page,packed --samples 2
same 'chase: points from options alternate the layouts and repeat the passes' \
    '4page0 4packed0 8page0 8packed0 4page1 4packed1 8page1 8packed1' \
    "$(rows "$TMP/out" | awk -F '\t' '{ print $1 $2 $6 }' | paste -s -d ' ' -)"
page=$(sed -n 's/^# page_bytes: //p' "$TMP/out")
line=$(sed -n 's/^# line_bytes: //p' "$TMP/out")
line=${line:-64}
same 'chase: each layout has its own default spacing' "packed $line page $page" \
    "$(rows "$TMP/out" | awk -F '\t' '{ print $2, $3 }' | sort -u | paste -s -d ' ' -)"
same 'chase: every sample of a read has a time and its loads' 8 \
    "$(rows "$TMP/out" | awk -F '\t' '$9 > 0 && $10 >= 2000 && $11 > 0 && $12 > 0' | grep -c .)"
for key in program version command seed page_bytes pinned_cpu core_kind sibling_busy timer_ns \
    timer_overhead_ns ghz_estimated; do
    matches "chase: the metadata have $key" "^# $key: ." "$TMP/out"
done
matches 'chase: --seed is in the metadata' '^# seed: 1$' "$TMP/out"
lacks 'chase: no # line follows the header' '^#' <(sed '1,/^pages/d' "$TMP/out")
same 'chase: every row has as many fields as the header' "$(grep '^pages' "$TMP/out" | awk -F '\t' '{ print NF }')" \
    "$(rows "$TMP/out" | awk -F '\t' '{ print NF }' | sort -u)"
same 'chase: no progress is shown where there is no terminal' '' "$(cat "$TMP/err")"

exits 0 'chase: --samples may be left out' "${quick[@]}" --pages 4
same 'chase: seven samples are the default' 7 "$(rows "$TMP/out" | grep -c .)"
prints 'chase: --seed may be left out' '^# seed: [1-9]' chase --pages 4 --samples 1 --loads 2000
exits 0 'chase: a chain of one node is measured' "${quick[@]}" --pages 1 --samples 1
prints 'chase: --meta is accepted' '^# note: a b$' "${quick[@]}" --pages 1 --samples 1 --meta note='a b' --meta x=

exits 0 "chase: the lab's linear loop is measured" chase --quiet --seed 1 --layout line --kernel linear --spacing 64 \
    --pages 1:16:+1 --samples 1
same 'chase: the linear loop has its columns refs, proc_s and sum' "refs${tab}proc_s${tab}sum${tab}backed" \
    "$(grep '^pages' "$TMP/out" | awk -F '\t' -v OFS='\t' '{ print $(NF-3), $(NF-2), $(NF-1), $NF }')"
same "chase: the linear loop's sum is its number of references" '' \
    "$(paste <(columns refs "$TMP/out") <(columns sum "$TMP/out") | awk '$1 != $2 || $1 < 1000000')"
same 'chase: the linear loop goes whole rounds at each size' '' "$(paste <(columns pages "$TMP/out") <(columns refs "$TMP/out") |
    awk '$2 % $1 != 0')"
same 'chase: the linear loop uses processor time' '' "$(columns proc_s "$TMP/out" | awk '!($1 > 0)')"
exits 0 'chase: the dummy loop is measured' "${quick[@]}" --kernel dummy --pages 16 --samples 1
same 'chase: the dummy loop is on layout line' line "$(columns layout "$TMP/out")"
same 'chase: the dummy loop counts its references' "$(columns refs "$TMP/out")" "$(columns sum "$TMP/out")"

printf '# %s\n' 'buffer_bytes: 67108864' 'chain: same-random-in-box' >"$TMP/windows.tsv"
printf 'pages\tlayout\tspacing_bytes\n16\tbox\t256\n256\tbox\t256\n' >>"$TMP/windows.tsv"
prints 'chase: windows of a buffer are measured' '^# buffer_bytes: 67108864$' "${quick[@]}" "$TMP/windows.tsv"
matches 'chase: windows of a buffer have their order in the metadata' '^# chain: same-random-in-box$' "$TMP/out"
same 'chase: windows of a buffer have nodes 256 bytes apart' 256 "$(columns spacing_bytes "$TMP/out" | sort -u)"
cp "$TMP/out" "$TMP/box.tsv"
exits 0 'chase: a table of windows is measured again' "${quick[@]}" "$TMP/box.tsv"
same 'chase: a table of windows measured again has the same points' "$(points "$TMP/box.tsv")" "$(points "$TMP/out")"
exits 0 'chase: windows and pages together are measured' "${quick[@]}" --layout page,box --pages 16 --samples 1
matches 'chase: windows and pages together have buffer_bytes in the metadata' '^# buffer_bytes: 268435456$' "$TMP/out"

# ---- sets, pages far apart, backings, code ----

# sets SPACING KERNEL OTHERS TARGETS...: points of layout set, each twice in turn.
sets() {
    local n
    printf 'pages\tlayout\tspacing_bytes\tkernel\ttargets\tothers\tsample\n'
    for _ in 1 2; do for n in "${@:4}"; do printf '%d\tset\t%d\t%s\t%d\t%d\t-\n' $((n + $3)) "$1" "$2" "$n" "$3"; done; done
}
sets 1048576 read 30 4 8 >"$TMP/points.tsv"
exits 0 'chase: targets among others are measured' "${quick[@]}" "$TMP/points.tsv"
same 'chase: targets and others add up to the pages' '34 4 30 38 8 30 34 4 30 38 8 30' \
    "$(paste -d ' ' <(columns pages "$TMP/out") <(columns targets "$TMP/out") <(columns others "$TMP/out") |
        paste -s -d ' ' -)"
cp "$TMP/out" "$TMP/sets.tsv"
exits 0 'chase: a table of sets is measured again' "${quick[@]}" "$TMP/sets.tsv"
same 'chase: a table of sets measured again has the same points' "$(rows "$TMP/sets.tsv" | cut -f 1-10)" "$(rows "$TMP/out" | cut -f 1-10)"
exits 0 'chase: targets beside pages are measured' "${quick[@]}" --layout page,set --pages 4 --spacing 1M --samples 1
same 'chase: targets beside pages leave the columns of a page empty' "- -${tab}4 0" \
    "$(paste -d ' ' <(columns targets "$TMP/out") <(columns others "$TMP/out") | paste -s -)"
exits 0 'chase: pages 1 GiB apart are measured' "${quick[@]}" --pages 200 --spacing 1G --samples 1
same 'chase: pages 1 GiB apart have that spacing' 1073741824 "$(columns spacing_bytes "$TMP/out")"

exits 0 'chase: contiguous pages are measured' "${quick[@]}" --backing contiguous --pages 600 --samples 1
matches 'chase: contiguous pages say whether they are contiguous' '^(yes$|hint \(|no \()' <(columns backed "$TMP/out")
exits 0 'chase: two backings in one table are measured' "${quick[@]}" - <<<"pages${tab}backing
40${tab}scattered
40${tab}contiguous"
same 'chase: two backings in one table have their own column backed' 2 "$(rows "$TMP/out" | awk -F '\t' '$NF ~ /^(yes$|hint \(|no \()/' | grep -c .)"
matches 'chase: two backings in one table are in the metadata before any buffer' '^# backing: scattered, contiguous$' "$TMP/out"

# If the system has no huge pages to give, chase must say so.
status=0
chase --quiet --seed 1 --loads 2000 --backing huge --pages 4 --samples 1 >"$TMP/huge.tsv" 2>"$TMP/err" || status=$?
if [ "$status" -eq 0 ]; then
    huge=$(columns page_bytes "$TMP/huge.tsv")
    check 'chase: huge pages are larger than base pages' test "$huge" -gt "$page"
    matches 'chase: huge pages are verified' '^(yes|hint \()' <(columns backed "$TMP/huge.tsv")
    same 'chase: huge pages hold one node each by default' "$huge" "$(columns spacing_bytes "$TMP/huge.tsv")"
    exits 0 'chase: a table of huge pages is measured again' "${quick[@]}" "$TMP/huge.tsv"
    same 'chase: a table of huge pages measured again keeps their size' "$(points "$TMP/huge.tsv")" "$(points "$TMP/out")"
    exits 0 'chase: several nodes on a huge page are measured' "${quick[@]}" --page-size "$huge" --layout page,packed \
        --spacing "$page" --pages 40 --samples 1
    same 'chase: several nodes on a huge page are a base page apart' "$page $line" "$(columns spacing_bytes "$TMP/out" | paste -s -d ' ' -)"
else
    same 'chase: a system without huge pages gives status 2' 2 "$status"
    matches 'chase: a system without huge pages says why' '^chase: .*(huge|pages of|transparent|need)' "$TMP/err"
    same 'chase: a system without huge pages gives no table' '' "$(cat "$TMP/huge.tsv")"
fi

case $(uname -m) in
x86_64 | amd64 | aarch64 | arm64)
    exits 0 'chase: a chain of jumps is measured' "${quick[@]}" --kernel code --layout page,packed,line --spacing "$page" --pages 1,20 --samples 1
    same 'chase: every sample of jumps has a time and its loads' 6 \
        "$(rows "$TMP/out" | awk -F '\t' '$7 == "code" && $9 > 0 && $10 >= 2000' | grep -c .)"
    exits 0 'chase: jumps among sets are measured' "${quick[@]}" - < <(sets 65536 code 9 4)
    # prctl(PR_SET_MDWE): from then on nothing writable can become executable, as under SELinux.
    call=$([ "$(uname -m)" = x86_64 ] && echo 157 || echo 167)
    if perl -e 'exit(syscall($ARGV[0] + 0, 65, 1, 0, 0, 0) == 0 ? 0 : 1)' "$call" 2>/dev/null; then
        exits_saying 2 'chase: --kernel code is refused where no memory may be executed' '^chase: kernel code needs memory to execute, and the system refuses' \
            perl -e 'syscall($ARGV[0] + 0, 65, 1, 0, 0, 0); shift; exec @ARGV' "$call" chase --kernel code --pages 4
        same 'chase: --kernel code gives no table where no memory may be executed' '' "$(cat "$TMP/out")"
    else
        skip 'chase: --kernel code is refused where no memory may be executed' 'needs perl and Linux 6.3'
    fi
    ;;
*)
    exits 2 'chase: --kernel code is refused on a processor without it' chase --kernel code --pages 4
    matches 'chase: --kernel code says why on a processor without it' '^chase: kernel code: ' "$TMP/err"
    ;;
esac

# ---- stores, several chains, kinds of core ----

exits 0 'chase: a chain of stores is measured' "${quick[@]}" --kernel write --layout page,packed,line --spacing "$page" --pages 1,200 --samples 1
same 'chase: every sample of stores has a time and its loads' 6 \
    "$(rows "$TMP/out" | awk -F '\t' '$7 == "write" && $9 > 0 && $10 >= 2000' | grep -c .)"
exits 0 'chase: stores among sets are measured' "${quick[@]}" - < <(sets 65536 write 9 4)

exits 0 'chase: several chains are measured' "${quick[@]}" --layout page,line --spacing "$page" --pages 16,100 --chains 1:16:+5 --samples 2
same 'chase: --chains gives a point for each number' '1 6 11 16 1 6 11 16' "$(columns chains "$TMP/out" | head -n 8 | paste -s -d ' ' -)"
same 'chase: --chains multiplies the sizes, layouts and samples' 32 "$(rows "$TMP/out" | grep -c .)"
same 'chase: several chains are measured in whole rounds' 32 "$(paste <(columns chains "$TMP/out") <(columns ns "$TMP/out") \
    <(columns loads "$TMP/out") | awk '$2 > 0 && $3 >= 2000 && $3 % $1 == 0' | grep -c .)"
same 'chase: the column chains is between backing and ns' "backing${tab}chains${tab}ns" "$(grep '^pages' "$TMP/out" | cut -f 8-10)"
cp "$TMP/out" "$TMP/chains.tsv"
exits 0 'chase: a table of chains is measured again' "${quick[@]}" "$TMP/chains.tsv"
same 'chase: a table of chains measured again has the same points' "$(rows "$TMP/chains.tsv" | cut -f 1-9)" "$(rows "$TMP/out" | cut -f 1-9)"
head -n "$(($(grep -c '' "$TMP/chains.tsv") - 7))" "$TMP/chains.tsv" >"$TMP/cut.tsv"
exits 0 'chase: an interrupted run of chains is resumed' chase --quiet --resume "$TMP/cut.tsv"
same 'chase: a resumed run of chains has all its points' "$(rows "$TMP/chains.tsv" | cut -f 1-9 | sort)" "$(rows "$TMP/out" | cut -f 1-9 | sort)"
exits 0 'chase: --chains 1 is accepted' "${quick[@]}" --pages 8 --chains 1 --samples 1
lacks 'chase: --chains 1 adds no column' "${tab}chains" "$TMP/out"
exits 0 'chase: chains beside sets are measured' "${quick[@]}" - <<<"pages${tab}layout${tab}spacing_bytes${tab}chains${tab}targets${tab}others
8${tab}line${tab}64${tab}3${tab}-${tab}-
8${tab}set${tab}65536${tab}-${tab}5${tab}3"
same 'chase: chains beside sets have their own columns' "3 - -${tab}1 5 3" "$(paste -d ' ' <(columns chains "$TMP/out") \
    <(columns targets "$TMP/out") <(columns others "$TMP/out") | paste -s -)"
exits 0 'simulate: a table of several chains is measured' simulate "$ROOT/src/tlb/models/zen4.tsv" "$TMP/chains.tsv"
same 'simulate: several chains share the time of one' '1 0.8 6 0.133333 11 0.072727 16 0.05' \
    "$(paste -d ' ' <(columns chains "$TMP/out") <(columns ns "$TMP/out") | head -n 4 | paste -s -d ' ' -)"
exits 0 'chase: --kernel random is measured' "${quick[@]}" --kernel random --spacing 64 --pages 640,1280 --samples 2
same 'chase: --kernel random is on layout local' 'local random' "$(rows "$TMP/out" | cut -f 2,7 | sort -u | tr '\t' ' ')"
same 'chase: --kernel random has a time in every sample' 4 "$(rows "$TMP/out" | awk -F '\t' '$9 > 0 && $10 >= 2000' | grep -c .)"
for layout in page line packed; do
    exits 2 "chase: --kernel random is refused on layout $layout" "${quick[@]}" --kernel random --layout "$layout" --pages 640
done
exits 2 'chase: --kernel random is refused on part of a page' "${quick[@]}" --kernel random --spacing 64 --pages 100
matches 'chase: --kernel random says that it wants whole pages' 'the nodes must fill whole pages' "$TMP/err"
printf 'pages\tlayout\tspacing_bytes\tpage_bytes\trole\tsample\tkernel\n64\tlocal\t64\t4096\tsweep\t0\trandom\n100\tlocal\t64\t4096\tsweep\t0\tread\n' >"$TMP/kernels.tsv"
exits 0 'chase: a kernel that loads any number of nodes shares memory with --kernel random' "${quick[@]}" "$TMP/kernels.tsv"

kind=$(sed -n 's/^# core_kind: //p' "$TMP/box.tsv")
status=0
chase --quiet --core-kind performance --pages 4 --samples 1 --loads 2000 >"$TMP/out" 2>"$TMP/err" || status=$?
if [ "$kind" = uniform ]; then
    same 'chase: --core-kind performance is accepted where all cores are alike' 0 "$status"
    exits 2 'chase: --core-kind efficiency is refused where all cores are alike' chase --quiet --core-kind efficiency --pages 4
    matches 'chase: --core-kind efficiency says that all cores are alike' '^chase: --core-kind efficiency: the cores of this machine are all alike' "$TMP/err"
    same 'chase: --core-kind efficiency gives no table where all cores are alike' '' "$(cat "$TMP/out")"
elif [ "$status" -eq 0 ]; then
    matches 'chase: --core-kind performance measures such a core' '^# core_kind: (performance|unknown)$' "$TMP/out"
else
    matches 'chase: --core-kind performance says that there is none' '^chase: --core-kind performance: ' "$TMP/err"
fi

# ---- points from tables ----

printf 'sample\trole\tlayout\tpages\textra\tkernel\tspacing_bytes\n' >"$TMP/some points.tsv"
printf '3\tcomparison\tpacked\t9\t?\tread\t64\n0\trefine\tline\t5\t?\tlinear\t128\n' \
    >>"$TMP/some points.tsv"
printf '7\tsweep\tpage\t4\t?\tread\t%s\n' "$page" "$((2 * page))" >>"$TMP/some points.tsv"
wanted="9${tab}packed${tab}64${tab}$page${tab}comparison${tab}3${tab}read${tab}scattered
5${tab}line${tab}128${tab}$page${tab}refine${tab}0${tab}linear${tab}scattered
4${tab}page${tab}$page${tab}$page${tab}sweep${tab}7${tab}read${tab}scattered
4${tab}page${tab}$((2 * page))${tab}$page${tab}sweep${tab}7${tab}read${tab}scattered"
exits 0 'chase: points from a table are measured' "${quick[@]}" "$TMP/some points.tsv"
same 'chase: points from a table are measured exactly, in their order' "$wanted" "$(points "$TMP/out")"
exits 0 'chase: points from stdin are measured' "${quick[@]}" <"$TMP/some points.tsv"
same 'chase: points from stdin are the same as from a file' "$wanted" "$(points "$TMP/out")"
exits 0 'chase: points from the operand - are measured' "${quick[@]}" - <"$TMP/some points.tsv"
same 'chase: points from the operand - are the same as from a file' "$wanted" "$(points "$TMP/out")"
cp "$TMP/out" "$TMP/samples.tsv"
exits 0 'chase: a table of samples is measured again' "${quick[@]}" "$TMP/samples.tsv"
same 'chase: a table of samples measured again has the same points' "$wanted" "$(points "$TMP/out")"
exits 0 'chase: a table without points is accepted' "${quick[@]}" <<<pages
same 'chase: a table without points gives one without samples' '' "$(rows "$TMP/out")"
exits 0 'chase: metadata of a table of points are accepted' "${quick[@]}" <<<"# note: mine
pages"
matches 'chase: metadata of a table of points are copied' '^# note: mine$' "$TMP/out"
exits 0 'chase: a table of points with a seed is measured' chase --quiet --loads 2000 <<<"# seed: 77
pages
4"
matches 'chase: without --seed the seed of the table of points is taken' '^# seed: 77$' "$TMP/out"
printf 'pages\n4\n8' >"$TMP/cut points.tsv"
exits 1 'chase: a table whose last line is cut gives status 1' "${quick[@]}" "$TMP/cut points.tsv"
same 'chase: a last line that is cut is dropped' 4 "$(columns pages "$TMP/out")"
matches 'chase: a last line that is cut gives a warning' "cut points.tsv:3: the last line has no newline" "$TMP/err"
{
    echo 'pages'
    for ((i = 0; i < 30; i++)); do echo $((1 + i % 12)); done
} >"$TMP/same.tsv"
exits 0 'chase: a point listed many times is measured' "${quick[@]}" "$TMP/same.tsv"
same 'chase: a point listed many times is measured as often' 30 "$(rows "$TMP/out" | grep -c .)"
{
    printf '# buffer_bytes: 4096\npages\tlayout\tspacing_bytes\n'
    for ((i = 1; i <= 12; i++)); do printf '%s\tline\t%s\n' 4 $((8 * i)) $((64 * i)) $((8 * i)); done
} >"$TMP/spacings.tsv"
exits 0 'chase: a table of more spacings than buffers are kept is measured' "${quick[@]}" "$TMP/spacings.tsv"
same 'chase: more spacings than buffers are kept are all measured' 24 "$(rows "$TMP/out" | grep -c .)"

# ---- mistakes ----

for mistake in vanished dilution prefetched claims cold; do
    exits 0 "chase: mistake $mistake: two layouts are measured" "${quick[@]}" --mistake "$mistake" --layout line,packed --pages 4,300 --samples 2
    matches "chase: mistake $mistake: the metadata name it" "^# mistake: $mistake\$" "$TMP/out"
    same "mistake $mistake: every row has a time" 8 "$(columns ns "$TMP/out" | awk '$1 > 0' | grep -c .)"
    if [ "$mistake" = vanished ] && [ "$VARIANT" = plain ]; then
        matches 'chase: mistake vanished: less than a cycle is called impossible' \
            '^chase: an access took [^ ]+ ns, less than a cycle .*impossible.* the compiler dropped the loop' "$TMP/err"
    elif [ "$mistake" != vanished ]; then
        same "chase: mistake $mistake: nothing is written to stderr" '' "$(cat "$TMP/err")"
    fi
done
lacks 'chase: mistake cold: no work before the first sample, so no frequency' '^# ghz_estimated' "$TMP/out"
exits 0 'chase: mistake storebuffer: stores are measured' "${quick[@]}" --mistake storebuffer --kernel write --layout line --pages 4,300 --samples 2
matches 'chase: mistake storebuffer: the metadata name it' '^# mistake: storebuffer$' "$TMP/out"
chase --quiet --seed 1 --loads 2000 --mistake claims --pages 4 --layout packed --samples 1 >"$TMP/lies.tsv"
same 'mistake claims: a line is said to be twice as long' "$((2 * line)) $((2 * line))" \
    "$(sed -n 's/^# line_bytes: //p' "$TMP/lies.tsv") $(columns spacing_bytes "$TMP/lies.tsv")"
same 'chase: mistake claims: the page is left alone' "$page" "$(sed -n 's/^# page_bytes: //p' "$TMP/lies.tsv")"
status=0
chase --quiet --mistake swap --pages 4 --samples 1 >"$TMP/out" 2>"$TMP/err" || status=$?
if [ "$status" -eq 0 ]; then
    matches 'chase: mistake swap: there is swap for this process' '^# mistake: swap$' "$TMP/out"
else
    same 'mistake swap: without swap it ends' 2 "$status"
    matches 'chase: mistake swap: without swap it says what is missing' \
        '^chase: --mistake swap: it needs swap for this process alone: .*(no swap|no control group|no control groups)' "$TMP/err"
    same 'chase: mistake swap: without swap it gives no table' '' "$(cat "$TMP/out")"
fi
exits 0 'chase: a run without --mistake is measured' "${quick[@]}" --pages 4 --samples 1
lacks 'chase: a run without --mistake has none in the metadata' '^# mistake' "$TMP/out"
same 'chase: a run without --mistake calls nothing impossible' '' "$(cat "$TMP/err")"
status=0
chase --quiet --seed 1 --loads 2000 --mistake migrate --layout line --pages 300 --samples 3 >"$TMP/out" 2>"$TMP/err" ||
    status=$?
if [ "$status" -eq 0 ]; then
    matches 'chase: mistake migrate: the chain is not pinned' '^# pinned_cpu: no \(' "$TMP/out"
    same 'chase: mistake migrate: three samples are measured' 3 "$(rows "$TMP/out" | grep -c .)"
    [ "$(nproc)" -ne 2 ] ||
        matches 'chase: mistake migrate: the process was moved between cores' '^1' <(columns migrations "$TMP/out")
else
    matches 'chase: mistake migrate: one core alone is named' '^chase: the thread cannot be moved from core to core: ' "$TMP/err"
fi
if [ "$PLATFORM" = linux ] && command -v taskset >/dev/null; then
    exits_saying 2 'chase: mistake migrate: one core alone is refused' 'this process may use only one core' \
        taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" chase --mistake migrate --layout line --pages 4
else
    skip 'chase: mistake migrate: one core alone is refused' 'needs taskset'
fi

finish_tests
