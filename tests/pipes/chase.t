#!/usr/bin/env bash
# chase.t: chase as a program: points from options and from tables, what it refuses, what is left
# when it is killed, and how it goes on. No time is judged.
# shellcheck disable=SC2016,SC2059 # awk and sh -c have variables of their own; tables as formats
. "${0%/*}/tap.sh"

tab=$(printf '\t')
quick=(chase --quiet --seed 1 --loads 2000)

rows() { grep -v '^#' "$1" | sed 1d; }
# What makes the point and the sample: the first eight columns, without the header.
points() { rows "$1" | cut -f 1-8; }
# column NAME FILE: its values.
column() { awk -F '\t' -v name="$1" '/^#/ { next }
    !c { for (c = 1; $c != name && c <= NF; c++); next } { print $c }' "$2"; }

if [ "$PLATFORM" = none ]; then
    exits 2 'chase: a system that cannot measure gives status 2' chase --pages 4
    matches 'chase: a system that cannot measure is named' '^chase: cannot measure here: .' "$TMP/err"
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
exits 0 'chase: --seed may be left out' chase --pages 4 --samples 1 --loads 2000
matches 'chase: without --seed one is drawn and written' '^# seed: [1-9]' "$TMP/out"
exits 0 'chase: a chain of one node is measured' "${quick[@]}" --pages 1 --samples 1
exits 0 'chase: --meta is accepted' "${quick[@]}" --pages 1 --samples 1 --meta note='a b' --meta x=
matches 'chase: --meta is in the metadata' '^# note: a b$' "$TMP/out"

exits 0 "chase: the lab's linear loop is measured" chase --quiet --seed 1 --layout line --kernel linear --spacing 64 \
    --pages 1:16:+1 --samples 1
same 'chase: the linear loop has its columns refs, proc_s and sum' "refs${tab}proc_s${tab}sum${tab}backed" \
    "$(grep '^pages' "$TMP/out" | awk -F '\t' -v OFS='\t' '{ print $(NF-3), $(NF-2), $(NF-1), $NF }')"
same "chase: the linear loop's sum is its number of references" '' \
    "$(paste <(column refs "$TMP/out") <(column sum "$TMP/out") | awk '$1 != $2 || $1 < 1000000')"
same 'chase: the linear loop goes whole rounds at each size' '' "$(paste <(column pages "$TMP/out") <(column refs "$TMP/out") |
    awk '$2 % $1 != 0')"
same 'chase: the linear loop uses processor time' '' "$(column proc_s "$TMP/out" | awk '!($1 > 0)')"
exits 0 'chase: the dummy loop is measured' "${quick[@]}" --kernel dummy --pages 16 --samples 1
same 'chase: the dummy loop is on layout line' line "$(column layout "$TMP/out")"
same 'chase: the dummy loop counts its references' "$(column refs "$TMP/out")" "$(column sum "$TMP/out")"

exits 0 'chase: windows of a buffer are measured' "${quick[@]}" --layout box --buffer 64M --pages 16,256 --samples 1 \
    --chain same-random-in-box
matches 'chase: windows of a buffer have buffer_bytes in the metadata' '^# buffer_bytes: 67108864$' "$TMP/out"
matches 'chase: windows of a buffer have their order in the metadata' '^# chain: same-random-in-box$' "$TMP/out"
same 'chase: windows of a buffer have nodes 256 bytes apart' 256 "$(column spacing_bytes "$TMP/out" | sort -u)"
cp "$TMP/out" "$TMP/box.tsv"
exits 0 'chase: a table of windows is measured again' "${quick[@]}" "$TMP/box.tsv"
same 'chase: a table of windows measured again has the same points' "$(points "$TMP/box.tsv")" "$(points "$TMP/out")"
exits 0 'chase: windows beside pages are measured' "${quick[@]}" --layout page,box --buffer 1M --pages 16 --samples 1
matches 'chase: windows beside pages have buffer_bytes in the metadata' '^# buffer_bytes: 1048576$' "$TMP/out"

