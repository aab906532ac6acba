#!/usr/bin/env bash
# labs-cheats.t: what is handed in to look right without being it earns nothing: programs that answer from
# elsewhere, tables of no measurement, answers that the handout tells.
# shellcheck disable=SC2016 # $ in single quotes is for awk
. "${0%/*}/tap.sh"
. "${0%/*}/labs.sh"

plain_linux_alone
long_test
labs=$ROOT/labs
export LABS_SECONDS=15 QUICK=yes # a machine that tests may be slow

# ---- a program that would rather not be asked: the full work of 09 with something before it ----

# cheats NAME WHY C [whole]: the items of the harness are lost. C stands before the solution, or is all.
cheats() {
    local work=$TMP/$1
    cp -R "$TMP/full" "$work"
    printf '#include <stdio.h>\n#include <stdlib.h>\n%s\n' "$3" >"$work/solution.c"
    [ $# -gt 3 ] || cat "$TMP/full/solution.c" >>"$work/solution.c"
    "$labs/grade" 09 "$work" >"$TMP/out" 2>&1
    same "cheats: $1 gets no point of the harness" '' "$(grep -E '^ok.* (read_chain|store_[a-z]*): ' "$TMP/out")"
    same "cheats: $1 gets no point for its tables" '' "$(grep -E '^ok.* (read|freely|ask|go)\.dat' "$TMP/out")"
    matches "cheats: $1 is reported why" "$2" "$TMP/out"
}

# What a program says in place of the harness; `mine` is its printf.
mine='#include <stdarg.h>
int mine(const char *format, ...) { return puts("right") + (format == NULL); }'

cheat_tests() {
    local file
    mkdir "$TMP/full"
    submission_of "$labs/instructor/09" | while IFS= read -r file; do cp "$file" "$TMP/full"; done
    cheats early 'an attribute for the linker' '__attribute__((constructor)) static void first(void)
        { puts("right"); fflush(stdout); exit(0); }'
    cheats '_exit' 'does not run a program with ' '#include <unistd.h>
        __attribute__((constructor)) static void first(void) { _exit(0); }'
    cheats late 'an attribute for the linker' '__attribute__((destructor)) static void last(void) { puts("right"); }'
    cheats macro 'has its own printf' '#define printf(...) (printf)("right\n")'
    cheats function 'has its own puts' '
        int puts(const char *s) { return fputs(s[0] == 101 ? s : "right", stdout) + putchar(10); }'
    cheats writer 'has its own write' '#include <sys/types.h>
        ssize_t write(int file, const void *bytes, size_t count) { return file + (bytes != NULL) + (ssize_t)count; }'
    cheats pragma '#pragma redefine_extname' "#pragma redefine_extname printf mine
$mine"
    cheats operator '#pragma redefine_extname' "_Pragma(\"redefine_extname printf mine\")
$mine"
    cheats label 'asm outside of functions' "int printf(const char *, ...) __asm__(\"mine\");
$mine"
    cheats section 'asm outside of functions' 'void first(void) { puts("right"); exit(0); }
        __asm__(".section .init_array\n.quad first\n.text");'
    cheats alias 'an attribute for the linker' "$mine
        int printf(const char *, ...) __attribute__((alias(\"mine\")));"
    cheats level '__INCLUDE_LEVEL__' '#if __INCLUDE_LEVEL__ > 0
        #define printf(...) puts("right")
        #endif'
    cheats hidden 'an attribute that hides what it reads' '__attribute__((no_sanitize_thread)) int unseen(int *p);
        int unseen(int *p) { return *p; }'
    cheats watched '__SANITIZE_THREAD__' '#ifdef __SANITIZE_THREAD__
        #define printf(...) puts("right")
        #endif'
    cheats jump 'longjmp' '#include <setjmp.h>
        jmp_buf where; void away(void) { longjmp(where, 1); }'
    cheats call 'a system call of its own' 'void away(void) { __asm__ volatile("syscall" : : "a"(231), "D"(0)); }'
    cheats child 'does not run a program with fork' '#include <unistd.h>
        int child(void) { return (int)fork(); }'
    cheats reader 'does not run a program with fopen' 'FILE *look(void) { return fopen("after", "r"); }'
    cheats stolen 'No such file or directory' "#include \"$labs/instructor/09/solution.c\"" whole
}

# body TEXT: a program that has the functions of 09 with this in each of them.
body() {
    sed -E "s|^    /\* HOLE.*|    $1\n&|" "$labs/09-store-buffer/starter.c"
}
word_tests() {
    local file
    mkdir "$TMP/full"
    submission_of "$labs/instructor/09" | while IFS= read -r file; do cp "$file" "$TMP/full"; done
    cheats 'its words' 'got: (ends|node|right.*ended)' "$(body 'puts("right");')" whole
    cheats 'an end' 'the program ended before the check did' "$(body 'puts("right"); exit(0);')" whole
    cheats 'silence' 'right.* ended' \
        "$(body 'puts("right"); fflush(stdout); fclose(stdout);')" whole
    # The name of main is as its author wrote it, so he cannot tell who compiles.
    { echo '#ifdef main' && cat "$TMP/full/solution.c" && echo '#else' && cat "$labs/09-store-buffer/starter.c" && echo '#endif'; } >"$TMP/two.c"
    cheats 'two programs' 'ends at node|holds' "$(cat "$TMP/two.c")" whole
}

# ---- all that can be handed in without a line of C ----

# forge NAME: a folder with predictions, sentences, guesses, and each table of the exercise's data, sealed.
forge() {
    local folder=$TMP/forged/$1 table data source
    mkdir -p "$folder"
    sed 's/^\([a-z].*=\) *$/\1 7/' "$labs/$1/predict.txt" >"$folder/predict.txt"
    awk '/a sentence|In your own words/ { prose = 1 } /^[a-z].*=/ { print $0 (/^mine/ ? "" : prose ? " words that somebody has to read" : " 7777"); next } 1' \
        "$labs/$1/answers.txt" >"$folder/answers.txt"
    [ ! -f "$labs/$1/tlb.p" ] || echo 'set output "tlb.png"; print "tlb4K.dat tlb64.dat dummy.dat"; plot x' >"$folder/tlb.p"
    while read -r table _; do
        source=''
        for data in "$labs/$1/data/$table" "$labs/$1/data/${table%.dat}.tsv" "$labs/$1"/data/*.dat "$labs/$1"/data/*.tsv; do
            if [ -z "$source" ] && [ -f "$data" ]; then source=$data; fi
        done
        { echo "# prediction_sha256: $(tr -d '\r' <"$folder/predict.txt" | sha256sum | cut -d ' ' -f 1)" && cat "$source"; } >"$folder/$table"
    done <"$labs/$1/runs"
}
forged_tests() {
    local lab
    for lab in "$labs"/[0-9]*; do forge "${lab##*/}"; done
    "$labs/grade" --results "$TMP/marks" all "$TMP/forged" >"$TMP/out" 2>&1
    same 'cheats: all is graded' 1 $?
    same 'cheats: without a line of C only sentences earn points' '' \
        "$(awk -F '\t' '!/^#/ && $3 > 0 && $6 !~ /a person reads/ { print $1, $2 }' "$TMP/marks" | grep -v '^exercise')"
}

# ---- what the handout tells ----

handout_tests() {
    mkdir "$TMP/handout" "$TMP/work"
    check 'cheats: make handout succeeds' env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$ROOT" handout HANDOUT="$TMP/handout.tar.gz"
    check 'cheats: the handout unpacks' tar -xzf "$TMP/handout.tar.gz" -C "$TMP/handout"
    ln -s "$ROOT/bin" "$TMP/handout/bin"
    same 'cheats: no check has a checksum of an answer' '' "$(grep -rlE '[0-9a-f]{64}' "$TMP/handout"/labs/*/check "$TMP/handout"/labs/lib/*)"
    same 'cheats: no table that is asked about has a seed' '' "$(cd "$TMP/handout/labs" && grep -l '^# seed' ./*/data/*)"
    for answer in 56 57; do
        sed "s/^first_tlb = .*/first_tlb = $answer/" "$labs/instructor/11/answers.txt" >"$TMP/work/answers.txt"
        LABS_SEED=1 "$TMP/handout/labs/grade" 11 "$TMP/work" >"$TMP/said.$answer" 2>&1
    done
    matches 'cheats: there only the teacher can check an answer' 'answer first_tlb .*CANNOT TELL: only your teacher' "$TMP/said.56"
    same 'cheats: there a right answer and a wrong one are reported the same' "$(cat "$TMP/said.56")" "$(cat "$TMP/said.57")"
    LABS_SEED=1 "$labs/grade" 11 "$TMP/work" >"$TMP/out" 2>&1
    matches 'cheats: here a wrong answer is wrong' "'57' is not it" "$TMP/out"
    PATH=$ROOT/bin:$PATH
    for machine in '40 1024 512' '120 2048 640'; do
        # shellcheck disable=SC2086 # three numbers
        "$labs/12-detect/data/make" $machine 1 | cut -f 1-4 >"$TMP/sizes.${machine%% *}"
    done
    same 'cheats: the sizes of a table do not depend on the machine' '' "$(cmp "$TMP/sizes.40" "$TMP/sizes.120" 2>&1)"
}

apart programs cheat_tests
apart words word_tests
apart forged forged_tests
apart handout handout_tests
together
finish_tests
