#!/usr/bin/env bash
# labs.t: the lab course. What students get holds no solution; the commands of a handout run; nothing
# scores nothing, a starter little, a solution all; a program that means harm costs its own points
# only. All exercises are in long.t, what faults cost in faults.t.
# shellcheck disable=SC2016,SC2088 # $ and ~ in single quotes are for the inner shell
. "${0%/*}/../tap.sh"
. "${0%/*}/labs.sh"

plain_linux_alone
unset MAKEFLAGS MFLAGS MAKELEVEL
labs=$TMP/handout/labs
export LABS_SECONDS=15 # a machine that tests may be slow
instructor=$ROOT/labs/instructor
"$ROOT/labs/lib/sandbox" --report >/dev/null 2>&1 || skip_all 'programs cannot be isolated here (labs/lib/sandbox --report)'

# ---- what students get ----

mkdir "$TMP/handout"
check 'labs: make handout succeeds' make -s -C "$ROOT" handout HANDOUT="$TMP/handout.tar.gz"
check 'labs: the handout unpacks' tar -xzf "$TMP/handout.tar.gz" -C "$TMP/handout"
ln -s "$OUT" "$TMP/handout/bin"
while IFS= read -r name; do
    check "labs: $name is in the handout" test -s "$labs/$name/README.md" -a -x "$labs/$name/check"
