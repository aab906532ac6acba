# tojson.sh: what the tests of tojson share; tap.sh is sourced before it.
# shellcheck shell=bash disable=SC2034 # the tests use them
plain_inputs simulate
data=$ROOT/tests/data
models=$ROOT/src/tlb/models
example=$data/whitepaper-m4.tsv
version=$(sed -n 's/.*TLBLAB_VERSION "\(.*\)"/\1/p' "$ROOT/src/common/base/args.h")

if ! command -v jq >/dev/null; then
    skip 'tojson: tables are converted' 'no jq here (scripts/deps test)'
    finish_tests
fi

# ask FILTER: of the JSON in "$TMP/out", in one line each.
ask() { jq -rc "$1" "$TMP/out"; }

# answers NAME EXPECTED FILTER
answers() { same "$1" "$2" "$(ask "$3")"; }

# tables SAMPLES [OPTION...]: boundaries and penalties of them, in the temporary folder.
tables() {
    local samples=$1
    shift
    detect --quiet "$@" "$samples" >"$TMP/boundaries.tsv" 2>/dev/null
    walkpenalty --quiet "$samples" >"$TMP/penalties.tsv"
}
