# execute.sh: the part of grading.sh that runs programs of students in the sandbox.
# shellcheck shell=bash disable=SC2034,SC2153,SC2154 # of grading.sh

# The command of the compiler; it may have several words (`ccache gcc`). A program among them has its whole path, since
# in the sandbox PATH is another.
read -r -a compiler <<<"${CC:-$(command -v gcc >/dev/null && echo gcc || echo cc)}"
for k in "${!compiler[@]}"; do
    word=$(type -P -- "${compiler[k]}") && compiler[k]=$(cd "${word%/*}/" && pwd)/${word##*/}
done

# contained COMMAND...: runs it in the sandbox, in the folder with program.c. LIMITS adds
# limits. If it does not end by itself, $WORK/ending says why, in words. After two runs of a function that did not
# end it is not run again, and after many slow programs nothing more of this exercise.
#
# A busy machine can make a program late, so the exercise is then graded again, alone (`finish`). A program
# that still uses up its own time did not end; one that is still late gets no verdict (`lose`). WORK/unsure is why, until
# the next verdict.
LIMITS=() WHO='the program' QUESTION=''
contained() {
    local status=0 function
    function=$(function_of "${QUESTION:-command ${*: -1}}")
    : >"$WORK/ending"
    : >"$WORK/how"
    if [ -e "$WORK/again" ] || ! may_run "$function"; then
        : >"$WORK/out"
        return 124
    fi
    sandboxed "$@" || status=$?
    [ "$WHO" != 'the program' ] || SPENT=$((SPENT + USED))
    [ -z "$QUESTION" ] || take_answers_of "$QUESTION"
    in_words "$HOW" >"$WORK/ending"
    case $HOW in
    time* | idle*) doubted || echo "$function" >>"$WORK/strikes" ;;
    signal\ 9) doubted ;; # perhaps the machine had no memory left
    late* | refused*) doubted || cp "$WORK/ending" "$WORK/unsure" ;;
    esac
    return "$status"
}

# sandboxed [OPTION...] COMMAND...: sets HOW it ended, and the milliseconds that it USED.
HOW='' USED=0
sandboxed() {
    local status=0
    { (
        cd "$WORK/files" && exec "$BASH" -p "$LABS/lib/sandbox" ${WEAK:+--weak} ${ALONE:+--alone} --how "$WORK/how" \
            --seconds "${LABS_SECONDS:-3}" ${READ[@]+"${READ[@]}"} ${HIDDEN[@]+"${HIDDEN[@]}"} \
            ${LIMITS[@]+"${LIMITS[@]}"} "$@"
    ) >"$WORK/out" 2>"$WORK/err" || status=$?; } 2>/dev/null # bash would say that it was killed
    { read -r HOW && read -r USED; } <"$WORK/how" || HOW='refused it was ended' USED=0
    return "$status"
}

# function_of QUESTION: the names in its arguments, as `call sum one` or `show read`, without those of tables.
function_of() {
    local words word names=()
    read -ra words <<<"$1"
    for word in "${words[@]:1}"; do
        if [[ $word == [a-z]* ]] && [ ! -f "$WORK/files/$word" ]; then names+=("$word"); fi
    done
    echo "${names[*]-}"
}

# may_run [FUNCTION]: fails, and says why, when it did not end twice, or earlier programs took all the time that an exercise has.
may_run() {
    if [ $# -gt 0 ] && [ "$(grep -cxF -e "$1" "$WORK/strikes")" -ge 2 ]; then
        echo "not run: twice ./program${1:+ $1} did not end" >"$WORK/ending"
    elif [ "$SPENT" -ge $((15000 * ${LABS_SECONDS:-3})) ]; then
        echo 'not run: earlier programs took too long' >"$WORK/ending"
    else
        return 0
    fi
    cp "$WORK/ending" "$WORK/err"
    return 1
}

# doubted: the first time, the exercise is graded again; fails the second time.
doubted() { [ -z "$ALONE" ] && : >"$WORK/again"; }

# in_words HOW: what `sandbox --how` wrote, in words; nothing for a program that ended by itself.
in_words() {
    case $1 in
    ended*) ;;
    signal\ 6) echo "$WHO was aborted, as after writing outside its memory: signal 6" ;;
    signal\ 8) echo "$WHO crashed: it divided by zero, signal 8" ;;
    signal\ 9) echo "$WHO was killed: signal 9" ;;
    signal\ 11) echo "$WHO crashed: it used memory that is not its own, signal 11" ;;
    signal\ 25) echo "$WHO wrote more than it may: signal 25" ;;
    signal\ 31) echo "$WHO asked the system for what it may not: signal 31" ;;
    signal*) echo "$WHO crashed: $1" ;;
    memory*) echo "$WHO took more than ${1#* } MiB of memory" ;;
    room*) echo "$WHO cannot run: its folder has more than ${1#* } MiB, or 4096 files" ;;
    time*) echo "$WHO did not end: it had ${1#* } s of processor time" ;;
    idle*) echo "$WHO did not end: it waited for ${1#* } s" ;;
    late*) echo "in ${1#* } s this machine did not give $WHO enough processor time" ;;
    *) echo "the sandbox could not run $WHO: ${1#* }" ;;
    esac
}

# READ: the folder of a compiler that is not a part of the system, ~/gcc-14 for ~/gcc-14/bin/gcc; but only the file if
# that folder is a home, or may contain one.
READ=() COMMANDS=$'\n'
homes=$'\n'${HOME-}/$'\n'$(unset HOME && echo ~)/$'\n'
for word in "${compiler[@]}"; do
    [ -x "$word" ] || continue
    COMMANDS+=$word$'\n'
    word=$(readlink -f "$word")
    folder=${word%/*}
    case $word in
    /usr/* | /bin/* | /nix/store/* | /gnu/store/*) continue ;;
    */bin/*) folder=${folder%/bin} ;;
    *) folder=$word ;;
    esac
    [[ $folder == /home/*/* || ($folder == /*/* && $folder != /home/*) ]] || folder=$word
    case $homes in *$'\n'"$folder/"*) folder=$word ;; esac
    READ+=(--read "$folder")
done

# out_of_sight FOLDER...: makes these folders appear empty to programs of students, where the sandbox can
# do that. A folder that contains the compiler stays visible.
HIDDEN=()
out_of_sight() {
    local folder
    for folder; do
        case $COMMANDS in *$'\n'"${folder%/}"/*) ;; *) [ -z "$folder" ] || HIDDEN+=(--hide "$folder") ;; esac
    done
}

# allow [OPTION...]: sets the sandbox limits for the following programs; without options, the usual ones.
allow() { LIMITS=("$@"); }

# first_line FILE: the first line of the output, cut short.
first_line() {
    local line=''
    IFS= read -r line <"$1"
    printf '%s\n' "${line:0:120}"
}