# ---- sets, pages far apart, backings, code ----

exits 0 'chase: targets among others are measured' "${quick[@]}" --layout set --pages 4,8 --spacing 1M --others 30 --samples 2
same 'chase: targets and others add up to the pages' '34 4 30 38 8 30 34 4 30 38 8 30' \
    "$(paste -d ' ' <(column pages "$TMP/out") <(column targets "$TMP/out") <(column others "$TMP/out") |
        paste -s -d ' ' -)"
cp "$TMP/out" "$TMP/sets.tsv"
exits 0 'chase: a table of sets is measured again' "${quick[@]}" "$TMP/sets.tsv"
same 'chase: a table of sets measured again has the same points' "$(rows "$TMP/sets.tsv" | cut -f 1-10)" "$(rows "$TMP/out" | cut -f 1-10)"
exits 0 'chase: targets beside pages are measured' "${quick[@]}" --layout page,set --pages 4 --spacing 1M --samples 1
same 'chase: targets beside pages leave the columns of a page empty' "- -${tab}4 0" \
    "$(paste -d ' ' <(column targets "$TMP/out") <(column others "$TMP/out") | paste -s -)"
exits 0 'chase: pages 1 GiB apart are measured' "${quick[@]}" --pages 200 --spacing 1G --samples 1
same 'chase: pages 1 GiB apart have that spacing' 1073741824 "$(column spacing_bytes "$TMP/out")"

exits 0 'chase: contiguous pages are measured' "${quick[@]}" --backing contiguous --pages 600 --samples 1
matches 'chase: contiguous pages say whether they are contiguous' '^(yes$|hint \(|no \()' <(column backed "$TMP/out")
exits 0 'chase: two backings in one table are measured' "${quick[@]}" - <<<"pages${tab}backing
40${tab}scattered
40${tab}contiguous"
same 'chase: two backings in one table have their own column backed' 2 "$(rows "$TMP/out" | awk -F '\t' '$NF ~ /^(yes$|hint \(|no \()/' | grep -c .)"
matches 'chase: two backings in one table are in the metadata before any buffer' '^# backing: scattered, contiguous$' "$TMP/out"

# A system may have no huge pages to give, and must say so then.
status=0
chase --quiet --seed 1 --loads 2000 --backing huge --pages 4 --samples 1 >"$TMP/huge.tsv" 2>"$TMP/err" || status=$?
if [ "$status" -eq 0 ]; then
    huge=$(column page_bytes "$TMP/huge.tsv")
    check 'chase: huge pages are larger than base pages' test "$huge" -gt "$page"
    matches 'chase: huge pages are verified' '^(yes|hint \()' <(column backed "$TMP/huge.tsv")
    same 'chase: huge pages hold one node each by default' "$huge" "$(column spacing_bytes "$TMP/huge.tsv")"
    exits 0 'chase: a table of huge pages is measured again' "${quick[@]}" "$TMP/huge.tsv"
    same 'chase: a table of huge pages measured again keeps their size' "$(points "$TMP/huge.tsv")" "$(points "$TMP/out")"
    exits 0 'chase: several nodes on a huge page are measured' "${quick[@]}" --page-size "$huge" --layout page,packed \
        --spacing "$page" --pages 40 --samples 1
    same 'chase: several nodes on a huge page lie a base page apart' "$page $line" "$(column spacing_bytes "$TMP/out" | paste -s -d ' ' -)"
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
    exits 0 'chase: jumps among sets are measured' "${quick[@]}" --kernel code --layout set --spacing 64K --pages 4 --others 9
    # prctl(PR_SET_MDWE): from then on nothing writable can become executable, as under SELinux.
    call=$([ "$(uname -m)" = x86_64 ] && echo 157 || echo 167)
    if perl -e 'exit(syscall($ARGV[0] + 0, 65, 1, 0, 0, 0) == 0 ? 0 : 1)' "$call" 2>/dev/null; then
        exits 2 'chase: --kernel code is refused where no memory may be executed' perl -e \
            'syscall($ARGV[0] + 0, 65, 1, 0, 0, 0); shift; exec @ARGV' "$call" chase --kernel code --pages 4
        matches 'chase: --kernel code says that no memory may be executed' '^chase: kernel code needs memory to execute, and the system refuses' "$TMP/err"
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
exits 0 'chase: stores among sets are measured' "${quick[@]}" --kernel write --layout set --spacing 64K --pages 4 --others 9

