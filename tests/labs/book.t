#!/usr/bin/env bash
# book.t: from the rows that checks gave to the gradebooks of a course, compared with a table that was worked out
# by hand: weights, lateness, blanks, sentences, points by hand; and the files that Canvas and Moodle import.
# shellcheck disable=SC2016 # $ in single quotes is for awk
. "${0%/*}/../tap.sh"

plain_linux_alone
export TZ=UTC
book=$ROOT/labs/instructor/book
out=$TMP/marks
labs=(01-time 02-dummy-loop 03-line-pages 04-real-pages 06-chase 11-two-knees)
questions=(figures stack_or_registers bumps why_touch why_volatile why_difference)

# hands_in STUDENT POINTS...: of each exercise 15 points for the program, `-` where nothing was handed in, and 5
# for a sentence.
hands_in() {
    local student=$1 k
    printf '%s\0' "$student" >>"$out/students.list"
    {
        printf '# program: grade\nexercise\titem\tpoints\tmax\tstatus\tnote\n'
        for k in "${!labs[@]}"; do
            shift
            if [ "$1" = - ]; then
                printf '%s\tnot handed in\t0\t20\tfail\t-\n' "${labs[k]}"
                continue
            fi
            mkdir -p "$out/work/$student/${labs[k]}"
            echo "${questions[k]} = $student says that it depends, on $k" >"$out/work/$student/${labs[k]}/answers.txt"
            printf '%s\tprogram\t%s\t15\t%s\t-\n' "${labs[k]}" "$1" "$([ "$1" = 15 ] && echo pass || echo fail)"
            printf '%s\tanswer %s\t-\t5\tunread\ta person reads it\n' "${labs[k]}" "${questions[k]}"
        done
    } >"$out/students/$student.tsv"
}
mkdir -p "$out/students"
hands_in anna 15 15 15 15 15 15
hands_in ben 12 9 15 - 10 -
hands_in cara 10 0 15 15 15 10
hands_in dan 15 15 15 10 8 15
hands_in eva - - - - - -
# Exercises that were not set count nowhere.
printf '20-your-code\tprogram\t0\t30\tfail\t-\n' >>"$out/students/anna.tsv"
{
    printf '# late_percent_per_day: 10\nexercise\tweight\tdue\tpoints\tassignment\n'
    printf '%s\n' $'01-time\t1\t2026-01-10\t10\tLab 1, clocks (4711)' $'02\t1\t2026-01-17T23:59\t10' $'03-line-pages\t1\t-\t10\t-' \
        $'04-real-pages\t1\t2026-01-31\t10' $'06-chase\t2\t2026-02-07\t20' $'11-two-knees\t4\t2999-01-01'
} >"$out/course.tsv"
due() { date -d "$1T23:59:59" +%s; }
{
    printf 'student\tplatform\tid\tdownload\treceived\tlate\tname\n'
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' anna canvas 11 all - no anna cara canvas 13 01-time - no cara \
        cara canvas 13 06-chase - yes cara ben moodle 12 01-time "$(due 2026-01-10)" no 'Ben "B" Kim' \
        dan moodle 14 01-time $(($(due 2026-01-12) + 1)) no dan dan moodle 24 04-real-pages $(($(due 2026-01-31) + 1)) no dan \
        dan moodle 34 06-chase 1 no dan
} >"$out/received.tsv"

# ---- before anybody has read a sentence ----

exits_saying 0 'book: a course is booked' 'sentences not marked yet: 22, in .*sentences.tsv' "$book" "$out"
same 'book: a sentence that nobody has read has no points' '15 20 1' \
    "$(awk -F '\t' '$1 == "anna" && $2 == "06-chase" { print $3, $4, $7 }' "$out/summary.tsv")"
matches 'book: the feedback says that it is not marked' '^  not marked yet, 5: answer why_volatile' "$out/feedback/anna.txt"
same 'sentences: they are sorted by question' "$(cut -f 1,2 "$out/sentences.tsv" | sed 1d | sort)" "$(cut -f 1,2 "$out/sentences.tsv" | sed 1d)"
same 'sentences: each has its text' $'06-chase\tanswer why_volatile\t-\t5\tanna\tanna says that it depends, on 4' \
    "$(grep $'why_volatile\t.*\tanna' "$out/sentences.tsv" | cut -f 1-6)"
