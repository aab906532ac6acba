# programs.sh: what grading.sh knows of programs of students: it compiles them, runs them in the
# sandbox, and reads their machine code.
# shellcheck shell=bash

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
    (
        cd "$WORK/box" &&
            "$LABS/sandbox" --seconds "${LABS_SECONDS:-3}" ${BOX_LIMITS[@]+"${BOX_LIMITS[@]}"} "$@"
    ) >"$WORK/out" 2>"$WORK/err" || status=$?
    [ "$status" -ne 124 ] || STRIKES=$((STRIKES + 1))
    return "$status"
}

# allow [OPTION...]: limits of the sandbox for what runs from now on; without, the usual ones.
allow() { BOX_LIMITS=("$@"); }

# first_line FILE: of what was said, the first line, short.
first_line() { head -n 1 "$1" | cut -c 1-120; }

strict=(-std=c11 -Wall -Wextra -Wpedantic -Werror -D_POSIX_C_SOURCE=200809L)

# build PROGRAM FILE FLAG...: compiles box/FILE to box/PROGRAM; a failure is noted in $WORK/err. Fails
# where nothing was handed in.
build() {
    local program=$1 file=$2
    shift 2
    rm -f "$WORK/box/$program"
    [ -n "$SOURCE" ] || return 1
    allow --memory 4096
    box --fetch "$program" "$CC" -D_POSIX_C_SOURCE=200809L -std=c11 -w "$@" -o "$program" "$file"
    local status=$?
    allow
    return "$status"
}

# compiles POINTS FLAG...: without a warning. What is missing loses; so does an empty folder.
compiles() {
    local points=$1
    shift
    allow --memory 4096
    if [ -z "$SOURCE" ]; then
        lose "$points" 'compiles without a warning' "no solution.c"
    elif box "$CC" "${strict[@]}" -O "$@" -o program program.c; then
        award "$points" 'compiles without a warning'
    else
        lose "$points" 'compiles without a warning' "$(grep -m 1 -E 'error|warning|:' "$WORK/err")"
    fi
    allow
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

# prints POINTS FLAG...: compiled with these flags, the program prints a legal lab table in which
# every sum is that of whole rounds.
prints() {
    local points=$1 item='the program prints a legal table with whole rounds' problem
    shift
    case "$*" in *-DDUMMY*) item+=', with -DDUMMY' ;; esac
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
