# gpu.sh: what tests of gpu share: the card that tests play (card.c), and columns of tables.
# shellcheck shell=bash
. "${0%/*}/../tap.sh"

if [ "$PLATFORM" = none ] || [ ! -e "$ROOT/bin/.obj/$VARIANT/tests/card.so" ]; then
    exits 2 'gpu: without OpenCL it gives status 2' gpu list
    matches 'gpu: without OpenCL it says so, and what to install' '^gpu: built without OpenCL.*ocl-icd-opencl-dev' "$TMP/err"
    same 'gpu: without OpenCL it writes no table' '' "$(cat "$TMP/out")"
    finish_tests
fi
# The loader reads names of drivers from files of this folder, without blanks in their paths.
mkdir "$TAP_FOLDER/drivers" "$TAP_FOLDER/none"
cp "$ROOT/bin/.obj/$VARIANT/tests/card.so" "$TAP_FOLDER/card.so"
echo "$TAP_FOLDER/card.so" >"$TAP_FOLDER/drivers/card.icd"
export OCL_ICD_VENDORS=$TAP_FOLDER/drivers

# with SETTINGS COMMAND...: on the card with these settings and failures.
with() {
    local settings=$1
    shift
    TLBLAB_CARD=$settings "$@"
}

