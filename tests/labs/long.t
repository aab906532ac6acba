#!/usr/bin/env bash
# long.t: all exercises of the lab course: the teacher's answers are those that the data have, nothing scores nothing,
# starters little, and the commands of each handout lead from the starter to full marks.
# shellcheck disable=SC2016 # $ in single quotes is for awk
. "${0%/*}/../tap.sh"
. "${0%/*}/labs.sh"

plain_linux_alone
long_test
unset MAKEFLAGS MFLAGS MAKELEVEL
export LABS_SECONDS=15 QUICK=yes # a machine that tests may be slow
instructor=$ROOT/labs/instructor

# A handout beside the programs, and for the exercises that need none of them one alone.
handout=$TMP/handout alone=$TMP/alone
mkdir "$handout" "$alone"
check 'labs: make handout succeeds' make -s -C "$ROOT" handout HANDOUT="$TMP/handout.tar.gz"
for place in "$handout" "$alone"; do
    check 'labs: the handout unpacks' tar -xzf "$TMP/handout.tar.gz" -C "$place"
done
for part in bin tests plots scripts; do ln -s "$ROOT/$part" "$handout/$part"; done
labs=$handout/labs
nothing=$TMP/nothing
mkdir "$nothing"

# lab_tests NAME: what is tested of one exercise.
lab_tests() {
    local name=$1 number=${1%%-*} derived
    derived=$("$instructor/derive" "$number") || fail "$name: derive"
    check "labs: $name: derive finds answers in the data" test -n "$derived"
    same "labs: $name: the answers are those derived from the data" "$derived" \
        "$(grep -xF -- "$derived" <(answers_of "$number") | sort_like "$derived")"
    check "labs: $name: there is an expected picture" test -s "$labs/$name/expected.png"
    check "labs: $name: the notes have three questions" awk '
        /^## / { oral = /Five minutes/ } oral && /^[0-9]\. / { n++ } END { exit n != 3 }' \
        "$instructor/$number/NOTES.md"
    exits 1 "labs: $name: nothing handed in is graded" "$labs/lib/grade" "$number" "$nothing"
    matches "labs: $name: nothing handed in scores nothing" '^# 0 of [0-9]+ points$' "$TMP/out"
    same "labs: $name: its README has the points that it has" "$(sed -n 's/^About .* minutes, \([0-9]*\) points.*/# 0 of \1 points/p' "$labs/$name/README.md")" "$(tail -n 1 "$TMP/out")"
    same "labs: $name: nothing handed in causes no message" '' "$(cat "$TMP/err")"
    exits 1 "labs: $name: the starter is graded" "$labs/lib/grade" "$number"
    matches "labs: $name: the starter scores nothing" '^# 0 of [0-9]+ points$' "$TMP/out"
    same "labs: $name: the starter causes no message" '' "$(cat "$TMP/err")"
    walk_handout "$labs/$name"
}

# sort_like LINES: those of stdin in the order of LINES.
sort_like() {
    local line lines
    lines=$(cat)
    while IFS= read -r line; do grep -xF -m 1 -- "$line" <<<"$lines"; done <<<"$1"
}

for folder in "$instructor"/[0-9]*; do
    place=$labs path=$PATH
    case $folder in */0[1-6]) place=$alone/labs path=${PATH#"$OUT:"} ;; esac
    for lab in "$place/${folder##*/}"-*; do
        if [ -x "$lab/check" ] && [ -s "$folder/solution" ]; then
            labs=$place PATH=$path apart "${lab##*/}" lab_tests "${lab##*/}"
        else
            skip "labs: exercise ${folder##*/} is tested" 'there is no such exercise yet'
        fi
    done
done
together

same 'labs: each picture of another machine is in its README' "$(cd "$labs/lib/machines" && printf '%s\n' *.png)" \
    "$(sed -n 's/^!.*(\(.*\.png\))$/\1/p' "$labs/lib/machines/README.md" | sort)"
finish_tests
