# ask.sh: the part of grading.sh that asks a harness, which calls the functions of a student's program.
# shellcheck shell=bash disable=SC2034,SC2153,SC2154 # of grading.sh and execute.sh

# ask ARGUMENT...: runs box/HARNESS; its output is in $WORK/out, and the last line of it is LAST. Fails when
# there is no harness, or when the program exited before the harness did: then the word of this run is not the
# last one.
HARNESS=harness LAST=''
ask() {
    local lines=()
    STATUS=2 LAST=''
    [ -x "$WORK/box/$HARNESS" ] || return
    if ! take_answer "./$HARNESS $*"; then
        draw_word
        box "./$HARNESS" "$@"
        STATUS=$?
        : >"$WORK/box/$AFTER"
    fi
    mapfile -t lines <"$WORK/out"
    if [ ${#lines[@]} -gt 0 ] && [ "${lines[-1]}" = "$WORD" ]; then
        unset 'lines[-1]'
    elif [ "$STATUS" -eq 0 ]; then
        STATUS=1
    fi
    print_lines ${lines[@]+"${lines[@]}"} >"$WORK/out"
    [ ${#lines[@]} -eq 0 ] || LAST=${lines[-1]}
    return "$STATUS"
}

# draw_word: sets WORD, and writes it where the harness reads it last. It is from a source that LABS_SEED does
# not set, and leaves the numbers of a check as they are.
draw_word() {
    read -r WORD </proc/sys/kernel/random/uuid && [ -n "$WORD" ] || say_and_die 'the kernel gives no random word'
    echo "$WORD" >"$WORK/box/$AFTER"
}

# together FUNCTION: calls it, a part of a check, when its questions have been asked in one start of the
# sandbox, each in a process of its own; so have its runs of other programs, `box ./PROGRAM ARGUMENT...`. To know
# them, it is called once before, without a program and without marks, and with the same random numbers. Three
# kinds of question are asked when their turn comes: one that did not come to its end there, one that the harness
# is asked a second time, and one that depends on an answer.
declare -A ANSWERS_OF
ASKED_WORD='' ASKED_OUT=() ASKED_ERR=()
together() {
    local seed=$((RANDOM << 15 | RANDOM))
    ANSWERS_OF=()
    if [ -x "$WORK/box/harness" ] && [ -z "$ALONE" ] && may_run; then
        (
            note() {
                STATUS=0 LAST=''
                printf '%s\0' / "$@"
                : >"$WORK/out"
            } >&9
            ask() { note "./$HARNESS" "$@"; }
            box() { [ -x "$WORK/box/$1" ] && note "$@"; }
            record() { ITEM=$1 VERDICT=pass; }
            said() { :; }
            # There is nothing to look at yet.
            legal() { :; }
            column() { :; }
            cycle() { :; }
            cmp() { :; }
            grep() { :; }
            RANDOM=$seed
            "$1" 9>"$WORK/questions"
        ) >/dev/null 2>&1
        ask_together
    fi
    RANDOM=$seed
    "$1"
    ANSWERS_OF=()
}

# ask_together: asks what is in $WORK/questions. Of question N the output is ASKED_OUT[N] and ASKED_ERR[N];
# ANSWERS_OF has N:STATUS.
ask_together() {
    local words word key keys=() lines answer at=0 k
    mapfile -d '' -t words <"$WORK/questions"
    for word in "${words[@]}"; do
        if [ "$word" = / ]; then keys+=(''); else keys[-1]+=${keys[-1]:+ }$word; fi
    done
    [ ${#keys[@]} -gt 1 ] || return
    draw_word
    sandboxed --seconds $((${#keys[@]} * ${LABS_SECONDS:-3})) ./harness together "${LABS_SECONDS:-3}" "${words[@]}"
    : >"$WORK/box/$AFTER"
    ASKED_WORD=$WORD SPENT=$((SPENT + USED))
    [ "$HOW" = 'ended 0' ] || return
    mapfile -t lines <"$WORK/out"
    for k in "${!keys[@]}"; do
        [[ ${lines[at]-} =~ ^[0-9]{1,3}\ [0-9]{1,8}\ [0-9]{1,8}$ ]] || return
        read -ra answer <<<"${lines[at]}"
        printf -v "ASKED_OUT[$k]" '%s\n' "${lines[@]:at + 1:answer[1]}"
        printf -v "ASKED_ERR[$k]" '%s\n' "${lines[@]:at + 1 + answer[1]:answer[2]}"
        [ "${answer[1]}" -gt 0 ] || ASKED_OUT[k]=''
        [ "${answer[2]}" -gt 0 ] || ASKED_ERR[k]=''
        at=$((at + 1 + answer[1] + answer[2])) key=${keys[k]}
        case ${answer[0]} in
        137 | 152) ;; # SIGKILL, SIGXCPU: perhaps no fault of its own
        *) [[ -n ${ANSWERS_OF[$key]-} && $key == ./harness\ * ]] || ANSWERS_OF[$key]+="$k:${answer[0]} " ;;
        esac
    done
}

# take_answer QUESTION: as if it had been asked now. Fails when there is no answer, or it was taken already.
take_answer() {
    local answers=${ANSWERS_OF[$1]-}
    [ -n "$answers" ] || return
    ANSWERS_OF[$1]=${answers#* } answers=${answers%% *}
    STATUS=${answers#*:} WORD=$ASKED_WORD
    printf '%s' "${ASKED_OUT[${answers%:*}]}" >"$WORK/out"
    printf '%s' "${ASKED_ERR[${answers%:*}]}" >"$WORK/err"
    if [ "$STATUS" -gt 128 ]; then in_words "signal $((STATUS - 128))"; fi >"$WORK/ending"
}
