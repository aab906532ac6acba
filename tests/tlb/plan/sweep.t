#!/usr/bin/env bash
# sweep.t: sweep as a program: its plan, the loop by hand, resuming, the budget, what it refuses.
# Which points a plan chooses is looked at in tests/tlb/plan/test_plan.c, and plan as a program in plan.t. No time is judged.
# shellcheck disable=SC2016 # awk and sh -c have variables of their own
. "${0%/*}/../../tap.sh"
long_with_sanitizers

models=$ROOT/src/tlb/models
small=(--pages '4,64' --samples 2 --loads 2000 --seed 5)

points() { columns "$point_columns" "$1"; }

# refuses NAME REGEX OPTION...: a message, exit status 2, nothing on stdout.
refuses() { is_refused "$1" "$2" sweep --quiet "${@:3}"; }

# ---- the plan, which needs no measuring ----

exits 0 'plan: gives a plan' plan "${small[@]}"
same 'plan: is a table of points' \
    "pages${tab}layout${tab}spacing_bytes${tab}page_bytes${tab}role${tab}sample${tab}kernel${tab}backing${tab}targets${tab}others" \
    "$(grep -v '^#' "$TMP/out" | head -n 1)"
matches 'plan: has its seed in the metadata' '^# seed: 5$' "$TMP/out"
same 'plan: alternates the layouts' 'page packed page packed' \
    "$(rows "$TMP/out" | head -n 4 | cut -f 2 | paste -s -d ' ' -)"
same 'plan: has no point twice' '' "$(points "$TMP/out" | sort | uniq -d)"
cp "$TMP/out" "$TMP/plan.tsv"
exits 0 'plan: gives a plan a second time' plan "${small[@]}"
check 'plan: gives the same for the same options' cmp "$TMP/plan.tsv" "$TMP/out"
prints 'plan: without a seed is accepted' '^# seed: [1-9]' plan --pages 4,8
exits 0 'plan: of a grid is accepted' plan --layout page,packed,line --pages 4,16 --samples 1
same 'sweep: a grid has every layout at every size, at its own spacing' '4 line 64
4 packed 64
16 line 64
16 packed 64' "$(rows "$TMP/out" | awk -F '\t' '$2 != "page" { print $1, $2, $3 }' | sort -n |
    sed 's/ 128$/ 64/')"
same 'sweep: a grid has pages a page apart' 2 "$(rows "$TMP/out" | awk -F '\t' '$2 == "page" && $3 == $4' | grep -c .)"
exits 2 'sweep: an unknown preset is refused' plan --preset tbl
matches 'sweep: an unknown preset is answered with those that there are' "^plan: --preset 'tbl': there are (tlb|[a-z]+, ).*tlb.*caches" "$TMP/err"
exits 2 'sweep: an unknown kind of core is refused' plan --core-kind abc
matches 'sweep: an unknown kind of core is answered with those that there are, in a plan too' "--core-kind 'abc': there are performance and efficiency" "$TMP/err"
exits 2 'sweep: a plan that could not be measured is refused' plan --kernel random --pages 64,128
presets=$(sweep --help presets | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | paste -s -d ' ' -)
same 'sweep: --help presets lists them' 'tlb geometry coalescing itlb caches line walk prefetch' "$presets"
# asks NAME: kernels, backings and layouts of the preset's first plan, and distances of its pages.
asks() {
    plan --preset "$1" --seed 5 >"$TMP/$1.tsv" || return
    rows "$TMP/$1.tsv" | awk -F '\t' '{ print $7; print $8; print $2 }' | sort -u | paste -s -d ' ' -
}
same 'sweep: preset tlb plans moments' 'read scattered set' "$(asks tlb)"
same 'sweep: preset geometry begins with moments' 'read scattered set' "$(asks geometry)"
same 'sweep: preset coalescing plans moments on two backings' 'contiguous read scattered set' "$(asks coalescing)"
same 'sweep: preset itlb plans moments of jumps' 'code scattered set' "$(asks itlb)"
simulate --seed 5 --preset itlb "$models/zen4.tsv" >"$TMP/itlb.tsv"
same 'sweep: preset itlb ends at twice the largest TLB of instructions' 4096 \
    "$(rows "$TMP/itlb.tsv" | awk -F '\t' '$2 == "page" { print $1 }' | sort -n | tail -n 1)"
