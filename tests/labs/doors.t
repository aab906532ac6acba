#!/usr/bin/env bash
# doors.t: a program in the sandbox reaches nothing with which it could change what is said of it, or of another one;
# and what is in the environment opens no door. As an ordinary user, from whom less is hidden than from root's `nobody`.
# shellcheck disable=SC2016 # $ in single quotes is for the inner shell
. "${0%/*}/../tap.sh" || exit 2

plain_linux_alone
chmod 711 "$TAP_FOLDER" "$TMP"
mkdir -p "$TMP/kit/labs" "$TMP/kit/bin" "$TMP/work" "$TMP/user"
cp -R "$ROOT/labs/lib" "$TMP/kit/labs"
[ ! -x "$OUT/apart" ] || cp "$OUT"/{seccomp,apart} "$TMP/kit/bin"
chmod -R a+rX "$TMP/kit"
sandbox=$TMP/kit/labs/lib/sandbox
as=() uid=$(id -u)
if [ "$uid" -eq 0 ]; then
    uid=$((100000 + $$ % 100000))
    as=(setpriv --reuid "$uid" --regid "$uid" --clear-groups)
    chown "$uid" "$TMP/user"
    # Folders of another user with the name of the lock's, as it is and as it was.
    mkdir "/tmp/tlblab-sandbox-$uid" "/tmp/tlblab-sandbox-$uid.000000"
    ln -s "$TMP/kit" "/tmp/tlblab-sandbox-$uid.000001"
    trap 'rm -rf "$TAP_FOLDER" "/tmp/tlblab-sandbox-$uid" "/tmp/tlblab-sandbox-$uid".*' EXIT
fi
cd "$TMP/work" || exit
cp "$ROOT/tests/labs/doors.c" .
compile() { cc -std=c11 -O1 -static -pthread "$@" doors.c; }
check 'doors: the program compiles' compile -o program
chmod -R a+rX .
# A hostile environment: for each command of this test.
hostile() {
    (
        umask 0777
        trap '' CHLD XFSZ
        PATH=.:/tmp:$PATH LD_LIBRARY_PATH=:. LD_PRELOAD='' CPATH=.: GCC_EXEC_PREFIX=./ TMPDIR=. LC_ALL=de_DE.UTF-8 \
            HOME=$TMP/user LABS_SCOPE=no GNUPLOT_LIB=. PYTHONPATH=. TAR_OPTIONS=--exclude=program \
            exec ${as[@]+"${as[@]}"} env SHELLOPTS=noglob:noclobber:errexit BASHOPTS=failglob \
            'BASH_FUNC_cd%%=() { builtin cd "$@" && pwd; }' 'BASH_FUNC_read%%=() { return 1; }' "$@"
    ) 2>"$TMP/err"
}
if ! "$sandbox" --report >"$TMP/out" 2>"$TMP/err"; then
    skip 'doors: the sandbox' "not possible here: $(cat "$TMP/err")"
    finish_tests
fi
exits 0 'doors: the sandbox works in a hostile environment, with its lock taken by another user' hostile "$sandbox" --report
matches 'doors: it shows what is reached' '^process 1$' "$TMP/out"
sed 's/^/# /' "$TMP/out"

# ---- the environment ----

same 'doors: nothing but an output and one process is reached' '' \
    "$(sed '1,/^from within/d' "$TMP/out" | grep -vE '^descriptor (0 /dev/null|[12] /memfd:apart .deleted.)$|^process 1$|^socket of family 1, of this machine$|^no keys$|^files (ro /|rw /(dev/(null|zero|full|random|urandom|tty|pts|shm)|tmp)$)')"
printf '#!/bin/sh\necho mine\n' >valgrind
cp valgrind gcc
chmod 755 valgrind gcc
same 'doors: PATH is fixed there' '/usr/local/bin:/usr/bin:/bin' "$(hostile "$sandbox" sh -c 'echo "$PATH"' | sed 's/:\/\(nix\|gnu\)\/.*//')"
printf '. "%s"\necho "$PATH"\n' "$ROOT/labs/lib/environment.sh" >path.sh
same 'doors: a folder that others write to leaves PATH, also beside one that is not there' /usr/bin:/bin \
    "$(PATH=/tmp:/nowhere:/usr/bin:/bin "$BASH" path.sh)"
