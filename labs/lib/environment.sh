# environment.sh: what the harness takes from the environment. It works in folders with files of students, and on machines
# with other users.
# shellcheck shell=bash

# ours_alone NAME: keeps only those folders of the list in this variable that have an absolute path and that others
# cannot write to.
ours_alone() {
    local IFS=: folder folders=() kept=()
    read -r -a folders <<<"${!1}"
    for folder in ${folders[@]+"${folders[@]}"}; do case $folder in /*) kept+=("$folder") ;; esac done
    [ ${#kept[@]} -eq 0 ] || mapfile -t kept < <(command -p find -L "${kept[@]}" -maxdepth 0 ! -perm -o=w \
        \( -uid 0 -o -uid "$EUID" \) 2>/dev/null)
    if [ ${#kept[@]} -gt 0 ]; then printf -v "$1" %s "${kept[*]}"; else unset "$1"; fi
}

# Bash takes functions and options from the environment, such as `cd` and noclobber, unless it is privileged.
[[ $- == *p* ]] || exec "$BASH" -p "$0" "$@"
export -n SHELLOPTS BASHOPTS # which would say `privileged` to the next one too late
export LC_ALL=C
unset CDPATH BASH_ENV ENV LD_PRELOAD LD_AUDIT GCC_EXEC_PREFIX TAR_OPTIONS
# LABS_FOLDERS has the lists that the calling script looked at.
lists=$'\n'
for name in PATH LD_LIBRARY_PATH LIBRARY_PATH CPATH C_INCLUDE_PATH COMPILER_PATH; do
    case ${LABS_FOLDERS-} in *$'\n'"$name=${!name-}"$'\n'*) ;; *) [ -z "${!name-}" ] || ours_alone "$name" ;; esac
    lists+="$name=${!name-}"$'\n'
done
export LABS_FOLDERS=$lists PATH=${PATH-/usr/local/bin:/usr/bin:/bin}
{ [[ ${TMPDIR-} == /* ]] && [ -d "$TMPDIR" ] && [ -w "$TMPDIR" ] && export TMPDIR; } || unset TMPDIR
umask u=rwx

# PATH in the sandbox: the system's, and what nobody can write to.
SAFE_PATH=/usr/local/bin:/usr/bin:/bin
IFS=: read -r -a folders <<<"$PATH"
for folder in "${folders[@]}"; do case $folder in /nix/store/* | /gnu/store/*) SAFE_PATH+=:$folder ;; esac done
unset folder folders lists name
. "${BASH_SOURCE[0]%/*}/common.sh"
