# grading.sh: what every check of an exercise is made of. labs/NN-slug/check sources it first:
#
#     . "${0%/*}/../grading.sh"
#     begin "$@"
#     compiles 1
#     answer row_sum 2 4f6c...
#     finish
#
# It sets LAB (the folder of the exercise), SUBMISSION (a copy of what was handed in), SOURCE (its solution.c, else
# its starter.c, else nothing) and WORK (a temporary folder), and knows three verdicts: `award`,
# `lose` and `untold` for "cannot tell", which costs nothing. Programs of students run in
# labs/sandbox only, and what they print is held against what the check has worked out itself.
# shellcheck shell=bash

set -u
export LC_ALL=C
unset CDPATH
LABS=$(cd "${BASH_SOURCE[0]%/*}" && pwd -P) || exit 2
ROWS='' STRIKES=0

say_and_die() {
    echo "${0##*/}: $*" >&2
    exit 2
}

check_usage() {
    cat <<'TEXT'
Usage: check [--results FILE] [--json FILE] [FOLDER]
Grades this exercise: the work in FOLDER, or in the exercise's own folder.
  --results FILE  also writes the marks as a table
  --json FILE     also writes them as JSON (needs tojson)
TEXT
}

# begin ARGUMENT...: reads the command line of a check.
begin() {
    local results='' json='' folder=''
    while [ $# -gt 0 ]; do
        case $1 in
        --results | --json)
            [ $# -gt 1 ] || say_and_die "$1 needs a FILE"
            if [ "$1" = --json ]; then json=$2; else results=$2; fi
            shift
            ;;
        -h | --help) check_usage && exit 0 ;;
        -*) say_and_die "unknown option $1" ;;
        *) folder=$1 ;;
        esac
        shift
    done
    LAB=$(cd "${0%/*}" && pwd -P) || exit 2
    NAME=${LAB##*/}
    HANDED_IN=$(cd "${folder:-$LAB}" 2>/dev/null && pwd -P) || say_and_die "no folder $folder"
    [ -z "$folder" ] || [ ! -d "$HANDED_IN/$NAME" ] || HANDED_IN=$HANDED_IN/$NAME
    RESULTS=$results JSON=$json
    WORK=$(mktemp -d "${TMPDIR:-/tmp}/tlblab-grade.XXXXXX") || exit 2
    trap 'rm -rf "$WORK"' EXIT
    trap 'exit 130' INT TERM
    mkdir "$WORK/box"
    take_submission
    ROWS=$WORK/rows
    : >"$ROWS"
    SOURCE=''
    local name
    for name in solution.c starter.c; do
        if [ -z "$SOURCE" ] && [ -f "$SUBMISSION/$name" ]; then SOURCE=$SUBMISSION/$name; fi
    done
    [ -z "$SOURCE" ] || cp "$SOURCE" "$WORK/box/program.c"
    cp "$LAB"/harness.c "$WORK/box/" 2>/dev/null
    take_answers
}

