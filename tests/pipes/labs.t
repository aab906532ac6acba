#!/usr/bin/env bash
# labs.t: the lab course. What students get holds no solution; the commands of a handout run; nothing
# scores nothing, a starter little, a solution all; a program that means harm costs its own points
# only. All exercises are in labs-long.t, what faults cost in labs-faults.t.
# shellcheck disable=SC2016,SC2088 # $ and ~ in single quotes are for the inner shell
. "${0%/*}/tap.sh"
. "${0%/*}/labs.sh"

plain_linux_alone
unset MAKEFLAGS MFLAGS MAKELEVEL
labs=$TMP/handout/labs
export LABS_SECONDS=15 # a machine that tests may be slow
instructor=$ROOT/labs/instructor

# ---- what students get ----

mkdir "$TMP/handout"
check 'make handout' make -s -C "$ROOT" handout HANDOUT="$TMP/handout.tar.gz"
check 'it unpacks' tar -xzf "$TMP/handout.tar.gz" -C "$TMP/handout"
while IFS= read -r name; do
    check "$name is in it" test -s "$labs/$name/README.md" -a -x "$labs/$name/check"
done < <(sed -n 's/.*(\([0-9][0-9]-[^/]*\)\/README.md).*/\1/p' "$ROOT/labs/README.md")
same 'no solution is in it' '' "$(find "$TMP/handout" -path '*instructor*' -o -name 'solution*')"
while IFS= read -r solution; do
    # Lines of C, answers or gnuplot that stand in a solution and in nothing that students get.
    find "$labs" -name "${solution##*/}" -o -name starter.c | sort |
        xargs -d '\n' cat 2>/dev/null | grep -vxFf - "$solution" | grep -vE '^ *[{}]? *$' >"$TMP/own"
    check "${solution#"$instructor/"} has lines of its own" test -s "$TMP/own"
    same "${solution#"$instructor/"}: they are not in the handout" '' \
        "$(grep -E '.{42}' "$TMP/own" | grep -rnFf - "$labs")"
done < <(submission_of "$instructor"/[0-9]* | sort)
for readme in "$labs"/[0-9]*/README.md; do
    name=${readme%/README.md}
    [ -d "$instructor/$(basename "$name" | cut -c 1-2)" ] || continue
    for section in Goal Predict 'Do' Expect Explain Questions 'If it does not work' 'Going further'; do
        grep -qx "## $section" "$readme" || fail "${name##*/}: section $section"
    done
    matches "${name##*/}: tells its time" '^About [0-9]+ minutes' "$readme"
done

# ---- the sandbox ----

sandbox=$labs/sandbox
harm=$TMP/harm
mkdir "$harm"
cat >"$harm/fork.c" <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int made = 0;
    for (int i = 0; i < 50; i++) {
        pid_t child = fork();
        if (child == 0) {
            sleep(60);
            _exit(0);
        }
        made += child > 0;
    }
    printf("%d\n", made);
    return 0;
}
C
printf 'int main(void) { for (volatile int i = 0;; i++); }\n' >"$harm/loop.c"
cat >"$harm/flood.c" <<'C'
#include <stdio.h>
int main(void)
{
    for (long i = 0; i < 1L << 30; i++)
        putchar('x');
    return 0;
}
C
cat >"$harm/grab.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int got = 0;
    for (; got < 64; got++) {
        char *volatile memory = malloc(100000000);
        if (memory == NULL)
            break;
    }
    printf("%d\n", got);
    return 0;
}
C
try() { (cd "$harm" && "$sandbox" --seconds 2 "$@"); }
for name in fork loop flood grab; do
    exits 0 "sandbox: $name compiles in it" try --fetch "$name" cc -o "$name" "$name.c"
done
exits 0 'sandbox: a fork bomb ends' try ./fork
check 'sandbox: it did not get its 50 processes' test "$(cat "$TMP/out")" -lt 40
exits 124 'sandbox: an endless loop is stopped' try --seconds 1 ./loop
try ./flood >"$TMP/out" 2>"$TMP/err"
check 'sandbox: a gigabyte of output is cut' test "$(wc -c <"$TMP/out")" -le 8388608
exits 0 'sandbox: memory has an end' try ./grab
check 'sandbox: it got less than 1.1 GB' test "$(cat "$TMP/out")" -lt 11
exits 7 'sandbox: the status is that of the command' try sh -c 'exit 7'
exits 2 'sandbox: a limit that is no number' "$sandbox" --seconds x true
exits 2 'sandbox: no command' "$sandbox"
exits 2 'sandbox: it fetches from its own folder alone' try --fetch ../x true
try sh -c 'rm -f fork.c; echo new >here; ln -s /etc/passwd out'
check 'sandbox: what is deleted there is here still' test -s "$harm/fork.c"
check 'sandbox: what is written there is not here' test ! -e "$harm/here"
exits 125 'sandbox: a link is not fetched' try --fetch link ln -s /etc/passwd link
if "$sandbox" --tell | grep -q 'no network'; then
    mkdir "$TMP/home" && echo dear >"$TMP/home/thesis"
    HOME="$TMP/home" try sh -c 'rm -rf ~/* "$1"/home/*' sh "$TMP" >"$TMP/out" 2>&1
    check 'sandbox: the home folder is not within reach' test -s "$TMP/home/thesis"
    try sh -c 'setsid sleep 61.25 & exit 0' >/dev/null 2>&1
    same 'sandbox: no process is left' '' "$(ps -e -o args= | awk '$1 == "sleep" && $2 == "61.25"')"
    same 'sandbox: no way out to the network' ' lo' "$(try cat /proc/net/dev | awk -F : 'NR > 2 { print $1 }' | sed 's/^ */ /')"
