#!/usr/bin/env bash
# encoding.t: texts of students in UTF-16, as editors of Windows and its PowerShell write them, are read as
# what they say, or the encoding is named.
. "${0%/*}/../tap.sh"
plain_linux_alone
command -v iconv >/dev/null || skip_all 'no iconv here'
# shellcheck source=/dev/null # of grading.sh, which it is a part of
. "$ROOT/labs/lib/answers.sh"

printf '# Größe\r\nentries = 72\r\nwhy = five words are enough here\r\n' >"$TMP/utf8.txt"
tr -d '\r' <"$TMP/utf8.txt" >"$TMP/wanted"
same_text() { same "encoding: $1 is read as what it says" "$(cat "$TMP/wanted")" "$(plain_text "$2")"; }
same_text 'UTF-8' "$TMP/utf8.txt"
for encoding in UTF-16 UTF-16LE UTF-16BE; do
    iconv -f UTF-8 -t "$encoding" "$TMP/utf8.txt" >"$TMP/$encoding.txt"
    same_text "$encoding" "$TMP/$encoding.txt"
done
{ printf '\376\377' && cat "$TMP/UTF-16BE.txt"; } >"$TMP/marked.txt"
same_text 'UTF-16BE with its mark' "$TMP/marked.txt"
printf 'entries =\r\n' >"$TMP/mixed.txt"
printf '72\r\n' | iconv -f UTF-8 -t UTF-16LE >>"$TMP/mixed.txt"
same 'encoding: UTF-16 that PowerShell appended is read' "$(printf 'entries =\n72')" "$(plain_text "$TMP/mixed.txt")"
head -c -1 "$TMP/UTF-16.txt" >"$TMP/odd.txt"
matches 'encoding: UTF-16 that is cut is read up to there' '^entries = 72$' <(plain_text "$TMP/odd.txt")
for short in '' x '\377' '\377\376' 'ab' '\000'; do
    # shellcheck disable=SC2059 # a format
    printf "$short" >"$TMP/short.txt"
    same "encoding: a text of few bytes is read: '$short'" "$(printf '%s' "$short" | sed 's/^\\.*//')" \
        "$(plain_text "$TMP/short.txt" | tr -d '\377')"
done

# ---- labs/run names it, since no compiler reads UTF-16 ----

for file in solution.c predict.txt; do
    rm -rf "$TMP/work"
    "$ROOT/labs/instructor/solve" 02 "$TMP/work"
    iconv -f UTF-8 -t UTF-16 "$TMP/work/$file" >"$TMP/converted" && mv "$TMP/converted" "$TMP/work/$file"
    exits 2 "run: UTF-16 is refused: $file" "$ROOT/labs/run" 02 "$TMP/work"
    matches "run: UTF-16 is named: $file" "work/$file: its encoding is UTF-16: save it as UTF-8" "$TMP/err"
done

# ---- the check reads it ----

if grep -q plain_text "$ROOT/labs/lib/grading.sh"; then
    export QUICK=yes LABS_SECONDS=15
    rm -rf "$TMP/work"
    "$ROOT/labs/instructor/solve" 02 "$TMP/work"
    exits 0 'check: the work is measured' "$ROOT/labs/run" 02 "$TMP/work"
    for file in "$TMP"/work/*.c "$TMP"/work/*.txt "$TMP"/work/*.dat; do
        sed 's/$/\r/' "$file" | iconv -f UTF-8 -t UTF-16 >"$TMP/converted" && mv "$TMP/converted" "$file"
    done
    exits 0 'check: work in UTF-16 has full marks' "$ROOT/labs/lib/grade" 02 "$TMP/work"
else
    skip 'check: work in UTF-16 has full marks' 'the check does not call plain_text'
fi
finish_tests