same 'doors: no other variable comes in' 'HOME LC_ALL PATH PWD TMPDIR' "$(hostile "$sandbox" env | sed 's/=.*//' | grep -v '^_$\|^SHLVL$\|^OLDPWD$' | sort | xargs)"
# reads CC HOME: what is readable of a compiler's folder.
reads() { CC=$1 HOME=$2 bash -pc '. "$0/labs/lib/environment.sh"; LABS=$0/labs; WEAK="" ALONE=""; . "$0/labs/lib/execute.sh"; echo ${READ[@]+"${READ[@]}"}' "$TMP/kit"; }
home=$TAP_FOLDER/home/anna
mkdir -p "$home/bin" "$home/gcc-14/bin" "$home/bin/bin"
for file in gcc bin/gcc gcc-14/bin/gcc; do cp gcc "$home/$file"; done
same 'doors: a compiler in the home folder is all that is seen of it' "--read $home/gcc" "$(reads "$home/gcc" "$home")"
same 'doors: a compiler in ~/bin does not expose the home folder' "--read $home/bin/gcc" "$(reads "$home/bin/gcc" "$home")"
same 'doors: nor does one of somebody whose home is below' "--read $home/bin/gcc" "$(reads "$home/bin/gcc" "$home/below")"
same 'doors: a compiler with its own folder is seen with that' "--read $home/gcc-14" "$(reads "$home/gcc-14/bin/gcc" "$home")"
mkdir -m 777 "$TMP/all"
same 'doors: of PATH the harness keeps what others cannot change' /usr/bin \
    "$(PATH=.:$TMP/all::bin:/usr/bin bash -pc '. "$0/labs/lib/environment.sh"; echo "$PATH"' "$TMP/kit")"

# ---- questions ----

