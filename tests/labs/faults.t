#!/usr/bin/env bash
# faults.t: a fault in a solution of the lab course costs the points that it should, and no
# others; a right program in another style costs none. They stand in labs/instructor/NN/faults.sh.
# FAULTS is a list of exercises (all).
. "${0%/*}/../tap.sh"
. "${0%/*}/labs.sh"

plain_linux_alone
[ -n "${FAULTS-}" ] || long_test
labs=$ROOT/labs
export LABS_SECONDS=15 QUICK=yes # a machine that tests may be slow

# loses NN NAME ITEM...: the work in $work loses these items and no others.
loses() {
    local number=$1 name=$2
    shift 2
    "$labs/lib/grade" --results "$TMP/rows" "$number" "$work" >"$TMP/out" 2>&1
    same "faults: $name costs points" 1 $?
    same "faults: $name costs the points that it should and no others" "$(printf '%s\n' "$@" | sort)" "$(lost)"
    program_differs && wrong=$((wrong + 1))
}

lost() { awk -F '\t' '$5 == "fail" { print $2 }' "$TMP/rows" | sort; }
program_differs() { ! cmp -s "$work/solution.c" "$full/solution.c"; }

# costs NN NAME PATTERN...: the work in $work loses items like these, and perhaps others, by chance.
costs() {
    local name=$2 pattern
    "$labs/lib/grade" --results "$TMP/rows" "$1" "$work" >"$TMP/out" 2>&1
    same "faults: $name costs points" 1 $?
    lost >"$TMP/lost"
    for pattern in "${@:3}"; do matches "faults: $name costs $pattern" "$pattern" "$TMP/lost"; done
    program_differs && wrong=$((wrong + 1))
}

# endless NN FUNCTION PATTERN: a loop without an end in this function costs items like these, and no others.
endless() {
    faulty "$1" "endless $2" "/^[a-z].*[ *]$2\\(/,/^\\}/s/^\\{/{\\n    for (volatile int ever = 1; ever != 0;)\\n        ;/"
    LABS_SECONDS=1 "$labs/lib/grade" --results "$TMP/rows" "$1" "$work" >"$TMP/out" 2>&1
    same "faults: an endless $2 costs points" 1 $?
    same "faults: an endless $2 costs nothing of other functions" '' "$(lost | grep -Ev -- "$3")"
}

# keeps NN NAME: the work in $work, in another style, has all points.
keeps() {
    "$labs/lib/grade" --results "$TMP/rows" "$1" "$work" >"$TMP/out" 2>&1
    same "faults: $2 costs nothing" '' "$(lost)"
    program_differs && right=$((right + 1))
}

# fault_tests NN: measures the teacher's work, then tries all faults.
fault_tests() {
    full=$TMP/full
    "$labs/instructor/solve" "$1" "$full"
    exits 0 "faults: the work of $1 is measured" "$labs/run" "$1" "$full"
    exits 0 "faults: the work of $1 without a fault has full marks" "$labs/lib/grade" "$1" "$full"
    local wrong=0 right=0
    # shellcheck source=/dev/null
    . "$labs/instructor/$1/faults.sh"
    mutants "$1"
    check "faults: exercise $1 has twelve wrong programs, not $((wrong + MUTANTS))" test $((wrong + MUTANTS)) -ge 12
    check "faults: exercise $1 has three right programs in another style, not $right" test "$right" -ge 3
}

read -r -a exercises <<<"${FAULTS:-$(cd "$labs/instructor" && echo [0-9][0-9])}"
for number in "${exercises[@]}"; do apart "$number" fault_tests "$number"; done
together
finish_tests