exits 0 'chase: several chains are measured' "${quick[@]}" --layout page,line --spacing "$page" --pages 16,100 --chains 1:16:+5 --samples 2
same 'chase: --chains gives a point for each number' '1 6 11 16 1 6 11 16' "$(column chains "$TMP/out" | head -n 8 | paste -s -d ' ' -)"
same 'chase: --chains multiplies the sizes, layouts and samples' 32 "$(rows "$TMP/out" | grep -c .)"
same 'chase: several chains are measured in whole rounds' 32 "$(paste <(column chains "$TMP/out") <(column ns "$TMP/out") \
    <(column loads "$TMP/out") | awk '$2 > 0 && $3 >= 2000 && $3 % $1 == 0' | grep -c .)"
same 'chase: the column chains stands between backing and ns' "backing${tab}chains${tab}ns" "$(grep '^pages' "$TMP/out" | cut -f 8-10)"
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
same 'chase: chains beside sets have their own columns' "3 - -${tab}1 5 3" "$(paste -d ' ' <(column chains "$TMP/out") \
    <(column targets "$TMP/out") <(column others "$TMP/out") | paste -s -)"
exits 0 'simulate: a table of several chains is measured' simulate "$ROOT/tests/models/zen4.tsv" "$TMP/chains.tsv"
same 'simulate: several chains share the time of one' '1 0.8 6 0.133333 11 0.072727 16 0.05' \
    "$(paste -d ' ' <(column chains "$TMP/out") <(column ns "$TMP/out") | head -n 4 | paste -s -d ' ' -)"
exits 0 'chase: --kernel random is measured' "${quick[@]}" --kernel random --spacing 64 --pages 640,1280 --samples 2
same 'chase: --kernel random is on layout local' 'local random' "$(rows "$TMP/out" | cut -f 2,7 | sort -u | tr '\t' ' ')"
same 'chase: --kernel random has a time in every sample' 4 "$(rows "$TMP/out" | awk -F '\t' '$9 > 0 && $10 >= 2000' | grep -c .)"
for layout in page line packed; do
    exits 2 "chase: --kernel random is refused on layout $layout" "${quick[@]}" --kernel random --layout "$layout" --pages 640
done
exits 2 'chase: --kernel random is refused on part of a page' "${quick[@]}" --kernel random --spacing 64 --pages 100
matches 'chase: --kernel random says that it wants whole pages' 'whole number of pages' "$TMP/err"

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

# ---- broken on purpose ----

for mistake in vanished dilution prefetched claims cold; do
    exits 0 "chase: mistake $mistake: two layouts are measured" "${quick[@]}" --mistake "$mistake" --layout line,packed --pages 4,300 --samples 2
    matches "chase: mistake $mistake: the metadata name it" "^# mistake: $mistake\$" "$TMP/out"
    same "mistake $mistake: every row has a time" 8 "$(column ns "$TMP/out" | awk '$1 > 0' | grep -c .)"
    if [ "$mistake" = vanished ] && [ "$VARIANT" = plain ]; then
        matches 'chase: mistake vanished: less than a cycle is called impossible' \
            '^chase: an access took [^ ]+ ns, less than a cycle .*impossible.* the compiler left the loop out' "$TMP/err"
    elif [ "$mistake" != vanished ]; then
        same "chase: mistake $mistake: nothing is written to stderr" '' "$(cat "$TMP/err")"
    fi
