#!/usr/bin/env bash
# bundle.t: what is uploaded to Gradescope and Autolab has the form that they publish, and grades there.
. "${0%/*}/../tap.sh"
. "${0%/*}/labs.sh"

plain_linux_alone
bundle=$ROOT/labs/instructor/bundle
exits 2 'bundle: an unknown platform is refused' "$bundle" moodle 01 "$TMP/x"
exits 2 'bundle: an unknown exercise is refused' "$bundle" autolab 99 "$TMP/x"
long_test
unset MAKEFLAGS MFLAGS MAKELEVEL
export LABS_SECONDS=15 # a machine that tests may be slow
for tool in bsdtar jq; do command -v $tool >/dev/null || skip_all "no $tool here (scripts/deps marks)"; done

# ---- Gradescope: setup.sh and run_autograder at the top of a zip; results/results.json, of submission/ ----

there=$TMP/autograder
mkdir -p "$there"/{source,submission,results}
exits 0 'bundle: one for Gradescope is made' "$bundle" gradescope 01 "$TMP/autograder.zip"
matches 'bundle: it says what it wrote' '^wrote .*autograder.zip: 01-time$' "$TMP/out"
check 'bundle: the zip unpacks' bsdtar -xf "$TMP/autograder.zip" -C "$there/source"
check 'bundle: its top has an executable setup.sh and run_autograder' test -x "$there/source/setup.sh" -a -x "$there/source/run_autograder"
check 'bundle: the toolkit in it is whole' make -s -n -C "$there/source" all
check 'bundle: the data of the exercise are in it' test -s "$there/source/labs/01-time/data/time.dat"
ln -s "$ROOT/bin" "$there/source/bin"
"$ROOT/labs/instructor/solve" 01 "$there/submission"
# well_formed RESULTS: as Gradescope publishes the format.
well_formed() {
    jq -e '(.score | type == "number") and (.tests | length > 5 and all(
        (keys - ["name", "score", "max_score", "status", "output", "visibility"] == []) and (.name | type == "string") and
        ((has("status") | not) or (.status == "passed" or .status == "failed")) and
        ((has("score") | not) or (.score <= .max_score))))' "$1" >/dev/null
}
run_there() { env AUTOGRADER="$there" "$there/source/run_autograder"; }
exits 0 'bundle: the autograder grades' run_there
check 'bundle: its results have the form that Gradescope publishes' well_formed "$there/results/results.json"
same 'bundle: the score is that of the check' "$("$ROOT/labs/lib/grade" 01 "$there/submission" | sed -n 's/^# \([0-9]*\) of.*/\1/p')" \
    "$(jq .score "$there/results/results.json")"
same 'bundle: of answers nobody sees before the due date whether they are right, and all else at once' 'after_due_date true,null false' \
    "$(jq -r '.tests[] | "\(.visibility) \(.name | contains(": answer "))"' "$there/results/results.json" | sort -u | paste -s -d , -)"
same 'bundle: sentences have no score yet' 2 "$(jq '[.tests[] | select(has("score") | not)] | length' "$there/results/results.json")"
same 'bundle: nobody but the autograder reads the answers' 700 "$(stat -c %a "$there/source/labs/instructor")"
mkdir "$TMP/refuses"
printf '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2; exit 1\n' >"$TMP/refuses/bwrap"
chmod +x "$TMP/refuses/bwrap"
PATH=$TMP/refuses:$PATH prints 'bundle: without user namespaces it grades too' '^# weak: bwrap: No permissions' run_there
check 'bundle: without user namespaces its results have the same form' well_formed "$there/results/results.json"
same 'bundle: without user namespaces the answers are those of the teacher' 0 "$(grep -c 'marked later' "$there/results/results.json")"

# ---- Autolab: a folder with its YAML, autograde-Makefile and autograde.tar; the last line is JSON ----

exits 0 'bundle: one for Autolab is made' "$bundle" autolab 01 "$TMP/lab.tar"
check 'bundle: the tarball unpacks' tar -xf "$TMP/lab.tar" -C "$TMP"
same 'bundle: the tarball has a folder with what Autolab wants' 'autograde-Makefile autograde-due.tar autograde.tar tlblab01-handout.tar tlblab01.yml' \
    "$(cd "$TMP/tlblab01" && echo *)"
matches 'bundle: its settings name the folder' '^  name: tlblab01$' "$TMP/tlblab01/tlblab01.yml"
same 'bundle: its problems have the points of the exercise, of its answers and of its sentences' '01-time 9.0,answers 4.0,sentences 2.0' \
    "$(awk '/^- name:/ { name = $3 } /max_score:/ { print name, $2 }' "$TMP/tlblab01/tlblab01.yml" | paste -s -d , -)"
same 'bundle: the handout has what a student gets, and no solution' 'README.md starter' \
    "$(tar -tf "$TMP/tlblab01/tlblab01-handout.tar" | cut -d / -f 2 | sort -u | paste -s -d ' ' -)"
# As Autolab does it: an empty folder, the Makefile, the tar and what was handed in.
# autolab_grades TAR ANSWER: the scores, of work whose first answer is changed to ANSWER where that is given.
autolab_grades() {
    rm -rf "$TMP/instance"
    mkdir "$TMP/instance"
    cp "$TMP/tlblab01/autograde-Makefile" "$TMP/instance/Makefile"
    cp "$TMP/tlblab01/$1" "$TMP/instance/autograde.tar"
    sed "s/^$first *=.*/$first = $2/" <(answers_of 01) >"$there/submission/answers.txt"
    tar -cf "$TMP/instance/handin.tar" -C "$there/submission" .
    LABS_SEED=1 exits 0 "bundle: make grades with $1, $2" env -C "$TMP/instance" make
    cp "$TMP/out" "$TMP/log.$2"
}
first=$(awk '$1 == "answer" { print $2; exit }' "$ROOT"/labs/01-*/check)
right=$(sed -n "s/^$first *= *//p" <(answers_of 01))
autolab_grades autograde.tar "$right"
same 'bundle: before the due date the last line has the score of the program' \
    "$(jq -c '{scores: {"01-time": ([.tests[] | select(.name | contains(": answer ") | not) | .score] | add)}}' "$there/results/results.json")" "$(tail -n 1 "$TMP/out")"
autolab_grades autograde.tar 77
same 'bundle: before the due date the log of a wrong answer is that of a right one' "$(cat "$TMP/log.$right")" "$(cat "$TMP/log.77")"
autolab_grades autograde-due.tar 77
matches 'bundle: after the due date the answers are a problem of their own' '"answers":3}}$' "$TMP/out"
finish_tests
