# questions.sh: the part of grading.sh that runs programs of students with arguments, and judges what they print and
# which memory they access. All questions of an exercise are asked in one start of the sandbox, each in a process of
# its own (apart.c); what is right is computed here, where no program of a student runs.
# shellcheck shell=bash disable=SC2034,SC2154 # of grading.sh and execute.sh

# question KEY PROGRAM ARGUMENT..., and accesses KEY PROGRAM ARGUMENT...: something to run. Of the latter the
# accesses to memory are listed, too. `compile` runs them.
KEYS=() RUNS=()
declare -A ASKED=()
question() { add_question plain "$@"; }
accesses() { add_question "$tracing" "$@"; }
add_question() {
    KEYS+=("$2")
    ASKED[$2]=${#RUNS[@]}:$(($# - 1))
    RUNS+=("$1" "./$3" "${@:4}")
}
tracing=trace
command -v valgrind >/dev/null || tracing=plain

# ask_all: of KEY there are then WORK/answers/KEY.out, .err, .accesses and .how: its status, the microseconds of
# processor time, and how many instructions it executed. Those that did not come to their end are asked again, alone.
ask_all() {
    local key all=()
    mkdir "$WORK/answers"
    apart_program
    for key in "${KEYS[@]}"; do all+=(/ "${RUNS[@]:${ASKED[$key]%:*}:${ASKED[$key]#*:}}"); done
    if [ -z "$ALONE" ] && [ ${#KEYS[@]} -gt 1 ] && may_run; then
        sandboxed "${asking[@]}" --seconds $((${#KEYS[@]} * ${LABS_SECONDS:-3})) ./apart "${LABS_SECONDS:-3}" "${all[@]:1}"
        SPENT=$((SPENT + USED))
        [ "$HOW" != 'ended 0' ] && [ "$HOW" != 'ended 3' ] || take_answers_of "${KEYS[@]}"
    fi
    for key in "${KEYS[@]}"; do [ -e "$WORK/answers/$key.how" ] || ask_alone "$key"; done
}
asking=(--file 65536)

ask_alone() {
    local LIMITS=("${LIMITS[@]}" "${asking[@]}")
    if box ./apart 0 "${RUNS[@]:${ASKED[$1]%:*}:${ASKED[$1]#*:}}" || [ "$HOW" = 'ended 3' ]; then take_answers_of "$1"; fi
    [ -e "$WORK/answers/$1.how" ] || cp "$WORK/ending" "$WORK/answers/$1.ending"
}

# take_answers_of KEY...: reads what apart printed. Those that a signal of its limits ended have no answer.
take_answers_of() {
    local key status used out err list count
    for key; do
        read -r status used out err list count || return
        head -c "$out" >"$WORK/answers/$key.out"
        head -c "$err" >"$WORK/answers/$key.err"
        head -c "$list" >"$WORK/answers/$key.accesses"
        case $status in 137 | 152) [ -n "$ALONE" ] || continue ;; esac
        echo "$status $used $count" >"$WORK/answers/$key.how"
        if [ "$status" -gt 128 ]; then in_words "signal $((status - 128))"; fi >"$WORK/answers/$key.ending"
    done <"$WORK/out"
}

# apart_program: box/apart, which is ours, compiled once for all that `grade` or `marks` grade, in the folder LABS_KEPT.
apart_program() {
    local kept=${LABS_KEPT:-$WORK}/apart
    if [ ! -x "$kept" ]; then
        "${compiler[@]}" -std=c11 -O -o "$WORK/apart.new" "$LABS/lib/apart.c" || say_and_die 'apart.c does not compile'
        mv "$WORK/apart.new" "$kept"
    fi
    cp "$kept" "$WORK/box/apart" || no_room
}

# judge POINTS ITEM KEY COMMAND...: COMMAND prints what is wrong with the answer to KEY: it finds what the program
# printed in OUT, its accesses in LIST, and what it used in USED_US and INSTRUCTIONS.
judge() {
    local points=$1 item=$2 key=$3 problem='' status OUT=$WORK/answers/$3.out LIST=$WORK/answers/$3.accesses USED_US INSTRUCTIONS
    shift 3
    if [ -s "$WORK/answers/$key.ending" ]; then cp "$WORK/answers/$key.ending" "$WORK/ending"; else : >"$WORK/ending"; fi
    if [ ! -e "$WORK/answers/$key.how" ]; then
        problem="no program to ask"
    else
        read -r status USED_US INSTRUCTIONS <"$WORK/answers/$key.how"
        if [ "$status" -eq 0 ]; then
            problem=$("$@")
        else
            problem="it ended with status $status: $(first_line "$WORK/answers/$key.err")"
        fi
    fi
    decide "$points" "$item" "$problem" test -z "$problem"
}

# judge_accesses POINTS ITEM KEY COMMAND...: the same, where COMMAND needs the accesses.
judge_accesses() {
    if [ -n "$COMPILED" ] && [ "$tracing" = plain ]; then
        untold "$1" "$2" 'no valgrind here, which lists the accesses to memory'
    else
        judge "$1" "$2" "$3" listed "${@:4}"
    fi
}
listed() {
    if [ "$INSTRUCTIONS" = - ]; then echo 'the list of its accesses has lines that valgrind did not write'; else "$@"; fi
}

# answers POINTS ITEM WANTED KEY: the last line that the program prints is WANTED.
answers() { judge "$1" "$2" "$4" last_line "$3"; }
last_line() {
    local lines
    mapfile -t lines <"$OUT"
    [ "${lines[-1]-}" = "$1" ] || echo "wanted $1, got: ${lines[-1]:0:120}"
}

# ---- accesses ----

# address NAME: the number that the program printed as `# NAME: 0x...`, without leading zeros.
address() { sed -n "s/^# $1: 0x0*\([0-9a-f]\{1,16\}\)\$/\1/p" "$OUT" | head -n 1; }

# window FROM BYTES [STAGE]: the accesses from address FROM on, while the program's variable `stage` is STAGE (1):
# lines `load OFFSET` and `store OFFSET`; and as the last one `others N`, how many went elsewhere.
window() {
    awk -v stage="$(address stage)" -v from="$1" -v bytes="$2" -v wanted="${3:-1}" '
        function number(hex,   k, value) {
            for (k = 1; k <= length(hex); k++) value = 16 * value + index("123456789abcdef", substr(hex, k, 1))
            return value
        }
        BEGIN { from = number(from); if (stage == "") exit }
        {
            split($2, at, ",")
            sub(/^0+/, "", at[1])
        }
        $1 == "S" && at[1] == stage { now++; next }
        now != wanted { next }
        {
            at[1] = number(at[1]) - from
            if (at[1] < 0 || at[1] >= bytes) { others++; next }
            if ($1 != "S") print "load " at[1]
            if ($1 != "L") print "store " at[1]
        }
        END { print "others " others + 0 }' "$LIST"
}

# same_accesses WANTED GOT STEPS: the file GOT of `window` has the lines of WANTED, and few others for each step. With
# variables in memory, as without optimisation, a loop has more than three others a step.
same_accesses() {
    awk -v steps="$3" '
        FILENAME == ARGV[1] { wanted[++count] = $0; next }
        $1 == "others" { others = $2; next }
        { got++; if (!why && $0 != wanted[got]) why = "access " got " is a " $0 (got > count ? ", after the last" : ", not a " wanted[got]) }
        END {
            if (!why && got < count) why = got + 0 " accesses, not " count
            if (!why && others > 3 * steps + 40) why = others " accesses beside them in " steps " steps: its variables are in memory"
            if (why) print why
        }' "$1" "$2"
}
