#!/usr/bin/env bash
# prefetch.t: prefetchers of simulated machines are distinguished, and a machine without any is recognised.
# The places of the nodes are tested in tests/common/access/test_probe.c.
. "${0%/*}/../../tap.sh"
long_with_sanitizers
sanitizers_suffice

plain_inputs sweep simulate
# The answer of detect: note, and how far, from and to.
answer() { rows "$TMP/out" | awk -F '\t' '{ printf "%s%s %d-%d", (NR > 1 ? ", " : ""), $13, $6, $7 }'; }

# machine FILE [KIND TOUCHES AHEAD STRIDE]...: a machine description with these prefetchers.
machine() {
    local file=$1
    shift
    printf '# %s\n' 'name: prefetching' 'page_bytes: 4k' 'line_bytes: 64' 'memory_bytes: 4G' >"$file"
    {
        echo 'structure level entries ways ns prefetch touches ahead_bytes stride_bytes'
        printf '%s - - - -\n' 'dtlb 1 64 4 0' 'walk - - - 8' 'cache 1 512 8 1' 'cache 2 8192 8 4' 'memory - - - 80'
        while [ $# -gt 0 ]; do
            echo "prefetch - - - - $1 $2 $3 $4"
            shift 4
        done
    } | tr ' ' '\t' >>"$file"
}

# tells WHAT WANTED [KIND TOUCHES AHEAD STRIDE]...: the answer, without noise and with much of it.
tells() {
    local what=$1 wanted=$2 noise
    shift 2
    machine "$TMP/machine.tsv" "$@"
    for noise in gauss:0 gauss:3,spikes:5,drift:5; do
        simulate --noise "$noise" "$TMP/machine.tsv" "$TMP/few.tsv" >"$TMP/samples.tsv"
        exits "$([ -n "$wanted" ] && echo 0 || echo 1)" "prefetch: $what, $noise: detect has its status" \
            detect --quiet "$TMP/samples.tsv"
        same "prefetch: $what, $noise: the answer is right" "$wanted" "$(answer)"
    done
}

plan --preset prefetch --pages 2,64 --seed 7 >"$TMP/few.tsv"
tells 'the next line' 'next_line 64-64' next_line - 64 -
tells 'two lines ahead' 'next_line 64-128' next_line - 128 -
tells 'the line before' 'previous_line 64-64' previous_line - 64 -
tells 'pairs of lines' 'adjacent_pair 64-64' adjacent_pair - - -
tells 'pairs and the next line' 'next_line 64-64, adjacent_pair 64-64' adjacent_pair - - - next_line - 64 -
tells 'a learnt pattern' 'repeated_pattern 128-320' repeated_pattern - 320 -
tells 'strides upwards' 'stride_up=64 64-512, stride_up=128 128-512, stride_up=192 192-384, stride_up=256 256-512' \
    stride_up 3 512 256
tells 'strides downwards' 'stride_down=64 64-256, stride_down=128 128-256' stride_down 4 256 128
tells 'the next line and strides beyond' 'next_line 64-64, stride_up=64 128-256, stride_up=128 128-256' \
    next_line - 64 - stride_up 2 256 128
tells 'streams across a page' 'stride_up=64 64-128, page_crossing 64-128' stride_up 2 128 64 page_crossing 8 - -
tells 'a stride that is learnt too late' '' stride_up 5 512 256
machine "$TMP/none.tsv"
simulate "$TMP/none.tsv" "$TMP/few.tsv" >"$TMP/samples.tsv"
exits 1 'prefetch: a machine without prefetchers gives status 1' detect "$TMP/samples.tsv"
same 'prefetch: a machine without prefetchers gives the header alone' '' "$(rows "$TMP/out")"
matches 'prefetch: that none shows is said' 'no prefetcher was found' "$TMP/err"
awk '!/^#/ { $0 = $0 (header++ ? "\t" (NR % 50 == 0) : "\tfaults") } 1' "$TMP/samples.tsv" >"$TMP/disturbed.tsv"
exits 1 'prefetch: a machine without prefetchers and disturbed samples give status 1' detect "$TMP/disturbed.tsv"
lacks 'prefetch: disturbed samples without which none shows either are not mentioned' 'disturbed' "$TMP/err"

# ---- a recorded machine: where a range ends depends on the run, what shows does not ----

exits 0 'prefetch: a recorded Zen 4 gives an answer' detect --quiet "$ROOT/tests/machines/amd-epyc-guest/prefetch.tsv"
same 'prefetch: a recorded Zen 4 has its prefetchers, and does not fetch pairs' \
    'next_line 64,page_crossing 64,repeated_pattern 128,stride_down=128 128,stride_down=192 192,stride_down=256 256,stride_down=512 512,stride_down=64 64,stride_up=128 128,stride_up=192 192,stride_up=256 256,stride_up=512 512,stride_up=64 128' \
    "$(rows "$TMP/out" | awk -F '\t' '{ print $13, $6 }' | sort | paste -s -d , -)"

# ---- what does not suffice, and what others make of it ----

machine "$TMP/machine.tsv" next_line - 64 -
simulate --preset prefetch --seed 7 "$TMP/machine.tsv" >"$TMP/samples.tsv"
awk -F '\t' '/^#/ || $11 != "-"' "$TMP/samples.tsv" >"$TMP/no-control.tsv"
exits 1 'prefetch: samples without the control give status 1' detect "$TMP/no-control.tsv"
matches 'prefetch: a missing control is reported' 'cannot identify the prefetchers: the control or the hit' "$TMP/err"
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $12 = $14 = 80 } 1' "$TMP/samples.tsv" >"$TMP/flat.tsv"
exits 1 'prefetch: a hit as slow as the control gives status 1' detect "$TMP/flat.tsv"
matches 'prefetch: a hit as slow as the control is no answer' 'cannot identify the prefetchers' "$TMP/err"
exits 2 'prefetch: other samples are refused by the method' detect --method prefetch "$ROOT/tests/data/line-xeon-guest.tsv"
matches 'prefetch: the layouts that the method needs are named' 'needs samples of layout ascending and descending' "$TMP/err"
detect --quiet "$TMP/samples.tsv" >"$TMP/boundaries.tsv"
prints 'report: prefetchers are reported' '^  Next line +64 bytes ahead of a single load' report "$TMP/boundaries.tsv"
lacks 'report: a prefetcher is reported once' 'Other Boundaries' "$TMP/out"
matches 'report: method prefetch looks for no level' 'Not looked for: the boundaries are those of method prefetch' "$TMP/out"
prints 'tojson: prefetchers are accepted' '"structure": "prefetch"' tojson "$TMP/boundaries.tsv"

