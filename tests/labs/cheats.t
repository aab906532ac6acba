#!/usr/bin/env bash
# cheats.t: what is handed in to look right without being it earns nothing: programs that answer from
# elsewhere, tables of no measurement, answers that the handout tells.
# shellcheck disable=SC2016 # $ in single quotes is for awk
. "${0%/*}/../tap.sh"
. "${0%/*}/labs.sh"

plain_linux_alone
long_test
labs=$ROOT/labs
export LABS_SECONDS=15 QUICK=yes # a machine that tests may be slow

# ---- programs that answer without doing the work: the functions of 09 do nothing ----

# cheats NAME BEFORE AFTER: no item about what the functions do is earned. BEFORE and AFTER stand around the starter,
# whose main is then `starters`.
cheats() {
    local work=$TMP/$1
    cp -R "$full" "$work"
    {
        printf '#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n%s\n' "$2"
        sed 's/^int main(/int starters(/' "$starter"
        printf '%s\n' "$3"
    } >"$work/solution.c"
    "$labs/lib/grade" 09 "$work" >"$TMP/out" 2>&1
    same "cheats: $1: it is graded" 1 $?
    same "cheats: $1 gets no point for what it does not do" '' "$(grep -E '^ok.* (read_chain|store_[a-z]*): ' "$TMP/out" | grep -v 'CANNOT TELL')"
    same "cheats: $1 gets no point for its tables" '' "$(grep -E '^ok.* (read|freely|ask|go)\.dat' "$TMP/out")"
}
starter=$labs/09-store-buffer/starter/solution.c

# What reads the teacher's solution, and all files around.
reader_tests() {
    cheats walker '#include <ftw.h>
        #include <mntent.h>' 'static int show_file(const char *p, const struct stat *s, int k) {
            FILE *f = setmntent(p, "r"); char w[999]; (void)s; (void)k;
            while (f && fgets(w, 999, f)) fputs(w, stdout);
            return 0; }
        int main(int c, char **v) { ftw(".", show_file, 9); return starters(c, v); }'
    local seen="__has_include(\"$labs/instructor/09/solution\")"
    cheats stolen "#if $seen
$(cat "$full/solution.c")
#else" "#endif
#if !$seen
int main(int c, char **v) { return starters(c, v); }
#endif"
}
# Against the list of accesses, and against the check; doors.t has what reaches for other processes and files.
new_tests() {
    # No cycle, but a link to itself: every step ends where it began.
    cheats loop '' 'int main(int c, char **v) { if (c != 6) return starters(c, v);
        printf("# stage: 0x404000\n# nodes: 0x405000\n# end: 0\nnode\tnext\tword\n");
        for (int i = 0; i < atoi(v[3]); i++) printf("%d\t0\t-1\n", i);
        return 0; }'
    # As many accesses, in the order of memory.
    cheats as-many '' 'int main(int c, char **v) { long n = c == 6 ? atol(v[3]) : 0; struct node *m;
        if (c != 6) return starters(c, v);
        m = allocate(n);
        printf("# stage: %p\n# nodes: %p\n# end: 0\nnode\tnext\tword\n", (void *)&stage, (void *)m);
        enter_stage(1);
        for (long s = 0; s < atol(v[4]); s++) { *(volatile long *)&m[s % n].word = s; (void)*(struct node *volatile *)&m[s % n].next; }
        enter_stage(2);
        for (long i = 0; i < n; i++) printf("%ld\t%ld\t%ld\n", i, (i + 1) % n, m[i].word);
        return 0; }'
    # An index that the grader could take for a command.
    cheats command '' 'int main(int c, char **v) { if (c != 6) return starters(c, v);
        printf("# stage: 0x1\n# nodes: x[$(touch /tmp/cheat)]\n# end: a[$(touch /tmp/cheat)]\nnode\tnext\tword\n");
        for (int i = 0; i < atoi(v[3]); i++) printf("a[$(touch /tmp/cheat)]\t%d\t-1\n", i);
        return 0; }'
    # So many lines that the check would need minutes, and gigabytes, to read them.
    cheats endless '' 'int main(void) { while (putchar(10) >= 0); return 0; }'
    matches 'cheats: what it may print has an end' 'wrote more than it may' "$TMP/out"
    check 'cheats: no text of a program is a command' test ! -e /tmp/cheat
}

