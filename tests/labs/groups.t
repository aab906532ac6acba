#!/usr/bin/env bash
# groups.t: the sandbox with control groups of the second version: as root, as a user whom systemd
# gives a scope, and as a user without. In a Linux of its own (user-mode-linux), whatever this machine has.
# shellcheck disable=SC2016 # $ in single quotes is for the inner shell
. "${0%/*}/../tap.sh"

plain_linux_alone
long_test
linux=$(PATH=$PATH:/usr/bin command -v linux.uml) || skip_all 'no user-mode-linux here (scripts/deps all)'
[ -x "$ROOT/bin/seccomp" ] || skip_all 'bin/seccomp is not built'
[ "$(id -u)" -eq 0 ] || skip_all 'for root alone: the other Linux reads the files of this one'
kit=$TAP_FOLDER/kit
mkdir -p "$kit/labs" "$kit/bin"
cp -R "$ROOT/labs/lib" "$kit/labs"
cp "$ROOT"/bin/{seccomp,apart} "$kit/bin"
check 'groups: the program that does harm compiles' cc -std=c11 -O -o "$kit/harm" "$ROOT/tests/labs/harm.c"

# A stand-in for systemd-run: it asks for a scope, as the real one asks its daemon, and runs in it.
cat >"$kit/systemd-run" <<'SH'
#!/bin/bash
[ "${*: -1}" != true ] || exit 0
echo $$ >/tmp/ask
until grep -q "run-$$.scope" /proc/self/cgroup; do sleep 0.1; done
while [ "$1" != "${1#-}" ]; do [ "$1" != -p ] || shift; shift; done
exec "$@"
SH
cat >"$kit/tests" <<'SH'
cd /tmp/kit
sandbox=labs/lib/sandbox
user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
"$sandbox" --report | sed -n '2s|^|root: |p'
echo "root: fill $("$sandbox" --seconds 60 --memory 200 ./harm fill 3 90)"
echo "root: fork $("$sandbox" --processes 20 ./harm fork 50)"
echo "root: sees $("$sandbox" cat /proc/self/cgroup)"
"${user[@]}" "$sandbox" --report | sed -n '2s|^|user: |p'
top=/sys/fs/cgroup
mkdir -p $top/user.slice/session.scope $top/user@.service/app.slice
for folder in user.slice user@.service user@.service/app.slice; do echo '+memory +pids' >$top/$folder/cgroup.subtree_control; done
(echo $BASHPID >$top/user.slice/session.scope/cgroup.procs && "$sandbox" --report | sed -n '2s|^|session: |p')
mkfifo -m 666 /tmp/ask
while read -r pid </tmp/ask; do
    mkdir $top/user@.service/app.slice/run-$pid.scope
    chown -R 65534 $top/user@.service/app.slice/run-$pid.scope
    echo $pid >$top/user@.service/app.slice/run-$pid.scope/cgroup.procs
done &
PATH=/tmp/kit:$PATH
"${user[@]}" "$sandbox" --report | sed -n '2s|^|scope: |p'
echo "scope: fill $("${user[@]}" "$sandbox" --seconds 60 --memory 200 ./harm fill 3 90)"
kill $!
echo "left: $(find $top -name 'tlblab*')"
SH
cat >"$kit/init" <<SH
#!/bin/bash
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C HOME=/ SYSTEMD_PAGER=
mount -t proc proc /proc && mount -t sysfs sysfs /sys && mount -t tmpfs tmpfs /mnt && cp -R "$kit" /mnt/kit
mount -t tmpfs -o mode=1777 tmpfs /tmp && mv /mnt/kit /tmp/kit && chmod -R a+rX /tmp/kit
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
mkdir -p /dev/pts && mount -t devpts devpts /dev/pts
mount -t cgroup2 none /sys/fs/cgroup && echo '+memory +pids' >/sys/fs/cgroup/cgroup.subtree_control
bash /tmp/kit/tests
echo o >/proc/sysrq-trigger
sleep 5
SH
chmod -R 755 "$kit"
timeout 250 "$linux" mem=2G quiet rootfstype=hostfs rootflags=/ ro init="$kit/init" con=null con0=fd:0,fd:1 \
    </dev/null 2>"$TMP/err" | tr -d '\r' >"$TMP/out"
has() { check "groups: $1" grep -qx -- "$2" "$TMP/out"; }
has 'root makes a group' 'root: a control group limits memory and processes'
has 'three processes do not get more memory than one' 'root: fill [0-2]'
has 'a limit of 20 processes holds' 'root: fork \(1[6-9]\|2[0-4]\)'
has 'the group is not seen from within' 'root: sees 0::/'
has 'a user without a group runs alone' 'user: each process has its limits, and one sandbox runs at a time'
has 'in a session, the group is made beside it' 'session: a control group limits memory and processes'
has 'a user gets a scope from systemd' 'scope: a control group limits memory and processes'
has 'the limit of memory holds in a scope' 'scope: fill [0-2]'
has 'no group is left' 'left: '
finish_tests
