# execute.sh: the part of grading.sh that runs programs of students in the sandbox, and the items about what
# they do.
# shellcheck shell=bash disable=SC2034,SC2153,SC2154 # of grading.sh and compile.sh

# The command of the compiler; it may have several words (`ccache gcc`).
read -r -a compiler <<<"${CC:-$(command -v gcc >/dev/null && echo gcc || echo cc)}"

# box COMMAND...: runs it in the sandbox, in the folder with program.c and harness.c. LIMITS adds
# limits. If it does not end by itself, $WORK/ending says why, in words. After two programs that did not
# end, or many slow ones, it runs nothing more of this exercise.
#
# A busy machine can make a program late. So the exercise is then graded again, alone (`finish`). What
# uses its own time up even so did not end; of what is late even so nobody can tell (`lose`).
LIMITS=() WHO='the program'
box() {
    local status=0
    ! take_answer "$*" || return "$STATUS"
    : >"$WORK/ending"
    : >"$WORK/how"
    if [ -e "$WORK/again" ] || ! may_run; then
        : >"$WORK/out"
        return 124
    fi
    sandboxed "$@" || status=$?
    [ "$WHO" != 'the program' ] || SPENT=$((SPENT + USED))
    in_words "$HOW" >"$WORK/ending"
    case $HOW in
    time* | idle*) doubted || echo >>"$WORK/strikes" ;;
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
        cd "$WORK/box" && exec "$BASH" "$LABS/sandbox" ${WEAK:+--weak} ${ALONE:+--alone} --how "$WORK/how" \
            --seconds "${LABS_SECONDS:-3}" ${READ[@]+"${READ[@]}"} ${HIDDEN[@]+"${HIDDEN[@]}"} \
            ${LIMITS[@]+"${LIMITS[@]}"} "$@"
    ) >"$WORK/out" 2>"$WORK/err" || status=$?; } 2>/dev/null # bash would say that it was killed
    { read -r HOW && read -r USED; } <"$WORK/how" || HOW='refused it was ended' USED=0
    return "$status"
}

# may_run: fails, and says why, when earlier programs took all the time that an exercise has.
may_run() {
    local strikes=()
    [ ! -e "$WORK/strikes" ] || mapfile -t strikes <"$WORK/strikes"
    if [ ${#strikes[@]} -ge 2 ]; then
        echo 'not run: earlier programs did not end' >"$WORK/ending"
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
    signal\ 6) echo "$WHO ended itself by abort(): signal 6" ;;
    signal\ 8) echo "$WHO crashed: it divided by zero, signal 8" ;;
    signal\ 9) echo "$WHO was killed: signal 9" ;;
    signal\ 11) echo "$WHO crashed: it used memory that is not its own, signal 11" ;;
    signal\ 25) echo "$WHO wrote more than it may: signal 25" ;;
    signal\ 31) echo "$WHO asked the system for what it may not: signal 31" ;;
    signal*) echo "$WHO crashed: $1" ;;
    memory*) echo "$WHO took more than ${1#* } MiB of memory" ;;
    room*) echo "$WHO cannot run: its folder has more than ${1#* } MiB" ;;
    time*) echo "$WHO did not end: it had ${1#* } s of processor time" ;;
    idle*) echo "$WHO did not end: it waited for ${1#* } s" ;;
    late*) echo "in ${1#* } s this machine did not give $WHO enough processor time" ;;
    *) echo "the sandbox could not run $WHO: ${1#* }" ;;
    esac
}

# READ: the folders of a compiler that is not a part of the system: ~/gcc-14 of ~/gcc-14/bin/gcc.
READ=() COMMANDS=$'\n'
for word in "${compiler[@]}"; do
    word=$(command -v -- "$word")
    COMMANDS+=$word$'\n'
    word=$(readlink -f "$word")
    case $word in
    '' | /usr/* | /bin/* | /nix/store/* | /gnu/store/*) ;;
    "${HOME-/}"/bin/*) READ+=(--read "${word%/*}") ;;
    /*/*/*) READ+=(--read "${word%/*/*}") ;;
    esac
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

