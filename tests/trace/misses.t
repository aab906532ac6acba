#!/usr/bin/env bash
# misses.t: misses by all that they can be grouped by, on a trace worked out by hand and on a program
# whose misses are known; the distribution, seconds, huge pages; the pictures.
. "${0%/*}/../tap.sh"
hand=$ROOT/tests/data/misses.trace.tsv

# by WHAT [OPTION...] TRACE: the first three columns of each row, on one line.
by() { misses --quiet --by "$@" | rows - | cut -f 1,2,3 | tr '\t' ' ' | paste -s -d , -; }

# By hand: page 4 has five of eight misses, of two threads.
same 'misses: by page' '0x4000 5 5,0x1000 1 0,0x2000 1 1,0x3000 1 1' "$(by page "$hand")"
same 'misses: by group of two entries' '0x4000 5 5,0x2000 2 2,0x0 1 0' "$(by group --group 2 "$hand")"
same 'misses: by group of eight entries' '0x0 8 7' "$(by group "$hand")"
same 'misses: by thread' '7 5 4,8 3 3' "$(by thread "$hand")"
same 'misses: by permission' 'read 7 7,write 1 0' "$(by permission "$hand")"
same 'misses: by phases of 250 ns from the first miss on' '0 3 2,2 3 3,1 1 1,4 1 1' "$(by phase --interval 250e-9 "$hand")"
same 'misses: objects of a trace without mappings are unknown' 'unknown 8 7' "$(by object "$hand")"
printf '# record: misses\nop\taddress\nread\t0xffffffffffffffff\nalloc\t0xfffffffffffffff0\nread\t0xfffffffffffffff0\n' >"$TMP/last.tsv"
same 'misses: the last address has an object' 'unknown 1 1,heap unknown 1 1' "$(by object "$TMP/last.tsv")"
sed 's/^# record: misses/# record: accesses/; s/^alloc.*/stack\t0xffffffffffe00000\t0x200000/; 2s/$/\tbytes/; /^read/s/$/\t1/' \
    "$TMP/last.tsv" >"$TMP/last-accesses.tsv"
same 'misses: a huge page may end at the last address' 'unknown 2M 1,stack 2M 1' \
    "$(misses --huge all --machine zen4 "$TMP/last-accesses.tsv" | rows - | cut -f 1,2,4 | tr '\t' ' ' | paste -s -d , -)"
same 'misses: the sum is that of the trace' 8 "$(misses "$hand" | rows - | datamash sum 2)"
same 'misses: shares add up to 1' 1 "$(misses "$hand" | rows - | datamash sum 5)"
misses --cdf "$hand" >"$TMP/cdf.tsv"
same 'misses: the distribution at 25, 50, 75 and 100 per cent' '25:1:12.5 50:1:25 75:1:37.5 100:5:100' \
    "$(rows "$TMP/cdf.tsv" | awk '$1 % 25 == 0 { print $1 ":" $2 ":" $3 }' | paste -s -d ' ' -)"
{
    printf 'method\tlevel\tpenalty_ns\nraw\twalk\t99\ncontrol\t1\t4\ncontrol\twalk\t30\n'
} >"$TMP/penalties.tsv"
same 'misses: seconds are misses times the penalty of the walk' '1.5e-07 3e-08 3e-08 3e-08' \
    "$(misses --quiet --penalties "$TMP/penalties.tsv" "$hand" | rows - | cut -f 6 | paste -s -d ' ' -)"
misses --penalties "$TMP/penalties.tsv" "$hand" >/dev/null 2>"$TMP/err"
matches 'misses: seconds of a trace without misses of level 1 are warned of' 'leave out what a later level served' "$TMP/err"
same 'misses: a miss that the second level serves costs the penalty of the first' 4e-09 \
    "$(sed 's/^# level: 2/# level: 1/; /^[0-9]/s/2$/1/' "$hand" |
        misses --penalties "$TMP/penalties.tsv" | rows - | tail -n 1 | cut -f 6)"
sed 's/\t7\t8\t/\t9\t9\t/' "$hand" >"$TMP/two.tsv"
same 'misses: pages of several processes have the process before them' '7:0x4000 3,9:0x4000 2' \
    "$(misses "$TMP/two.tsv" | rows - | head -n 2 | cut -f 1,2 | tr '\t' ' ' | paste -s -d , -)"

