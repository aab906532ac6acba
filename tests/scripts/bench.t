#!/usr/bin/env bash
# bench.t: tests/bench/cost at its smallest, on a simulated machine, and tests/bench/peers and
# tests/bench/verdicts beside programs that always say the same. What they say of answers is tested, nothing
# that was timed.
. "${0%/*}/../tap.sh"
plain_linux_alone
long_test
export OUT PAGES=1024 SEED=2 DENSITIES='low medium high'

# column WAY NAME: that column of that row.
column() {
    awk -F '\t' -v way="$1" -v name="$2" "$by_name"'
        $2 == way { print $(at[name]) }' "$TMP/cost"
}

exits 0 'cost: one sample of each point' \
    "$ROOT/tests/bench/cost" 1 100000 16M "$ROOT/src/tlb/models/zen4.tsv"
cp "$TMP/out" "$TMP/cost"
same 'cost: a row for each way' \
    'sweep whitepaper-low whitepaper-medium whitepaper-high whitepaper-line lmbench test-tlb calibrator lab ' \
    "$(awk -F '\t' '$1 == "zen4" { print $2 }' "$TMP/cost" | tr '\n' ' ')"
same 'cost: every row has all columns' 19 \
    "$(awk -F '\t' '!/^#/ { print NF }' "$TMP/cost" | sort -u)"
same 'cost: sweep knows both levels' 'yes yes' \
    "$(column sweep dtlb1_right) $(column sweep dtlb2_right)"
same 'cost: tlb of lmbench knows the first exactly and no second' '72 yes missed' \
    "$(column lmbench dtlb1_entries) $(column lmbench dtlb1_right) $(column lmbench dtlb2_right)"
same 'cost: the Calibrator has it between two of its sizes' '64 80 in_range' \
    "$(column calibrator dtlb1_min) $(column calibrator dtlb1_max) $(column calibrator dtlb1_right)"
same 'cost: without a control a cache is the first level' '8 16 no' \
    "$(column lab dtlb1_min) $(column lab dtlb1_max) $(column lab dtlb1_right)"

# Three sizes of the 15 lie above 16 MiB, one is the comparison; at its own scale each has 30 samples.
same 'cost: the fixed schedule at its own scale' "$((11 * 30 * 25000000))" \
    "$(column whitepaper-low full_loads)"
same 'cost: the loads of each way are counted' "$((11 * 200000))" "$(column whitepaper-low loads)"
check 'cost: times_sweep is the ratio of the loads at their own scale' awk \
    -v ratio="$(column whitepaper-high times_sweep)" -v of="$(column whitepaper-high full_loads)" \
    -v sweep="$(column sweep full_loads)" \
    'BEGIN { exit !(ratio > 1 && ratio / (of / sweep) > 0.99 && ratio / (of / sweep) < 1.01) }'
matches 'cost: says how the loads compare' '^zen4: sweep found both levels with 1/[0-9]+ of' "$TMP/err"

exits_saying 2 'cost: a machine that is not there' 'none\.tsv' "$ROOT/tests/bench/cost" 1 100000 16M "$TMP/none.tsv"

# fake NAME: a peer that runs the script on stdin.
mkdir "$TMP/tools"
fake() {
    { echo '#!/usr/bin/env bash' && cat; } >"$TMP/tools/$1" && chmod +x "$TMP/tools/$1"
}
fake likwid-bench <<'END'
[ "$1" != -a ] || { printf '%s - some kernel\n' clload load load_avx load_sp_avx loadless store copy && exit; }
case $* in *clload* | *_sp_* | *loadless*) rate=999000 ;; *load_avx*) rate=40000.5 ;; *) rate=20000 ;; esac
printf 'Size (Byte):\t\t32000\nMByte/s:\t\t%s\n' $rate
END
fake mbw <<'END'
for rate in 1000.000 3000.000 2000.000; do
    printf '0\tMethod: X\tElapsed: 0.1\tMiB: 16.00000\tCopy: %s MiB/s\n' $rate
done
END
fake stress-ng <<'END'
echo 'stress-ng: metrc: [9] memrate  500.00 write64 MB per sec (mean)
stress-ng: metrc: [9] memrate  1000.00 memset MB per sec (mean)
stress-ng: metrc: [9] memrate  4000.00 read1024 MB per sec (mean)
stress-ng: metrc: [9] memrate  9000.00 spread64 MB per sec (mean)' >&2
END
fake sysbench <<'END'
case $* in *oper=read*) echo '2048.00 MiB transferred (5000.00 MiB/sec)' ;; *) exit 1 ;; esac
END
# theirs: op, threads, peer and its figure.
theirs() { awk -F '\t' '!/^#/ && $1 != "op" { print $1, $3, $4, $5 }' "$TMP/peers"; }
ratios() {
    awk -F '\t' '!/^#/ && $1 != "op" { n++; r = $6 / $5 / $7; if (r < 0.95 || r > 1.05) bad = 1 }
        END { exit bad || n != 4 }' "$TMP/peers"
}
if [ "$PLATFORM" = none ]; then
    skip 'peers: they are measured' 'this build cannot measure'
else
    exits 0 'peers: a small working set is measured' env PATH="$TMP/tools:$PATH" \
        "$ROOT/tests/bench/peers" 2 64k 1 --samples 1 --kernel c
    cp "$TMP/out" "$TMP/peers"
    same 'peers: no clload, no single precision; the best of each; what is too small for mbw is left out' \
        'read 1 likwid-bench load_avx 40
