#!/usr/bin/env bash
# marks.t: a folder of submissions graded at once: the table, its summary, the picture; the same
# again; going on after a break; machines of the students' own.
# shellcheck disable=SC2016 # $ in single quotes is for awk
. "${0%/*}/../tap.sh"

plain_linux_alone
marks=$ROOT/labs/instructor/marks
exits 2 'marks: a missing folder gives status 2' "$marks"
exits 2 'marks: a folder that is not there is refused' "$marks" "$TMP/nowhere"
exits 2 'marks: an unknown option is refused' "$marks" --loud "$TMP"
mkdir "$TMP/bare"
for tool in bash env dirname sed tr; do ln -s "$(command -v "$tool")" "$TMP/bare/$tool"; done
exits 2 'marks: without GNU parallel the status is 2' env PATH="$TMP/bare" "$marks" "$TMP"
matches 'marks: without GNU parallel it says what to install' 'GNU parallel .*scripts/deps marks' "$TMP/err"

# ---- the picture of a summary ----

if command -v gnuplot >/dev/null; then
    {
        printf 'student\texercise\tpoints\tmax\tfailed\tinconclusive\n'
        for k in 0 3 5 10; do printf 's%s\t01-time\t%s\t10\t0\t0\ns%s\tall\t%s\t10\t0\t0\n' $k $k $k $k; done
    } >"$TMP/summary.tsv"
    exits 0 'marks: a summary is drawn as text' "$ROOT/scripts/plot" --terminal marks "$TMP/summary.tsv"
    matches 'marks: the drawn summary has the number of students' 'Marks of 4 students' "$TMP/out"
    exits 0 'marks: a summary is drawn as a picture' "$ROOT/scripts/plot" --output "$TMP/marks.png" marks "$TMP/summary.tsv"
    sed 's/10\t0/9\t0/' "$TMP/summary.tsv" >"$TMP/bad.tsv"
    exits 2 'marks: a summary with more points than there are is refused' "$ROOT/scripts/plot" --terminal marks "$TMP/bad.tsv"
    matches 'marks: a summary with more points than there are is named with its column' "bad.tsv:.*column 'points'" "$TMP/err"
fi

# ---- names of folders ----

# make and the shell must expand nothing of them. (No folder has such a name, so there is nothing to grade.)
for name in '$(shell touch pwned)`touch pwned`"; touch pwned; "' $'x\ntouch pwned'; do
    exits 2 "marks: make marks DIR='${name//$'\n'/ }' ends" make -s -C "$ROOT" -o all marks DIR="$name"
    exits 2 "marks: make marks with '${name//$'\n'/ }' in the environment ends" env DIR="$name" make -s -C "$ROOT" -o all marks
done
check 'marks: make marks runs nothing of a name' test ! -e "$ROOT/pwned"

# ---- what learning platforms download ----

