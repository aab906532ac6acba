#!/usr/bin/env bash
# fleet.t: one command on many machines, by eight real sshd on this one, and by what stands in for srun; what
# becomes of machines that are down, or end half way.
# shellcheck disable=SC2016 # awk and the shells of other machines have variables of their own
. "${0%/*}/../tap.sh"
. "${0%/*}/../nasty.sh"
plain_linux_alone
fleet=$ROOT/scripts/fleet

exits 2 'fleet: no hosts is wrong usage' "$fleet"
exits_saying 2 'fleet: no command is wrong usage' 'which command\? It comes after --' "$fleet" one,two

# ---- names of hosts ----

# Files of two lines, the second one nasty; a comment and blanks around a name are no part of it.
for name in "${nasty[@]}" 'h:22' 'u@' '@h' 'u@-h' 'ssh://h:p' 'ssh://h/x'; do
    case $name in '#'* | ' blanks ') continue ;; esac
    printf 'one\n%s\n' "$name" >"$TMP/hosts"
    "$fleet" --ssh false "$TMP/hosts" -- true 2>&1 >"$TAP_FOLDER/log" | head -n 1
done >"$TMP/said"
lacks 'fleet: what ssh takes for no host is refused with file and line' "^([^f]|f[^l])|^fleet: .*/hosts:[^2]|missing|reached" "$TMP/said"
same 'fleet: ... each of them' $((${#nasty[@]} + 4)) "$(grep -cE "/hosts:2: '.+' is no host as ssh takes it" "$TMP/said")"
exits 2 'fleet: a nasty name in a list is refused' "$fleet" --ssh false 'one,$(pwned)' -- true
harmless 'fleet: hosts'
exits_saying 2 'fleet: a file that is not there is no host' '^fleet: .*/rom.txt: no such file$' "$fleet" --ssh false "$TMP/rom.txt" -- true
exits_saying 2 'fleet: nor is its name' '^fleet: rom.txt: no such file$' "$fleet" --ssh false rom.txt -- true
exits_saying 2 'fleet: a folder has no hosts' ': a folder$' "$fleet" --ssh false "$TMP" -- true

# ---- detect --by host ----

for machine in zen4 skylake-sp; do simulate --seed 1 "$machine" >"$TMP/$machine.tsv"; done
# Rows of two hosts in turn, under one header.
{ grep -v '^[0-9]' "$TMP/zen4.tsv" | sed '/^#/!s/^/host\t/'
  paste -d '\n' <(grep '^[0-9]' "$TMP/zen4.tsv" | sed 's/^/a\t/') <(grep '^[0-9]' "$TMP/skylake-sp.tsv" | sed 's/^/b\t/') | grep .
} >"$TMP/mixed.tsv"
detect --quiet --by host "$TMP/mixed.tsv" >"$TMP/out.b"
levels() { columns "host structure level entries" "$1"; }
for pair in a:zen4 b:skylake-sp; do
    same "detect --by host: rows of ${pair#*:} among others" "$(detect --quiet "$TMP/${pair#*:}.tsv" | columns 'structure level entries' -)" \
        "$(levels "$TMP/out.b" | sed -n "s/^${pair%:*}\t//p")"
done

if command -v gnuplot >/dev/null; then
    prints 'plot fleet: the levels of each host are drawn' '^ *b ' "$ROOT/scripts/plot" --terminal fleet "$TMP/out.b"
fi

# ---- a full disk ----

command -v parallel >/dev/null || skip_all 'no parallel here (scripts/deps all)'
printf '#!/bin/sh\nprintf "a\\tb\\n1\\t2\\n"\n' >"$TMP/answers" && chmod +x "$TMP/answers"
(cd "$TMP" && "$fleet" --ssh ./answers one,two -- true >out)
same 'fleet: two hosts answer' 'one two' "$(columns host "$TMP/out" | sort | paste -s -d ' ' -)"
if [ -w /dev/full ]; then
    exits_saying 2 'fleet: a full disk is an error' '^fleet: cannot write the output$' sh -c 'cd "$1" && "$2" --ssh ./answers one,two -- true >/dev/full' sh "$TMP" "$fleet"
fi

# ---- srun ----

mkdir "$TMP/bin"
# The options as srun(1) has them; the node `off` does not answer.
cat >"$TMP/bin/srun" <<'END'
#!/usr/bin/env bash
while [ $# -gt 0 ]; do
    case $1 in
    --nodes=1 | --ntasks=1 | --exclusive | --input=none) ;;
    --nodelist=*) node=${1#*=} ;;
    -*) echo "srun: unrecognized option '$1'" >&2; exit 1 ;;
    *) break ;;
    esac
    shift
done
[ "$node" != off ] || { echo 'srun: error: Unable to allocate resources: Requested node configuration is not available' >&2; exit 1; }
SLURMD_NODENAME=$node exec "$@"
END
chmod +x "$TMP/bin/srun"
printf 'n1\nn2  # the second\noff\n\nn1\n' >"$TMP/room.txt"
table='printf "# program: x\npages\tns\n"; printf "%s\n" "1	$SLURMD_NODENAME" "2	b c"'
exits 1 'fleet --slurm: a node that is down gives status 1' env PATH="$TMP/bin:$PATH" "$fleet" --slurm "$TMP/room.txt" -- sh -c "$table"
same 'fleet --slurm: rows have their host' 'n1 1 n1,n1 2 b c,n2 1 n2,n2 2 b c' \
    "$(grep -v '^#\|^host' "$TMP/out" | sort | tr '\t' ' ' | paste -s -d , -)"
matches 'fleet --slurm: a node that is down is listed' '^fleet: off: status 1, and no table$' "$TMP/err"
matches 'fleet --slurm: its own words are there' '^off: srun: error: Unable to allocate' "$TMP/err"
exits 2 'fleet: no host at all gives status 2' env PATH="$TMP/bin:$PATH" "$fleet" --slurm off -- true
exits 1 'fleet: a partial answer gives status 1' env PATH="$TMP/bin:$PATH" "$fleet" --slurm n1 -- sh -c "$table; exit 1"
same 'fleet: a partial answer is kept' 2 "$(grep -c '^n1' "$TMP/out")"

# It stands for ssh; the shell there is not bash.
cat >"$TMP/bin/nossh" <<'END'
#!/bin/sh
while [ "$1" != -- ]; do shift; done
exec sh -c "HOST='$2'; $3"
END
chmod +x "$TMP/bin/nossh"
mine=(printf '%s\n' word "${nasty[@]}")
hosts='h_1.x,u.v@h,a@b@h,fe80::1%eth0,ssh://u@h:2222,::1'
exits 0 'fleet: what ssh takes for a host is asked' env PATH="$TMP/bin:$PATH" "$fleet" --jobs 1 --ssh nossh "$hosts" -- "${mine[@]}"
same 'fleet: each is in the table as it is' "$(tr , '\n' <<<"$hosts")" "$(sed -n 's/^# host: //p' "$TMP/out")"
same 'fleet: the words of the command come as they are' "$(printf '%s\n' "${nasty[@]}" | grep -v '^#')" \
    "$(sed -n $'s/^::1\t//p' "$TMP/out")"
exits 0 'fleet: a word of two lines comes as it is' env PATH="$TMP/bin:$PATH" "$fleet" --ssh nossh h -- printf 'word\n%s\n' "$two_lines"
same 'fleet: ... in two rows' "$two_lines" "$(sed -n $'s/^h\t//p' "$TMP/out")"
harmless 'fleet: commands'

# ---- ssh ----

[ -n "${LONG-}" ] || finish_tests
sshd=$(PATH=$PATH:/usr/sbin command -v sshd) || skip_all 'no sshd here (scripts/deps all)'
keys=$TAP_FOLDER/keys
mkdir -p "$keys"
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$keys/mine" && ssh-keygen -q -t ed25519 -N '' -f "$keys/host"
cp "$keys/mine.pub" "$keys/authorized"
trap 'kill $(cat "$keys"/*.pid) 2>/dev/null; rm -rf "$TAP_FOLDER"' EXIT
first=$((20000 + $$ % 20000))
for ((k = 1; k <= 8; k++)); do
    printf 'Port %d\nListenAddress 127.0.0.1\nHostKey %s\nPidFile %s\nAuthorizedKeysFile %s\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nSetEnv HERE=h%d\n' \
        $((first + k)) "$keys/host" "$keys/$k.pid" "$keys/authorized" "$k" >"$keys/sshd.$k"
    "$sshd" -f "$keys/sshd.$k" -E "$keys/log.$k"
    printf 'Host h%d\n  Port %d\n' "$k" $((first + k))
done >"$keys/config"
printf 'Host off\n  Port %d\nHost *\n  HostName 127.0.0.1\n  User %s\n  IdentityFile %s\n  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n' \
    $((first + 9)) "$(id -un)" "$keys/mine" >>"$keys/config"

# On h5 the connection ends half way: the command waits, and sshd is killed.
work="PATH='$OUT':\$PATH; simulate --seed 1 zen4 | head -n 40; if [ \$HERE = h5 ] && [ ! -e '$keys/mended' ]; then
    echo \$PPID >'$keys/half'; exec sleep 30; fi; simulate --seed 1 zen4 | tail -n +41"
{ until [ -s "$keys/half" ]; do sleep 0.05; done; kill -9 "$(cat "$keys/half")"; } &
exits 1 'fleet: a host that is down and one that ends half way give status 1' \
    "$fleet" --ssh "ssh -F $keys/config" h1,h2,h3,h4,h5,h6,h7,h8,off -- sh -c "$work"
wait
cp "$TMP/out" "$TMP/fleet.tsv"
matches 'fleet: a host that is down is listed' '^fleet: off: it cannot be reached' "$TMP/err"
matches 'fleet: a host that ends half way is listed' '^fleet: h5: it cannot be reached, or the connection was lost$' "$TMP/err"
matches 'fleet: those that are missing are counted' '^fleet: 2 of 9 hosts are missing' "$TMP/err"
same 'fleet: the others are kept, each whole' "$(grep -c '^[0-9]' "$TMP/zen4.tsv")" \
    "$(awk '/^h[0-9]/ { n[$1]++ } END { for (h in n) print n[h] }' "$TMP/fleet.tsv" | sort -u)"
same 'fleet: seven of eight are kept' 7 "$(grep -c '^# host: h' "$TMP/fleet.tsv")"
same 'fleet: detect answers for each host' 7 "$(detect --quiet --by host "$TMP/fleet.tsv" | columns host - | sort -u | wc -l)"

# The last table is cut, and h5 is mended.
touch "$keys/mended"
last=$(sed -n 's/^# host: //p' "$TMP/fleet.tsv" | tail -n 1)
sed '$d' "$TMP/fleet.tsv" >"$TMP/cut.tsv"
printf '%s\t12' "$last" >>"$TMP/cut.tsv"
exits 0 'fleet: a run is resumed' "$fleet" --ssh "ssh -F $keys/config" --resume "$TMP/cut.tsv" h1,h2,h3,h4,h5,h6,h7,h8 -- sh -c "$work"
same 'fleet: a run that is resumed has all hosts once' 'h1 h2 h3 h4 h5 h6 h7 h8' "$(sed -n 's/^# host: //p' "$TMP/out" | sort | paste -s -d ' ' -)"
same 'fleet: only what was missing is asked' "$(printf '%s\n' h5 "$last" | sort | paste -s -d ' ' -)" \
    "$(sed -n 's/^# host: //p' "$TMP/out" | tail -n 2 | sort | paste -s -d ' ' -)"
finish_tests
