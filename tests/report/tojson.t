#!/usr/bin/env bash
# tojson.t: the verification payload, which a validator holds against its schema and from which the figures
# can be checked. Any other table is in tojson-tables.t.
# shellcheck disable=SC2016 # $ in single quotes is for awk, jq and sh
. "${0%/*}/../tap.sh"
. "${0%/*}/tojson.sh"
long_with_sanitizers

# ---- the validator ----

# The system's Python first: its package is not there for another one that PATH may name.
python=''
for candidate in /usr/bin/python3 python3; do
    [ -n "$python" ] || ! "$candidate" -c 'from jsonschema import Draft202012Validator' 2>/dev/null ||
        python=$candidate
done
cat >"$TMP/validate.py" <<'PYTHON'
"""validate.py SCHEMA: for each line "PAYLOAD JOB NAME" of stdin prints NAME, and below it what is wrong. Job
`conforms`: the payload conforms; `fails`: it does not once one of its members is missing, is of another type, or
is joined by a new one."""
import copy, json, sys
from jsonschema import Draft202012Validator

def refuse(name):
    raise ValueError(name + " is no JSON")

def members(value, path=()):
    inside = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, inner in inside:
        if isinstance(key, str):
            yield path + (key,)
        yield from members(inner, path + (key,))

def parent(payload, path):
    for key in path[:-1]:
        payload = payload[key]
    return payload

def mutants(payload):
    for path in members(payload):
        for change in "missing", "wrong", "new":
            mutant = copy.deepcopy(payload)
            inside = parent(mutant, path)
            if change == "missing":
                del inside[path[-1]]
            elif change == "wrong":
                inside[path[-1]] = {"wrong": True}
            else:
                inside["new"] = None
            yield change, path, mutant

def judge(job, payload):
    payload = json.load(open(payload, encoding="utf-8"), parse_constant=refuse)
    if job == "conforms":
        return ["%s: %s" % (list(e.path), e.message) for e in validator.iter_errors(payload)]
    payload["tlb_analysis"]["sweep"] = payload["tlb_analysis"]["sweep"][:1]
    return ["%s %s is not noticed" % (change, path)
            for change, path, mutant in mutants(payload) if validator.is_valid(mutant)]

schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
for line in sys.stdin:
    payload, job, name = line.rstrip("\n").split("\t")
    print(name, *judge(job, payload), sep="\n  ")
PYTHON

# judged JOB NAME: of the payload in "$TMP/out", by validate_all at the end, since it takes Python long to begin.
judged() {
    JUDGED=$((${JUDGED-0} + 1))
    cp "$TMP/out" "$TMP/payload.$JUDGED"
    printf '%s\t%s\t%s\n' "$TMP/payload.$JUDGED" "$1" "$2" >>"$TMP/judged"
}

validate_all() {
    if [ -n "$python" ]; then
        same 'tojson: payloads conform to the schema' "$(cut -f 3 "$TMP/judged")" \
            "$("$python" "$TMP/validate.py" "$ROOT/src/report/tojson.schema.json" <"$TMP/judged" 2>&1)"
    else
        skip 'tojson: payloads conform to the schema' 'no jsonschema with draft 2020-12 for Python here (scripts/deps test)'
    fi
}

# payload NAME SAMPLES [OPTION of detect...]: into "$TMP/out".
payload() {
    local name=$1
    shift
    tables "$@"
    exits 0 "tojson: $name is converted" tojson --tlb "$1" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
    judged conforms "$name: conforms to the schema"
    same "tojson: $name has every sample in its payload, but those of moments" \
        "$(columns 'ns moment' "$1" | awk -F '\t' '$2 == "-" { print $1 }' | sort -g | tr '\n' ' ')" \
        "$(ask '.tlb_analysis | .sweep[].loop_latencies_ns[], (.page_walk_penalty.comparison_loop_latencies_ns // [])[]' |
            sort -g | tr '\n' ' ')"
}

# ---- the worked example ----

