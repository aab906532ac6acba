#!/usr/bin/env bash
# pingpong.t: pairs of cores: the table, what it claims, the groups, and what is refused. No time is asserted.
# shellcheck disable=SC2016 # $ in single quotes is for awk
. "${0%/*}/../tap.sh"

header='core_a	core_b	sample	ns	min_ns	laps	shares	package	node	kernel	pinned	run_s	t_s	note'
machines=$ROOT/tests/machines

# refuses NAME REGEX OPTION...
refuses() { is_refused "$1" "^pingpong: .*$2" pingpong "${@:3}"; }

# ---- claims of recorded machines ----

exits 0 'pingpong: the pairs of a recorded machine are listed' pingpong --sysroot "$machines/amd-ryzen-5-7600x/system.txt"
same 'pingpong: the header is as the manual has it' "$header" "$(grep '^core_a' "$TMP/out")"
same 'pingpong: two threads of a core share the core, two cores the L3 cache' \
    '0 1 L3 0 0
0 2 core 0 0
0 3 L3 0 0
1 2 L3 0 0
1 3 core 0 0
2 3 L3 0 0' "$(rows "$TMP/out" | awk '{ print $1, $2, $7, $8, $9 }')"
same 'pingpong: a pair that was not measured has no time' '-' "$(rows "$TMP/out" | cut -f 4,5,6,10,11,12,13,14 | tr '\t' '\n' | sort -u)"
exits 0 'pingpong: cores without a common cache are listed' pingpong --sysroot "$machines/aarch64-big-little/system.txt"
same 'pingpong: cores of two kinds share no cache' 'package' "$(rows "$TMP/out" | awk '$1 == 0 && $2 == 5 { print $7 }')"
same 'pingpong: cores of one kind share the L2 cache' 'L2' "$(rows "$TMP/out" | awk '$1 == 4 { print $7 }')"
# Two sockets, a node each: the first machine twice.
awk -F '\t' -v OFS='\t' '
    $1 ~ /cpu[13]\/topology\/physical_package_id$/ { $2 = 1 }
    $1 ~ /\/(topology\/(core_siblings|package_cpus|die_cpus)|cache\/index3\/shared_cpu_map)$/ { $2 = $1 ~ /cpu[13]\// ? "a" : 5 }
    $1 ~ /\/node\/online$/ { $2 = "0-1" }
    $1 !~ /\/node\/node0\// { print }
    END {
        for (n = 0; n < 2; n++) {
            node = "/sys/devices/system/node/node" n
            print node "/cpulist", n ? "1,3" : "0,2"
            print node "/cpumap", n ? "a" : 5
            print node "/distance", n ? "21 10" : "10 21"
        }
    }' "$machines/amd-ryzen-5-7600x/system.txt" >"$TMP/two"
exits 0 'pingpong: a recorded machine of two sockets is listed' pingpong --sysroot "$TMP/two"
same 'pingpong: pairs across sockets share the machine alone, and have two packages and nodes' \
    '0 1 machine 0,1 0,1
0 2 core 0 0
0 3 machine 0,1 0,1
1 2 machine 0,1 0,1
1 3 core 1 1
2 3 machine 0,1 0,1' "$(rows "$TMP/out" | awk '{ print $1, $2, $7, $8, $9 }')"
refuses 'a folder that is no recorded machine' 'no recorded machine there' --sysroot "$TMP"

# ---- groups ----

exits 0 'pingpong: groups of a table are found' pingpong --groups "$ROOT/tests/data/pairs.tsv"
same 'pingpong: cores whose claim hides two caches are two groups' \
    "1${tab}0-3${tab}4${tab}-${tab}not_claimed
1${tab}4-7${tab}4${tab}-${tab}not_claimed
2${tab}0-7${tab}8${tab}L3${tab}claim_uneven" "$(rows "$TMP/out" | cut -f 1-3,8,9)"
matches 'pingpong: a group that is not claimed is reported' 'cores 0-3: .* the system does not report' "$TMP/err"
matches 'pingpong: a claim that does not hold is reported' 'cores 0-7: the system says they share the L3 cache, yet' "$TMP/err"

# groups_of FILE: their cores, claims and notes.
groups_of() { pingpong --groups --quiet "$1" | grep -v '^#' | sed 1d | cut -f 1,2,8,9 | tr '\t\n' ' ;'; }
change shares 'int($1 / 4) == int($2 / 4) ? "L3" : "machine"' "$ROOT/tests/data/pairs.tsv" >"$TMP/honest.tsv"
same 'pingpong: groups that are claimed are called so' '1 0-3 L3 as_claimed;1 4-7 L3 as_claimed;2 0-7 machine as_claimed;' \
    "$(groups_of "$TMP/honest.tsv")"
change min_ns '20 + $1 / 10' "$TMP/honest.tsv" >"$TMP/level.tsv"
same 'pingpong: a claim that does not show in the times is called so' \
    '1 0-7 machine as_claimed;- 0-3 L3 only_claimed;- 4-7 L3 only_claimed;' "$(groups_of "$TMP/level.tsv")"
change shares '"-"' "$ROOT/tests/data/pairs.tsv" >"$TMP/silent.tsv"
same 'pingpong: where nothing is claimed there is nothing to compare with' '1 0-3 - -;1 4-7 - -;2 0-7 - -;' "$(groups_of "$TMP/silent.tsv")"
# A third level, and cores that are not neighbours: odd and even.
change min_ns '$1 % 2 == $2 % 2 ? ($2 - $1 == 4 ? 8 : 25) : 100' "$TMP/silent.tsv" >"$TMP/odd.tsv"
same 'pingpong: levels are found one in another, also of cores that are not neighbours' \
    '1 0,4 - -;1 1,5 - -;1 2,6 - -;1 3,7 - -;2 0,2,4,6 - -;2 1,3,5,7 - -;3 0-7 - -;' "$(groups_of "$TMP/odd.tsv")"
{ cat "$TMP/honest.tsv" && rows "$TMP/honest.tsv" | awk -F '\t' -v OFS='\t' '$1 == 0 && $2 == 1 { $5 = 90; print }'; } >"$TMP/moved.tsv"
exits 0 'pingpong: a pair with a slow sample is read' pingpong --groups "$TMP/moved.tsv"
same 'pingpong: the fastest sample of a pair counts' "$(groups_of "$TMP/honest.tsv")" "$(groups_of "$TMP/moved.tsv")"
matches 'pingpong: a sample far above the fastest of its pair is reported' '^pingpong: samples far above the fastest of their pair: 1, up to 90.0 ns' "$TMP/err"
change min_ns '"-"' "$TMP/honest.tsv" '$1 == 0 && $2 == 5' >"$TMP/missing.tsv"
exits 0 'pingpong: groups of a table without one pair are found' pingpong --groups "$TMP/missing.tsv"
matches 'pingpong: a missing pair is reported' '1 of 28 pairs have no time' "$TMP/err"
change min_ns '"-"' "$TMP/honest.tsv" 'int($1 / 4) != int($2 / 4)' >"$TMP/apart.tsv"
exits 0 'pingpong: two halves without a time between them are read' pingpong --groups "$TMP/apart.tsv"
lacks 'pingpong: what is not known is no number in a sentence' 'nan' "$TMP/err"
grep -E '^(#|core_a|0	1	)' "$TMP/honest.tsv" >"$TMP/one.tsv"
exits_saying 1 'pingpong: one pair alone gives no answer' 'one pair alone cannot show' pingpong --groups "$TMP/one.tsv"
change min_ns '"-"' "$TMP/one.tsv" >"$TMP/none.tsv"
exits_saying 1 'pingpong: a table without times gives no answer' 'no pair has a time' pingpong --groups "$TMP/none.tsv"
refuses 'a time of 0' "column 'min_ns': expected more than 0" --groups <(change min_ns 0 "$TMP/one.tsv")
refuses 'a core beside itself' "column 'core_b': a pair is two different cores" --groups - <<<$'core_a\tcore_b\tmin_ns\n1\t1\t5'
refuses 'half a core' 'two different cores' --groups - <<<$'core_a\tcore_b\tmin_ns\n1\t1.5\t5'
refuses 'a table without cores' "column 'core_a'" --groups - <<<$'pages\tns\n1\t1'
refuses 'a table without --groups' 'tables go with --groups' "$TMP/one.tsv"
refuses '--groups of a recorded machine' '--groups does not go with --sysroot' --groups --sysroot "$TMP/two"
refuses '--samples of a table' '--groups does not go with --samples' --groups --samples 2 "$TMP/one.tsv"
refuses '--laps of a recorded machine' '--sysroot does not go with --laps' --sysroot "$TMP/two" --laps 20

# ---- measuring ----

if [ "$PLATFORM" = none ]; then
    refuses 'a system that cannot measure' 'cannot measure here'
    finish_tests
fi
cores=$(nproc)
if command -v taskset >/dev/null; then
    exits 2 'pingpong: one core is refused' taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[,-].*//')" pingpong
    matches 'pingpong: a single core is reported' 'takes 2 cores, and this process may use 1' "$TMP/err"
fi
[ "$cores" -gt 1 ] || { skip 'pingpong: pairs are measured' 'needs two cores' && finish_tests; }
exits 0 'pingpong: all pairs are measured' pingpong --samples 2 --laps 20 --quiet --meta note=x
same 'pingpong: each pair has a row for each sample' "$((cores * (cores - 1)))" "$(rows "$TMP/out" | grep -c .)"
same 'pingpong: a row has times, of which the fastest lap is the least, and its laps' '' \
    "$(rows "$TMP/out" | awk -F '\t' '!($5 > 0 && $4 >= $5 && $6 > 0 && $6 <= 20)')"
for kernel in $(rows "$TMP/out" | cut -f 10 | sort -u); do
    matches "pingpong: --help kernels knows $kernel" "^  $kernel +[a-z]" <(pingpong --help kernels)
done
for key in pinned_cpu round_trips timer_ns note; do matches "pingpong: the metadata have $key" "^# $key: ." "$TMP/out"; done
same 'pingpong: --quiet says nothing' '' "$(cat "$TMP/err")"
cp "$TMP/out" "$TMP/here.tsv"
exits "$((cores > 2 ? 0 : 1))" 'pingpong: its own table has groups, or one pair alone' pingpong --groups "$TMP/here.tsv"
exits 1 'pingpong: a budget that is too small gives status 1' pingpong --samples 100000 --budget 0.4
lacks 'pingpong: a short run is not announced' 'samples, about' "$TMP/err"
matches 'pingpong: a budget that is too small is reported' 'budget of 0.4 s ended before all pairs' "$TMP/err"
same 'pingpong: a budget that is too small leaves whole rows' 14 "$(grep -v '^#' "$TMP/out" | awk -F '\t' '{ print NF }' | sort -u)"
: >"$TMP/cut.tsv" # before the loop looks
pingpong --samples 10000000 >"$TMP/cut.tsv" 2>"$TMP/err" &
interrupted=$!
for ((k = 0; k < 100; k++)); do
    [ "$(grep -c '^[0-9]' "$TMP/cut.tsv")" -lt 2 ] || break
    sleep 0.1
done
kill -TERM $interrupted
wait $interrupted 2>/dev/null
matches 'pingpong: a long run is announced' '^pingpong: [0-9]+ samples, about [0-9]+ s .*--budget' "$TMP/err"
check 'pingpong: an interrupted run keeps its rows' test "$(rows "$TMP/cut.tsv" | grep -c .)" -ge 2
# ---- the bench ----

if [ -z "${LONG-}" ] || [ "$VARIANT" != plain ]; then finish_tests; fi
exits 0 'bench/pingpong: a pair is compared' "$ROOT/tests/bench/pingpong" 1 "$(rows "$TMP/here.tsv" | head -n 1 | cut -f 1,2 | tr '\t' ,)"
same 'bench/pingpong: ratios are ours to theirs' '' \
    "$(rows "$TMP/out" | awk '{ r = $5 / $3 - $6; s = $5 / $4 - $7; if (r < -0.001 || r > 0.001 || s < -0.001 || s > 0.001) print }')"
finish_tests
