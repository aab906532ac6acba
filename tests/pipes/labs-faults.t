#!/usr/bin/env bash
# labs-faults.t: a fault in a solution of the lab course costs the points that it should, and no
# others; a right program in another style costs none. They stand in labs/instructor/NN/faults.sh.
# FAULTS is a list of exercises (all).
. "${0%/*}/tap.sh"
. "${0%/*}/labs.sh"

plain_linux_alone
long_test
labs=$ROOT/labs
export LABS_SECONDS=15 QUICK=yes # a machine that tests may be slow

# loses NN NAME ITEM...: the work in $work loses these items and no others.
loses() {
    local number=$1 name=$2
    shift 2
    "$labs/grade" "$number" "$work" >"$TMP/out" 2>&1
    same "faults: $name costs points" 1 $?
    same "faults: $name costs the points that it should and no others" "$(printf '%s\n' "$@" | sort)" "$(lost)"
    program_differs && wrong=$((wrong + 1))
}

lost() { sed -n 's/^not ok [0-9]* - [^:]*: \(.*\) ([0-9]* of [0-9]*)$/\1/p' "$TMP/out" | sort; }
program_differs() { ! cmp -s "$work/solution.c" "$full/solution.c"; }

# keeps NN NAME: the work in $work, in another style, has all points.
keeps() {
    "$labs/grade" "$1" "$work" >"$TMP/out" 2>&1
    same "faults: $2 costs nothing" '' "$(lost)"
    program_differs && right=$((right + 1))
}

# ---- a program that would rather not be asked ----

# cheat_tests NN: the full work with something before its program that says what the check wants, or
# looks for it where it should not. The harness's items must be lost.
cheat_tests() {
    full=$TMP/full
    mkdir "$full"
    submission_of "$labs/instructor/$1" | while IFS= read -r file; do cp "$file" "$full"; done
    cheats "$1" early 'the program ended before the check did' '__attribute__((constructor)) static void first(void)
        { puts("right"); fflush(stdout); _Exit(0); }'
    cheats "$1" late 'the program ended before the check did' \
        '__attribute__((destructor)) static void last(void) { puts("right"); }'
    cheats "$1" macro 'has its own printf' '#define printf(...) (printf)("right\n")'
    cheats "$1" function 'has its own puts' '
        int puts(const char *s) { return fputs(s[0] == 101 ? s : "right", stdout) + putchar(10); }'
    cheats "$1" stolen 'no program to ask' "#include \"$labs/instructor/$1/solution.c\""
    matches 'faults: a stolen solution is not there' 'No such file or directory' "$TMP/out"
}

# cheats NN NAME WHY C
cheats() {
    mkdir "$TMP/$2"
    printf '#include <stdio.h>\n#include <stdlib.h>\n%s\n' "$4" >"$TMP/$2/solution.c"
    [ "$2" = stolen ] || cat "$full/solution.c" >>"$TMP/$2/solution.c"
    "$labs/grade" "$1" "$TMP/$2" >"$TMP/out" 2>&1
    same "faults: $2 gets no point of the harness" '' "$(grep '^ok.*read_chain: so many\|^ok.*store_and_ask: goes' "$TMP/out")"
    matches "faults: $2 is told why" "$3" "$TMP/out"
}

# fault_tests NN: measures the teacher's work, then tries all faults.
fault_tests() {
    full=$TMP/full
    mkdir "$full"
    submission_of "$labs/instructor/$1" | while IFS= read -r file; do cp "$file" "$full"; done
    exits 0 "faults: the work of $1 is measured" "$labs/run" "$1" "$full"
    exits 0 "faults: the work of $1 without a fault has full marks" "$labs/grade" "$1" "$full"
    local wrong=0 right=0
    # shellcheck source=/dev/null
    . "$labs/instructor/$1/faults.sh"
    check "faults: exercise $1 has five wrong programs, not $wrong" test "$wrong" -ge 5
    check "faults: exercise $1 has three right programs in another style, not $right" test "$right" -ge 3
}

read -r -a exercises <<<"${FAULTS:-$(cd "$labs/instructor" && echo [0-9][0-9])}"
for number in "${exercises[@]}"; do apart "$number" fault_tests "$number"; done
if [ -n "${FAULTS-}" ]; then
    :
elif "$labs/sandbox" --tell | grep -q 'no network'; then
    apart cheats cheat_tests 09
else
    skip 'faults: a program that cheats gets no points' 'this system has no namespaces for us'
fi
together
finish_tests
