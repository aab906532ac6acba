#!/usr/bin/env bash
# bandwidth.t: bandwidth as a program: its table, its three kinds of run, what it refuses, and how it
# keeps within memory, cores and time. No rate is judged.
# shellcheck disable=SC2016 # sh -c has variables of its own
. "${0%/*}/tap.sh"
long_with_sanitizers

tab=$(printf '\t')
quick=(bandwidth --quiet --samples 1)
header="op${tab}bytes${tab}spacing_bytes${tab}threads${tab}delay_ns${tab}sample${tab}gb_per_s${tab}ns"

rows() { grep -v '^#' "$1" | sed 1d; }
# column NAME FILE: its values, on one line.
column() { awk -F '\t' -v name="$1" '/^#/ { next }
    !c { for (c = 1; $c != name && c <= NF; c++); next } { print $c }' "$2" | paste -s -d ' ' -; }
# refuses NAME REGEX OPTION...: exits 2, says why, and writes nothing.
refuses() {
    local name=$1 regex=$2
    shift 2
    exits 2 "$name" bandwidth --quiet "$@"
    matches "$name: says why" "^bandwidth: .*$regex" "$TMP/err"
    same "$name: writes nothing" '' "$(cat "$TMP/out")"
}

exits 0 'the help' bandwidth --help
matches 'lists the ops' '^  triad .* a\[i\] = b\[i\] \+ s \* c\[i\] +24 \(32\)' "$TMP/out"
matches 'and the kernels' '^  libc +the C library' "$TMP/out"
if [ "$PLATFORM" = none ]; then
    exits 2 'a system that cannot measure' bandwidth
    matches 'is told so' '^bandwidth: cannot measure here: .' "$TMP/err"
    same 'nothing is written' '' "$(cat "$TMP/out")"
    finish_tests
fi
# Not nproc: that would count what the shell may use, in other ways.
cores=$(bandwidth --quiet --samples 1 --op read --kernel c --bytes 64k | sed -n 's/^# pinned_cpu: \([0-9,]*\)$/\1/p' |
    tr ',' '\n' | grep -c .)

# ---- streams ----

exits 0 'two ops, two sizes, one thread' bandwidth --quiet --op read,copy --bytes 4k,10000 --threads 1 \
    --samples 2
same 'each sample is a pass over all' \
    'read4096 0 read9984 0 copy4096 0 copy9984 0 read4096 1 read9984 1 copy4096 1 copy9984 1' \
    "$(rows "$TMP/out" | awk -F '\t' '{ print $1 $2, $6 }' | paste -s -d ' ' -)"
matches 'the header begins as agreed' "^$header$tab" "$TMP/out"
same 'every row is whole' "$(grep '^op' "$TMP/out" | awk -F '\t' '{ print NF }')" \
    "$(rows "$TMP/out" | awk -F '\t' '{ print NF }' | sort -u)"
same 'every row has a rate and nothing else' 8 \
    "$(rows "$TMP/out" | awk -F '\t' '$7 > 0 && $3 == 8 && $4 == 1 && $5 == "-" && $8 == "-"' | grep -c .)"
same 'a sample takes 10 ms, or what a warm-up more takes' 8 \
    "$(rows "$TMP/out" | awk -F '\t' '$10 >= 0.0099 && $11 >= 0' | grep -c .)"
lacks 'kernels have names' '^-$' <(column kernel "$TMP/out" | tr ' ' '\n')
for kernel in $(column kernel "$TMP/out"); do
    bandwidth --help | grep -q "^  $kernel " || echo "$kernel"
done >"$TMP/unknown"
same 'that the help knows' '' "$(cat "$TMP/unknown")"
for key in program version command page_bytes pinned_cpu core_kind sibling_busy counted timer_ns timer_overhead_ns; do
    matches "metadata $key" "^# $key: ." "$TMP/out"
done
same 'no remarks' '' "$(cat "$TMP/err")"
if command -v datamash >/dev/null; then
    same 'datamash reads it' "copy${tab}9984" "$(datamash -C -H -s -g op max bytes <"$TMP/out" | sed -n 2p)"
else
    skip 'datamash reads it' 'no datamash here'
fi

ops=read,write,copy,scale,add,triad
case $(uname -m) in x86_64 | amd64 | aarch64 | arm64) ops=$ops,write_nt,copy_nt,scale_nt,add_nt,triad_nt ;; esac
exits 0 'every op' "${quick[@]}" --op "$ops" --bytes 96k
same 'has rows for one thread and for all' "$(tr ',' '\n' <<<"$ops" | sort)" \
    "$(rows "$TMP/out" | awk -F '\t' '$7 > 0 { n[$1 $4]++ ? 0 : ops[$1]++ }
        END { for (op in ops) print op }' | sort)"
