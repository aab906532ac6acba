#!/usr/bin/env bash
# faults.t: what a system can do to a run. What was measured is not lost, and a message says what happened.
# With LONG, which scripts/test --all sets, signals come at many moments.
# shellcheck disable=SC2016,SC2054 # sh -c has variables of its own; lists of sizes
. "${0%/*}/../../tap.sh"
plain_linux_alone
. "${0%/*}/chase.sh"

run=(chase --quiet --pages 4:256:x1.02 --layout page,packed --samples 3 --seed 1)
planned=774

# kept NAME FILE: a table that a run left behind is read, and goes on to a whole one.
kept() {
    detect --quiet "$2" >"$TMP/out" 2>"$TMP/err"
    check "$1: its table is read" test $? -le 1
    exits 0 "$1: the run is resumed" chase --quiet --resume "$2"
    rows "$2" | sed "$([ -z "$(tail -c 1 "$2")" ] || echo '$d')" >"$TMP/before"
    same "$1: its rows are kept" '' "$(rows "$TMP/out" | head -n "$(wc -l <"$TMP/before")" | diff "$TMP/before" - | head -n 3)"
    same "$1: the rest is measured" "$planned" "$(rows "$TMP/out" | wc -l)"
}

# ---- signals ----

# begin FILE: starts the run, and waits for its header. Without job control it would ignore SIGINT.
begin() {
    rm -f "$1"
    set -m
    "${run[@]}" >"$1" 2>"$TMP/said" &
    pid=$!
    set +m
    until grep -qs '^pages' "$1"; do sleep 0.01; done
}

signals=(HUP INT) moments=(0.03)
[ -z "${LONG-}" ] || signals=(TERM HUP PIPE INT QUIT KILL) moments=(0 0.02 0.05 0.1 0.2 0.4)
for signal in "${signals[@]}"; do
    for moment in "${moments[@]}"; do
        status=0
        begin "$TMP/part.tsv"
        sleep "$moment"
        kill -s "$signal" "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null || status=$?
        check "SIG$signal: the status is the signal's" test "$status" -eq 0 -o "$status" -gt 128
        kept "SIG$signal after $moment s" "$TMP/part.tsv"
    done
done
[ "$status" -eq 0 ] || [ -n "${LONG-}" ] ||
    matches 'SIGINT: a message says how the run goes on' 'interrupted; for the rest, the same command with --resume' "$TMP/said"

begin "$TMP/paused.tsv"
kill -s TSTP "$pid" && sleep 0.1 && kill -s CONT "$pid"
exits 0 'a run that is stopped and goes on ends well' wait "$pid"
same 'a run that is stopped and goes on is whole' "$planned" "$(rows "$TMP/paused.tsv" | wc -l)"

"${run[@]}" 2>"$TMP/err" | head -n 1 >"$TMP/out"
same 'a reader that ends first: no message' '' "$(cat "$TMP/err")"

# ---- a full disk ----

exits 2 'a limit of the size of files is an error' sh -c 'ulimit -f 8 && exec "$@" >"$0"' "$TMP/short.tsv" "${run[@]}"
matches 'a limit of the size of files is named' '^chase: cannot write the output: File too large$' "$TMP/err"
kept 'a limit of the size of files' "$TMP/short.tsv"

