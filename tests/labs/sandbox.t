#!/usr/bin/env bash
# sandbox.t: what a program of a student gets and does not get: limits, the isolation, and that it is
# verified. As root and as a user; where that is impossible, that nothing runs.
# shellcheck disable=SC2016,SC2088 # $ and ~ in single quotes are for the inner shell
. "${0%/*}/../tap.sh"

plain_linux_alone

# The sandbox without the rest of labs/, where another user reaches it too.
chmod 711 "$TAP_FOLDER" "$TMP"
mkdir -p "$TMP/kit/labs" "$TMP/work" "$TMP/other"
cp -R "$ROOT/labs/lib" "$TMP/kit/labs"
sandbox=$TMP/kit/labs/lib/sandbox
work=$TMP/work
cd "$work" || exit
export LABS_SCOPE=no

# ---- without isolation nothing runs ----

mkdir "$TMP/bare"
for tool in bash env mktemp tar flock readlink setpriv rm install mkdir rmdir cat head cut grep setsid sleep chmod chown; do
    ln -s "$(command -v $tool)" "$TMP/bare/$tool"
done
exits 2 'sandbox: without a filter of system calls nothing runs' env CC=false "$sandbox" touch ran
matches 'sandbox: a missing filter is named' 'no filter of system calls: labs/lib/seccomp.c does not compile' "$TMP/err"
mkdir "$TMP/kit/bin"
[ ! -x "$ROOT/bin/seccomp" ] || cp "$ROOT"/bin/{seccomp,apart} "$TMP/kit/bin"
exits_saying 2 'sandbox: without bubblewrap nothing runs' 'package bubblewrap' env PATH="$TMP/bare" "$sandbox" true
exits 7 'sandbox: --weak runs a command without bubblewrap' env PATH="$TMP/bare" "$sandbox" --weak bash -c 'exit 7'
prints 'sandbox: --weak reports' '^weak: bubblewrap is not here' env PATH="$TMP/bare" "$sandbox" --weak --report
exits 2 'sandbox: a limit that is no number is refused' "$sandbox" --seconds x true
exits 2 'sandbox: a missing command is refused' "$sandbox"
exits 2 'sandbox: it fetches from its own folder alone' "$sandbox" --fetch ../x true
exits 2 'sandbox: what is hidden has a whole name' "$sandbox" --hide harm true
if ! "$sandbox" --report >"$TMP/out" 2>&1; then
    skip 'sandbox: the isolation' "not possible here: $(cat "$TMP/out")"
    finish_tests
fi

# ---- limits ----

check 'sandbox: the program that does harm compiles' cc -std=c11 -O -o "$work/harm" "$ROOT/tests/labs/harm.c"
cp "$ROOT/tests/labs/harm.c" "$work"
how() { head -n 1 "$TMP/how"; }
tried() { "$sandbox" --seconds 2 --how "$TMP/how" "$@"; }
# Commands that only wait do so beside the others.
"$sandbox" --seconds 1 --wall 2 --how "$TMP/how-sleep" sleep 60 2>/dev/null &
asleep=$!
"$sandbox" --seconds 1 --wall 2 --how "$TMP/how-vfork" ./harm vfork 2>/dev/null &
split=$!
"$sandbox" --seconds 3 --wall 5 --how "$TMP/how-last" sh -c 'sleep 4.5; exec ./harm loop' 2>/dev/null &
last=$!
counted=$(grep -c '^a control group' "$TMP/out")
exits 0 'sandbox: a compiler runs in it' tried --fetch made cc -w -std=c11 -o made harm.c
check 'sandbox: what the compiler made is fetched' test -x "$work/made"
exits 0 'sandbox: 50 processes are too many' tried --processes 20 ./harm fork 50
check 'sandbox: a limit of 20 processes leaves 16 to 24' awk '{ exit !($1 >= 16 && $1 <= 24) }' "$TMP/out"
exits 124 'sandbox: endless loops are stopped' tried --seconds 1 ./harm loop 3
same 'sandbox: of endless loops it says that the processor time of all was up' 'time 1' "$(how)"
exits 124 'sandbox: what children of nobody take counts' tried --seconds 1 --wall 9 ./harm breed
same 'sandbox: of what they took it says that the processor time was up' 'time 1' "$(how)"
exits 139 'sandbox: a crash is no time-out' tried ./harm crash 11
same 'sandbox: a crash is named with its signal' 'signal 11' "$(how)"
exits 7 'sandbox: the status is that of the command' tried sh -c 'exit 7'
same 'sandbox: an end by itself is named as one' 'ended 7' "$(how)"
tried sh -c 'yes | head -c 1000000' >"$TMP/out" 2>/dev/null
same 'sandbox: a million bytes of output arrive' 1000000 "$(wc -c <"$TMP/out")"
tried --file 100 sh -c 'yes | head -c 1000000' >"$TMP/out" 2>/dev/null
same 'sandbox: output is cut at its limit' 102400 "$(wc -c <"$TMP/out")"
if [ "$counted" -gt 0 ]; then
    tried --memory 200 ./harm fill 3 90 >"$TMP/out"
    check 'sandbox: three processes do not get more memory than one' test "$(cat "$TMP/out")" -lt 3
