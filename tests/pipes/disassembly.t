#!/usr/bin/env bash
# disassembly.t: the hot loops hold what they are meant to measure and nothing else, read back from
# the object file that the programs were linked from.
. "${0%/*}/tap.sh"

skip_all() {
    skip 'hot loops' "$1"
    finish_tests
}

[ "$VARIANT" != asan ] || skip_all 'sanitizers add their own instructions'
command -v objdump >/dev/null || skip_all 'no objdump here'
case $(uname -m) in
x86_64 | amd64)
    load='^mov +\(%([a-z0-9]+)\),%[a-z0-9]+$'
    memory='\(%'
    counter='^(add|sub|inc|dec|cmp|test|lea)[a-z]* +[^(]*$|^nop'
    back='^j[a-z]+ '
    ;;
aarch64 | arm64)
    load='^ldr +x[0-9]+, \[x[0-9]+\]$'
    memory='\['
    counter='^(add|sub|cmp)s* +[^[]*$|^nop'
    back='^(b\.[a-z]+|cbn*z|tbn*z) '
    ;;
*) skip_all "no pattern for $(uname -m)" ;;
esac
object=$OUT/../common/kernel.o
[ -f "$object" ] || object=$OUT/.obj/plain/common/kernel.o
objdump -d --no-show-raw-insn "$object" >"$TMP/all" 2>"$TMP/err" || skip_all 'objdump cannot read it'

# loop_of FUNCTION: the longest loop without another in it, an instruction a line, as "mnemonic
# operands". A loop is what lies between a conditional jump and its target before it.
loop_of() {
    awk -v name="$1" -v back="$back" '
        /^[0-9a-f]+ <.*>:$/ { inside = $0 ~ "<_?" name ">"; next }
        !inside || !/^ *[0-9a-f]+:/ { next }
        {
            at = $1
            sub(/:$/, "", at)
            text = $0
            sub(/^ *[0-9a-f]+:[ \t]*/, "", text)
            sub(/[ \t]*(\/\/|#[^0-9x-]).*/, "", text)
            gsub(/[ \t]+/, " ", text)
            sub(/ +$/, "", text)
            line[++n] = text
            place[at] = n
            if (text !~ back) next
            split(text, word, /[ ,]+/)
            for (k in word) if (word[k] in place && (from = place[word[k]]) < n) {
                if (from > innermost && n - from >= best) {
                    best = n - from
                    first = from
                    last = n
                }
                innermost = from
            }
        }
        END { for (k = first; k > 0 && k <= last; k++) print line[k] }' "$TMP/all"
}

# Loads whose address is what the one before has loaded.
dependent() {
    grep -E -- "$load" | awk '{ gsub(/[][()%]/, " "); gsub(/,/, " "); if ($2 == $3) n++ } END { print n + 0 }'
}

loop_of chase_read >"$TMP/read"
loads=$(dependent <"$TMP/read")
check "read: at least 16 dependent loads in its loop ($loads)" test "$loads" -ge 16
same 'read: one register goes through all of them' 1 \
    "$(grep -E -- "$load" "$TMP/read" | sort -u | grep -c .)"
same 'read: beside them only a counter and the branch' '' \
    "$(grep -Ev -- "$load|$counter|$back" "$TMP/read")"
check 'read: few of these' test "$(grep -Evc -- "$load" "$TMP/read")" -le 4

loop_of lab_linear >"$TMP/linear"
check 'linear: the load is in its loop' grep -E -- "$memory" "$TMP/linear"
loop_of lab_dummy >"$TMP/dummy"
check 'dummy: has a loop' test -s "$TMP/dummy"
same 'dummy: no load in it' 0 "$(grep -Ec -- "$memory" "$TMP/dummy")"
finish_tests