# Samples of perf, which have weights: those alone that missed in all TLBs.
data=$ROOT/tests/data
samples() { misses --quiet --by "$1" "$data/perf-$2.txt" | rows - | cut -f "1,2,3,7" | tr '\t' ' ' | paste -s -d , -; }
same 'misses: of samples by PEBS' '0x7f2a10003000 2 2 583,0x7f2a20000000 1 0 0' "$(samples page pebs)"
same 'misses: functions of samples by PEBS' 'probe 2 2 583,add 1 0 0' "$(samples function pebs)"
same 'misses: threads of samples by PEBS' '4102 2 1 402,4101 1 1 181' "$(samples thread pebs)"
same 'misses: of samples by IBS' 'probe 2 2 231,table::find(int) 1 1 633' "$(samples function ibs)"
same 'misses: of samples by SPE, each access once' 'probe 1 1 96,[unknown] 1 0 12' "$(samples function spe)"
same 'misses: of an event of TLBs, without others' 'add 1 1 0,probe 1 1 0' "$(samples function dtlb)"
misses "$data/perf-pebs.txt" >"$TMP/out"
matches 'misses: samples are marked as such' '^# sampled: yes$' "$TMP/out"
matches 'misses: weights are a column of samples' 'seconds	weight$' "$TMP/out"
exits 2 'misses: samples go through no TLBs' tlbsim --machine zen4 "$data/perf-dtlb.txt"

# Samples beside a trace of all misses.
# shellcheck disable=SC2059 # the first argument is a format
complete() { printf '# record: misses\nop\taddress\tbytes\tlevel\n' && printf "$1\t15\n" "${@:2}"; }
compared() { misses --by "$1" --compare "$2" "$data/perf-$3.txt" | rows - | tr '\t' ' '; }
complete 'read\t%s\t8' 0x7f2a10003040 0x7f2a10003080 0x7f2a20000000 >"$TMP/complete.tsv"
same 'misses --compare: shares, and the error of the share of three samples' \
    "$(printf '%s\n' '0x7f2a10003000 2 0.666667 2 0.666667 0.272166 1 0' '0x7f2a20000000 1 0.333333 1 0.333333 0.272166 0 0')" \
    "$(compared page "$TMP/complete.tsv" pebs)"
same 'misses --compare: shares of weights, and their error' \
    "$(printf '%s\n' '0x7f2a10003000 2 0.666667 1 0.333333 0.272166 0.247685 0.333949' '0x7f2a20000000 1 0.333333 0 0 0.272166 0 0' \
        '0x7f2a10004000 0 0 1 0.333333 0 0.732639 0.342393' '0x7f2a10005000 0 0 1 0.333333 0 0.019676 0.107444')" "$(compared page "$TMP/complete.tsv" ibs)"
exits 0 'misses --compare: samples that agree' misses --pretty --compare "$TMP/complete.tsv" "$data/perf-pebs.txt"
matches 'misses --compare: it says so' '^3 samples agree with the trace: 0 of 2 shares are off' "$TMP/out"
exits 1 'misses --compare: samples of a page that the trace does not miss' \
    misses --pretty --compare "$TMP/complete.tsv" "$data/perf-ibs.txt"
matches 'misses --compare: it says how many shares are off' 'samples contradict the trace: 2 of 4 shares are off' "$TMP/out"
{ complete 'alloc\t%s\t8192' 0x7f2a10003000 && printf 'free\t0x7f2a10003000\t0\t0\n' &&
    complete 'read\t%s\t8' 0x7f2a10003040 0x7f2a10004000 0x7f2a10004008 0x7f2a20000000 | tail -n 4; } >"$TMP/objects.tsv"
same 'misses --compare: objects of samples are those that the trace has there' \
    "$(printf '%s\n' 'heap unknown 3 0.75 2 0.666667 0.25 1 0' 'unknown 1 0.25 1 0.333333 0.25 0 0')" "$(compared object "$TMP/objects.tsv" pebs)"
complete 'read\t%s\t8' 0x7f2a10003040 0x7f2a30000000 0x7f2a30000008 0x7f2a30001000 >"$TMP/changed.tsv"
same 'misses --compare: of two traces the largest change comes first' \
    "$(printf '%s\n' '0x7f2a30000000 0 2 2 -' '0x7f2a10003000 2 1 -1 -50' '0x7f2a20000000 1 0 -1 -100' '0x7f2a30001000 0 1 1 -')" \
    "$(misses --compare "$TMP/complete.tsv" "$TMP/changed.tsv" | rows - | tr '\t' ' ')"
