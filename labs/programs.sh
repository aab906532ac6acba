# programs.sh: the part of grading.sh that handles programs of students: it compiles them, runs them in
# the sandbox, and reads their machine code.
# shellcheck shell=bash

# The command of the compiler; it may have several words (`ccache gcc`).
read -r -a compiler <<<"${CC:-$(command -v gcc >/dev/null && echo gcc || echo cc)}"

# box COMMAND...: runs it in the sandbox, in the folder with program.c and harness.c. BOX_LIMITS adds
# limits. After two programs that hit the time limit, or many slow ones, it runs nothing more of this
# exercise.
BOX_LIMITS=()
box() {
    local status=0 began=$SECONDS most=${LABS_SECONDS:-3}
    if [ "$STRIKES" -ge 2 ] || [ "$SPENT" -ge $((15 * most)) ]; then
        echo "not run: earlier programs did not end, or took too long" >"$WORK/err"
        return 124
    fi
    (
        cd "$WORK/box" && "$LABS/sandbox" --seconds "$most" ${HIDDEN[@]+"${HIDDEN[@]}"} \
            ${BOX_LIMITS[@]+"${BOX_LIMITS[@]}"} "$@"
    ) >"$WORK/out" 2>"$WORK/err" || status=$?
    SPENT=$((SPENT + SECONDS - began))
    [ "$status" -ne 124 ] || STRIKES=$((STRIKES + 1))
    return "$status"
}

# out_of_sight FOLDER...: makes these folders appear empty to programs of students, where the sandbox can
# do that. A folder that contains the compiler stays visible.
HIDDEN=()
out_of_sight() {
    local folder commands=$'\n'
    commands+=$(command -v "${compiler[@]}")
    for folder; do
        case $commands in *$'\n'"${folder%/}"/*) ;; *) [ -z "$folder" ] || HIDDEN+=(--hide "$folder") ;; esac
    done
}

# allow [OPTION...]: sets the sandbox limits for the following programs; without options, the usual ones.
allow() { BOX_LIMITS=("$@"); }

# first_line FILE: the first line of the output, cut short.
first_line() { head -n 1 "$1" | cut -c 1-120; }

strict=(-std=c11 -Wall -Wextra -Wpedantic -Werror -D_POSIX_C_SOURCE=200809L)

# build PROGRAM FILE FLAG...: compiles box/FILE to box/PROGRAM; errors are in $WORK/err. Fails when
# nothing was handed in.
build() {
    local program=$1 file=$2 status=0
    shift 2
    rm -f "$WORK/box/$program"
    [ -n "$SOURCE" ] || return 1
    set -- -D_POSIX_C_SOURCE=200809L -std=c11 -w "$@"
    allow --memory 4096
    if [ "$program" = harness ]; then
        build_harness "$@" || status=$?
    else
        box --fetch "$program" "${compiler[@]}" "$@" -o "$program" "$file" || status=$?
    fi
    allow
    return "$status"
}

# build_harness FLAG...: compiles harness.c, which includes the student's program. Two measures ensure
# that the answer comes from the harness: its main is wrapped in another one that prints a secret word at
# the end, which a program that exits early does not know; and the program must not redefine a library
# name that the harness uses.
build_harness() {
    printf '%s\n' '#include <stdio.h>' 'int __real_main(int, char **);' 'int __wrap_main(int, char **);' \
        'int __wrap_main(int argc, char **argv) {' 'int status = __real_main(argc, argv);' \
        "printf(\"%s\\n\", \"$(last_word)\"); return status; }" >"$WORK/box/last.c"
    # shellcheck disable=SC2016 # it is for the inner shell
    box --fetch harness sh -c '
        "$@" -Wl,--wrap=main -o harness harness.c last.c || exit
        nm harness
        exec "$@" -E -dD harness.c' sh "${compiler[@]}" "$@"
    local status=$?
    rm -f "$WORK/box/last.c"
    FENCE=''
    [ "$status" -eq 0 ] || return "$status"
    FENCE=$(taken "$WORK/box/harness.c" "$WORK/out" | head -n 3 | paste -s -d ' ' -)
    [ -n "$FENCE" ] || return 0
    rm -f "$WORK/box/harness"
    FENCE=": your program has its own $FENCE, which the check uses"
    return 1
}

# last_word: the secret word: the name of a folder that programs of students do not see.
last_word() { echo "ended ${WORK##*.}"; }

# taken HARNESS SEEN: names that the harness uses and the program redefines: macros in small letters,
# macros of the system, and functions of the system. SEEN is the output of nm, followed by all macros and
# declarations with the files that contain them.
taken() {
    awk '
        BEGIN { used["puts"] = used["putchar"] = used["fwrite"] = 1 } # the compiler turns printf into these
        NR == FNR {
            gsub(/[^A-Za-z0-9_]+/, " ")
            count = split($0, word, " ")
            for (i = 1; i <= count; i++) used[word[i]] = 1
            next
        }
        /^# [0-9]+ "/ {
            if (NF > 3 && $4 == 1) file[++depth] = $3
            else if (NF > 3 && $4 == 2 && depth) depth--
            own = file[depth] ~ /program\.c"$/ || (depth && file[depth] !~ /^"[\/<]/)
            next
        }
        !headers && /^#/ { headers = 1 }
        !headers { if ($2 ~ /^[A-Za-z]$/ && $3 in used) defined[$3] = 1; next }
        /^#(define|undef) / {
            name = $2
            sub(/\(.*/, "", name)
            if (!(name in used) || name ~ /^_/) next
            if (!own) system_has[name] = 1
            else if (name !~ /[A-Z]/) bad[name] = 1
            else mine[name] = 1
            next
        }
        depth && !own && /\(/ { declared = declared " " $0 }
        END {
            for (name in mine) if (name in system_has) bad[name] = 1
            for (name in defined) if (declared ~ "[ *]" name " *\\(") bad[name] = 1
            for (name in bad) print name
        }' "$1" "$2" | sort
}