check 'sentences: the model answer is beside it' test -n "$(grep $'why_volatile\t.*\tanna' "$out/sentences.tsv" | cut -f 7)"

# ---- the table that was worked out by hand ----

# The points of the sentences, as a person writes them; ben's of 03 is not read.
awk -F '\t' -v OFS='\t' '
    BEGIN { split("5 5 5 5 5 5 3 5 - - 2 - 5 5 5 5 5 0 1 5 5 4 4 3", read, " "); split("anna ben cara dan", who, " ") }
    FNR == 1 { for (s in who) row[who[s]] = 6 * (s - 1); lab["01-time"] = 1; lab["02-dummy-loop"] = 2; lab["03-line-pages"] = 3
               lab["04-real-pages"] = 4; lab["06-chase"] = 5; lab["11-two-knees"] = 6 }
    FNR > 1 { $3 = read[row[$5] + lab[$1]] }
    { print }' "$out/sentences.tsv" >"$TMP/read" && cp "$TMP/read" "$out/sentences.tsv"
printf '%s\n' $'student\texercise\titem\tpoints\tnote' $'dan\t02-dummy-loop\t*\t12\twas ill' $'dan\t03-line-pages\tprogram\t0\tcopied' \
    $'dan\t04-real-pages\thanded in late\t0\tasked for it' >"$out/overrides.tsv"
exits 0 'book: with sentences that were read it is booked again' "$book" "$out"
matches 'book: one sentence is left' '^book: sentences not marked yet: 1, ' "$TMP/err"
same 'book: marks are right to the point' 'student,01-time,02-dummy-loop,03-line-pages,04-real-pages,06-chase,11-two-knees,points,max,percent
anna,10,10,10,10,20,20,10,10,100.0
ben,7.5,7,7.5,0,12,,3.4,6,56.7
cara,7.5,2.5,10,10,18,10,6.8,10,68.0
dan,5.6,6,2.5,7,12,18,6.91,10,69.1
eva,0,0,0,0,0,,0,6,0.0' "$(cat "$out/gradebook.csv")"
matches 'book: the feedback says what lateness cost' '^  handed in late, 4.8 points: 3 days, 10 per cent a day$' "$out/feedback/dan.txt"
matches 'book: the feedback says what was not handed in' '^  not handed in$' "$out/feedback/ben.txt"
lacks 'book: the feedback has nothing that is not due' 11-two-knees "$out/feedback/ben.txt"
same 'book: the points of a sentence are by hand' "4 by_hand -" \
    "$(awk -F '\t' '$1 == "dan" && $3 == "answer why_volatile" { print $4, $6, $7 }' "$out/marks.tsv")"

# ---- the formats that were published ----

check 'gradebook: while a sentence is unread the table for Canvas is called provisional' test -s "$out/canvas-provisional.csv" -a ! -e "$out/canvas.csv"
same 'gradebook: Canvas can import it' 'Student,ID,SIS User ID,SIS Login ID,Section,"Lab 1, clocks (4711)",02-dummy-loop,03-line-pages,04-real-pages,06-chase,11-two-knees
    Points Possible,,,,,10,10,10,10,20,20
anna,11,,,,10,10,10,10,20,20
cara,13,,,,7.5,2.5,10,10,18,10' "$(cat "$out/canvas-provisional.csv")"
same 'gradebook: Moodle can import the worksheet of an exercise' 'Identifier,Full name,Grade,Maximum Grade,Last modified (grade),Feedback comments
Participant 12,"Ben ""B"" Kim",7.5,10,-,
Participant 14,dan,5.6,10,-,' "$(sed 's/,[^,]*<br>.*/,/; s/,"[^"]*<br>"$/,/' "$out/moodle-01-time.csv")"
matches 'gradebook: the worksheet has the feedback' '10,-,"?01-time: 11.2 of 20 points<br>.*handed in late, 4.8 points' "$out/moodle-01-time.csv"
same 'gradebook: there is a worksheet for each download' 'moodle-01-time.csv moodle-04-real-pages.csv moodle-06-chase.csv' \
    "$(cd "$out" && echo moodle*)"