intake=$ROOT/labs/instructor/intake
down=$TMP/download
# work FOLDER [FILE]: makes a folder with a solution.
work() { mkdir -p "$1" && echo "int main(void) { return 0; }" >"$1/${2:-solution.c}"; }
anna="$down/Anna Berg_12_assignsubmission_file_"
work "$anna/06_chase"
work "$anna/06_chase/starter"
work "$anna/06-chase (1)"
work "$anna/deep/Lab 7"
work "$anna/09-chase"
work "$anna/08-dilution/starter"
mkdir -p "$anna/07-vanishing-loop/data"
work "$down/Anna Berg_13_assignsubmission_file_/labs/01-time" 'Solution (1).c.txt'
ln -s /etc/passwd "$down/Anna Berg_13_assignsubmission_file_/labs/01-time/answers.txt"
work "$down/.._44_assignsubmission_file_/6-chase"
work "$down/12 Emil"
touch "$down/readme.txt"
intake_tests() {
    exits 1 'intake: a download with odd names is sorted' "$intake" "$down" "$TMP/sorted"
    matches 'intake: another name is taken, and named' 'Anna Berg_12: 06_chase: taken as 06-chase' "$TMP/err"
    matches 'intake: a second folder of an exercise is named' '06-chase \(1\): a second 06-chase, not graded' "$TMP/err"
    lacks 'intake: starter/ is no work' 'starter|a second.*06_chase' "$TMP/err"
    matches 'intake: a number with the slug of another exercise is named' '09-chase: which exercise is it' "$TMP/err"
    matches 'intake: an empty folder of an exercise is named' '08-dilution: neither solution.c' "$TMP/err"
    matches 'intake: another name of a file is taken, and named' 'Solution \(1\).c.txt: taken as solution.c' "$TMP/err"
    matches 'intake: a link is named' 'answers.txt: a link, which is not followed' "$TMP/err"
    matches 'intake: a number in the name of a student is no exercise' '12 Emil: which exercise is it' "$TMP/err"
    matches 'intake: a file of no student is named' 'readme.txt: no folder' "$TMP/err"
    same 'intake: each file lies in the folder of its student and exercise' "$1" \
        "$(cd "$TMP/sorted" && find . -type f | sort | paste -s -d ' ' -)"
    check 'intake: no name leads out of the folder' test ! -e "$TMP/06-chase"
    rm -r "$TMP/sorted"
}
sorted='./Anna Berg_12/06-chase/solution.c ./Anna Berg_12/07-vanishing-loop/solution.c ./Anna Berg_13/01-time/solution.c ./_../06-chase/solution.c'
intake_tests "$sorted"
exits 1 'intake: --exercise says what a folder without a number is' "$intake" --exercise 03 "$down" "$TMP/sorted"
check 'intake: --exercise is for folders without a number alone' test -e "$TMP/sorted/12 Emil/03-line-pages/solution.c" -a \
    -e "$TMP/sorted/Anna Berg_13/01-time/solution.c"
rm -r "$TMP/sorted"
exits 2 'intake: an archive that is none is refused' "$intake" "$down/readme.txt" "$TMP/sorted"
if command -v bsdtar >/dev/null; then
    (cd "$down/12 Emil" && bsdtar -cf "$down/bergben_LATE_77_888_06-chase-1.zip" --format zip solution.c && rm -r ../12*)
    work "$TMP/evil"
    (cd "$TMP/evil" && bsdtar -czf "$down/Clara_5_assignsubmission_file_clara.tgz" -s '|^|../../../../06-chase/|' solution.c)
    work "$down/12 Emil"
    (cd "$down" && bsdtar -cf "$TMP/download.zip" --format zip .)
    down=$TMP/download.zip
    intake_tests "$sorted ./bergben/06-chase/solution.c"
    truncate -s 100M "$TMP/evil/answers.txt"
    rm -r "$TMP/download" && mkdir -p "$TMP/download/dora"
    (cd "$TMP/evil" && bsdtar -czf "$TMP/download/dora/06-chase.tgz" answers.txt)
    exits 1 'intake: an archive of 100 MB is not unpacked' "$intake" "$TMP/download" "$TMP/sorted"
    matches 'intake: an archive of 100 MB is named' 'dora: 06-chase.tgz: cannot be unpacked, or more than 64 MiB' "$TMP/err"
    # A course: a download for each exercise.
    for name in 01-time/bergben_77_888_solution.c 01-time/annali_LATE_78_889_answers-1.txt 06-chase/bergben_LATE_77_898_chase.zip; do
        mkdir -p "$TMP/course/${name%%/*}"
        cp "$TMP/evil/solution.c" "$TMP/course/$name"
    done
    (cd "$TMP/evil" && bsdtar -cf "$TMP/course/06-chase/bergben_LATE_77_898_chase.zip" --format zip solution.c)
    (cd "$TMP/course/06-chase" && bsdtar -cf ../06-chase.zip --format zip -- * && rm -r "$PWD")
    work "$TMP/course/lab 3/Cy Berg_9_assignsubmission_file_/5-graph"
    work "$TMP/course/lab 3/Cy Berg_9_assignsubmission_file_/line-pages"
    touch -d '2026-01-31 18:00 UTC' "$TMP/course/lab 3/Cy Berg_9_assignsubmission_file_/"*/solution.c
    exits 1 'intake: a course of downloads is sorted' "$intake" --received "$TMP/received" "$TMP/course" "$TMP/sorted"
    same 'intake: each file of a course lies in the folder of its student and exercise' \
        './Cy Berg/03-line-pages/solution.c ./annali/01-time/answers.txt ./bergben/01-time/solution.c ./bergben/06-chase/solution.c' \
        "$(cd "$TMP/sorted" && find . -type f | sort | paste -s -d ' ' -)"
    matches 'intake: work of another exercise is named' 'Cy Berg: 5-graph: in the download of 03-line-pages, so it is ignored' "$TMP/err"
    same 'intake: ids, times and lateness of a download are kept' $'Cy Berg\tmoodle\t9\t03-line-pages\t1769882400\tno\tCy Berg
