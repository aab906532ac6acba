#!/usr/bin/env bash
# explain.t: detect --explain shows the fit behind the answer of method control, and scripts/plot draws it.
# shellcheck disable=SC2016 # the $1 are those of awk
. "${0%/*}/tap.sh"

machines=$ROOT/tests/machines
plot=$ROOT/scripts/plot
fields='what level pages ns error_ns fitted_ns residual_ns kind entries step_ns squares penalty score least most chosen'

# broken RULES FILE: what these rules of awk print, in which f(NAME) is a field of the row.
broken() {
    columns "$fields" "$2" | awk -F '\t' -v names="$fields" "
        BEGIN { n = split(names, name, \" \"); for (i = 1; i <= n; i++) at[name[i]] = i }
        function f(name) { return \$at[name] }
        function off(a, b) { return a - b > 1e-9 || b - a > 1e-9 }
        $1"
}

# levels FILE: the level and the entries of the kinds chosen.
levels() {
    columns 'what chosen level entries' "$1" | awk -F '\t' '$1 == "kind" && $2 == "yes" { print $3, $4 }'
}

for samples in intel-xeon-guest/sweep amd-zen3-guest/geometry; do
    machine=${samples%/*}
    fit=$TMP/$machine.tsv
    exits 0 "$machine: its fit is explained" detect --explain "$machines/$samples.tsv"
    same "$machine: the explanation needs no remark" '' "$(cat "$TMP/err")"
    cp "$TMP/out" "$fit"
    matches "$machine: the table has the metadata of the samples" '^# cpu: ' "$fit"
    matches "$machine: the table has its command" '^# command: .*--explain' "$fit"
    same "$machine: the columns are those of the page" "$(tr ' ' '\t' <<<"$fields")" "$(grep '^what' "$fit")"
    detect --quiet "$machines/$samples.tsv" >"$TMP/plain.tsv"
    same "$machine: the kinds chosen have the entries of the answer" \
        "$(columns 'structure level entries note' "$TMP/plain.tsv" | awk -F '\t' '$1 == "dtlb" { print $2, $3 }')" \
        "$(levels "$fit" | grep -v '^-')"
    same "$machine: each size is a point" "$(columns 'layout pages spacing_bytes targets' "$machines/$samples.tsv" |
        awk -F '\t' '$1 == "page" && $3 == 4096 { print $2 }' | sort -nu)" \
        "$(columns 'what pages' "$fit" | sed -n 's/^point.//p')"
    same "$machine: a residual is the time minus the fitted one" '' \
        "$(broken 'f("what") == "point" && off(f("ns") - f("fitted_ns"), f("residual_ns"))' "$fit")"
    same "$machine: points have no kind, and kinds no size" '' "$(broken '
        f("what") == "point" { for (i = 8; i <= 16; i++) if ($i != "-") print; if (f("level") != "-") print }
        f("what") == "kind" { for (i = 3; i <= 7; i++) if ($i != "-") print }' "$fit")"
    same "$machine: the first kind of a level is chosen, its score the least" '' "$(broken '
        f("what") != "kind" { next }
        f("chosen") == "yes" { best = f("score") + 0; last = best; seen = 0 }
        ++seen == 1 && f("chosen") != "yes" || seen > 1 && f("chosen") != "no" { print }
        f("score") < last { print }
        { last = f("score") + 0 }' "$fit")"
    same "$machine: five kinds of a level or those within 20 are listed" '' "$(broken '
        f("what") != "kind" { next }
        f("chosen") == "yes" { if (seen && seen < 5) print; best = f("score"); seen = 0 }
        ++seen > 5 && f("score") > best + 20.01 { print }
        END { if (seen < 5) print seen }' "$fit")"
    same "$machine: a score is at least its penalty, and squares add to it" '' "$(broken '
        f("what") == "kind" && (f("squares") < 0 || f("penalty") < 0 || f("score") < f("penalty"))' "$fit")"
    same "$machine: kinds within 6 of the best have a profile around their entries" '' "$(broken '
        f("what") != "kind" { next }
        f("chosen") == "yes" { best = f("score") }
        f("score") < best + 5.98 && !(f("least") <= f("entries") && f("entries") <= f("most")) { print }
        f("score") < best + 5.98 && f("least") == "-" { print }
        f("score") > best + 6.02 && (f("least") != "-" || f("most") != "-") { print }' "$fit")"
done
same 'intel-xeon-guest: the kinds have names' 'lru/6 random/full' \
    "$(columns 'chosen kind' "$TMP/intel-xeon-guest.tsv" | sed -n 's/^yes.//p' | paste -s -d ' ' -)"

# What cannot be explained.
sweep=$machines/intel-xeon-guest/sweep.tsv
exits 2 'explain: --by is a usage error' detect --explain --by file "$sweep"
matches 'explain: --by is named' '^detect: --explain .*--by' "$TMP/err"
exits 2 'explain: --claims is a usage error' detect --explain --claims "$sweep"
matches 'explain: --claims is named' '^detect: --explain .*--claims' "$TMP/err"
exits 2 'explain: another method is a usage error' detect --explain --method segment "$sweep"
matches 'explain: the method that it explains is named' 'control' "$TMP/err"
same 'explain: a usage error writes no table' '' "$(cat "$TMP/out")"
exits 0 'explain: method control by name is the same' detect --explain --method control "$sweep"
same 'explain: method control by name gives the same rows' "$(grep -v '^#' "$TMP/intel-xeon-guest.tsv")" \
    "$(grep -v '^#' "$TMP/out")"
exits 2 'explain: samples without layout page are refused' detect --explain "$ROOT/tests/data/latency-vcache.tsv"
matches 'explain: the layout that is needed is named' 'method control needs samples of layout page' "$TMP/err"
head -n 1 <(grep -v '^#' "$sweep") >"$TMP/empty.tsv"
exits 1 'explain: a header alone has no fit' detect --explain "$TMP/empty.tsv"
same 'explain: a header alone gives a header' "$(tr ' ' '\t' <<<"$fields")" "$(grep -v '^#' "$TMP/out")"
matches 'explain: a header alone is named' 'no measured rows' "$TMP/err"
printf 'pages\tlayout\tns\n4\tpage\t1\n8\tpage\t1\n16\tpage\t1\n' >"$TMP/few.tsv"
exits 1 'explain: a curve without a level is a partial answer' detect --explain "$TMP/few.tsv"
same 'explain: a curve without a level has its points, and nothing fitted' '4 - -,8 - -,16 - -' \
    "$(columns 'pages fitted_ns residual_ns' "$TMP/out" | tr '\t' ' ' | paste -s -d , -)"
cp "$TMP/out" "$TMP/unfitted.tsv"
sweep --plan --preset itlb --pages 16,512 --seed 1 2>/dev/null | simulate zen4 - >"$TMP/code.tsv" 2>/dev/null
exits 0 'explain: samples of code alone have a fit too' detect --explain "$TMP/code.tsv"
matches 'explain: the order of their pages is new in every round' '	new-order-lru/' "$TMP/out"

# The picture.
if ! command -v gnuplot >/dev/null || [ "$VARIANT" != plain ]; then
    skip 'plot: the fit is drawn' 'the plain build with gnuplot draws it'
    finish_tests
fi
refuses() {
    exits 2 "plot: $1 is refused" "$plot" --output "$TMP/none.png" fit "$2"
    check "plot: $1 leaves no picture" test ! -e "$TMP/none.png"
    matches "plot: $1 is answered with what is wrong" "^plot: .*$3" "$TMP/err"
}
for machine in intel-xeon-guest amd-zen3-guest; do
    exits 0 "plot: the fit of $machine is drawn" "$plot" --output "$TMP/$machine.png" fit "$TMP/$machine.tsv"
    same "plot: the fit of $machine causes no message" '' "$(cat "$TMP/err")"
    check "plot: the fit of $machine is a PNG" is_png "$TMP/$machine.png"
    check "plot: the fit of $machine is not empty" test "$(wc -c <"$TMP/$machine.png")" -gt 10000
done
exits 0 'plot: the fit is drawn as SVG' "$plot" --format svg fit "$TMP/intel-xeon-guest.tsv"
matches 'plot: the fit is whole as SVG' '</svg>' "$TMP/out"
exits 0 'plot: the fit is drawn in characters' "$plot" --terminal fit "$TMP/intel-xeon-guest.tsv"
matches 'plot: the fit has its levels' 'level 2: 1788 entries \(random/full\)' "$TMP/out"
matches 'plot: the fit has its axis' 'number of pages' "$TMP/out"
check 'plot: the fit fits 79 columns and 24 lines' awk 'length > 79 { bad = 1 } END { exit bad || NR > 24 }' "$TMP/out"
refuses 'a table of samples' "$sweep" "no column 'what'"
refuses 'a fit without a level' "$TMP/unfitted.tsv" 'no level'
change fitted_ns '"fast"' "$TMP/intel-xeon-guest.tsv" '$1 == "point"' >"$TMP/text.tsv"
refuses 'a text for a time' "$TMP/text.tsv" "column 'fitted_ns': not a number"
finish_tests