# ---- pairs, extensions and days of grace ----

printf '%s\n' $'exercise\tgroup\tstudent' $'06\tA\teva' $'06\tA\tcara' $'*\tB\tanna' >"$out/groups.tsv"
printf '%s\n' $'student\texercise\tdue' $'cara\t06-chase\t2026-02-20' >"$out/extensions.tsv"
sed -i '1i # grace_days: 2' "$out/course.tsv"
exits 0 'pairs: they are booked' "$book" "$out"
same 'pairs: who handed in with another has the same marks, to the point' "$(sed -n 's/^cara\t06-chase/eva\t06-chase/p' "$out/marks.tsv")" \
    "$(grep $'^eva\t06-chase' "$out/marks.tsv")"
same 'pairs: their sentence is read once' 'cara; eva' "$(grep $'why_volatile\t.*\tcara' "$out/sentences.tsv" | cut -f 5)"
same 'extensions: what came before it is not late, nor that of the partner' 0 "$(grep -cE $'^(cara|eva)\t06-chase\thanded in late' "$out/marks.tsv")"
same 'grace: the first days cost nothing' '-1.6 3 days, 2 of grace, 10 per cent a day' \
    "$(awk -F '\t' '$1 == "dan" && $2 == "01-time" && $6 == "late" { print $4, $7 }' "$out/marks.tsv")"
for wrong in $'groups exercise\tgroup\tstudent\n06\tA\tx\n06\tB\tx:3: a second group of x in 06-chase' \
    $'groups exercise\tgroup\tstudent\n06\tA\t../x:2: column .student.: .* no name' \
    $'extensions student\texercise\tdue\nx\t06\tsoon:2: column .due.: .soon.'; do
    file=${wrong%% *}.tsv
    cp "$out/$file" "$TMP/right"
    printf '%s\n' "${wrong#* }" | sed 's/:.*//' >"$out/$file"
    exits 2 "pairs: a wrong line of $file is refused${wrong#*:}" "$book" "$out"
    matches "pairs: a wrong line of $file is named${wrong#*:}" "$file:${wrong#*:}" "$TMP/err"
    cp "$TMP/right" "$out/$file"
done
rm "$out/groups.tsv" "$out/extensions.tsv"
sed -i 1d "$out/course.tsv"

# ---- another sentence, and wrong lines ----

echo 'why_volatile = no, it is the other way round' >"$out/work/anna/06-chase/answers.txt"
sed -i 's/depends, on 4/"depends, on 4"\r/' "$out/sentences.tsv" # as a spreadsheet may write it
exits 0 'sentences: another answer is booked' "$book" "$out"
same 'sentences: another answer is to be read again, and no other' 'anna,ben' \
    "$(awk -F '\t' '$3 == "-" { print $5 }' "$out/sentences.tsv" | sort | paste -s -d , -)"
sed -i $'s/why_volatile\t.*\t5\tcara/why_volatile\t6\t5\tcara/' "$out/sentences.tsv"
exits_saying 1 'sentences: too many points are refused' "sentences.tsv:[0-9]+: points '6': expected 0 to 5" "$book" "$out"
for wrong in $'06-chase\tx\t-\t-:column .weight.: .x.' $'06-chase\t1\tsoon\t-:column .due.: .soon.' $'66\t1\t-\t-:column .exercise.: no exercise .66.' \
    $'06-chase\t1\t-\tall:column .points.: .all.' $'06\t1\t-\t-\n06-chase\t1\t-\t-:column .exercise.: a second 06-chase'; do
    printf 'exercise\tweight\tdue\tpoints\n%s\n' "${wrong%%:*}" >"$out/course.tsv"
    exits 2 "course: ${wrong#*:} is refused" "$book" "$out"
    matches "course: ${wrong#*:} is named" "course.tsv:[23]: ${wrong#*:}" "$TMP/err"
