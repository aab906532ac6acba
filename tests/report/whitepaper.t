#!/usr/bin/env bash
# whitepaper.t: the worked example of the whitepaper (section 10), from its samples through detect and
# walkpenalty to the payload (section 9), number by number.
#
# The section contradicts the rest of the whitepaper, so no run of its schedule gives all its numbers:
# - 192 to 256 entries ask for 3 MiB as the window before 4 MiB. The refinement of density high (3.3)
#   puts two windows between them, and then it is 240 to 256.
# - A second level at 8 MiB asks for two windows between 4 and 8 MiB, since the scan begins two windows
#   after the first level (5.5). The grid has one, so without the refinement it is 10 MiB.
# - Its walkthrough takes a plain average, of windows to 2 MiB; section 5 weighs by recency, and the
#   last window of the segment is 3 MiB.
# The example has the grid, and of the refinement all but the two windows below 4 MiB.
# shellcheck disable=SC2016 # $ in single quotes is for awk and jq
. "${0%/*}/../tap.sh"
. "${0%/*}/tojson.sh"

# windows ROLE FILE: in KiB.
windows() { columns 'role pages spacing_bytes' "$2" | awk -v role="$1" '$1 == role { print $2 * $3 / 1024 }' | sort -nu | paste -s -d ' ' -; }

tables "$example" --method segment
exits 0 'whitepaper: the example becomes a payload' tojson --tlb "$example" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
answers 'whitepaper: 30 samples of 25 million loads, 64 bytes apart in 1 GiB, locked' '[30,25000000,64,1024,true,16384,"high"]' \
    '.configuration | [.latency_sample_count, .accesses_per_sample, .latency_stride_bytes, .buffer_size_mb, .buffer_locked,
        .page_size_bytes, .tlb_density]'
answers 'whitepaper: the guard is 1 MiB' 1048576 .configuration.tlb_guard_bytes
answers 'whitepaper: the first level is at 4096 KB, 192 to 256 entries, 224 their middle' '[true,4096,192,256,224,"range_midpoint"]' \
    '.tlb_analysis.l1_tlb_detection | [.detected, .boundary_locality_kb, .inferred_entries_min, .inferred_entries_max,
        .inferred_entries, .inferred_entries_method]'
answers 'whitepaper: the second level is at 8192 KB, 448 the middle of its entries' '[true,8192,384,512,448,"range_midpoint"]' \
    '.tlb_analysis.l2_tlb_detection | [.detected, .boundary_locality_kb, .inferred_entries_min, .inferred_entries_max,
        .inferred_entries, .inferred_entries_method]'
answers 'whitepaper: both steps are strong and persist, so the confidence is high' '[true,"high"] [true,"high"]' \
    '[.tlb_analysis | .l1_tlb_detection, .l2_tlb_detection | [.persistent_jump, .confidence] | tojson] | join(" ")'
answers 'whitepaper: there is no private-cache knee' '[false,null,false]' '.tlb_analysis |
    [.private_cache_knee.detected, .private_cache_knee.may_interfere_with_tlb, .l1_tlb_detection.overlaps_private_cache_knee]'
answers 'whitepaper: the page-walk penalty is 81.93 ns, from 16 KB to 512 MB' '[true,81.93,16,512]' '.tlb_analysis.page_walk_penalty |
    [.available, .penalty_ns, .baseline_locality_kb, .comparison_locality_mb]'
answers 'whitepaper: boundary_index is the place in the sweep, with its latency' '[14,22.67,21,35.37] true' '.tlb_analysis | .sweep as $sweep |
    [.l1_tlb_detection, .l2_tlb_detection] | "\(map(.boundary_index, (.boundary_latency_ns * 1000 | round / 1000))) \(
        all(.[]; . as $b | $sweep[.boundary_index] | .locality_kb == $b.boundary_locality_kb and
            .p50_latency_ns == $b.boundary_latency_ns))"'
answers 'whitepaper: the baseline weighs by recency, and the step is in per cent of it' 'true true true' '.tlb_analysis | .sweep as $sweep |
    .l1_tlb_detection | . as $b | [$sweep[:$b.boundary_index][].p50_latency_ns] |
    (to_entries | (map(.value * (.key + 1)) | add) / (map(.key + 1) | add)) as $mean |
    [$mean - $b.baseline_ns, $b.baseline_ns + $b.step_ns - $b.boundary_latency_ns,
     (100 * $b.step_ns / $b.baseline_ns - $b.step_percent) / 50 | fabs < 0.0011] | join(" ")'
