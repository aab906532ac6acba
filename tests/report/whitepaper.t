#!/usr/bin/env bash
# whitepaper.t: latencies that the whitepaper's own tool measured on an Apple M4 (its section 10) and an
# M5, from its samples through detect and walkpenalty to the payload (section 9), number by number.
#
# They were published by versions 0.53.7 and 0.53.8. Medians, boundary of the first level and penalty
# are computed alike. Version 0.55, which the whitepaper describes and detect follows, differs in four
# rules, so that the other answers do: the baseline weighs by recency, where 0.53 takes the plain mean;
# the second scan starts two windows after the first level, where 0.53 starts at it; a level has the
# middle of its range, where 0.53 gives its upper end; and a private cache's knee is looked for first.
# The schedule is that of density low. Section 10 quotes 192 to 256 entries: a window of 3 MiB, which
# its file lacks.
# shellcheck disable=SC2016 # $ in single quotes is for awk and jq
. "${0%/*}/../tap.sh"
sanitizers_suffice
. "${0%/*}/tojson.sh"

# windows FILE: in KiB.
windows() { columns 'role pages spacing_bytes' "$1" | awk '$1 == "sweep" { print $2 * $3 / 1024 }' | sort -nu | paste -s -d ' ' -; }

# medians: of all windows, and of the two that the penalty compares, all digits.
medians='.tlb_analysis | [.sweep[].p50_latency_ns], [.page_walk_penalty | .baseline_p50_ns, .comparison_p50_ns]'

tables "$example" --method segment
exits 0 'whitepaper: the M4 becomes a payload' tojson --tlb "$example" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
answers 'whitepaper: the M4 has 30 samples of 25 million loads, 64 bytes apart in 1 GiB, locked' '[30,25000000,25000000,64,1024,true,16384]' \
    '.configuration | [.latency_sample_count, .accesses_per_sample, .accesses_per_loop, .latency_stride_bytes,
        .buffer_size_mb, .buffer_locked, .page_size_bytes]'
answers 'whitepaper: the M4 has the published guard' 1048576 .configuration.tlb_guard_bytes
answers 'whitepaper: the M4 has the published medians' "[15.1247075,17.4984125,19.008991666666667,20.3553825,18.771374166666668,17.027124999999998,17.2924325,22.672563333333333,35.366099166666665,41.737634166666666,47.212001666666666,61.198989999999995,79.507795,88.16063,93.05402833333332]
[15.1247075,97.05861583333333]" "$medians"
answers 'whitepaper: the M4 has the published first level, but for its baseline and the middle of its range' \
    '[true,4194304,4096,7,22.672563333333333,true,"High",128,256,192,"range_midpoint",false]' \
    '.tlb_analysis.l1_tlb_detection | [.detected, .boundary_locality_bytes, .boundary_locality_kb, .boundary_index,
        .boundary_latency_ns, .persistent_jump, .confidence, .inferred_entries_min, .inferred_entries_max,
        .inferred_entries, .inferred_entries_method, .overlaps_private_cache_knee]'
answers 'whitepaper: the baseline of the M4 weighs by recency, and the step is a fraction of it' 'true true true' '.tlb_analysis | .sweep as $sweep |
    .l1_tlb_detection | . as $b | [$sweep[:$b.boundary_index][].p50_latency_ns] |
    (to_entries | (map(.value * (.key + 1)) | add) / (map(.key + 1) | add)) as $mean |
    [$mean - $b.baseline_ns, $b.baseline_ns + $b.step_ns - $b.boundary_latency_ns,
     $b.step_ns / $b.baseline_ns - $b.step_percent | fabs < 0.0011] | join(" ")'
answers 'whitepaper: with a plain mean the M4 has the published baseline and steps' '[[17.8683,0.2689],[22.6726,0.5599]]' '
    def to4: . * 10000 | round / 10000;
    [.tlb_analysis.sweep[].p50_latency_ns] as $p50 |
    [[0, 7], [7, 8]] | map(. as [$start, $at] | ($p50[$start:$at] | add / length) | [to4, ($p50[$at] / . - 1 | to4)])'
answers 'whitepaper: the second scan on the M4 starts at 12 MiB, so its step is the next' '[10,16384,41.738,47.212001666666666,768,1024,"High"]' \
    '.tlb_analysis.l2_tlb_detection | [.boundary_index, .boundary_locality_kb, .baseline_ns, .boundary_latency_ns,
        .inferred_entries_min, .inferred_entries_max, .confidence]'
answers 'whitepaper: the M4 has no private-cache knee' '[false,null]' '.tlb_analysis.private_cache_knee |
    [.detected, .may_interfere_with_tlb]'