done
lacks 'chase: mistake cold: no work before the first sample, so no frequency' '^# ghz_estimated' "$TMP/out"
exits 0 'chase: mistake storebuffer: stores are measured' "${quick[@]}" --mistake storebuffer --kernel write --layout line --pages 4,300 --samples 2
matches 'chase: mistake storebuffer: the metadata name it' '^# mistake: storebuffer$' "$TMP/out"
chase --quiet --seed 1 --loads 2000 --mistake claims --pages 4 --layout packed --samples 1 >"$TMP/lies.tsv"
same 'mistake claims: a line is said to be twice as long' "$((2 * line)) $((2 * line))" \
    "$(sed -n 's/^# line_bytes: //p' "$TMP/lies.tsv") $(column spacing_bytes "$TMP/lies.tsv")"
same 'chase: mistake claims: the page is left alone' "$page" "$(sed -n 's/^# page_bytes: //p' "$TMP/lies.tsv")"
status=0
chase --quiet --mistake swap --pages 4 --samples 1 >"$TMP/out" 2>"$TMP/err" || status=$?
if [ "$status" -eq 0 ]; then
    matches 'chase: mistake swap: there is swap for this process' '^# mistake: swap$' "$TMP/out"
else
    same 'mistake swap: without swap it ends' 2 "$status"
    matches 'chase: mistake swap: without swap it says what is missing' \
        '^chase: --mistake swap: nothing would be swapped out here alone: .*(no swap|no control group|no control groups)' "$TMP/err"
    same 'chase: mistake swap: without swap it gives no table' '' "$(cat "$TMP/out")"
fi
exits 0 'chase: --fault is an older name of --mistake' "${quick[@]}" --fault cold --layout line --pages 4 --samples 1
matches 'chase: --fault: the metadata name the mistake' '^# mistake: cold$' "$TMP/out"
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
        matches 'chase: mistake migrate: the process was moved between cores' '^1' <(column migrations "$TMP/out")
else
    matches 'chase: mistake migrate: one core alone is named' '^chase: nothing can be moved from core to core here: ' "$TMP/err"
fi
if [ "$PLATFORM" = linux ] && command -v taskset >/dev/null; then
    exits 2 'chase: mistake migrate: one core alone is refused' taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" chase --mistake migrate \
        --layout line --pages 4
    matches 'chase: mistake migrate: one core alone is named as the reason' 'this process may use one core alone' "$TMP/err"
else
    skip 'chase: mistake migrate: one core alone is refused' 'needs taskset'
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
same 'chase: a last line that is cut is dropped' 4 "$(column pages "$TMP/out")"
matches 'chase: a last line that is cut gives a warning' "cut points.tsv:3: the last line has no newline" "$TMP/err"
{
    echo 'pages'
    for ((i = 0; i < 30; i++)); do echo $((1 + i % 12)); done
} >"$TMP/same.tsv"
exits 0 'chase: a point that stands in a table many times is measured' "${quick[@]}" "$TMP/same.tsv"
same 'chase: a point that stands in a table many times is measured as often' 30 "$(rows "$TMP/out" | grep -c .)"
{
    printf '# buffer_bytes: 4096\npages\tlayout\tspacing_bytes\n'
    for ((i = 1; i <= 12; i++)); do printf '%s\tline\t%s\n' 4 $((8 * i)) $((64 * i)) $((8 * i)); done
} >"$TMP/spacings.tsv"
exits 0 'chase: a table of more spacings than buffers are kept is measured' "${quick[@]}" "$TMP/spacings.tsv"
same 'chase: more spacings than buffers are kept are all measured' 24 "$(rows "$TMP/out" | grep -c .)"

# ---- refused ----

