#!/usr/bin/env bash
# labs.t: the lab course. What students get holds no solution; every command of every exercise runs;
# nothing scores nothing, starters little, solutions all; a program that means harm costs its own
# points only. What faults cost is in labs-faults.t.
# shellcheck disable=SC2016,SC2088 # $ and ~ in single quotes are for the inner shell
. "${0%/*}/tap.sh"

if [ "$VARIANT" != plain ] || [ "$PLATFORM" != linux ]; then
    skip labs 'the plain build on Linux stands for all'
    finish_tests
fi
unset MAKEFLAGS MFLAGS MAKELEVEL
labs=$TMP/handout/labs
export LABS_SECONDS=15 # a machine that tests may be slow
instructor=$ROOT/labs/instructor

# ---- what students get ----

mkdir "$TMP/handout"
check 'make handout' make -s -C "$ROOT" handout HANDOUT="$TMP/handout.tar.gz"
check 'it unpacks' tar -xzf "$TMP/handout.tar.gz" -C "$TMP/handout"
same 'there are folders for all exercises of the teacher' \
    "$(cd "$instructor" && echo [0-9][0-9])" "$(cd "$labs" && echo [0-9][0-9]-* | sed 's/-[^ ]*//g')"
same 'no solution is in it' '' "$(find "$TMP/handout" -path '*instructor*' -o -name 'solution*')"
for solution in "$instructor"/[0-9]*/*; do
    # Lines of C, answers or gnuplot that stand in a solution and in nothing that students get.
    find "$labs" -name "${solution##*/}" -o -name starter.c | sort |
        xargs -d '\n' cat 2>/dev/null | grep -vxFf - "$solution" | grep -vE '^ *[{}]? *$' >"$TMP/own"
    check "${solution#"$instructor/"} has lines of its own" test -s "$TMP/own"
    same "${solution#"$instructor/"}: few of them are in the handout" '' "$(
        while IFS= read -r line; do
            [ ${#line} -lt 42 ] || grep -rnF -- "$line" "$labs"
        done <"$TMP/own")"
done
for readme in "$labs"/[0-9]*/README.md; do
    name=${readme%/README.md}
    for section in Goal Predict 'Do' Expect Explain Questions 'If it does not work' 'Going further'; do
        grep -qx "## $section" "$readme" || fail "${name##*/}: section $section"
    done
    matches "${name##*/}: tells its time" '^About [0-9]+ minutes' "$readme"
done

# ---- what teachers have ----

if command -v gnuplot >/dev/null; then
    mkdir "$TMP/pictures"
    check 'the pictures are made from the data' "$instructor/draw" "$TMP/pictures"
    for lab in "$labs"/[0-9]*; do
        name=${lab##*/}
        check "$name: there is a picture" test -s "$TMP/pictures/${name%%-*}.png" -a -s "$lab/expected.png"
    done
else
    skip 'the pictures are made from the data' 'no gnuplot here'
fi

# told KEY NN: the teacher's answer. rows FILE [FILE]: the rows of a table, or of two side by side.
told() { sed -n "s/^$1 = //p" "$instructor/$2/answers.txt"; }
rows() { paste <(grep '^[0-9]' "$1") <(grep '^[0-9]' "${2:-/dev/null}"); }

# The teacher's answers, told from the data once more.
same 'answer 01 longest_wait_sample' "$(told longest_wait_sample 01)" "$(rows "$labs"/01-*/data/time.dat |
    awk '$1 == 16777216 && $5 - $4 > most { most = $5 - $4; n = $3 } END { print n }')"
same 'answer 01 steady_refs' "$(told steady_refs 01)" "$(rows "$labs"/01-*/data/time.dat | awk '
    $2 == 0 { if (!($1 in low) || $4 < low[$1]) low[$1] = $4; if ($4 > high[$1]) high[$1] = $4; last = $1 }
    END { for (n = last; high[n] <= 1.15 * low[n] && n > 0; n /= 4) from = n; print from }')"
same 'answer 02 inner_ns, outer_ns' "$(told inner_ns 02) $(told outer_ns 02)" "$(
    rows "$labs"/02-*/data/two-rows.dat | awk '{ t[NR] = $2 / 10485760 * 1e9 }
        END { printf "%.6g %.6g\n", 2 * t[2] - t[1], 2 * (t[1] - t[2]) }')"
same 'answer 02 stack_instructions' "$(told stack_instructions 02)" "$(
    sed -n '/^\.L4:/,/jl/p' "$labs"/02-*/data/dummy-O0.s | grep -c '(%rbp)')"
same 'answer 03 cheaper_rows' "$(told cheaper_rows 03)" "$(
    rows "$labs"/03-*/data/line.dat "$labs"/03-*/data/dummy.dat | awk '$2 < $5' | wc -l)"
