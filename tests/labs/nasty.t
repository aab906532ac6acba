#!/usr/bin/env bash
# nasty.t: names and answers of students are data, from the download to the gradebook: none runs, none is a formula
# in a spreadsheet, and nobody loses a mark by a name.
# shellcheck disable=SC2016 # nothing of a name is to be expanded
. "${0%/*}/../tap.sh"
. "${0%/*}/../nasty.sh"
plain_linux_alone

labs=$ROOT/labs
"${user[@]}" mkdir "$TMP/own" && cd "$TMP/own" || exit 2
long=$(printf 'L%.0s' {1..200})
longer=${long:10}$(printf '\303\251%.0s' {1..15})
students=("${nasty[@]}" "$long" "$longer" "${longer}x" 'ann' 'ann ' '-' '..' '_..' 'back\new')

# ---- intake ----

# As Moodle downloads them: each has the id 100, 101, ... and the answer that says which one it is.
for k in "${!students[@]}"; do
    at="down/${students[k]}_$((100 + k))_assignsubmission_file_/06-chase"
    mkdir -p -- "$at" && printf 'why_volatile = number %d says that it depends\n' "$k" >"$at/answers.txt"
done
[ ${#user[@]} -eq 0 ] || chown -R 65534:65534 down
"${user[@]}" mkdir out
exits 0 'intake: a download of nasty names is sorted' "${user[@]}" timeout 60 "$labs/instructor/intake" --exercise 06 --received out/received.tsv down out/work
same 'intake: each student has a folder' "$(seq 0 $((${#students[@]} - 1)))" \
    "$(cat out/work/*/06-chase/answers.txt out/work/.[!.]*/06-chase/answers.txt 2>/dev/null | sed 's/[^0-9]*\([0-9]*\).*/\1/' | sort -n)"
same 'intake: no name is too long for the id of a machine' '' "$(cd out/work && find . -mindepth 1 -maxdepth 1 -printf '%f\n' | awk 'length > 48')"
# Folders whose names have lines of their own, which name somebody else's work.
forged="steal/mallory/"$'a\n1\t'"$labs/instructor/06"
"${user[@]}" mkdir -p "$forged" steal/bob/06-chase
"${user[@]}" "$labs/instructor/solve" 06 solved
"${user[@]}" cp solved/solution.c "$forged/solution.c"
"${user[@]}" cp "$labs/06-chase/starter/solution.c" steal/bob/06-chase
exits 1 'intake: a folder with a newline in its name is not recognised' "${user[@]}" timeout 60 "$labs/instructor/intake" steal stolen
matches 'intake: ... and is named' '^intake: mallory: a 1.: a control character in its name' "$TMP/err"
check 'intake: ... and leads to no work of somebody else' test ! -e stolen/mallory/06-chase
# A file of one student that nobody can sort.
"${user[@]}" mkdir odd
"${user[@]}" cp solved/solution.c odd/anna_1_2_solution.c
"${user[@]}" cp solved/solution.c "odd/mallory_3_4_a"$'\n'"b.c"
exits 1 'intake: a control character in the name of a file is not recognised' "${user[@]}" timeout 60 "$labs/instructor/intake" --exercise 06 odd others
check 'intake: ... and the others are sorted' test -s others/anna/06-chase/solution.c
# A download for each exercise, of plain files, where one calls himself "..".
"${user[@]}" mkdir -p course/06-chase
"${user[@]}" cp solved/solution.c course/06-chase/anna_1_assignsubmission_file_solution.c
"${user[@]}" cp "$labs/06-chase/starter/answers.txt" course/06-chase/.._2_assignsubmission_file_answers.txt
exits 0 'intake: a student who is called ".." is sorted' "${user[@]}" timeout 60 "$labs/instructor/intake" course sorted
same 'intake: ... and has what he handed in, alone' 'sorted/_../06-chase/answers.txt sorted/anna/06-chase/solution.c' \
    "$(find sorted -type f | sort | paste -s -d ' ' -)"
harmless intake

# ---- the gradebook ----

# Each gets a mark of his own, as a check would give it.
as_user() { "${user[@]}" bash -c "$@"; }
as_user 'mkdir out/students && cd out/work && for student in * .[!.]*; do
    [ -d "$student" ] || continue
    printf "%s\0" "$student" >>../students.list
    k=$(sed "s/[^0-9]*\([0-9]*\).*/\1/" "$student/06-chase/answers.txt")
    printf "# program: grade\nexercise\titem\tpoints\tmax\tstatus\tnote\n06-chase\tprogram\t%s\t60\tfail\t=1+1\n06-chase\tanswer why_volatile\t-\t5\tunread\ta person reads it\n" "$k" >"../students/$student.tsv"
done' bash
exits 0 'book: nasty names are booked' "${user[@]}" "$labs/instructor/book" out
sed -i $'s/\t-\t5\t/\t5\t5\t/' out/sentences.tsv
exits 0 'book: ... and again, with sentences that were read' "${user[@]}" "$labs/instructor/book" out
same 'book: no name loses a mark' "$(seq 5 $((${#students[@]} + 4)))" "$(awk -F '\t' '$2 == "06-chase" { print $3 }' out/summary.tsv | sort -n)"
printf 'student\texercise\titem\tpoints\tnote\n' >out/overrides.tsv
grep -v '^#' out/summary.tsv | awk -F '\t' 'NR > 1 && $2 == "all" { print $1 "\t06-chase\tprogram\t1\t-" }' >>out/overrides.tsv
exits 0 'book: names as they are in the tables are found by hand' "${user[@]}" "$labs/instructor/book" out
same 'book: ... each of them' 6 "$(awk -F '\t' '$2 == "06-chase" { print $3 }' out/summary.tsv | sort -u)"
rm out/overrides.tsv
{ cat out/received.tsv && sed -n $'s/^\\([^\t]*\\)\tmoodle\t/\\1\tcanvas\t/p' out/received.tsv; } >both && cat both >out/received.tsv
exits 0 'book: the platforms get their tables' "${user[@]}" "$labs/instructor/book" out
same 'book: each student has a text' "${#students[@]}" "$(find out/feedback -name '*.txt' -printf x | wc -c)"

# cells FILE: a line for each row, its cells between tabs; and whether one would run.
if python3 -c '' 2>/dev/null; then
    cells() {
        python3 -c 'import csv, re, sys
for row in csv.reader(open(sys.argv[1], newline="", encoding="utf-8", errors="surrogateescape"), delimiter=sys.argv[2]):
    for cell in row:
        if re.match(r"[=+@\t\r-]", cell) and not re.match(r"[-+]?[0-9.]*$", cell): sys.stdout.buffer.write(b"runs: ")
    sys.stdout.buffer.write("\t".join(row).encode("utf-8", "surrogateescape") + b"\n")' "$1" "${2-,}"
    }
    cells out/moodle-06-chase.csv >"$TMP/moodle"
    cells out/canvas.csv >"$TMP/canvas"
    same 'book: Moodle gets the mark of each id' "$(for k in "${!students[@]}"; do echo "Participant $((100 + k)) $((k + 5))"; done)" \
        "$(awk -F '\t' 'NR > 1 { print $1, $3 }' "$TMP/moodle" | sort)"
    same 'book: Canvas gets the mark of each id' "$(for k in "${!students[@]}"; do echo "$((100 + k)) $((k + 5))"; done)" \
        "$(awk -F '\t' 'NR > 2 { print $2, $6 }' "$TMP/canvas" | sort)"
    same 'book: Moodle gets each name, with a quote before what would run' "$(printf '%s\n' "${students[@]}" | sed "s/^[=+@#'-]./'&/" | sort)" \
        "$(awk -F '\t' 'NR > 1 { print $2 }' "$TMP/moodle" | sort)"
    { cells out/gradebook.csv && cat "$TMP/moodle" "$TMP/canvas"; for table in marks summary sentences received; do cells "out/$table.tsv" $'\t'; done; } >"$TMP/cells"
    lacks 'book: no cell of any table runs' '^runs: ' "$TMP/cells"
else
    skip 'book: Moodle gets the mark of each id' 'no python3 here'
fi
harmless book

# ---- work of one origin ----

as_user 'cd out/work && for student in * .[!.]*; do
    [ -d "$student" ] || continue
    printf "# prediction_sha256: 7\npages\tns\n1\t1.234\n2\t2.345\n4\t3.456\n" >"$student/06-chase/linear.dat"
done' bash
exits 0 'duplicates: nasty names are compared' "${user[@]}" "$labs/instructor/duplicates" out
same 'duplicates: each pair is there' $((${#students[@]} * (${#students[@]} - 1) / 2)) "$(grep -c '^table' out/duplicates.tsv)"
same 'duplicates: no name runs in a spreadsheet' '' "$(awk -F '\t' 'NR > 1' out/duplicates.tsv | grep -m 3 -P '\t[=+@-](?![0-9.]*\t)')"
harmless duplicates

# ---- answers ----

"${user[@]}" mkdir answers
for ((k = 0; k < ${#nasty[@]}; k += 3)); do
    printf 'clocks_per_sec = %s\nsteady_refs = %s\nlongest_wait_sample = %s\n' "${nasty[k]}" "${nasty[k + 1]-x}" "${nasty[k + 2]-x}" >answers/answers.txt
    "${user[@]}" "$labs/01-time/check" --weak answers 2>&1
done >"$TMP/checked"
trimmed() { printf '%s\n' "${nasty[@]}" | sed 's/^ *//; s/ *$//; s/[^ -~]/?/g'; }
same 'check: answers are shown as they are' "$(trimmed | sort)" \
    "$(sed -n "s/^#   '\(.*\)' is no number\$/\1/p" "$TMP/checked" | grep -vx x | sort)"
printf 'x%.0s' {1..24} >secret
printf 'mine_first = \\061\nthreshold_ns = \\060\\056\\065\n' >answers/answers.txt
"${user[@]}" "$labs/12-detect/check" --weak --id "it's \$(pwned)\\x41" --secret secret answers >"$TMP/checked" 2>&1
matches 'check: backslashes in an answer stay' '^not ok .* answer threshold_ns' "$TMP/checked"
matches 'check: ... of the own machine, too' "'\\\\061' is not it" "$TMP/checked"
harmless check

# ---- all of it: in scripts/test --all ----

[ -n "${LONG-}" ] || finish_tests
if command -v parallel >/dev/null; then
    exits 0 'marks: students of nasty names are graded' "${user[@]}" "$labs/instructor/marks" --weak --exercise 06 --secret secret down marked
    matches 'marks: ... each of them' "^marks: ${#students[@]} students graded: " "$TMP/err"
    harmless marks
else
    skip 'marks: students of nasty names are graded' 'no GNU parallel here (scripts/deps marks)'
fi
finish_tests