same 'sweep: preset caches plans lines a few pages at a time' 'local read scattered' "$(asks caches)"
same 'sweep: preset walk plans pages and their control' 'packed page read scattered' "$(asks walk)"
distances() { rows "$TMP/walk.tsv" | awk -F '\t' '$2 == "page" { print $3 / $4 }' | sort -n -u | paste -s -d ' ' -; }
case $(distances) in
'1 512 262144'* | '1 2048 4194304'* | '1 8192'*) pass 'sweep: preset walk plans pages as far apart as the tables reach' ;;
*) same 'sweep: preset walk plans pages as far apart as the tables reach' '1 512 262144' "$(distances)" ;;
esac
# Most simulated machines have no itlb. A whole sweep for caches is in caches.t, for geometry in geometry.t.
for preset in tlb ${LONG:+coalescing line walk}; do
    simulate --seed 5 --preset "$preset" --noise gauss:1 "$models/small-first-level.tsv" >"$TMP/$preset.tsv"
    exits 0 "sweep: preset $preset: a simulated sweep is read" plan --preset "$preset" "$TMP/$preset.tsv"
    same "sweep: preset $preset: a simulated sweep is complete" '' "$(rows "$TMP/out")"
    [ "$VARIANT" != asan ] || break
done
# begin FILE: the first points of a table. The rest of a sweep for caches or code takes seconds.
begin() { points "$1" | head -n 40; }
for preset in caches itlb; do
    printf 'pages\n' | simulate --seed 5 "$models/zen4.tsv" - >"$TMP/none.tsv"
    plan --preset "$preset" "$TMP/none.tsv" >"$TMP/plan of $preset.tsv"
    same "simulate: preset $preset begins with what sweep plans" "$(begin "$TMP/plan of $preset.tsv" | cut -f 1-6)" \
        "$(begin <(simulate --seed 5 --preset "$preset" "$models/zen4.tsv") | cut -f 1-6)"
done
for preset in geometry walk itlb; do
    exits 2 "sweep: preset $preset with a layout is refused" plan --preset "$preset" --layout page
    matches "sweep: preset $preset with a layout says what it fixes" "^plan: --layout does not go with --preset $preset\$" "$TMP/err"
done
exits 2 'sweep: preset itlb with another kernel is refused' plan --preset itlb --kernel read
exits 0 "sweep: the printed lab's loop is planned" plan --kernel linear --pages 4,16 --samples 1
same "sweep: the printed lab's loop is on layout line" 'line linear' "$(rows "$TMP/out" | cut -f 2,7 | tr '\t' ' ' | sort -u)"

refuses 'samples' "unexpected operand 'some.tsv'" some.tsv
refuses 'no node' "--pages '0,8': expected a list" --pages 0,8
refuses 'bounds the wrong way round' 'the first value is the lower bound' --pages 64,4
refuses 'a spacing of 12' '--spacing 12: nodes hold pointers' --layout line --spacing 12
refuses 'less than a page' '--spacing 64: layout page' --spacing 64
refuses 'less than a page in one of two layouts' '--spacing 64: layout page' --layout line,page --spacing 64
refuses 'targets without a distance' '--spacing 0: layout set' --layout set --pages 4
refuses 'an unknown layout' "--layout 'pages'" --layout pages
refuses 'layout box' 'layout box is measured by --density' --layout page,box --pages 4
refuses 'a buffer without windows' '--buffer needs --density' --buffer 1G
refuses 'an unknown density' "--density 'x': there are low, medium and high" --density x --buffer 256M
refuses 'a number of samples in words' "--samples 'x'" --samples x
refuses 'huge pages that are scattered' '--backing scattered has no pages of 1073741824 bytes' \
    --page-size 1G --backing scattered
status=0
plan --backing huge --seed 1 >"$TMP/huge.tsv" 2>"$TMP/err" || status=$?
if [ "$status" -eq 0 ]; then
    huge=$(rows "$TMP/huge.tsv" | cut -f 4 | sort -u)
    same 'sweep: huge pages without a size have that of the system' \
        "$(plan --page-size "$huge" --seed 1 | rows -)" "$(rows "$TMP/huge.tsv")"
else
    same 'sweep: huge pages on a system without them are refused' 2 "$status"
    matches 'sweep: huge pages on a system without them are reported' '--backing huge: this system has no huge pages' "$TMP/err"
fi
exits 2 'sweep: a plan of bad samples is refused' sh -c 'printf "pages\tns\n4\tx\n" | plan -'
matches 'sweep: a plan of bad samples names line and column' "plan: -:2: column 'ns'" "$TMP/err"
printf 'pages\tns\n4\t1\n8\t' >"$TMP/cut.tsv"
exits 1 'sweep: a plan of samples whose last line is cut gives status 1' plan "$TMP/cut.tsv"
matches 'sweep: a plan of samples whose last line is cut gives a warning' 'cut.tsv:3: the last line has no newline' "$TMP/err"