same 'as many as there are cores' "$([ "$cores" -gt 1 ] && echo "1 $cores" || echo 1)" \
    "$(rows "$TMP/out" | cut -f 4 | sort -n -u | paste -s -d ' ' -)"
same 'none takes more than was asked for' '' "$(rows "$TMP/out" | awk -F '\t' '$2 > 98304 || $2 < 90000')"
same 'stores past the caches where that was asked for' '' \
    "$(rows "$TMP/out" | awk -F '\t' '$1 ~ /_nt$/ && $9 !~ /_nt/')"

exits 0 'a kernel by name' "${quick[@]}" --op read,triad --bytes 64k --threads 1 --kernel c
same 'is used' 'c c' "$(column kernel "$TMP/out")"
exits 0 'with write-allocate' "${quick[@]}" --op copy --bytes 64k --threads 1 --kernel c --write-allocate
matches 'the metadata tell' '^# counted: with write-allocate$' "$TMP/out"
exits 0 'reads far apart' "${quick[@]}" --spacing 8,64,4k --bytes 64k --threads 1
same 'have their spacing' '8 64 4096' "$(column spacing_bytes "$TMP/out")"
same 'and are reads' 'read read read' "$(column op "$TMP/out")"
exits 0 'base pages' "${quick[@]}" --op read --bytes 64k --threads 1 --kernel c --base-pages
same 'are told' 'no (not asked for)' "$(column huge "$TMP/out")"
exits 0 'metadata of our own' "${quick[@]}" --op read --bytes 4k --kernel c --threads 1 --meta note='a b'
matches 'stand in the table' '^# note: a b$' "$TMP/out"

refuses 'a third kind of core' "--core-kind 'fast': there are performance and efficiency" --core-kind fast
exits 0 'performance cores' "${quick[@]}" --op read --bytes 4k --kernel c --threads 1 --core-kind performance
matches 'are what they are' '^# core_kind: (performance|uniform|unknown)$' "$TMP/out"
status=0
"${quick[@]}" --op read --bytes 4k --kernel c --core-kind efficiency >"$TMP/out" 2>"$TMP/err" || status=$?
if [ "$status" -eq 0 ]; then
    matches 'efficiency cores: one of them' '^# core_kind: efficiency$' "$TMP/out"
else
    same 'efficiency cores: there are none' 2 "$status"
    matches 'efficiency cores: and why' '^bandwidth: --core-kind efficiency: .' "$TMP/err"
    same 'efficiency cores: without a table' '' "$(cat "$TMP/out")"
fi
refuses 'an unknown op' "--op 'reed': there is none such; --help lists" --op read,reed
refuses 'an unknown kernel' "--kernel 'x': there is none such; --help lists" --kernel x --bytes 4k
refuses 'a kernel without such a loop' '--kernel libc: it has no such loop \(op triad\)' --kernel libc \
    --op triad --bytes 4k
refuses 'a kernel that writes through the caches' 'does not write past' --kernel c --op copy_nt --bytes 4k
refuses 'a spacing between elements' "--spacing 12: expected a multiple of 8" --spacing 12
refuses 'a spacing of writes' 'goes with --op read' --spacing 64 --op write
refuses 'a spacing beyond the array' 'has but 4096 bytes' --spacing 8k --bytes 4k --threads 1
refuses 'less than a line' '--bytes 100: less than 64 bytes' --bytes 100 --op copy --threads 1
refuses 'no thread' '--threads 0: from 1' --threads 0
refuses 'more threads than cores' "--threads 100000: from 1 to the $cores cores" --threads 100000
refuses 'a budget of nothing' 'expected more than 0 seconds' --budget 0
refuses 'an operand' "unexpected operand 'x'" x
refuses 'two runs in one' 'are two runs' --latency --sharing
refuses 'a delay of nothing' 'go with --latency' --delay 1
refuses 'sizes of false sharing' '--sharing takes' --sharing --bytes 4k
refuses 'two sizes of traffic' 'takes one size' --latency --bytes 4k,8k
refuses 'more than can be counted' 'more than can be addressed' --bytes 18446744073709551615
refuses 'counters as far apart' 'expected a multiple of 8 that memory can have' --sharing \
    --spacing 18446744073709551608
refuses 'more than there is' 'MiB are available \(.+\)' --bytes 8388608G --op read --kernel c

# ---- memory, cores, time ----

if [ "$VARIANT" = asan ]; then
    skip 'little address space' 'address sanitizer takes more than that'
