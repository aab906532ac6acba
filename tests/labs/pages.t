#!/usr/bin/env bash
# pages.t: the texts of the course: what they link to is there, also for students; the drawings are
# those that their scripts draw; hints have three steps; the web pages are made of them.
. "${0%/*}/../tap.sh"
. "${0%/*}/labs.sh"

[ "$VARIANT" = plain ] || skip_all 'the plain build stands for all'
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$ROOT" || exit 2

# links FILE...: the files that documents link to or show, but for the web.
links() {
    grep -HoE '\]\([^)]+\)' "$@" | grep -v '](http' | sed -E 's/^([^:]*\/)?([^:\/]*):\]\(([^)#]*).*/\1\3/'
}

# broken FOLDER: links of its documents that lead nowhere.
broken() {
    (cd "$1" && links labs/README.md labs/*/*.md labs/lib/*/README.md | while IFS= read -r file; do [ -e "$file" ] || echo "$file"; done)
}

check 'labs: documents have links' test "$(links labs/*/README.md | wc -l)" -gt 20
same 'labs: all links lead somewhere' '' "$(broken .)"
make -s handout HANDOUT="$TMP/handout.tar.gz" >"$TMP/log" && tar -xzf "$TMP/handout.tar.gz" -C "$TMP"
same 'labs: all links of the handout lead somewhere' '' "$(broken "$TMP")"

same 'labs: 05 quotes what detect says today of the machine of its picture' \
    "$("$OUT/detect" --pretty tests/machines/intel-xeon-guest/laps.tsv | sed -n '/^First-level data/,/^First-level cache/p')" \
    "$(sed -n '/^First-level data/,/^First-level cache/p' labs/05-graph/README.md)"

# ---- hints ----

hints=$(grep '^= ' labs/lib/hints)
same 'hint: each hole has three steps' "$(grep '^= ' labs/lib/hints | sed 's/$/ 123/')" \
    "$(awk '/^= / { holes[++n] = $0 " " } /^[1-3] / { holes[n] = holes[n] $1 } END { for (i = 1; i <= n; i++) print holes[i] }' labs/lib/hints)"
# labs/instructor/solve fails where the sections of the solution are not the holes of the starter.
same 'hint: there are hints for each hole and for nothing else' "$(sort <<<"$hints")" \
    "$(grep -o '^= [^ ]*' labs/instructor/[0-9]*/solution | sed 's|^labs/instructor/\([0-9]*\)/solution:=|= \1|; /\.txt$/d' | sort -u)"
prints 'hint: it names the holes' '^Holes: node, link_linear, link_random, ns_per_load\. ' labs/hint 06
for step in 1 2 3; do labs/hint 06 node $step; done >"$TMP/steps"
same 'hint: two of three steps lead on' 2 "$(grep -c '^(more: ../hint 06 node [23])$' "$TMP/steps")"
matches 'hint: the last is nearly the code' 'char rest' "$TMP/steps"
exits_saying 2 'hint: an unknown hole gives status 2' 'there are: node, link_linear' labs/hint 06 nothing
exits 2 'hint: there is no fourth step' labs/hint 06 node 4
exits 2 'hint: an unknown exercise gives status 2' labs/hint 99
check 'hint: the handout has them' "$TMP/labs/hint" 06 node

# ---- other systems ----

mkdir "$TMP/other" "$TMP/own"
printf '#!/bin/sh\necho 16384\n' >"$TMP/other/getconf"
printf '#!/bin/sh\necho 5.15.0-microsoft-standard-WSL2\n' >"$TMP/other/uname"
chmod +x "$TMP/other"/*
labs/instructor/solve 01 "$TMP/own"
exits 0 'run: it measures' env QUICK=yes labs/run 01 "$TMP/own"
mv "$TMP/err" "$TMP/usual"
exits 0 'run: it measures with other pages, too' env PATH="$TMP/other:$PATH" QUICK=yes labs/run 01 "$TMP/own"
lacks 'run: on a usual system it says nothing of it' 'SYSTEMS' "$TMP/usual"
[ "$(getconf PAGESIZE)" != 4096 ] || matches 'run: other pages are named' '^run: pages have 16384 bytes here, not 4096' "$TMP/err"
# shellcheck disable=SC2016 # $page is of labs/run
same 'systems: labs/run says what is promised' 2 \
    "$(grep -E '^run: ' labs/lib/SYSTEMS.md | sed 's/16384/$page/' | grep -cFf - labs/run)"
check 'systems: devcontainer.json is JSON' python3 -c 'import json, sys; json.load(open(sys.argv[1]))' .devcontainer/devcontainer.json
check 'systems: its Dockerfile is there' test -s ".devcontainer/$(sed -n 's/.*"dockerfile": "\([^"]*\)".*/\1/p' .devcontainer/devcontainer.json)"
check 'systems: all that the Dockerfile copies is there' xargs ls < <(sed -n 's/^COPY \(.*\) [^ ]*$/\1/p' .devcontainer/Dockerfile)

# ---- the exercises alone ----

