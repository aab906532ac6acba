# bubblewrap.sh: the part of sandbox that isolates a command with bubblewrap, and verifies that from within.
# shellcheck shell=bash disable=SC2154,SC2206 # the settings are those of sandbox; lines are split on purpose

# Readable by every command.
system=(/usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix/store /gnu/store /etc/alternatives /etc/ld.so.cache
    /etc/ld.so.conf /etc/ld.so.conf.d /etc/fonts /etc/localtime /var/cache/fontconfig)

# bubblewrap_command: the command line of bubblewrap. Folders that this system does not have are left out.
bubblewrap_command() {
    local path
    bubble=("$bwrap" --unshare-all --as-pid-1 --die-with-parent --new-session --uid 1000 --gid 1000 --json-status-fd 6)
    [ -z "$seccomp" ] || bubble+=(--seccomp 9)
    # It may not even write to its own files in /proc, such as oom_score_adj.
    bubble+=(--proc /proc --remount-ro /proc --dev /dev --size "$room" --tmpfs /dev/shm --remount-ro /dev)
    bubble+=(--size "$room" --tmpfs /tmp --chdir /)
    for path in "${system[@]}" ${readable[@]+"${readable[@]}"}; do
        [ ! -e "$path" ] || bubble+=(--ro-bind "$path" "$path")
    done
    for path in ${hidden[@]+"${hidden[@]}"}; do
        if [ -d "$path" ]; then
            bubble+=(--tmpfs "$path" --remount-ro "$path")
        else
            bubble+=(--ro-bind /dev/null "$path")
        fi
    done
    bubble+=(--remount-ro /)
}

# proof OUTER: what is wrong with the isolation, if anything. Runs inside, before the command. OUTER are the
# namespaces of the world outside. A file of /proc is read at once: with `read` the kernel would make it anew
# for each line.
proof() {
    local line lines words name good=0
    set -f
    mapfile -t lines </proc/self/status
    for line in "${lines[@]}"; do
        words=($line) # the shell splits it
        case ${words[0]-}${words[1]-} in
        Cap*:*[!0]*) echo "it would have privileges: $line" && return ;;
        Cap*:* | NoNewPrivs:1 | Seccomp:2) good=$((good + 1)) ;;
        esac
    done
    [ "$good" -eq 7 ] || { echo 'the filter of system calls, or what keeps privileges away, is not in force' && return; }
    read -r -a words </proc/self/stat # of this shell: its name has no blank
    [ "${words[5]}" != 0 ] || { echo 'the session is not its own' && return; }
    [ "$$" -eq 1 ] || { echo 'its first process is another one' && return; }
    # Root outside would be the owner of /usr here too.
    { [ "$UID" = 1000 ] && [ ! -O /usr ]; } || { echo 'it would be root' && return; }
    good=0
    for name in $(readlink /proc/self/ns/{cgroup,ipc,mnt,net,pid,user,uts}); do
        case $'\n'$1$'\n' in *$'\n'"$name"$'\n'*) echo "the namespace $name is not its own" && return ;; esac
        good=$((good + 1))
    done
    [ "$good" -eq 7 ] || { echo 'some of its namespaces cannot be seen' && return; }
    mounts_hold && hidden_is_empty && limits_hold
}

# mounts_hold: all that is mounted is what bubblewrap_command asked for; else it says what is wrong.
mounts_hold() {
    local line lines words point options folder limited=0
    mapfile -t lines </proc/self/mountinfo
    for line in "${lines[@]}"; do
        words=($line) # a blank in a path is written \040
        point=${words[4]} options=${words[5]}
        case $point in
        /dev/null | /dev/zero | /dev/full | /dev/random | /dev/urandom | /dev/tty | /dev/pts) continue ;;
        /tmp | /dev/shm) case $line, in *,size=$((room >> 10))k,*) limited=$((limited + 1)) && continue ;; esac ;;
        esac
        case ,$options, in *,ro,*) ;; *) echo "it could write to $point" && return 1 ;; esac
        for folder in "${system[@]}" ${readable[@]+"${readable[@]}"} ${hidden[@]+"${hidden[@]}"}; do
            case $point/ in // | /dev/ | /proc/ | "$folder"/*) continue 2 ;; esac
        done
        echo "it would see $point"
        return 1
    done
    [ "$limited" -eq 2 ] || { echo '/tmp and /dev/shm are not there' && return 1; }
}

# hidden_is_empty: each hidden path is an empty folder, or a file of which nothing can be read.
hidden_is_empty() {
    local path files
    set +f
    shopt -s nullglob dotglob
    for path in ${hidden[@]+"${hidden[@]}"}; do
        files=("$path"/*)
        if [ ${#files[@]} -gt 0 ] || { [ ! -d "$path" ] && read -r -n 1 _ <"$path"; } 2>/dev/null; then
            echo "it would see $path"
            return 1
        fi
    done
}

# limits_hold: the limits of this process are those that `start` and `inside` set; else it prints them.
limits_hold() {
    local line lines now=''
    mapfile -t lines </proc/self/limits
    for line in "${lines[@]}"; do
        case $line in
        'Max core file '* | 'Max open files '* | 'Max address space '*) ;;
        'Max processes '*) [ -n "$each" ] || continue ;;
        *) continue ;;
        esac
        line=${line:47} # the hard limit
        now+=" ${line%% *}"
    done
    [ "$now" = " 0${each:+ $each} 64 $((memory << 20))" ] ||
        echo "a limit does not hold:$now"
}

# inside OUTER: the last thing before apart, which becomes the first process. Descriptor 0 has the requests, 1 is for
# its reports, 3 has the folder, 5 is for what it says to the world outside, and 8 is the program itself.
inside() {
    local wrong
    [ -z "$each" ] || ulimit -u "$each" # those of a user namespace are counted apart
    wrong=$(proof "$1" 2>&1)
    if [ -n "$wrong" ] && [ -z "$weak" ]; then
        echo "refused $wrong" >&5
        exit 125
    fi
    exec -a '' /proc/self/fd/8
}

# text_of_inside: sets `text`, the functions and settings that the inner shell needs.
text_of_inside() {
    local name
    IFS= read -r -d '' text <"$here/bubblewrap.sh"
    for name in room memory each weak; do
        printf -v name '%s=%q' "$name" "${!name}"
        text+=$name$'\n'
    done
    text+="system=(${system[*]@Q}) readable=(${readable[*]@Q}) hidden=(${hidden[*]@Q})"$'\n'
    text+='inside "$@"'
}