# compiles POINTS: the program compiles without a warning, with each set of flags that labs/run uses. A
# missing file and an unchanged starter get no points.
compiles() {
    local item='compiles without a warning' problem='' variant flags
    [ -n "$SOURCE" ] || problem='no solution.c'
    ! cmp -s "$SOURCE" "$LAB/starter.c" || problem='no solution.c, or it is still the starter'
    allow --memory 4096
    while [ -z "$problem" ] && IFS= read -r variant; do
        read -r -a flags <<<"$variant"
        box "${compiler[@]}" "${strict[@]}" "${flags[@]}" -o program program.c ||
            problem="with $variant: $(grep -m 1 -E 'error|warning|undefined' "$WORK/err" || first_line "$WORK/err")"
    done < <(sed -n 's/^[^ ]* *\(-[^;!]*[^;! ]\).*/\1/p' "$LAB/runs" | sort -u)
    allow
    decide "$1" "$item" "$problem" test -z "$problem"
}

# ask ARGUMENT...: runs box/harness; its output is in $WORK/out. Fails when there is no harness, or when
# the program exited before the harness did.
ask() {
    [ -x "$WORK/box/harness" ] || return 1
    box ./harness "$@" || return
    if [ "$(tail -n 1 "$WORK/out")" != "$(last_word)" ]; then
        echo ' (and the program ended before the check did)' >>"$WORK/out"
        return 1
    fi
    sed -i '$d' "$WORK/out"
}

# said: the last line of the output, or the first of stderr when there is none.
said() {
    if [ -s "$WORK/out" ]; then tail -n 1 "$WORK/out" | cut -c 1-120; else first_line "$WORK/err"; fi
}

# expect POINTS ITEM WANTED ARGUMENT...: awards the points if box/harness prints WANTED.
expect() {
    local points=$1 item=$2 wanted=$3
    shift 3
    if [ ! -x "$WORK/box/harness" ]; then
        lose "$points" "$item" "no program to ask$FENCE"
    elif ask "$@" && [ "$(said)" = "$wanted" ]; then
        award "$points" "$item"
    else
        lose "$points" "$item" "wanted $wanted, got: $(said)"
    fi
}

# holds POINTS ITEM FUNCTION LOOPS LOADS FLAG...: compiled with these flags, FUNCTION has at least LOOPS
# loops and LOADS loads within them.
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

# loops FUNCTION FLAG...: counts in the object code of FUNCTION, as "LOOPS LOADS": backward jumps, and
# loads from memory within such a loop; loads from the stack do not count. Prints nothing where the
# machine code is unknown.
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
