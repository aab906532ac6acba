#!/usr/bin/env bash
# chase-refused.t: what chase refuses, and why; what a user without rights can measure.
# shellcheck disable=SC2016,SC2059 # awk and sh -c have variables of their own; tables as formats
. "${0%/*}/../../tap.sh"
. "${0%/*}/chase.sh"
sanitizers_suffice

[ "$PLATFORM" != none ] || skip_all 'nothing can be measured here'
page=$(getconf PAGESIZE)
printf 'pages\n4\n8\n' >"$TMP/same.tsv"

# refuses_points NAME REGEX TEXT
refuses_points() { refuses "$1" "$2" - < <(printf "$3"); }

refuses 'no node' "--pages '0': expected a list .* from 1" --pages 0
refuses 'a stride of 3' '--spacing 3: nodes hold pointers' --pages 4 --layout line --spacing 3
refuses 'no distance' "--spacing '0': expected a size above 0" --pages 4 --spacing 0
refuses 'less than a page in layout page' '--spacing 64: layout page' --pages 4 --spacing 64
refuses 'more than there is' '^chase: [0-9]+ nodes of layout page need [0-9]+ MiB, and [0-9]+ MiB are available \(.+\)$' \
    --pages 8G
refuses 'more than addresses reach' '^chase: .*do not fit into the address space' --pages 17179869183G
refuses 'further apart than addresses reach' '^chase: 4096 nodes of layout page, 1099511627776 bytes apart, span .* GiB of address space' \
    --pages 4096 --spacing 1024G
refuses 'targets without a distance' '--spacing 0: layout set has its targets' --pages 4 --layout set
refuses 'targets closer than a page' '--spacing 512: layout set has its targets' --pages 4 --layout set --spacing 512
refuses 'a page of three' "--page-size '12K': expected a power of two" --pages 4 --page-size 12K
refuses 'a page too small' '--page-size 512: a page has .* bytes or more' --pages 4 --page-size 512
refuses 'huge pages of the usual size' '--backing huge has no pages of [0-9]+ bytes' --pages 4 --backing huge --page-size "$page"
refuses 'huge pages scattered' '--backing scattered has no pages of' --pages 4 --backing scattered --page-size 1G
refuses 'a page size that does not exist' '^chase: the system provides no pages of 128 KiB: ' --pages 4 --page-size 128K
refuses 'code too close' '--spacing 8: nodes are code, so their distance' --pages 4 --kernel code --layout line --spacing 8
refuses 'stores too close' '--spacing 24: nodes hold a pointer and a word, so their distance' --pages 4 --kernel write --layout line --spacing 24
refuses 'no chain' "--chains '0': expected a list .* from 1" --pages 4 --chains 0
refuses 'too many chains' '--chains 17: a core walks 1 to 16' --pages 100 --chains 17
refuses 'more chains than nodes' '--chains 5: more chains than nodes' --pages 8,4 --chains 5
refuses 'chains of stores' '--chains 2: this kernel walks one' --pages 8 --chains 2 --kernel write
refuses 'chains of the lab' '--chains 2: this kernel walks one' --pages 8 --chains 2 --kernel linear
refuses 'chains in windows' '--chains 2: several chains go with' --pages 8 --layout box --chains 2
refuses 'chains along with a table' '--chains needs --pages' --chains 2 "$TMP/same.tsv"
refuses 'an unknown kind of core' "--core-kind 'fast': there are performance and efficiency" --pages 4 --core-kind fast
refuses 'an unknown mistake' "--mistake 'late': there are vanished, dilution, storebuffer, prefetched, swap, claims, cold, migrate" \
    --pages 4 --mistake late
refuses 'a fault on pages' '--mistake cold needs layout line or packed' --pages 4 --mistake cold
refuses 'a fault of another kernel' '--mistake storebuffer needs kernel write' --pages 4 --layout line --mistake storebuffer
refuses 'a fault of chains' '--mistake cold needs kernel read with one chain' --pages 4 --layout line \
    --mistake cold --chains 2
refuses 'words of less than a line' '--mistake dilution needs nodes at least a line' --pages 4 --layout line --spacing 8 \
    --mistake dilution