same 'answer 03 spread_percent' "$(told spread_percent 03)" "$(rows "$labs"/03-*/data/line.dat | awk '
    $1 >= 32 { if (!low || $2 < low) low = $2; if ($2 > high) high = $2 }
    END { printf "%.0f\n", (high / low - 1) * 100 }')"
same 'answer 04 first_dear' "$(told first_dear 04)" "$(
    rows "$labs"/04-*/data/tlb4K.dat "$labs"/04-*/data/tlb64.dat | awk '$2 >= 2 * $6 { print $1; exit }')"
same 'answer 05 penalty_ns, times' "$(told penalty_ns 05) $(told times 05)" "$(
    rows "$labs"/05-*/data/tlb4K.dat "$labs"/05-*/data/tlb64.dat |
        awk '$1 == 4096 { printf "%.1f %.0f\n", ($2 - $5) / 10485760 * 1e9, $2 / $5 }')"
same 'answer 06 first_dear, ratio' "$(told first_dear 06) $(told ratio 06)" "$(
    rows "$labs"/06-*/data/random.dat "$labs"/06-*/data/linear.dat | awk '
        NR == 1 { first = $4 }
        $4 >= 2 * first && !dear { dear = $1 }
        { ratio = $4 / $8 }
        END { printf "%d %.0f\n", dear, ratio }')"
same 'answer 06 simulated_lines' "$(told simulated_lines 06)" "$(
    rows "$labs"/06-*/data/simulated.tsv | awk 'NR == 1 { first = $9 } $9 == first { most = $1 } END { print most }')"
same 'answer 06 cycles, longest' "$(told cycles 06) $(told longest 06)" "$(
    rows "$labs"/06-*/data/chain.tsv | awk '{ next_of[$1] = $2 }
        END {
            for (n in next_of) if (!(n in seen)) {
                cycles++
                for (k = 0; !(n in seen); k++) { seen[n] = 1; n = next_of[n] }
                if (k > longest) longest = k
            }
            print cycles, longest
        }')"

# ---- the sandbox ----

sandbox=$labs/sandbox
harm=$TMP/harm
mkdir "$harm"
cat >"$harm/fork.c" <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int made = 0;
    for (int i = 0; i < 50; i++) {
        pid_t child = fork();
        if (child == 0) {
            sleep(60);
            _exit(0);
        }
        made += child > 0;
    }
    printf("%d\n", made);
    return 0;
}
C
printf 'int main(void) { for (volatile int i = 0;; i++); }\n' >"$harm/loop.c"
cat >"$harm/flood.c" <<'C'
#include <stdio.h>
int main(void)
{
    for (long i = 0; i < 1L << 30; i++)
        putchar('x');
    return 0;
}
C
cat >"$harm/grab.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int got = 0;
    for (; got < 64; got++) {
        char *volatile memory = malloc(100000000);
        if (memory == NULL)
            break;
    }
    printf("%d\n", got);
    return 0;
}
C
try() { (cd "$harm" && "$sandbox" --seconds 2 "$@"); }
for name in fork loop flood grab; do
    exits 0 "sandbox: $name compiles in it" try --fetch "$name" cc -o "$name" "$name.c"
done
exits 0 'sandbox: a fork bomb ends' try ./fork
check 'sandbox: it did not get its 50 processes' test "$(cat "$TMP/out")" -lt 40
exits 124 'sandbox: an endless loop is stopped' try ./loop
try ./flood >"$TMP/out" 2>"$TMP/err"
check 'sandbox: a gigabyte of output is cut' test "$(wc -c <"$TMP/out")" -le 8388608
exits 0 'sandbox: memory has an end' try ./grab
check 'sandbox: it got less than 1.1 GB' test "$(cat "$TMP/out")" -lt 11
exits 7 'sandbox: the status is that of the command' try sh -c 'exit 7'
exits 2 'sandbox: a limit that is no number' "$sandbox" --seconds x true
exits 2 'sandbox: no command' "$sandbox"
exits 2 'sandbox: it fetches from its own folder alone' try --fetch ../x true
try sh -c 'rm -f fork.c; echo new >here; ln -s /etc/passwd out'
check 'sandbox: what is deleted there is here still' test -s "$harm/fork.c"
check 'sandbox: what is written there is not here' test ! -e "$harm/here"
exits 125 'sandbox: a link is not fetched' try --fetch link ln -s /etc/passwd link
if "$sandbox" --tell | grep -q 'no network'; then
    mkdir "$TMP/home" && echo dear >"$TMP/home/thesis"
    HOME="$TMP/home" try sh -c 'rm -rf ~/* "$1"/home/*' sh "$TMP" >"$TMP/out" 2>&1
    check 'sandbox: the home folder is not within reach' test -s "$TMP/home/thesis"
    try sh -c 'setsid sleep 61.25 & exit 0' >/dev/null 2>&1
    same 'sandbox: no process is left' '' "$(ps -e -o args= | awk '$1 == "sleep" && $2 == "61.25"')"
    same 'sandbox: no way out to the network' ' lo' "$(try cat /proc/net/dev | awk -F : 'NR > 2 { print $1 }' | sed 's/^ */ /')"