done < <(sed -n 's/.*(\([0-9][0-9]-[^/]*\)\/README.md).*/\1/p' "$ROOT/labs/README.md")
same 'labs: the handout has no file of a solution' '' "$(find "$TMP/handout" -path '*instructor*' -o -name 'solution*' ! -path '*/starter/*')"
# A newer handout comes over a folder with work: the course is new, the work is as it was.
sed '/^```sh/,/^```$/!d; /^```/d' "$ROOT/labs/README.md" >"$TMP/update"
(
    cd "$TMP" && mkdir -p old/tlblab-1.0 tlblab-2.0 && cp -R handout/labs old && cp -R handout/labs tlblab-2.0 || exit
    sed -i 's/$/ /' tlblab-2.0/labs/05-graph/{README.md,starter/*}
    tar -czf old/tlblab-labs-2.0.tar.gz -C tlblab-2.0 labs && tar -czf old/tlblab-students-2.0.tar.gz tlblab-2.0
    cd old/labs/05-graph && cp -i starter/* . && sed -i 's/=$/= 7/' predict.txt answers.txt || exit
    echo '# mine' | tee -a tlb.p solution.c >tlb4K.dat
    cat predict.txt answers.txt tlb.p solution.c tlb4K.dat >"$TMP/work"
    cp -R "$TMP/old/labs" "$TMP/old/tlblab-1.0"
)
exits 0 'labs: an update is unpacked as README.md says' sh -e -c 'cd "$1" && . "$2"' sh "$TMP/old" "$TMP/update"
for tree in labs tlblab-1.0/labs; do
    same "labs: an update of $tree leaves the work" "$(cat "$TMP/work")" "$(cd "$TMP/old/$tree/05-graph" && cat predict.txt answers.txt tlb.p solution.c tlb4K.dat)"
    check "labs: an update of $tree is one" cmp -s "$TMP/old/$tree/05-graph/README.md" "$TMP/tlblab-2.0/labs/05-graph/README.md"
done
check 'labs: make dist-students succeeds' make -s -C "$ROOT" dist-students STUDENTS="$TMP/students.tar.gz"
tar -tzf "$TMP/students.tar.gz" >"$TMP/list"
matches 'labs: the archive for students has the toolkit' '/src/tlb/chase\.c$' "$TMP/list"
matches 'labs: the archive for students has the course' '/labs/06-chase/check$' "$TMP/list"
tar -tzf "$TMP/handout.tar.gz" | cat "$TMP/list" - | sed 's|.*labs/|labs/|' >"$TMP/both"
lacks 'labs: no archive has a file under the name of work' '^labs/[0-9][^/]*/(solution\.c|predict\.txt|answers\.txt|tlb\.p|[^/]*\.dat|mine\.png)$' "$TMP/both"
lacks 'labs: the archive for students has no solution and no planted mistake' 'instructor|[^r]/solution\.c|mutants|tests/labs' "$TMP/list"
# But for what a later starter has, once it is solved.
cat "$labs"/*/starter/solution.c >"$TMP/starters"
cat "$instructor"/[0-9]*/solution | grep -vxFf "$TMP/starters" | grep -E '.{42}' >"$TMP/own"
check 'labs: solutions and answers have lines of their own' test "$(wc -l <"$TMP/own")" -gt 100
same 'labs: no line of a solution or an answer is in the handout' '' "$(grep -rnFf "$TMP/own" "$labs")"
for readme in "$labs"/[0-9]*/README.md; do
    name=${readme%/README.md}
    [ -d "$instructor/$(basename "$name" | cut -c 1-2)" ] || continue
    for section in Goal Predict 'Do' Expect Explain Questions 'If it does not work' 'Going further'; do
        grep -qx "## $section" "$readme" || fail "labs: the README of ${name##*/} has section $section"
    done
    # About N minutes, N points, difficulty N of 3.
    numbers=$(sed -n 's/^About \([0-9]*\) minutes, \([0-9]*\) points, difficulty \([1-3]\) of 3\..*/\1 | \2 | \3/p' "$readme")
    matches "labs: the table has the time, points and difficulty of ${name##*/}" "^.*\(${name##*/}/README.md\).* \| ${numbers:-none} \|\$" "$labs/README.md"
done

# ---- nothing, and a starter ----

mkdir "$TMP/nothing"
exits 1 'labs: nothing handed in is graded' "$labs/lib/grade" 06 "$TMP/nothing"
matches 'labs: nothing handed in scores nothing' '^# 0 of [0-9]+ points$' "$TMP/out"
matches 'labs: nothing handed in is one line' '^not ok 1 - 06-chase: not handed in \(0 of 31\)$' "$TMP/out"
same 'labs: nothing handed in causes no message' '' "$(cat "$TMP/err")"
exits 1 'labs: an untouched folder is graded' "$labs/lib/grade" 05
matches 'labs: an untouched folder is not handed in' '^not ok 1 - 05-graph: not handed in' "$TMP/out"
mkdir "$TMP/starter"
cp "$labs"/02-*/starter/{solution.c,predict.txt} "$TMP/starter"
echo 'sum_1000_pages = 1' >"$TMP/starter/answers.txt"
exits 1 'labs: a starter is graded' "$labs/lib/grade" --results "$TMP/marks.tsv" --json "$TMP/marks.json" 02 "$TMP/starter"
check 'labs: a starter scores less than a quarter' awk '/^# [0-9]+ of/ { exit !($2 * 4 < $4) }' "$TMP/out"
for name in 'not counted: there is no program of yours' 'answers.txt has no value for .*, inner_ns' \
    'it is still the starter'; do
    matches "labs: a starter is reported '$name'" "^#   .*$name" "$TMP/out"
done
matches 'labs: items that need a program are one line without one' '^not ok [0-9]+ - 02-dummy-loop: [0-9]+ items \(0 of' "$TMP/out"
same 'labs: a starter: no program is the reason of one line' 1 "$(grep -c 'no program of yours' "$TMP/out")"
check 'labs: the marks are a table with a row for each item' awk -F '\t' '
    !/^#/ && NF != 6 { bad = 1 } $6 ~ /no program of yours/ { n++ } END { exit bad || n < 5 }' "$TMP/marks.tsv"
if command -v jq >/dev/null; then
    same 'labs: the marks are the same as JSON' "$(grep -v '^#' "$TMP/marks.tsv" | sed 1d | cut -f 2,5)" \
        "$(jq -r '.rows[] | [.item, .status] | @tsv' "$TMP/marks.json" 2>&1)"
fi
if command -v jq >/dev/null; then
    mkdir "$TMP/part" && answers_of 02 >"$TMP/part/answers.txt"
    exits 1 'labs: marks for Gradescope and Autolab are written' "$ROOT/labs/lib/grade" --gradescope "$TMP/results.json" --autolab 02 "$TMP/part"
    check 'labs: answers alone are worth something' test "$(jq .score "$TMP/results.json")" -gt 0
    same "labs: Gradescope's sum is that of its tests, and that of Autolab's line, without the sentences" \
        "$(awk '/^# [0-9]+ of/ { print $2, $2, $4 - $9 }' "$TMP/out")" \
        "$(jq -r '"\(.score) \(.tests | map(.score) | add) \(.tests | map(.max_score) | add)"' "$TMP/results.json")"
    same "labs: Autolab's line is the last one, with the answers apart" "$(jq .score "$TMP/results.json") 0" \
        "$(tail -n 1 "$TMP/out" | jq -r '.scores | "\(.answers) \(.["02-dummy-loop"])"')"
    same 'labs: Gradescope shows right answers after the due date only' "$(answers_of 02 | grep -c '^[a-z]')" \
        "$(jq '[.tests[] | select(.name | contains(": answer ")) | .visibility] | map(select(. == "after_due_date")) | length' "$TMP/results.json")"
    same 'labs: Gradescope has the reason of each lost point' 0 \
        "$(jq '.tests | map(select(.status == "failed" and .output == "")) | length' "$TMP/results.json")"
fi

# ---- what a student's own check sees ----

"$instructor/solve" 06 "$TMP/self"
sed -n 's/^\([a-z_0-9]*\) = [0-9]*$/\1 = 999/p; s/^\([a-z_]*\) = .* .*/\1 = bla bla bla bla bla/p' <(answers_of 06) >"$TMP/self/answers.txt"
exits 1 'labs: wrong answers are graded without the right ones' "$labs/lib/grade" --results "$TMP/marks.tsv" 06 "$TMP/self"
matches 'labs: the own check says what it checked' \
    '^# 19 of 31 points; 6 more answers, 6 points, are marked later; 2 more sentences, 2 points, are read by a person$' "$TMP/out"
same 'labs: what is not checked has no points' '6 later - 1,2 unread - 1' \
    "$(awk -F '\t' '$5 ~ /later|unread/ { print $5, $3, $4 }' "$TMP/marks.tsv" | sort | uniq -c | sed 's/^ *//' | paste -s -d , -)"
exits 2 "labs: a compiler that does not work is nobody's mistake" env CC=false "$labs/lib/grade" 06 "$TMP/self"
matches 'labs: a compiler that does not work is named' '^check: false does not compile an empty program' "$TMP/err"

# ---- a wrong program and a right one; many more are in faults.t, and cheats in cheats.t ----

full=$TMP/full
"$instructor/solve" 02 "$full"
faulty 02 formula '/^long dummy/,/^}/{/rounds|for|sum/d; s/^\{/{ return refs - refs % pages;/;}'
exits 1 'labs: a formula in place of a loop is graded' "$ROOT/labs/lib/grade" 02 "$work"
lacks 'labs: a formula in place of a loop has no point of the loop' '^ok .* dummy: ' "$TMP/out"
rewritten 02 helper dummy <<'C'
static long round_over(int pages, long sum)
{
    while (pages-- > 0)
        sum++;
    return sum;
}

long dummy(int pages, long refs)
{
    long sum = 0;

    for (long left = refs; left >= pages; left -= pages)
        sum = round_over(pages, sum);
    return sum;
}
C
exits 1 'labs: a loop in a function of its own is graded' "$ROOT/labs/lib/grade" 02 "$work"
same 'labs: a loop in a function of its own lacks its tables only' '' \
    "$(grep '^not ok' "$TMP/out" | grep -vE '\.dat|before measuring')"

# ---- the note of a fault leads to it: values, units, and the command that shows it; `long`: in scripts/test --all ----

while IFS='|' read -r tier number name change note; do
    [ "$tier" = all ] || [ -n "${LONG-}" ] || continue
    full=$TMP/noted$number
    [ -d "$full" ] || "$instructor/solve" "$number" "$full"
    faulty "$number" "$name" "$change"
    "$ROOT/labs/lib/grade" "$number" "$work" >"$TMP/out" 2>&1
    matches "labs: $number, $name: the note leads to it" "$note" "$TMP/out"
    lacks "labs: $number, $name: nothing is wrong without a reason" 'not so|usable rows' "$TMP/out"
done <<'END'
long|01|integers divided|s/.double.clock.. . CLOCKS_PER_SEC/(double)(clock() \/ CLOCKS_PER_SEC)/|proc is 0 s in all work: .* divides two integers$
long|01|1e6 for CLOCKS_PER_SEC|s/CLOCKS_PER_SEC;/1e6;/|here CLOCKS_PER_SEC is 250000$
long|03|the size of a pointer|s/malloc\(.*pages\);/malloc(sizeof(memory));/|not counted: fix first: prepare
all|06|a node out of the chain|s/nodes\[i\].next = other;/nodes[i].next = other - 3;/|^#   node 1 points to -[0-9]+; there are nodes 0 to 1$
long|06|microseconds|s/. 1e9/* 1e6/|ns for each of 20000000 loads; .* is it in ns
long|11|a page too far|s/i % .page_bytes . LINE. . LINE/i % 65 * LINE/|node 64 is at byte 266240, which is not on page 64 of 4096 bytes$
long|12|a rise everywhere|s/0.06 . s->page/-1 * s->page/|wanted [0-9]+ and [0-9]+, found [0-9]+$
long|13|no interpolation|s/place = q . .double..n - 1.;/place = 0;/|try: ./program call quantile 0.5 [0-9 ]+$
long|13|packed minus page|s/page->ns - samples.k..ns/samples[k].ns - page->ns/|wanted [0-9]+ [0-9.]+, got: [0-9]+ -
long|15|ways for sets|s/% tlb->sets;/% tlb->ways;/|try: ./program call set 512 16 0 [0-9]+$
long|16|two values|s/^    memcpy.source, y, .*/&\n    if (n == 2) {\n        y[0] = 9;\n        return;\n    }/|wanted 2.0000 7.0000, got: 9.0000 7.0000$
long|18|full of page 0|s/(held.ENTRIES_MAX.), missed/\1 = {0}, missed/;s/int used = 0/int used = entries/|try: ./program call lru 3 0 4294967296 8589934592 0
long|20|an int sum|/^long sum_array/,/^}/s/long sum = 0/int sum = 0/|try: ./program call array
END

# ---- in scripts/test --all: the printed lab's own program, first without memory, then as it is in the end ----

for number in ${LONG:+02 03}; do
    printed=$TMP/printed$number
    "$instructor/solve" "$number" "$printed"
    cp "$ROOT/tests/data/printed-lab.txt" "$printed/solution.c"
    [ "$number" = 03 ] || sed -i '/PAGESIZE/d; /"# /d; /memory/d; /TLB/d; /force/d; s/(64)/(16)/; s|// sum++|sum++|
        /p < PAGES;/,/}/d' "$printed/solution.c"
    exits 0 "labs: the printed lab's program is measured as $number" "$labs/run" "$number" "$printed"
    exits 0 "labs: the printed lab's program has full marks as $number" "$ROOT/labs/lib/grade" "$number" "$printed"
    sed 's/^/# /' "$TMP/out" | grep -E '^# not ok' -A 1
    if command -v gnuplot >/dev/null; then
        (cd "$printed" && LAB=$(echo "$labs/$number"-*) && export LAB && gnuplot "$labs/lib/style.gp" "$LAB/picture.p" 2>"$TMP/err" >"$TMP/picture")
        lacks "labs: the printed lab's table is drawn in $number" 'no column' "$TMP/err"
    fi