user=(-r) && [ "$(id -u)" -ne 0 ] || user=()
# on_disk KIB COMMAND...: with a disk of so many KiB at "$TMP/disk"; what is on it then is in "$TMP/left".
mkdir "$TMP/disk" "$TMP/left"
on_disk() {
    rm -rf "$TMP/left" && mkdir "$TMP/left"
    unshare "${user[@]}" -m sh -c 'mount -t tmpfs -o size="$1"k none "$TMP/disk" && shift && "$@"
        status=$? && cp -R "$TMP/disk/." "$TMP/left" && exit $status' sh "$@"
}
if on_disk 16 true 2>/dev/null; then
    exits 2 'a full disk is an error' on_disk 16 sh -c 'exec "$@" >"$TMP/disk/samples.tsv"' sh "${run[@]}"
    matches 'a full disk is named' '^chase: cannot write the output: No space left on device$' "$TMP/err"
    kept 'a full disk' "$TMP/left/samples.tsv"
    # full NAME STATUS COMMAND...: with temporary files on that disk.
    full() {
        exits "$2" "$1: a full TMPDIR is an error" on_disk "$kib" env TMPDIR="$TMP/disk" "${@:3}"
        matches "$1: a full TMPDIR is named with the reason" ": cannot write to $TMP/disk: No space left on device\$" "$TMP/err"
        lacks "$1: no message is empty" '^[a-z]*: *$|: *$' "$TMP/err"
        same "$1: a full TMPDIR leaves nothing there" '' "$(ls -A "$TMP/left")"
    }
    samples=$ROOT/tests/machines/amd-epyc-guest/sweep.tsv
    if command -v gnuplot >/dev/null; then
        for kib in 4 16 64; do
            full "page, $kib KiB" 2 "$ROOT/scripts/page" "$samples"
            full "page of stdin, $kib KiB" 2 sh -c '"$1" <"$2"' sh "$ROOT/scripts/page" "$samples"
            full "plot, $kib KiB" 2 "$ROOT/scripts/plot" tlb "$samples"
        done
        kib=4
        full 'plot --output' 2 "$ROOT/scripts/plot" --output "$TMP/disk/picture.png" tlb "$samples"
        full 'gallery' 2 "$ROOT/scripts/gallery" --html
    fi
    if [ -n "${LONG-}" ]; then
        exits 2 'measure: a full disk is an error' on_disk 48 "$ROOT/scripts/measure" --quiet --budget 2 --output "$TMP/disk"
        matches 'measure: a full disk is named' 'No space left on device' "$TMP/err"
        check 'measure: a full disk keeps the samples' grep -q '^[0-9]' "$TMP/left/samples.tsv"
    fi
else
    skip 'a full disk is an error' 'no disk can be mounted here (unshare)'
fi

# ---- memory ----