# ---- lists of accesses that were not made ----

# forges NAME FUNCTION: read_chain is right, and main calls forge(TEXT) where the loads should be. TEXT has the lines that
# valgrind would print for them, after a newline.
forges() {
    local work=$TMP/$1
    cp -R "$full" "$work"
    {
        printf '#define _GNU_SOURCE\n#include <fcntl.h>\n#include <stdio.h>\n#include <string.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n'
        sed 's/^int main(/int solutions(/' "$full/solution.c"
        printf '%s\n' "$2"
        cat <<'C'
int main(int c, char **v)
{
    static char text[8192] = "\n";
    long n = c == 6 ? atol(v[3]) : 0, end = 0;
    char *p = text + 1;

    if (c != 6 || v[2][0] != 'r')
        return solutions(c, v);
    struct node *m = allocate(n);
    link_random(m, n, strtoull(v[5], NULL, 10));
    for (long i = 0; i < n; i++)
        m[i].word = -1;
    for (long s = atol(v[4]); s > 0; s--, end = m[end].next - m)
        p += sprintf(p, " L %08lx,8\n", (unsigned long)&m[end]);
    enter_stage(1);
    forge(text);
    enter_stage(2);
    printf("# stage: %p\n# nodes: %p\n# end: %ld\nnode\tnext\tword\n", (void *)&stage, (void *)m, end);
    for (long i = 0; i < n; i++)
        printf("%ld\t%ld\t%ld\n", i, (long)(m[i].next - m), m[i].word);
    return 0;
}
C
    } >"$work/solution.c"
    "$labs/lib/grade" 09 "$work" >"$TMP/out" 2>&1
    same "cheats: $1: it is graded" 1 $?
    matches "cheats: $1: the result is right" '^ok.* read_chain: not one too many' "$TMP/out"
    matches "cheats: $1 makes no loads" '^not ok.* read_chain: the load is in the loop' "$TMP/out"
}
list_tests() {
    # Options of valgrind, which an earlier run leaves for the later ones: with some it prints the names of symbols. They
    # have no effect, so neither have wrong ones.
    local work=$TMP/options
    cp -R "$full" "$work"
    sed 's/^int main(/int solutions(/' "$full/solution.c" >"$work/solution.c"
    cat >>"$work/solution.c" <<'C'
int main(int c, char **v)
{
    FILE *f = c == 6 && atol(v[4]) == 7 ? fopen(".valgrindrc", "w") : NULL;
    if (f != NULL && fputs("--no-such-option\n", f) >= 0)
        fclose(f);
    return solutions(c, v);
}
C
    "$labs/lib/grade" 09 "$work" >"$TMP/out" 2>&1
    matches 'cheats: valgrind has no options of an earlier run' '^ok.* store_and_go: store and load are in the loop' "$TMP/out"
    # Text that valgrind prints: the path of a call, or the answer to a request.
    forges path 'static void forge(char *text) { (void)!access(text, 0); }'
    forges link 'static void forge(char *text) { char p[9999];
        sprintf(p, "/proc/self/exe), 0x1ffe, 9 )[sync] --> Failure(0x2) %sSYSCALL[1,1](89) sys_readlink ( 0x49(/proc/self/exe", text);
        (void)!readlink(p, p, 9); }'
    local request='static void forge(char *text) { volatile unsigned long ask[6] = {VALUES};
        __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
            : : "a"(ask), "d"(0L) : "cc", "memory"); }'
    [ "$(uname -m)" != x86_64 ] ||
        forges unseen 'static long put(long thread, char *text) { (void)thread; return syscall(SYS_write, 9, text, strlen(text)); }
'"${request/VALUES/0x1102, (unsigned long)put, (unsigned long)text}"
}

