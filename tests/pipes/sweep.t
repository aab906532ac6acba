#!/usr/bin/env bash
# sweep.t: sweep as a program: its plan, the loop by hand, resuming, the budget, what it refuses.
# Which points a plan chooses is looked at in tests/unit/test_plan.c. No time is judged.
# shellcheck disable=SC2016 # awk and sh -c have variables of their own
. "${0%/*}/tap.sh"
long_with_sanitizers

tab=$(printf '\t')
models=$ROOT/tests/models
small=(--pages '4,64' --samples 2 --loads 2000 --seed 5)

rows() { grep -v '^#' "$1" | sed 1d; }
# What makes the point and the sample: the first eight columns.
points() { rows "$1" | cut -f 1-8; }

# refuses NAME REGEX OPTION...: a message, exit status 2, nothing on stdout.
refuses() {
    local name=$1 regex=$2
    shift 2
    exits 2 "$name" sweep --quiet "$@"
    matches "$name: says why" "$regex" "$TMP/err"
    same "$name: no table" '' "$(cat "$TMP/out")"
}

# ---- the plan, which needs no measuring ----

exits 0 'a plan' sweep --plan "${small[@]}"
same 'is a table of points' \
    "pages${tab}layout${tab}spacing_bytes${tab}page_bytes${tab}role${tab}sample${tab}kernel${tab}backing" \
    "$(grep -v '^#' "$TMP/out" | head -n 1)"
matches 'with its seed' '^# seed: 5$' "$TMP/out"
same 'layouts alternate' 'page packed page packed' \
    "$(rows "$TMP/out" | head -n 4 | cut -f 2 | paste -s -d ' ' -)"
same 'no point stands twice' '' "$(points "$TMP/out" | sort | uniq -d)"
cp "$TMP/out" "$TMP/plan.tsv"
exits 0 'the same options' sweep --plan "${small[@]}"
check 'give the same plan' cmp "$TMP/plan.tsv" "$TMP/out"
exits 0 'without a seed' sweep --plan --pages 4,8
matches 'one is made and told' '^# seed: [1-9]' "$TMP/out"
exits 0 'a grid' sweep --plan --layout page,packed,line --pages 4,16 --samples 1
same 'has every layout at every size, at its own spacing' '4 line 64
4 packed 64
16 line 64
16 packed 64' "$(rows "$TMP/out" | awk -F '\t' '$2 != "page" { print $1, $2, $3 }' | sort -n |
    sed 's/ 128$/ 64/')"
same 'pages a page apart' 2 "$(rows "$TMP/out" | awk -F '\t' '$2 == "page" && $3 == $4' | grep -c .)"
exits 2 'an unknown preset' sweep --plan --preset tbl
matches 'is told which there are' "^sweep: --preset 'tbl': there are (tlb|[a-z]+, ).*tlb.*caches" "$TMP/err"
exits 2 'an unknown kind of core' sweep --plan --core-kind abc
matches 'is told, though a plan takes none' "--core-kind 'abc': there are performance and efficiency" "$TMP/err"
exits 2 'a plan that nobody could measure' sweep --plan --kernel random --pages 64,128
sweep --help >"$TMP/help"
presets=$(sed -n '/^Presets:/,/^$/p' "$TMP/help" | awk 'NR > 1 && NF { print $1 }' | paste -s -d ' ' -)
same 'the help lists the presets' 'tlb geometry coalescing itlb caches line walk' "$presets"
# asks NAME: kernels, backings and layouts of the preset's first plan, and distances of its pages.
asks() {
    sweep --plan --preset "$1" --seed 5 >"$TMP/$1.tsv" || return
    rows "$TMP/$1.tsv" | awk -F '\t' '{ print $7; print $8; print $2 }' | sort -u | paste -s -d ' ' -
}
same 'tlb: pages and their control' 'packed page read scattered' "$(asks tlb)"
same 'geometry begins as tlb does' "$(points "$TMP/tlb.tsv")" "$(asks geometry >"$TMP/x" && points "$TMP/geometry.tsv")"
same 'coalescing: two backings' 'contiguous packed page read scattered' "$(asks coalescing)"
same 'itlb: jumps' 'code packed page scattered' "$(asks itlb)"
same 'caches: lines page by page' 'local read scattered' "$(asks caches)"
same 'walk: pages of every table' 'packed page read scattered' "$(asks walk)"
distances() { rows "$TMP/walk.tsv" | awk -F '\t' '$2 == "page" { print $3 / $4 }' | sort -n -u | paste -s -d ' ' -; }
case $(distances) in
'1 512 262144'* | '1 2048 4194304'* | '1 8192'*) pass 'walk: as far apart as the tables reach' ;;
*) same 'walk: as far apart as the tables reach' '1 512 262144' "$(distances)" ;;
esac
for preset in $presets; do
    [ "$preset" != itlb ] || continue # most simulated machines have none
    simulate --seed 5 --preset "$preset" --noise gauss:1 "$models/small-first-level.tsv" >"$TMP/$preset.tsv"
    exits 0 "preset $preset: a simulated sweep" sweep --plan --preset "$preset" "$TMP/$preset.tsv"
    same "preset $preset: is complete" '' "$(rows "$TMP/out")"
    [ "$VARIANT" != asan ] || break
