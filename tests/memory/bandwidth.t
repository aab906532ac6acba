#!/usr/bin/env bash
# bandwidth.t: bandwidth as a program: its table, its three kinds of run, what it refuses, and how it keeps
# within memory, cores and time. No rate is judged.
# shellcheck disable=SC2016 # sh -c has its own variables
. "${0%/*}/../tap.sh"
long_with_sanitizers

quick=(bandwidth --quiet --samples 1)
header="op${tab}bytes${tab}spacing_bytes${tab}threads${tab}delay_ns${tab}sample${tab}gb_per_s${tab}ns"

# column NAME FILE: its values, on one line.
column() { columns "$1" "$2" | paste -s -d ' ' -; }
# refuses NAME REGEX OPTION...: exits 2, says why, and writes nothing.
refuses() { is_refused "$1" "^bandwidth: .*$2" bandwidth --quiet "${@:3}"; }

exits 0 'bandwidth: --help succeeds' bandwidth --help
bandwidth --help ops >"$TMP/out"
matches 'bandwidth: --help ops lists them with their bytes' '^  triad .* a\[i\] = b\[i\] \+ s \* c\[i\] +24 \(32\)' "$TMP/out"
bandwidth --help kernels >"$TMP/kernels"
matches 'bandwidth: --help kernels lists them' '^  libc +the C library' "$TMP/kernels"
if [ "$PLATFORM" = none ]; then
    exits_saying 2 'bandwidth: a system that cannot measure gives status 2' '^bandwidth: cannot measure here: .' bandwidth
    same 'bandwidth: a system that cannot measure gives no table' '' "$(cat "$TMP/out")"
    finish_tests
fi
# Not nproc: that would count what the shell may use, in other ways.
cores=$(bandwidth --quiet --samples 1 --op read --kernel c --bytes 64k | sed -n 's/^# pinned_cpu: \([0-9,]*\)$/\1/p' |
    tr ',' '\n' | grep -c .)

# ---- streams ----

exits 0 'bandwidth: two ops, two sizes and one thread are measured' bandwidth --quiet --op read,copy --bytes 4k,10000 --threads 1 \
    --samples 2
same 'bandwidth: each sample is a pass over all ops and sizes' \
    'read4096 0 read9984 0 copy4096 0 copy9984 0 read4096 1 read9984 1 copy4096 1 copy9984 1' \
    "$(rows "$TMP/out" | awk -F '\t' '{ print $1 $2, $6 }' | paste -s -d ' ' -)"
matches 'bandwidth: the header begins with the agreed columns' "^$header$tab" "$TMP/out"
same 'bandwidth: every row has as many fields as the header' "$(grep '^op' "$TMP/out" | awk -F '\t' '{ print NF }')" \
    "$(rows "$TMP/out" | awk -F '\t' '{ print NF }' | sort -u)"
same 'bandwidth: every row of a stream has a rate and nothing else' 8 \
    "$(rows "$TMP/out" | awk -F '\t' '$7 > 0 && $3 == 8 && $4 == 1 && $5 == "-" && $8 == "-"' | grep -c .)"
same 'bandwidth: a sample takes 10 ms, or what a warm-up more takes' 8 \
    "$(rows "$TMP/out" | awk -F '\t' '$10 >= 0.0099 && $11 >= 0' | grep -c .)"
lacks 'bandwidth: every row names its kernel' '^-$' <(column kernel "$TMP/out" | tr ' ' '\n')
for kernel in $(column kernel "$TMP/out"); do
    grep -q "^  $kernel " "$TMP/kernels" || echo "$kernel"
done >"$TMP/unknown"
same 'bandwidth: --help kernels knows the kernels that the rows name' '' "$(cat "$TMP/unknown")"
for key in program version command page_bytes pinned_cpu core_kind sibling_busy counted timer_ns timer_overhead_ns; do
    matches "bandwidth: the metadata have $key" "^# $key: ." "$TMP/out"
done
same 'bandwidth: a run of streams writes nothing to stderr' '' "$(cat "$TMP/err")"
if command -v datamash >/dev/null; then
    same 'bandwidth: datamash reads the table' "copy${tab}9984" "$(datamash -C -H -s -g op max bytes <"$TMP/out" | sed -n 2p)"
