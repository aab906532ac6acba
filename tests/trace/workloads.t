#!/usr/bin/env bash
# workloads.t: the workloads compute what they should, plain and traced, and their misses are those of
# their arrays; those of a thread are those of its part of the work in a program without threads;
# instrumented accesses are those that valgrind's lackey sees, function by function.
. "${0%/*}/trace.sh"
long_test
[ "$PLATFORM" = linux ] || skip_all 'it traces programs on Linux'
export TLBLAB_START=off

while read -r name arrays arguments; do
    check "$name: it compiles" gcc -O2 -Wall -Wextra -Werror "$ROOT/tests/workloads/$name.c" -o plain
    # shellcheck disable=SC2086 # several arguments
    exits 0 "$name: it computes what it should" ./plain $arguments
    # shellcheck disable=SC2086
    HUGE=all exits 0 "$name: it does so on huge pages" ./plain $arguments
    check "$name: it is compiled for tracing" tlbcc -g -O2 "$ROOT/tests/workloads/$name.c" -o traced
    # shellcheck disable=SC2086
    TLBLAB_TRACE=trace exits 0 "$name: it does so while it is traced" ./traced $arguments
    tlbsim --machine skylake-sp trace | misses --by object >objects
    same "$name: nearly all misses are those of its arrays" "$arrays" \
        "$(rows objects | sed -n 's/^heap.*new_\([a-z]*\).*/\1/p' | sort | paste -s -d , -)"
    # shellcheck disable=SC2016 # of awk
    check "$name: few misses have no known object" awk -F '\t' \
        '/^#/ || $1 == "object" { next } { all += $2 } $1 !~ /^heap/ { others += $2 } END { exit others > all / 20 }' objects
done <<'END'
randomaccess table 25 16
bfs column,pred,queue,rowstarts 14 16
network arcs,nodes 50000 100000 2
triad a,b,c 20 2
hashjoin buckets,build,probe 15 17
btree nodes 17 20000
END

exits 0 'bfs: arrays and search of Graph500 compute what they should' \
    bash -c "gcc -O2 -DGRAPH500 '$ROOT/tests/workloads/bfs.c' -o plain && ./plain 14"

# Work in parts. by_thread TRACE: a checksum of the misses of each thread in the arrays, whose addresses are
# made those of no run in particular; accesses to stacks, which are anywhere, are left out.
by_thread() {
    tlbsim --to table "$1" | awk -F '\t' -v OFS='\t' '
        function hex(s,   k, v) { for (k = 3; k <= length(s); k++) v = 16 * v + index("0123456789abcdef", substr(s, k, 1)) - 1; return v }
        BEGIN { n = 0 }
        /^#/ || $1 == "sequence" { print; next }
        { at = hex($6) }
        $5 == "alloc" { begin[n] = at; bytes[n++] = $7 }
        $5 == "read" || $5 == "write" {
            for (k = 0; k < n; k++) if (at >= begin[k] && at < begin[k] + bytes[k]) {
                $6 = sprintf("0x%x%08x", k + 1, at - begin[k])
                print
            } }' | tlbsim --machine "$ROOT/labs/18-miss-trace/data/machine.tsv" --to table | awk -F '\t' '/0x/ { print $5, $6 >"thread." $4 }'
    for file in $(printf '%s\n' thread.* | sort -t . -n -k 2); do md5sum <"$file"; done
    rm -f thread.*
}
while read -r name arguments; do
    read -ra arguments <<<"$arguments"
    check "$name: it is compiled without threads" tlbcc -O2 "$ROOT/tests/workloads/$name.c" -o apart
    check "$name: it is compiled with threads" tlbcc -O2 -fopenmp "$ROOT/tests/workloads/$name.c" -o together
    OMP_WAIT_POLICY=passive TLBLAB_TRACE=trace exits 0 "$name: four threads compute what they should" ./together "${arguments[@]}" 4
    by_thread trace >threads
    same "$name: four threads have misses" 4 "$(sort -u threads | wc -l)"
    for part in 0 1 2 3; do PART=$part TLBLAB_TRACE=trace ./apart "${arguments[@]}" 4 >/dev/null && by_thread trace; done >parts
    same "$name: each thread has the misses of its part" "$(cat parts)" "$(cat threads)"
done <<'END'
randomaccess 22 14
bfs 12 16
hashjoin 14 15
END

# Completeness: the same source, compiled both ways. What the functions access in the array is the same;
# lackey also sees returns and saved registers, on the stack.
if command -v valgrind >/dev/null; then
    tlbcc -g -O1 "$ROOT/tests/workloads/objects.c" -o traced
    gcc -g -O1 "$ROOT/tests/workloads/objects.c" -o plain -no-pie
    TLBLAB_FILTER=1 TLBLAB_START=on TLBLAB_TRACE=trace ./traced
    valgrind --tool=lackey --trace-mem=yes --log-file=lackey ./plain
    # by FUNCTION: reads and writes while the last instruction was in it, except those of the stack.
    nm -S plain | awk '$3 == "t" || $3 == "T" { print $1, $2, $4 }' >symbols
    by_function() {
        awk 'function hex(s,   k, v) { for (k = 1; k <= length(s); k++) v = 16 * v + index("0123456789abcdef", substr(s, k, 1)) - 1; return v }
            FNR == NR { begin[$3] = hex($1); size[$3] = hex($2); next }
            /^I / { split($2, a, ","); at = hex(a[1]); next }
            / [LSM] / { split($2, a, ",")
                if (a[1] ~ /^1ff/) next
                for (f in begin) if (at >= begin[f] && at < begin[f] + size[f]) n[f, $1]++ }
            END { for (k in n) { split(k, p, SUBSEP); print p[1], p[2], n[k] } }' symbols lackey | sort
    }
    by_function >expected
    for function in read_table write_heap read_some; do
        lackey=$(awk -v f="$function" '$1 == f { s += $3 } END { print s + 0 }' expected)
        ours=$(tlbsim --level 1 --machine <(printf '# name: one\n# page_bytes: 4K\n# line_bytes: 64\n# memory_bytes: 1G\nstructure\tlevel\tentries\tways\tns\ndtlb\t1\t1\t1\t0\nwalk\t-\t-\t-\t9\nmemory\t-\t-\t-\t90\n') trace |
            misses --by function | awk -F '\t' -v f="$function" '$1 == f { print $2 }')
        same "completeness: $function makes as many accesses to pages as lackey sees" "$lackey" "$ours"
    done
else
    skip 'completeness: accesses are those that lackey sees' 'no valgrind here'
fi
finish_tests
