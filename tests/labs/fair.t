#!/usr/bin/env bash
# fair.t: a check names a crash, a time-out and a wrong answer as what they are; what a busy machine did
# is graded again, alone, and costs nothing; seals survive other ends of lines; where programs cannot be
# isolated nothing is graded. A small exercise, and a sandbox that has the troubles that it is asked for.
# shellcheck disable=SC2016 # $ in single quotes is for the inner shell
. "${0%/*}/../tap.sh"

plain_linux_alone
labs=$TMP/course/labs
lab=$labs/01-small
mkdir -p "$lab" "$labs/instructor" "$TMP/anna"
cp -R "$ROOT"/labs/{run,lib} "$labs"
mkdir "$labs/instructor/01"
printf '%s\n' '= answers.txt' 'number = 8' >"$labs/instructor/01/solution"
cp "$ROOT"/labs/instructor/{marks,intake,book,sentences,duplicates,gradebook} "$labs/instructor"
ln -s "$OUT" "$TMP/course/bin"
ln -s "$ROOT/scripts" "$TMP/course/scripts"
ln -s "$ROOT/plots" "$TMP/course/plots"

# The sandbox: the first line of $TROUBLE whose pattern matches the command is how it ends; a line with
# `once` in front of it is then taken out. Questions are a command that begins with that word.
export TROUBLE=$TMP/trouble CALLS=$TMP/calls APART=$OUT/apart
cat >"$labs/lib/sandbox" <<'SH'
#!/usr/bin/env bash
how=/dev/null weak='' alone='' questions=''
while [ $# -gt 0 ]; do
    case $1 in
    --how) how=$2 && shift ;;
    --weak | --alone) declare "${1#--}=yes" ;;
    --questions) questions=$2 && shift && mapfile -d '' asked <"$questions" && set -- "$1" questions "${asked[@]}" ;;
    --report)
        [ ! -e "$TROUBLE.bare" ] || [ -n "$weak" ] || { echo 'sandbox: refused no bricks; --weak goes on without' >&2; exit 2; }
        [ ! -e "$TROUBLE.bare" ] && echo 'isolated: by paper' || echo 'weak: no bricks'
        exit
        ;;
    --*) shift ;;
    *) break ;;
    esac
    shift
done
echo "${alone:-together} $*" >>"$CALLS"
while read -r often pattern end; do
    [[ $* == *$pattern* ]] || continue
    [ "$often" != once ] || sed -i "/^once $pattern /d" "$TROUBLE"
    [ "$end" != killed ] || kill -KILL $$
    printf '%s\n0\n' "$end" >"$how"
    exit 124
done <"$TROUBLE"
if [ -n "$questions" ]; then
    place=$(mktemp -d "$TROUBLE.XXXXXX")
    { printf '%s\0' "$place" 3 60 20 1024 0 && cat "$questions"; } | setsid -w "$APART" 3< <(tar -cf - .) 5>/dev/null
else
    "$@"