payload 'the worked example' "$example"
cp "$TMP/out" "$TMP/example.json"
judged fails 'the schema notices every member that is missing, of another type, or new'
answers 'tojson: the payload has the first level' \
    '{"detected":true,"method":"segment","boundary_locality_kb":4096,"previous_locality_kb":2048,"inferred_entries":192,"inferred_entries_method":"range_midpoint","inferred_entries_min":128,"inferred_entries_max":256,"overlaps_private_cache_knee":false,"confidence":"High","baseline_ns":18.058,"step_ns":4.614,"step_percent":0.25551}' \
    '.tlb_analysis.l1_tlb_detection | {detected, method, boundary_locality_kb, previous_locality_kb,
        inferred_entries, inferred_entries_method, inferred_entries_min, inferred_entries_max,
        overlaps_private_cache_knee, confidence, baseline_ns, step_ns, step_percent: (.step_percent * 100000 | round / 100000)}'
answers 'tojson: the payload has the second level' '768 896 1024' \
    '.tlb_analysis.l2_tlb_detection |
        "\(.inferred_entries_min) \(.inferred_entries) \(.inferred_entries_max)"'
answers 'tojson: the payload has the guard, 2 times L1D' '131072 16384 1048576' \
    '.configuration | "\(.l1_cache_size_bytes) \(.page_size_bytes) \(.tlb_guard_bytes)"'
answers 'tojson: the payload has the configuration of the run' 'analyze_tlb Apple M4 64 random-box 30 25000000 1024 true' '.configuration |
    [.mode, .cpu_name, .latency_stride_bytes, .latency_chain_mode, .latency_sample_count,
     .accesses_per_sample, .buffer_size_mb, .buffer_locked] | join(" ")'
answers 'tojson: the payload has the page-walk penalty' '{"available":true,"reason":null,"penalty_ns":81.934}' \
    '.tlb_analysis.page_walk_penalty | {available, reason, penalty_ns}'
answers 'tojson: the payload has what the penalty comes from' '16 512 30 [95.69561166666666,95.69922333333334]' \
    '.tlb_analysis.page_walk_penalty | "\(.baseline_locality_kb) \(.comparison_locality_mb) \(.comparison_loop_latencies_ns |
        "\(length) \(.[:2])")"'
answers "tojson: the payload's sweep ascends to 256 MiB without the comparison point" '15 16 262144 true' \
    '[.tlb_analysis.sweep[].locality_kb] | "\(length) \(.[0]) \(.[-1]) \(. == sort)"'
answers "tojson: the payload's medians and penalty follow from its raw samples" 'true true true' '
    def p50: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
    .tlb_analysis | .page_walk_penalty as $p |
    [([.sweep[] | (.loop_latencies_ns | p50) == .p50_latency_ns] | all),
     ($p.comparison_loop_latencies_ns | p50) == $p.comparison_p50_ns,
     ($p.comparison_p50_ns - $p.baseline_p50_ns - $p.penalty_ns | fabs) < 0.001] | join(" ")'
answers 'tojson: the payload says that a knee was looked for and not detected' '[false,"not_detected",null,null,null]' \
    '.tlb_analysis.private_cache_knee |
        [.detected, .reason, .boundary_locality_kb, .confidence, .may_interfere_with_tlb]'
answers 'tojson: the payload has null for what the table does not hold' '[null,null,null,null]' '[.execution_time_sec,
    (.configuration | .performance_cores, .efficiency_cores, .seed)]'
answers 'tojson: the payload has the version' "$version" .version
now=$(date +%s)
answers "tojson: the payload's time is now, in UTC" true \
    "(.timestamp | fromdate) as \$t | \$t <= $now and \$t > $now - 600"

