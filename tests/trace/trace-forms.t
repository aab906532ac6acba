#!/usr/bin/env bash
# trace-forms.t: traces and samples of other programs as they are found, in versions old and new; the source
# of each is named.
# shellcheck source-path=SCRIPTDIR
. "${0%/*}/../tap.sh"

# rows FILE: without metadata and header, blanks for tabs.
rows() { grep -v '^#' "$1" | tail -n +2 | tr '\t' ' '; }

# by WHAT: names and numbers of the samples on stdin, reads, writes and weights.
by() { misses --quiet --by "$1" >"$TMP/out" && rows "$TMP/out" | cut -d ' ' -f 1-4,7 | paste -s -d , -; }

# accesses: of the trace on stdin.
accesses() { tlbsim --to table >"$TMP/out" 2>"$TMP/err" || echo "status $?"; rows "$TMP/out" | cut -d ' ' -f 5-8 | paste -s -d , -; }

# ---- lackey ----

# The traces of CS:APP's cache lab, after a Windows editor.
same 'trace-forms: lackey with carriage returns' 'read 0x10 1 0x0,read 0x20 1 0x0,write 0x20 1 0x0,read 0x22 1 0x0' \
    "$(printf ' L 10,1\r\n M 20,1\r\n L 22,1\r\n' | accesses)"
same 'trace-forms: a table with carriage returns' 'read 0x10 0 0x0' "$(printf 'op\taddress\r\nread\t0x10\r\n' | accesses)"

# valgrind --tool=lackey --trace-mem=yes CMD 2>&1, as most handouts have it.
printf '==4242== Command: ls -l\nI  04001090,3\n S 1ffefffbb8,8\nhello from the program\n\nbye\n L 10,1\n==4242==\n' >"$TMP/mixed"
same "trace-forms: a program's own output among lackey's lines is skipped, with status 1" \
    'status 1,execute 0x4001090 3 0x0,write 0x1ffefffbb8 8 0x0,read 0x10 1 0x0' "$(accesses <"$TMP/mixed" | paste -s -d , -)"
same "trace-forms: the program's output is warned of once, with the remedy" 1 "$(grep -c 'log-file=FILE' "$TMP/err")"
matches "trace-forms: the program's output is named by its line" '^tlbsim: -:4: ' "$TMP/err"

same "trace-forms: a program's line with more behind two numbers is no access" 'status 1,read 0x10 1 0x0' \
    "$(printf ' L 10,1\nS 5,000 items\n' | accesses | paste -s -d , -)"
exits 2 'trace-forms: a line alone without its end is refused' tlbsim --to table < <(printf ' L 10,1')
matches 'trace-forms: a line alone without its end is named' 'its only line has no end' "$TMP/err"

# ---- drmemtrace ----

# DynamoRIO/drmemtrace_samples, of 2022: the view of release 9.
same 'trace-forms: the view of drmemtrace version 4' 'execute 0x402680 3 0x402680,read 0x7f8881e37c70 8 0x402680' \
    "$(accesses <<'END'
Output format:
<record#>: T<tid> <record details>
------------------------------------------------------------
        1: T1774673 <marker: version 4>
        5: T1774673 <marker: page size 4096>
   173369: T1774669 ifetch       3 byte(s) @ 0x0000000000402680 f3 48 a5             rep movsq
   173370: T1774669 read         8 byte(s) @ 0x00007f8881e37c70 by PC 0x0000000000402680
END
    )"

# Its view of 2024, with workloads (suite/tests of DynamoRIO, "W0.T3").
same "trace-forms: drmemtrace's workloads are processes" '0 3 execute 0x7f6fdd3ec360,1 3 write 0x7ffc2d1d5a48' \
    "$(tlbsim --to table <<'END' | grep -v '^#' | tail -n +2 | tr '\t' ' ' | cut -d ' ' -f 3-6 | paste -s -d , -
Output format:
<--record#-> <--instr#->: <Wrkld.Tid> <record details>
------------------------------------------------------------
           6           0:       W0.T3 <marker: W0.T3 on core 2>
           7           1:       W0.T3 ifetch       3 byte(s) @ 0x00007f6fdd3ec360 00010011 00060906 move [8byte]       %rv4 -> %rv7
          10           2:       W1.T3 write        8 byte(s) @ 0x00007ffc2d1d5a48 by PC 0x00007fd6107343e3
END
    )"

# ---- perf ----

same "trace-forms: what perf says on the same terminal is no sample" 'add 1 1 0 0,probe 1 1 0 0' "$(by function <<'END'
[ perf record: Woken up 1 times to write data ]
 1/1 1.5: dTLB-load-misses:     7f2a10003040           401136 add
