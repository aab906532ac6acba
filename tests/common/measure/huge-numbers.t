#!/usr/bin/env bash
# huge-numbers.t: a number of samples has no limit but time: the memory of a run does not grow with it.
# Numbers that cannot be meant are refused.
. "${0%/*}/../../tap.sh"
sanitizers_suffice

many=99999999999
most=18446744073709551615

# starts NAME COMMAND...: rows come at once, whatever the number, and memory does not grow with it.
starts() {
    local name=$1
    shift
    same "$name: rows come at once" 3 \
        "$("$@" 2>"$TMP/err" | grep -v '^#' | head -n 3 | wc -l | tr -d ' ')"
    writes_before_memory "$name: memory is bounded" 300 "$@"
}

exits 0 'plan: of any number of samples it plans the first batch' plan --samples "$most"
same 'plan: the first batch begins with the first pass' 0 "$(columns sample "$TMP/out" | sort -n | head -n 1)"
check 'plan: a batch is bounded' test "$(wc -l <"$TMP/out")" -lt 70000
exits 0 'plan --density: of any number of samples it plans the first batch' plan --density low --buffer 512M --samples "$most"
check 'plan --density: a batch is bounded' test "$(wc -l <"$TMP/out")" -lt 70000
exits 0 'plan: more passes than one batch has' plan --layout page --pages 4 --samples 70000
same 'plan: a batch ends at its bound' 65536 "$(columns pages "$TMP/out" | wc -l | tr -d ' ')"
awk '/^#/ { print; next } { print $0 "\t" (rows++ ? 1 : "ns") }' "$TMP/out" >"$TMP/measured.tsv"
exits 0 'plan: the next batch goes on' plan "$TMP/measured.tsv"
same 'plan: the next batch has the rest' '4464 65536' \
    "$(columns sample "$TMP/out" | awk 'NR == 1 { first = $1 } END { print NR, first }')"

if [ "$PLATFORM" = none ]; then
    skip 'chase and sweep with any number of samples' 'nothing is measured here'
    finish_tests
fi
starts 'chase --samples' chase --quiet --pages 4,8 --loads 1000 --samples "$many"
starts 'sweep --samples' sweep --quiet --layout page --pages 4 --loads 1000 --samples "$most"
starts 'bandwidth --samples' bandwidth --quiet --op read --bytes 4k --threads 1 --samples "$most"
# The first rows of a run that has no end, and of the same run resumed.
chase --quiet --pages 4,8 --loads 1000 --samples "$many" --seed 1 | sed 60q >"$TMP/cut.tsv"
chase --quiet --resume "$TMP/cut.tsv" | sed 120q >"$TMP/out"
rows=$(columns pages "$TMP/cut.tsv" | wc -l | tr -d ' ')
same 'chase: such a run is resumed: the rows before it come first' "$(columns 'pages sample ns' "$TMP/cut.tsv")" \
    "$(columns 'pages sample ns' "$TMP/out" | head -n "$rows")"
check 'chase: then others' test "$(columns pages "$TMP/out" | wc -l)" -gt "$rows"
same 'chase: no sample is measured twice' '' "$(columns 'pages sample' "$TMP/out" | sort | uniq -d)"
exits 1 'chase: a budget ends a run of any number of samples' chase --pages 4 --samples "$many" --budget 0.1
exits 2 'bandwidth: samples that cannot be counted are refused' bandwidth --op read,copy --bytes 4k --samples "$most"
matches 'bandwidth: it says which number' "--samples $most: the samples of [0-9]+ points cannot be counted" "$TMP/err"
exits 2 'pingpong: laps that no second has are refused' pingpong --laps "$many"
matches 'pingpong: it says how many laps there may be' "--laps '$many': expected a whole number from 1 to 1000000" "$TMP/err"
finish_tests