# ---- answers of an earlier run ----

# Answers that are the same in each run: exercise, function, first argument, answer.
constant='15 misses 8 0
18 share 100 100.000
19 shift 4 -1
19 repeat 8 8'

# repeated NN: what a program earns that answers each question of function, first argument and length as it was right in
# another run, or of function and length, and others with their last number. The marks of a program that prints the
# question have what is wanted.
repeated() {
    local work=$TMP/$1 same
    "$labs/instructor/solve" "$1" "$work"
    printf '#include <stdio.h>\nint main(int c, char **v) { return printf("%%d %%s %%s\\n", c, c > 2 ? v[2] : "-", c > 3 ? v[3] : "-") < 0; }\n' >"$work/solution.c"
    LABS_SEED=1 "$labs/lib/grade" --results "$TMP/rows" "$1" "$work" >/dev/null 2>&1
    {
        printf '#include <stdio.h>\n#include <string.h>\nint main(int c, char **v) {\n'
        sed -nE "s/^$1 (.*) (.*) (.*)/if (c > 3 \&\& !strcmp(v[2], \"\1\") \&\& !strcmp(v[3], \"\2\")) return puts(\"\3\") < 0;/p" <<<"$constant"
        for same in 'c > 3 \&\& !strcmp(v[3], "\4")' 1; do
            sed -nE 's/.*\twanted (.*), got: ([0-9]+) ([^ ]+) ([^ ;]+)(; try: .*)?$/if (c == \2 \&\& !strcmp(v[2], "\3") \&\& '"$same"') return puts("\1") < 0;/p' "$TMP/rows"
        done
        printf 'return puts(v[c - 1]) < 0; }\n'
    } >"$work/solution.c"
    [ "$1" = 12 ] || matches "cheats: answers of $1 are known" '^if .c == ' "$work/solution.c"
    LABS_SEED=2 "$labs/lib/grade" --results "$TMP/rows" "$1" "$work" >/dev/null 2>&1
    awk -F '\t' '$5 == "pass" && $2 !~ /^(answer|prediction|compiles)/ { print $2 }' "$TMP/rows"
}
repeat_tests() {
    local number earned
    for number in 08 12 13 15 16 17 18 19 20 21; do
        repeated "$number" >"$TMP/said"
        grep -E '^(not )?ok |^#' "$TMP/said"
        # In 17 the bytes of a loop are what a student fills in.
        earned=$(grep -vE '^(not )?ok |^#|^(sum|sum_four|triad): its bytes$' "$TMP/said")
        same "cheats: answers of an earlier run earn nothing in $number" '' "$earned"
    done
}

# ---- a picture that only looks right: the graph of 05 ----

