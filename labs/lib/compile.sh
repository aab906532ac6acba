# compile.sh: the part of grading.sh that compiles programs of students, in the sandbox.
# shellcheck shell=bash disable=SC2034,SC2153,SC2154 # of grading.sh, execute.sh and forbidden.sh

plain=(-std=c11 -w -D_POSIX_C_SOURCE=200809L)
strict=(-std=c11 -Wall -Wextra -Wpedantic -Werror -D_POSIX_C_SOURCE=200809L)

# What the sandbox runs. With VARIANTS (sets of flags, a line each) it examines the program: it prints what the
# preprocessor makes of it, and then, each part below a headline, `## object`, `## sections`, `## code FLAGS`
# and `## made FLAGS` (machine code), `## built FLAGS` (of the file `program`) and `## against FLAGS`. Of BUILDS,
# a line each, the first is number NEXT: it makes the file made.NEXT, empty where that does not compile, and
# prints `## said NEXT`, what the compiler says, and of a harness `## seen NEXT`: its symbols, macros and declarations.
# shellcheck disable=SC2016 # it is for the inner shell
builder='
    variants=$1 next=$2 builds=$3 plain=$4 strict=$5 wrapped=$6 support=$7
    shift 7
    # A function that is inline and not static is there with optimisation only.
    link() { "$@" || { grep -qE "undefined (reference|symbol)" said && : >said && "$@" -O2; }; }
    code() { ! command -v objdump >/dev/null || { echo "## $1 $2" && objdump -dr --no-show-raw-insn "$3"; }; }
    if [ "$variants" ]; then
        "$@" $plain -E program.c || exit
        echo "## object"
        "$@" $plain -c -O0 -o program.o program.c || exit
        readelf -sW program.o
        echo "## sections"
        readelf -SW program.o
        code code -O0 program.o
    fi
    IFS="
"
    for flags in $variants; do
        unset IFS
        some=
        for flag in $flags; do case $flag in -l* | -Wl,*) ;; *) some="$some $flag" ;; esac; done
        "$@" $strict $some -c -o strict.o program.c && "$@" $strict $flags -o strict strict.o ||
            { echo "## against $flags" && break; }
        code made "$flags" strict.o
        [ -e program ] || { echo "## built $flags" && mv strict program; }
    done
    [ -z "$variants" ] || [ -e program ] || : >program
    IFS="
"
    for build in $builds; do
        unset IFS
        file=${build%% *} made=made.$next
        flags=${build#"$file"}
        : >said
        case $file in
        harness.c) link "$@" $plain $flags "$wrapped" -o $made harness.c $support ;;
        code) "$@" $plain $flags -c -o $made program.c ;;
        *) link "$@" $plain $flags -o $made $file ;;
        esac 2>>said || : >$made
        [ ! -s said ] || { echo "## said $next" && cat said; }
        case $file in
        harness.c) [ ! -s $made ] || { echo "## seen $next" && readelf -sW $made; "$@" $plain $flags -E -dD harness.c || exit; } ;;
        code) [ ! -s $made ] || code code "${flags# }" $made ;;
        esac
        next=$((next + 1))
    done'

# The answer of a harness comes from it and from nobody else: at its end support.c prints a word that nobody
# knows before (see ask), and the program must not redefine a library name that the harness uses (`taken`).
wrapped=-Wl,--wrap=main
for name in clock clock_gettime getrusage gettimeofday time times timespec_get; do wrapped+=,--wrap=$name; done

