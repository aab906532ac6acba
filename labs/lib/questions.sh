# questions.sh: the part of grading.sh that runs a student's program with arguments, and judges what it prints and
# which memory it accesses. The right answers are computed here, where no program of a student runs.
# shellcheck shell=bash disable=SC2030,SC2031,SC2034,SC2128,SC2153,SC2154,SC2178 # of grading.sh and execute.sh

# A question is a run of PROGRAM, `WAY:ROUND:PROGRAM ARGUMENT...`. WAY is trace where a list of its accesses is needed,
# else plain. With another ROUND, the same question is asked once more.
PROGRAM=program ROUND='' COLLECTING=''
declare -A ANSWER_OF=() # question -> the folder of its answer: output, err, accesses and how
REPORTS=0
tracing=trace
PATH=$SAFE_PATH type -P valgrind >/dev/null || tracing=plain

# together FUNCTION: calls it, a part of a check, when all its questions have been asked, in one start of the sandbox:
# no question finds anything of an earlier one (apart.c). To know them, it is called once before without marks, and
# with the same random numbers. A question that depends on an answer, or did not come to its end, is asked when its
# turn comes.
together() {
    local seed=$((RANDOM << 15 | RANDOM))
    if [ -n "$COMPILED" ] && [ -z "$ALONE" ] && may_run; then
        : >"$WORK/questions"
        (
            COLLECTING=yes RANDOM=$seed # a shell of its own draws others
            record() { ITEM=$1 VERDICT=pass; }
            "$1"
        ) >/dev/null 2>&1
        ask_all
    fi
    RANDOM=$seed
    "$1"
}