# asks WAY:WORD... ...: asks these questions in one start; sets how, out, err and instructions of each.
asks() {
    local question k words why number count
    for question; do
        read -ra words <<<"${question#*:}"
        printf '%s\0' "${question%%:*}" ${#words[@]} "${words[@]}"
    done >"$TMP/questions"
    chmod 644 "$TMP/questions"
    hostile "$sandbox" --seconds "${seconds:-2}" --file 1024 --questions "$TMP/questions" >"$TMP/report.tar"
    rm -rf "$TMP/report"
    mkdir "$TMP/report"
    tar -xmf "$TMP/report.tar" -C "$TMP/report"
    how=() out=() err=() instructions=()
    for ((k = 1; k <= $#; k++)); do
        { read -r why number _ _ count <"$TMP/report/$k/how"; } 2>/dev/null || break
        how+=("$why $number") instructions+=("$count")
        out+=("$(tr -d '\0' <"$TMP/report/$k/output")") err+=("$(cat "$TMP/report/$k/err")")
    done
}

asks plain:'./program overwrite' plain:'./program lines' plain:'./program first' plain:'./program leave' plain:'./program find' \
    plain:'./program fork' plain:'./program thread' plain:'./program reports' plain:'./program fill' plain:'./program find'
same 'doors: each question has its report' 10 "${#how[@]}"
same 'doors: a program cannot write to what others have open' 'ended 0 ' "${how[0]} ${out[0]}"
same 'doors: nor read their command lines' 'ended 0 ' "${how[1]} ${out[1]}"
same 'doors: nor end, limit or move the first process' 'ended 0 ' "${how[2]} ${out[2]}"
same 'doors: it leaves nothing outside files' '' "${out[3]}"
same 'doors: the next question has the folder as it was, and nothing else' 'ended 0 here, here' "${how[4]} ${out[4]}"
same 'doors: a question cannot start another process' 'no child' "${out[5]}"
same 'doors: it can start a thread' 'a thread' "${out[6]}"
same 'doors: text that looks like a report is text' 'ended 0 6/output' "${how[7]} ${out[7]%%0*}"
same 'doors: a full disk is empty again for the next question' 'ended 0 here, here' "${how[9]} ${out[9]}"
asks plain:'./program inodes' plain:'./program find'
same 'doors: files have a number that they may be' 'room 64' "${how[0]}"
same 'doors: the next question has none of them' 'ended 0 here, here' "${how[1]} ${out[1]}"
seconds=1 asks plain:'./program thread' plain:'./program unseen' plain:'./program burn' plain:'./program thread'
same 'doors: after a question that does not end no other is asked' 'ended 0, ended 0, time 1, ' "$(printf '%s, ' "${how[@]}")"
hostile "$sandbox" --seconds 1 --wall 60 --how "$TMP/user/unseen" ./program unseen &
hostile "$sandbox" --seconds 1 --wall 4 --how "$TMP/user/crowd" ./program crowd &

# ---- lists of accesses ----

if command -v valgrind >/dev/null; then
    asks trace:'./program' trace:'./program traced store' trace:'./program traced load' trace:'./program traced kernel' \
        trace:'./program traced clock' trace:'./program traced list' trace:'./program traced write' trace:'./program traced memory' \
        trace:'./program traced range' \
        plain:'./program leave' trace:'./program'
    matches 'doors: an honest program has a list' '^[0-9]+$' <(echo "${instructions[0]}")
    k=1
    for what in 'a store into its memory' 'a load from it' 'a read into it' 'a clock that is written into it' 'the opened list' \
        'a write to any descriptor' 'an opened memory' 'a call about memory that ends in it'; do
        same "doors: valgrind: $what makes the list worthless" - "${instructions[k++]}"
    done
    same 'doors: the list is that of the program that was compiled' "${instructions[0]}" "${instructions[10]}"
    matches 'doors: the list has an access' '^ [LSM] ' "$TMP/report/11/accesses"
    check 'doors: a program that acts before main compiles' compile -DEARLY -o early
    check 'doors: a program at an odd address compiles' compile -Wl,-Ttext-segment=0x10000000 -o odd
    chmod 755 early odd
    asks trace:./early trace:'./odd reports'
    same 'doors: what is before main counts' - "${instructions[0]}"
    same 'doors: a program where libraries are has no list' - "${instructions[1]}"
else
    skip 'doors: lists of accesses' 'no valgrind here'
fi

# ---- what is said to a program, part by part ----

if command -v gnuplot >/dev/null; then
    printf 'load "script"\nset print\nprint "@MARK@"\n\0print 1 + 1\nset print\nprint "@MARK@"\n\0' >"$TMP/talk"
    # talks SCRIPT: what gnuplot answers after this script.
    talks() {
        printf '%s\n' "$1" >script
        chmod 644 script "$TMP/talk"
        hostile "$sandbox" --seconds 5 --talk "$TMP/talk" gnuplot
    }
    same 'doors: gnuplot is asked' 2 "$(talks 'x = 1')"
    same 'doors: a script of gnuplot does not write into the answers' 2 "$(talks 'set print "/proc/1/fd/1" append
print "forged"')"
    same 'doors: the answer to the first part is apart' 2 "$(talks 'print "forged"')"
    same 'doors: a script cannot say something to itself' '' "$(talks 'set print "/proc/self/fd/0" append
print "print \"forged\""' | grep forged)"
fi

# ---- what is fetched ----

for what in 'ln -s /usr/bin/env got' 'mkfifo got' 'mkdir got' 'true'; do
    exits 125 "doors: $what is nothing to fetch" hostile "$sandbox" --fetch got sh -c "$what"
done
exits 0 'doors: without isolation no process is left' hostile env PATH="$TMP/bare:$PATH" "$sandbox" --weak sh -c "setsid sleep 97.$$ & setsid sh -c 'sleep 98.$$ & exit' & exit"
same 'doors: it is not' '' "$(pgrep -f "^sleep 9[78]\.$$\$")"
wait
same 'doors: time that nobody waits for is used up all the same' 'time 1' "$(head -n 1 "$TMP/user/unseen")"
matches 'doors: threads that wait for each other are not late' '^(idle|time)' "$TMP/user/crowd"

# ---- what is handed in ----

cp -R "$ROOT/labs/02-dummy-loop" "$TMP/kit/labs"
"$ROOT/labs/instructor/solve" 02 "$TMP/handed"
rm "$TMP/handed"/*.txt
cp "$TMP/handed/solution.c" "$TMP/handed/--help.c"
chmod -R a+rX "$TMP/kit" "$TMP/handed"
LABS_SECONDS=15 hostile "$TMP/kit/labs/lib/grade" 02 "$TMP/handed" >"$TMP/out"
matches 'doors: a hostile environment costs no points, nor a file with a hostile name' '^ok .*: dummy: one page' "$TMP/out"
! command -v valgrind >/dev/null || matches 'doors: nor a valgrind in the folder' '^ok .*: a loop in a loop counts them' "$TMP/out"
# A folder whose file is a link to a secret at every other moment.
echo 'a secret' >"$TMP/secret"
mkdir "$TMP/in" "$TMP/copy"
echo plain >"$TMP/in/plain"
ln -s "$TMP/secret" "$TMP/in/link"
perl -e 'chdir $ARGV[0]; while (1) { link "plain", "new"; rename "new", "answers.txt"; symlink "../secret", "new"; rename "new", "answers.txt" }' "$TMP/in" &
racer=$!
same 'doors: a file that becomes a link is not followed' '' "$(bash -pc '. "$0/labs/lib/grading.sh" && HANDED_IN=$1 SUBMISSION=$2 WORK=$2 NAME=01 LAB=$0/labs/02-dummy-loop
    for _ in {1..60}; do take_submission; cat "$2"/*; done 2>/dev/null | grep secret' "$TMP/kit" "$TMP/in" "$TMP/copy")"
kill "$racer"
wait "$racer" 2>/dev/null
finish_tests
