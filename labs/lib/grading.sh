# grading.sh: the functions that every check of an exercise uses. labs/NN-slug/check sources it first:
#
#     . "${0%/*}/../lib/grading.sh"
#     begin "$@"
#     compiles 1
#     answer row_sum 2
#     finish
#
# It sets LAB (the folder of the exercise), SUBMISSION (a copy of what was handed in), SOURCE (its solution.c,
# or empty), MACHINE (the description of the student's machine that --id and --secret make, else empty) and
# WORK (a temporary folder). Its verdicts are `award`, `lose`, `inconclusive` for "cannot tell", which costs
# nothing, and `postpone` for what others mark, with `-` for points. Programs of students run in labs/lib/sandbox
# only, for LABS_SECONDS of processor time each (3); the check itself computes the expected output.
# shellcheck shell=bash

set -u
. "${BASH_SOURCE[0]%/*}/environment.sh"
LABS=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P) || exit 2
. "$LABS/lib/cgroups.sh"
. "$LABS/lib/execute.sh"
. "$LABS/lib/programs.sh"
. "$LABS/lib/questions.sh"
. "$LABS/lib/accesses.sh"
. "$LABS/lib/chains.sh"
. "$LABS/lib/answers.sh"
. "$LABS/lib/tables.sh"
ROWS='' SPENT=0 UNMADE='' BROKEN='' WEAK='' VERBOSE='' ALONE=${LABS_ALONE-} SURE=''
unset LABS_ALONE
enter_scope "$0" "$@"

check_usage() {
    cat <<'TEXT'
Usage: check [-v] [--results FILE] [--json FILE] [--id ID --secret FILE] [--weak] [FOLDER]
Grades this exercise: the work in FOLDER, or in the exercise's own folder. Prints what lost points, and why.
  -v, --verbose   prints what has its points, too
  --results FILE  also writes the marks as a table
  --json FILE     also writes them as JSON (needs tojson)
  --id ID, --secret FILE
                  the student, and the secret that their machine is made from; for teachers
  --weak          goes on where labs/lib/sandbox cannot isolate a program: for your own programs
TEXT
}

# begin ARGUMENT...: reads the command line of a check.
begin() {
    local results='' json='' folder='' id='' secret='' name
    ARGUMENTS=("$@")
    while [ $# -gt 0 ]; do
        case $1 in
        --results | --json | --id | --secret)
            [ $# -gt 1 ] || die "$1 needs a value"
            declare "${1#--}=$2"
            shift
            ;;
        --weak) WEAK=yes ;;
        -v | --verbose) VERBOSE=cat ;;
        -h | --help) print check_usage && exit 0 ;;
        -*) die "unknown option $1" ;;
        *) folder=$1 ;;
        esac
        shift
    done
    LAB=$(cd "${0%/*}" && pwd -P) || exit 2
    NAME=${LAB##*/}
    find_work "$folder"
    require_sandbox
    WORK=$(mktemp -d "${TMPDIR:-/tmp}/tlblab-grade.XXXXXX") || exit 2
    trap 'rm -rf "$WORK"' EXIT
    trap 'exit 130' INT TERM
    hide_the_rest "$secret"
    SUBMISSION=$WORK/submission
    mkdir "$WORK/files" "$SUBMISSION"
    for name in out err ending strikes rows; do : >"$WORK/$name"; done
    make_machine "$id" "$secret"
    # Each run of a check draws new random inputs; with LABS_SEED they are the same.
    [[ ! ${LABS_SEED-} =~ ^[0-9]+$ ]] || RANDOM=$LABS_SEED
    take_submission
    RESULTS=$results JSON=$json ROWS=$WORK/rows SOURCE=''
    if [ -f "$SUBMISSION/solution.c" ]; then
        SOURCE=$SUBMISSION/solution.c
        cp "$SOURCE" "$WORK/files/program.c"
    fi
    take_answers
}

# require_sandbox: ends with status 2 where programs of students cannot be isolated, unless --weak is given:
# then the first line of the output says what is missing. `grade` asks for all its checks.
require_sandbox() {
    local said
    [ -z "${LABS_SANDBOX-}" ] || return 0
    if ! said=$("$LABS/lib/sandbox" ${WEAK:+--weak} --report 2>&1) && ! said=$("$LABS/lib/sandbox" ${WEAK:+--weak} --alone --report 2>&1); then
        said=${said##*sandbox: refused } said=${said%; --weak goes on without}
        die "programs of students cannot be isolated: $said; --weak goes on without, see labs/lib/SYSTEMS.md"
    fi
    case $said in weak:*) echo "# ${said%%$'\n'*}" ;; esac
    export LABS_SANDBOX=asked
}

