#!/usr/bin/env bash
# view.t: a terminal gets tables for people, with sentences where there is an answer; a pipe gets the
# table as it is.
. "${0%/*}/../../tap.sh"
long_with_sanitizers
cd "$ROOT/tests" || exit 2
samples=machines/intel-xeon-guest/laps.tsv

# ---- in a pipe ----

detect --quiet --pretty "$samples" >"$TMP/pretty"
COLUMNS=60 detect --quiet --pretty "$samples" | sed 1,/^$/d >"$TMP/narrow"
lacks 'view: sentences are as wide as COLUMNS' '^.{61}' "$TMP/narrow"
matches 'view: and no narrower' '^.{50}' "$TMP/narrow"
exits_saying 2 'view: the columns that a table has are said' \
    "--pretty 'sometimes': expected all, never, or some of structure,level,entries,.*,note\$" detect --quiet --pretty=sometimes "$samples"
same 'view: COLUMNS that is no width is ignored' "$(cat "$TMP/pretty")" "$(COLUMNS=wide detect --quiet --pretty "$samples")"
lacks 'view: has no metadata' '^#' "$TMP/pretty"
lacks 'view: has no tabs' "$(printf '\t')" "$TMP/pretty"
lacks 'view: no colour in a pipe' "$(printf '\033')" "$TMP/pretty"
matches 'view: a step has its unit in the header' '  step ns  ' "$TMP/pretty"
same 'view: all rows of a column end where its title does' '' \
    "$(awk 'NR == 1 { at = index($0, "step ns") + 6 } !NF { exit } substr($0, at, 2) !~ /^[0-9s] $/' "$TMP/pretty")"
matches 'detect: the view ends with a sentence for each row' \
    '^First-level data TLB: 96 entries \(384 KiB\), high confidence\.$' "$TMP/pretty"
matches 'detect: a sentence says why a range is one, in words' \
    'low confidence; between [0-9]+ and [0-9]+, since another program may have held entries\.' <(paste -s -d ' ' "$TMP/pretty")
lacks 'detect: sizes of uncertain answers have three digits' '[0-9]{3}\.[0-9]|[0-9]{2}\.[0-9]{2}' \
    <(grep '^[A-Z].*:' "$TMP/pretty")
lacks 'detect: a table has no sentence' '^First' <(detect --quiet "$samples")
simulate --preset geometry --seed 1 zen3 >"$TMP/geometry.tsv"
geometry --quiet --pretty "$TMP/geometry.tsv" >"$TMP/out"
lacks "view: geometry fits into 80 columns" '.{81}' "$TMP/out"
matches 'geometry: the view ends with sentences' \
    '^Second-level data TLB: 2048 entries, 256 sets of 8 ways, index linear in bits$' "$TMP/out"
matches 'geometry: a sentence has nothing of what is not known' \
    '^First-level data TLB: 64 entries, fully associative, replacement lru, high$' "$TMP/out"
lacks 'geometry: a sentence has no relation where there is none' 'of the first level' "$TMP/out"
if [ -n "${LONG-}" ]; then
    simulate --preset geometry --seed 1 exclusive-pair | geometry --quiet --pretty >"$TMP/out"
    matches 'geometry: a sentence has the relation, where there is one' '(, exclusive of the first level|^0,1,2,3,4,5,6, exclusive)' "$TMP/out"
fi
machine --sysroot machines/amd-zen3-guest/system.txt --pretty >"$TMP/out"
matches 'machine: the view has values with their units' '^l1d_bytes +32 KiB ' "$TMP/out"
for command in 'detect machines/amd-zen3-guest/geometry.tsv' 'detect --claims machines/amd-zen3-guest/geometry.tsv' 'detect machines/amd-epyc-guest/prefetch.tsv' \
    'latency data/latency-vcache.tsv' \
    'walkpenalty data/penalty-vm.tsv' 'machine --sysroot machines/amd-zen3-guest/system.txt' 'pingpong --groups data/pairs.tsv'; do
    # shellcheck disable=SC2086 # words of a command
    $command --pretty --quiet >"$TMP/out"
    lacks "view: $command fits into 80 columns" '.{81}' "$TMP/out"