# make_builds VARIANTS BUILD...: compiles in one start of the sandbox. BUILD is `harness.c FLAG...` (it includes
# the student's program), `program.c FLAG...`, or `code FLAG...` for its machine code, which is then in
# WORK/code/FLAG... Of build number N, WORK/builds/made.N is what came out, made.N.said what the compiler said, and
# made.N.seen what `taken` looks at.
declare -A MADE=() # BUILD -> N
BUILDS=0
make_builds() {
    local variants=$1 build builds='' fetch=() n status=0
    local WHO='the compiler' LIMITS=(--seconds 60 --wall 900 --memory 4096)
    shift
    [ -z "$variants" ] || fetch=(--fetch program)
    for ((n = 1; n <= $#; n++)); do fetch+=(--fetch "made.$((BUILDS + n))"); done
    for build; do builds+=$build$'\n'; done
    box "${fetch[@]}" sh -c "$builder" sh "$variants" $((BUILDS + 1)) "$builds" "${plain[*]}" "${strict[*]}" "$wrapped" \
        "$AFTER.o" "${compiler[@]}" || status=$?
    [ "$status" -eq 0 ] || return
    awk -v work="$WORK/" '
        /^## / {
            if (file) close(file)
            if ($2 ~ /^(built|against)$/) print substr($0, length($2) + 5) >(work "builds/" $2)
            file = $2 ~ /^(code|made)$/ ? "code/" substr($0, 9) : $2 ~ /^(said|seen)$/ ? "builds/made." $3 "." $2 : ""
            if (file) printf "" >(file = work file)
            next
        }
        file { print >file }' "$WORK/out"
    mv ${variants:+"$WORK/box/program"} ${build+"$WORK/box"/made.*} "$WORK/builds"
    for build; do
        MADE[$build]=$((++BUILDS))
    done
}

# variants: the sets of flags with which labs/run compiles the program, a line each.
variants() { sed -n 's/^[^ ]* *\(-[^;!]*[^;! ]\).*/\1/p' "$LAB/runs" | sort -u; }

# complaint FILE: what the compiler said first.
complaint() { grep -m 1 -E 'error|warning|undefined' "$1" || first_line "$1"; }

# build PROGRAM FILE FLAG...: compiles box/FILE to box/PROGRAM, unless it is made already; what the compiler
# says is in $WORK/err. Fails when nothing was handed in.
build() {
    local program=$1 build="${*:2}" made
    [ ! -e "$WORK/box/$program" ] || rm "$WORK/box/$program"
    [ -n "$SOURCE" ] || return 1
    if [ "$build" = "program.c $BUILT" ]; then
        made=$WORK/builds/program
    else
        [ -n "${MADE[$build]-}" ] || make_builds '' "$build" || return
        made=$WORK/builds/made.${MADE[$build]}
        if [ -s "$made.said" ]; then cp "$made.said" "$WORK/err"; else : >"$WORK/err"; fi
        [ "$2" != harness.c ] || usable "$made" || return
    fi
    [ -s "$made" ] && cp "$made" "$WORK/box/$program"
}

# usable MADE: the harness compiles, and the program has no names of its own for what it uses. Else UNUSABLE says
# what is wrong.
usable() {
    UNUSABLE=''
    if [ ! -s "$1" ]; then
        UNUSABLE=": it does not compile together with the check: $(grep -m 1 -E 'error|undefined' "$1.said" || first_line "$1.said")"
        return 1
    fi
    UNUSABLE=$(taken "$WORK/box/harness.c" "$1.seen")
    [ -n "$UNUSABLE" ] || return 0
    UNUSABLE=": your program has its own $(sort <<<"$UNUSABLE" | head -n 3 | paste -s -d ' ' -), which the check uses"
    refuse
    return 1
}

# support_object: compiles support.c, which is ours, once for all that `grade` or `marks` grade: in the folder
# LABS_KEPT, which no sandbox has. Sets SUPPORT, and AFTER: the file from which it reads its word.
SUPPORT='' AFTER=''
support_object() {
    local folder=${LABS_KEPT:-$WORK} made
    for SUPPORT in "$folder"/after-*.o; do
        AFTER=${SUPPORT##*/} AFTER=${AFTER%.o}
        [ ! -f "$SUPPORT" ] || return 0
    done
    AFTER=after-${WORK##*.} made=$WORK/support.new SUPPORT=$folder/$AFTER.o
    "${compiler[@]}" "${plain[@]}" -O "-DAFTER=\"$AFTER\"" -c -o "$made" "$LABS/lib/support.c" ||
        say_and_die 'support.c does not compile'
    mv "$made" "$SUPPORT"
}

# taken HARNESS SEEN: names that the harness uses and the program redefines: macros in small letters,
# macros of the system, and functions of the system. SEEN is the table of symbols by readelf, followed by all
# macros and declarations with the files that contain them.
taken() {
    awk '
        BEGIN {
            used["puts"] = used["putchar"] = used["fwrite"] = 1 # the compiler turns printf into these
            # and support.c uses these
            ours_are = "open close read write dup2 mmap mprotect sysconf setrlimit fork waitpid execv exit strcmp strtoul " \
                "tmpfile fileno fflush fclose rewind getc putc putchar puts printf memset"
            split(ours_are, list, " ")
            for (i in list) ours[list[i]] = 1
        }
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
        !headers && ($4 ~ /^(FILE|SECTION)$/ || $7 == "UND") { next }
        !headers && $5 ~ /^(GLOBAL|WEAK)$/ && $8 in ours { bad[$8] = 1 }
        !headers { if ($8 in used) defined[$8] = 1; next }
        /^#(define|undef) / {
            name = $2
            sub(/\(.*/, "", name)
            if (!(name in used) || name ~ /^_/) next
            if (!own) system_has[name] = 1
            else if (name !~ /[A-Z]/) bad[name] = 1
            else mine[name] = 1
            next
        }
        depth && !own && /\(/ { declared[++lines] = $0 }
        END {
            for (name in mine) if (name in system_has) bad[name] = 1
            for (name in defined)
                for (i = 1; i <= lines; i++) if (declared[i] ~ "(^|[ *])" name " *\\(") bad[name] = 1
            for (name in bad) print name
        }' "$1" "$2"
}

# machine_code FLAG...: the program compiled with these flags, as objdump prints it, is in WORK/code/FLAG...
machine_code() {
    if [ -z "$SOURCE" ] || ! command -v objdump >/dev/null; then return 1; fi
    [ -s "$WORK/code/$*" ] || { make_builds '' "code $*" && [ -s "$WORK/code/$*" ]; }
}

# also BUILD...: what is built later; `compiles` makes it at once.
LATER=()
also() { LATER=("$@"); }

# compiles POINTS [FLAG...]: the program compiles without a warning, with each set of flags that labs/run uses. A
# missing file and an unchanged starter get no points. It also makes the harness, with these flags.
compiles() {
    local item='compiles without a warning' problem=''
    if [ -z "$SOURCE" ]; then
        problem='no solution.c'
    elif cmp -s "$SOURCE" "$LAB/starter.c"; then
        problem='no solution.c, or it is still the starter'
        refuse
    elif examine ${2+"harness.c ${*:2}"} ${LATER[@]+"${LATER[@]}"}; then
        problem=$STRICT
    else
        problem=$UNUSABLE
    fi
    decide "$1" "$item" "$problem" test -z "$problem"
    # Without a program of the student's own nothing was measured by one.
    [ -n "$COMPILED" ] || BROKEN='there is no program of yours'
    [ $# -eq 1 ] || build harness harness.c "${@:2}" 2>/dev/null
}