done
for preset in geometry walk; do
    exits 2 "preset $preset with a layout" sweep --plan --preset "$preset" --layout page
    matches "is refused" "^sweep: --preset $preset fixes layout, spacing and kernel" "$TMP/err"
done
exits 0 "the printed lab's loop" sweep --plan --kernel linear --pages 4,16 --samples 1
same 'is on layout line' 'line linear' "$(rows "$TMP/out" | cut -f 2,7 | tr '\t' ' ' | sort -u)"

refuses 'samples without --plan' "'some.tsv': samples are read by --plan, or by --resume" some.tsv
refuses 'stdin without --plan' "'-': samples are read by --plan" -
refuses 'no node' '--pages: a chain needs at least one page' --pages 0,8
refuses 'bounds the wrong way round' 'the first value is the lower bound' --pages 64,4
refuses 'a spacing of 12' '--spacing 12: nodes hold pointers' --spacing 12
refuses 'less than a page' '--spacing 64: layout page' --spacing 64
refuses 'less than a page in one of two layouts' '--spacing 64: layout page' --layout line,page --spacing 64
refuses 'targets without a distance' '--spacing 0: layout set' --layout set --pages 4
refuses 'an unknown layout' "--layout 'pages'" --layout pages
refuses 'box' 'layout box is measured by --density' --layout page,box --pages 4
refuses 'a buffer without windows' '--buffer and --chain belong to --density' --buffer 1G
refuses 'an unknown density' "--density 'x': there are low, medium and high" --density x --buffer 256M
refuses 'a number of samples in words' "--samples 'x'" --samples x
refuses 'huge pages that are scattered' '--backing scattered has no pages of 1073741824 bytes' --plan \
    --page-size 1G --backing scattered
status=0
sweep --plan --backing huge --seed 1 >"$TMP/huge.tsv" 2>"$TMP/err" || status=$?
if [ "$status" -eq 0 ]; then
    huge=$(rows "$TMP/huge.tsv" | cut -f 4 | sort -u)
    same 'huge pages without a size have that of the system' \
        "$(sweep --plan --page-size "$huge" --seed 1 | rows -)" "$(rows "$TMP/huge.tsv")"
else
    same 'no huge pages' 2 "$status"
    matches 'are told of' '--backing huge: this system has no huge pages' "$TMP/err"
fi
exits 2 'a plan of bad samples' sh -c 'printf "pages\tns\n4\tx\n" | sweep --plan -'
matches 'is refused' "sweep: -:2: column 'ns'" "$TMP/err"
printf 'pages\tns\n4\t1\n8\t' >"$TMP/cut.tsv"
exits 1 'a plan of cut samples' sweep --plan "$TMP/cut.tsv"
matches 'has a warning' 'cut.tsv:3: the last line has no newline' "$TMP/err"

# ---- the loop by hand, on a simulated machine ----

# An empty table of points is measured first: its metadata tell pages and lines of the machine.
# by_hand MODEL: leaves the samples of all rounds, joined, in "$TMP/loop.tsv".
by_hand() {
    local round
    printf 'pages\n' | simulate --seed 7 "$1" - >"$TMP/loop.tsv" || return
    for ((round = 0; round < 40; round++)); do
        sweep --plan "$TMP/loop.tsv" >"$TMP/next.tsv" || return
        [ -n "$(rows "$TMP/next.tsv")" ] || return 0
        simulate "$1" "$TMP/next.tsv" >"$TMP/measured.tsv" || return
        cat "$TMP/measured.tsv" >>"$TMP/loop.tsv"
    done
    return 1
}
machines=(apple-m4)
[ "$VARIANT" = asan ] || machines+=(zen4)
for model in "${machines[@]}"; do
    exits 0 "$model: the loop by hand ends" by_hand "$models/$model.tsv"
    simulate --seed 7 "$models/$model.tsv" >"$TMP/alone.tsv"
    same "$model: and gives what simulate gives alone" "$(rows "$TMP/alone.tsv")" \
        "$(grep '^[0-9]' "$TMP/loop.tsv")"
    check "$model: but for its history, metadata do not pile up" test \
        "$(grep '^#' "$TMP/next.tsv" | grep -Evc '^# (program|version|command)')" -lt 80
