#!/usr/bin/env bash
# labs-marks.t: a folder of submissions graded at once: the table, its summary, the picture; the same
# again; going on after a break; machines of the students' own.
# shellcheck disable=SC2016 # $ in single quotes is for awk
. "${0%/*}/tap.sh"

plain_linux_alone
marks=$ROOT/labs/instructor/marks
exits 2 'marks: a missing folder gives status 2' "$marks"
exits 2 'marks: a folder that is not there is refused' "$marks" "$TMP/nowhere"
exits 2 'marks: an unknown option is refused' "$marks" --loud "$TMP"
mkdir "$TMP/bare"
for tool in bash env dirname; do ln -s "$(command -v "$tool")" "$TMP/bare/$tool"; done
exits 2 'marks: without GNU parallel the status is 2' env PATH="$TMP/bare" "$marks" "$TMP"
matches 'marks: without GNU parallel it says what to install' 'GNU parallel .*scripts/deps all' "$TMP/err"

# ---- the picture of a summary ----

if command -v gnuplot >/dev/null; then
    {
        printf 'student\texercise\tpoints\tmax\tfailed\tuntold\n'
        for k in 0 3 5 10; do printf 's%s\t01-time\t%s\t10\t0\t0\ns%s\tall\t%s\t10\t0\t0\n' $k $k $k $k; done
    } >"$TMP/summary.tsv"
    exits 0 'marks: a summary is drawn as text' "$ROOT/scripts/plot" --terminal marks "$TMP/summary.tsv"
    matches 'marks: the drawn summary has the number of students' 'Marks of 4 students' "$TMP/out"
    exits 0 'marks: a summary is drawn as a picture' "$ROOT/scripts/plot" --output "$TMP/marks.png" marks "$TMP/summary.tsv"
    sed 's/10\t0/9\t0/' "$TMP/summary.tsv" >"$TMP/bad.tsv"
    exits 2 'marks: a summary with more points than there are is refused' "$ROOT/scripts/plot" --terminal marks "$TMP/bad.tsv"
    matches 'marks: a summary with more points than there are is named with its column' "bad.tsv:.*column 'points'" "$TMP/err"
fi

# ---- submissions ----

if command -v parallel >/dev/null; then
    mkdir -p "$TMP/class/anna/01-time" "$TMP/class/"$'two\nlines'
    touch "$TMP/class/anna/note"
    exits 2 "marks: a student's name of two lines is refused" "$marks" "$TMP/class"
    matches "marks: a student's name of two lines is quoted" 'in the name of two.lines: rename it' "$TMP/err"
    rmdir "$TMP/class/"$'two\nlines'
    for out in "$TMP/class" "$TMP/class/anna" "$TMP/class/anna/marks"; do
        exits 2 "marks: marks among the submissions are refused: ${out#"$TMP/"}" "$marks" "$TMP/class" "$out"
        matches "marks: marks among the submissions are named as the reason: ${out#"$TMP/"}" 'among the submissions; name another OUT' "$TMP/err"
    done
    exits 2 'marks: a file for the folder of marks is refused' "$marks" "$TMP/class" "$TMP/class/anna/note"
    exits 2 'marks: a number of jobs in words is refused' "$marks" --jobs two "$TMP/class"
    exits 2 'marks: an exercise that is not there is refused' "$marks" --exercise 99 "$TMP/class"
    exits 2 'marks: a secret that is a folder is refused' "$marks" --secret "$TMP" "$TMP/class"
    same 'marks: refused commands leave nothing behind' 'anna anna/01-time anna/note' \
        "$(cd "$TMP/class" && find . -mindepth 1 | sed 's|^./||' | sort | paste -s -d ' ' -)"
fi
if [ -z "${LONG-}" ]; then
    skip 'marks: submissions are marked' 'it takes a minute: scripts/test --all'
    finish_tests
fi
if ! command -v parallel >/dev/null; then
    skip 'marks: submissions are marked' 'no GNU parallel here (scripts/deps all)'
    finish_tests
fi

mkdir "$TMP/empty"
exits 2 'marks: a folder without students is refused' "$marks" "$TMP/empty"
in=$TMP/handed-in
out=$TMP/handed-in-marks
EXERCISES='01 06' check 'marks: submissions are made up' "$ROOT/tests/bench/submissions" 3 "$in" 2
exits 0 'marks: three students are graded' "$marks" "$in"
same 'marks: the summary has each student' 'student 001,student 002,student 003' \
    "$(awk -F '\t' '$2 == "all" { print $1 }' "$out/summary.tsv" | paste -s -d , -)"