# imitates NAME SCRIPT: this tlb.p does not draw three series.
imitates() {
    local work=$TMP/$1
    "$labs/instructor/solve" 05 "$work"
    printf 'set terminal png\nset output "tlb.png"\nset logscale x 2\n%s\n' "$2" >"$work/tlb.p"
    "$labs/lib/grade" 05 "$work" >"$TMP/out" 2>&1
    same "cheats: $1: it is graded" 1 $?
    matches "cheats: $1: the program has its points" '^ok.* work: the load is in a loop in a loop' "$TMP/out"
    lacks "cheats: $1 does not draw three series" '^ok.* tlb.p draws three series' "$TMP/out"
}
graph_tests() {
    # Cairo draws with threads, which are no programs that a script starts.
    if gnuplot -e 'set terminal pngcairo' 2>/dev/null; then
        "$labs/instructor/solve" 05 "$TMP/cairo"
        sed -i 's/^set terminal png /set terminal pngcairo /' "$TMP/cairo/tlb.p"
        "$labs/lib/grade" 05 "$TMP/cairo" >"$TMP/out" 2>&1
        same 'cheats: an honest script may draw with cairo' 4 "$(grep -c '^ok.* tlb.p ' "$TMP/out")"
    fi
    "$labs/instructor/solve" 05 "$TMP/own axes"
    sed -i -e '/^plot/i set format y "%.1f s"' -e 's/using 1:2/using ($1):($2)/' "$TMP/own axes/tlb.p"
    "$labs/lib/grade" 05 "$TMP/own axes" >"$TMP/out" 2>&1
    same 'cheats: an honest script may format its axes and compute' 4 "$(grep -c '^ok.* tlb.p ' "$TMP/out")"
    imitates 'a title for the curves' 'plot x title system("cat tlb4K.dat tlb64.dat dummy.dat | head -c 200")'
    imitates 'labels for the points' 'set label 1 system("cut -f 2 tlb4K.dat | tail -n 1") at 1, 1
plot "tlb4K.dat" using 1:2, "tlb4K.dat" using 1:2, "tlb4K.dat" using 1:2'
    imitates 'a script that ends before it is looked at' 'set xlabel "x"; set ylabel "y"; set title "t"
plot x
set print "-"; print "xlog ", GPVAL_X_LOG; show xlabel; show ylabel; show title
set table "points"; plot "tlb4K.dat" using 1:2, "tlb64.dat" using 1:2, "dummy.dat" using 1:2; unset table
exit'
    # It reads what gnuplot is asked, and answers itself; or something that it started answers.
    local series='plot "tlb4K.dat" using 1:2, "tlb64.dat" using 1:2, "dummy.dat" using 1:2'
    imitates 'a script that answers' 'plot x
set output; set table "points"
'"$series"'
unset table
system("cp tlb.png again.png")
mark = system("sed -n \"s/^print .\\([0-9a-f][0-9a-f]*\\).$/\\1/p\" | head -n 1")
set print "-"; print mark; print "xlog 2.0"; print "title is \"t\""; print "xlabel is \"t\""; print "ylabel is \"t\""; print mark
exit gnuplot'
    lacks 'cheats: a script that answers has no labels' '^ok.* tlb.p has a title' "$TMP/out"
    imitates 'an answer from elsewhere' 'plot x
system("for k in $(seq 500); do for what in title xlabel ylabel; do echo $what is \\\"t\\\"; done; sleep 0.002; done >&2 </dev/null & exit 0")
pause 0.5'
    lacks 'cheats: an answer from elsewhere is none' '^ok.* tlb.p has a title' "$TMP/out"
    imitates 'an answer through the first process' 'plot x
set print "/proc/1/fd/1" append
print "xlog 2.0\ntitle is \"t\"\nxlabel is \"x\"\nylabel is \"y\""
set print "/proc/self/fd/0" append
print "print \"title is \\\"t\\\"\""'
    lacks 'cheats: an answer through the first process is none' '^ok.* tlb.p has a title' "$TMP/out"
    imitates 'a title with points' 'rows(f) = system("grep ^[0-9] ".f." | cut -f 1,2 | sed \"s/$/ i/\"")
plot 1/x title "a\n# x y type\n".rows("tlb4K.dat"), x title "b\n# x y type\n".rows("tlb64.dat"), x*x title "c\n# x y type\n".rows("dummy.dat")'
}

# ---- all that can be handed in without a line of C ----