# Copies what was handed in: plain files of a reasonable size. A link to somebody's secrets, a pipe
# that never ends or a gigabyte of answers is nothing.
take_submission() {
    local file
    SUBMISSION=$WORK/submission
    mkdir "$SUBMISSION"
    for file in "$HANDED_IN"/*.c "$HANDED_IN"/*.dat "$HANDED_IN"/*.txt "$HANDED_IN"/*.p; do
        if [ -f "$file" ] && [ ! -L "$file" ] && [ -z "$(find "$file" -size +2048)" ]; then
            cp "$file" "$SUBMISSION"
        fi
    done
}

# ---- verdicts ----

# record ITEM POINTS MAX STATUS NOTE. A note may hold what a student's program said, so nothing that
# a terminal would obey is left in it.
record() {
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$NAME" "$1" "$2" "$3" "$4" "${5:--}" |
        tr -d '\000-\010\013-\037\177' >>"$ROWS"
}

award() { record "$2" "$1" "$1" pass "${3-}"; }
lose() { record "$2" 0 "$1" fail "${3//[$'\t\n']/ }"; }
untold() { record "$2" "$1" "$1" untold "${3//[$'\t\n']/ }"; }

# decide POINTS ITEM WHY COMMAND...: award when the command succeeds, else lose.
decide() {
    local points=$1 item=$2 why=$3
    shift 3
    if "$@"; then award "$points" "$item"; else lose "$points" "$item" "$why"; fi
}

# tap ROWS: the verdicts as TAP, and the sum.
tap() {
    awk -F '\t' '
        {
            got += $3
            max += $4
            marks = " (" $3 " of " $4 ")"
            printf "%s %d - %s: %s%s\n", $5 == "fail" ? "not ok" : "ok", NR, $1, $2,
                $5 == "untold" ? marks " # CANNOT TELL: " $6 : marks
            if ($6 != "-" && $5 != "untold") print "#   " $6
        }
        END { printf "1..%d\n# %d of %d points\n", NR, got, max }' "$1"
}

# results ROWS: the same as a table.
results() {
    printf '# program: grade\n'
    printf 'exercise\titem\tpoints\tmax\tstatus\tnote\n'
    cat "$1"
}

full_marks() {
    awk -F '\t' '$3 != $4 { short = 1 } END { exit short || NR == 0 }' "$1"
}

# deliver ROWS RESULTS JSON: prints TAP, writes the tables, and ends: 0 for full marks only.
deliver() {
    tap "$1"
    if [ -n "$2" ]; then results "$1" >"$2" || exit 2; fi
    if [ -n "$3" ]; then
        PATH=$LABS/../bin:$PATH command -v tojson >/dev/null ||
            say_and_die "--json needs tojson: run make, or use --results"
        results "$1" | PATH=$LABS/../bin:$PATH tojson >"$3" || exit 2
    fi
    full_marks "$1"
    exit
}

finish() { deliver "$ROWS" "$RESULTS" "$JSON"; }

# ---- programs ----

# Which compiler, in the words of its commands.
CC=${CC:-}
[ -n "$CC" ] || if command -v gcc >/dev/null; then CC=gcc; else CC=cc; fi

# box COMMAND...: in the sandbox, in the folder with program.c and harness.c. BOX_LIMITS adds limits.
# After two programs that did not end, nothing of this exercise is run any more.
BOX_LIMITS=()
box() {
    local status=0
    if [ "$STRIKES" -ge 2 ]; then
        echo 'not run: two programs before it did not end' >"$WORK/err"
        return 124
    fi
    (cd "$WORK/box" && "$LABS/sandbox" --seconds 3 ${BOX_LIMITS[@]+"${BOX_LIMITS[@]}"} "$@") \
        >"$WORK/out" 2>"$WORK/err" || status=$?
    [ "$status" -ne 124 ] || STRIKES=$((STRIKES + 1))
    return "$status"
}

# first_line FILE: of what was said, the first line, short.
first_line() { head -n 1 "$1" | cut -c 1-120; }

strict=(-std=c11 -Wall -Wextra -Wpedantic -Werror -D_POSIX_C_SOURCE=200809L)

# build PROGRAM FILE FLAG...: compiles box/FILE to box/PROGRAM; a failure is noted in $WORK/err.
build() {
    local program=$1 file=$2
    shift 2
    rm -f "$WORK/box/$program"
    BOX_LIMITS=(--memory 4096)
    box --fetch "$program" "$CC" -D_POSIX_C_SOURCE=200809L -std=c11 -w "$@" -o "$program" "$file"
    local status=$?
    BOX_LIMITS=()
    return "$status"
}

# compiles POINTS FLAG...: without a warning. What is missing loses; so does an empty folder.
compiles() {
    local points=$1
    shift
    BOX_LIMITS=(--memory 4096)
    if [ -z "$SOURCE" ]; then
        lose "$points" 'compiles without a warning' "no solution.c in $HANDED_IN"
    elif box "$CC" "${strict[@]}" -O "$@" -o program program.c; then
        award "$points" 'compiles without a warning'
    else
        lose "$points" 'compiles without a warning' "$(grep -m 1 -E 'error|warning|:' "$WORK/err")"
    fi
    BOX_LIMITS=()
}

# ask ARGUMENT...: runs box/harness; its words are in $WORK/out. 1 when there is no such program.
ask() {
    [ -x "$WORK/box/harness" ] || return 1
    box ./harness "$@"
}

# said: the last line that was printed, or why there is none.
said() {
    if [ -s "$WORK/out" ]; then tail -n 1 "$WORK/out" | cut -c 1-120; else first_line "$WORK/err"; fi
}

# expect POINTS ITEM WANTED ARGUMENT...: box/harness prints WANTED.
expect() {
    local points=$1 item=$2 wanted=$3
    shift 3
    if [ ! -x "$WORK/box/harness" ]; then
        lose "$points" "$item" 'no program to ask'
    elif ask "$@" && [ "$(said)" = "$wanted" ]; then
        award "$points" "$item"
    else
        lose "$points" "$item" "wanted $wanted, got: $(said)"
    fi
}

# holds POINTS ITEM FUNCTION LOOPS LOADS FLAG...: compiled with these flags, FUNCTION has at least so
# many loops and so many loads within them.
holds() {
    local points=$1 item=$2 function=$3 loops=$4 loads=$5 found
    shift 5
    found=$(loops "$function" "$@")
    if [ -z "$SOURCE" ]; then
        lose "$points" "$item" 'no program to look at'
    elif ! command -v objdump >/dev/null; then
        untold "$points" "$item" 'no objdump here'
    elif ! [ -f "$WORK/box/object.o" ]; then
        lose "$points" "$item" 'does not compile'
    elif [ -z "$found" ]; then
        if grep -q "<_*$function>:" "$WORK/out"; then
            untold "$points" "$item" 'the machine code of this processor is not known here'
        else
            lose "$points" "$item" "no function $function"
        fi
    elif [ "${found% *}" -ge "$loops" ] && [ "${found#* }" -ge "$loads" ]; then
        award "$points" "$item"
    else
        lose "$points" "$item" "compiled with $*: $function has ${found% *} loops, ${found#* } loads in them"
    fi
}

# loops FUNCTION FLAG...: what the object code of FUNCTION holds, as "LOOPS LOADS": jumps back, and
# loads from memory that lie within such a loop; registers that point to the stack do not count.
# Prints nothing where that cannot be told.
loops() {
    local function=$1
    shift
    command -v objdump >/dev/null || return 1
    build object.o program.c -c "$@" || return 1
    box objdump -d --no-show-raw-insn object.o || return 1
    awk -v name="$function" '
        /^[0-9a-f]+ <.*>:$/ { inside = $0 ~ "<_?" name ">"; next }
        /file format/ { arm = /aarch64|arm64/; known = arm || /x86-64/ }
        !inside || !/^ *[0-9a-f]+:/ { next }
        {
            at = $1
            sub(/:$/, "", at)
            place[at] = ++n
            mnemonic = $2
            operands = $0
            sub(/^ *[0-9a-f]+:[ \t]*[^ \t]+[ \t]*/, "", operands)
            if (arm) load[n] = mnemonic ~ /^ldr/ && operands !~ /\[(sp|x29)/
            else load[n] = mnemonic !~ /^(lea|nop|call|j)/ && operands ~ /\(%/ &&
                    operands !~ /\(%r(sp|bp)/ && operands ~ /\(%[^)]*\)(,%|$)/
            if (mnemonic !~ /^(j|b\.|b$|cbn?z|tbn?z)/) next
            count = split(operands, word, /[ ,]+/)
            for (k = 1; k <= count; k++) if (word[k] in place && place[word[k]] <= n) {
                back++
                for (i = place[word[k]]; i <= n; i++) looped[i] = 1
            }
        }
        END {
            for (i in looped) loads += load[i]
            if (known && n) print back + 0, loads + 0
        }' "$WORK/out"
}