# refuses NAME REGEX OPTION...: a message, exit status 2, nothing on stdout.
refuses() {
    local name=$1 regex=$2
    shift 2
    exits 2 "chase refuses $name" chase --quiet "$@"
    matches "chase refuses $name and says why" "$regex" "$TMP/err"
    same "chase refuses $name without a table" '' "$(cat "$TMP/out")"
}
# refuses_points NAME REGEX TEXT
refuses_points() { refuses "$1" "$2" - < <(printf "$3"); }

refuses 'no node' '--pages: a chain needs at least one page' --pages 0
refuses 'a stride of 3' '--spacing 3: nodes hold pointers' --pages 4 --layout line --stride 3
refuses 'no distance' "--spacing '0': expected a size above 0" --pages 4 --spacing 0
refuses 'no buffer' "--buffer '0': expected a size above 0" --pages 4 --layout box --buffer 0
refuses 'a spacing of 12' '--spacing 12: nodes hold pointers' --pages 4 --spacing 12
refuses 'less than a page in layout page' '--spacing 64: layout page' --pages 4 --spacing 64
refuses 'more than there is' '^chase: [0-9]+ nodes of layout page need [0-9]+ MiB, and [0-9]+ MiB are available \(.+\)$' \
    --pages 8G
refuses 'more than addresses reach' '^chase: .*do not fit into the address space' --pages 17179869183G
refuses 'further apart than addresses reach' '^chase: 4096 nodes of layout page, 1099511627776 bytes apart, span .* GiB of address space' \
    --pages 4096 --spacing 1024G
refuses 'targets without a distance' '--spacing 0: layout set has its targets' --pages 4 --layout set
refuses 'targets closer than a page' '--spacing 512: layout set has its targets' --pages 4 --layout set --spacing 512
refuses 'others without targets' '--others goes with --layout set' --pages 4 --others 4
refuses 'a page of three' '--page-size 12288: a page is a power of two' --pages 4 --page-size 12K
refuses 'a page too small' '--page-size 512: a page is a power of two' --pages 4 --page-size 512
refuses 'huge pages of the usual size' '--backing huge has no pages of [0-9]+ bytes' --pages 4 --backing huge --page-size "$page"
refuses 'huge pages scattered' '--backing scattered has no pages of' --pages 4 --backing scattered --page-size 1G
refuses 'a page that nobody has' '^chase: no pages of 128 KiB are to be had: ' --pages 4 --page-size 128K
refuses 'code too close' '--spacing 8: nodes are code, so their distance' --pages 4 --kernel code --layout line --spacing 8
refuses 'stores too close' '--spacing 24: nodes hold a pointer and a word, so their distance' --pages 4 --kernel write --layout line --spacing 24
refuses 'no chain' '--chains 0: at least one' --pages 4 --chains 0
refuses 'too many chains' '--chains 17: a core walks 1 to 16' --pages 100 --chains 17
refuses 'more chains than nodes' '--chains 5: more chains than nodes' --pages 8,4 --chains 5
refuses 'chains of stores' '--chains 2: this kernel walks one' --pages 8 --chains 2 --kernel write
refuses 'chains of the lab' '--chains 2: this kernel walks one' --pages 8 --chains 2 --kernel linear
refuses 'chains in windows' '--chains 2: several chains go with' --pages 8 --layout box --buffer 1M --chains 2
refuses 'chains beside a table' '--chains go with --pages' --chains 2 "$TMP/same.tsv"
refuses 'an unknown kind of core' "--core-kind 'fast': there are performance and efficiency" --pages 4 --core-kind fast
refuses 'an unknown mistake' "--mistake 'late': there are vanished, dilution, storebuffer, prefetched, swap, claims, cold, migrate" \
    --pages 4 --mistake late
refuses 'a fault on pages' '--mistake cold is made for the layouts line and packed' --pages 4 --mistake cold
refuses 'a fault of another kernel' '--mistake storebuffer is made for kernel write' --pages 4 --layout line --mistake storebuffer
refuses 'a fault of chains' '--mistake cold is made for kernel read, with one chain' --pages 4 --layout line \
    --mistake cold --chains 2