# ---- the loop by hand, on a simulated machine ----

# An empty table of points is measured first: its metadata give the machine's pages and lines.
# by_hand MODEL: leaves the samples of all rounds, joined, in "$TMP/loop.tsv".
by_hand() {
    local round
    printf 'pages\n' | simulate --seed 7 "$1" - >"$TMP/loop.tsv" || return
    for ((round = 0; round < 40; round++)); do
        plan "$TMP/loop.tsv" >"$TMP/next.tsv" || return
        [ -n "$(rows "$TMP/next.tsv")" ] || return 0
        simulate "$1" "$TMP/next.tsv" >"$TMP/measured.tsv" || return
        cat "$TMP/measured.tsv" >>"$TMP/loop.tsv"
    done
    return 1
}
# A Zen 4, with noise, is in simulate.t.
for model in ${LONG:+apple-m4 zen4}; do
    exits 0 "sweep: $model: the loop by hand ends" by_hand "$models/$model.tsv"
    simulate --seed 7 "$models/$model.tsv" >"$TMP/alone.tsv"
    same "sweep: $model: the loop by hand gives what simulate gives alone" "$(columns "$sample_columns" "$TMP/alone.tsv")" \
        "$(columns "$sample_columns" "$TMP/loop.tsv")"
    check "sweep: $model: metadata but the history do not pile up" test \
        "$(grep '^#' "$TMP/next.tsv" | grep -Evc '^# (program|version|command|option)')" -lt 80
done
simulate --seed 7 "$models/zen4.tsv" >"$TMP/alone.tsv"
{ grep -v '^[0-9]' "$TMP/alone.tsv" && rows "$TMP/alone.tsv" | head -n 300 | sort -r; } >"$TMP/some.tsv"
{ grep -v '^[0-9]' "$TMP/alone.tsv" && rows "$TMP/alone.tsv" | head -n 300; } >"$TMP/sorted.tsv"
plan --pages 4,8 --seed 9 >"$TMP/points.tsv"
matches 'plan: each option is a line of metadata' '^# option: plan --pages 4,8$' "$TMP/points.tsv"
simulate --noise gauss:1 "$models/zen4.tsv" "$TMP/points.tsv" >"$TMP/samples.tsv"
exits 0 'plan: the options of simulate in the history are not its own' \
    plan "$TMP/samples.tsv"
same 'plan: takes over its own options from the samples' \
    "$(printf '%s\n' '# option: plan --pages 4,8' '# option: plan --seed 9')" \
    "$(sed -n '/^# program: simulate/,$s/^# option: plan/&/p' "$TMP/out")"
grep -v '^# option' "$TMP/samples.tsv" >"$TMP/older.tsv"
exits_saying 0 'plan: samples of an older version' 'the options of plan are not recorded' plan "$TMP/older.tsv"
matches 'plan: where no option was given, the metadata say so' '^# option: plan$' "$TMP/out"
same 'sweep: the order of samples does not matter' "$(plan "$TMP/sorted.tsv" | rows -)" \
    "$(plan "$TMP/some.tsv" | rows -)"
same 'sweep: the number of files of samples does not matter' "$(plan "$TMP/alone.tsv" "$TMP/some.tsv" | rows -)" \
    "$(cat "$TMP/some.tsv" "$TMP/alone.tsv" | plan - | rows -)"
exits 0 'sweep: a finished sweep is read' plan "$TMP/alone.tsv"
same 'sweep: a finished sweep leaves nothing to measure' '' "$(rows "$TMP/out")"

if [ "$PLATFORM" = none ]; then
    exits_saying 2 'sweep: a system that cannot measure gives status 2' '^sweep: cannot measure here: .' sweep "${small[@]}"
    same 'sweep: a system that cannot measure gives no table' '' "$(cat "$TMP/out")"
    finish_tests
fi

# ---- measuring ----

exits 0 'sweep: a small sweep is measured' sweep --quiet "${small[@]}"
same 'sweep: a small sweep measures its first plan first' "$(points "$TMP/plan.tsv")" \
    "$(points "$TMP/out" | head -n "$(rows "$TMP/plan.tsv" | grep -c .)")"
same 'sweep: a small sweep has no sample twice' '' "$(points "$TMP/out" | cut -f 1-3,6 | sort | uniq -d)"
same 'sweep: a small sweep has times in every row' '' "$(columns 'ns loads' "$TMP/out" |
    awk '!($1 > 0 && $2 >= 2000)')"
