# work.sh: a folder for what a script makes on its way to the answer. Scripts with a function `die` source it:
#
#     make_work "${TMPDIR:-/tmp}/tlblab-page"
#     sort <"$file" >"$work/sorted" || exit 2
# shellcheck shell=bash

# make_work PATH: makes the folder PATH.XXXXXX, whose name is then in `work`. It is removed at the end.
make_work() {
    work=$(mktemp -d "$1.XXXXXX" 2>&1) || die "${work#mktemp: }"
    trap leave_work EXIT
    trap 'exit 130' INT TERM HUP
}

# A script that fails because there is no space says so, whatever failed first: a reason that was to be kept in
# the folder is lost with it.
leave_work() {
    local status=$? why
    if [ "$status" -eq 2 ] && ! why=$({ head -c 65536 /dev/zero >"$work/space"; } 2>&1); then
        (die "cannot write to ${work%/*}: ${why##*: }")
    fi
    rm -rf "$work"
}
