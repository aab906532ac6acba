#!/usr/bin/env bash
# labs-faults.t: a fault in a solution of the lab course costs the points that it should, and no
# others. The faults of an exercise stand in labs/instructor/NN/faults.sh.
. "${0%/*}/tap.sh"
. "${0%/*}/labs.sh"

plain_linux_alone
long_test
labs=$ROOT/labs
export LABS_SECONDS=15 QUICK=yes # a machine that tests may be slow

# faulty NN NAME SED: a copy of the full work in $work, with its solution.c changed by SED.
faulty() {
    work=$TMP/$2
    cp -R "$full" "$work"
    sed -E "$3" "$full/solution.c" >"$work/solution.c"
    [ -z "$3" ] || ! cmp -s "$work/solution.c" "$full/solution.c" || fail "$2: the fault is in it"
}

# loses NN NAME ITEM...: the work in $work loses these items and no others.
loses() {
    local number=$1 name=$2
    shift 2
    "$labs/grade" "$number" "$work" >"$TMP/out" 2>&1
    same "faults: $name costs points" 1 $?
    same "faults: $name costs the points that it should and no others" "$(printf '%s\n' "$@" | sort)" \
        "$(sed -n 's/^not ok [0-9]* - [^:]*: \(.*\) ([0-9]* of [0-9]*)$/\1/p' "$TMP/out" | sort)"
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
    # shellcheck source=/dev/null
    . "$labs/instructor/$1/faults.sh"
}

for faults in "$labs"/instructor/[0-9]*/faults.sh; do
    number=${faults%/faults.sh}
    number=${number##*/}
    apart "$number" fault_tests "$number"
done
if "$labs/sandbox" --tell | grep -q 'no network'; then
    apart cheats cheat_tests 09
else
    skip 'faults: a program that cheats gets no points' 'this system has no namespaces for us'
fi
together
finish_tests