labs/instructor/solve 16 "$TMP/own"
exits 2 'run: an exercise that needs the toolkit ends without it' env PATH=/usr/bin:/bin QUICK=yes "$TMP/labs/run" 16 "$TMP/own"
matches 'run: it says so' '^run: line.dat: this needs the toolkit, which is not here: see labs/README.md$' "$TMP/err"

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
same 'labs: the drawings are those of their scripts' '' "$(diff -rq labs/lib/drawings "$TMP/drawn")"
check 'labs: the drawings are well-formed XML' well_formed "$TMP"/drawn/*.svg
for drawing in labs/lib/drawings/*.svg; do
    check "labs: ${drawing##*/} is shown in an exercise" grep -q "(../lib/drawings/${drawing##*/})" labs/[0-9]*/README.md
    matches "labs: ${drawing##*/} has colours for dark screens too" 'prefers-color-scheme: dark' "$drawing"
    lacks "labs: ${drawing##*/} has no colour beside its styles" '(fill|stroke)="#' "$drawing"
done
for number in 03 04 06 11 13 14 15; do
    matches "labs: exercise $number has a drawing" '^!\[.+\]\(../lib/drawings/' <(cat labs/$number-*/README.md)
done

# ---- a student's picture has the expected one behind it ----

# 05 is drawn by the student; 15 and 19 have no curve in common with the expected picture.
for script in labs/[0-9]*/picture.p; do
    case $script in *15-* | *19-*) continue ;; esac
    matches "labs: ${script#labs/} draws the expected curves in grey" 'lt 9 .*title .*expected' <(sed -z 's/\\\n *//g' "$script")
done
mine() { # FOLDER: draws mine.png of exercise 06, with the tables of FOLDER behind
    (cd "$ROOT/labs/06-chase/data" && LAB=$1 gnuplot ../../lib/style.gp ../picture.p) >"$TMP/picture.png" 2>"$TMP/err"
}
if command -v gnuplot >/dev/null; then
    mine "$ROOT/labs/06-chase"
    check 'labs: mine.png is drawn' is_png "$TMP/picture.png"
    same 'labs: mine.png finds the expected tables' '' "$(cat "$TMP/err")"
    mine "$TMP"
    matches 'labs: without them gnuplot says so' 'Cannot find' "$TMP/err"
else
    skip 'labs: mine.png is drawn' 'no gnuplot here'
fi

# ---- the pages ----

if [ -z "${LONG-}" ]; then
    skip 'site: the pages are made' 'it takes long: scripts/test --all'
elif command -v cmark-gfm >/dev/null; then
    prints 'site: the pages are made' ': [0-9]+ pages$' scripts/site "$TMP/site"
    find "$TMP/site" -name '*.html' >"$TMP/pages"
    exercises=$(printf '%s\n' labs/[0-9]*/starter | wc -l)
    same 'site: there is a page for each document, a sheet for each exercise, and one with all of either' \
        "$(($(echo labs/README.md labs/[0-9]*/README.md labs/lib/{,*/}*.md | wc -w) + exercises + 2))" "$(wc -l <"$TMP/pages")"
    for lab in labs/[0-9]*/; do # what is asked, in a page and on a sheet; and in the page what is to be filled in
        grep -hoE '^[A-Za-z]\w* =' "$lab"starter/{predict,answers}.txt | sort >"$TMP/asked"
        for page in index sheet; do
            same "site: $lab: $page.html asks what its starter asks" "$(cat "$TMP/asked")" \
                "$(sed -n 's|^<dd><code>\(.*\)</code>.*|\1 =|p; s|.*</dt>$||' "$TMP/site/${lab#labs/}$page.html" | sort)"
        done
        same "site: $lab: index.html has each hole of its starter" "$(cat "$lab"starter/*.[cp] | grep -c HOLE)" \
            "$(sed -n '/class="starter"/,$p' "$TMP/site/${lab#labs/}index.html" | grep -c HOLE)"
    done
    for lab in labs/instructor/[0-9]*; do answers_of "${lab##*/}"; done | grep -E '= .' >"$TMP/right"
    same 'site: no page has an answer' '' "$(grep -rlFf "$TMP/right" "$TMP/site")"
    check 'site: the pages are well-formed' well_formed "$TMP/site"/*.html "$TMP/site"/*/*.html
    dead() { # links that lead nowhere; in course.html all stay in it
        while IFS= read -r page; do
            grep -oE '(href|src)="[^"]+"' "$page" | sed 's/.*="//; s/"$//' | grep -vE '^https?:' | sort -u |
                while IFS= read -r target; do
                    case $target in
                    '#'*) grep -q "id=\"${target#?}\"" "$page" ;;
                    *) [ -e "${page%/*}/${target%%#*}" ] ;;
                    esac || echo "${page##*/}: $target"
                done
        done <"$TMP/pages"
    }
    same 'site: all links lead somewhere' '' "$(dead)"
    matches 'site: a page leads to the ones before and after' 'rel="next" href="../04-real-pages/index.html"' "$TMP/site/03-line-pages/index.html"
    exits 2 'site: an unknown option gives status 2' scripts/site --paper
    if ! command -v chromium >/dev/null; then
        skip 'site: all of it is printed' 'no chromium here'
    else
        exits 0 'site: all of it is printed' scripts/site --pdf "$TMP/site"
        same 'site: course.pdf is a PDF' '%PDF' "$(head -c 4 "$TMP/site/course.pdf")"
        same 'site: each sheet is on one side' "$exercises" "$(grep -ac '/Type /Page$' "$TMP/site/sheets.pdf")"
        if command -v pdftotext >/dev/null; then
            same 'site: the cheat sheet is printed on one page' 1 "$(pdftotext "$TMP/site/course.pdf" - |
                awk 'BEGIN { RS = "\f" } /What to type/ && /Before you believe/ && /machine of/ { n++ } END { print n + 0 }')"
        else
            skip 'site: the cheat sheet is printed on one page' 'no pdftotext here'
        fi
    fi
else
    skip 'site: the pages are made' 'no cmark-gfm here'
fi
finish_tests
