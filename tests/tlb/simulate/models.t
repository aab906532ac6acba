#!/usr/bin/env bash
# models.t: simulate finds a machine description by its name, and takes paths literally.
. "${0%/*}/../../tap.sh"

points=$ROOT/tests/data/points-zen4.tsv
exits 0 'a description is read from its path' simulate --seed 1 "$ROOT/src/tlb/models/zen4.tsv" "$points"
by_path=$(rows "$TMP/out")
cd "$TMP" || exit 2
exits 0 'a description is found by its name' simulate --seed 1 zen4 "$points"
same 'by name it is the same machine' "$by_path" "$(rows "$TMP/out")"
exits 0 'a description is found by a program that is called by its path' \
    "$OUT/simulate" --seed 1 zen4 "$points"
cp "$ROOT/src/tlb/models/apple-m4.tsv" zen4
exits 0 'a file of that name comes first' simulate --describe zen4
matches 'a file of that name is what is read' 'M4' "$TMP/out"
rm zen4
mkdir 'my machines'
cp "$ROOT/src/tlb/models/apple-m4.tsv" 'my machines/zen4.tsv'
exits 0 'TLBLAB_MODELS names a folder' env TLBLAB_MODELS="$TMP/my machines" simulate --describe zen4
matches 'the folder of TLBLAB_MODELS comes before the others' 'M4' "$TMP/out"
exits 0 'what TLBLAB_MODELS lacks is found as before' \
    env TLBLAB_MODELS="$TMP/my machines" simulate --describe skylake-sp
exits 2 'a name of no machine is refused' simulate zen17
matches 'a name of no machine is distinguished from a path' \
    '^simulate: zen17: no such file, and no model of that name; the models are apple-m4, .*, zen4, zen5$' "$TMP/err"
exits 2 'a path that is not there is refused' simulate ./zen4
matches 'a path that is not there is not looked for elsewhere' '^simulate: ./zen4: cannot open' "$TMP/err"
finish_tests
