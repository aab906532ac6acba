# questions.sh: the part of grading.sh that asks a harness, which calls the functions of a student's program.
# shellcheck shell=bash disable=SC2034,SC2153,SC2154 # of grading.sh and programs.sh

# ask ARGUMENT...: runs box/harness; its output is in $WORK/out. Fails when there is no harness, or when
# the program exited before the harness did: then the word of this run is not the last one.
ask() {
    local lines=() out=$WORK/out
    STATUS=2
    [ -x "$WORK/box/harness" ] || return
    if [ -n "${ANSWERS_OF[$*]-}" ]; then
        take_answer "$*" # sets `out`
    else
        draw_word
        box ./harness "$@"
        STATUS=$?
        rm -f "$WORK/box/$AFTER"
    fi
    mapfile -t lines <"$out"
    [ "$out" = "$WORK/out" ] || { [ ${#lines[@]} -eq 0 ] || printf '%s\n' "${lines[@]}"; } >"$WORK/out"
    if [ ${#lines[@]} -gt 0 ] && [ "${lines[-1]}" = "$WORD" ]; then
        unset 'lines[-1]'
        { [ ${#lines[@]} -eq 0 ] || printf '%s\n' "${lines[@]}"; } >"$WORK/out"
        return "$STATUS"
    fi
    [ "$STATUS" -ne 0 ] || STATUS=1
    return "$STATUS"
}

# draw_word: sets WORD, and writes it where the harness reads it last. It is from a source that LABS_SEED does
# not set.
draw_word() {
    WORD=$RANDOM$RANDOM$RANDOM$RANDOM$(od -An -N 8 -tx8 /dev/urandom | tr -d ' ')
    echo "$WORD" >"$WORK/box/$AFTER"
}

# together FUNCTION: calls it, a part of a check, when its questions have been asked in one start of the
# sandbox, each in a process of its own. To know them, it is called once before, without a program and without
# marks, and with the same random numbers. Three kinds of question are asked when their turn comes: one that did
# not come to its end there, one that is asked a second time, and one that depends on an answer.
declare -A ANSWERS_OF
ASKED_WORD=''
together() {
    local seed=$((RANDOM << 15 | RANDOM))
    ANSWERS_OF=()
    if [ -x "$WORK/box/harness" ] && [ -z "$ALONE" ] && may_run; then
        (
            box() { return 1; }
            record() { ITEM=$1 VERDICT=pass; }
            said() { :; }
            ask() {
                STATUS=0
                printf '%s\0' / "$@"
                : >"$WORK/out"
            } >&9
            RANDOM=$seed
            "$1" 9>"$WORK/questions"
        ) >/dev/null 2>&1
        ask_together
    fi
    RANDOM=$seed
    "$1"
    ANSWERS_OF=()
}

# ask_together: asks what is in $WORK/questions. The answers are $WORK/asked/N.out and N.err; ANSWERS_OF has
# for each question N and the status.
ask_together() {
    local words word key keys=() statuses k how used
    mapfile -d '' -t words <"$WORK/questions"
    for word in "${words[@]}"; do
        if [ "$word" = / ]; then keys+=(''); else keys[-1]+=${keys[-1]:+ }$word; fi
    done
    [ ${#keys[@]} -gt 1 ] || return
    rm -rf "$WORK/asked"
    mkdir "$WORK/asked"
    draw_word
    sandboxed --seconds $((${#keys[@]} * ${LABS_SECONDS:-3})) ./harness together "${LABS_SECONDS:-3}" "${words[@]}"
    rm -f "$WORK/box/$AFTER"
    ASKED_WORD=$WORD SPENT=$((SPENT + used))
    [ "$how" = 'ended 0' ] || return
    mapfile -t statuses < <(awk -v folder="$WORK/asked/" '
        !out && !err {
            if (k) { close(folder k ".out"); close(folder k ".err") }
            print $1
            k++
            out = $2
            err = $3
            printf "" >(folder k ".out")
            printf "" >(folder k ".err")
            next
        }
        out { print >(folder k ".out"); out--; next }
        { print >(folder k ".err"); err-- }' "$WORK/out")
    for k in "${!keys[@]}"; do
        key=${keys[k]}
        case ${statuses[k]-137} in
        137 | 152 | *[!0-9]*) ;; # SIGKILL, SIGXCPU: perhaps no fault of its own
        *) ANSWERS_OF[$key]=${ANSWERS_OF[$key]-"$((k + 1)) ${statuses[k]}"} ;;
        esac
    done
}

# take_answer QUESTION: as if it had been asked now. It can be taken once.
take_answer() {
    local k
    read -r k STATUS <<<"${ANSWERS_OF[$1]}"
    ANSWERS_OF[$1]='' WORD=$ASKED_WORD
    out=$WORK/asked/$k.out
    if [ -s "$WORK/asked/$k.err" ]; then cp "$WORK/asked/$k.err" "$WORK/err"; else : >"$WORK/err"; fi
    if [ "$STATUS" -gt 128 ]; then in_words "signal $((STATUS - 128))"; fi >"$WORK/ending"
}