done
simulate --seed 7 "$models/zen4.tsv" >"$TMP/alone.tsv"
{ grep -v '^[0-9]' "$TMP/alone.tsv" && rows "$TMP/alone.tsv" | head -n 300 | sort -r; } >"$TMP/some.tsv"
{ grep -v '^[0-9]' "$TMP/alone.tsv" && rows "$TMP/alone.tsv" | head -n 300; } >"$TMP/sorted.tsv"
same 'the order of samples does not matter' "$(sweep --plan "$TMP/sorted.tsv" | rows -)" \
    "$(sweep --plan "$TMP/some.tsv" | rows -)"
same 'nor in how many files they are' "$(sweep --plan "$TMP/alone.tsv" "$TMP/some.tsv" | rows -)" \
    "$(cat "$TMP/some.tsv" "$TMP/alone.tsv" | sweep --plan - | rows -)"
exits 0 'a finished sweep' sweep --plan "$TMP/alone.tsv"
same 'leaves nothing to measure' '' "$(rows "$TMP/out")"

if [ "$PLATFORM" = none ]; then
    exits 2 'a system that cannot measure' sweep "${small[@]}"
    matches 'is told so' '^sweep: cannot measure here: .' "$TMP/err"
    same 'nothing is written' '' "$(cat "$TMP/out")"
    finish_tests
fi

# ---- measuring ----

exits 0 'sweep' sweep --quiet "${small[@]}"
same 'measures its first plan first' "$(points "$TMP/plan.tsv")" \
    "$(points "$TMP/out" | head -n "$(rows "$TMP/plan.tsv" | grep -c .)")"
same 'no sample twice' '' "$(points "$TMP/out" | cut -f 1-3,6 | sort | uniq -d)"
same 'times in every row' '' "$(rows "$TMP/out" | awk -F '\t' '!($9 > 0 && $10 >= 2000)')"
lacks 'no # behind the header' '^#' <(sed '1,/^pages/d' "$TMP/out")
cp "$TMP/out" "$TMP/full.tsv"
exits 0 'chase on the plan' chase --quiet --loads 2000 "$TMP/plan.tsv"
same 'measures exactly the points printed' "$(points "$TMP/plan.tsv")" "$(points "$TMP/out")"
matches 'with the seed of the plan' '^# seed: 5$' "$TMP/out"
exits 0 'through a pipe' bash -c 'sweep --plan --pages 4,64 --samples 1 | chase --quiet --loads 2000'
same 'the same points' "$(sweep --plan --pages 4,64 --samples 1 | points -)" "$(points "$TMP/out")"

exits 0 'a grid' sweep --quiet --layout page,packed --pages 4:16:x2 --samples 2 --loads 2000
same 'is measured without refinement' 12 "$(rows "$TMP/out" | grep -c .)"
exits 0 "the printed lab's loop" sweep --quiet --kernel linear --spacing 64 --pages 4,16 --samples 1
matches 'has its columns' "${tab}refs${tab}proc_s${tab}sum${tab}backed\$" "$TMP/out"

# chased_loop: the loop by hand on this machine.
chased_loop() {
    local round
    sweep --plan "${small[@]}" >"$TMP/next.tsv" || return
    chase --quiet --loads 2000 "$TMP/next.tsv" >"$TMP/loop.tsv" || return
    for ((round = 0; round < 20; round++)); do
        sweep --plan "$TMP/loop.tsv" >"$TMP/next.tsv" || return
        [ -n "$(rows "$TMP/next.tsv")" ] || return 0
        chase --quiet --loads 2000 "$TMP/next.tsv" >>"$TMP/loop.tsv" || return
    done
    return 1
}
exits 0 'the loop by hand ends here too' chased_loop
same 'no sample twice' '' "$(grep '^[0-9]' "$TMP/loop.tsv" | cut -f 1-3,6 | sort | uniq -d)"
same 'in the bounds of the first plan' '' "$(grep '^[0-9]' "$TMP/loop.tsv" |
    awk -F '\t' '$1 < 4 || $1 > 256 || ($2 == "page" && $1 > 64)')"

exits 1 'a budget far below the plan' sweep --pages 4,8 --samples 2000 --loads 10000000 --budget 0.2
lacks 'is how long it takes' 'samples, about' "$TMP/err"
exits 1 'a budget that is too small' sweep --quiet --budget 0.2
matches 'ends with a warning' 'the budget of 0.2 s ended before all was measured' "$TMP/err"
matches 'and a table' "^pages${tab}layout${tab}" "$TMP/out"
exits 1 'also for chase' chase --quiet --budget 0.05 --pages 100:10000:+100 --loads 100000
matches 'with a warning' 'the budget of 0.05 s ended' "$TMP/err"

exits 0 'a density' sweep --quiet --density low --buffer 4M --samples 1 --loads 1000
same 'tells in columns what it could not know before' "backed${tab}locked" \
    "$(grep '^pages' "$TMP/out" | awk -F '\t' -v OFS='\t' '{ print $(NF-1), $NF }')"
