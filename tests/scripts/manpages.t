#!/usr/bin/env bash
# manpages.t: every program has a correct man page: its options are those of --help, and its examples print
# what they say.
#
# An example is a line `.Dl $ command` and the `.Bd -literal` block that follows it; the command is
# run in tests/, which holds what is installed in share/tlblab. A `.Dl` without such a block is not
# run. The front command tlblab and its scripts have pages too.
. "${0%/*}/../tap.sh"
cd "$ROOT" || exit 2
long_with_sanitizers
version=$(sed -n 's/.*TLBLAB_VERSION "\(.*\)"/\1/p' src/common/base/args.h)

# Text as printed, from the page's source.
unescape() {
    sed -e 's/^\\&//; s/\\(aq/'\''/g; s/\\(dq/"/g; s/\\(ti/~/g; s/\\(ha/^/g; s/\\(en/-/g; s/\\-/-/g' \
        -e 's/\\&//g; s/\\ / /g; s/\\e/\\/g'
}

# Lines of examples that a reader does not see as they are run: mdoc drops quotes and blanks.
shown_otherwise() {
    mandoc -T ascii -O width=1000 "$1" | sed $'s/.\b//g; s/^ *//' >"$TMP/shown"
    sed -n 's/^\.Dl //p' "$1" | unescape | grep -vxFf "$TMP/shown"
}

# The long options of a page, and of --help; options that every program has need not be in its page.
page_options() {
    sed -n 's/\\//g; s/Fl Fl /Fl -/g; /^\.It /p' "$1" | grep -oE 'Fl -[a-z][a-z-]*' |
        sed 's/Fl -/--/' | own_options
}

help_options() {
    grep -oE '^  --[a-z][a-z-]*' | tr -d ' ' | own_options
}

own_options() {
    grep -vxE -- '--(help|version)' | sort -u
}

# all_help NAME: --help, and what each of its topics explains.
all_help() {
    "$1" --help
    "$1" --help | sed -n 's/^  --help \([a-z]*\) .*/\1/p' | while read -r topic; do
        "$1" --help "$topic"
    done
}

# The words that topics of --help explain (layouts, kernels, presets, mistakes …) and that stand
# neither in the program's page nor in one that it refers to. Models describe themselves.
words_without_page() {
    local pages
    pages=$(sed -n 's/^\.Xr \([a-z]*\) 1.*/src\/*\/\1.1/p' "$1" | sort -u)
    awk '/^[A-Z].*:$/ { inside = !/^(Machines|More help):/; next } !NF { inside = 0 }
        inside && /^  [^ ]/ { sub(/_.*/, "", $1); print $1 }' |
        sort -u >"$TMP/words"
    # shellcheck disable=SC2086 # patterns of names without spaces
    cat "$1" $pages 2>/dev/null | grep -owFf "$TMP/words" | sort -u | comm -23 "$TMP/words" -
}

# Writes each example of a page as command.N and expected.N into a folder.
split_examples() {
    awk -v folder="$2" '
        /^\.Dl +\$ / { sub(/^\.Dl +\$ /, ""); command = $0; next }
        /^\.Bd .*-literal/ && command != "" {
            n++
            print command >(folder "/command." n)
            printf "" >(folder "/expected." n)
            inside = 1
            next
        }
        /^\.Ed/ { inside = 0; command = "" }
        inside { print >(folder "/expected." n) }
        !inside && !/^\.Pp/ && !/^\.\\"/ { command = "" }' "$1"
}

# run_examples NAME PAGE
run_examples() {
    local name=$1 page=$2 folder=$TMP/$1 command k
    if command -v mandoc >/dev/null; then
        same "$name: its man page shows its examples as they are run" '' "$(shown_otherwise "$page")"
    fi
    mkdir "$folder"
    split_examples "$page" "$folder"
    check "$name: its man page has an example that is run" test -e "$folder/command.1"
    for ((k = 1; ; k++)); do
        [ -e "$folder/command.$k" ] || break
        command=$(unescape <"$folder/command.$k")
        case $PLATFORM:$command in
        none:plan*) ;;
        *:*'tlblab plot'* | *:*'tlblab page'*)
            if ! command -v gnuplot >/dev/null; then
                skip "$name: $command" 'no gnuplot here'
                continue
            fi
            ;;
        darwin:*'tlblab record'*)
            skip "$name: $command" 'it records Linux alone'
            continue
            ;;
        none:*tlbcc* | darwin:*tlbcc* | none:*tlbrun* | darwin:*tlbrun* | none:tlbcost* | darwin:tlbcost*)
            skip "$name: $command" 'programs are traced on Linux'
            continue
            ;;
        none:bandwidth* | none:chase* | none:sweep*)
            skip "$name: $command" 'this build cannot measure'
            continue
            ;;
        esac
        case $VARIANT:$command in
        asan:*'--mistake vanished'*)
            skip "$name: $command" 'sanitizers keep the loop'
            continue
            ;;
        esac
        same "$name: $command" "$(unescape <"$folder/expected.$k")" \
            "$(cd tests && bash -c "$command" 2>/dev/null </dev/null)"
    done
}