group=/sys/fs/cgroup/memory/tlblab-$$ limit=memory.limit_in_bytes
[ -e /sys/fs/cgroup/memory/$limit ] || group=/sys/fs/cgroup/tlblab-$$ limit=memory.max
if mkdir "$group" 2>/dev/null && echo 60M 2>/dev/null >"$group/$limit"; then
    in_group() { sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"; }
    awk 'BEGIN { print "pages\tns"; for (i = 0; i < 2500000; i++) print i % 5000 + 1 "\t" i % 7 + 1 }' >"$TMP/many.tsv"
    exits 2 'more samples than memory are refused' in_group detect "$TMP/many.tsv"
    matches 'more samples than memory: the limit is named' '^detect: out of memory: [0-9]* MiB are left \(cgroup memory' "$TMP/err"
    exits_saying 2 'more pages than memory are refused' 'are available \(cgroup memory' in_group chase --pages 100000
else
    skip 'more samples than memory are refused' 'no control group of memory can be made here'
fi
rmdir "$group" 2>/dev/null || :

# ---- a clock that jumps ----

# LD_PRELOAD ends a name at a space, a path of libraries does not.
with_fault() { env LD_LIBRARY_PATH="$OUT/.obj/plain/tests" LD_PRELOAD=faults.so "$@"; }
# jumps STATUS SECONDS: after the 20000 readings that judge the clock, at every 101st.
kernel='read' # whose loads the processor's counter times
jumps() { exits "$1" "a clock that jumps by $2 s, kernel $kernel" with_fault CLOCK_JUMPS="20500 101 $2" "${run[@]}" --kernel "$kernel" --budget 100; }
jumps 0 -3600
same 'a clock that is set back leaves no impossible time' '' "$(columns 'ns min_ns' "$TMP/out" | awk '!($1 > 0 && $1 < 1e6 && $2 > 0 && $2 <= $1)')"
kernel='write'
jumps 0 -3600
matches 'a clock that is set back is named' '^chase: the clock was set back by' "$TMP/err"
jumps 1 3600
matches 'a clock that leaps ahead ends the budget' 'the budget of 100 s ended before all was measured; --resume goes on' "$TMP/err"
same 'a clock that leaps ahead spoils no fastest lap' '' "$(columns 'min_ns' "$TMP/out" | awk '!($1 > 0 && $1 < 1e6)')"

# ---- other cores, huge pages ----

cores=$(getconf _NPROCESSORS_ONLN)
if [ "$cores" -gt 1 ] && command -v taskset >/dev/null; then
    begin "$TMP/moved.tsv"
    here=$(sed -n 's/^# pinned_cpu: //p' "$TMP/moved.tsv")
    taskset -pc "$((here == 0))" "$pid" >/dev/null
    exits 0 'a run that is moved to another core goes on' wait "$pid"
    matches 'a run that is moved to another core says so' "moved from core $here to core $((here == 0))" "$TMP/said"
else
    skip 'a run that is moved to another core goes on' 'there is one core'
fi

if chase --quiet --backing huge --pages 4 --samples 1 --loads 1000 >"$TMP/out" 2>&1; then
    exits 2 'huge pages half granted are refused' with_fault HUGE_PAGES=half chase --quiet --backing huge --pages 8 --samples 1
    matches 'huge pages half granted are counted' 'the system gave [0-9] of 8' "$TMP/err"
else
    skip 'huge pages half granted are refused' 'no huge pages here'
fi

# ---- gnuplot, decimal commas ----

mkdir "$TMP/old"
printf '#!/bin/sh\ncase $1 in --version) echo "gnuplot 4.6 patchlevel 0" ;; *) echo "line 0: invalid command" >&2; exit 1 ;; esac\n' >"$TMP/old/gnuplot"
chmod +x "$TMP/old/gnuplot"
exits 2 'an old gnuplot is an error' env PATH="$TMP/old:$PATH" "$ROOT/scripts/plot" --output "$TMP/p.png" tlb "$ROOT/tests/data/plot-samples.tsv"
matches 'an old gnuplot is named' 'gnuplot 4.6 is too old' "$TMP/err"
mkdir "$TMP/bare"
for tool in bash sh env cat sed awk sort head tail tr paste dirname mktemp rm mv date find grep ln cp mkdir rmdir tee; do
    ln -s "$(command -v "$tool")" "$TMP/bare/$tool"
done
exits 2 'without gnuplot there is no picture' env PATH="$TMP/bare" "$ROOT/scripts/plot" --output "$TMP/p.png" tlb "$ROOT/tests/data/plot-samples.tsv"
matches 'a missing gnuplot is named' 'gnuplot is missing' "$TMP/err"
check 'without gnuplot there is no empty picture' test ! -e "$TMP/p.png"
if [ -n "${LONG-}" ]; then
    exits 0 'measure: without gnuplot there is an answer' env PATH="$TMP/bare" "$ROOT/scripts/measure" --quiet --budget 2 --output "$TMP/run"
    matches 'measure: a missing gnuplot is named' '^measure: no picture: gnuplot is not here' "$TMP/err"
    check 'measure: without gnuplot the tables are kept' grep -q '^dtlb\|^structure' "$TMP/run/boundaries.tsv"
fi

if command -v localedef >/dev/null && mkdir "$TMP/locales" && localedef -i de_DE -f ISO-8859-1 "$TMP/locales/de_DE" 2>/dev/null; then
    export LOCPATH=$TMP/locales
    same 'the locale has decimal commas' 0,5 "$(LC_ALL=de_DE bash -c 'printf %.1f 0,5' 2>/dev/null)"
    for command in 'simulate --seed 1 --noise gauss:1 zen4' 'detect --quiet '"$ROOT"/tests/machines/amd-zen5-guest/sweep.tsv 'plan --seed 1'; do
        # shellcheck disable=SC2086 # words
        same "decimal commas change nothing: ${command%% *}" '' "$(LC_ALL=de_DE $command 2>&1 | diff - <($command 2>&1) | head -n 3)"
    done
    if command -v gnuplot >/dev/null; then
        simulate --seed 1 zen4 >"$TMP/samples.tsv"
        cp -R "$ROOT/plots" "$TMP/plots"
        for locale in C de_DE; do
            (cd "$TMP" && LC_ALL=$locale gnuplot -c plots/draw.gp tlb/tlb samples.tsv "$locale.svg") 2>"$TMP/err"
        done
        check 'decimal commas change no picture' cmp "$TMP/C.svg" "$TMP/de_DE.svg"
    fi
else
    skip 'the locale has decimal commas' 'no such locale can be made here (localedef)'
fi
finish_tests