Warning:
Processed 4593325 samples and lost 70.00%!

Check IO/CPU overload!
 prog 1 [000] 0.0: PERF_RECORD_MMAP2 1/1: [0x400000(0x1000) @ 0 fe:01 1 2]: r-xp /tmp/prog
 1/1 1.6: dTLB-load-misses:     7f2a10004040           401136 probe
END
)"

# facebookarchive/BOLT #29, janestreet/magic-trace #311: perf record -g.
chains=$'# perf record -g -d -e dTLB-load-misses:u -- ./prog
 4101/4101   812.100001: dTLB-load-misses:u:     7f2a10003040 
\t          401136 add+0x6 (/tmp/prog)
\t          401200 main+0x10 (/tmp/prog)

 4101/4101   812.100003: dTLB-load-misses:u:     7f2a10004080 
\t          4011a0 probe+0x2 (/tmp/prog)
\t          401200 main+0x10 (/tmp/prog)
'
same 'trace-forms: the first function of a call chain made the access' 'add 1 1 0 0,probe 1 1 0 0' "$(by function <<<"$chains")"
same 'trace-forms: call chains, with carriage returns' 'add 1 1 0 0,probe 1 1 0 0' "$(by function <<<"${chains//$'\n'/$'\r\n'}")"
same 'trace-forms: addresses beside call chains' '0x7f2a10003000 1 1 0 0,0x7f2a10004000 1 1 0 0' "$(by page <<<"$chains")"
same 'trace-forms: a sample with a weight, before a call chain' 'probe 1 1 0 47' "$(by function <<END
 1/1 1.5: ibs_op//:     7f2a10003080       a68000142 |OP LOAD|LVL L3 hit|SNP N/A|TLB L2 miss|LCK N/A|BLK N/A                47 
$(printf '\t          401136 probe+0x16 (/tmp/join)')
END
)"

# perf record without -d: the only address is that of the code.
# refused NAME: the samples on stdin.
refused() {
    cat >"$TMP/samples"
    exits_saying 2 "trace-forms: samples are refused $1" 'samples:[12]: .*perf record -d' misses "$TMP/samples"
}
refused 'without an address' <<<' 4101/4101   812.100001: dTLB-load-misses:     401136 find_slot+0x6 (/tmp/prog)'
refused 'without an address, of a function whose name is hexadecimal' <<<' 4101/4101   812.100001: dTLB-load-misses:     401136 add'
refused 'without an address, with call chains' <<<$'prog 4101   812.100001:     250 dTLB-load-misses:u: \n\t401136 add+0x6 (/tmp/prog)'
refused "with the code's address and a call chain" <<<$' 1/1 1.5: dTLB-load-misses:     401136 \n\t401136 add+0x6 (/tmp/prog)'
refused "with the code's address twice" <<<' 4101/4101   812.100001: dTLB-load-misses:     401136           401136 add'
refused 'with address 0' <<<' 4101/4101   812.100001: dTLB-load-misses:          0           401136 add'
refused 'without an address, after one with it' <<<' 1/1 1.5: dTLB-load-misses:     7f2a10003040           401136 add
 1/1 1.6: dTLB-load-misses:     401136           401136 add'
same 'trace-forms: the address of an instruction is that of its own miss' '0x401000 1' \
    "$(by page <<<' 1/1 1.5: iTLB-load-misses:     401136           401136 add' | cut -d ' ' -f 1,2)"

# Samples of all loads of which none missed; fields without a time.
exits 2 'trace-forms: samples of which none missed are refused' \
    misses <<<'prog 4101 812.1: 1 cpu/mem-loads,ldlat=30/P: 7f2a10003040 5080184 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A 32 401136 add'
matches 'trace-forms: samples of which none missed are answered with an event that does' 'no sample of it missed in a TLB: .*dTLB-load-misses' "$TMP/err"
exits 2 'trace-forms: samples without a time are refused' misses <<<' 4101/4101 dTLB-load-misses:u: 7f2a10003040 401136 add'
matches 'trace-forms: samples without a time are answered with the fields of the manual page' "$(grep -o 'perf script -F [a-z,]*[a-z]' "$ROOT/src/trace/tlbsim.1")" "$TMP/err"

# Events of Intel, of AMD (martinus/unordered_dense #231) and of Arm: hits of the second level, and what says nothing of it.
hits=' 4101/4101   812.100001: dtlb_load_misses.stlb_hit:u:     7f2a10003040           401136 add
 4101/4101   812.100002: ls_l1_d_tlb_miss.tlb_reload_4k_l2_hit:u:     7f2a10003080           401136 add
 4101/4101   812.100003: mem_inst_retired.stlb_hit_loads:u:     7f2a10003080           401136 add
 4101/4101   812.100004: l1d_tlb_refill:     7f2a10003080           401136 add
 4101/4101   812.100005: ls_l1_d_tlb_miss.all:u:     7f2a10003080           401136 add'