else
    skip 'bandwidth: datamash reads the table' 'no datamash here'
fi

ops=read,write,copy,scale,add,triad
case $(uname -m) in x86_64 | amd64 | aarch64 | arm64) ops=$ops,write_nt,copy_nt,scale_nt,add_nt,triad_nt ;; esac
exits 0 'bandwidth: two ops are measured with any number of threads' "${quick[@]}" --op read,triad --bytes 96k
same 'bandwidth: an op has rows for one thread and for as many as there are cores' \
    "$(for op in read triad; do printf '%s\n' 1 "$cores" | sort -u | sed "s/^/$op /"; done)" \
    "$(rows "$TMP/out" | awk -F '\t' '$7 > 0 { print $1, $4 }' | sort -u)"
exits 0 'bandwidth: every op is measured' "${quick[@]}" --op "$ops" --bytes 96k --threads 1
same 'bandwidth: every op has rows' "$(tr ',' '\n' <<<"$ops" | sort)" \
    "$(rows "$TMP/out" | awk -F '\t' '$7 > 0 { print $1 }' | sort -u)"
same 'bandwidth: no row takes more memory than --bytes' '' "$(rows "$TMP/out" | awk -F '\t' '$2 > 98304 || $2 < 90000')"
same 'bandwidth: ops with _nt use kernels that store past the caches' '' \
    "$(rows "$TMP/out" | awk -F '\t' '$1 ~ /_nt$/ && $9 !~ /_nt/')"

exits 0 'bandwidth: --kernel c is accepted' "${quick[@]}" --op read,triad --bytes 64k --threads 1 --kernel c
same 'bandwidth: --kernel c is the kernel of every row' 'c c' "$(column kernel "$TMP/out")"
exits 0 'bandwidth: reads at several spacings are measured' "${quick[@]}" --spacing 8,64,4k --bytes 64k --threads 1
same 'bandwidth: reads at several spacings have a row for each' '8 64 4096' "$(column spacing_bytes "$TMP/out")"
same 'bandwidth: several spacings are reads by default' 'read read read' "$(column op "$TMP/out")"
exits 0 'bandwidth: --base-pages is accepted' "${quick[@]}" --op read --bytes 64k --threads 1 --kernel c --base-pages
same 'bandwidth: the column huge states --base-pages' 'no (not requested)' "$(column huge "$TMP/out")"
exits 0 'bandwidth: --meta is accepted' "${quick[@]}" --op read --bytes 4k --kernel c --threads 1 --meta note='a b'
matches 'bandwidth: --meta is in the metadata' '^# note: a b$' "$TMP/out"

refuses 'a third kind of core' "--core-kind 'fast': there are performance and efficiency" --core-kind fast
exits 0 'bandwidth: --core-kind performance is accepted' "${quick[@]}" --op read --bytes 4k --kernel c --threads 1 --core-kind performance
matches 'bandwidth: --core-kind performance measures such a core' '^# core_kind: (performance|uniform|unknown)$' "$TMP/out"
status=0
"${quick[@]}" --op read --bytes 4k --kernel c --core-kind efficiency >"$TMP/out" 2>"$TMP/err" || status=$?
if [ "$status" -eq 0 ]; then
    matches 'bandwidth: --core-kind efficiency measures such a core' '^# core_kind: efficiency$' "$TMP/out"
else
    same 'bandwidth: --core-kind efficiency without such cores gives status 2' 2 "$status"
    matches 'bandwidth: --core-kind efficiency without such cores says why' '^bandwidth: --core-kind efficiency: .' "$TMP/err"
    same 'bandwidth: --core-kind efficiency without such cores writes no table' '' "$(cat "$TMP/out")"
fi
refuses 'an unknown op' "--op 'reed': there are read, write, copy" --op read,reed
refuses 'more ops than it takes' '--op: more than 16 of them' --op "read$(printf ',%.0sread' {1..16})"
refuses 'an unknown kernel' "--kernel 'x': unknown; --help lists" --kernel x --bytes 4k
refuses 'a kernel without such a loop' '--kernel libc: it has no such loop \(op triad\)' --kernel libc \
    --op triad --bytes 4k
