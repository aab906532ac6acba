# nearest.sh: the name that somebody meant who mistyped one, as base/choice.c finds it. A script with a function
# `usage` that sources it says so of an option:
#
#     die_usage "unknown option $1$(usage | did_you_mean "$1")"
# shellcheck shell=bash

# did_you_mean WORD: of the names that begin the lines of stdin after two blanks the one most like WORD, with the
# words of a question; nothing where none is: a third of the letters may be wrong, missing or added.
did_you_mean() {
    WORD=${1%%=*} awk '
        function least(a, b) { return a < b ? a : b }
        # Levenshtein distance; row[j]: from the letters of a so far to the first j of b.
        function distance(a, b,   i, j, row, diagonal, replaced) {
            for (j = 0; j <= length(b); j++) row[j] = j
            for (i = 1; i <= length(a); i++) {
                diagonal = row[0]
                row[0] = i
                for (j = 1; j <= length(b); j++) {
                    replaced = diagonal + (substr(a, i, 1) != substr(b, j, 1))
                    diagonal = row[j]
                    row[j] = least(replaced, least(row[j], row[j - 1]) + 1)
                }
            }
            return row[length(b)]
        }
        BEGIN { word = ENVIRON["WORD"]; dashes = sub(/^--/, "", word); closest = int((length(word) + 2) / 3) + 1 }
        /^  [a-z-]/ && dashes == sub(/^--/, "", $1) {
            sub(/,$/, "", $1)
            here = distance(word, $1)
            if (here < closest) { closest = here; found = (dashes ? "--" : "") $1 }
        }
        END { if (found != "") printf ": did you mean \047%s\047?", found }'
}