else
    skip 'sandbox: three processes do not get more memory than one' 'no control group can be made here'
fi
exits 0 'sandbox: the folder is a copy' tried sh -c 'rm harm.c; echo new >here'
check 'sandbox: what is deleted there is here still' test -s "$work/harm.c"
check 'sandbox: what is written there is not here' test ! -e "$work/here"
exits 125 'sandbox: a link is not fetched' tried --fetch link ln -s /etc/passwd link
mkdir "$TMP/large" && truncate -s 70M "$TMP/large/file"
(cd "$TMP/large" && tried true 2>/dev/null)
same 'sandbox: a folder that is too large is no refusal' 'room 64' "$(how)"
exits 124 'sandbox: a command that waits for ever is stopped' wait "$asleep"
matches 'sandbox: of a command that waits it says so' '^idle' "$TMP/how-sleep"
wait "$split"
matches 'sandbox: of a command that waits for its child it says so' '^idle' "$TMP/how-vfork"
exits 0 'sandbox: there is no more room than 64 MiB' tried --file 90000 sh -c '! head -c 80000000 /dev/zero >large'

# ---- isolation ----

# running ARGUMENTS: the processes of harm that were started with them.
running() { ps -e -o args= | awk -v wanted="./harm $1" '$0 == wanted'; }

# isolation_tests WHO COMMAND...: COMMAND runs what follows it as root, or as a user.
isolation_tests() {
    local who=$1 sleeper
    shift
    inside() { "${as[@]}" "$sandbox" --seconds 2 --how "$TMP/how-$who" "$@"; }
    as=("$@")
    : >"$TMP/how-$who"
    chmod 666 "$TMP/how-$who"
    inside ./harm calls >"$TMP/calls"
    same "sandbox: as $who no dangerous system call is done" '' "$(grep -v 'EPERM$\|ENOSYS$\|EAFNOSUPPORT$' "$TMP/calls")"
    same "sandbox: as $who all thirteen calls are tried" 13 "$(wc -l <"$TMP/calls")"
    inside ./harm daemon "$$.$who"
    same "sandbox: as $who a daemon is not left" '' "$(running "daemon $$.$who")"
    "${as[@]}" sleep 30 &
    sleeper=$!
    inside ./harm kill >/dev/null
    check "sandbox: as $who other processes of the same user live on" kill -0 "$sleeper"
    kill "$sleeper"
    wait "$sleeper" 2>/dev/null
    same "sandbox: as $who no control group is seen" '' "$(inside sh -c 'ls -d /sys/fs/cgroup /sys; grep cgroup /proc/mounts' 2>/dev/null)"
    same "sandbox: as $who no key of the user is seen" 0 "$("${as[@]}" ./harm keyed "$sandbox" cat /proc/keys 2>/dev/null |
        grep -c tlblab-teacher)"
    same "sandbox: as $who there is no network" lo "$(inside awk -F '[: ]+' 'NR > 2 { print $2 }' /proc/net/dev)"
    echo dear >"$TMP/other/thesis"
    chmod 755 "$TMP/other"
    same "sandbox: as $who other files are not seen" '' "$(
        for home in "$TMP/other" / ''; do
            HOME=$home inside sh -c 'cat "$1/other/thesis"; ls ~ /home /root /var/tmp /run /etc/passwd' sh "$TMP" 2>/dev/null |
                grep -vx 'work\|/tmp:'
        done
        unset HOME
        inside cat "$TMP/other/thesis" 2>/dev/null
    )"
    exits 0 "sandbox: as $who nothing else can be written to" inside sh -c \
        'for f in / /usr /etc /dev /proc/sys/kernel /usr/lib; do ! touch "$f/x" 2>/dev/null || exit 1; done'
    same "sandbox: as $who it stays the first process to end when memory is short" 1000 \
        "$(inside sh -c 'echo 0 >/proc/self/oom_score_adj; cat /proc/self/oom_score_adj' 2>/dev/null)"
    inside ./harm fork 30 >"$TMP/neighbour-$who" &
    exits 0 "sandbox: as $who a neighbour with many processes is no trouble" inside sh -c 'for i in 1 2 3 4 5 6 7 8; do sleep 0.1 & done; wait'
    wait
}
if [ "$(id -u)" -ne 0 ]; then
    isolation_tests a-user env
