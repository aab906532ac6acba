#!/usr/bin/env bash
# mutate.t: the mutations that tests/bench/mutate would make; none is tried.
. "${0%/*}/../tap.sh"
plain_linux_alone
long_test

list() {
    "$ROOT/tests/bench/mutate" --list "$@"
}

# Each as the line that it makes of the source.
list common/table >"$TMP/table"
mutated() {
    while IFS='	' read -r file line column _ size new _; do
        awk -v line="$line" -v at="$column" -v size="$size" -v new="$new" 'NR == line {
            print substr($0, 1, at - 1) new substr($0, at + size) }' "$ROOT/src/$file"
    done
}

check 'a module has some hundred mutations' test "$(wc -l <"$TMP/table")" -gt 200
mutated <"$TMP/table" >"$TMP/mutated"
cut -f 7 "$TMP/table" >"$TMP/code"
check 'a mutation changes its line' test "$(sed 's/^ *//' "$TMP/mutated" |
    paste -d '\n' - "$TMP/code" | awk 'NR % 2 { was = $0; next } $0 == was' | wc -l)" -eq 0
lacks 'comments stay as they are' '^/?\*|^[^"]*/\*[^*]*\(10 \*' "$TMP/mutated"
lacks 'preprocessor lines stay as they are' '^#' "$TMP/mutated"
grep '	constant ' "$TMP/table" >"$TMP/constants"
same 'strings stay as they are' "$(cut -f 7 "$TMP/constants" | grep -o '"[^"]*"')" \
    "$(mutated <"$TMP/constants" | grep -o '"[^"]*"')"
for rule in 'constant times 10' 'constant plus 1' '< to <=' '< to >' '\+ to -' '&& to \|\|' \
    'true to false' 'call left out' 'return 0'; do
    matches "there is the rule $rule" "	$rule	" "$TMP/table"
done
same 'a seed gives the same sample every time' "$(list --sample 5 --seed 3 common/table common/base)" \
    "$(list --sample 5 --seed 3 common/table common/base)"
check 'another seed gives another' test "$(list --sample 5 common/table)" != "$(list --sample 5 --seed 2 common/table)"
same 'a sample has the requested number from each module' 10 "$(list --sample 5 common/table common/base | wc -l)"
exits 2 'an option that there is not is refused' "$ROOT/tests/bench/mutate" --sampel 3
exits 2 'a sample is a number' "$ROOT/tests/bench/mutate" --sample some
finish_tests