fi
status=$?
end="ended $status"
[ "$status" -le 128 ] || end="signal $((status - 128))"
printf '%s\n0\n' "$end" >"$how"
exit "$status"
SH
cat >"$lab/check" <<'SH'
#!/usr/bin/env bash
. "${0%/*}/../lib/grading.sh"
begin "$@"
compiles 1
for word in right wrong crash status; do expect 1 "$word" 64 "$word"; done
decide 1 other 'two nodes are on one page' ask other
measured 1 none.dat 4
prediction 1 small.dat
answer number 1
finish
SH
mkdir "$labs/03-together"
cat >"$labs/03-together/check" <<'SH'
#!/usr/bin/env bash
. "${0%/*}/../lib/grading.sh"
begin "$@"
compiles 1
questions() { for word in right wrong crash status right; do expect 1 "$word" 64 "$word"; done; }
together questions
finish
SH
mkdir "$labs/04-unseen"
cat >"$labs/04-unseen/check" <<'SH'
#!/usr/bin/env bash
. "${0%/*}/../lib/grading.sh"
tracing=plain
begin "$@"
compiles 1
judge_accesses 2 'loads' 'call right' false
finish
SH
mkdir "$labs/02-sealed"
cat >"$labs/02-sealed/check" <<'SH'
#!/usr/bin/env bash
. "${0%/*}/../lib/grading.sh"
begin "$@"
prediction 1 small.dat
finish
SH
chmod +x "$labs/lib/sandbox" "$labs"/*/check
cat >"$TMP/anna/solution.c" <<'C'
#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char *argv[])
{
    const char *what = argc > 2 ? argv[2] : "";

    if (strcmp(what, "crash") == 0)
        raise(SIGSEGV);
    puts(strcmp(what, "wrong") == 0 ? "65" : "64");
    return strcmp(what, "status") == 0 ? 3 : 0;
}
C
mkdir "$lab/starter"
printf 'guess =\n' >"$lab/starter/predict.txt"
printf 'guess = 5\r\n' >"$TMP/anna/predict.txt"
printf 'number = 7\n' >"$TMP/anna/answers.txt"
printf '%s small.dat ! printf "a\\n1\\n"\n' 01 02 03 04 >"$labs/lib/runs"
printf '%s other.dat -O ; other\n' 01 03 04 >>"$labs/lib/runs"

# graded NAME TROUBLE: the exit status is not looked at, the verdicts are.
graded() {
    printf '%s' "$2" >"$TROUBLE"
    : >"$CALLS"
    "$lab/check" --results "$TMP/marks" "$TMP/anna" >"$TMP/out" 2>"$TMP/err"
    same "fair: $1: nothing is said beside the marks" '' "$(cat "$TMP/err")"
}
# item NAME: its status and note.
item() { awk -F '\t' -v item="$1" '$2 == item { print $5 ": " $6 }' "$TMP/marks"; }

exits 0 'fair: a prediction with the line ends of Windows is sealed' "$labs/run" 01 "$TMP/anna"
graded 'a quiet machine' ''
same 'fair: what is right is right' 'pass: -' "$(item right)"
same 'fair: a wrong answer is named as one' 'fail: wanted 64, got: 65; try: ./program call wrong' "$(item wrong)"
matches 'fair: a crash is named as one' 'fail.the program failed .the program crashed: .*signal 11' "$TMP/marks"
same 'fair: a right answer with a wrong status is named as that' 'fail: the program failed (status 3); try: ./program call status' "$(item status)"
same 'fair: a sealed prediction holds' 'pass: -' "$(item 'prediction made before measuring')"
same 'fair: without trouble nothing is graded twice' 0 "$(grep -c '^yes' "$CALLS")"
cp "$TMP/marks" "$TMP/quiet"

for trouble in 'once program.c late 60' \
    ${LONG:+'once other time 3' 'once right killed' 'once right refused no processes' 'once wrong signal 9' 'once other idle 20'}; do
    graded "$trouble" "$trouble"$'\n'
    same "fair: $trouble: graded again, with the same marks" "$(cat "$TMP/quiet")" "$(cat "$TMP/marks")"
    check "fair: $trouble: graded again alone" grep -q '^yes ' "$CALLS"
done
lab=$labs/04-unseen
graded 'a machine without valgrind' ''
same 'fair: without valgrind nobody can tell which memory was read' \
    $'loads\t2\t2\tinconclusive\tno valgrind here, which lists the accesses to memory' "$(grep loads "$TMP/marks" | cut -f 2-)"
same 'fair: the sum says how much nobody could tell' '# 3 of 3 points, of which 2 CANNOT TELL' "$(tail -n 1 "$TMP/out")"
lab=$labs/01-small
# Questions that are asked together get the marks that they get one by one.
one_by_one=$lab lab=$labs/03-together
for trouble in '' 'once questions time 15' ${LONG:+'once questions late 60' 'once questions killed'}; do
    graded "together, ${trouble:-without trouble}" "${trouble:+$trouble$'\n'}"
    same "fair: together, ${trouble:-without trouble}: the marks are the same" \
        "$(sed -n '2,7p' "$TMP/quiet" | cut -f 2-6 && sed -n 4p "$TMP/quiet" | cut -f 2-6)" "$(cut -f 2-6 "$TMP/marks" | sed '/^#/d')"
    same "fair: together, ${trouble:-without trouble}: nothing is graded again" 0 "$(grep -c '^yes' "$CALLS")"
    same "fair: together, ${trouble:-without trouble}: what got an answer is not asked again" \
        "$([ -n "$trouble" ] && echo 5 || echo 1)" "$(grep -c ' questions ' "$CALLS")"
done
lab=$one_by_one
graded 'a program that never ends' $'ever right time 3\n'
same 'fair: a program that uses all its time is named as that' 'fail: the program failed (the program did not end: it had 3 s of processor time); try: ./program call right' "$(item right)"
same 'fair: a time-out costs nothing else' 'fail: wanted 64, got: 65; try: ./program call wrong' "$(item wrong)"
graded 'two functions that never end' $'ever right time 3\never status time 3\n'
same 'fair: endless functions cost those that never call them nothing' 'pass: -' "$(item other)"
graded 'a function that waits for ever' $'ever other idle 20\n'
same 'fair: a program that waits is named as that' 'fail: the program did not end: it waited for 20 s; try: ./program call other' "$(item other)"
graded 'a machine that is always busy' $'ever right late 60\n'
same 'fair: on a busy machine nobody can tell' 'inconclusive: in 60 s this machine did not give the program enough processor time' "$(item right)"
same 'fair: what is unsure is one question alone' 'fail: wanted 64, got: 65; try: ./program call wrong' "$(item wrong)"
same 'fair: a table that is not there is not unsure' 'fail: no none.dat' "$(item 'none.dat: your measurement')"
graded 'a sandbox that never starts' $'ever program refused no processes\n'
same 'fair: where no sandbox starts no item of the program is lost' '6 inconclusive' "$(cut -f 5 "$TMP/marks" | head -n 8 | tail -n 6 | sort | uniq -c | sed 's/^ *//')"
lacks 'fair: where no sandbox starts there is no accusation' 'wanted|compile a|no program|page' "$TMP/marks"
same 'fair: what needs no program is lost all the same' 'fail: no none.dat' "$(item 'none.dat: your measurement')"
matches 'fair: a wrong answer is lost all the same' 'answer number.0.1.fail' "$TMP/marks"