else
    isolation_tests root env
    isolation_tests a-user setpriv --reuid 65534 --regid 65534 --clear-groups
    same 'sandbox: root is somebody else there' 1000 "$(tried id -u)"
    "$sandbox" --how "$TMP/how-sleep" sleep "2.$$" &
    sleeper=$!
    for _ in {1..50}; do
        seen=$(ps -e -o uid=,args= | awk -v command="sleep 2.$$" '$2 " " $3 == command { print $1 }')
        [ -z "$seen" ] || break
        sleep 0.1
    done
    same 'sandbox: root is nobody, as seen from outside' 65534 "$seen"
fi
same 'sandbox: the environment has nothing that could be a secret' '' "$(SECRET=$TMP/secret tried sh -c 'env; cat /proc/*/environ' | grep -a SECRET)"
if command -v script >/dev/null; then
    same 'sandbox: there is no terminal to type into' 'without: 2' "$(script -qec \
        "cd '$work'; : </dev/tty || echo no terminal; '$sandbox' sh -c ': </dev/tty' 2>/dev/null; echo without: \$?" /dev/null | tr -d '\r')"
fi
same 'sandbox: nothing comes from the stdin outside' '' "$(echo secret | tried cat)"
exec 7<"$work/harm.c"
same 'sandbox: no file is open there' '0 1 2' "$(tried bash -c 'cd /proc/$$/fd; echo [0-2] [4-9]*' | sed 's/ 255//; s/ \[4-9\]\*//')"
exec 7<&-
if [ -w /usr/share ]; then
    mkdir "/usr/share/tlblab-test.$$" && echo answer >"/usr/share/tlblab-test.$$/solution.c"
    same 'sandbox: a hidden folder of the system is empty, a hidden file too' '0 0' \
        "$(tried --hide "/usr/share/tlblab-test.$$" --hide /usr/bin/perl sh -c 'echo $(ls "$1" | wc -l) $(cat /usr/bin/perl 2>&1 | grep -c ELF)' \
            sh "/usr/share/tlblab-test.$$")"
    rm -r "/usr/share/tlblab-test.$$"
fi

same 'sandbox: a session keyring goes from program to program' 'key: done' "$(./harm keyed ./harm key)"
same 'sandbox: seccomp begins another session keyring' 'key: ENOKEY' "$(./harm keyed "$ROOT/bin/seccomp" 9 ./harm key)"

# ---- it is verified: with a bubblewrap that leaves out a part ----

mkdir "$TMP/poor"
# poor NAME WHY CODE: a bwrap that changes its arguments `a` by CODE.
poor() {
    printf '#!/usr/bin/env bash\na=("$@")\n%s\nexec %q "${a[@]}"\n' "$3" "$(command -v bwrap)" >"$TMP/poor/bwrap"
    chmod 755 "$TMP/poor" "$TMP/poor/bwrap"
    exits 2 "sandbox: isolation without $1 is refused" env PATH="$TMP/poor:$PATH" "$sandbox" touch "$TMP/other/ran"
    matches "sandbox: isolation without $1 is refused for that reason" "refused .*$2" "$TMP/err"
}
without='b=(); for x in "${a[@]}"; do [ "$x" = "$part" ] || b+=("$x"); done; a=("${b[@]}")'
poor 'a filter of system calls' 'filter of system calls' 'for i in "${!a[@]}"; do [ "${a[i]}" != --seccomp ] || unset "a[i]" "a[i+1]"; done'
poor 'a session of its own' 'session' "part=--new-session; $without"
poor 'its own first process' 'first process' "part=--as-pid-1; $without"
poor 'closed processes' 'open /proc/2/environ|open /proc/2/cmdline' 'a[${#a[@]}-3]="sleep 9 & ${a[${#a[@]}-3]}"'
poor 'a network of its own' 'namespace net' 'a=("${a[0]}" --share-net "${a[@]:1}")'
poor 'a read-only system' 'write to /usr' 'for i in "${!a[@]}"; do [ "${a[i]} ${a[i+1]}" != "--ro-bind /usr" ] || a[i]=--bind; done'
poor 'a read-only root' 'write to /$' 'for i in "${!a[@]}"; do [ "${a[i]} ${a[i+1]}" != "--remount-ro /" ] || unset "a[i]" "a[i+1]"; done'
poor 'a limit of its room' 'write to /tmp|write to /dev/shm' 'for i in "${!a[@]}"; do [ "${a[i]}" != --size ] || unset "a[i]" "a[i+1]"; done'
poor 'a closed door' 'would see /media' 'a=(--ro-bind / /media "${a[@]}")'
poor 'its limits' 'limit does not hold' 'ulimit -v 900000'
printf '#!/bin/sh\necho "bwrap: No permissions to create new namespace, likely because of this. See <https://example.org>." >&2\nexit 1\n' >"$TMP/poor/bwrap"
exits 2 'sandbox: without namespaces nothing runs' env PATH="$TMP/poor:$PATH" "$sandbox" true
same 'sandbox: missing namespaces are named, in a few words' 'sandbox: refused bwrap: No permissions to create new namespace' "$(cat "$TMP/err")"
matches 'sandbox: SYSTEMS.md has the words of that' "$(sed 's/.*refused//' "$TMP/err")" "$ROOT/labs/lib/SYSTEMS.md"
exits 3 'sandbox: without namespaces --weak runs a command' env PATH="$TMP/poor:$PATH" "$sandbox" --weak sh -c 'exit 3'
[ -z "${sleeper-}" ] || wait "$sleeper"
same 'sandbox: no control group is left' '' "$(ls -d /sys/fs/cgroup/{,pids/,memory/}"tlblab-sandbox.$$"* 2>/dev/null)"