answers 'whitepaper: the M4 has the published penalty, from 16 KB to 512 MB' '[true,81.934,16,512]' '.tlb_analysis.page_walk_penalty |
    [.available, .penalty_ns, .baseline_locality_kb, .comparison_locality_mb]'
answers 'whitepaper: the payload warns that no control confirms the levels' '[["no_control"],true,["no_control"],true]' \
    '[.tlb_analysis | .l1_tlb_detection, .l2_tlb_detection | .notes, (.warning | contains("cache"))]'
answers 'whitepaper: the payload has every member of section 9, and those of the published results' '[]' '
    def lacks($names): [keys_unsorted as $keys | $names / " " | .[] | select(. as $n | $keys | index($n) | not)];
    lacks("configuration execution_time_sec tlb_analysis timestamp version") +
    (.configuration | lacks("mode cpu_name page_size_bytes l1_cache_size_bytes tlb_guard_bytes latency_stride_bytes latency_sample_count accesses_per_sample accesses_per_loop latency_chain_mode performance_cores efficiency_cores buffer_size_mb buffer_locked fine_sweep_added_points")) +
    (.tlb_analysis | lacks("sweep private_cache_knee l1_tlb_detection l2_tlb_detection page_walk_penalty")) +
    (.tlb_analysis.sweep[0] | lacks("locality_bytes locality_kb loop_latencies_ns p50_latency_ns")) +
    (.tlb_analysis.private_cache_knee | lacks("detected boundary_index boundary_locality_bytes boundary_locality_kb step_ns step_percent confidence may_interfere_with_tlb")) +
    ([.tlb_analysis | .l1_tlb_detection, .l2_tlb_detection | lacks("detected boundary_index boundary_locality_bytes boundary_locality_kb baseline_ns boundary_latency_ns step_ns step_percent persistent_jump overlaps_private_cache_knee confidence inferred_entries inferred_entries_method inferred_entries_min inferred_entries_max")] | add) +
    (.tlb_analysis.page_walk_penalty | lacks("available baseline_locality_kb baseline_p50_ns comparison_locality_mb comparison_p50_ns comparison_loop_latencies_ns penalty_ns"))'

# A boundary of other samples: what no table has is unknown.
change bytes_min '$bytes_min + 1' "$TMP/boundaries.tsv" >"$TMP/other.tsv"
exits 0 'whitepaper: a boundary of other samples is accepted' tojson --tlb "$example" "$TMP/other.tsv"
answers 'whitepaper: a boundary of other samples has no place in the sweep' '[null,null,null]' \
    '.tlb_analysis.l1_tlb_detection | [.boundary_index, .boundary_latency_ns, .persistent_jump]'

# Below 512 MiB there is no comparison, but a baseline.
grep -v comparison "$example" | sed 's/^# buffer_bytes: .*/# buffer_bytes: 268435456/' >"$TMP/small.tsv"
tables "$TMP/small.tsv" --method segment
exits 0 'whitepaper: a buffer below 512 MiB becomes a payload' tojson --tlb "$TMP/small.tsv" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
answers 'whitepaper: a buffer below 512 MiB has a baseline without a penalty' '[false,"buffer_below_512M",null,null,16,15.1247075]' \
    '.tlb_analysis.page_walk_penalty |
        [.available, .reason, .penalty_ns, .comparison_p50_ns, .baseline_locality_kb, .baseline_p50_ns]'

m5=$data/whitepaper-m5.tsv
tables "$m5" --method segment
exits 0 'whitepaper: the M5 becomes a payload' tojson --tlb "$m5" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
answers 'whitepaper: the M5 has the published medians' "[9.719219166666667,10.089804166666667,10.6546025,12.884408333333333,17.242285000000003,17.52630416666667,17.664361666666665,20.686325833333335,31.602030833333334,37.91779916666667,41.199845833333335,53.9733475,66.66903416666666,76.858285,81.1528025]
[9.719219166666667,84.23725083333333]" "$medians"
answers 'whitepaper: the M5 has the published penalty' 74.518 .tlb_analysis.page_walk_penalty.penalty_ns
answers 'whitepaper: the knee of the M5 before 1 MiB leaves 4 MiB for the first level' '[[true,512],[true,4096,128,256]]' '.tlb_analysis |
    [(.private_cache_knee | [.detected, .boundary_locality_kb]),
     (.l1_tlb_detection | [.detected, .boundary_locality_kb, .inferred_entries_min, .inferred_entries_max])]'

same 'whitepaper: the published schedule is that of density low' "$(windows "$example")" \
    "$(plan --quiet --density low --buffer 1G --spacing 64 --samples 1 >"$TMP/out"; windows "$TMP/out")"
finish_tests