answers 'whitepaper: the payload warns that no control confirms the levels' '[["no_control"],true,["no_control"],true]' \
    '[.tlb_analysis | .l1_tlb_detection, .l2_tlb_detection | .notes, (.warning | contains("cache"))]'
answers 'whitepaper: the payload has every member of section 9, and of a step' '[]' '
    def lacks($names): [keys_unsorted as $keys | $names / " " | .[] | select(. as $n | $keys | index($n) | not)];
    lacks("configuration execution_time_sec tlb_analysis timestamp version") +
    (.configuration | lacks("mode cpu_name page_size_bytes l1_cache_size_bytes tlb_guard_bytes latency_stride_bytes latency_sample_count accesses_per_sample latency_chain_mode performance_cores efficiency_cores buffer_size_mb buffer_locked fine_sweep_added_points")) +
    (.tlb_analysis | lacks("sweep private_cache_knee l1_tlb_detection l2_tlb_detection page_walk_penalty")) +
    (.tlb_analysis.sweep[0] | lacks("locality_bytes locality_kb loop_latencies_ns p50_latency_ns")) +
    (.tlb_analysis.private_cache_knee | lacks("detected boundary_index boundary_locality_kb confidence may_interfere_with_tlb")) +
    ([.tlb_analysis | .l1_tlb_detection, .l2_tlb_detection | lacks("detected boundary_index boundary_locality_kb baseline_ns boundary_latency_ns step_ns step_percent persistent_jump overlaps_private_cache_knee confidence inferred_entries inferred_entries_method inferred_entries_min inferred_entries_max")] | add) +
    (.tlb_analysis.page_walk_penalty | lacks("available baseline_locality_kb baseline_p50_ns comparison_locality_mb comparison_p50_ns comparison_loop_latencies_ns penalty_ns"))'

# A boundary of other samples: what no table has is unknown.
change bytes_min '$bytes_min + 1' "$TMP/boundaries.tsv" >"$TMP/other.tsv"
exits 0 'whitepaper: a boundary of other samples is accepted' tojson --tlb "$example" "$TMP/other.tsv"
answers 'whitepaper: a boundary of other samples has no place in the sweep' '[null,null,null]' \
    '.tlb_analysis.l1_tlb_detection | [.boundary_index, .boundary_latency_ns, .persistent_jump]'

# ---- the schedule, and what contradicts it ----

levels() { detect --quiet --method segment "$1" | rows - | cut -f 2-7 | tr "$tab" ' '; }
grep -v "${tab}refine$tab" "$example" >"$TMP/grid.tsv"
same 'whitepaper: the grid is that of density high' "$(sweep --plan --quiet --density high --buffer 1G --stride 64 --samples 1 >"$TMP/out"; windows sweep "$TMP/out")" \
    "$(windows sweep "$example")"
sweep --plan --quiet "$TMP/grid.tsv" >"$TMP/plan.tsv"
same 'whitepaper: the refinement is that of the schedule, without 3456 and 3840 KiB' "3456 3840 $(windows refine "$example")" \
    "$(windows refine "$TMP/plan.tsv")"
same 'whitepaper: the grid alone has its second level at 10 MiB' "$(printf '1 224 192 256 3145728 4194304\n2 576 512 640 8388608 10485760')" \
    "$(levels "$TMP/grid.tsv")"
{
    cat "$example"
    rows "$example" | awk -F '\t' -v OFS='\t' '$1 == 3072 * 16 { $5 = "refine"; $1 = 3456 * 16; print; $1 = 3840 * 16; print }'
} >"$TMP/whole.tsv"
same 'whitepaper: the whole schedule is done' '' "$(sweep --plan --quiet "$TMP/whole.tsv" | rows -)"
same 'whitepaper: the whole schedule has 240 to 256 entries in the first level' "$(printf '1 248 240 256 3932160 4194304\n2 448 384 512 6291456 8388608')" \
    "$(levels "$TMP/whole.tsv")"
finish_tests
