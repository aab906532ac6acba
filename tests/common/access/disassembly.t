#!/usr/bin/env bash
# disassembly.t: the hot loops hold what they are meant to measure and nothing else, read back from
# the object file that the programs were linked from.
. "${0%/*}/../../tap.sh"

[ "$VARIANT" != asan ] || skip_all 'sanitizers add their own instructions'
# For another processor the variant has its name.
machine=$(uname -m) objdump=objdump
[ -z "${RUN-}" ] || machine=$VARIANT objdump=$VARIANT-linux-gnu-objdump
command -v "$objdump" >/dev/null || skip_all "no $objdump here"
case $machine in
x86_64 | amd64)
    load='^mov +(0x0)?\(%[a-z0-9]+\),%[a-z0-9]+$'
    store='^mov +%[a-z0-9]+,0x8\(%[a-z0-9]+\)$'
    from=2
    memory='\(%'
    counter='^(add|sub|inc|dec|cmp|test|lea)[a-z]* +[^(]*$|^nop'
    back='^j[a-z]+ '
    ;;
aarch64 | arm64)
    load='^ldr +x[0-9]+, \[x[0-9]+\]$'
    store='^str +x[0-9]+, \[x[0-9]+, #8\]$'
    from=3
    memory='\['
    counter='^(add|sub|cmp)s* +[^[]*$|^nop'
    back='^(b\.[a-z]+|cbn*z|tbn*z) '
    ;;
*) skip_all "no pattern for $machine" ;;
esac
objects=$OUT/../common
[ -f "$objects/access/kernel.o" ] || objects=$OUT/.obj/plain/common
"$objdump" -d --no-show-raw-insn "$objects/access/kernel.o" "$objects/measure/mistake.o" >"$TMP/all" 2>"$TMP/err" ||
    skip_all 'objdump cannot read it'

# loop_of FUNCTION: the longest loop without another in it, an instruction a line, as "mnemonic operands". A
# loop spans from a conditional jump back to its target.
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
same 'read: apart from them only a counter and the branch' '' \
    "$(grep -Ev -- "$load|$counter|$back" "$TMP/read")"
check 'read: few of these' test "$(grep -Evc -- "$load" "$TMP/read")" -le 4

# follow: what the loads of a loop do: how many chains there are, that is registers at its start
# from which a load goes on to the next, in whatever register; the loads of each; and how many of
# the loads have just seen a store of their own address beside them.
follow() {
    awk -v load="$load" -v store="$store" -v from="$from" '
        { text = $0; gsub(/0x|#/, "", text); gsub(/[][()%,]/, " ", text); split(text, word, " ") }
        $0 ~ load {
            source = word[1 + (from == 2 ? 1 : 2)]
            target = word[1 + (from == 2 ? 2 : 1)]
            if (source == "0") { source = word[3]; target = word[4] }
            start = source in chain ? chain[source] : source
            chain[target] = start
            loads[start]++
            stored += source == last
            last = ""
        }
        $0 ~ store { last = word[2] == word[3] || word[2] == word[4] ? word[2] : "" }
        END {
            for (start in loads) { chains++; each = each " " loads[start] }
            print chains + 0 ":" each ":", stored + 0
        }'
}

loop_of chase_write >"$TMP/write"
same 'write: dependent loads, and a store to its node before each of them' '1: 64: 64' \
    "$(follow <"$TMP/write")"
same 'write: apart from them only a counter and the branch' '' \
    "$(grep -Ev -- "$load|$store|$counter|$back" "$TMP/write")"

for chains in 2 3 4 5 6 7 8 9 10 11 12 13; do
    loop_of "chase_read_$chains" >"$TMP/chains"
    same "$chains chains: as many dependent loads of each" "$chains 1" \
        "$(follow <"$TMP/chains" | awk -F : '{ split($2, n, " "); for (k in n) seen[n[k]] }
            END { for (k in seen) kinds += k > 0; print $1, kinds + 0 }')"
    same "$chains chains: apart from them only a counter and the branch" '' \
        "$(grep -Ev -- "$load|$counter|$back" "$TMP/chains")"
done

# Loops that are broken on purpose are broken.
matches 'vanished: is there' '<_?chase_unused>:' "$TMP/all"
loop_of chase_unused >"$TMP/unused"
same 'vanished: its loop is not' '' "$(cat "$TMP/unused")"
loop_of store_freely >"$TMP/freely"
check 'storebuffer: a store is in its loop' grep -E -- "^(mov +%[a-z0-9]+,\\(|str )" "$TMP/freely"
same 'storebuffer: nothing else there is about memory' '' \
    "$(grep -E -- "$memory" "$TMP/freely" | grep -Ev -- '^(mov +%[a-z0-9]+,\(|str )')"

loop_of lab_linear >"$TMP/linear"
check 'linear: the load is in its loop' grep -E -- "$memory" "$TMP/linear"
loop_of lab_dummy >"$TMP/dummy"
check 'dummy: has a loop' test -s "$TMP/dummy"
same 'dummy: no load in it' 0 "$(grep -Ec -- "$memory" "$TMP/dummy")"

# In the part of scripts/test that builds for it: after code is written, what cleans the caches and waits; and
# vectors that are loaded, multiplied and stored past the caches.
if [ "$machine" = aarch64 ]; then
    "$objdump" -dr "$objects/access/code.o" >"$TMP/code"
    same 'code: nodes and the gate are seen by the instruction cache before a jump' '1 2' \
        "$(awk '/^[0-9a-f]+ </ { inside = $2 } /R_AARCH64_CALL26.*__clear_cache/ { n[inside]++ }
            END { print n["<code_place>:"], n["<open_code>:"] }' "$TMP/code")"
    "$objdump" -d "$objects/../memory/streams/stream_vector.o" >"$TMP/streams"
    for instruction in 'ldr	q' 'str	q|stp	q' fmla stnp dmb; do
        matches "streams: NEON has $instruction" "	($instruction)" "$TMP/streams"
    done
fi
finish_tests
