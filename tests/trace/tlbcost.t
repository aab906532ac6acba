#!/usr/bin/env bash
# tlbcost.t: runs of a command on base pages and on huge pages; whether the pages were as asked for.
# Times are not judged.
. "${0%/*}/../tap.sh"
long_with_sanitizers

exits 2 'tlbcost: no command is wrong usage' tlbcost
exits 2 'tlbcost: too few runs for the confidence are wrong usage' tlbcost --runs 7 -- true
matches 'tlbcost: too few runs are reported with how many it takes' '99 % confidence takes 8 pairs' "$TMP/err"
exits 2 'tlbcost: a confidence of 100 is wrong usage' tlbcost --confidence 100 -- true
if [ "$PLATFORM" != linux ]; then
    exits 2 'tlbcost: where pages cannot be chosen it says so' tlbcost -- true
    finish_tests
fi

exits 2 'tlbcost --watch: a command is wrong usage' tlbcost --watch -- true
exits 2 'tlbcost --watch: a period of 0 is wrong usage' tlbcost --watch --period 0
exits 0 'tlbcost --watch: what a translation costs is written time and again' tlbcost --watch --period 0.02 --per-hour 3600 --runs 5 --seed 1
same 'tlbcost --watch: each time it measures two numbers of pages' '' \
    "$(rows "$TMP/out" | awk '$2 != (NR % 2 ? 1024 : 8192)')"
same 'tlbcost --watch: what was measured is above 0, and the cost is the difference' '' \
    "$(rows "$TMP/out" | awk '$3 != "-" && !($3 > 0 && $4 > 0 && $5 - ($3 - $4) < 0.002 && $3 - $4 - $5 < 0.002)')"
if command -v gnuplot >/dev/null; then
    cp "$TMP/out" "$TMP/watch.tsv"
    exits 0 'plot watch: what a translation cost is drawn' "$ROOT/scripts/plot" --terminal watch "$TMP/watch.tsv"
    matches 'plot watch: a curve is a number of pages' '8192 pages' "$TMP/out"
fi
exits 0 'tlbcost --watch: without a budget nothing is measured' tlbcost --watch --period 0.01 --per-hour 0.001 --runs 3
same 'tlbcost --watch: what is not measured has no time' '- - -' "$(rows "$TMP/out" | cut -f 3-5 | sort -u | tr '\t' ' ')"

exits 2 'tlbcost: a command that is not there is refused' tlbcost -- /nowhere/command
matches 'tlbcost: a command that is not there is named' '/nowhere/command: No such file' "$TMP/err"
exits_saying 2 'tlbcost: a command that fails is refused' 'status 3 on pages of 4K' tlbcost -- sh -c 'exit 3'
# shellcheck disable=SC2016 # the shell's own variables
exits 143 'tlbcost: it is ended by a signal' tlbcost -- sh -c 'echo $$ >"$0"; kill $PPID; exec sleep 100' "$TMP/pid"
for ((i = 0; i < 100; i++)); do kill -0 "$(<"$TMP/pid")" 2>/dev/null && sleep 0.1; done
check 'tlbcost: its command ends with it' test ! -d "/proc/$(<"$TMP/pid")"

# A difference below 10^9 per cent does not matter, so nothing can be shown.
exits 1 'tlbcost: without a difference the status is 1' tlbcost --runs 6 --confidence 90 --min-effect 1e9 --seed 5 -- \
    sh -c "cat /proc/self/status >>'$TMP/status'; echo \"\$GLIBC_TUNABLES\" >>'$TMP/tunables'"
cp "$TMP/out" "$TMP/costs"
same 'tlbcost: each pair runs on both pages' '6 6' \
    "$(rows "$TMP/costs" | awk '{ n[$1]++ } END { print n["4K"], n["2M"] }')"
same 'tlbcost: the pages of a pair come in any order' 2 \
    "$(rows "$TMP/costs" | awk '$2 != "-" && !seen[$2]++ { print $1 }' | sort -u | wc -l)"
