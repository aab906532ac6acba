#!/usr/bin/env bash
# no-proc.t: programs that measure work where /proc is not mounted, as in some containers, nor /sys: what
# cannot be read there is no limit.
. "${0%/*}/../tap.sh"
plain_linux_alone

user=(-r)
[ "$(id -u)" -ne 0 ] || user=()

# without_proc COMMAND...
without_proc() {
    # shellcheck disable=SC2016 # sh's own variables
    unshare "${user[@]}" -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"
}

without_proc true 2>/dev/null || skip_all 'no mount namespace can be made here (unshare)'
exits 0 'machine answers without /proc' without_proc machine
lacks 'machine claims no limit of memory that it cannot read' '^memory_(limit|available)_bytes' "$TMP/out"
exits 0 'chase measures without /proc' without_proc chase --quiet --pages 16 --samples 1 --loads 1000
exits 0 'sweep measures without /proc' \
    without_proc sweep --quiet --pages 16,64 --samples 1 --loads 1000 --budget 2
for preset in caches geometry walk; do
    exits 0 "sweep --preset $preset plans without /proc" without_proc plan --preset "$preset"
    same "sweep --preset $preset leaves nothing out without /proc" '' "$(cat "$TMP/err")"
done
exits 0 'bandwidth measures without /proc' \
    without_proc bandwidth --quiet --op read --bytes 4k --threads 1 --samples 1

# without_both COMMAND...
without_both() {
    # shellcheck disable=SC2016 # sh's own variables
    without_proc sh -c 'mount -t tmpfs none /sys && exec "$@"' sh "$@"
}
exits 0 'machine answers without /proc and /sys' without_both machine
same 'machine has no message of hwloc without /sys' '' "$(cat "$TMP/err")"
exits 0 'chase measures without /proc and /sys' without_both chase --quiet --pages 16 --samples 1 --loads 1000
matches 'chase is pinned without /proc and /sys' '^# pinned_cpu: [0-9]+$' "$TMP/out"
exits 0 'sweep plans without /proc and /sys' without_both plan
exits 2 'chase refuses huge pages without /sys' without_both chase --backing huge --pages 4
matches 'chase refuses huge pages without /sys, and says why' 'this system has no huge pages' "$TMP/err"
finish_tests