# ask_all: asks what is in WORK/questions.
ask_all() {
    local way question keys=()
    declare -A ways=()
    while IFS=$'\t' read -r way question; do
        [ -n "${ways[$question]-}" ] || keys+=("$question")
        [ "${ways[$question]-}" = trace ] || ways[$question]=$way
    done <"$WORK/questions"
    [ ${#keys[@]} -gt 0 ] || return
    for question in "${!keys[@]}"; do keys[question]=${ways[${keys[question]}]}:${keys[question]}; done
    for question in "${keys[@]}"; do requested "$question"; done >"$WORK/requests"
    sandboxed --file 1024 --questions "$WORK/requests"
    take_answers_of "${keys[@]}"
}

# requested QUESTION: the words that apart reads.
requested() {
    local words=()
    read -ra words <<<"${1#*:*:}"
    printf '%s\0' "${1%%:*}" ${#words[@]} "./${words[0]}" "${words[@]:1}"
}

# take_answers_of QUESTION...: reads the report of apart. Among several, one whose end was perhaps the machine's fault has
# no answer yet, and is asked alone. HOW is how the only one ended.
take_answers_of() {
    local question how status used wall count report answer k=0
    REPORTS=$((REPORTS + 1)) report=$WORK/report.$REPORTS
    tar -xmof "$WORK/out" --one-top-level="$report" 2>/dev/null
    for question; do
        k=$((k + 1)) answer=$report/$k
        { read -r how status used wall count <"$answer/how"; } 2>/dev/null || return
        how+=" $status"
        if [ $# -eq 1 ]; then
            case $HOW in memory*) how=$HOW ;; *) HOW=$how ;; esac
        else
            SPENT=$((SPENT + used / 1000))
            case $how in time* | idle* | late* | signal\ 9) continue ;; esac
        fi
        case $how in ended*) status=${how#* } ;; signal*) status=$((128 + ${how#* })) ;; *) status=124 ;; esac
        { echo "$status $used $wall $count" && in_words "$how"; } >"$answer/how"
        ANSWER_OF[$question]=$answer
    done
}

# our_program SOURCE: sets OURS, a program of the toolkit's own, which is compiled once for all that `grade` or
# `marks` grade, in the folder LABS_KEPT.
our_program() {
    OURS=${1##*/} OURS=${LABS_KEPT:-$WORK}/${OURS%.c}
    [ ! -x "$OURS" ] || return 0
    "${compiler[@]}" -std=c11 -O2 -o "$OURS.$$" "$1" || die "${1##*/} does not compile"
    mv "$OURS.$$" "$OURS"
}

# ask_as WAY ARGUMENT..., run_program ARGUMENT..., and, with a list where there is valgrind, trace_program: the answer to
# this question is then in OUT, ERR and LIST (its accesses, where WAY is trace), and STATUS, USED_US (of the processor),
# WALL_US and INSTRUCTIONS are what it used. Fails when the program did, or there is none.
OUT='' ERR='' LIST='' STATUS=0 USED_US=0 WALL_US=0 INSTRUCTIONS=0
ask_as() {
    local way=$1 question="$ROUND:$PROGRAM ${*:2}" answer ending
    ASKED=("$PROGRAM" "${@:2}")
    : >"$WORK/ending"
    OUT=/dev/null ERR=/dev/null LIST=/dev/null STATUS=2
    if [ -n "$COLLECTING" ]; then
        printf '%s\t%s\n' "$way" "$question" >>"$WORK/questions"
        return 0
    fi
    [ -x "$WORK/files/$PROGRAM" ] || return
    # A list serves for both ways.
    if [ -n "${ANSWER_OF[trace:$question]-}" ]; then way=trace; fi
    question=$way:$question
    if [ -z "${ANSWER_OF[$question]-}" ]; then
        requested "$question" >"$WORK/requests"
        QUESTION=$question contained --file 1024 --questions "$WORK/requests"
    fi
    answer=${ANSWER_OF[$question]-}
    [ -n "$answer" ] || return
    OUT=$answer/output ERR=$answer/err LIST=$answer/accesses
    { read -r STATUS USED_US WALL_US INSTRUCTIONS && { ! read -r ending || echo "$ending" >"$WORK/ending"; }; } <"$answer/how"
    return "$STATUS"
}

run_program() { ask_as plain "$@"; }
trace_program() { ask_as "$tracing" "$@"; }

# typed ARGUMENT...: what a student types to ask the same, with a small file that only the check has; nothing where that is large.
typed() {
    local word
    for word; do
        [ -f "$WORK/files/$word" ] && [ ! -f "$SUBMISSION/$word" ] || continue
        [ -z "$(find "$WORK/files/$word" -size +1)" ] || return
        printf 'echo %q >%s && ' "$(<"$WORK/files/$word")" "$word"
    done
    [ "$PROGRAM" = program ] || printf 'gcc %s -o program solution.c && ' "${FLAGS_OF[$PROGRAM]/elsewhere.h/../lib/elsewhere.h}"
    echo "./program${*:+ $*}"
}

# ask FUNCTION ARGUMENT...: the same of `program call FUNCTION ARGUMENT...`; LAST is the last line that it printed.
LAST=''
ask() {
    local lines=() status=0
    ask_as plain call "$@" || status=$?
    mapfile -t lines <"$OUT"
    LAST=''
    [ ${#lines[@]} -eq 0 ] || LAST=${lines[-1]}
    return "$status"
}

# said: the last line of the output, or the first of stderr when there is none.
said() {
    if [ -n "$LAST" ]; then printf '%s\n' "${LAST:0:120}"; else first_line "$ERR"; fi
}

# ending: how the last program ended, where that is not said otherwise.
ending() {
    local said
    if [ -s "$WORK/ending" ]; then
        echo " ($(cat "$WORK/ending"))"
    elif [ "$STATUS" -ne 0 ]; then
        said=$(first_line "$ERR")
        echo " (status $STATUS)${said:+ $said}"
    fi
}

# judge POINTS ITEM QUESTION COMMAND...: COMMAND prints what is wrong with the answer, in OUT.
judge() { judge_as plain "$@"; }

# judge_accesses POINTS ITEM QUESTION COMMAND...: the same where COMMAND needs the accesses, in LIST.
judge_accesses() {
    if [ -n "$COMPILED" ] && [ "$tracing" = plain ]; then
        inconclusive "$1" "$2" 'no valgrind here, which lists the accesses to memory'
    else
        judge_as trace "$1" "$2" "$3" listed "${@:4}"
    fi
}
listed() {
    if [ "$INSTRUCTIONS" = - ]; then echo 'its accesses could not be listed: there the program may only compute, read a clock and print'; else "$@"; fi
}

judge_as() {
    examine "$1" "${@:4}"
    decide "$2" "$3" "$PROBLEM" test -z "$PROBLEM"
}

# examine WAY QUESTION COMMAND...: sets PROBLEM, what is wrong with the answer; fails if something is. An item about several
# questions ends with the first that does, so that its note is about that one.
PROBLEM=''
examine() {
    local question
    read -ra question <<<"$2"
    PROBLEM=''
    if ask_as "$1" "${question[@]}"; then
        [ -n "$COLLECTING" ] || { "${@:3}" >"$WORK/problem"; read -r -d '' PROBLEM <"$WORK/problem"; }
    elif [ ! -x "$WORK/files/$PROGRAM" ]; then
        PROBLEM='no program to ask'
    else
        PROBLEM="the program failed$(ending)"
    fi
    [ -z "$PROBLEM" ]
}

# expect_all POINTS ITEM [WANTED QUESTION]...: the last line that `program call QUESTION` prints is WANTED, for each.
# expect POINTS ITEM WANTED FUNCTION ARGUMENT...: the same of one question.
expect_all() {
    local k
    for ((k = 3; k < $#; k += 2)); do examine plain "call ${*:k+1:1}" last_line "${@:k:1}" || break; done
    decide "$1" "$2" "$PROBLEM" test -z "$PROBLEM"
}
expect() { expect_all "$1" "$2" "$3" "${*:4}"; }
last_line() {
    local lines LAST=''
    mapfile -t lines <"$OUT"
    [ ${#lines[@]} -eq 0 ] || LAST=${lines[-1]}
    [ "$LAST" = "$1" ] || echo "wanted $1, got: $(said)"
}

# remade POINTS ITEM TABLE COLUMN ARGUMENT...: the program prints the table that was handed in, which has this column.
remade() {
    local points=$1 item=$2 table=$SUBMISSION/$3 column=$4 problem
    spoilt "$points" "$item" && return
    if ! problem=$(legal "$table" "$column"); then
        lose "$points" "$item" "$problem"
    else
        judge "$points" "$item" "${*:5}" prints_rows "$table"
    fi
}
prints_rows() {
    cmp -s "$OUT" <(grep -v '^# prediction' "$1") || echo 'your program prints something else: measure again'
}

# prints_time POINTS ITEM LOADS ARGUMENT...: the nanoseconds that the program prints are those of one of LOADS loads: at
# least a third of its processor time (it may warm up before), and no more than its time on the clock, as both are seen
# from outside.
prints_time() {
    judge "$1" "$2" "${*:4}" plausible_ns "$3"
}
plausible_ns() {
    awk -v loads="$1" -v used_us="$USED_US" -v wall_us="$WALL_US" '
        { ns = $NF }
        END {
            took = ns * loads / 1e9
            used = used_us / 1e6
            measured = ns " ns for each of " loads " loads; the program used " used " s of the processor for all: "
            if (used < loads / 3e10) print measured "the compiler has removed the loop"
            else if (took < used / 300) print measured "is it in ns, and the loop between the two readings of the clock?"
            else if (took < used / 3 - 0.005 || ns < 0.05) print measured "is the loop between the two readings of the clock?"
            else if (took > 1.2 * wall_us / 1e6 + 0.005) print measured "is it the time of one, in ns?"
        }' "$OUT"
}
