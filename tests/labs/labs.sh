# labs.sh: what the tests of the lab course share; tap.sh is sourced before it.
# shellcheck shell=bash disable=SC2016,SC2154 # full is set by the test; $ in single quotes is for the inner shell

# walk_handout FOLDER: runs the commands of an exercise in the order of its README.md, in its folder of
# a handout; the teacher's work fills the holes once the starter has been copied. The last command is
# `./check`, which must then give full marks.
walk_handout() {
    local lab=$1 name=${1##*/} block count k
    sh_blocks "$lab/README.md"
    count=$(find "$TAP_FOLDER" -maxdepth 1 -name 'block.*' | wc -l)
    check "$name: there are commands" test "$count" -ge 4
    for ((k = 1; k <= count; k++)); do
        block=$TAP_FOLDER/block.$k
        if grep -q gnuplot "$block" && ! command -v gnuplot >/dev/null; then
            skip "$name: $(head -n 1 "$block")" 'no gnuplot here'
        else
            exits 0 "$name: $(tail -n 1 "$block")" \
                sh -c 'cd "$1" && exec bash -e -o pipefail "$2"' sh "$lab" "$block"
        fi
        [ "$k" -gt 1 ] || "$ROOT/labs/instructor/solve" "${name%%-*}" "$lab"
    done
    if command -v gnuplot >/dev/null; then
        check "$name: it ends with a picture, mine.png" is_png "$lab/mine.png"
    else
        skip "$name: it ends with a picture, mine.png" 'no gnuplot here'
    fi
    same "$name: the last one is the check" ./check "$(cat "$TAP_FOLDER/block.$count")"
    sed 's/^/# /' "$TMP/out" | grep -E '^# not ok' -A 1
}

# apart NAME COMMAND...: runs checks in the background, as many at a time as there are processors, with
# a TMP of their own. `together` waits for all of them and counts what they found.
APART=()
apart() {
    while [ "$(jobs -pr | wc -l)" -ge "$(getconf _NPROCESSORS_ONLN)" ]; do wait -n; done
    APART+=("$TMP/$1.tap")
    own_place "$@" >"$TMP/$1.tap" 2>&1 &
}

own_place() {
    local TMP=$TMP/$1
    local TAP_FOLDER=$TMP
    mkdir "$TAP_FOLDER"
    shift
    "$@"
    echo '# ended'
}

together() {
    local file line
    wait
    for file in "${APART[@]}"; do
        while IFS= read -r line; do
            case $line in
            'ok '*' # SKIP '*)
                line=${line#ok * - }
                skip "${line%% # SKIP *}" "${line#* # SKIP }"
                ;;
            'ok '*) pass "${line#ok * - }" ;;
            'not ok '*) fail "${line#not ok * - }" ;;
            '# ended') ;;
            *) echo "# ${line#\# }" ;;
            esac
        done <"$file"
        [ "$(tail -n 1 "$file")" = '# ended' ] || fail "${file##*/} came to its end"
    done
    APART=()
}

# answers_of NN: the answers that are right.
answers_of() { sed '1,/^= answers\.txt$/d' "$ROOT/labs/instructor/$1/solution"; }

# ---- programs with a mistake, and programs in another style: labs/instructor/NN/faults.sh ----

# faulty NN NAME SED: a copy of the full work in $work, with its solution.c changed by SED.
faulty() {
    work=$TMP/$2
    cp -R "$full" "$work"
    sed -E "$3" "$full/solution.c" >"$work/solution.c"
    [ -z "$3" ] || ! cmp -s "$work/solution.c" "$full/solution.c" || fail "$2: the fault is in it"
}

# mutants NN: tries those of mutants.txt; sets MUTANTS to their number.
mutants() {
    local number name change
    MUTANTS=0
    while IFS='|' read -r number name change; do
        [ "$number" = "$1" ] || continue
        MUTANTS=$((MUTANTS + 1))
        faulty "$1" "mutant $MUTANTS" "$change"
        costs "$1" "$name" '^([^c]|c[^o])' # not that alone which compiles with a warning
        rm -r "$work"
    done <"$labs/../tests/labs/mutants.txt"
}

# rewritten NN NAME FUNCTION...: the same with other FUNCTIONs, whose definitions are stdin, with what else
# belongs to them; they stand where the first one stood.
rewritten() {
    local name=$2 functions
    work=$TMP/$name
    functions=" ${*:3} "
    cp -R "$full" "$work"
    cat >"$work/new"
    awk -v functions="$functions" -v new="$work/new" '
        /^[a-z].*\(/ && !/;$/ {
            name = $0
            sub(/\(.*/, "", name)
            sub(/.*[^a-zA-Z_0-9]/, "", name)
            if (index(functions, " " name " ")) {
                gone = 1
                found++
                while (!done && (getline line < new) > 0) print line
                done = 1
            }
        }
        !gone
        /^}/ { gone = 0 }
        END { exit found != split(functions, list, " ") }' "$full/solution.c" >"$work/solution.c" ||
        fail "$name: each of$functions is in the solution"
    rm "$work/new"
}
