# forbidden.sh: the part of grading.sh that looks at a program before anything of it runs. A check asks what
# a program answers, so it refuses one that would answer from elsewhere: that runs before main() or ends
# beside it, renames the functions of the library, speaks to the system itself, or is another program
# when the check compiles it. No exercise needs any of these.
# shellcheck shell=bash disable=SC2034,SC2154 # of grading.sh and execute.sh

# examine BUILD...: compiles the program, also with each set of flags that labs/run uses, and what is to be
# built beside it, and looks at what comes out. Fails, with the reason in UNUSABLE, when it does not compile, or
# is refused; then there is nothing to ask, to run or to look at. Sets COMPILED, and STRICT: what a strict
# compiler says against it. BUILT has the flags of the first set, with which WORK/builds/program was made.
COMPILED='' STRICT='' BUILT=''
examine() {
    local found variants
    variants=$(variants)
    if ! make_builds "${variants:--O}" "$@"; then
        UNUSABLE="does not compile: $(complaint "$WORK/err")"
        return 1
    fi
    found=$(refused "$WORK/out")
    found=${found%%$'\n'*}
    if [ -n "$found" ]; then
        UNUSABLE=": the check does not run a program with $found"
        refuse
        return 1
    fi
    COMPILED=yes
    { BUILT=$(<"$WORK/builds/built"); STRICT=$(<"$WORK/builds/against"); } 2>/dev/null
    [ -z "$STRICT" ] || STRICT="with $STRICT: $(complaint "$WORK/err")"
}

# refuse: there is no program to ask, to run or to look at.
refuse() {
    rm -f "$WORK/box/program.c" "$WORK/box/harness"*
    SOURCE='' COMPILED=''
    BROKEN='the check does not run your program'
}

# The library's functions that no exercise needs: to end early, to speak to other processes, to open files
# in other ways than the starter does, to look at the process itself.
never='_exit|_Exit|quick_exit|at_quick_exit|atexit|on_exit|__cxa_atexit|v?fork|clone|exec[lv].*|posix_spawn.*|system|popen
syscall|ptrace|t?g?kill|raise|signal|sigaction|_*(sig)?setjmp|_*(sig)?longjmp|[gs]etcontext|swapcontext|dl(open|m?v?sym|addr|info|iterate_phdr)
open(at)?(64)?|p?read(64)?|p?write(v|64)?|dup[23]?|fdopen|freopen(64)?|tmpfile(64)?|mprotect|prctl|process_vm_.*|getauxval
program_invocation_.*|__progname.*|backtrace.*|opendir|readdir(64)?|glob(64)?|s?rename(at)?|unlink(at)?|__libc_.*
__(real|wrap)_.*|harness_.*|socket|connect|mincore|inotify_.*|memfd_create|shm_open'
never=${never//$'\n'/|}

# refused OUTPUT: what of the program is refused, a line each. OUTPUT is that of examine.
refused() {
    local files='fopen(64)?'
    [[ $(<"$LAB/starter.c") != *fopen* ]] || files=''
    awk -v never="^_?($never${files:+|$files})\$" '
        function word(w) { return text ~ ("(^|[^A-Za-z0-9_])(" w ")($|[^A-Za-z0-9_])") }
        /^## (seen|said) / { exit }
        /^## / { part = $2; next }
        part == "object" && $7 == "UND" && $8 ~ never { print $8 "()" }
        part == "object" && $4 == "IFUNC" { print "ifunc" }
        part == "sections" && sub(/^ *\[ *[0-9]+\] */, "") && $1 ~ /^\.((pre)?init_array|fini_array|ctors|dtors|init|fini)/ {
            print "a function that runs before main() or after it (" $1 ")"
        }
        part == "code" && $2 ~ /^(syscall|sysenter|svc|hlt)$/ { print "a system call of its own" }
        part == "code" && $2 == "int" && $3 ~ /80$/ { print "a system call of its own" }
        part { next }
        # The preprocessed program: its own lines, without what is in quotes.
        /^# [0-9]+ "/ {
            own = $3 == "\"program.c\""
            if (!own && $3 !~ /^"[<\/]/) print "a file that is no header of the system: " $3
            next
        }
        !own { next }
        {
            text = $0
            gsub(/\\./, "", text)
            while (match(text, /"[^"]*"|\047[^\047]*\047/))
                text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
        }
        /^[ \t]*#[ \t]*pragma/ && /redefine_extname|weak|extern_prefix/ { print "#pragma " $2; next }
        word("asm|__asm|__asm__") {
            before = text
            sub(/(asm|__asm|__asm__)($|[^A-Za-z0-9_]).*/, "", before)
            if (depth + gsub(/{/, "", before) - gsub(/}/, "", before) <= 0) print "asm outside of functions"
        }
        word("__?attribute(__)?") && word("_*(constructor|destructor|ifunc|alias|weakref|weak|section|symver)_*") {
            print "an attribute for the linker"
        }
        word("_*(no|disable)_sanitize[a-z_]*") { print "an attribute that hides what it reads" }
        { depth += gsub(/{/, "", text) - gsub(/}/, "", text) }
        ' "$1"
    # What tells a program that it is compiled by somebody else.
    grep -oEw '__INCLUDE_LEVEL__|__BASE_FILE__|__has_include|__OPTIMIZE__|__FILE_NAME__|__SANITIZE_THREAD__|harness_[a-z_]*' \
        "$WORK/box/program.c"
}