# ---- points ----

plan --preset prefetch --seed 7 >"$TMP/points.tsv"
simulate "$TMP/machine.tsv" "$TMP/points.tsv" >"$TMP/by-hand.tsv"
same 'prefetch: the loop by hand takes the same samples' "$(rows "$TMP/samples.tsv" | sort)" "$(rows "$TMP/by-hand.tsv" | sort)"
exits 0 'prefetch: a plan goes on from samples' plan "$TMP/by-hand.tsv"
same 'prefetch: after its samples the plan is empty' '' "$(rows "$TMP/out")"
head -n 60 "$TMP/samples.tsv" >"$TMP/cut.tsv"
simulate --resume "$TMP/cut.tsv" "$TMP/machine.tsv" >"$TMP/resumed.tsv"
same 'prefetch: a resumed run is an uninterrupted one' "$(rows "$TMP/samples.tsv")" "$(rows "$TMP/resumed.tsv")"
simulate --describe "$TMP/machine.tsv" >"$TMP/described.tsv"
same 'simulate: a description keeps its prefetchers' "$(rows "$TMP/samples.tsv")" \
    "$(simulate --preset prefetch --seed 7 "$TMP/described.tsv" | rows -)"
exits 2 'sweep: --preset prefetch refuses another kernel' plan --preset prefetch --kernel read
exits 2 'sweep: a layout with probes is refused without touches' plan --layout ascending --kernel probe
matches 'sweep: what prints such points is named' 'needs .touches. above 0.*plan --preset prefetch' "$TMP/err"
bad() {
    # shellcheck disable=SC2086 # words
    machine "$TMP/bad.tsv" $1
    exits 2 "simulate: a prefetcher $2 is refused" simulate "$TMP/bad.tsv" "$TMP/points.tsv"
    matches "simulate: a prefetcher $2 is named with line and column" "bad.tsv:11: column '$3'" "$TMP/err"
}
bad 'psychic - 64 -' 'of an unknown kind' prefetch
bad '- - 64 -' 'of no kind' prefetch
bad 'next_line 0 64 -' 'that waits for no load' touches
bad 'next_line - 8192 -' 'farther than a page' ahead_bytes
sed "s/^cache${tab}1.*-\$/&9/; s/-9\$/9/" "$TMP/machine.tsv" >"$TMP/bad.tsv"
exits 2 'simulate: a cache with a stride is refused' simulate "$TMP/bad.tsv" "$TMP/points.tsv"

# ---- this machine ----

case $PLATFORM-$(uname -m) in
linux-x86_64 | linux-aarch64)
    exits 0 'prefetch: this machine is measured' sweep --quiet --preset prefetch --samples 1 --pages 2,32 --budget 20
    same 'prefetch: every probe of this machine has a time' "$(rows "$TMP/points.tsv" | awk '$6 == 0' | grep -c .)" \
        "$(rows "$TMP/out" | awk -F '\t' '$12 > 0 && $13 > 0 && $14 <= $12' | grep -c .)"
    ;;
*) skip 'prefetch: this machine is measured' 'kernel probe flushes lines on x86-64 and aarch64 only' ;;
esac
finish_tests
