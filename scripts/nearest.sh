# nearest.sh: the name that somebody meant who mistyped one, as base/choice.c finds it. A script with a function
# `usage` that sources it says so of an option:
#
#     die_usage "unknown option $1$(usage | did_you_mean "$1")"
# shellcheck shell=bash

# did_you_mean WORD: of the names that begin the lines of stdin after two blanks the one most like WORD, with the
# words of a question; nothing where none is: a third of the letters may be wrong, missing, added or swapped.
did_you_mean() {
    WORD=${1%%=*} awk '
        function least(a, b) { return a < b ? a : b }
        # row[i, j]: from the first i letters of a to the first j of b.
        function distance(a, b,   i, j, row) {
            for (j = 0; j <= length(b); j++) row[0, j] = j
            for (i = 1; i <= length(a); i++) {
                row[i, 0] = i
                for (j = 1; j <= length(b); j++) {
                    row[i, j] = least(row[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)), \
                        least(row[i - 1, j], row[i, j - 1]) + 1)
                    if (i > 1 && j > 1 && substr(a, i - 1, 2) == substr(b, j, 1) substr(b, j - 1, 1))
                        row[i, j] = least(row[i, j], row[i - 2, j - 2] + 1)
                }
            }
            return row[length(a), length(b)]
        }
        BEGIN { word = ENVIRON["WORD"]; dashes = sub(/^--/, "", word); closest = int((length(word) + 2) / 3) + 1 }
        /^  [a-z-]/ && dashes == sub(/^--/, "", $1) {
            sub(/,$/, "", $1)
            here = distance(word, $1)
            if (here < closest) { closest = here; found = (dashes ? "--" : "") $1 }
        }
        END { if (found != "") printf ": did you mean \047%s\047?", found }'
}