printf 'method\tlevel\tpenalty_ns\nwalk\t-\t100\nfirst\t1\t4\n' >"$TMP/penalties.tsv"
same 'trace-forms: a hit of the second level missed the first alone' 'read 0x7f2a10003040 1,read 0x7f2a10003080 1,read 0x7f2a10003080 1,read 0x7f2a10003080 1,read 0x7f2a10003080 1' \
    "$(tlbsim --to table <<<"$hits" >"$TMP/out" && rows "$TMP/out" | cut -d ' ' -f 5,6,9 | paste -s -d , -)"
same 'trace-forms: a hit of the second level costs what it costs' 8e-09 \
    "$(head -n 2 <<<"$hits" | misses --quiet --penalties "$TMP/penalties.tsv" >"$TMP/out" && rows "$TMP/out" | cut -d ' ' -f 6)"
for event in ls_l1_d_tlb_miss.tlb_reload_4k_l2_miss bp_l1_tlb_miss_l2_tlb_miss l2d_tlb_refill dTLB-load-misses; do
    same "trace-forms: a miss of the second level costs a walk ($event)" 1e-07 \
        "$(misses --quiet --penalties "$TMP/penalties.tsv" >"$TMP/out" <<<" 1/1 1.5: $event:     7f2a10003080           401136 add" && rows "$TMP/out" | cut -d ' ' -f 6)"
done

# arch/x86/events/amd/ibs.c, perf_ibs_get_tlb_lvl(): a second level that hits was asked since the first missed.
sources='IBS 1/1 [002] 1.5: 1 ibs_op//: 7f2a10003040 a68000142 |OP LOAD|LVL L1 hit|SNP N/A|TLB L1 hit|LCK N/A|BLK N/A 0 401136 probe
IBS 1/1 [002] 1.5: 1 ibs_op//: 7f2a10004040 a68000142 |OP LOAD|LVL L1 hit|SNP N/A|TLB L2 hit|LCK N/A|BLK N/A 0 401136 probe
IBS 1/1 [002] 1.5: 1 ibs_op//: 7f2a10005040 a68000142 |OP LOAD|LVL L1 hit|SNP N/A|TLB L2 miss|LCK N/A|BLK N/A 0 401136 probe
PEBS 1/1 [002] 1.5: 1 cpu/mem-loads,ldlat=30/P: 7f2a10006040 5080184 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A 32 401136 probe'
same "trace-forms: TLB L2 hit missed the first level alone" '0x7f2a10004000 4e-09,0x7f2a10005000 1e-07' \
    "$(misses --quiet --by page --penalties "$TMP/penalties.tsv" >"$TMP/out" <<<"$sources" && rows "$TMP/out" | cut -d ' ' -f 1,6 | sort | paste -s -d , -)"

# linux-kernel: "perf arm-spe: ... memory operation" of 2022-04, what perf up to 5.18 printed; "perf arm_spe: Set
# extended fields in data source" of 2025-11.
same "trace-forms: SPE's text of old perf has no |OP" '[unknown] 1 1 0 0' \
    "$(by function <<<' ls 14753 [011]  3678.072400:          1      tlb-miss:  ffff20002000         88000182 L1 miss|SNP N/A|TLB Walker hit|LCK No|BLK  N/A ffffa7c22b4b2a00 [unknown] ([kernel.kallsyms])')"
same "trace-forms: SPE's text of new perf ends in |AFF" 'probe 2 1 1 12' "$(by function <<'END'
 sve-test 4242 6516696.714341:            tlb-miss:     ffff10003040        444000288100144 |OP STORE SIMD|LVL L1 hit|SNP None|TLB Walker miss|LCK No|BLK  N/A|AFF PRED SG               aaaac17c3e88 probe (/tmp/join)
 sve-test 4242 6516696.714342:            tlb-miss:     ffff10004040        288100144 |OP LOAD|LVL L1 hit|SNP None|TLB Walker miss|LCK No|BLK  N/A|AFF N/A                 12     aaaac17c3e88 probe (/tmp/join)
END
)"
same "trace-forms: SPE's text before |BLK" 'probe 1 1 0 9' \
    "$(by function <<<' ls 1  3.07:          1      tlb-miss:  ffff20002000         88000182 |OP LOAD|LVL L1 miss|SNP N/A|TLB Walker hit|LCK No         9     aaaac17c3e88 probe (/tmp/join)')"

finish_tests