annali\tcanvas\t78\t01-time\t-\tyes\tannali\nbergben\tcanvas\t77\t01-time\t-\tno\tbergben
bergben\tcanvas\t77\t06-chase\t-\tyes\tbergben' "$(sed '/^#/d; /^student/d' "$TMP/received")"
else
    skip 'intake: archives are unpacked' 'no bsdtar here (scripts/deps marks)'
fi

# ---- submissions ----

if command -v parallel >/dev/null; then
    mkdir -p "$TMP/class/anna/01-time" "$TMP/class/"$'two\nlines'
    touch "$TMP/class/anna/note"
    exits 2 "marks: a student's name of two lines is refused" "$marks" "$TMP/class"
    matches "marks: a student's name of two lines is quoted" 'in the name two lines: rename it' "$TMP/err"
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
    skip 'marks: submissions are marked' 'no GNU parallel here (scripts/deps marks)'
    finish_tests
fi

mkdir "$TMP/empty"
exits 2 'marks: a folder without students is refused' "$marks" "$TMP/empty"
in=$TMP/handed-in
out=$TMP/handed-in-marks
EXERCISES='01 06' check 'marks: submissions are made up' "$ROOT/tests/bench/submissions" 3 "$in" 2
printf 'exercise\n01\n06\n' >"$TMP/course.tsv"
exits 0 'marks: three students are graded' "$marks" --course "$TMP/course.tsv" "$in"
same 'marks: only the exercises of the course are graded' 'student,01-time,06-chase,points,max,percent' "$(head -n 1 "$out/gradebook.csv")"
same 'marks: the summary has each student' 'student 001,student 002,student 003' \
    "$(awk -F '\t' '$2 == "all" { print $1 }' "$out/summary.tsv" | paste -s -d , -)"
same 'marks: the summary is the sum of the marks' "$(awk -F '\t' '$2 != "all" && $3 ~ /^[0-9]/ { a += $3; b += $4 } END { print a, b }' \
    "$out/summary.tsv")" "$(awk -F '\t' '$5 ~ /^[0-9]/ { a += $4; b += $5 } END { print a, b }' "$out/marks.tsv")"
same 'marks: what is in the folder of marks is in the guide for teachers' '' "$(cd "$out" && for made in *; do
    case $made in asked | lock | students.list) ;; *) grep -qF "\`$made" "$ROOT/labs/instructor/README.md" || echo "$made" ;; esac
done)"
same 'marks: every row of marks has all fields' '' "$(grep -v '^#' "$out/marks.tsv" | awk -F '\t' 'NF != 7')"
! command -v gnuplot >/dev/null || check 'marks: a picture of the marks is drawn' test -s "$out/marks.png"
cp "$out/marks.tsv" "$TMP/first.tsv"
same 'marks: the gradebook has a row for each student, and their sums' \
    "$(awk -F '\t' '$2 == "all" { print $1 "," $3 "," $4 }' "$out/summary.tsv")" \
    "$(sed 1d "$out/gradebook.csv" | awk -F , '{ print $1 "," $(NF - 2) "," $(NF - 1) }')"