same 'man pages: their last lines name the toolkit' '' "$(grep -L '^\.Os tlblab$' src/*/*.1 scripts/*.1)"
# Of groff, whose own word for a system is BSD.
same 'man pages: their headings do, too' '' "$(grep -L '^\.ds doc-volume-operating-system tlblab$' src/*/*.1 scripts/*.1)"
for source in src/[!cp]*/*.c; do
    name=$(basename "$source" .c) page=${source%c}1
    if [ ! -f "$page" ]; then
        fail "$name: has a man page"
        continue
    fi
    if command -v mandoc >/dev/null; then
        check "$name: its man page passes mandoc's lint" mandoc -T lint -W warning "$page"
    else
        skip "$name: its man page passes mandoc's lint" 'no mandoc here'
    fi
    exits 0 "$name: --version succeeds" "$name" --version
    same "$name: --version prints name and version" "$name (tlblab) $version" "$(head -n 1 "$TMP/out")"
    matches "$name: --version has the commit" '^commit: [0-9a-z]' "$TMP/out"
    matches "$name: --version has the compiler" '^compiler: .*[0-9]' "$TMP/out"
    exits 0 "$name: --help succeeds" "$name" --help
    same "$name: the options of --help are those of the page" "$(help_options <"$TMP/out")" \
        "$(page_options "$page")"
    same "$name: -h is --help" "$(cat "$TMP/out")" "$("$name" -h)"
    all_help "$name" >"$TMP/help"
    lacks "$name: --help fits into 80 columns" '^.{81}' <(LC_ALL=C tr -d '\200-\277' <"$TMP/help") # characters
    same "$name: the words that --help lists are in a page" '' "$(words_without_page "$page" <"$TMP/help")"
    matches "$name: the page of tlblab refers to it" "^\.Xr tlblab-$name 1" scripts/tlblab.1
    run_examples "$name" "$page"
done

# Pages of the front command, whose options are those of `tlblab measure`.
PATH=$ROOT/scripts:$PATH
for name in tlblab tlblab-plot tlblab-record tlblab-page; do
    page=scripts/$name.1 command=${name#tlblab}
    if command -v mandoc >/dev/null; then
        check "$name: its man page passes mandoc's lint" mandoc -T lint -W warning "$page"
    else
        skip "$name: its man page passes mandoc's lint" 'no mandoc here'
    fi
    command=${command#-}
    run=(tlblab "${command:-measure}")
    exits 0 "$name: --help succeeds" "${run[@]}" --help
    # shellcheck disable=SC2016 # text between backquotes is for other programs
    same "$name: the options of --help are those of the page" \
        "$(sed 's/`[^`]*`//g' "$TMP/out" | grep -oE -- '--[a-z][a-z-]*' | own_options)" "$(page_options "$page")"
    run_examples "$name" "$page"
done

# The page for those who come from other programs has options of ours and theirs.
run_examples tlblab-coming-from scripts/tlblab-coming-from.1

# Files that pages name must be there without the source tree.
for page in src/*/*.1 scripts/*.1; do
    sed 's|share/tlblab/[a-z/*.]*||g' "$page" >"$TMP/page"
    lacks "$page names no path of the source tree" \
        '(^|[^a-zA-Z/])(tests|scripts|plots|src|labs|bin)/[a-z]' "$TMP/page"
    names=$(grep '^\.Dl' "$page" | grep -oE '(data|machines)/[a-z0-9-][a-z0-9./-]*' | sort -u)
    for named in $names; do
        check "$page: $named is installed" test -e "tests/$named"
    done
done
finish_tests