read 1 sysbench seq 5.243
write 1 likwid-bench store 20
copy 1 likwid-bench copy 20' "$(theirs)"
    check 'peers: the ratio is ours by theirs' ratios
    exits 0 'peers: PEERS chooses two of them' env PATH="$TMP/tools:$PATH" PEERS=sysbench,mbw \
        "$ROOT/tests/bench/peers" 2 64k 1 --samples 1 --kernel c
    cp "$TMP/out" "$TMP/peers"
    same 'peers: no peer runs that is not chosen' 'read 1 sysbench seq 5.243' "$(theirs)"
    exits 0 'peers: a larger working set is measured' env PATH="$TMP/tools:$PATH" \
        "$ROOT/tests/bench/peers" 1 32M 1 --samples 1 --kernel c
    cp "$TMP/out" "$TMP/peers"
    same 'peers: mbw copies twice what it says, in MiB' 'copy 1 mbw 0 4.194' "$(theirs | grep mbw)"
    same 'peers: stress-ng has MiB, too, and memset writes' 'read 1 stress-ng read1024 4.194
write 1 stress-ng memset 1.049' "$(theirs | grep stress)"
    mkdir "$TMP/bare"
    for tool in bash mktemp rm head; do ln -s "$(command -v $tool)" "$TMP/bare/$tool"; done
    exits 2 'peers: none installed is refused' env PATH="$TMP/bare" bash "$ROOT/tests/bench/peers" 1 64k 1
    matches 'peers: none installed is answered with those that there are' 'apt: likwid mbw stress-ng sysbench' "$TMP/err"
fi

# ---- verdicts ----

# Five runs: right, a range with the truth, a range without it, the same with low confidence, and no second level.
mkdir "$TMP/own"
printf '#!/bin/sh\necho "cpu\tmade up"\n' >"$TMP/own/machine"
cat >"$TMP/own/sweep" <<'END'
#!/bin/sh
echo x >>"$COUNTER"
wc -l <"$COUNTER"
END
cat >"$TMP/own/detect" <<'END'
#!/bin/sh
row() { printf 'dtlb\t%s\t%s\t%s\t%s\t-\t-\t-\t-\t-\t%s\tcontrol\t-\t%s\t-\n' "$@"; }
row 1 96 96 96 high 96
case $(cat) in
*1) row 2 2048 2048 2048 high '1024 or 2048' ;;
*2) row 2 - 1792 2048 low '1024 or 2048' ;;
*3) row 2 2560 2560 2816 medium '1024 or 2048' ;;
*4) row 2 - 2560 - low '1024 or 2048' ;;
esac
exit 1
END
chmod +x "$TMP/own"/*
# The load leaves a mark while it runs.
fake qemu-x86_64 <<'END'
touch "$MARK"
exec sleep 60
END

# verdicts ARGUMENT...: with these programs, and a new count of runs.
verdicts() {
    rm -f "$TMP/counter"
    env OUT="$TMP/own" COUNTER="$TMP/counter" MARK="$TMP/mark" PATH="$TMP/tools:$PATH" "$ROOT/tests/bench/verdicts" "$@"
}
with_truth() { TRUTH='96 2048' verdicts "$@"; }
with_samples() { KEEP=$TMP/kept verdicts "$@"; }
# sums FILE: the summary, without what was timed.
sums() { sed -n 's/, median [0-9.]* s$//; s/^# \([a-z]*, level\)/\1/p' "$1"; }

exits 0 'verdicts: the answers are summed up' with_truth 5 idle
same 'verdicts: exact, within, wrong, outside and missing answers' \
    'idle, level 1: 5 runs, 5 exact, 0 within, 0 wrong
idle, level 2: 5 runs, 1 exact, 1 within, 1 wrong, 1 outside, 1 missing' "$(sums "$TMP/out")"
same 'verdicts: a row for each of two levels of a run' 10 "$(grep -c '^idle' "$TMP/out")"
matches 'verdicts: a row has the answer and the truth' '^idle	3	[0-9.]+	2	2560	2560	2816	medium	2048$' "$TMP/out"
mkdir "$TMP/kept"
exits 0 'verdicts: without TRUTH claims are the truth' with_samples 2 idle qemu
same 'verdicts: a claim of two numbers is none' \
    'idle, level 1: 2 runs, 2 exact, 0 within, 0 wrong
idle, level 2: 2 runs, 0 exact, 0 within, 0 wrong, 2 of unknown truth
qemu, level 1: 2 runs, 2 exact, 0 within, 0 wrong
qemu, level 2: 2 runs, 0 exact, 0 within, 0 wrong, 2 of unknown truth' "$(sums "$TMP/out")"
check 'verdicts: the load ran' test -e "$TMP/mark"
same 'verdicts: samples are kept' 'idle-1.tsv idle-2.tsv qemu-1.tsv qemu-2.tsv' \
    "$(cd "$TMP/kept" && printf '%s\n' * | paste -s -d ' ' -)"
rm "$TMP/tools/stress-ng"
if command -v stress-ng >/dev/null; then
    skip 'verdicts: what is not installed is left out' 'stress-ng is installed'
else
    exits 0 'verdicts: what is not installed is left out' verdicts 1 cpu vm
    matches 'verdicts: ... with a message' 'cpu is left out: stress-ng is not installed' "$TMP/err"
    same 'verdicts: ... and without rows' '' "$(grep -v '^#' "$TMP/out" | sed 1d)"
fi
exits 2 'verdicts: an unknown condition is refused' verdicts 1 asleep
matches 'verdicts: ... and answered with those that there are' "no condition 'asleep': idle, cpu, vm, make or qemu" "$TMP/err"
exits 2 'verdicts: a number of runs is needed' verdicts many
finish_tests
