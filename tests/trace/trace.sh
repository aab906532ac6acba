# trace.sh: what tests of traced programs share; they run in the temporary folder.
# shellcheck shell=bash
. "${0%/*}/../tap.sh"
cd "$TMP" || exit 2
export TLBLAB_TLBSIM=$OUT/tlbsim

# needs_qemu WHAT: ends a test where no program can be run in qemu-user, which is skipped.
needs_qemu() {
    command -v gcc >/dev/null && "qemu-$(uname -m)" -h 2>/dev/null | grep -q '^-plugin ' && return
    skip "$1" "no qemu-$(uname -m) with plugins here, or no gcc"
    finish_tests
}

# accesses TRACE [THREAD]: operation and address of each read and write.
accesses() {
    tlbsim --to table "$1" | awk -F '\t' -v thread="${2-}" '
        ($5 == "read" || $5 == "write") && (thread == "" || $4 == thread) { print $5, $6 }'
}
# touched TRACE: how many reads there are of the pages that tlbcc.c reads.
touched() { accesses "$@" | grep -c 'read 0x2000'; }
# hundreds WHAT TRACE NAME: the misses in that object, function or line, in hundreds.
hundreds() { misses --quiet --by "$1" "$2" | awk -F '\t' -v name="$3" '$1 == name { print int(($2 + 50) / 100) }'; }