else
    skip 'sandbox: network and home folder' 'this system has no namespaces for us'
fi
[ "$(id -u)" -ne 0 ] || same 'sandbox: root is nobody there' nobody "$(try id -un)"
same 'sandbox: of the environment nothing that could be a secret' '' "$(SECRET=$TMP/secret try env | grep SECRET)"
if command -v script >/dev/null; then
    same 'sandbox: no terminal to type into' 'without: 2' "$(script -qec \
        "cd '$harm'; : </dev/tty || echo no terminal; '$sandbox' sh -c ': </dev/tty' 2>/dev/null; echo without: \$?" /dev/null | tr -d '\r')"
fi
exec 7<"$harm/fork.c"
exits 1 'sandbox: no file that is open here' try sh -c '[ -e /proc/self/fd/7 ]'
exec 7<&-
exits 2 'sandbox: what is hidden has a whole name' try --hide harm true
if "$sandbox" --tell | grep -q 'no network'; then
    # In /tmp all is out of sight; so it is tried in the repository.
    same 'sandbox: a hidden folder is empty, a hidden file too' '0 0' \
        "$(try --hide "$ROOT/src" --hide "$ROOT/LICENSE" sh -c 'echo $(ls "$1/src" | wc -l) $(cat "$1/LICENSE" | wc -c)' \
            sh "$ROOT" 2>/dev/null)"
    exits 0 'sandbox: no sockets of the system' try sh -c '! ls -d /run/*/* /run/*.sock'
fi

# ---- nothing, and a starter ----

mkdir "$TMP/nothing"
exits 1 'nothing handed in is graded' "$labs/grade" 06 "$TMP/nothing"
matches 'nothing scores nothing' '^# 0 of [0-9]+ points$' "$TMP/out"
same 'quietly' '' "$(cat "$TMP/err")"
exits 1 'a starter is graded' "$labs/grade" --results "$TMP/marks.tsv" --json "$TMP/marks.json" 02
check 'it scores little' awk '/^# [0-9]+ of/ { exit !($2 * 4 < $4) }' "$TMP/out"
for name in 'no dummy.dat' 'wanted 10485759, got: 0' 'predict.txt is not filled' \
    'answers.txt has no value for inner_ns' '0 loops'; do
    matches "a starter: it names '$name'" "^#   .*$name" "$TMP/out"
done
same 'the marks are a table' "$(grep -cE '^(not )?ok ' "$TMP/out")" \
    "$(grep -v '^#' "$TMP/marks.tsv" | sed 1d | awk -F '\t' 'NF == 6' | wc -l)"
if command -v jq >/dev/null; then
    same 'and the same as JSON' "$(grep -v '^#' "$TMP/marks.tsv" | sed 1d | cut -f 2,5)" \
        "$(jq -r '.rows[] | [.item, .status] | @tsv' "$TMP/marks.json" 2>&1)"
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
exits 1 'pipes, links and 3 GB are graded' timeout 50 "$labs/grade" 02 "$TMP/trap"
check 'soon' test $((SECONDS - began)) -lt 40
matches 'as nothing' '^# 0 of' "$TMP/out"
same 'nothing of it commands the terminal' 0 "$(tr -cd '\000-\010\013-\037' <"$TMP/out" | wc -c)"
exits 2 'an exercise that is not there' "$labs/grade" 99
exits 2 'a folder that is not there' "$labs/grade" 01 "$TMP/nowhere"
exits 2 'an option that is not there' "$labs/grade" --points 01
exits 2 'a file for a folder' "$labs/grade" 01 "$TMP/out"
matches 'it says so' ' is no folder$' "$TMP/err"
exits 2 'marks that cannot be written' "$labs/grade" --results "$TMP/no/marks.tsv" 01 "$TMP/nothing"
matches 'it says so' "marks.tsv: cannot be written" "$TMP/err"
exits 2 'no stdout' sh -c '"$1" 01 "$2" >&-' sh "$labs/grade" "$TMP/nothing"
same 'it says so, once' 'grade: cannot write the output' "$(cat "$TMP/err")"
mkdir -p "$TMP/linked" "$TMP/ben/01-time"
printf 'clocks_per_sec = %01000d\302\233 2J\n' 0 >"$TMP/ben/01-time/answers.txt"
ln -s ../ben/01-time "$TMP/linked/01-time"
exits 1 "a link to another's work" "$labs/grade" 01 "$TMP/linked"
lacks 'it is not followed' 'is not it' "$TMP/out"
matches 'it says so' 'a link, which is not followed' "$TMP/err"
exits 1 'an answer that is long, and commands a terminal' "$labs/grade" 01 "$TMP/ben"
check 'its note is short' awk 'length > 260 { exit 1 }' "$TMP/out"
same 'and plain' '' "$(tr -d '\n -~' <"$TMP/out")"
exits 2 'run: nothing to measure with yet' "$labs/run" 02
matches 'run: says what to do' 'copy starter.c' "$TMP/err"
cp "$labs"/02-*/starter.c "$(echo "$labs"/02-*)/solution.c"
exits 2 'run: no measuring before a prediction' "$labs/run" 02
matches 'run: says so' 'fill it first' "$TMP/err"
exits 2 'run: a word too many' "$labs/run" 02 "$TMP" more

# ---- a handout, from the first command to full marks; the others are in labs-long.t ----

walk_handout "$(echo "$labs"/01-*)"
finish_tests