[ -n "${LONG-}" ] || finish_tests

# ---- what takes long ----

[ "$counted" -eq 0 ] || { tried --seconds 20 --memory 1024 ./harm fill 3 700 >"$TMP/out"; check 'sandbox: 3 times 700 MiB are too much' test "$(cat "$TMP/out")" -lt 2; }
# The sandbox is killed: so is all that is in it.
"$sandbox" ./harm loop 7 &
sleep 1.5
kill -KILL $!
wait $! 2>/dev/null
sleep 1
same 'sandbox: when it is killed no process is left' '' "$(running 'loop 7')"
# A command that does not get the processor, beside one of a higher priority.
if [ "$(id -u)" -eq 0 ] && command -v taskset >/dev/null; then
    timeout 60 nice -n -19 taskset -c 0 "$work/harm" loop &
    busy=$!
    tried --seconds 5 --wall 6 taskset -c 0 ./harm loop 2>/dev/null
    matches 'sandbox: a command that does not get the processor is late, not slow' '^late' "$TMP/how"
    kill "$busy"
    wait "$busy" 2>/dev/null
fi
if [ "$(id -u)" -eq 0 ]; then
    # User namespaces can be forbidden within one.
    mkfifo "$TMP/mapped"
    unshare --user bash -c 'read -r _ <"$3" && exec bash -c "$4" sh "$@"' sh "$sandbox" "$work" "$TMP/mapped" \
        'echo 0 >/proc/sys/user/max_user_namespaces && cd "$2" || exit
        "$1" touch ran
        setpriv --reuid 65534 --regid 65534 --clear-groups "$1" touch ran' >"$TMP/out" 2>"$TMP/err" &
    for _ in {1..50}; do [ /proc/$!/ns/user -ef /proc/self/ns/user ] || break; sleep 0.1; done
    echo '0 0 65536' | tee "/proc/$!/gid_map" >"/proc/$!/uid_map"
    echo >"$TMP/mapped"
    wait
    same 'sandbox: without user namespaces root and a user are refused' 2 "$(grep -c '^sandbox: refused bwrap: ' "$TMP/err")"
    # A mount that bubblewrap cannot make read-only: it does not reach it.
    place=/usr/local/tlblab-test.$$
    unshare --mount bash -c '
        mkdir -p "$2/in" && mount -t tmpfs none "$2" && mkdir -p "$2/in" && chmod 700 "$2" && mount -t tmpfs none "$2/in" && "$1" true' \
        sh "$sandbox" "$place" >"$TMP/out" 2>"$TMP/err"
    matches 'sandbox: a folder that cannot be made read-only is refused' "refused it could write to $place/in" "$TMP/err"
    rmdir "$place/in" "$place"
    # Folders that look like control groups.
    exits 0 'sandbox: a false control group is not used' unshare --mount bash -c '
        mount -t tmpfs none /sys/fs/cgroup && mkdir /sys/fs/cgroup/{pids,memory} && "$1" --report' sh "$sandbox"
    matches 'sandbox: without a control group it says that it runs alone' 'one sandbox runs at a time' "$TMP/out"
fi
wait "$last"
matches 'sandbox: a command that waits is not late because it works in the end' '^idle' "$TMP/how-last"
finish_tests