refuses 'words of less than a line' '--mistake dilution wants its nodes a line' --pages 4 --layout line --spacing 8 \
    --mistake dilution
refuses 'a huge buffer' 'nodes of layout box need [0-9]+ MiB' --pages 4 --layout box --buffer 1000000G
refuses 'a buffer of one node' 'holds fewer than 2 nodes' --pages 1 --layout box --buffer 300
refuses 'a window larger than the buffer' 'is larger than the buffer' --pages 64 --layout box --buffer 4K
refuses 'a bad range' "--pages '4:8': expected a list such as" --pages 4:8
refuses 'a range too long' "--pages .*a million values at most" --pages 1:2000000:+1
refuses 'an unknown option' "unknown option '--pagos'" --pagos 4
refuses 'an option without value' "option '--pages' wants a value" --pages
refuses 'a word for a number' "--samples 'many': expected a whole number" --samples many --pages 4
refuses 'an unknown layout' "--layout 'pages': there are page, packed, line, box" --pages 4 --layout pages
refuses 'an unknown kernel' "--kernel 'x'" --pages 4 --kernel x
refuses 'linear on pages' '--kernel linear walks memory in order' --pages 4 --kernel linear --layout page
refuses 'global-random' 'has no windows' --pages 4 --layout box --chain global-random
refuses 'a budget below nothing' "--budget '-1': expected more than 0 seconds" --pages 4 --budget -1
refuses 'points twice' 'from --pages or from a file, not from both' --pages 4 "$TMP/same.tsv"
refuses '--meta without value' "--meta 'x': expected KEY=VALUE" --pages 4 --meta x
refuses_points 'a spacing of 12 in a table' "-:2: spacing 12: nodes hold pointers" \
    'pages\tlayout\tspacing_bytes\n4\tline\t12\n'
refuses_points 'code 24 bytes apart in a table' "-:2: spacing 24: nodes are code" \
    'pages\tlayout\tspacing_bytes\tkernel\n4\tline\t24\tcode\n'
refuses_points 'stores 24 bytes apart in a table' "-:2: spacing 24: nodes hold a pointer and" \
    'pages\tlayout\tspacing_bytes\tkernel\n4\tline\t24\twrite\n'
refuses_points 'rounds of stores in a table' "-:2: kernel write leaves no room for the rounds of layout set" \
    'pages\tlayout\tspacing_bytes\tkernel\ttargets\tothers\n8\tset\t65536\twrite\t4\t0\n'
refuses_points 'no chain in a table' "-:2: column 'chains': at least one chain" 'pages\tchains\n4\t0\n'
refuses_points 'too many chains in a table' "-:3: chains 17: a core walks 1 to 16" 'pages\tchains\n4\t1\n40\t17\n'
refuses_points 'more chains than nodes in a table' "-:2: chains 5: more chains" 'pages\tchains\n4\t5\n'
refuses_points 'targets closer than a page in a table' "-:2: spacing 512: layout set has its targets" \
    'pages\tlayout\tspacing_bytes\ttargets\tothers\n4\tset\t512\t4\t0\n'
refuses_points 'huge pages of no size in a table' "-:2: backing huge has no pages of [0-9]* bytes" \
    'pages\tbacking\n4\thuge\n'
refuses_points 'linear on pages in a table' "-:3: kernel linear walks" \
    'pages\tkernel\n4\tread\n4\tlinear\n'
refuses_points 'a box without a buffer' "-:2: layout box needs metadata buffer_bytes" \
    'pages\tlayout\tspacing_bytes\n4\tbox\t64\n'
refuses_points 'a table without pages' "-: no column 'pages' in the header" 'ns\n4\n'
refuses_points 'pages as a word' "-:2: column 'pages': 'x' is not a number" 'pages\nx\n'
refuses_points 'more than there is, in a table' 'need [0-9]+ MiB' 'pages\n8589934592\n'