else
    skip 'sandbox: network and home folder' 'this system has no namespaces for us'
fi
[ "$(id -u)" -ne 0 ] || same 'sandbox: root is nobody there' nobody "$(try id -un)"

# ---- nothing, and starters ----

mkdir "$TMP/nothing"
exits 1 'nothing handed in is graded' "$labs/grade" all "$TMP/nothing"
matches 'nothing scores nothing' '^# 0 of [0-9]+ points$' "$TMP/out"
exits 1 'starters are graded' "$labs/grade" --results "$TMP/marks.tsv" all
check 'starters score little' awk '/^# [0-9]+ of/ { exit !($2 * 10 <= $4) }' "$TMP/out"
for name in 'no time.dat' 'wanted 10485759, got: 0' 'predict.txt is not filled' \
    'answers.txt has no value for ratio' 'no set logscale x 2' '0 loops'; do
    matches "starters: it names '$name'" "^#   .*$name" "$TMP/out"
done
same 'the marks are a table' "$(grep -cE '^(not )?ok ' "$TMP/out")" \
    "$(grep -v '^#' "$TMP/marks.tsv" | sed 1d | awk -F '\t' 'NF == 6' | wc -l)"

# ---- a folder that means harm ----

mkdir -p "$TMP/trap/02-dummy-loop"
(
    cd "$TMP/trap/02-dummy-loop" || exit
    mkfifo dummy.dat dummy-O0.dat
    ln -s /etc/passwd predict.txt
    ln -s /dev/zero dummy-O2.dat
    truncate -s 3G answers.txt
    printf '#error \033[2J\n' >solution.c
)
began=$SECONDS
exits 1 'pipes, links and 3 GB are graded' timeout 50 "$labs/grade" 02 "$TMP/trap"
check 'soon' test $((SECONDS - began)) -lt 40
matches 'as nothing' '^# 0 of' "$TMP/out"
same 'nothing of it commands the terminal' 0 "$(tr -cd '\000-\010\013-\037' <"$TMP/out" | wc -c)"
exits 2 'an exercise that is not there' "$labs/grade" 99
exits 2 'a folder that is not there' "$labs/grade" 01 "$TMP/nowhere"
exits 2 'an option that is not there' "$labs/grade" --points 01
exits 2 'run: nothing to measure with yet' "$labs/run" 02
matches 'run: says what to do' 'copy starter.c' "$TMP/err"
cp "$labs"/02-*/starter.c "$(echo "$labs"/02-*)/solution.c"
exits 2 'run: no measuring before a prediction' "$labs/run" 02
matches 'run: says so' 'fill it first' "$TMP/err"

# ---- the handouts, from the first command to full marks ----

for lab in "$labs"/[0-9]*; do
    name=${lab##*/}
    awk -v folder="$TMP" '/^```sh$/ { inside = 1; n++; next } /^```/ { inside = 0 }
        inside { print >(folder "/block." n) }
        END { print n + 0 >(folder "/blocks") }' "$lab/README.md"
    count=$(cat "$TMP/blocks")
    check "$name: there are commands" test "$count" -ge 4
    for ((k = 1; k <= count; k++)); do
        if grep -q gnuplot "$TMP/block.$k" && ! command -v gnuplot >/dev/null; then
            skip "$name: $(head -n 1 "$TMP/block.$k")" 'no gnuplot here'
        else
            exits 0 "$name: $(tail -n 1 "$TMP/block.$k")" \
                sh -c 'cd "$1" && exec bash -e -o pipefail "$2"' sh "$lab" "$TMP/block.$k"
        fi
        # The holes are filled when the starter has been copied.
        [ "$k" -gt 1 ] || cp "$instructor/${name%%-*}"/* "$lab"
    done
    sed 's/^/# /' "$TMP/out" | grep -E '^# not ok' -A 1
done
exits 0 'the marks of one exercise as JSON' "$labs/grade" --json "$TMP/marks.json" 01
if command -v jq >/dev/null; then
    same 'JSON and table agree' pass "$(jq -r '[.rows[].status] | unique | join(" ")' "$TMP/marks.json" 2>&1)"
fi
finish_tests
