#!/usr/bin/env bash
# encoding.t: tables and machine descriptions in UTF-16, with NUL bytes, or with lines that end in
# CR alone are refused by that name; CR LF and a mark before UTF-8 are read. No control character
# reaches a terminal.
. "${0%/*}/../../tap.sh"
sanitizers_suffice

zen4=$ROOT/src/tlb/models/zen4.tsv
samples=$TMP/few.tsv
head -n 60 "$ROOT/tests/data/whitepaper-m4.tsv" >"$samples"

# As the spreadsheets and editors of three systems write it.
utf16le() { od -An -v -tx1 "$1" | tr -s ' \n' '\n' | sed '/^$/d; s/.*/\\x&\\x00/' | tr -d '\n' | xargs -0 printf '%b'; }
with_mark() { printf '\377\376' && utf16le "$1"; }
with_nul() { cat "$1" && printf 'a\0b\n'; }
cr_alone() { tr '\n' '\r' <"$1"; }
cr_alone_lf_at_end() { cr_alone "$1" && echo; }
cr_lf() { sed "s/\$/$(printf '\r')/" "$1"; }

# refused HOW LINE WHAT: by a program that reads tables and by one that reads a description.
refused() {
    "$1" "$samples" >"$TMP/samples"
    "$1" "$zen4" >"$TMP/machine"
    exits_saying 2 "$1: detect refuses the table" "^detect: .*/samples:$2: $3" detect "$TMP/samples"
    exits_saying 2 "$1: simulate refuses the description" "^simulate: .*/machine:[0-9]*: $3" simulate "$TMP/machine"
}

refused utf16le 1 'this is UTF-16'
refused with_mark 1 'this is UTF-16'
for program in zstd gzip xz bzip2 lz4; do
    command -v "$program" >/dev/null || continue
    # shellcheck disable=SC2317 # refused calls it
    compressed() { "$program" -c <"$1"; }
    refused compressed 1 "this is compressed, not text \('$program -dc FILE |'"
    exits_saying 2 "$program: stdin is refused too" "^walkpenalty: -:1: this is compressed" walkpenalty <"$TMP/samples"
done
# shellcheck disable=SC2059 # escapes
for short in '\x28\xb5' '\x1f' 'B' '\xfd7'; do # as many bytes as a compressed file may begin with
    exits 2 "a file of few bytes is no table: $short" detect < <(printf "$short")
    lacks "a file of few bytes is not called compressed: $short" 'compressed' "$TMP/err"
done
refused with_nul '[0-9]+' 'a NUL byte'
exits_saying 2 'a program is not called UTF-16' '^detect: .*:1: a NUL byte: this is not a text file$' detect /bin/sh
refused cr_alone 1 'its lines end in CR only'
refused cr_alone_lf_at_end 1 'its lines end in CR only'
cr_lf "$zen4" >"$TMP/machine"
exits 0 'a description whose lines end in CR LF is read' simulate "$TMP/machine"

# ---- control characters in names, cells and metadata ----

# ESC [ 2 J clears a terminal; U+009B is the same as ESC [. A tab or line break is ours.
clear=$'\x1b[2J\xc2\x9b2J\x7f'
hostile=$TMP/samples$clear.tsv
sed "1s/^/# host: a$clear\\n# cpu: b$clear\\n# machine: c$clear\\n/" "$samples" | head -n 40 |
    awk -F '\t' -v OFS='\t' -v text="$clear" '/^#/ { print; next } { print $0, n++ ? "=" text : "more" text }' >"$hostile"
sed "s/high/high$clear/" "$ROOT/tests/data/plot-boundaries.tsv" >"$TMP/boundaries$clear"
silent() {
    { "$@" || :; } >"$TMP/out" 2>&1
    same "no control character: ${*//[^ -~]/?}" 0 "$(LC_ALL=C tr -cd '\000-\010\013-\037\177' <"$TMP/out" | wc -c)"
    same "no C1 character: ${*//[^ -~]/?}" 0 "$(LC_ALL=C grep -c $'\xc2[\x80-\x9f]' "$TMP/out")"
}
for program in detect report tojson 'plan' 'detect --by file' 'detect --by host' walkpenalty latency geometry; do
    # shellcheck disable=SC2086 # its words
    silent $program "$hostile"
done
silent report "$TMP/boundaries$clear"
printf 'pages\tlayout\tspacing_bytes\tmore%s\n4\tpage\t4096\t%s\n' "$clear" "$clear" >"$TMP/points$clear"
silent simulate "$zen4" "$TMP/points$clear" --meta "note=$clear"
silent simulate "$TMP/none$clear"
silent chase --pages "$clear"
printf 'pages\tns\n4\t1%s\n' "$clear" >"$hostile"
silent detect "$hostile"
silent report "$hostile"
silent "$ROOT/scripts/plot" --terminal tlb "$hostile"
silent "$ROOT/scripts/plot" --terminal tlb "$TMP/none$clear"
sed "1s/^/# cpu: $clear\\n/" "$ROOT/tests/data/plot-samples.tsv" >"$hostile"
! command -v gnuplot >/dev/null || silent "$ROOT/scripts/plot" --terminal --title "$clear" tlb "$hostile"
finish_tests