misses --pretty --compare "$TMP/complete.tsv" "$TMP/changed.tsv" >"$TMP/out"
matches 'misses --compare: it says what the sum was and is' '^3 misses before, 4 after: \+33.33 %\.$' "$TMP/out"
exits 2 'misses --compare: samples in place of the trace are refused' misses --compare "$data/perf-ibs.txt" "$data/perf-ibs.txt"
exits 2 'misses --compare: threads differ between runs' misses --by thread --compare "$TMP/complete.tsv" "$data/perf-ibs.txt"

# Refused.
exits_saying 2 'misses: a trace of accesses is refused' 'tlbsim --machine MACHINE' misses "$ROOT/tests/data/abc.trace.tsv"
exits 2 'misses: what is no penalty is refused' misses --penalties <(printf 'level\tpenalty_ns\nwalk\t-\n') "$hand"
for meta in 'levels: 99' 'levels: two' 'page_bytes: 3' 'huge: 0-1:3K'; do
    exits 2 "misses: metadata '$meta' are refused" misses --penalties "$TMP/penalties.tsv" - < <(
        printf '# record: misses\n# %s\nop\taddress\tlevel\nread\t0\t15\n' "$meta"
    )
    matches "misses: metadata '$meta' are named" "^misses: -: metadata '${meta%%:*}': " "$TMP/err"
done
exits 2 'misses: --huge without a machine is wrong usage' misses --huge a "$hand"
exits 2 'misses: --cdf by line is wrong usage' misses --cdf --by line "$hand"
exits 2 'misses: --huge of misses is refused' misses --huge a --machine zen4 "$hand"
tlbsim --machine zen4 "$ROOT/tests/data/abc.trace.tsv" >"$TMP/abc.trace"
exits 2 'misses: joined traces are refused' misses < <(cat "$TMP/abc.trace" "$TMP/abc.trace")
matches 'misses: it says that another trace follows' '^misses: -: another trace follows' "$TMP/err"
exits 1 'misses: no misses give status 1' misses <<<$'# record: misses\nop\taddress'
head -n 9 "$hand" | head -c -3 >"$TMP/cut.tsv"
exits 1 'misses: a trace that is cut gives status 1' misses "$TMP/cut.tsv"

# A program whose misses are known.
if [ "$PLATFORM" = linux ] && [ "$VARIANT" = plain ] && command -v gcc >/dev/null; then
    export TLBLAB_TLBSIM=$OUT/tlbsim
    check 'misses: a program is compiled' tlbcc -g -O1 "$ROOT/tests/workloads/objects.c" -o "$TMP/objects"
    (cd "$TMP" && TLBLAB_TRACE=accesses ./objects)
    tlbsim --machine zen4 --page-size 4K "$TMP/accesses" >"$TMP/misses" # whatever the system had
    heap='heap main (objects.c:41);make_heap (objects.c:17)'
    same 'misses: objects of the program' "$heap 41000 1000,table 30000 30000" "$(by object "$TMP/misses")"
    same 'misses: functions of the program' 'write_heap 40000 0,read_table 30000 30000,read_some 1000 1000' \
        "$(by function "$TMP/misses")"
    same 'misses: functions of each object' "$heap,write_heap,40000 table,read_table,30000 $heap,read_some,1000" \
        "$(misses --by object,function "$TMP/misses" | rows - | awk -F '\t' '{ print $1 "," $2 "," $3 }' | paste -s -d ' ' -)"
    line() { grep -n "$1" "$ROOT/tests/workloads/objects.c" | cut -d : -f 1; }
    same 'misses: lines of the program' "objects.c:$(line '= 1;$') 40000,objects.c:$(line '  table\[i') 30000" \
        "$(misses --by line "$TMP/misses" | rows - | head -n 2 | cut -f 1,2 | tr '\t' ' ' | paste -s -d , -)"
    same 'misses: phases of the program' '4 15000 7000,0 14000 6000,1 14000 6000,2 14000 6000,3 14000 6000' \
        "$(by phase "$TMP/misses")"
    misses --machine zen4 --huge make_heap "$TMP/accesses" >"$TMP/huge.tsv"
    same 'misses: an object on huge pages misses less, the other as before' "$heap:2M:41000:yes table:4K:30000:no" \
        "$(rows "$TMP/huge.tsv" | awk -F '\t' '{ print $1 ":" $2 ":" $3 ":" ($4 < $3 / 4 ? "yes" : $4 == $3 ? "no" : $4) }' | paste -s -d ' ' -)"
    # 8000 pages from a malloc()ed block: fewer than 512 at either end are not in whole huge pages.
    # shellcheck disable=SC2016 # of awk
    check 'misses: what an object on huge pages still misses is at its ends' \
        awk -F '\t' '/^heap/ { found = 1; if ($4 > 5 * 1024 + 128 + 16) exit 1 } END { exit !found }' "$TMP/huge.tsv"
    # Two seconds of run time on base pages, of which a quarter (an eighth to three eighths) is saved.
    printf '%s\n' '# huge: make_heap' $'pages\tuser_s\tclock\tsaving_percent\tlow_percent\thigh_percent' \
        $'4K\t1\t-\t-\t-\t-' $'2M\t9\t-\t-\t-\t-' $'4K\t2\t-\t-\t-\t-' $'4K\t3\t-\t-\t-\t-' \
        $'-\t-\twall\t20\t10\t30' $'-\t-\tuser\t25\t12.5\t37.5' >"$TMP/costs.tsv"
    same 'misses: a measured saving is in the row of its object' "$heap 0.5 0.25 0.75 1.25,table - - - -" \
        "$(misses --machine zen4 --huge make_heap --measured "$TMP/costs.tsv" "$TMP/accesses" | rows - |
            cut -f 1,7-10 | tr '\t' ' ' | paste -s -d , -)"
    head -n 6 "$TMP/costs.tsv" >"$TMP/cut.tsv"
    exits 2 'misses: a measurement that did not finish is refused' \
        misses --machine zen4 --huge make_heap --measured "$TMP/cut.tsv" "$TMP/accesses"
    exits 2 'misses: an object that is not there is refused' misses --machine zen4 --huge nothing "$TMP/accesses"
    same 'misses: a trace of misses that the program wrote is the same' "$(by function "$TMP/misses")" \
        "$(cd "$TMP" && TLBLAB_RECORD=misses TLBLAB_MACHINE=zen4 TLBLAB_TRACE=own ./objects && by function own)"