refuses 'a kernel that writes through the caches' 'does not write past' --kernel c --op copy_nt --bytes 4k
refuses 'a spacing between elements' "--spacing .12.: expected .*multiples of 8 from 8" --spacing 12
refuses 'a spacing of writes' '--spacing does not go with --op write' --spacing 64 --op write
refuses 'a spacing beyond the array' 'has only 4096 of the 4096 bytes' --spacing 8k --bytes 4k --threads 1
refuses 'less than a line' '--bytes 100: less than 64 bytes' --bytes 100 --op copy --threads 1
refuses 'no thread' '--threads 0: expected 1' --threads 0
refuses 'more threads than cores' "--threads 100000: expected 1 to $cores, the cores" --threads 100000
refuses 'a budget of nothing' 'expected more than 0 seconds' --budget 0
refuses 'an operand' "unexpected operand 'x'" x
refuses 'two runs in one' '--sharing does not go with --latency' --latency --sharing
refuses 'a delay of nothing' '--delay needs --latency' --delay 1
refuses 'sizes of false sharing' '--sharing does not go with --bytes' --sharing --bytes 4k
refuses 'two sizes of traffic' 'one working set' --latency --bytes 4k,8k
refuses 'more than can be counted' '--bytes .* to 1e.18' --bytes 18446744073709551615
refuses 'counters as far apart' '--spacing .* to 1e.18' --sharing \
    --spacing 18446744073709551608
refuses 'more than there is' 'MiB are available \(.+\)' --bytes 8388608G --op read --kernel c

# ---- memory, cores, time ----

if [ "$VARIANT" = asan ]; then
    skip 'bandwidth: RLIMIT_AS limits the sizes' 'address sanitizer takes more than that'
else
    little=(sh -c 'ulimit -v 300000 && exec "$@"' sh)
    exits_saying 2 'bandwidth: more memory than RLIMIT_AS is refused' '1024 MiB are needed, and [0-9]+ MiB are available \(RLIMIT_AS\)' \
        "${little[@]}" "${quick[@]}" --bytes 1G --op read --kernel c --threads 1
    exits 0 'bandwidth: more than half of RLIMIT_AS is measured' "${little[@]}" "${quick[@]}" --bytes 200M --op read --kernel c --threads 1
    matches 'bandwidth: more than half of RLIMIT_AS gives a warning' '200 MiB of the [0-9]+ MiB .*RLIMIT_AS.* may be pushed out' "$TMP/err"
    exits_saying 0 'bandwidth: default sizes are measured under RLIMIT_AS' '^bandwidth: sizes from 256 MiB on are left out: .*RLIMIT_AS.*--bytes' \
        "${little[@]}" bandwidth --samples 1 --op read --kernel c --threads 1
    same 'bandwidth: default sizes go from 4 KiB to below half of RLIMIT_AS' '4096 134217728' \
        "$(rows "$TMP/out" | cut -f 2 | sed -n '1p;$p' | paste -s -d ' ' -)"