same 'tlbcost: the summary is of wall and user time' 'wall not_shown,user not_shown' \
    "$(rows "$TMP/costs" | awk '$1 == "-" { print $6, $10 }' | paste -s -d , -)"
matches 'tlbcost: it ends with one line of advice' 'no difference is shown' "$TMP/err"
same 'tlbcost: half of the runs are without huge pages, by the kernel' '7 7' \
    "$(awk '/^THP_enabled/ { n[$2]++ } END { print n[0] + 0, n[1] + 0 }' "$TMP/status")"
same 'tlbcost: malloc asks for huge pages in the others' 7 "$(grep -c 'glibc.malloc.hugetlb=1' "$TMP/tunables")"
tlbcost --runs 6 --confidence 90 --min-effect 1e9 --seed 5 --quiet -- true >"$TMP/again" 2>"$TMP/err"
same 'tlbcost: a seed gives the same order' "$(rows "$TMP/costs" | cut -f 1,2)" "$(rows "$TMP/again" | cut -f 1,2)"
# A shell that opens its own file on the descriptor that the library would write to.
tlbcost --runs 6 --confidence 90 --quiet -- sh -c \
    "n=\${TLBLAB_HUGE_ANSWER%% *}; [ \$n -lt 0 ] || eval \"exec \$n>'$TMP/own'\"" >"$TMP/costs" 2>"$TMP/said"
same 'tlbcost: nothing is written to a file of the command' '' "$(cat "$TMP/own")"
same 'tlbcost: --quiet says nothing' '' "$(cat "$TMP/err")"

# Counters. Those of the kernel's own events are there without any of the processor's.
# counted FILE PAGES: the smallest and the largest count of the runs on these pages.
counted() { rows "$1" | awk -v pages="$2" '$1 == pages { print $12 }' | sort -n | sed -n '1p;$p' | paste -s -d ' ' -; }
tlbcost --runs 6 --confidence 90 --min-effect 1e9 --misses-event page-faults --cycles-event minor-faults+page-faults \
    --trace "$ROOT/tests/data/misses.trace.tsv" -- sh -c 'exit 0' >"$TMP/counts" 2>"$TMP/err"
if [ "$(counted "$TMP/counts" 4K)" != '- -' ]; then
    check 'tlbcost: an event is counted in each run' test "$(counted "$TMP/counts" 4K | cut -d ' ' -f 1)" -gt 20
    same 'tlbcost: events that are joined are added' '' \
        "$(rows "$TMP/counts" | awk '$12 != "-" && ($13 < 1.9 * $12 || $13 > 2.1 * $12)')"
    # Eight misses in the trace; the median of the counts is between their extremes.
    same 'tlbcost: the error of a trace against the counter is that of the paper' within "$(rows "$TMP/counts" | tail -n 1 |
        awk -v ends="$(counted "$TMP/counts" 4K)" '{ split(ends, e, " "); m = 8 / (1 - $14); print (m > e[1] - 0.1 && m < e[2] + 0.1 ? "within" : m) }')"
    matches 'tlbcost: what was counted is reported' 'the processor counted .* dTLB misses on base pages' "$TMP/err"
    matches 'tlbcost: the table says what was counted' '^# dtlb_misses: page-faults' "$TMP/counts"
else
    skip 'tlbcost: an event is counted in each run' 'perf_event_open() is forbidden here'
fi
exits 2 'tlbcost: an event that the processor does not have is refused' tlbcost --misses-event no-such-event -- true
matches 'tlbcost: an event that the processor does not have is named' 'no-such-event: this processor has no such event' "$TMP/err"
exits 2 'tlbcost: a trace of accesses is refused' tlbcost --trace "$ROOT/tests/data/abc.trace.tsv" -- true

# The answer of detect about huge pages is passed on.
for note in huge,splintered:yes huge:no; do
    printf 'structure\tlevel\tnote\ndtlb\t1\t%s\ncache\t1\thuge\n' "${note%:*}" >"$TMP/boundaries"
    tlbcost --runs 6 --confidence 90 --min-effect 1e9 --boundaries "$TMP/boundaries" -- true >"$TMP/out" 2>"$TMP/err"
    matches "tlbcost: whether huge pages are splintered is passed on: ${note#*:}" "^# splintered: ${note#*:}$" "$TMP/out"
