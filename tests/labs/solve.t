#!/usr/bin/env bash
# solve.t: the teacher's solutions are the starters with their holes filled; a hole and its lines that do not fit
# together are named with file and line.
. "${0%/*}/../tap.sh"
plain_linux_alone

mkdir -p "$TMP/labs/lib" "$TMP/labs/instructor"/{01,02} "$TMP/labs/01-one/starter" "$TMP/labs/02-two/starter"
cp "$ROOT/labs/instructor/solve" "$TMP/labs/instructor"
cp "$ROOT/labs/lib/common.sh" "$TMP/labs/lib"
cd "$TMP" || exit 2

# ---- an exercise, made anew for each test, with one line changed ----

# solves FILE SED: writes the exercise, FILE of it changed by SED, and solves it.
solves() {
    cat >labs/01-one/starter/solution.c <<'C'
#include <stdio.h>

/* The nodes. */
struct node {
    long value;
    /* HOLE: what is missing? */
};

/* Twice. */
int twice(int n)
{
    for (int i = 0; i < 9; i++)
        /* HOLE: double it,
         * please. */
        n += 0;
    /* HOLE again. */
    (void)n;

    return n;
}
C
    cat >labs/instructor/01/solution <<'TEXT'
= predict.txt
how_many = 7

= node
    struct node *next;

+ twice
enum { TWO = 2 };

= twice
        n *= TWO;

= twice 02/other
TEXT
    printf '# How many?\nhow_many =\n' >labs/01-one/starter/predict.txt
    printf 'right =\nempty =\n' >labs/01-one/starter/answers.txt
    printf '# HOLE: plot\n\nend\n' >labs/01-one/starter/tlb.p
    printf '%s\n' '= tlb.p' 'plot x' '= answers.txt' 'right = a & b \1' 'empty =' >>labs/instructor/01/solution
    printf '= other\n    n++;\n\n    n--;\n' >labs/instructor/02/solution
    rm -rf mine
    sed -i "$2" "labs/$1"
    labs/instructor/solve 01 mine
}

exits 0 'solve: an exercise is solved' solves 01-one/starter/solution.c ''
same 'solve: holes are filled, in order, and helpers go before the comment of a definition' '#include <stdio.h>

/* The nodes. */
struct node {
    long value;
    struct node *next;
};

enum { TWO = 2 };

/* Twice. */
int twice(int n)
{
    for (int i = 0; i < 9; i++)
        n *= TWO;
    n++;

    n--;

    return n;
}' "$(cat mine/solution.c)"
same 'solve: keys get their values, as they are' '# How many?
how_many = 7
right = a & b \1
empty =
plot x

end' "$(cat mine/predict.txt mine/answers.txt mine/tlb.p)"

# wrong NAME MESSAGE FILE SED: that is refused, with this message, and nothing is written.
wrong() {
    exits 2 "solve: $1 gives status 2" solves "$3" "$4"
    same "solve: $1 is named" "solve: $2" "$(cat "$TMP/err")"
    same "solve: $1 writes nothing" '' "$(ls mine)"
}
wrong 'a hole without lines' 'labs/01-one/starter/solution.c:16: hole twice has no section in labs/instructor/01/solution' \
    instructor/01/solution '/^= twice 02/d'
wrong 'a section without a hole' 'labs/instructor/01/solution:7: the starter has no hole thrice' instructor/01/solution \
    's/^+ twice/= thrice\n&/'
wrong 'a helper of nothing' 'labs/instructor/01/solution:7: the starter has no definition of thrice' \
    instructor/01/solution 's/^+ twice/+ thrice/'
wrong 'a section of another exercise that is not there' 'labs/instructor/01/solution:13: exercise 02 has no section others' \
    instructor/01/solution 's|02/other|02/others|'
wrong 'an exercise that is not there' 'labs/instructor/03/solution: cannot be read' instructor/01/solution 's|02/other|03/other|'
wrong 'a line before the first section' 'labs/instructor/01/solution:1: expected a section, = NAME' instructor/01/solution 1d
wrong 'a key without a value' 'labs/01-one/starter/predict.txt:2: how_many has no value in labs/instructor/01' \
    instructor/01/solution 2d
wrong 'a value without a key' 'labs/instructor/01/solution:17: labs/01-one/starter/answers.txt has no key left' \
    instructor/01/solution 's/^right/left/;$!b;iright = 1'
wrong 'a second value' 'labs/instructor/01/solution:18: a second right' instructor/01/solution 's/^empty/right/'
exits 2 'solve: an exercise that does not exist is refused' labs/instructor/solve 77 mine
exits 2 'solve: a folder that cannot be made is refused' labs/instructor/solve 01 /proc/mine
prints 'solve: it explains the sections' '^  \+ NAME ' labs/instructor/solve --help
finish_tests