same 'of each sample' '' "$(rows "$TMP/out" | awk -F '\t' '$(NF-1) !~ /^(yes$|hint|no)/ || $NF !~ /^(yes$|no \()/')"
writes_before_memory 'the header is there before any memory is taken' 128 \
    sweep --quiet --density low --buffer 128M --samples 1 --loads 1000

# ---- resuming ----

# resumes NAME FILE [OPTION...]: the rows of FILE first, then what was missing.
resumes() {
    local name=$1 file=$2
    shift 2
    exits 0 "$name" sweep --quiet --resume "$file" "$@"
    same "$name: no sample twice" '' "$(points "$TMP/out" | cut -f 1-3,6 | sort | uniq -d)"
    same "$name: the first plan is complete" '' \
        "$(comm -23 <(points "$TMP/plan.tsv" | sort) <(points "$TMP/out" | sort))"
    rows "$file" >"$TMP/before"
    [ -z "$(tail -c 1 "$file")" ] || sed -i.bak '$d' "$TMP/before"
    same "$name: what was measured comes first" "$(cat "$TMP/before")" \
        "$(rows "$TMP/out" | head -n "$(grep -c '' "$TMP/before")")"
    sweep --plan "$TMP/out" >"$TMP/next.tsv"
    same "$name: nothing is left to measure" '' "$(rows "$TMP/next.tsv")"
}

sed '/^[0-9]/,$d' "$TMP/full.tsv" >"$TMP/header.tsv"
resumes 'a header alone' "$TMP/header.tsv"
resumes 'a complete sweep' "$TMP/full.tsv"
same 'which measures nothing' "$(rows "$TMP/full.tsv")" "$(rows "$TMP/out")"
head -n "$(($(grep -c '' "$TMP/full.tsv") - 40))" "$TMP/full.tsv" >"$TMP/part.tsv"
resumes 'half a sweep' "$TMP/part.tsv"
head -n "$(($(grep -c '' "$TMP/out") - 20))" "$TMP/out" >"$TMP/twice.tsv"
resumes 'a sweep that was resumed' "$TMP/twice.tsv"
printf '12\tpage\t40' >>"$TMP/part.tsv"
resumes 'half a row at the end' "$TMP/part.tsv" --seed 5
matches 'is dropped with a warning' 'part.tsv:[0-9]+: the last line has no newline' "$TMP/err"
refuses 'other sizes' "--pages '4,32' contradicts" --resume "$TMP/part.tsv" --pages 4,32
refuses 'another seed' '--seed .*6.* contradicts' --resume "$TMP/part.tsv" --seed 6
refuses 'an option that it did not have' '--layout .* contradicts' --resume "$TMP/part.tsv" --layout page
refuses 'stdin' '--resume wants a file' --resume -
cp "$TMP/part.tsv" "$TMP/own.tsv"
exits 2 'its own output' sh -c 'exec sweep --resume "$1" >>"$1"' sh "$TMP/own.tsv"
matches 'is refused' "that is this program's output" "$TMP/err"
check 'and left alone' cmp "$TMP/part.tsv" "$TMP/own.tsv"

: >"$TMP/killed.tsv"
sweep --quiet "${small[@]/2000/200000}" --samples 200 >"$TMP/killed.tsv" &
child=$!
for ((i = 0; i < 1000 && $(grep -c '^[0-9]' "$TMP/killed.tsv") < 9; i++)); do sleep 0.01; done
kill -s KILL "$child"
wait "$child" 2>/dev/null
exits 1 'killed, and resumed on a budget' sweep --quiet --resume "$TMP/killed.tsv" --budget 0.3
same 'what was measured comes first' "$(rows "$TMP/killed.tsv" | head -n 9)" \
    "$(rows "$TMP/out" | head -n 9)"

# ---- readers that go away ----

status=$(bash -c 'sweep --quiet | head -n 3 >"$1"; echo "${PIPESTATUS[0]}"' bash "$TMP/out" 2>"$TMP/err")
check "sweep | head ends by SIGPIPE ($status)" test "$status" -eq 141
same 'without a word' '' "$(cat "$TMP/err")"
same 'the reader has its lines' 3 "$(grep -c '' "$TMP/out")"
if [ -w /dev/full ]; then
    exits 2 'a full disk' sh -c 'exec sweep --quiet >/dev/full'
    matches 'is an error' 'sweep: cannot write the output: No space left' "$TMP/err"
else
    skip 'a full disk' 'no /dev/full here'
fi
exits 2 'a closed stdout' sh -c 'exec sweep --quiet >&-'
matches 'is an error too' 'sweep: cannot write the output' "$TMP/err"
finish_tests