done
lacks 'tlbcost: huge pages that are not splintered are not remarked on' 'hypervisor backs' "$TMP/err"

# Memory that is really on huge pages, where this system has them to give.
thp=$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)
if [ "$VARIANT" = plain ] && command -v gcc >/dev/null && [[ $thp == *'[madvise]'* || $thp == *'[always]'* ]]; then
    gcc -O1 "$ROOT/tests/trace/tlbcost.c" -o "$TMP/touch" || exit 2
    where=$OUT
    backing() {
        "$where/tlbcost" --runs 6 --confidence 90 --quiet -- "$TMP/touch" "$@" 2>"$TMP/said" | tail -n 1 | cut -f 11
    }
    # 'free' frees the memory long before the program ends.
    for what in malloc mmap own free; do
        told=$(backing $what 24)
        same "tlbcost: huge pages are asked for memory of $what in half of the runs" '7 7' \
            "$(awk '{ n[$1]++ } END { print n["not_asked"] + 0, n["asked"] + 0 }' "$TMP/said")"
        # The second run decides. The program itself has seen how many pages the kernel could give it.
        if [ "$(awk 'NR == 2 { print $2 }' "$TMP/said")" -ge 22 ]; then
            same "tlbcost: memory of $what is reported to be on huge pages" huge "$told"
        else
            skip "tlbcost: memory of $what is reported to be on huge pages" 'the kernel had too few just now'
        fi
    done
    same 'tlbcost: a program without memory has none to put there' little_memory "$(backing none)"

    # A program with 6 MiB that is busy for this many milliseconds where TLBLAB_HUGE is SLOW, or in every
    # other run of each kind. Pairs of which the kernel counts all time as its own drop out of `user`.
    busy() {
        echo 0 | tee "$TMP/turn.0" >"$TMP/turn.1"
        # shellcheck disable=SC2016 # for the command
        tlbcost --seed 5 "${@:4}" -- env SLOW="$1" BUSY="$2" TURN="$TMP/turn" sh -c \
            'read -r turn <"$TURN.$TLBLAB_HUGE"; echo $((1 - turn)) >"$TURN.$TLBLAB_HUGE"
             [ "$SLOW" != turns ] || SLOW=$turn
             [ "$TLBLAB_HUGE" = "$SLOW" ] || BUSY=1
             exec "$0" malloc "$1" busy "$BUSY"' "$TMP/touch" "$3"
    }
    # signs FILE: what huge pages do by the differences that are shown.
    signs() { rows "$1" | awk '$10 == "shown" { print ($7 > 0 ? "saves" : "costs") }' | sort -u; }
    pairs() { rows "$1" | awk '$1 == "2M"' | wc -l; }
    exits 0 'tlbcost: with a difference the status is 0' busy 0 30 6 --runs 8 --confidence 50
    same 'tlbcost: a command that is slow on base pages: huge pages are shown to save' saves "$(signs "$TMP/out")"
    exits 0 'tlbcost: with a difference the other way the status is 0' busy 1 30 6 --runs 8 --confidence 50
    same 'tlbcost: a command that is slow on huge pages: they are shown to cost' costs "$(signs "$TMP/out")"
    exits 0 'tlbcost: without --runs a clear difference is shown' busy 0 30 6
    same 'tlbcost: a clear difference ends the pairs' $((12 << $(grep -c 'more follow' "$TMP/err"))) "$(pairs "$TMP/out")"
    busy turns 10 6 >"$TMP/out" 2>"$TMP/err"
    # Huge pages really save a little here, which may be shown.
    same 'tlbcost: a difference that changes its sign is not shown' 'wall not_shown' \
        "$(rows "$TMP/out" | awk '$1 == "-" && $6 == "wall" { print $6, $7 < 30 ? "not_shown" : $10 }')"
    same 'tlbcost: where 12 and 24 pairs decide nothing, 48 are made' 48 "$(pairs "$TMP/out")"
    same 'tlbcost: it says each time what the pairs leave open' 2 "$(grep -c 'more follow' "$TMP/err")"
    exits 1 'tlbcost: a difference of a program without memory is not from translation' \
        busy 0 30 0 --runs 8 --confidence 50
    same 'tlbcost: a program without memory has no difference shown' 'little_memory not_shown,little_memory not_shown' \
        "$(rows "$TMP/out" | awk '$1 == "-" { print $11, $10 }' | paste -s -d , -)"
    # One object alone: a block by the function that takes it, a variable by its name. Of 15 runs the first
    # lists the objects, on base pages.
    asked_for() {
        tlbcost --runs 6 --confidence 90 --quiet --huge "$1" -- "$TMP/touch" "$2" 24 >"$TMP/costs" 2>"$TMP/said"
        awk '{ n[$1]++ } END { print n["not_asked"] + 0, n["asked"] + 0 }' "$TMP/said"
    }
    for what in main:malloc main:mmap own:own; do
        same "tlbcost: --huge asks for memory of ${what#*:} in half of the runs" '8 7' "$(asked_for ${what%:*} ${what#*:})"
        matches "tlbcost: the table says which object was on huge pages: ${what#*:}" "^# huge: ${what%:*}$" "$TMP/costs"
    done
    same 'tlbcost: --huge asks for what a wrapper takes for a function' '8 7' "$(asked_for grab_that wrapped)"
    same 'tlbcost: --huge does not ask for what it takes for another one' '15 0' "$(asked_for grab_this wrapped)"
    same 'tlbcost: --huge asks for no other object' '15 0' "$(asked_for own malloc)"
    for name in this that; do
        gcc -O1 -fPIC -shared -DTAKE=take_$name "$ROOT/tests/trace/tlbcost.c" -o "$TMP/$name.so" || exit 2
    done
    cp "$TMP/touch" "$TMP/alone"
    tlbcc -g -O1 "$ROOT/tests/trace/tlbcost.c" -o "$TMP/touch" || exit 2
    same 'tlbcost: --huge asks for memory of a program that tlbcc compiled' '8 7' "$(asked_for main malloc)"
    gcc -O1 "$ROOT/tests/trace/tlbcost.c" -Wl,--no-as-needed "$TMP/this.so" "$TMP/that.so" -o "$TMP/touch" || exit 2
    same 'tlbcost: --huge asks for the object of a library' '8 7' "$(asked_for take_that libraries)"
    same 'tlbcost: --huge asks for no object at the same place in another library' '15 0' "$(asked_for take_this libraries)"
    mv "$TMP/alone" "$TMP/touch"
    exits 2 'tlbcost: an object that is not there is refused' tlbcost --huge nothing -- "$TMP/touch" malloc 24
    matches 'tlbcost: an object that is not there is reported with those that are' 'heap main' "$TMP/err"
    where="$TMP/a:b/libexec/tlblab"
    mkdir -p "$where" "$TMP/a:b/lib/tlblab"
    cp "$OUT/tlbcost" "$where" && cp "$OUT/.obj/plain/runtime/huge.so" "$TMP/a:b/lib/tlblab"
    same 'tlbcost: it finds its library below a name with a blank and a colon' little_memory "$(backing none)"
    same 'tlbcost: below a name with a blank and a colon nothing is complained of' '' "$(cat "$TMP/said")"
    where=$OUT
    if gcc -static -O1 "$ROOT/tests/trace/tlbcost.c" -o "$TMP/static" 2>/dev/null; then
        mv "$TMP/static" "$TMP/touch"
        matches 'tlbcost: of a static program it knows as well' '^(huge|partly|base)$' <(backing free 24)
    fi
else
    skip 'tlbcost: memory is put on huge pages' 'this system has none to give, or not the plain build'
fi
finish_tests