else
    little=(sh -c 'ulimit -v 300000 && exec "$@"' sh)
    exits 2 'more than the limit' "${little[@]}" "${quick[@]}" --bytes 1G --op read --kernel c --threads 1
    matches 'is refused with its name' '1024 MiB are needed, and [0-9]+ MiB are available \(RLIMIT_AS\)' \
        "$TMP/err"
    exits 0 'more than half of it' "${little[@]}" "${quick[@]}" --bytes 200M --op read --kernel c --threads 1
    matches 'is warned of' '200 MiB of the [0-9]+ MiB .*RLIMIT_AS.* may be pushed out' "$TMP/err"
    exits 0 'default sizes' "${little[@]}" bandwidth --samples 1 --op read --kernel c --threads 1
    matches 'leave out what is more than half' \
        '^bandwidth: sizes from 256 MiB on are left out: .*RLIMIT_AS.*--bytes' "$TMP/err"
    same 'and go from 4 KiB to below that' '4096 134217728' \
        "$(rows "$TMP/out" | cut -f 2 | sed -n '1p;$p' | paste -s -d ' ' -)"
fi
if command -v taskset >/dev/null; then
    one=(taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[,-].*//')")
    exits 0 'one core' "${one[@]}" "${quick[@]}" --op read --bytes 64k --kernel c
    same 'is used once' 1 "$(column threads "$TMP/out")"
    exits 2 'loaded latency on it' "${one[@]}" bandwidth --latency
    matches 'is refused' 'takes 2 cores, and this process may use 1' "$TMP/err"
    exits 2 'false sharing on it' "${one[@]}" bandwidth --sharing
    matches 'is refused, too' 'takes 2 cores, and this process may use 1' "$TMP/err"
else
    skip 'one core' 'no taskset here'
fi
exits 1 'a budget that is too small' bandwidth --op read --bytes 64k --kernel c --samples 100 --budget 0.3
matches 'is told' 'budget of 0.3 s ended before all samples' "$TMP/err"
matches 'what is there is a table' "^$header$tab" "$TMP/out"
check 'with some rows' test "$(rows "$TMP/out" | grep -c .)" -lt 100
writes_before_memory 'the header is there before any memory is taken' 96 \
    "${quick[@]}" --op read --bytes 96M --kernel c --threads 1 --base-pages
bandwidth --op read --bytes 4k,8k --kernel c --threads 1,1 --samples 1000 2>"$TMP/err" | sed 40q >/dev/null
matches 'a long run is told of, all threads together' '^bandwidth: 4000 samples, about [0-9]+ s .*--budget' \
    "$TMP/err"
exits 2 'a full disk' sh -c 'exec bandwidth --quiet --op read --bytes 4k --kernel c --samples 1 >/dev/full'
matches 'is an error' 'cannot write the output' "$TMP/err"
same 'a reader that has seen enough' '# program: bandwidth' \
    "$("${quick[@]}" --op read --bytes 4k --kernel c --samples 50 2>"$TMP/err" | head -n 1)"
same 'ends it quietly' '' "$(cat "$TMP/err")"

# ---- loaded latency, false sharing ----

if [ "$cores" -lt 2 ]; then
    skip 'loaded latency' 'needs two cores'
    finish_tests
fi
exits 0 'loaded latency' "${quick[@]}" --latency --bytes 1M --chase 1M --delay 0,2000 --kernel c --seed 7 \
    --op read,copy
same 'a chase, and what the others move' 'chase chase read chase read chase chase copy chase copy' \
    "$(column op "$TMP/out")"
same 'at each delay' '- 0 0 2000 2000 - 0 0 2000 2000' "$(column delay_ns "$TMP/out")"
same 'alone, and with all' "1 $cores $cores $cores $cores 1 $cores $cores $cores $cores" \
    "$(column threads "$TMP/out")"
same 'a time for one, a rate for the other' '' \
    "$(rows "$TMP/out" | awk -F '\t' '$1 == "chase" ? !($8 > 0 && $7 == "-") : !($7 > 0 && $8 == "-")')"
matches 'the seed is told' '^# seed: 7$' "$TMP/out"
refuses 'a chase within a line' '--chase 8: expected 1 to [0-9]+ lines' --latency --chase 8
exits 0 'a seed of its own' "${quick[@]}" --latency --bytes 64k --chase 64k --delay 0 --kernel c
matches 'is told as well' '^# seed: [1-9]' "$TMP/out"
exits 0 'false sharing' "${quick[@]}" --sharing
same 'a counter alone, and two ever further apart' '- 8 16 32 64 128 256' "$(column spacing_bytes "$TMP/out")"
same 'with two threads' '1 2 2 2 2 2 2' "$(column threads "$TMP/out")"
same 'has times' '' "$(rows "$TMP/out" | awk -F '\t' '!($8 > 0) || $7 != "-" || $1 != "sharing"')"
finish_tests