done

# ---- the story's program and script earn what 05 gives for them ----

if [ -n "${LONG-}" ]; then
    story=$TMP/story
    "$instructor/solve" 05 "$story"
    for part in c:solution.c gnuplot:tlb.p; do
        sed -n "/^\`\`\`${part%:*}\$/,/^\`\`\`\$/{/^\`\`\`/!p}" "$ROOT/labs/lib/STORY.md" >"$story/${part#*:}"
    done
    exits 0 "labs: the story's program is measured as 05" "$labs/run" 05 "$story"
    exits 0 "labs: the story's program and graph have full marks as 05" "$ROOT/labs/lib/grade" 05 "$story"
    sed 's/^/# /' "$TMP/out" | grep -E '^# not ok' -A 1
fi

# ---- a folder that means harm ----

mkdir -p "$TMP/trap/02-dummy-loop"
(
    cd "$TMP/trap/02-dummy-loop" || exit
    mkfifo dummy.dat dummy-O0.dat
    ln -s /etc/passwd predict.txt
    ln -s /dev/zero dummy-O2.dat
    truncate -s 3G answers.txt
    printf '#error \033[2J\n' >solution.c
)
began=$SECONDS
exits 1 'labs: a submission of pipes, links and 3 GB is graded' timeout 50 "$labs/lib/grade" 02 "$TMP/trap"
check 'labs: a submission of pipes, links and 3 GB is graded in 40 s' test $((SECONDS - began)) -lt 40
matches 'labs: a submission of pipes, links and 3 GB scores nothing' '^# 0 of' "$TMP/out"
same 'labs: a submission of escape sequences does not command the terminal' 0 "$(tr -cd '\000-\010\013-\037' <"$TMP/out" | wc -c)"
exits 2 'labs: an exercise that is not there is refused' "$labs/lib/grade" 99
exits 2 'labs: a folder that is not there is refused' "$labs/lib/grade" 01 "$TMP/nowhere"
exits 2 'labs: an unknown option is refused' "$labs/lib/grade" --points 01
exits_saying 2 'labs: a file for a folder is refused' ' is not a folder$' "$labs/lib/grade" 01 "$TMP/out"
exits 2 'labs: marks that cannot be written give status 2' "$labs/lib/grade" --results "$TMP/no/marks.tsv" 01 "$TMP/nothing"
matches 'labs: marks that cannot be written are named' "marks.tsv: cannot be written" "$TMP/err"
exits 2 'labs: a closed stdout gives status 2' sh -c '"$1" 01 "$2" >&-' sh "$labs/lib/grade" "$TMP/nothing"
same 'labs: a closed stdout is named once as an error' 'grade: cannot write the output' "$(cat "$TMP/err")"
mkdir -p "$TMP/linked" "$TMP/ben/01-time"
printf 'clocks_per_sec = %01000d\302\233 2J\n' 0 >"$TMP/ben/01-time/answers.txt"
ln -s ../ben/01-time "$TMP/linked/01-time"
exits 1 "labs: a link to another's work is graded" "$labs/lib/grade" 01 "$TMP/linked"
lacks "labs: a link to another's work is not followed" 'is not it' "$TMP/out"
matches "labs: a link to another's work is named" 'a link, which is not followed' "$TMP/err"
exits 1 'labs: a long answer that commands the terminal is graded' "$labs/lib/grade" 01 "$TMP/ben"
check 'labs: a long answer has a short note' awk 'length > 260 { exit 1 }' "$TMP/out"
same 'labs: a long answer has a plain note' '' "$(tr -d '\n -~' <"$TMP/out")"
exits 2 'labs: run without a solution is refused' "$labs/run" 02
matches 'labs: run without a solution says what to do' 'cp -i .*02-dummy-loop/starter/\* .*02-dummy-loop, and' "$TMP/err"
cp "$labs"/02-*/starter/* "$(echo "$labs"/02-*)"
exits_saying 2 'labs: run without a prediction is refused' 'fill it first' "$labs/run" 02
sed -i 's/=$/= 1/' "$labs"/02-*/predict.txt
exits_saying 1 'labs: a hole that is as in starter/ is said, and a status' '^run: solution.c: line 21: this HOLE' "$labs/run" 02
rm "$labs"/02-*/{solution.c,*.txt,*.dat} "$labs"/02-*/mine.png 2>/dev/null
exits 2 'labs: run with a word too many is refused' "$labs/run" 02 "$TMP" more

# ---- a handout, from the first command to full marks; the others are in long.t ----

# The command of the compiler may have several words.
CC="env $(command -v gcc || echo cc)" walk_handout "$(echo "$labs"/01-*)"

# Questions are drawn until they are good ones, which some draws cannot become: a chain of look-ups modulo a power of two.
if [ -n "${LONG-}" ]; then
    "$instructor/solve" 20 "$TMP/20"
    LABS_SEED=2290934601 exits 1 'labs: exercise 20 finds a question' timeout 60 "$ROOT/labs/lib/grade" 20 "$TMP/20"
fi
finish_tests
