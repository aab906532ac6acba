# cgroups.sh: the part of sandbox that makes control groups, of both versions.
# shellcheck shell=bash

groups=() # folders of the control groups that were made

# limit FILE VALUE: writes a limit of a control group, whose files the kernel makes, and reads it back.
limit() {
    local now
    [ -e "$1" ] && { echo "$2" >"$1"; } 2>/dev/null && read -r now <"$1" && [ "$now" = "$2" ]
}

# join GROUP: puts this process into it, and asks the kernel whether it is there.
join() {
    local line kind=''
    [ -e /sys/fs/cgroup/cgroup.controllers ] || kind=${1%/*} kind=${kind##*/}
    { echo "$BASHPID" >"$1/cgroup.procs"; } 2>/dev/null || return
    while IFS= read -r line; do
        case $line in *:"$kind":*/"${1##*/}") return 0 ;; esac
    done <"/proc/$BASHPID/cgroup"
    return 1
}

# make_group FOLDER FILE VALUE [FILE VALUE]...: a new group in FOLDER, with these limits.
make_group() {
    local group=$1/tlblab-sandbox.$$ old
    # Left by sandboxes that were killed.
    for old in "$1"/tlblab-sandbox.*; do
        if [ -d "$old" ] && [ ! -e "/proc/${old##*.}" ]; then rmdir "$old"; fi 2>/dev/null
    done
    { [ -w "$1" ] && mkdir "$group"; } 2>/dev/null || return
    shift
    while [ $# -gt 0 ]; do
        limit "$group/$1" "$2" || { rmdir "$group" 2>/dev/null; return 1; }
        shift 2
    done
    # In the second version a group can be made that may not be joined.
    [ ! -e "$group/cgroup.controllers" ] || (join "$group") || { rmdir "$group" 2>/dev/null; return 1; }
    groups+=("$group")
}

# make_groups MIB PROCESSES: one group in the second version, from that of this process upwards in the
# first folder where we may; two in the first version. `groups` is empty where there are none.
make_groups() {
    local bytes=$(($1 << 20)) top=/sys/fs/cgroup line own=''
    if [ -e "$top/cgroup.controllers" ]; then
        while IFS= read -r line; do
            case $line in 0::*) own=${line#0::} ;; esac
        done </proc/self/cgroup
        own=$top${own%/}
        while [ "${own#"$top"}" != "$own" ]; do
            line=''
            { read -r line <"$own/cgroup.subtree_control"; } 2>/dev/null
            if [[ " $line " == *' memory '* && " $line " == *' pids '* ]]; then
                make_group "$own" memory.max "$bytes" memory.swap.max 0 pids.max "$2" && return
                make_group "$own" memory.max "$bytes" pids.max "$2" && return # no swap is counted here
            fi
            own=${own%/*}
        done
    elif make_group "$top/pids" pids.max "$2"; then
        make_group "$top/memory" memory.limit_in_bytes "$bytes" memory.memsw.limit_in_bytes "$bytes" ||
            make_group "$top/memory" memory.limit_in_bytes "$bytes" || remove_groups
    fi
    [ ${#groups[@]} -gt 0 ]
}

# memory_ran_out: the kernel ended a process because the group had reached its limit.
memory_ran_out() {
    local group name value
    for group in ${groups[@]+"${groups[@]}"}; do
        while read -r name value; do
            case $name in oom_kill | oom) [ "$value" -eq 0 ] || return 0 ;; esac
        done < <(cat "$group/memory.events" "$group/memory.oom_control" 2>/dev/null)
    done
    return 1
}

# remove_groups: ends what is in them, and removes them; fails when that does not succeed at once.
remove_groups() {
    local group pid kept=()
    [ ${#groups[@]} -eq 0 ] || rmdir "${groups[@]}" 2>/dev/null
    for group in ${groups[@]+"${groups[@]}"}; do
        [ -d "$group" ] || continue
        kept+=("$group")
        while read -r pid; do kill -KILL "$pid"; done 2>/dev/null <"$group/cgroup.procs"
    done
    groups=(${kept[@]+"${kept[@]}"})
    [ ${#groups[@]} -eq 0 ]
}

# enter_scope SCRIPT ARGUMENT...: where systemd alone may make control groups, it makes one for this script
# and hands it over, and the script begins again in it. What it starts needs no other.
enter_scope() {
    local run=(systemd-run --quiet --collect --scope -p Delegate=yes)
    [ "$EUID" -eq 0 ] || run+=(--user)
    case ${LABS_SCOPE-} in
    '')
        export LABS_SCOPE=no
        [ -e /sys/fs/cgroup/cgroup.controllers ] && ! make_groups 64 8 && "${run[@]}" true 2>/dev/null &&
            LABS_SCOPE=new exec "${run[@]}" "$@"
        remove_groups
        ;;
    new) export LABS_SCOPE=ours && settle ;;
    esac
}

# settle: a group that has groups with limits in it has no process of its own: this one moves into a leaf.
settle() {
    local line scope=''
    while IFS= read -r line; do
        case $line in 0::*) scope=/sys/fs/cgroup${line#0::} ;; esac
    done </proc/self/cgroup
    { mkdir "$scope/graders" && echo $$ >"$scope/graders/cgroup.procs" &&
        echo '+memory +pids' >"$scope/cgroup.subtree_control"; } 2>/dev/null
}
