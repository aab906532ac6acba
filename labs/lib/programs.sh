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

# This runs in the sandbox. SETS is a list of sets of flags, a line each. Of the set K it makes the file made.K, which is a
# program where K is one of USED, without libraries to load: so valgrind starts in a tenth of a second. The first
# COUNT sets must not give a warning, and what the compiler says is in said.K; an empty made.K means that it does
# not compile. In the other sets a `#define REFS` of the program gives way to -DREFS=.
# shellcheck disable=SC2016 # it is for the inner shell
maker='
    sets=$1 used=$2 count=$3 strict=$4 plain=$5 give_way=$6 k=0
    shift 6
    link() {
        case $used in
        *" $k "*) "$@" $warn -static -o made.$k $file $flags 2>said.$k || "$@" $warn -o made.$k $file $flags 2>said.$k ;;
        *) "$@" $warn -c -o made.$k $file $flags 2>said.$k ;;
        esac
    }
    # A function that is inline and not static is there with optimisation only.
    link_plain() {
        warn=$plain
        link "$@" || { grep -qE "undefined (reference|symbol)" said.$k && flags="$flags -O2" && link "$@"; } || : >made.$k
    }
    IFS="
"
    for flags in $sets; do
        unset IFS
        warn=$strict file=program.c
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

# variants: the sets of flags with which labs/run compiles the program, a line each.
variants() { sed -n 's/^[^ ]* *\(-[^;!]*[^;! ]\).*/\1/p' < <(runs_of "$LAB") | sort -u; }

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
    local sets=() used=' ' count name k fetch=() WHO='the compiler' LIMITS=(--seconds 60 --wall 900 --memory 4096 --file 65536)
    mapfile -t sets < <(variants)
    count=${#sets[@]}
    [ ${#FLAGS_OF[@]} -gt 0 ] || FLAGS_OF[program]=${sets[0]}
    for name in "${!FLAGS_OF[@]}"; do
        for k in "${!sets[@]}"; do [ "${sets[k]}" != "${FLAGS_OF[$name]}" ] || continue 2; done
        sets+=("${FLAGS_OF[$name]}")
    done
    for k in "${!sets[@]}"; do
        fetch+=(--fetch "made.$k" --fetch "said.$k")
        for name in "${!FLAGS_OF[@]}"; do [ "${sets[k]}" != "${FLAGS_OF[$name]}" ] || used+="$k "; done
    done
    if ! contained "${fetch[@]}" sh -c "$maker" sh "$(print_lines "${sets[@]}")" "$used" "$count" "${strict[*]}" "${plain[*]}" "$give_way" \
        "${compiler[@]}"; then
        problem="does not compile: $(complaint "$WORK/err")"
        return
    fi
    for k in "${!sets[@]}"; do
        if [ "$k" -lt "$count" ] && [ -s "$WORK/files/said.$k" ] && [ -z "$problem" ]; then
            problem="with ${sets[k]}: $(complaint "$WORK/files/said.$k")"
            [ -s "$WORK/files/made.$k" ] || problem="does not compile: ${problem#with *: }"
        fi
        [ ! -s "$WORK/files/made.$k" ] || COMPILED=yes
        for name in "${!FLAGS_OF[@]}"; do
            if [ "${FLAGS_OF[$name]}" = "${sets[k]}" ] && [ -s "$WORK/files/made.$k" ]; then
                cp "$WORK/files/made.$k" "$WORK/files/$name"
            fi
        done
    done
    [ -n "$COMPILED" ] || need_compiler
    rm -f "$WORK/files"/made.* "$WORK/files"/said.*
}
