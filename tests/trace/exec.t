#!/usr/bin/env bash
# exec.t: programs that a traced program executes are in its trace, each with its own memory and names.
. "${0%/*}/trace.sh"

# Of a trace: another program has other memory behind the same addresses.
printf 'sequence\tthread\top\taddress\n%s\t1\tread\t0x1000\n%s\t1\tread\t0x1000\n%s\t1\texec\t0\n%s\t1\tread\t0x1000\n' 1 2 0 1 >table
same 'tlbsim: after exec the TLBs are empty' 2 "$(tlbsim --machine zen4 --to table table | awk -F '\t' '$5 == "read"' | wc -l)"
same 'tlbsim --to curve: after exec no page has been accessed' '1	1	1	3	2' "$(tlbsim --to curve table | tail -n 1 | cut -f 1-5)"
same 'tlbsim --to summary: each program has a row' '1 1' \
    "$(tlbsim --machine zen4 --to summary table | awk -F '\t' '$4 == 1 { print $6 }' | paste -s -d ' ' -)"
tlbsim table >binary
same 'tlbsim: exec is in the binary form' 1 "$(tlbsim --to table binary | grep -c '	exec	')"

plain_linux_alone
needs_qemu 'tlbrun: exec goes on traced'
run() { tlbrun --trace trace -- sh -c "$1"; }
executed() { tlbsim --to table trace | grep -c '	exec	'; }
functions() { tlbsim --itlb 81 trace | misses --quiet --by function --fetches | awk -F '\t' '/^page_/ { n[$2]++ } END { for (k in n) print n[k], k }'; }
gcc -O1 "$ROOT/tests/trace/fetches.c" -o program && gcc -g -O1 "$ROOT/tests/workloads/objects.c" -o objects || exit 2

run './objects; :'
tlbsim --machine zen4 --page-size 4K trace >found
same 'tlbrun: a program of a shell has its global variables' 300 "$(hundreds object found table)"
same 'tlbrun: a program of a shell has its blocks of the heap' 410 \
    "$(hundreds object found "heap main (objects.c:41);make_heap (objects.c:$(grep -n 'malloc(' "$ROOT/tests/workloads/objects.c" | cut -d : -f 1))")"
same 'tlbrun: a program of a shell has its functions' 400 "$(hundreds function found write_heap)"

run './program; ./program' >/dev/null
same 'tlbrun: a program that is executed twice misses twice' '80 2' "$(functions)"
printf '#! %s -e\nexec ./program\n' "$(command -v sh)" >script && chmod +x script
run 'exec ./script' >/dev/null
same 'tlbrun: a script is executed by its interpreter, which executes a program in the same process' '2 80 1' \
    "$(executed) $(functions)"
# shellcheck disable=SC2016 # the script expands it
same 'tlbrun: a script has its name and its arguments' './show a b' \
    "$(printf '#!/bin/sh\necho "$0" "$@"\n' >show && chmod +x show && run './show a b')"
run 'exec sh -c "exit 7"'
same 'tlbrun: the status is that of the program that was executed last' 7 $?
exits 0 'tlbrun: its trace is whole' tlbsim --to table trace
run './nothing 2>/dev/null; ./table 2>/dev/null; echo $?' >status
same 'tlbrun: what cannot be executed is refused as ever' '126 0' "$(cat status) $(executed)"
cp "$(type -P true)" own && chmod u+s own
run './own; :'
same 'tlbrun: a program with the rights of its owner keeps them, untraced' 0 "$(executed)"
same 'tlbrun: libraries that the shell asks for are put before a program' libc.so.6 "$(run 'LD_PRELOAD=libc.so.6 printenv LD_PRELOAD')"
same 'tlbrun: a program of a program finds the environment as it was' '' \
    "$(run 'sh -c "printenv LD_PRELOAD TLBLAB_TRACE TLBLAB_TLBSIM_PROCESS; :"')"
finish_tests