# find_work FOLDER: sets HANDED_IN, the folder of the work.
find_work() {
    local folder=$1
    HANDED_IN=$(cd "${folder:-$LAB}" 2>/dev/null && pwd -P) || no_folder "$folder"
    # A link could lead to somebody else's work.
    if [ -L "$HANDED_IN/$NAME" ]; then
        remark 'a link, which is not followed'
    elif [ -n "$folder" ] && [ -d "$HANDED_IN/$NAME" ]; then
        HANDED_IN=$HANDED_IN/$NAME
    fi
}

# hide_the_rest SECRET: hides what programs of students must not see.
hide_the_rest() {
    local secret=$1 folder
    # There may be other submissions next to this one; LABS_HIDE names more of them, one path a line.
    out_of_sight "$LABS" "$WORK" "$HANDED_IN" "${HANDED_IN%/*}"
    [ -z "$secret" ] || out_of_sight "$(cd "$(dirname "$secret")" && pwd -P)/${secret##*/}"
    while IFS= read -r folder; do out_of_sight "$folder"; done <<<"${LABS_HIDE-}"
}

# runs_of LAB: the rows of this exercise in lib/runs, without its number: see labs/run.
runs_of() {
    local name=${1##*/} number row
    while read -r number row; do [ "$number" != "${name%%-*}" ] || printf '%s\n' "$row"; done <"$LABS/lib/runs"
}

# files_of LAB: the names of what is handed in for this exercise.
files_of() {
    local measured
    mapfile -t measured < <(runs_of "$1")
    printf '%s\n' solution.c predict.txt answers.txt tlb.p ${measured[@]+"${measured[@]%% *}"}
}

# Copies what was handed in: plain files of a reasonable size. It ignores links (to somebody's secrets),
# pipes (that never end) and huge files. An unreadable file is not the student's mistake: it ends the check.
# While this runs the folder may change, so each file is opened once, and not through a link; the rest is decided on the copy.
# Carriage returns, with which Windows ends lines, are removed.
take_submission() {
    local file
    (cd "$HANDED_IN" 2>/dev/null && copy_files) || exit 2
    (
        cd "$SUBMISSION" || exit
        find . -type f -size +2048 | while IFS= read -r file; do rm "$file" && remark "${file#./}: larger than 1 MiB, so it is ignored"; done
        for file in *; do
            [ ! -f "$file" ] || is_plain "$file" || { plain_text "$file" >"$WORK/out" && cp "$WORK/out" "$file"; } || no_room
        done
        true
    ) || exit 2
}
copy_files() {
    local file said
    [ -r . ] || die "$HANDED_IN: cannot be read"
    [ "$(pwd -P)" = "$HANDED_IN" ] || { remark 'a link, which is not followed' && return; }
    files_of "$LAB" | while read -r file; do
        if [ ! -f "$file" ]; then
            continue
        elif [ -L "$file" ]; then
            remark "$file: a link, which is not followed"
        elif [ ! -r "$file" ]; then
            die "$HANDED_IN/$file: cannot be read"
        elif ! said=$(dd if="./$file" of="$SUBMISSION/$file" iflag=nofollow,nonblock,count_bytes,fullblock bs=64K count=1048577 status=none 2>&1); then
            [[ $said == *'failed to open'* ]] || no_room
            remark "$file: a link, which is not followed"
        fi
    done
}

no_room() { die "no room in $WORK"; }

remark() { printf '%s\n' "${0##*/}: $NAME: ${*//$'\n'/ }" | clean >&2; }

no_folder() {
    [ ! -d "$1" ] || die "$1: cannot be read"
    [ ! -e "$1" ] || die "$1 is not a folder"
    die "no folder $1"
}

# ---- verdicts ----

# The item of the last verdict, and its status. TRY is the command that shows why it failed: if there is none, that which
# asks the last question, ASKED, again.
ITEM='' VERDICT='' TRY='' ASKED=()

# record ITEM POINTS MAX STATUS NOTE. A note may quote a student's program, so it is cut short, and
# control characters and names of temporary files are replaced. After it comes TRY.
record() {
    local note=${5:0:1000}
    note=${note//[$'\t\n']/ }
    note=${note//[! -~]/?}
    while [[ $note =~ /[^\ ]*/cc[A-Za-z0-9]*\.o ]]; do
        note=${note/"${BASH_REMATCH[0]}"/program.o}
    done
    [ ${#note} -le 240 ] || note=${note:0:240}...
    if [ "$4" = fail ] && [[ $note != 'not counted: '* && $note != 'not run: '* ]]; then
        [ -n "$TRY" ] || [ ${#ASKED[@]} -eq 0 ] || TRY=$(PROGRAM=${ASKED[0]} typed "${ASKED[@]:1}")
        [ -z "$TRY" ] || note+="${note:+; }try: $TRY"
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$NAME" "$1" "$2" "$3" "$4" "${note:--}" >>"$ROWS" || no_room
    ITEM=$1 VERDICT=$4 TRY='' ASKED=()
    : >"$WORK/ending"
    [ ! -e "$WORK/unsure" ] || rm "$WORK/unsure"
}

award() { record "$2" "$1" "$1" pass "${3-}"; }

# lose POINTS ITEM WHY. If a program since the last verdict did not end by itself, that is the reason given, not
# its consequences; and what this machine could not run costs no points, nor what needs a program that it could not make
# (UNMADE). SURE: no program was needed.
lose() {
    local why=$3 unsure=$UNMADE ending
    case $BROKEN/$why in there*/*'no program'* | there*/'no '*.dat) why="not counted: $BROKEN" ;; esac
    [ ! -s "$WORK/unsure" ] || unsure=$(<"$WORK/unsure")
    if [ -z "$SURE" ] && [[ -n $unsure && $why != 'no '*.dat ]]; then
        inconclusive "$1" "$2" "$unsure"
        return
    fi
    ending=$(<"$WORK/ending")
    if [ -z "$SURE" ] && [ -n "$ending" ] && [[ $ending == 'not run'* || $why != ?*" ($ending)" ]]; then why=$ending; fi
    record "$2" 0 "$1" fail "$why"
}

inconclusive() { record "$2" "$1" "$1" inconclusive "$3"; }

# postpone POINTS ITEM STATUS WHY: somebody else gives the points: `later` the teacher's check, `unread` a person.
postpone() { record "$2" - "$1" "$3" "$4"; }

# decide POINTS ITEM WHY COMMAND...: award when the command succeeds, else lose.
decide() {
    local points=$1 item=$2 why=$3
    shift 3
    if "$@"; then award "$points" "$item"; else lose "$points" "$item" "$why"; fi
}

# central: the last item is what the exercise is about. When it fails, the program did not measure what was
# asked for, and `spoilt` takes the points for its measurements.
central() { [ "$VERDICT" != fail ] || BROKEN=${BROKEN:-"fix first: $ITEM"}; }

# spoilt POINTS ITEM: loses the points of an item that needs what BROKEN names; else fails.
spoilt() {
    local SURE='' # it needs a program
    [ -n "$BROKEN" ] || return 1
    : >"$WORK/ending"
    lose "$1" "$2" "not counted: $BROKEN"
}

# Some programs have several functions, and measure with each. `of WAY COMMAND...` is an item about one
# of them; `by WAY COMMAND...` is an item that is worth nothing when one of those has failed.
declare -A WRONG
of() {
    local way=$1
    shift
    "$@"
    [ "$VERDICT" != fail ] || WRONG[$way]=${WRONG[$way]:-"fix first: $ITEM"}
}
by() {
    local way=$1 broken=$BROKEN
    shift
    BROKEN=${BROKEN:-${WRONG[$way]-}}
    "$@"
    BROKEN=$broken
}

# by_toolkit COMMAND...: an item about a table of the toolkit's own programs: a mistake in the student's
# program does not spoil it, but there has to be one.
by_toolkit() {
    local broken=$BROKEN status=0
    [ -z "$COMPILED" ] || BROKEN=''
    "$@" || status=$?
    BROKEN=$broken
    return "$status"
}

# needing COMMAND POINTS ITEM...: an item that is worth nothing without what BROKEN names.
needing() { spoilt "$2" "$3" || "$@"; }

# tap ROWS: the verdicts as TAP, and the sum. Items that are not counted for the same reason share a line, and so do
# answers that are not there.
tap() {
    awk -F '\t' '
        {
            why = $6
            if (why ~ /^answers.txt has no /) sub(/ [^ ]*$/, "", why)
            k = (why != $6 || why ~ /^not counted: /) && ($1, why) in line ? line[$1, why] : ++count
            line[$1, why] = k
            item[k] = ++items[k] == 1 ? $2 : items[k] " items"
            note[k] = items[k] > 1 && why != $6 ? note[k] "," substr($6, length(why) + 1) : $6
            name[k] = $1; got[k] += $3; max[k] += $4; status[k] = $5
            all_max += $4
            if ($3 == "-") { open[$5]++; worth[$5] += $4; next }
            all_got += $3
            if ($5 == "inconclusive") open[$5] += $4
        }
        function count_of(number, what) { return number " " what (number == 1 ? "" : "s") }
        function some(kind, what, done) {
            return open[kind] ? "; " count_of(open[kind], "more " what) ", " count_of(worth[kind], "point") ", " \
                (open[kind] == 1 ? "is " : "are ") done : ""
        }
        END {
            for (k = 1; k <= count; k++) {
                printf "%s %d - %s: %s", status[k] == "fail" ? "not ok" : "ok", k, name[k], item[k]
                if (status[k] ~ /^(later|unread)$/) { print ": " note[k]; continue }
                printf " (%s of %s)%s\n", got[k], max[k], status[k] == "inconclusive" ? " # CANNOT TELL: " note[k] : ""
                if (note[k] != "-" && status[k] != "inconclusive") {
                    sub(/; try: /, "\n#   try: ", note[k])
                    print "#   " note[k]
                }
            }
            printf "1..%d\n# %d of %d points%s%s%s\n", count, all_got, all_max,
                open["inconclusive"] ? ", of which " open["inconclusive"] " CANNOT TELL" : "",
                some("later", "answer", "marked later"), some("unread", "sentence", "read by a person")
        }' "$1"
}

# lost: of such TAP on stdin, what lost points or cannot be told, and the sum.
lost() {
    awk '
        /^1\.\./ { next }
        /^(not )?ok / { shown = /^not/ || / # CANNOT TELL: /; n += /^not/ }
        /^# [0-9]/ { shown = 1; if (n > 1) print "# next: the first of these; others may follow from it" }
        shown'
}

print_lines() { [ $# -eq 0 ] || printf '%s\n' "$@"; }

# results ROWS: the same as a table.
results() {
    local lines
    mapfile -t lines <"$1"
    printf '# program: grade\n'
    printf 'exercise\titem\tpoints\tmax\tstatus\tnote\n'
    print_lines ${lines[@]+"${lines[@]}"}
}

full_marks() {
    local points max
    [ -s "$1" ] || return
    while IFS=$'\t' read -r _ _ points max _; do [ "$points" = "$max" ] || [ "$points" = - ] || return; done <"$1"
}

# deliver ROWS RESULTS JSON [FILTER]: prints TAP, through FILTER, writes the tables, and ends: 0 for full marks only.
deliver() {
    # `grade` reads the table alone.
    [ /dev/fd/1 -ef /dev/null ] || { tap "$1" | "${4:-cat}"; } 2>/dev/null || die 'cannot write the output'
    if [ -n "$2" ]; then
        { results "$1" >"$2"; } 2>/dev/null || die "$2: cannot be written"
    fi
    if [ -n "$3" ]; then
        PATH=$LABS/../bin:$PATH command -v tojson >/dev/null ||
            die "--json needs tojson: run make, or use --results"
        { results "$1" | PATH=$LABS/../bin:$PATH tojson >"$3"; } 2>/dev/null ||
            die "$3: cannot be written"
    fi
    full_marks "$1"
    exit
}

# finish: the last line of a check. An exercise in doubt is graded again from the beginning, alone.
finish() {
    if [ -e "$WORK/again" ]; then
        rm -rf "$WORK"
        LABS_ALONE=yes exec "$0" ${ARGUMENTS[@]+"${ARGUMENTS[@]}"}
    fi
    if untouched; then
        awk -F '\t' -v OFS='\t' '{ max += $4 } END { print $1, "not handed in", 0, max, "fail", "-" }' "$ROWS" >"$WORK/row"
        mv "$WORK/row" "$ROWS"
    fi
    deliver "$ROWS" "$RESULTS" "$JSON" "${VERBOSE:-lost}"
}

# untouched: nothing in the folder is the student's own.
untouched() {
    local values="${GIVEN[*]-}" table
    [ -z "${values// /}" ] || return
    [ -z "$SOURCE" ] || cmp -s "$SOURCE" "$LAB/starter/solution.c" || return
    while read -r table _; do [ ! -e "$SUBMISSION/$table" ] || return; done < <(runs_of "$LAB")
    [ ! -e "$SUBMISSION/tlb.p" ] || cmp -s "$SUBMISSION/tlb.p" "$LAB/starter/tlb.p" || return
    ! grep -q '^[^#]*=[[:space:]]*[^[:space:]]' "$SUBMISSION/predict.txt" 2>/dev/null
}
