#!/usr/bin/env bash
# labs-pages.t: the texts of the course: what they link to is there, also for students; the drawings are
# those that their scripts draw.
. "${0%/*}/tap.sh"

[ "$VARIANT" = plain ] || skip_all 'the plain build stands for all'
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$ROOT" || exit 2

# links FILE...: the files that documents link to or show, but for the web.
links() {
    grep -HoE '\]\([^)]+\)' "$@" | grep -v '](http' | sed -E 's/^([^:]*\/)?([^:\/]*):\]\(([^)#]*).*/\1\3/'
}

# broken FOLDER: links of its documents that lead nowhere.
broken() {
    (cd "$1" && links labs/*.md labs/*/README.md | while IFS= read -r file; do [ -e "$file" ] || echo "$file"; done)
}

check 'labs: documents have links' test "$(links labs/*/README.md | wc -l)" -gt 20
same 'labs: all links lead somewhere' '' "$(broken .)"
make -s handout HANDOUT="$TMP/handout.tar.gz" >"$TMP/log" && tar -xzf "$TMP/handout.tar.gz" -C "$TMP"
same 'labs: all links of the handout lead somewhere' '' "$(broken "$TMP")"

# ---- drawings ----

well_formed() {
    python3 -c 'import sys, xml.dom.minidom
for file in sys.argv[1:]: xml.dom.minidom.parse(file)' "$@"
}
mkdir "$TMP/drawn"
for script in labs/instructor/drawings/*.awk; do
    name=$(basename "$script" .awk)
    [ "$name" != svg ] || continue
    awk -f labs/instructor/drawings/svg.awk -f "$script" >"$TMP/drawn/$name.svg"
done
same 'labs: the drawings are those of their scripts' '' "$(diff -rq labs/drawings "$TMP/drawn")"
check 'labs: the drawings are well-formed XML' well_formed "$TMP"/drawn/*.svg
for drawing in labs/drawings/*.svg; do
    check "labs: ${drawing##*/} is shown in an exercise" grep -q "(../drawings/${drawing##*/})" labs/[0-9]*/README.md
    matches "labs: ${drawing##*/} has colours for dark screens too" 'prefers-color-scheme: dark' "$drawing"
    lacks "labs: ${drawing##*/} has no colour beside its styles" '(fill|stroke)="#' "$drawing"
done
for number in 03 04 06 11 13 14 15; do
    matches "labs: exercise $number has a drawing" '^!\[.+\]\(../drawings/' <(cat labs/$number-*/README.md)
done
finish_tests
