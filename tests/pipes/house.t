#!/usr/bin/env bash
# house.t: the rooms of src/common stand on one another in the order of the README's table.
. "${0%/*}/tap.sh"
plain_linux_alone
cd "$ROOT" || exit 2

# The rooms from the ground up, as the README lists them.
# shellcheck disable=SC2016 # of sed
rooms() {
    sed -n 's/^| `\([a-z]*\)\/` |.*/\1/p' README.md
}

# Includes of a room that stands above, or of a file without its room.
climbing() {
    grep -n '#include "' src/common/*/*.[ch] | awk -F '[/:"]' -v rooms="$(rooms)" '
        BEGIN { n = split(rooms, name, "\n"); for (i = 1; i <= n; i++) floor[name[i]] = i }
        $7 == "platform.h" || $7 == "sink.h" { next }
        !($7 in floor) || floor[$7] > floor[$3] { print }'
}

same 'README: its table lists the rooms of src/common, and no others' \
    "$(find src/common -mindepth 1 -maxdepth 1 -exec basename {} \; | sort)" "$(rooms | sort)"
same 'src/common: a file includes from its own room or a lower one, by room/file' '' "$(climbing)"
same 'src/platform: includes nothing of src/common' '' "$(grep -n '#include ".*/' src/platform/*.[ch])"
same 'src/*.c: no program includes another' '' "$(grep -n '#include "[^/]*"$' src/*.c | grep -v 'platform\.h')"
# shellcheck disable=SC2016 # of sed
same 'README: its map has every program' "$(basename -s .c -a src/*.c)" \
    "$(sed -n '/^## A map/,$s/^| \(`[^|]*\)|.*/\1/p' README.md | grep -o '[a-z]*' |
        grep -xF "$(basename -s .c -a src/*.c)" | sort -u)"
# Files that a comment names, but for prog.c, anybody's program.
named_in_comments() {
    grep -noE '^( \*|/\*|.*//) .*' src/*.c src/*/*.[ch] src/*/*/*.[ch] | grep -oE '\b[a-z0-9_]+\.[ch]\b' |
        grep -vx prog.c | sort -u
}
same 'comments: no file is named that is not there' '' \
    "$(named_in_comments | grep -vxF "$(find src tests labs -name '*.[ch]' -exec basename {} \;)")"
finish_tests