refuses 'a bad range' "--pages '4:8': expected a list such as" --pages 4:8
refuses 'a range too long' "--pages .*a million values at most" --pages 1:2000000:+1
refuses 'an unknown option' "unknown option '--pagos'" --pagos 4
refuses 'an option without value' "option '--pages' needs a value" --pages
refuses 'a word for a number' "--samples 'many': expected a whole number" --samples many --pages 4
refuses 'an unknown layout' "--layout 'pages': there are page, packed, line, box" --pages 4 --layout pages
refuses 'an unknown kernel' "--kernel 'x'" --pages 4 --kernel x
refuses 'linear on pages' '--kernel linear walks memory in order' --pages 4 --kernel linear --layout page
refuses 'a budget below nothing' "--budget '-1': expected more than 0 seconds" --pages 4 --budget -1
refuses 'no points' '-: no header line: the input is empty; give --pages, or a table of points$' </dev/null
refuses 'points twice' '--pages does not go with FILE' --pages 4 "$TMP/same.tsv"
refuses '--meta without value' "--meta 'x': expected KEY=VALUE" --pages 4 --meta x
refuses_points 'a spacing of 12 in a table' "-:2: spacing 12: nodes hold pointers" \
    'pages\tlayout\tspacing_bytes\n4\tline\t12\n'
refuses_points 'code 24 bytes apart in a table' "-:2: spacing 24: nodes are code" \
    'pages\tlayout\tspacing_bytes\tkernel\n4\tline\t24\tcode\n'
refuses_points 'stores 24 bytes apart in a table' "-:2: spacing 24: nodes hold a pointer and" \
    'pages\tlayout\tspacing_bytes\tkernel\n4\tline\t24\twrite\n'
refuses_points 'rounds of stores in a table' "-:2: kernel write: its nodes are too large for the rounds of layout set" \
    'pages\tlayout\tspacing_bytes\tkernel\ttargets\tothers\n8\tset\t65536\twrite\t4\t0\n'
refuses_points 'no chain in a table' "-:2: column 'chains': at least one chain" 'pages\tchains\n4\t0\n'
refuses_points 'too many chains in a table' "-:3: chains 17: a core walks 1 to 16" 'pages\tchains\n4\t1\n40\t17\n'
refuses_points 'more chains than nodes in a table' "-:2: chains 5: more chains" 'pages\tchains\n4\t5\n'
refuses_points 'others of a moment closer than a page' '-:2: others_spacing_bytes 512: layout set has its others' \
    'pages\tlayout\tspacing_bytes\ttargets\tothers\tothers_spacing_bytes\n9\tset\t4096\t4\t5\t512\n'
for others in 2 4096; do
    refuses_points "$others others beyond all addresses" "-:2: others_spacing_bytes 4611686018427387904: $others others do not fit into the address space" \
        "pages\\tlayout\\tspacing_bytes\\ttargets\\tothers\\tothers_spacing_bytes\\n$((others + 1))\\tset\\t4096\\t1\\t$others\\t4611686018427387904\\n"
done
refuses_points "a target on another's page" '-:3: spacing 8192: a multiple of 16384 keeps targets off' \
    'pages\tlayout\tspacing_bytes\ttargets\tothers\tothers_spacing_bytes\n9\tset\t8192\t4\t5\t4096\n9\tset\t8192\t4\t5\t8192\n'
refuses_points 'targets closer than a page in a table' "-:2: spacing 512: layout set has its targets" \
    'pages\tlayout\tspacing_bytes\ttargets\tothers\n4\tset\t512\t4\t0\n'
refuses_points 'huge pages of no size in a table' "-:2: backing huge has no pages of [0-9]* bytes" \
    'pages\tbacking\n4\thuge\n'
refuses_points 'linear on pages in a table' "-:3: kernel linear walks" \
    'pages\tkernel\n4\tread\n4\tlinear\n'
refuses_points 'a box without a buffer' "-:2: layout box needs metadata buffer_bytes" \
    'pages\tlayout\tspacing_bytes\n4\tbox\t64\n'
refuses_points 'a table without pages' "-:1: no column 'pages' in the header" 'ns\n4\n'
refuses_points 'pages as a word' "-:2: column 'pages': 'x' is not a number" 'pages\nx\n'
refuses_points 'more than there is, in a table' 'need [0-9]+ MiB' 'pages\n8589934592\n'

if [ "$VARIANT" = asan ]; then
    skip 'chase: RLIMIT_AS is named as the limit' 'address sanitizer takes more than that'
else
    exits_saying 2 'chase: more memory than RLIMIT_AS is refused' 'need 390 MiB, and [0-9]+ MiB are available \(RLIMIT_AS\)|address space|need [0-9]+ MiB' \
        sh -c 'ulimit -v 120000 && exec chase --pages 100000'
fi
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null &&
    setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$OUT/chase" 2>/dev/null; then
    exits 0 'chase: a user without rights can measure' setpriv --reuid=65534 --regid=65534 --clear-groups \
        "$OUT/chase" --pages 4,100 --samples 1 --loads 2000
    same 'chase: a user without rights has all samples' 2 "$(rows "$TMP/out" | grep -c .)"
    matches 'chase: a user without rights is reported what could not be verified' '^(hint|yes)' <(columns backed "$TMP/out")
else
    skip 'chase: a user without rights can measure' 'needs root, setpriv and a readable build'
fi

finish_tests