cat "$out"/feedback/* >"$TMP/feedback"
matches 'marks: the feedback says what was lost' '^  lost [0-9]+: ' "$TMP/feedback"
matches 'marks: the feedback says what is not marked yet' '^  not marked yet, 2: answer why' "$TMP/feedback"

# A break: the last one was not done.
rm "$out/students/student 003.tsv"
touch -d '2001-01-01' "$out/students/student 001.tsv"
exits 0 'marks: --resume goes on after a break' "$marks" --resume --course "$TMP/course.tsv" "$in"
same 'marks: --resume gives the same marks again' "$(cat "$TMP/first.tsv")" "$(cat "$out/marks.tsv")"
same 'marks: --resume keeps the marks that were there' 2001 "$(date -r "$out/students/student 001.tsv" +%Y)"
mkdir -p "$in/late/labs/homework" "$in/linked"
touch "$in/late/labs/homework/solution.c"
ln -s '../student 001/01-time' "$in/linked/01-time"
touch "$in/more.txt"
exits 1 'marks: --resume grades somebody who was late; what is not recognised gives status 1' "$marks" --resume --course "$TMP/course.tsv" "$in"
matches 'marks: without a secret it warns that students can draw the same questions' 'without --secret .*draw the same' "$TMP/err"
matches 'marks: a folder with another name is named' 'late: homework: which exercise is it' "$TMP/err"
matches 'marks: a file among the submissions is named' 'more.txt: no folder' "$TMP/err"
matches 'marks: a link to other work is named' 'linked: .*a link, which is not followed' "$TMP/err"
same 'marks: a submission in the wrong place has no points' '0 0' "$(awk -F '\t' '$2 == "all" && $1 ~ /^l/ { print $3 }' "$out/summary.tsv" | paste -s -d ' ' -)"
same 'marks: a submission in the wrong place changes no other marks' "$(cat "$TMP/first.tsv")" "$(awk -F '\t' '$1 !~ /^l/' "$out/marks.tsv")"
exits 2 'marks: --resume with another exercise is refused' "$marks" --resume --exercise 01 "$in"
rm -r "$in/late" "$in/linked" "$in/more.txt"

# Marks by hand.
book=$ROOT/labs/instructor/book
exits 2 'book: a folder that is not from marks is refused' "$book" "$TMP"
lost=$(awk -F '\t' '$6 == "fail" && $5 == 1 { print $1 "\t" $2 "\t" $3; exit }' "$out/marks.tsv")
{
    printf 'student\texercise\titem\tpoints\tnote\n'
    printf '%s\t1\t=said orally\n' "$lost"
    printf 'student 002\t06-chase\t*\t5\twas ill\nstudent 002\t06-chase\tno such\t1\t\nstudent 003\t01-time\t*\t5000\t\n'
} >"$out/overrides.tsv"
exits 1 'book: wrong lines of overrides.tsv give status 1' "$book" "$out"
matches 'book: an item that is not there is named' "overrides.tsv:4: no item 'no such' of exercise '06-chase' of 'student 002'" "$TMP/err"
matches 'book: too many points are named' "overrides.tsv:5: points '5000': expected 0 to " "$TMP/err"
same 'book: points by hand replace those of the check' "1 by_hand '=said orally (the check gave 0)" \
    "$(awk -F '\t' -v lost="$lost" '$1 "\t" $2 "\t" $3 == lost { print $4, $6, $7 }' "$out/marks.tsv")"
same 'book: points by hand for a whole exercise are its only row' 'the whole exercise 5 by_hand' \
    "$(awk -F '\t' '$1 == "student 002" && $2 == "06-chase" { print $3, $4, $6 }' "$out/marks.tsv")"
matches 'book: points by hand are in the feedback, with the reason' '^  by hand, 5 of [0-9]+: the whole exercise: was ill' \
    "$out/feedback/student 002.txt"
rm "$out/overrides.tsv"
exits 0 'book: the tables are made again without points by hand' "$book" "$out"
same 'book: without points by hand the marks are those of the checks' "$(cat "$TMP/first.tsv")" "$(awk -F '\t' '$1 !~ /^l/' "$out/marks.tsv")"

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
same "marks: a machine of one's own without --secret is inconclusive" 6 "$(grep -c 'mine_.*inconclusive' "$TMP/own-marks/marks.tsv")"
finish_tests