if [ "$VARIANT" = asan ]; then
    skip 'chase: RLIMIT_AS is named as the limit' 'address sanitizer takes more than that'
else
    exits 2 'chase: more memory than RLIMIT_AS is refused' sh -c 'ulimit -v 120000 && exec chase --pages 100000'
    matches 'chase: more memory than RLIMIT_AS names the cause' 'need 390 MiB, and [0-9]+ MiB are available \(RLIMIT_AS\)|address space|need [0-9]+ MiB' \
        "$TMP/err"
fi
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null &&
    setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$OUT/chase" 2>/dev/null; then
    exits 0 'chase: a user without rights can measure' setpriv --reuid=65534 --regid=65534 --clear-groups \
        "$OUT/chase" --pages 4,100 --samples 1 --loads 2000
    same 'chase: a user without rights has all samples' 2 "$(rows "$TMP/out" | grep -c .)"
    matches 'chase: a user without rights is told what could not be verified' '^(hint|yes)' <(column backed "$TMP/out")
else
    skip 'chase: a user without rights can measure' 'needs root, setpriv and a readable build'
fi

# ---- killed, and resumed ----

task=(--pages '4:64:x1.5' --layout 'page,packed' --samples 3 --loads 2000 --seed 5)
chase --quiet "${task[@]}" >"$TMP/full.tsv"
matches 'chase: each option is a line of metadata' '^# option: chase --pages 4:64:x1\.5$' "$TMP/full.tsv"
same 'chase: the whole run to be resumed has all its samples' 42 "$(rows "$TMP/full.tsv" | grep -c .)"

# resumes NAME FILE [OPTION...]: the rows of FILE first, then what was missing.
resumes() {
    local name=$1 file=$2
    shift 2
    exits 0 "chase: $name is resumed" chase --quiet --resume "$file" "$@"
    same "chase: $name, resumed, is complete and has nothing twice" "$(points "$TMP/full.tsv" | sort)" "$(points "$TMP/out" | sort)"
    rows "$file" >"$TMP/before"
    [ -z "$(tail -c 1 "$file")" ] || sed -i.bak '$d' "$TMP/before"
    same "chase: $name, resumed, begins with what was measured" "$(cat "$TMP/before")" \
        "$(rows "$TMP/out" | head -n "$(grep -c '' "$TMP/before")")"
}

sed '/^[0-9]/,$d' "$TMP/full.tsv" >"$TMP/header.tsv"
resumes 'a header alone' "$TMP/header.tsv"
resumes 'a complete run' "$TMP/full.tsv"
lines=$(($(grep -c '' "$TMP/full.tsv") - 30))
head -n "$lines" "$TMP/full.tsv" >"$TMP/part.tsv"
resumes 'half a run' "$TMP/part.tsv"
lacks 'chase: half a run, resumed, gives no warning' . "$TMP/err"
cp "$TMP/out" "$TMP/again.tsv"
printf '12\tpage\t40' >>"$TMP/part.tsv"
resumes 'half a row at the end' "$TMP/part.tsv"
matches 'chase: half a row at the end, resumed, is dropped with a warning' 'part.tsv:[0-9]+: the last line has no newline' "$TMP/err"
resumes 'the same options again' "$TMP/part.tsv" --seed 5 --samples 3
head -n "$(($(grep -c '' "$TMP/again.tsv") - 9))" "$TMP/again.tsv" >"$TMP/twice.tsv"
resumes 'a run that was resumed' "$TMP/twice.tsv"
awk -F '\t' -v OFS='\t' '/^[0-9]/ && $1 == 9 { $9 = "-" } { print }' "$TMP/full.tsv" >"$TMP/holes.tsv"
exits 0 'chase: a run with rows that were not measured is resumed' chase --quiet --resume "$TMP/holes.tsv"
same 'chase: rows that were not measured are measured on resuming' "$(points "$TMP/full.tsv" | sort)" "$(points "$TMP/out" | sort)"