lacks 'sweep: no # line follows the header' '^#' <(sed '1,/^pages/d' "$TMP/out")
cp "$TMP/out" "$TMP/full.tsv"
exits 0 'chase: a plan of sweep is measured' chase --quiet --loads 2000 "$TMP/plan.tsv"
same 'chase: a plan of sweep is measured exactly' "$(points "$TMP/plan.tsv")" "$(points "$TMP/out")"
matches 'chase: a plan of sweep passes its seed on' '^# seed: 5$' "$TMP/out"
exits 0 'chase: a plan from a pipe is measured' bash -c 'plan --pages 4,64 --samples 1 | chase --quiet --loads 2000'
same 'chase: a plan from a pipe has the same points' "$(plan --pages 4,64 --samples 1 | points -)" "$(points "$TMP/out")"

exits 0 'sweep: a grid is measured' sweep --quiet --layout page,packed --pages 4:16:x2 --samples 2 --loads 2000
same 'sweep: a grid is measured without refinement' 12 "$(rows "$TMP/out" | grep -c .)"
exits 0 "sweep: the printed lab's loop is measured" sweep --quiet --kernel linear --spacing 64 --pages 4,16 --samples 1
matches "sweep: the printed lab's loop has its columns" "${tab}refs${tab}proc_s${tab}sum${tab}backed\$" "$TMP/out"

# chased_loop: the loop by hand on this machine.
chased_loop() {
    local round
    plan "${small[@]}" >"$TMP/next.tsv" || return
    chase --quiet --loads 2000 "$TMP/next.tsv" >"$TMP/loop.tsv" || return
    for ((round = 0; round < 20; round++)); do
        plan "$TMP/loop.tsv" >"$TMP/next.tsv" || return
        [ -n "$(rows "$TMP/next.tsv")" ] || return 0
        chase --quiet --loads 2000 "$TMP/next.tsv" >>"$TMP/loop.tsv" || return
    done
    return 1
}
exits 0 'sweep: the loop by hand ends on this machine' chased_loop
same 'sweep: the loop by hand has no sample twice' '' "$(grep '^[0-9]' "$TMP/loop.tsv" | cut -f 1-3,6 | sort | uniq -d)"
same 'sweep: the loop by hand keeps the bounds of the first plan' '' "$(grep '^[0-9]' "$TMP/loop.tsv" |
    awk -F '\t' '$1 < 4 || $1 > 256 || ($2 == "page" && $1 > 64)')"

exits 1 'sweep: a budget far below the plan gives status 1' sweep --pages 4,8 --samples 2000 --loads 10000000 --budget 0.2
lacks 'sweep: a budget far below the plan is not followed by an estimate' 'samples, about' "$TMP/err"
exits 1 'sweep: a budget that is too small gives status 1' sweep --quiet --budget 0.2
matches 'sweep: a budget that is too small gives a warning' 'the budget of 0.2 s ended before all was measured' "$TMP/err"
matches 'sweep: a budget that is too small leaves a table' "^pages${tab}layout${tab}" "$TMP/out"
exits 1 'chase: a budget that is too small gives status 1' chase --quiet --budget 0.05 --pages 100:10000:+100 --loads 100000
matches 'chase: a budget that is too small gives a warning' 'the budget of 0.05 s ended' "$TMP/err"

exits 0 'sweep: --density is measured' sweep --quiet --density low --buffer 4M --samples 1 --loads 1000
same 'sweep: --density has columns for whether memory was backed and locked' "backed${tab}locked" \
    "$(grep '^pages' "$TMP/out" | awk -F '\t' -v OFS='\t' '{ print $(NF-1), $NF }')"
same 'sweep: --density has backing and lock of each sample' '' "$(rows "$TMP/out" | awk -F '\t' '$(NF-1) !~ /^(yes$|hint|no)/ || $NF !~ /^(yes$|no \()/')"
writes_before_memory 'sweep: the header is written before any memory is taken' 128 \
    sweep --quiet --density low --buffer 128M --samples 1 --loads 1000

# ---- resuming ----