# ---- answers and predictions ----

# tidy_pairs FILE: its `key = value` lines, keys and values trimmed, without comments and empty ones.
tidy_pairs() {
    awk '
        /^[ \t]*(#|$)/ { next }
        (cut = index($0, "=")) {
            key = substr($0, 1, cut - 1)
            value = substr($0, cut + 1)
            gsub(/^[ \t]+|[ \t\r]+$/, "", key)
            gsub(/^[ \t]+|[ \t\r]+$/, "", value)
            print key "\t" value
        }' "$1"
}

take_answers() {
    ANSWERS=$WORK/answers
    : >"$ANSWERS"
    [ ! -f "$SUBMISSION/answers.txt" ] || tidy_pairs "$SUBMISSION/answers.txt" >"$ANSWERS"
}

# value KEY: the last one given, or nothing.
value() {
    awk -F '\t' -v key="$1" '$1 == key { v = $2 } END { print v }' "$ANSWERS"
}

checksum() {
    if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

# seal KEY VALUE: what a check keeps in place of the answer. Case, blanks and commas in numbers do
# not matter, and 4 is 4.0.
seal() {
    printf '%s\t%s\t%s\n' "$NAME" "$1" "$2" | awk -F '\t' '
        {
            v = tolower($3)
            gsub(/[ ,]/, "", v)
            if (v ~ /^[-+]?[0-9]*\.?[0-9]+$/) v = sprintf("%.10g", v)
            printf "%s %s %s", $1, $2, v
        }' | checksum
}

# answer KEY POINTS SEAL: exactly right or not.
answer() {
    local given
    given=$(value "$1")
    if [ -z "$given" ]; then
        lose "$2" "answer $1" "answers.txt has no value for $1"
    elif [ "$(seal "$1" "$given")" = "$3" ]; then
        award "$2" "answer $1"
    else
        lose "$2" "answer $1" "'$given' is not it"
    fi
}

# prose KEY POINTS: at least five words, for a person to read.
prose() {
    local words
    words=$(value "$1" | wc -w)
    if [ "$words" -ge 5 ]; then
        award "$2" "answer $1" 'present; a person reads it'
    else
        lose "$2" "answer $1" "answers.txt has no sentence for $1"
    fi
}

# prediction POINTS TABLE...: predict.txt is filled, and it is the one that labs/run has sealed into
# every TABLE before it measured.
prediction() {
    local points=$1 item='prediction made before measuring' file hash sealed
    shift
    file=$SUBMISSION/predict.txt
    if [ ! -f "$file" ]; then
        lose "$points" "$item" 'no predict.txt'
        return
    fi
    if ! unfilled "$file" "$LAB/predict.txt"; then
        lose "$points" "$item" "predict.txt is not filled"
        return
    fi
    hash=$(checksum <"$file")
    for file; do
        sealed=$(sed -n 's/^# prediction_sha256: *//p' "$SUBMISSION/$file" 2>/dev/null | head -n 1)
        if [ -z "$sealed" ]; then
            lose "$points" "$item" "$file has no seal: labs/run ${NAME%%-*} makes it"
            return
        elif [ "$sealed" != "$hash" ]; then
            lose "$points" "$item" "predict.txt was changed after $file was measured"
            return
        fi
    done
    award "$points" "$item"
}

# unfilled FILE TEMPLATE: fails when a key of the template has no value in FILE.
unfilled() {
    local key
    while IFS=$'\t' read -r key _; do
        tidy_pairs "$1" | awk -F '\t' -v key="$key" '$1 == key && $2 != "" { ok = 1 } END { exit !ok }' ||
            return 1
    done < <(tidy_pairs "$2")
}

# ---- tables ----

# column FILE NAME...: the columns of a table by name, tab-separated. Fails where one is missing.
column() {
    local file=$1
    shift
    awk -F '\t' -v names="$*" '
        BEGIN { count = split(names, name, " ") }
        /^#/ { next }
        !head {
            head = 1
            for (i = 1; i <= NF; i++) at[$i] = i
            for (i = 1; i <= count; i++) if (!(name[i] in at)) { missing = 1; exit }
            next
        }
        { for (i = 1; i <= count; i++) printf "%s%s", $(at[name[i]]), i < count ? "\t" : "\n" }
        END { exit missing || !head }' "$file"
}

# legal FILE NAME...: says what is wrong with a table that should have these columns of numbers.
legal() {
    local file=$1 rows
    shift
    [ -f "$file" ] || { echo "no ${file##*/}" && return 1; }
    if ! rows=$(column "$file" "$@"); then
        echo "${file##*/}: wants a header with the columns $*"
    elif [ -z "$rows" ]; then
        echo "${file##*/}: no rows"
    elif awk -F '\t' '/^#/ { if (rows) exit 1; next } { rows = 1; if (!n) n = NF; if (NF != n) exit 1 }
        END { exit 0 }' "$file"; then
        if grep -Eqv '^[-0-9.e+'$'\t'']+$' <<<"$rows"; then
            echo "${file##*/}: not a number: $(grep -Ev -m 1 '^[-0-9.e+'$'\t'']+$' <<<"$rows")"
        elif grep -Eq '(^|'$'\t'')-' <<<"$rows"; then
            echo "${file##*/}: a negative number"
        else
            return 0
        fi
    else
        echo "${file##*/}: rows of different length, or a '#' line after the header"
    fi
    return 1
}

# setting FILE KEY: the number in a `# key: value` line.
setting() {
    sed -n "s/^# $2: *\([0-9]*\).*/\1/p" "$1" | head -n 1
}

# whole_rounds FILE: every sum is that of whole rounds over the pages: (references / pages) * pages.
whole_rounds() {
    local refs
    refs=$(setting "$1" 'total number of references')
    [ -n "$refs" ] || { echo "${1##*/}: no line '# total number of references: N'" && return 1; }
    column "$1" pages sum | awk -F '\t' -v refs="$refs" '
        $1 < 1 { print "pages " $1; bad = 1; exit }
        $2 != refs - refs % $1 { print $1 " pages: sum " $2 ", not " refs - refs % $1; bad = 1; exit }
        END { exit bad }'
}

# prints POINTS FLAG...: compiled with these flags, the program prints a legal lab table in which
# every sum is that of whole rounds.
prints() {
    local points=$1 item='the program prints a legal table with whole rounds' problem
    shift
    if [ -z "$SOURCE" ] || ! build small program.c -O "$@"; then
        lose "$points" "$item" 'no program to run'
    elif ! box ./small; then
        lose "$points" "$item" "the program failed: $(first_line "$WORK/err")"
    elif problem=$(legal "$WORK/out" pages proc sum && whole_rounds "$WORK/out"); then
        award "$points" "$item"
    else
        lose "$points" "$item" "${problem#out: }"
    fi
}

# measured POINTS TABLE LAST [KINDS]: the student's own table is legal, its sums are those of whole
# rounds, its rows go to LAST pages, and its times are not all the same (KINDS is 1 where they may be,
# because a compiler may drop the loop). How long they are is nobody's business.
measured() {
    local problem file=$SUBMISSION/$2 item="$2: your measurement"
    if problem=$(legal "$file" pages proc sum && whole_rounds "$file" &&
        varied "$file" proc "$3" "${4:-2}"); then
        award "$1" "$item"
    else
        lose "$1" "$item" "$problem"
    fi
}

# varied FILE COLUMN LAST KINDS: the column has so many different values, and column pages goes to LAST.
varied() {
    column "$1" pages "$2" | awk -F '\t' -v last="$3" -v want="$4" -v name="${1##*/}" '
        { most = $1 > most ? $1 : most; if (!seen[$2]++) kinds++ }
        END {
            if (most < last) print name ": ends at " most + 0 " pages, not at " last
            else if (kinds < want) print name ": all times are the same"
            else exit 0
            exit 1
        }'
}

# cell FILE PAGES COLUMN: the value in the row of so many pages.
cell() {
    column "$1" pages "$3" 2>/dev/null | awk -F '\t' -v pages="$2" '$1 == pages { v = $2 } END { print v }'
}

# slower POINTS ITEM A B WHY: B is half as much again as A, or it cannot be told, and WHY.
slower() {
    if [ -z "$3" ] || [ -z "$4" ]; then
        lose "$1" "$2" 'nothing was measured'
    elif awk -v a="$3" -v b="$4" 'BEGIN { exit !(b > 1.5 * a) }'; then
        award "$1" "$2"
    else
        untold "$1" "$2" "$4 beside $3: $5"
    fi
}