done
long=std::vector::_M_realloc_insert_of_a_long_name
sed "s/probe/$long/" data/perf-pebs.txt | COLUMNS=60 misses --pretty --by function >"$TMP/out"
same 'view: long texts come after all else' 'misses function' "$(awk 'NR == 1 { print $1, $NF }' "$TMP/out")"
lacks 'view: so nothing is wider than the page' '.{61}' "$TMP/out"
matches 'view: and they are there' "$long" <(tr -d ' \n' <"$TMP/out")
# Programs that measure show each row at once.
if [ "$PLATFORM" != none ]; then
    printf 'pages\tlayout\tspacing_bytes\ttargets\tothers\n4\tpage\t4096\t-\t-\n80\tset\t1048576\t8\t72\n' >"$TMP/points"
    chase --quiet --pretty "$TMP/points" >"$TMP/out"
    same 'view: of rows that come one by one it leaves out an empty column, until it has a value' '0 1' \
        "$(awk '/pages/ { print /targets/ + 0 }' "$TMP/out" | paste -s -d ' ' -)"
    matches 'view: the value is below its title' '^ +80 +set .* 8 +72 ' "$TMP/out"
else
    skip 'view: rows that come one by one' 'nothing can be measured here'
fi

exits 2 'view: a column that is not there is refused' detect --pretty=entry "$samples"
detect --pretty=entries,method --quiet "$samples" >"$TMP/out"
same 'view: columns are chosen by their names in the table' 'entries  method' "$(head -n 1 "$TMP/out")"

# ---- on a terminal ----

if [ "$PLATFORM" = none ] || ! script --version 2>/dev/null | grep -q util-linux; then
    skip 'view: on a terminal' "this build knows no terminal, or there is no script of util-linux"
    finish_tests
fi
# terminal COMMAND: what a terminal shows.
terminal() {
    TERM=xterm script -qec "$1" /dev/null </dev/null | tr -d '\r'
}
escape=$(printf '\033')

terminal "detect --quiet '$samples'" >"$TMP/seen"
same 'terminal: shows the view' "$(cat "$TMP/pretty")" "$(sed "s/$escape\[[0-9;]*m//g" "$TMP/seen")"
terminal "stty cols 60; detect '$samples'" | sed "s/$escape\[[0-9;]*m//g" >"$TMP/narrow"
lacks 'terminal: table, sentences and messages are as wide as it' '^.{61}' "$TMP/narrow"
matches 'terminal: and no narrower' '^detect: .{43}' "$TMP/narrow"
same 'terminal: colour is for confidence alone' 3 "$(grep -cE "$escape\[[0-9;]+m(high|medium|low)$escape\[0m" "$TMP/seen")"
NO_COLOR=1 terminal "detect --quiet '$samples'" >"$TMP/seen"
same 'terminal: NO_COLOR is honoured' "$(cat "$TMP/pretty")" "$(cat "$TMP/seen")"
terminal "detect --quiet --pretty=never '$samples'" >"$TMP/seen"
same 'terminal: --pretty=never gives the table' "$(detect --quiet --pretty=never "$samples")" "$(cat "$TMP/seen")"
terminal "detect '$samples'" >"$TMP/seen"
same 'terminal: remarks come behind the table and its sentences' '' \
    "$(awk '/^detect: / { remark = 1; next } remark && !/^  /' "$TMP/seen")"
lacks 'terminal: long remarks are wrapped between words' '^(detect:|  ).{79}' "$TMP/seen"
same 'terminal: wrapped remarks have all words' "$(detect "$samples" 2>&1 >"$TMP/table" | tr -s ' \n' ' ')" \
    "$(sed -n '/^detect: /,$p' "$TMP/seen" | tr -s ' \n' ' ')"
matches 'terminal: remarks are there' '^detect: something else may have held' "$TMP/seen"
terminal "detect '$samples' 2>'$TMP/err'" >"$TMP/seen"
matches 'terminal: remarks that go elsewhere are there' '^detect: something else may have held' "$TMP/err"
finish_tests