else
    skip 'misses: objects of the program' 'programs are traced on Linux, and as the plain build does it'
    cp "$hand" "$TMP/misses"
fi

# Pictures.
if command -v gnuplot >/dev/null && [ "$VARIANT" = plain ]; then
    plot=$ROOT/scripts/plot
    prints 'plot: the distribution of misses is drawn' 'pages, by increasing misses' "$plot" --terminal cdf "$TMP/cdf.tsv"
    matches 'plot: the distribution has its pages' '4 KiB pages' "$TMP/out"
    misses --cdf --meta label=two "$hand" >"$TMP/cdf2.tsv"
    prints 'plot: two distributions are drawn' '>two<' "$plot" --format svg cdf "$TMP/cdf.tsv" "$TMP/cdf2.tsv"
    tlbsim --to curve "$ROOT/tests/data/abc.trace.tsv" >"$TMP/curve.tsv"
    exits 0 'plot: misses by entries are drawn' "$plot" --terminal misscurve "$TMP/curve.tsv"
    matches 'plot: misses by entries have their axis' 'entries of a fully associative TLB' "$TMP/out"
    prints 'plot: misses by address and time are drawn' 'reads.*writes' "$plot" --terminal missmap "$hand"
    misses --by permission "$hand" >"$TMP/permissions.tsv"
    prints 'plot: bars of misses are drawn' 'write' "$plot" --terminal objects "$TMP/permissions.tsv"
    printf 'workload\tmode\tslowdown\nbfs\tplain\t-\nbfs\taccesses\t1.5\nbfs\tmisses\t2.5\n' >"$TMP/slow.tsv"
    prints 'plot: slow-downs are drawn' 'bfs' "$plot" --terminal slowdown "$TMP/slow.tsv"
    printf 'figure\tquantity\tpaper\tours\n4\tBFS p1\t> 80\t79.5\n4\tBFS p2\t-\t-\n' >"$TMP/studies.tsv"
    prints 'plot: numbers beside those of a paper are drawn' '>BFS p1<' "$plot" --format svg studies "$TMP/studies.tsv"
    same 'plot: a quantity without numbers has no bar' 0 "$(grep -c '>BFS p2<' "$TMP/out")"
    prints 'plot: average misses are drawn' '>average misses<' "$plot" --format svg average "$TMP/cdf.tsv"
    for kind in average cdf misscurve missmap objects slowdown studies; do
        exits 2 "plot: $kind refuses another table" "$plot" $kind <<<$'a\tb\n1\t2'
    done
else
    skip 'plot: the distribution of misses is drawn' 'no gnuplot here'
fi
finish_tests