# without_history: what does not depend on the order of the tables.
without_history() { jq -S 'del(.timestamp, .configuration.commands)' "$1"; }
without_history "$TMP/example.json" >"$TMP/wanted"
exits 0 'tojson: any order of the tables is accepted' tojson --tlb "$TMP/penalties.tsv" "$example" "$TMP/boundaries.tsv"
same 'tojson: any order of the tables gives the same payload' "$(cat "$TMP/wanted")" "$(without_history "$TMP/out")"
exits 0 'tojson: a table on stdin is accepted' tojson --tlb "$example" - "$TMP/penalties.tsv" <"$TMP/boundaries.tsv"
same 'tojson: a table on stdin gives the same payload' "$(cat "$TMP/wanted")" "$(without_history "$TMP/out")"
cat "$TMP/boundaries.tsv" "$TMP/penalties.tsv" "$example" >"$TMP/joined.tsv"
exits 0 'tojson: tables joined on stdin are accepted' tojson --tlb <"$TMP/joined.tsv"
same 'tojson: tables joined on stdin give the same payload' "$(cat "$TMP/wanted")" "$(without_history "$TMP/out")"
detect --quiet --by file "$example" >"$TMP/by.tsv"
exits 0 'tojson: a column of --by is accepted' tojson --tlb "$example" "$TMP/by.tsv" "$TMP/penalties.tsv"
same 'tojson: a column of --by gives the same payload' "$(cat "$TMP/wanted")" "$(without_history "$TMP/out")"
exits 0 'tojson: a run without penalties is accepted' tojson --tlb "$example" "$TMP/boundaries.tsv"
judged conforms 'no penalties: conforms'
answers 'tojson: a run without penalties has null, the reason and the raw samples' \
    '{"available":false,"reason":"no_penalties","penalty_ns":null,"comparison_p50_ns":97.05861583333333}' \
    '.tlb_analysis.page_walk_penalty | {available, reason, penalty_ns, comparison_p50_ns}'

# ---- metadata that other machines have ----

sed 's/^# locked: .*/# locked: no (RLIMIT_MEMLOCK is 8 MiB)/
     s/^# cpu: .*/# cpu: unknown\n# performance_cores: 4\n# efficiency_cores: 6\n# seed: 18446744073709551615/
     s/^# page_bytes: .*/# page_bytes: 64k/; /^# l1d_bytes/d; /^# chain/d' "$example" >"$TMP/meta.tsv"
payload 'other metadata' "$TMP/meta.tsv"
answers 'tojson: the payload has the kinds of core' '4 6' '.configuration | "\(.performance_cores) \(.efficiency_cores)"'
answers 'tojson: the payload has no lock, and why' '[false,"no (RLIMIT_MEMLOCK is 8 MiB)"]' \
    '.configuration | [.buffer_locked, .buffer_locked_reason]'
answers 'tojson: the payload has no guard without the L1D cache' '[null,null,65536,null,null]' '.configuration |
    [.l1_cache_size_bytes, .tlb_guard_bytes, .page_size_bytes, .cpu_name, .latency_chain_mode]'
matches 'tojson: the payload does not round a seed of 64 bits' '"seed": *18446744073709551615,' "$TMP/out"
awk -F '\t' -v OFS='\t' '/^# locked/ { next } /^#/ { print; next }
    { print $0, head++ ? "no (a limit)" : "locked" }' "$example" >"$TMP/column.tsv"
payload 'a lock in a column' "$TMP/column.tsv"
answers 'tojson: the payload has no lock if the samples have none' '[false,"no (a limit)"]' \
    '.configuration | [.buffer_locked, .buffer_locked_reason]'

# Refined points, and a knee that may be the cache's.
{
    cat "$example"
    awk -F '\t' -v OFS='\t' '$1 == 65536 { $1 = 57344; $5 = "refine"; print }' "$example"
} | change ns '($1 * $3 < 1048576 ? 1 : $1 * $3 < 50331648 ? 4 : 9) + $6 / 1000' - >"$TMP/knee.tsv"
payload 'a private-cache knee' "$TMP/knee.tsv"
answers 'tojson: a private-cache knee is detected in the payload' '[true,1024,"High",true,["private_knee","may_interfere_with_tlb","no_control"]]' \
    '.tlb_analysis.private_cache_knee |
        [.detected, .boundary_locality_kb, .confidence, .may_interfere_with_tlb, .notes]'
answers 'tojson: a private-cache knee overlaps the first level' '[1024,true]' \
    '.tlb_analysis.l1_tlb_detection | [.boundary_locality_kb, .overlaps_private_cache_knee]'
