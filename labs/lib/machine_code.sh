# machine_code.sh: the part of grading.sh that reads the machine code of programs of students.
# shellcheck shell=bash disable=SC2154 # of execute.sh

# holds POINTS ITEM FUNCTION LOOPS LOADS FLAG...: compiled with these flags, FUNCTION has at least LOOPS
# loops and LOADS loads within them.
holds() {
    local points=$1 item=$2 function=$3 loops=$4 loads=$5 found
    shift 5
    if [ -z "$SOURCE" ]; then
        lose "$points" "$item" "no program to look at$UNUSABLE"
    elif ! command -v objdump >/dev/null; then
        untold "$points" "$item" 'no objdump here'
    elif ! machine_code "$@"; then
        lose "$points" "$item" 'does not compile'
    elif found=$(loops "$function" "$@") && [ -z "$found" ]; then
        if grep -q "<_*$function>:" "$WORK/code/$*"; then
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

# The part of awk programs that reads machine code, as objdump prints it. Of function f the instructions are
# numbers first[f] to last[f]; place[f, ADDRESS] is the number of the one there. load[n]: it reads memory that is
# not the stack. text[n]: its mnemonic and operands. jump[n]: it jumps, to the instruction with the key leads[n] of place. calls[n]: the other
# function that it calls or jumps to. ends[n]: the next one does not follow it. `known`: this is a processor whose
# code it can read.
# shellcheck disable=SC2016 # it is awk
instructions='
    # The function that a call or jump leads to, from its operands or its relocation.
    function target(text) {
        if (!match(text, /<[^>+]*>/)) return ""
        return substr(text, RSTART + 1, RLENGTH - 2)
    }
    # The address that a jump leads to: the last operand before its name.
    function word_of(operands,   word, count) {
        sub(/ *<.*/, "", operands)
        count = split(operands, word, /[ ,]+/)
        return word[count]
    }
    /^[0-9a-f]+ <.*>:$/ {
        f = $2
        gsub(/^<_?|>:$/, "", f)
        first[f] = last[f] = n + 1
        next
    }
    /file format/ { arm = /aarch64|arm64/; known = arm || /x86-64/ }
    / R_[A-Z0-9_]+/ && (calls[n] != "" || jump[n]) {
        to = $3
        sub(/[-+]0x[0-9a-f]+$/, "", to)
        calls[n] = to
        next
    }
    f == "" || !/^ *[0-9a-f]+:\t/ || / R_[A-Z0-9_]+/ { next }
    {
        at = $1
        sub(/:$/, "", at)
        place[f, at] = ++n
        last[f] = n
        mnemonic = $2
        operands = $0
        sub(/^ *[0-9a-f]+:[ \t]*[^ \t]+[ \t]*/, "", operands)
        text[n] = mnemonic " " operands
        # %rbp is the frame only where the function makes it so.
        if (!arm && mnemonic == "mov" && operands ~ /^%rsp,%rbp/) frame[f] = 1
        if (arm) load[n] = mnemonic ~ /^ldr/ && operands !~ /\[(sp|x29)/
        else load[n] = mnemonic !~ /^(lea|nop|call|j|prefetch)/ && operands ~ /\(%/ &&
                operands !~ /\(%rsp/ && !(f in frame && operands ~ /\(%rbp/) &&
                operands ~ /\(%[^)]*\)(,%|$)/
        if (mnemonic ~ /^(call|bl$)/) calls[n] = target(operands)
        ends[n] = mnemonic ~ /^(ret|jmp|b$|br$|hlt|ud2)/
        if (mnemonic !~ /^(j|b\.|b$|cbn?z|tbn?z)/) next
        jump[n] = 1
        leads[n] = f SUBSEP word_of(operands)
        if (target(operands) != f) calls[n] = target(operands)
    }'

# What counts loops in them.
# shellcheck disable=SC2016 # it is awk
loop_counter='
    # Whether control goes from one instruction to another one behind it: a jump back from a piece that
    # the compiler has put at the end of the function is no loop.
    function reaches(from, to,   seen, stack, top, i) {
        stack[top = 1] = from
        while (top) {
            i = stack[top--]
            if (i == to) return 1
            if (i in seen || !(i in ends)) continue
            seen[i]
            if (!ends[i]) stack[++top] = i + 1
            if (leads[i] in place) stack[++top] = place[leads[i]]
        }
        return 0
    }
    function find_loops(f,   i, k, to) {
        if (f in back) return
        back[f] = 0
        for (i = first[f]; i <= last[f]; i++) {
            to = leads[i] in place ? place[leads[i]] : i + 1
            if (to > i || !reaches(to, i)) continue
            if (!heads[to]++) back[f]++
            for (k = to; k <= i; k++) looped[k] = 1
        }
    }
    # Counts f, and what it calls, as part of a loop or not.
    function visit(f, inside,   i) {
        if (busy[f] || depth > 20) return
        busy[f] = 1
        depth++
        find_loops(f)
        sum += back[f]
        for (i = first[f]; i <= last[f]; i++) {
            if (load[i] && (inside || looped[i])) loads++
            if (calls[i] != "" && calls[i] in first) visit(calls[i], inside || looped[i])
        }
        depth--
        busy[f] = 0
    }'

# loops FUNCTION FLAG...: counts in the object code of FUNCTION, as "LOOPS LOADS": places that backward
# jumps lead to, and loads from memory within such a loop; loads from the stack do not count. Functions of the same program
# that it calls belong to it. Prints nothing where the machine code is unknown.
loops() {
    local function=$1
    shift
    machine_code "$@" || return 1
    awk -v name="$function" "$instructions$loop_counter"'
        END {
            if (!known || !(name in first)) exit
            visit(name, 0)
            print sum + 0, loads + 0
        }' "$WORK/code/$*"
}