refuses 'another seed' '--seed .*6.* contradicts' --resume "$TMP/part.tsv" --seed 6
refuses 'other sizes' "--pages '4' contradicts the run to be resumed" --resume "$TMP/part.tsv" --pages 4
refuses 'an option that it did not have' "--spacing '4K' contradicts" --resume "$TMP/part.tsv" --spacing 4K
grep -v '^# option' "$TMP/header.tsv" >"$TMP/older.tsv"
refuses 'a run that has not recorded its options' \
    'older.tsv: its options are not recorded' --resume "$TMP/older.tsv"
sed '/^# option: chase --seed/a# option: chase --no-such 4' "$TMP/part.tsv" >"$TMP/newer.tsv"
refuses 'an option of another version' "newer.tsv: the option '--no-such 4'" \
    --resume "$TMP/newer.tsv"
refuses 'stdin' '--resume wants a file' --resume -
refuses 'a file that is not there' 'cannot open' --resume "$TMP/none.tsv"
refuses 'an empty file' 'no header line' --resume /dev/null
cp "$TMP/part.tsv" "$TMP/own.tsv"
exits 2 'chase: resuming into its own input is refused' sh -c 'exec chase --resume "$1" >>"$1"' sh "$TMP/own.tsv"
matches 'chase: resuming into its own input is named as the reason' "that is this program's output" "$TMP/err"
check 'chase: resuming into its own input leaves the file alone' cmp "$TMP/part.tsv" "$TMP/own.tsv"

list=4
for ((i = 0; i < 1500; i++)); do list=$list,$((4 + i % 40)); done
exits 0 'chase: a command line of many kilobytes is measured' "${quick[@]}" --samples 1 --pages "$list"
sed '/^[0-9]/,$d' "$TMP/out" >"$TMP/header.tsv"
cp "$TMP/out" "$TMP/full.tsv"
resumes 'a command line of many kilobytes' "$TMP/header.tsv"

# Points from a table are given again.
exits 0 'chase: a run whose points come from a table is measured' "${quick[@]}" "$TMP/some points.tsv"
cp "$TMP/out" "$TMP/full.tsv"
grep -v '^4' "$TMP/full.tsv" >"$TMP/part.tsv"
resumes 'a run whose points come from a table' "$TMP/part.tsv" "$TMP/some points.tsv"

# The signal comes when there is something to lose, however long that takes.
# stop SIGNAL STATUS FILE: ends a long run that writes to FILE as soon as it has written some rows;
# what is left must be a table of whole rows, but for a last line without newline.
stop() {
    local child i status=0
    : >"$3"
    set -m # or the shell has it ignore SIGINT
    chase --quiet --seed 5 --loads 2000 --samples 100000 --pages 4:64:x1.5 >"$3" 2>"$TMP/err" &
    child=$!
    set +m
    for ((i = 0; i < 1000 && $(grep -c '^[0-9]' "$3") < 20; i++)); do sleep 0.01; done
    kill -s "$1" "$child"
    wait "$child" 2>/dev/null || status=$?
    same "chase: SIG$1 ends a run with its status" "$2" "$status"
    check "chase: SIG$1 leaves the rows measured so far" test "$(grep -c '^[0-9]' "$3")" -ge 20
    same "chase: SIG$1 leaves whole rows" "$(grep '^pages' "$3" | awk -F '\t' '{ print NF }')" \
        "$(rows "$3" | sed '$d' | awk -F '\t' '{ print NF }' | sort -u)"
    detect "$3" >"$TMP/out" 2>"$TMP/err"
    lacks "chase: SIG$1 leaves a legal table" 'column|header|fields' "$TMP/err"
}
stop KILL 137 "$TMP/killed.tsv"
stop INT 130 "$TMP/interrupted.tsv"
stop TERM 143 "$TMP/stopped.tsv"
finish_tests