# resumes NAME FILE [OPTION...]: the rows of FILE first, then what was missing.
resumes() {
    local name=$1 file=$2
    shift 2
    exits 0 "sweep: $name is resumed" sweep --quiet --resume "$file" "$@"
    same "sweep: $name, resumed, has no sample twice" '' "$(points "$TMP/out" | cut -f 1-3,6 | sort | uniq -d)"
    same "sweep: $name, resumed, has the whole first plan" '' \
        "$(comm -23 <(points "$TMP/plan.tsv" | sort) <(points "$TMP/out" | sort))"
    rows "$file" >"$TMP/before"
    [ -z "$(tail -c 1 "$file")" ] || sed -i.bak '$d' "$TMP/before"
    same "sweep: $name, resumed, begins with what was measured" "$(cat "$TMP/before")" \
        "$(rows "$TMP/out" | head -n "$(grep -c '' "$TMP/before")")"
    plan "$TMP/out" >"$TMP/next.tsv"
    same "sweep: $name, resumed, leaves nothing to measure" '' "$(rows "$TMP/next.tsv")"
}

sed '/^[0-9]/,$d' "$TMP/full.tsv" >"$TMP/header.tsv"
resumes 'a header alone' "$TMP/header.tsv"
resumes 'a complete sweep' "$TMP/full.tsv"
same 'sweep: a complete sweep, resumed, measures nothing' "$(rows "$TMP/full.tsv")" "$(rows "$TMP/out")"
head -n "$(($(grep -c '' "$TMP/full.tsv") - 40))" "$TMP/full.tsv" >"$TMP/part.tsv"
resumes 'half a sweep' "$TMP/part.tsv"
head -n "$(($(grep -c '' "$TMP/out") - 20))" "$TMP/out" >"$TMP/twice.tsv"
resumes 'a sweep that was resumed' "$TMP/twice.tsv"
printf '12\tpage\t40' >>"$TMP/part.tsv"
resumes 'half a row at the end' "$TMP/part.tsv" --seed 5
matches 'sweep: half a row at the end, resumed, is dropped with a warning' 'part.tsv:[0-9]+: the last line has no newline' "$TMP/err"
refuses 'other sizes' "--pages '4,32' contradicts" --resume "$TMP/part.tsv" --pages 4,32
refuses 'another seed' '--seed .*6.* contradicts' --resume "$TMP/part.tsv" --seed 6
refuses 'an option that it did not have' '--layout .* contradicts' --resume "$TMP/part.tsv" --layout page
grep -v '^# option' "$TMP/header.tsv" >"$TMP/older.tsv"
refuses 'a run that has not recorded its options' \
    'older.tsv: its options are not recorded' --resume "$TMP/older.tsv"
refuses 'stdin' '--resume needs a file' --resume -
cp "$TMP/part.tsv" "$TMP/own.tsv"
exits 2 'sweep: resuming into its own input is refused' sh -c 'exec sweep --resume "$1" >>"$1"' sh "$TMP/own.tsv"
matches 'sweep: resuming into its own input is named as the reason' "that is this program's output" "$TMP/err"
check 'sweep: resuming into its own input leaves the file alone' cmp "$TMP/part.tsv" "$TMP/own.tsv"

: >"$TMP/killed.tsv"
sweep --quiet "${small[@]/2000/200000}" --samples 200 >"$TMP/killed.tsv" &
child=$!
for ((i = 0; i < 1000 && $(grep -c '^[0-9]' "$TMP/killed.tsv") < 9; i++)); do sleep 0.01; done
kill -s KILL "$child"
wait "$child" 2>/dev/null
exits 1 'sweep: a killed sweep is resumed on a budget' sweep --quiet --resume "$TMP/killed.tsv" --budget 0.3
same 'sweep: a killed sweep, resumed, begins with what was measured' "$(rows "$TMP/killed.tsv" | head -n 9)" \
    "$(rows "$TMP/out" | head -n 9)"

# ---- readers that go away ----

status=$(bash -c 'sweep --quiet | head -n 3 >"$1"; echo "${PIPESTATUS[0]}"' bash "$TMP/out" 2>"$TMP/err")
check "sweep: a reader that closes the pipe ends it by SIGPIPE ($status)" test "$status" -eq 141
same 'sweep: a reader that closes the pipe causes no message' '' "$(cat "$TMP/err")"
same 'sweep: a reader that closes the pipe has its lines' 3 "$(grep -c '' "$TMP/out")"
if [ -w /dev/full ]; then
    exits 2 'sweep: a full disk gives status 2' sh -c 'exec sweep --quiet >/dev/full'
    matches 'sweep: a full disk is named as an error' 'sweep: cannot write the output: No space left' "$TMP/err"
else
    skip 'sweep: a full disk gives status 2' 'no /dev/full here'
fi
exits_saying 2 'sweep: a closed stdout gives status 2' 'sweep: cannot write the output' sh -c 'exec sweep --quiet >&-'
finish_tests