same 'marks: the summary is the sum of the marks' "$(awk -F '\t' '$2 != "all" && $3 ~ /^[0-9]/ { a += $3; b += $4 } END { print a, b }' \
    "$out/summary.tsv")" "$(awk -F '\t' '$4 ~ /^[0-9]/ { a += $4; b += $5 } END { print a, b }' "$out/marks.tsv")"
same 'marks: every row of marks has all fields' '' "$(grep -v '^#' "$out/marks.tsv" | awk -F '\t' 'NF != 7')"
! command -v gnuplot >/dev/null || check 'marks: a picture of the marks is drawn' test -s "$out/marks.png"
cp "$out/marks.tsv" "$TMP/first.tsv"

# A break: the last one was not done.
rm "$out/students/student 003.tsv"
touch -d '2001-01-01' "$out/students/student 001.tsv"
exits 0 'marks: --resume goes on after a break' "$marks" --resume "$in"
same 'marks: --resume gives the same marks again' "$(cat "$TMP/first.tsv")" "$(cat "$out/marks.tsv")"
same 'marks: --resume keeps the marks that were there' 2001 "$(date -r "$out/students/student 001.tsv" +%Y)"
mkdir -p "$in/late/labs/01-time" "$in/linked"
ln -s '../student 001/01-time' "$in/linked/01-time"
touch "$in/more.zip"
exits 0 'marks: --resume grades somebody who was late' "$marks" --resume "$in"
matches 'marks: a folder in the wrong place is named' 'late: .*no folder of an exercise' "$TMP/err"
matches 'marks: a file among the submissions is named' 'more.zip: no folder' "$TMP/err"
matches 'marks: a link to other work is named' 'linked: .*a link, which is not followed' "$TMP/err"
same 'marks: a submission in the wrong place has no points' '0 0' "$(awk -F '\t' '$2 == "all" && $1 ~ /^l/ { print $3 }' "$out/summary.tsv" | paste -s -d ' ' -)"
same 'marks: a submission in the wrong place changes no other marks' "$(cat "$TMP/first.tsv")" "$(awk -F '\t' '$1 !~ /^l/' "$out/marks.tsv")"
exits 2 'marks: --resume with another exercise is refused' "$marks" --resume --exercise 01 "$in"
rm -r "$in/late" "$in/linked"

# Ctrl-C in the middle, and on.
set -m
"$marks" --exercise 01 "$in" "$TMP/broken" 2>"$TMP/err" &
set +m
for _ in $(seq 100); do [ ! -d "$TMP/broken/students" ] || break; sleep 0.1; done
sleep 0.2
kill -INT -- "-$!"
wait $!
same 'marks: Ctrl-C gives status 130' 130 $?
matches 'marks: Ctrl-C says how to go on' 'broken off; --resume goes on' "$TMP/err"
exits 0 'marks: --resume goes on after Ctrl-C' "$marks" --resume --exercise 01 "$in" "$TMP/broken"
same 'marks: --resume after Ctrl-C loses no student' 3 "$(awk -F '\t' '$2 == "all"' "$TMP/broken/summary.tsv" | wc -l)"

# A secret: the same answers, right for one of them.
head -c 24 /dev/zero | tr '\0' x >"$TMP/secret"
simulate --describe --id 'student 001' --secret "$TMP/secret" >"$TMP/machine.tsv"
for k in 1 2; do
    mkdir -p "$TMP/own/student 00$k/12-detect"
    awk -F '\t' '
        $1 == "dtlb" && $7 == 4096 { print "mine_" ($2 == 1 ? "first" : "second") " = " $3 }
        $1 == "walk" { print "mine_walk_ns = " $8 * 1.1 }' "$TMP/machine.tsv" >"$TMP/own/student 00$k/12-detect/answers.txt"
done
exits 0 'marks: --secret is accepted' "$marks" --exercise 12 --secret "$TMP/secret" "$TMP/own"
# Two times may be near each other by chance, but not all.
check 'marks: --secret gives each student a machine of his own' awk -F '\t' '
    $3 ~ /mine/ { got[$1] += $4 }
    END { exit !(got["student 001"] == 5 && got["student 002"] < 5) }' "$TMP/own-marks/marks.tsv"
exits 0 "marks: a machine of one's own without --secret is graded" "$marks" --exercise 12 "$TMP/own"
same "marks: a machine of one's own without --secret cannot be told" 6 "$(grep -c 'mine_.*untold' "$TMP/own-marks/marks.tsv")"
finish_tests