answers 'tojson: the payload counts refined points' '[1,16,15]' '[.configuration.fine_sweep_added_points,
    (.tlb_analysis.sweep | length), ([.tlb_analysis.sweep[].role | select(. == "sweep")] | length)]'

change ns 1 "$example" >"$TMP/flat.tsv"
payload 'nothing detected' "$TMP/flat.tsv"
answers 'tojson: a flat curve has no level in the payload' '[false,"not_detected",null,false,"no_first_level"]' '.tlb_analysis |
    [(.l1_tlb_detection | .detected, .reason, .inferred_entries),
     (.l2_tlb_detection | .detected, .reason)]'

# ---- simulated and recorded runs ----

plan --quiet --density low --samples 3 --buffer 32M --seed 1 |
    simulate "$models/ryzen-5800x3d.tsv" - >"$TMP/density.tsv"
payload "the whitepaper's schedule" "$TMP/density.tsv" --method segment
answers 'tojson: a density has its configuration in the payload' '["low",3,"random-box",32,256,4096,null]' '.configuration |
    [.tlb_density, .latency_sample_count, .latency_chain_mode, .buffer_size_mb,
     .latency_stride_bytes, .page_size_bytes, .buffer_locked]'
answers 'tojson: a density has its history in the payload' 'plan simulate detect walkpenalty' \
    '[.configuration.commands[] | split(" ")[0]] | join(" ")'
answers "tojson: a density's time is the sum of its samples" true "(.execution_time_sec -
    $(columns run_s "$TMP/density.tsv" | awk '{ s += $1 } END { printf "%.17g", s }') | fabs) < 1e-9"
same "tojson: a density's boundaries are those of detect" "$(rows "$TMP/boundaries.tsv" | cut -f 1-5)" \
    "$(ask '.tlb_analysis | [.l1_tlb_detection, .l2_tlb_detection] | to_entries[] | .key as $k |
        .value | select(.detected) |
        ["dtlb", $k + 1, .inferred_entries, .inferred_entries_min, .inferred_entries_max] | @tsv')"
answers 'tojson: a density without 512 MiB has no penalty' '[false,"buffer_below_512M"]' \
    '.tlb_analysis.page_walk_penalty | [.available, .reason]'

simulate --seed 1 "$models/zen4.tsv" >"$TMP/own.tsv"
payload 'our own sweep' "$TMP/own.tsv"
cp "$TMP/out" "$TMP/own.json"
judged fails 'its schema notices every change too'
answers "tojson: a sweep's level says its method" '[72,"control","laps",null]' '.tlb_analysis.l1_tlb_detection |
    [.inferred_entries, .method, .inferred_entries_method, .overlaps_private_cache_knee]'
answers "tojson: a sweep's knee was not looked for" '[null,"not_looked_for"]' \
    '.tlb_analysis.private_cache_knee | [.detected, .reason]'
answers "tojson: a sweep's layouts are adjacent" 'packed page' \
    '[.tlb_analysis.sweep[].layout] | unique | join(" ")'
answers "tojson: a sweep's stride is that of the pages" 4096 '.configuration.latency_stride_bytes'
same "tojson: a sweep's payload has the caches" "$(rows "$TMP/boundaries.tsv" | grep '^cache' | cut -f 1-3)" \
    "$(ask '.tlb_analysis.other_boundaries[] | [.structure, .level, .inferred_entries // "-"] | @tsv')"
same "tojson: a sweep's payload has the controlled penalties" "$(rows "$TMP/penalties.tsv" | grep '^control' | cut -f 2,3)" \
    "$(ask '.tlb_analysis.page_walk_penalty.controlled[] | [.level, .penalty_ns] | @tsv')"
payload 'a recorded machine' "$ROOT/tests/machines/intel-xeon-guest/sweep.tsv"
answers 'tojson: a gradual level says so in the payload' '["laps",["gradual"]]' \
    '.tlb_analysis.l2_tlb_detection | [.inferred_entries_method, .notes]'
answers 'tojson: numbers of samples that vary have no common count' null \
    '.configuration.latency_sample_count'

# ---- what is no run ----

