# programs.sh: the part of grading.sh that compiles a student's program, in the sandbox.
# shellcheck shell=bash disable=SC2034,SC2154 # of grading.sh and execute.sh

plain=(-std=c11 -w -D_POSIX_C_SOURCE=200809L)
# A starter's parameter that is not used yet is no mistake.
strict=(-std=c11 -Wall -Wextra -Wpedantic -Wno-unused-parameter -Werror -D_POSIX_C_SOURCE=200809L)

# Renames the macros that a set of flags defines, -DREFS=..., in a program.
# shellcheck disable=SC2016 # of awk
give_way='
    BEGIN { for (k = split(ENVIRON["FLAGS"], flag, " "); k > 0; k--) { sub(/^-D/, "", flag[k]); sub(/=.*/, "", flag[k]); given[flag[k]] } }
    match($0, /^[ \t]*#[ \t]*define[ \t]+/) {
        name = substr($0, RLENGTH + 1)
        before = substr($0, 1, RLENGTH)
        match(name, /^[A-Za-z_0-9]*/)
        if (substr(name, 1, RLENGTH) in given) $0 = before "own_" name
    }
    { print }'

# This runs in the sandbox. SETS has a line for each set of flags: the name of the file to make, a tab, and the flags. Of
# the set K it makes this file, or made.K where it has no name, which is no program. A program is without libraries to
# load, so that valgrind starts in a tenth of a second; GNU ld needs less time with a small table. The first
# COUNT sets must not give a warning, and what the compiler says is in said.K; an empty file means that it does
# not compile. In the other sets a `#define REFS` of the program gives way to -DREFS=.
# shellcheck disable=SC2016 # it is for the inner shell
maker='
    sets=$1 count=$2 strict=$3 plain=$4 give_way=$5 k=0 tab="$(printf "\t")"
    shift 5
    link() {
        [ -n "$name" ] || { "$@" $warn -c -o made.$k $file $flags 2>said.$k; return; }
        for how in "-static -Wl,--hash-size=127" -static ""; do "$@" $warn $how -o $name $file $flags 2>said.$k && return; done
    }
    # A function that is inline and not static is there with optimisation only.
    link_plain() {
        warn=$plain
        link "$@" || { grep -qE "undefined (reference|symbol)" said.$k && flags="$flags -O2" && link "$@"; } || : >${name:-made.$k}
    }
    IFS="
"
    for set in $sets; do
        unset IFS
        name=${set%%"$tab"*} flags=${set#*"$tab"} warn=$strict file=program.c
        if [ $k -ge $count ]; then
            FLAGS=$flags awk "$give_way" program.c >own.c
            file=own.c
            link_plain "$@"
        elif link "$@"; then
            : >said.$k
        else
            mv said.$k against
            link_plain "$@"
            mv against said.$k
        fi
        k=$((k + 1))
    done'

# variants: sets `sets`, the sets of flags with which labs/run compiles the program.
variants() {
    local flags seen=$'\n'
    sets=()
    while read -r _ flags; do
        flags=${flags%%[;!]*} flags=${flags%"${flags##*[! ]}"}
        case $seen in *$'\n'"$flags"$'\n'*) continue ;; esac
        [[ $flags != -* ]] || sets+=("$flags")
        seen+=$flags$'\n'
    done < <(runs_of "$LAB")
}

# program NAME FLAG...: one that questions are asked, compiled with these flags. Without any it is `program`, as labs/run
# compiles it first.
declare -A FLAGS_OF=()
program() { FLAGS_OF[$1]=${*:2}; }

# elsewhere NAME FLAG...: the same, on another system: see elsewhere.h.
elsewhere() {
    cp "$LABS/lib/elsewhere.h" "$WORK/files"
    program "$@" -include elsewhere.h
}

# complaint FILE: what the compiler said first.
complaint() { { grep -m 1 -E 'error|warning|undefined' "$1" || first_line "$1"; } | sed 's/program\.c:/solution.c:/'; }

# need_compiler: ends where not even an empty program compiles, which is no mistake of the student's.
need_compiler() {
    # shellcheck disable=SC2016 # it is for the inner shell
    sandboxed sh -c 'echo "int main(void) { return 0; }" | "$@" -x c -o empty -' sh "${compiler[@]}"
    case $HOW in 'ended 0' | refused* | late*) ;; *) die "${CC:-${compiler[*]}} does not compile an empty program: $(first_line "$WORK/err")" ;; esac
}

# compiles POINTS: the program compiles without a warning, with each set of flags that labs/run uses. A missing file
# and an unchanged starter get no points. Makes files/NAME of each `program`.
compiles() {
    local item='compiles without a warning' problem=''
    if [ -z "$SOURCE" ]; then
        problem='no solution.c'
    elif cmp -s "$SOURCE" "$LAB/starter/solution.c"; then
        problem='no solution.c, or it is still the starter'
    else
        make_programs
    fi
    if [ -z "$COMPILED" ] && [ -s "$WORK/unsure" ]; then UNMADE=$(cat "$WORK/unsure"); fi
    decide "$1" "$item" "$problem" test -z "$problem"
    # Without a program of the student's own nothing was measured by one.
    [ -n "$COMPILED" ] || [ "$VERDICT" != fail ] || BROKEN='there is no program of yours'
}

# make_programs: sets COMPILED if a variant compiled, and `problem` if one did not or a strict compiler complains
# about it.
COMPILED=''
make_programs() {
    local sets names=() count name k made fetch=() WHO='the compiler' LIMITS=(--seconds 60 --wall 900 --memory 4096 --file 65536)
    variants
    count=${#sets[@]}
    [ ${#FLAGS_OF[@]} -gt 0 ] || FLAGS_OF[program]=${sets[0]}
    for name in "${!FLAGS_OF[@]}"; do
        for ((k = 0; k < count; k++)); do
            if [ "${sets[k]}" = "${FLAGS_OF[$name]}" ] && [ -z "${names[k]-}" ]; then break; fi
        done
        [ "$k" -lt "$count" ] || k=${#sets[@]}
        sets[k]=${FLAGS_OF[$name]} names[k]=$name
    done
    for k in "${!sets[@]}"; do fetch+=(--fetch "${names[k]:-made.$k}" --fetch "said.$k"); done
    if ! contained "${fetch[@]}" sh -c "$maker" sh "$(for k in "${!sets[@]}"; do printf '%s\t%s\n' "${names[k]-}" "${sets[k]}"; done)" \
        "$count" "${strict[*]}" "${plain[*]}" "$give_way" "${compiler[@]}"; then
        problem="does not compile: $(complaint "$WORK/err")"
        return
    fi
    for k in "${!sets[@]}"; do
        made=$WORK/files/${names[k]:-made.$k}
        if [ "$k" -lt "$count" ] && [ -s "$WORK/files/said.$k" ] && [ -z "$problem" ]; then
            problem="with ${sets[k]}: $(complaint "$WORK/files/said.$k")"
            [ -s "$made" ] || problem="does not compile: ${problem#with *: }"
        fi
        if [ -s "$made" ]; then COMPILED=yes; else rm "$made"; fi
    done
    [ -n "$COMPILED" ] || need_compiler
    rm -f "$WORK/files"/made.* "$WORK/files"/said.*
}