done
rm "$out/course.tsv" "$out/overrides.tsv" "$out/sentences.tsv"
exits 0 'book: without a course file all exercises count' "$book" "$out"
same 'book: without a course file the sum is that of the points' 'anna,90,150' \
    "$(awk -F , '$1 == "anna" { print $1 "," $(NF - 2) "," $(NF - 1) }' "$out/gradebook.csv")"

# ---- work of one origin ----

seal=$(printf '%064d' 7)
# table STUDENT FILE NS...: a table of exercise 06, sealed.
table() {
    {
        printf '# prediction_sha256: %s\n# seed: 1\npages\tlayout\tns\n' "$seal"
        printf '%s\n' "${@:3}" | awk '{ print 2 ^ NR "\tpage\t" $0 }'
    } >"$out/work/$1/06-chase/$2"
}
table anna linear.dat 1.234 2.345 3.456 4.567
seal=$(printf '%064d' 8)
table ben linear.dat 1.234 2.345 3.456 9.876
table cara linear.dat 1.235 2.346 3.457 4.568
seal=$(printf '%064d' 7)
table dan random.dat 7.654 7.655 7.656 7.657
table anna random.dat 7.754 7.755 7.756 7.757
printf '06-chase\tprediction\t0\t1\tfail\tpredict.txt was changed after random.dat was measured\n' >>"$out/students/dan.tsv"
for student in anna ben cara; do
    mkdir -p "$out/work/$student/11-two-knees" "$out/work/$student/12-detect"
    printf '# command: sweep --quiet\n# seed: %s\npages\tns\n' "$([ $student = cara ] && echo 3512345678 || echo 2412345678)" >"$out/work/$student/11-two-knees/sweep.dat"
    printf 'mine_first = 9%s\nmine_second = 1024\nmine_walk_ns = 20.5\n' "$([ $student = ben ] && echo 1)" >"$out/work/$student/12-detect/answers.txt"
    printf '# program: simulate\n# seed: 1\n# command: simulate --seed 1\npages\tns\n1\t1.234\n2\t2.345\n4\t3.456\n' >"$out/work/$student/12-detect/sweep.dat"
done
"$ROOT/labs/instructor/solve" 06 "$TMP/solved"
cp "$TMP/solved/solution.c" "$out/work/anna/06-chase"
sed -E 's/\bnode/knot/g; s/\bstate\b/drawn/g; s|^$|/* mine\n * alone */|; s/    /\t/g' "$TMP/solved/solution.c" >"$out/work/cara/06-chase/solution.c"
cp "$ROOT"/labs/06-*/starter/solution.c "$out/work/ben/06-chase/solution.c"
cp "$ROOT"/labs/06-*/starter/solution.c "$out/work/dan/06-chase/solution.c"
exits 0 'duplicates: they are looked for' "$ROOT/labs/instructor/duplicates" "$out"
same 'duplicates: pairs of the same tables, seals, seeds, machines and programs, and no others' $'table\t06-chase\tlinear.dat\tanna\tben\t75
seal\t06-chase\trandom.dat\tdan\tanna\t100\nseed\t11-two-knees\tsweep.dat\tanna\tben\t100
machine\t12-detect\tanswers.txt\tanna\tcara\t100\nsource\t06-chase\tsolution.c\tanna\tcara\t100' "$(sed 1d "$out/duplicates.tsv" | cut -f 1-6)"
printf '%s\n' $'exercise\tgroup\tstudent' $'11\tA\tben' $'11\tA\tanna' >"$out/groups.tsv"
exits 0 'duplicates: they are looked for where there are groups' "$ROOT/labs/instructor/duplicates" "$out"
same 'duplicates: they are summed up by pair, with what they handed in together' $'anna\tben\t2\ttable 1, seed 1\t11-two-knees
anna\tcara\t2\tmachine 1, source 1\t-\nanna\tdan\t1\tseal 1\t-' "$(sed 1d "$out/pairs.tsv")"
finish_tests