# crashes ARGUMENT...: box/harness meets a page that may not be read: SIGSEGV or SIGBUS.
crashes() {
    ask "$@"
    [ "$STATUS" -eq 139 ] || [ "$STATUS" -eq 138 ] || [ "$STATUS" -eq 135 ]
}

# counts POINTS ITEM WAY...: the function that the harness calls for `WAY... LINKS LOADS` makes as many
# loads as it is asked for. Its path has a link for each load, and the next one meets a page that may
# not be read. The number is drawn, so that no fixed one is right.
counts() {
    local points=$1 item=$2 links=$((RANDOM % 9000 + 1000))
    shift 2
    if [ ! -x "$WORK/box/$HARNESS" ]; then
        lose "$points" "$item" "no program to ask$UNUSABLE"
    elif ! ask "$@" "$links" "$links"; then
        lose "$points" "$item" "too many: asked for $links loads, it went beyond the end of their path$(ending)"
    elif crashes "$@" "$links" $((links + 1)); then
        award "$points" "$item"
    else
        lose "$points" "$item" "too few: asked for a load more than the path has, it did not reach its end$(ending)"
    fi
}

# tells_time POINTS ITEM LOADS: what the function of the harness's `time` returns is the time of one load.
# It took between a third (it may warm up before) and all of the time that passed meanwhile.
tells_time() {
    local points=$1 item=$2 problem='' loads=$3
    if [ ! -x "$WORK/box/$HARNESS" ]; then
        lose "$points" "$item" "no program to ask$UNUSABLE"
    elif ! ask time "$loads"; then
        lose "$points" "$item" "the program failed$(ending)"
    else
        problem=$(awk -v loads="$loads" '
            {
                took = $1 * loads / 1e9
                if ($1 < 0.05) print "no load takes so short a time"
                else if (took < $2 / 3) print "that is less than the loads took: is the clock read before the loop, and is it ns?"
                else if (took > 1.2 * $3 + 0.002) print "that is more than the loads took: is it the time of one, in ns?"
            }' "$WORK/out")
        decide "$points" "$item" "$problem" test -z "$problem"
    fi
}

# ending: how the last program ended, where that is not told otherwise.
ending() {
    if [ -s "$WORK/ending" ]; then
        echo " ($(cat "$WORK/ending"))"
    elif [ "$STATUS" -eq 1 ]; then
        echo ' (and the program ended before the check did)'
    elif [ "$STATUS" -ne 0 ]; then
        echo " (it ended with status $STATUS)"
    fi
}

# said: the last line of the output, or the first of stderr when there is none.
said() {
    local lines
    mapfile -t lines <"$WORK/out"
    if [ ${#lines[@]} -gt 0 ]; then printf '%s\n' "${lines[-1]:0:120}"; else first_line "$WORK/err"; fi
}

# expect POINTS ITEM WANTED ARGUMENT...: awards the points if box/harness prints WANTED.
expect() {
    local points=$1 item=$2 wanted=$3 said
    shift 3
    if [ ! -x "$WORK/box/$HARNESS" ]; then
        lose "$points" "$item" "no program to ask$UNUSABLE"
    elif ask "$@" && [ "$LAST" = "$wanted" ]; then
        award "$points" "$item"
    else
        if [ "$(said)" = "$wanted" ]; then said="it printed $wanted"; else said="wanted $wanted, got: $(said)"; fi
        [ ! -s "$WORK/ending" ] || said=''
        lose "$points" "$item" "$said$(ending)"
    fi
}

# prints POINTS FLAG...: compiled with these flags, the program prints a legal lab table in which every
# sum is that of whole rounds.
prints() {
    local points=$1 item='the program prints a legal table with whole rounds' problem
    shift
    case "$*" in *-DDUMMY*) item+=', with -DDUMMY' ;; esac
    spoilt "$points" "$item" && return
    if [ -z "$SOURCE" ] || ! build small program.c -O0 "$@"; then
        lose "$points" "$item" 'no program to run'
    elif ! box ./small; then
        lose "$points" "$item" "the program failed: $(first_line "$WORK/err")"
    elif problem=$(legal "$WORK/out" pages proc sum && whole_rounds "$WORK/out"); then
        award "$points" "$item"
    else
        lose "$points" "$item" "${problem#out: }"
    fi
}