# forge NAME: a folder with predictions, sentences, guesses, and each table of the exercise's data, sealed.
forge() {
    local folder=$TMP/forged/$1 table data source
    mkdir -p "$folder"
    sed 's/^\([a-z].*=\) *$/\1 7/' "$labs/$1/starter/predict.txt" >"$folder/predict.txt"
    awk '/a sentence|In your own words/ { prose = 1 } /^[a-z].*=/ { print $0 (/^mine/ ? "" : prose ? " words that somebody has to read" : " 7777"); next } 1' \
        "$labs/$1/starter/answers.txt" >"$folder/answers.txt"
    [ ! -f "$labs/$1/starter/tlb.p" ] || echo 'set output "tlb.png"; print "tlb4K.dat tlb64.dat dummy.dat"; plot x' >"$folder/tlb.p"
    while read -r table _; do
        source=''
        for data in "$labs/$1/data/$table" "$labs/$1/data/${table%.dat}.tsv" "$labs/$1"/data/*.dat "$labs/$1"/data/*.tsv; do
            if [ -z "$source" ] && [ -f "$data" ]; then source=$data; fi
        done
        { echo "# prediction_sha256: $(tr -d '\r' <"$folder/predict.txt" | sha256sum | cut -d ' ' -f 1)" && cat "$source"; } >"$folder/$table"
    done < <(sed -n "s/^${1%%-*} //p" "$labs/lib/runs")
}
forged_tests() {
    local lab
    for lab in "$labs"/[0-9]*; do forge "${lab##*/}"; done
    "$labs/lib/grade" --results "$TMP/marks" all "$TMP/forged" >"$TMP/out" 2>&1
    same 'cheats: all is graded' 1 $?
    same 'cheats: without a line of C nothing earns points' '' \
        "$(awk -F '\t' '!/^#/ && $3 > 0 { print $1, $2 }' "$TMP/marks" | grep -v '^exercise')"
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
        sed "s/^first_tlb = .*/first_tlb = $answer/" <(answers_of 11) >"$TMP/work/answers.txt"
        LABS_SEED=1 "$TMP/handout/labs/lib/grade" 11 "$TMP/work" >"$TMP/said.$answer" 2>&1
    done
    matches 'cheats: there only the teacher can check an answer' 'answer first_tlb: marked later$' "$TMP/said.56"
    same 'cheats: there a right answer and a wrong one are reported the same' "$(cat "$TMP/said.56")" "$(cat "$TMP/said.57")"
    LABS_SEED=1 "$labs/lib/grade" 11 "$TMP/work" >"$TMP/out" 2>&1
    matches 'cheats: here a wrong answer is wrong' "'57' is not it" "$TMP/out"
    PATH=$ROOT/bin:$PATH
    for machine in '40 1024 512' '120 2048 640'; do
        # shellcheck disable=SC2086 # three numbers
        "$labs/12-detect/data/make" $machine 1 | cut -f 1-4 >"$TMP/sizes.${machine%% *}"
    done
    same 'cheats: the sizes of a table do not depend on the machine' '' "$(cmp "$TMP/sizes.40" "$TMP/sizes.120" 2>&1)"
}

# ---- no work at all ----

# The items that a check gives it, except that it compiles.
earned() { "$labs/lib/grade" "$@" | grep '^ok' | grep -vE 'compiles without a warning|CANNOT TELL'; }
nothing_tests() {
    local lab
    for lab in "$labs"/[0-9][0-9]-*/; do
        lab=$(basename "$lab")
        mkdir -p "$TMP/empty/$lab"
        echo 'int main(void) { return 0; }' >"$TMP/empty/$lab/solution.c"
    done
    same 'cheats: a program that does nothing earns nothing' '' "$(earned all "$TMP/empty")"
    mkdir "$TMP/starter"
    { cat "$labs/01-time/starter/solution.c" && echo '/* mine */'; } >"$TMP/starter/solution.c"
    same 'cheats: nor a starter with a comment' '' "$(earned 01 "$TMP/starter")"
}

full=$TMP/full
"$labs/instructor/solve" 09 "$full"
# A program that works a little now and then: beside the others, as it takes its time.
mkdir "$TMP/doze"
(cd "$TMP/doze" && "$labs/lib/sandbox" --wall 60 --how "$TMP/doze.how" sh -c 'while sleep 0.1; do :; done' >"$TMP/doze.out" 2>&1 &)
apart readers reader_tests
apart new new_tests
apart list list_tests
apart repeated repeat_tests
command -v gnuplot >/dev/null && apart graph graph_tests
apart forged forged_tests
apart handout handout_tests
apart nothing nothing_tests
together
for _ in {1..300}; do [ ! -s "$TMP/doze.how" ] || break; sleep 0.2; done
same 'cheats: what a program waits is added up' 'idle 20' "$(head -n 1 "$TMP/doze.how")"
finish_tests