# ---- seals ----

: >"$TROUBLE"
cp -R "$lab/starter" "$labs/02-sealed"
# seal_is NAME WANTED: a line of the check is WANTED.
seal_is() {
    "$labs/02-sealed/check" -v "$TMP/anna" >"$TMP/out" 2>&1
    matches "fair: $1" "$2" "$TMP/out"
}
tr -d '\r' <"$TMP/anna/predict.txt" >"$TMP/unix" && cp "$TMP/unix" "$TMP/anna/predict.txt"
sed -i 's/$/\r/' "$TMP/anna/small.dat"
seal_is 'a prediction may lose the line ends of Windows, and a table get them' '^ok 1 '
sed -i 's/sha256: ..../sha256: /' "$TMP/anna/small.dat"
seal_is 'a damaged seal is named as that' 'its seal.*is damaged'
"$labs/run" 01 "$TMP/anna" 2>/dev/null
seal_is 'measured again, the seal holds' '^ok 1 '
same 'fair: without -v nothing lost is one line' '# 1 of 1 points' "$("$labs/02-sealed/check" "$TMP/anna")"
echo 'guess = 6' >"$TMP/anna/predict.txt"
seal_is 'a changed prediction is named as that' 'was changed after small.dat was measured'

# ---- without isolation ----

: >"$TROUBLE.bare"
exits 2 'fair: without isolation nothing is checked' "$lab/check" "$TMP/anna"
same 'fair: without isolation the check says why, and what to do' \
    'check: programs of students cannot be isolated: no bricks; --weak goes on without, see labs/lib/SYSTEMS.md' "$(cat "$TMP/err")"
exits_saying 2 'fair: without isolation nothing is graded' 'cannot be isolated: no bricks' "$labs/lib/grade" 01 "$TMP/anna"
exits 1 'fair: --weak checks' "$lab/check" --weak "$TMP/anna"
same 'fair: --weak is the first line of a check' '# weak: no bricks' "$(head -n 1 "$TMP/out")"
exits 1 'fair: --weak grades' "$labs/lib/grade" --weak 01 "$TMP/anna"
same 'fair: --weak is the first line of the grader, and no other' '# weak: no bricks' "$(grep weak "$TMP/out")"
if [ -n "${LONG-}" ] && command -v parallel >/dev/null; then
    mkdir -p "$TMP/in/anna/01-small"
    cp "$TMP/anna/solution.c" "$TMP/in/anna/01-small"
    exits 2 'fair: without isolation no marks are made' "$labs/instructor/marks" "$TMP/in"
    matches 'fair: without isolation no marks are made, and why' 'cannot be isolated: no bricks' "$TMP/err"
    exits 0 'fair: --weak makes marks' "$labs/instructor/marks" --weak "$TMP/in"
    same 'fair: --weak is the first line of marks' '# weak: no bricks' "$(head -n 1 "$TMP/err")"
fi

# ---- requests ----

printf '%s\0' "$TMP" 3 60 20 1024 0 plain 2 echo >"$TMP/requests"
exits 125 'fair: apart refuses a request that ends too early' sh -c '"$APART" <"$1" 3</dev/null 5>&1' sh "$TMP/requests"
matches 'fair: apart says so' '^refused a request that ends too early' "$TMP/out"
finish_tests