# refused NAME REGEX FILE...
refused() {
    local name=$1 regex=$2
    shift 2
    exits_saying 2 "tojson: $name is refused" "$regex" tojson --tlb "$@"
    same "tojson: $name is refused with nothing on stdout" '' "$(cat "$TMP/out")"
}
tables "$example"
refused 'a run without samples' 'no samples in the input' "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
grep -v '^[0-9]' "$example" >"$TMP/header.tsv"
refused 'samples without rows' 'no samples' "$TMP/header.tsv" "$TMP/boundaries.tsv"
refused 'a run without boundaries' 'no boundaries in the input' "$example" "$TMP/penalties.tsv"
refused 'a table of another kind' 'zen4.tsv:[0-9]+: the table is neither' "$example" "$models/zen4.tsv"
change entries '"many"' "$TMP/boundaries.tsv" >"$TMP/many.tsv"
refused 'text for a number' "many.tsv:[0-9]+: column 'entries': 'many'" "$example" "$TMP/many.tsv"
change ns -1 "$example" >"$TMP/negative.tsv"
refused 'a negative time' "negative.tsv:11: column 'ns'" "$TMP/negative.tsv" "$TMP/boundaries.tsv"
change confidence '"sure"' "$TMP/boundaries.tsv" >"$TMP/sure.tsv"
refused 'a confidence that there is not' "confidence 'sure'" "$example" "$TMP/sure.tsv"
# Contiguous frames and huge pages along with small ones: the payload is about the small ones.
printf 'pages\tlayout\tspacing_bytes\tns\tbacking\n4\tpage\t4096\t1\t%s\n4\tpage\t4096\t1\t%s\n' \
    scattered contiguous >"$TMP/both.tsv"
printf 'structure\tlevel\tentries\tmethod\tnote\ndtlb\t1\t%s\tcontrol\t%s\n' 96 contiguous >"$TMP/some.tsv"
printf 'dtlb\t1\t%s\tcontrol\t%s\n' 32 huge >>"$TMP/some.tsv"
{ cat "$TMP/some.tsv" && printf 'dtlb\t1\t72\tcontrol\t-\n'; } >"$TMP/rows.tsv"
exits 0 'tojson: several rows of a level are converted' tojson --tlb "$TMP/both.tsv" "$TMP/rows.tsv"
answers 'tojson: small pages represent several rows of a level' 72 '.tlb_analysis.l1_tlb_detection.inferred_entries'
answers 'tojson: samples of two backings have their backing' '["contiguous","scattered"]' '[.tlb_analysis.sweep[].backing] | sort'
answers 'tojson: rows of other pages are kept in the payload' '[96,32]' '[.tlb_analysis.other_boundaries[].inferred_entries]'
judged conforms 'several rows of a level: conforms'
exits 2 'tojson: several rows of other pages than small ones are refused' tojson --tlb "$TMP/both.tsv" "$TMP/some.tsv"
matches 'tojson: several rows of other pages are no single curve' 'dtlb 1 twice' "$TMP/err"
exits 0 'tojson: several rows of a level are converted without --tlb' tojson "$TMP/rows.tsv"
answers 'tojson: several rows of a level are all there without --tlb' '[96,32,72]' '[.rows[].entries]'
refused 'a table of two runs' 'dtlb 1 twice' "$example" "$TMP/boundaries.tsv" "$TMP/boundaries.tsv"
refused 'a table of two penalties' 'method raw twice' \
    "$example" "$TMP/boundaries.tsv" "$TMP/penalties.tsv" "$TMP/penalties.tsv"
: >"$TMP/empty.tsv"
refused 'an empty file' 'no header line' "$TMP/empty.tsv" "$TMP/boundaries.tsv"
refused 'a missing file' 'cannot open' "$TMP/none.tsv"
exits 1 'tojson: a last line that is cut gives status 1' bash -c 'head -c -9 "$1" | tojson --tlb - "$2"' sh "$example" \
    "$TMP/boundaries.tsv"
judged conforms 'a cut last line: the rest conforms'
exits 2 'tojson: an unknown option is refused' tojson --xml

validate_all
finish_tests