fi
if command -v taskset >/dev/null; then
    one=(taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[,-].*//')")
    exits 0 'bandwidth: a process on one core measures' "${one[@]}" "${quick[@]}" --op read --bytes 64k --kernel c
    same 'bandwidth: a process on one core measures with one thread' 1 "$(column threads "$TMP/out")"
    exits 2 'bandwidth: --latency on one core is refused' "${one[@]}" bandwidth --latency
    matches 'bandwidth: --latency on one core says that two are needed' 'takes 2 cores, and this process may use 1' "$TMP/err"
    exits 2 'bandwidth: --sharing on one core is refused' "${one[@]}" bandwidth --sharing
    matches 'bandwidth: --sharing on one core says that two are needed' 'takes 2 cores, and this process may use 1' "$TMP/err"
else
    skip 'bandwidth: a process on one core measures' 'no taskset here'
fi
# Touching 2 GiB for the first time counts as 2 s at least, so it is not begun.
if [ "$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null || echo 0)" -gt 4 ]; then
    exits 1 'bandwidth: a short budget ends before a large size' \
        bandwidth --quiet --op read --kernel c --threads 1 --samples 1 --bytes 4k,2G --budget 2
    same 'bandwidth: a short budget leaves the rows of small sizes' 4096 "$(rows "$TMP/out" | cut -f 2)"
else
    skip 'bandwidth: a short budget leaves the rows of small sizes' 'less than 5 GiB of memory are available'
fi
exits 1 'bandwidth: a budget that is too small gives status 1' bandwidth --op read --bytes 64k --kernel c --samples 100 --budget 0.3
matches 'bandwidth: a budget that is too small is named' 'budget of 0.3 s ended before all samples' "$TMP/err"
matches 'bandwidth: a budget that is too small leaves a table' "^$header$tab" "$TMP/out"
check 'bandwidth: a budget that is too small leaves fewer rows than asked for' test "$(rows "$TMP/out" | grep -c .)" -lt 100
writes_before_memory 'bandwidth: the header is written before any memory is taken' 96 \
    "${quick[@]}" --op read --bytes 96M --kernel c --threads 1 --base-pages
bandwidth --op read --bytes 4k,8k --kernel c --threads 1,1 --samples 1000 2>"$TMP/err" | sed 40q >/dev/null
matches 'bandwidth: the announcement of a long run counts the samples of all thread counts' '^bandwidth: 4000 samples, about [0-9]+ s .*--budget' \
    "$TMP/err"
exits 2 'bandwidth: a full disk gives status 2' sh -c 'exec bandwidth --quiet --op read --bytes 4k --kernel c --samples 1 >/dev/full'
matches 'bandwidth: a full disk is named as an error' 'cannot write the output' "$TMP/err"
same 'bandwidth: a reader that closes the pipe has the first line' '# program: bandwidth' \
    "$("${quick[@]}" --op read --bytes 4k --kernel c --samples 50 2>"$TMP/err" | head -n 1)"
same 'bandwidth: a reader that closes the pipe causes no message' '' "$(cat "$TMP/err")"

# ---- loaded latency, false sharing ----

if [ "$cores" -lt 2 ]; then
    skip 'bandwidth: loaded latency and false sharing' 'needs two cores'
    finish_tests
fi
exits 0 'bandwidth: --latency measures at two delays' "${quick[@]}" --latency --bytes 1M --chase 1M --delay 0,2000 --kernel c --seed 7 \
    --op read,copy
same 'bandwidth: --latency gives a chase, and a row for what the others move' 'chase chase read chase read chase chase copy chase copy' \
    "$(column op "$TMP/out")"
same 'bandwidth: --latency gives each delay to both rows' '- 0 0 2000 2000 - 0 0 2000 2000' "$(column delay_ns "$TMP/out")"
same 'bandwidth: --latency measures alone, and with all threads' "1 $cores $cores $cores $cores 1 $cores $cores $cores $cores" \
    "$(column threads "$TMP/out")"
same 'bandwidth: --latency gives a chase its time and traffic its rate' '' \
    "$(rows "$TMP/out" | awk -F '\t' '$1 == "chase" ? !($8 > 0 && $7 == "-") : !($7 ~ /^[0-9]/ && $8 == "-")')"
matches 'bandwidth: --seed is in the metadata' '^# seed: 7$' "$TMP/out"
refuses 'a chase within a line' '--chase 8: expected 1 to [0-9]+ lines' --latency --chase 8
exits 0 'bandwidth: --latency without --seed is accepted' "${quick[@]}" --latency --bytes 64k --chase 64k --delay 0 --kernel c
matches 'bandwidth: --latency without --seed draws one and writes it' '^# seed: [1-9]' "$TMP/out"
exits 0 'bandwidth: --sharing is accepted' "${quick[@]}" --sharing
same 'bandwidth: --sharing has a counter alone, then two ever further apart' '- 8 16 32 64 128 256' "$(column spacing_bytes "$TMP/out")"
same 'bandwidth: --sharing uses two threads, one for the counter alone' '1 2 2 2 2 2 2' "$(column threads "$TMP/out")"
same 'bandwidth: --sharing has a time in every row' '' "$(rows "$TMP/out" | awk -F '\t' '!($8 > 0) || $7 != "-" || $1 != "sharing"')"
finish_tests
