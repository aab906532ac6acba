#!/usr/bin/env bash
# models.t: simulate finds a machine description by its name, and takes paths literally.
# shellcheck disable=SC2016 # $ in single quotes is for awk
. "${0%/*}/../../tap.sh"
long_with_sanitizers
sanitizers_suffice

points=$ROOT/tests/data/points-zen4.tsv
exits 0 'a description is read from its path' simulate --seed 1 "$ROOT/src/tlb/models/zen4.tsv" "$points"
by_path=$(rows "$TMP/out")
cd "$TMP" || exit 2
exits 0 'a description is found by its name' simulate --seed 1 zen4 "$points"
same 'by name it is the same machine' "$by_path" "$(rows "$TMP/out")"
exits 0 'a description is found by a program that is called by its path' \
    "$OUT/simulate" --seed 1 zen4 "$points"
cp "$ROOT/src/tlb/models/apple-m4.tsv" zen4
prints 'a file of that name comes first' 'M4' simulate --describe zen4
rm zen4
mkdir 'my machines'
cp "$ROOT/src/tlb/models/apple-m4.tsv" 'my machines/zen4.tsv'
prints 'TLBLAB_MODELS names a folder' 'M4' env TLBLAB_MODELS="$TMP/my machines" simulate --describe zen4
exits 0 'what TLBLAB_MODELS lacks is found as before' \
    env TLBLAB_MODELS="$TMP/my machines" simulate --describe skylake-sp
exits_saying 2 'a name of no machine is refused' '^simulate: zen17: no such file, and no model of that name; the models are here \(this machine\), alder-lake-e, .*, zen4, zen5$' \
    simulate zen17
exits_saying 2 'a path that is not there is refused' '^simulate: ./zen4: cannot open' simulate ./zen4

# ---- what is published ----

folder=$ROOT/src/tlb/models
for model in skylake-client skylake-sp ice-lake sapphire-rapids alder-lake-p alder-lake-e zen1 zen2 neoverse-n1 neoverse-n2 \
    neoverse-v1 neoverse-v2 cortex-a72 cortex-a76 cortex-x1 cortex-x2 apple-m1; do
    same "$model: each level of a TLB and cache names its source" '' "$(awk -F '\t' "$by_name"'
        /^(dtlb|itlb|cache)/ && (!("source" in at) || length($at["source"]) < 10)' "$folder/$model.tsv")"
    exits 0 "$model: tlbsim takes it by its name" tlbsim --machine "$model" --to summary "$ROOT/tests/data/abc.trace.tsv"
done
same 'zen2: its levels are what CPUID states' 'dtlb 1 64 64 full,dtlb 2 2048 8 linear,itlb 1 64 64 full,itlb 2 1024 8 linear' \
    "$(simulate --describe zen2 | awk -F '\t' '/^.tlb/ { print $1, $2, $3, $4, $5 }' | paste -s -d , -)"

# ---- tables of geometry and machine are descriptions, without times ----

machines=$ROOT/tests/machines
# levels FILE: the levels of TLBs of a description, with ways and index.
levels() { simulate --describe "$1" | awk -F '\t' '/^.tlb/ { print $1, $2, $3, $4, $5 }' | paste -s -d , -; }
machine --sysroot "$machines/amd-epyc-guest/system.txt" >claims.tsv
same 'the claims of a machine are a description: ways of 8-15 make a power of two of sets' \
    'dtlb 1 72 72 full,dtlb 2 3072 12 linear,itlb 1 64 64 full,itlb 2 512 4 linear' "$(levels claims.tsv)"
same 'the caches that a machine claims are its caches' '512 8,16384 8,524288 16' \
    "$(simulate --describe claims.tsv | awk -F '\t' '/^cache/ { print $3, $4 }' | paste -s -d , -)"
same 'of pages of 64 KiB the claims for these count' 'dtlb 1 32 32 full,dtlb 2 1024 4 linear,itlb 1 48 48 full,itlb 2 1024 4 linear' \
    "$(levels "$machines/aarch64-big-little/machine.tsv")"
sed 's/^dtlb2_4k_entries	3072/dtlb2_4k_entries	128 or 4096/' claims.tsv >two.tsv
same 'a claim of two numbers ends the levels' 'dtlb 1 72 72 full,itlb 1 64 64 full,itlb 2 512 4 linear' "$(levels two.tsv)"
sed 's/^\(dtlb1_4k_entries.*\)yes$/\1no/' claims.tsv >unused.tsv
exits 2 'a machine whose first level is not claimed is refused' simulate --describe unused.tsv
matches 'a machine without a claim is reported with the remedy' 'no TLB for pages of 4096 bytes is claimed .*geometry' "$TMP/err"
sed 's/^page_bytes	4096/page_bytes	5000/' claims.tsv >odd.tsv
exits 2 'a machine with odd pages is refused' simulate --describe odd.tsv
sed 's/^dtlb1_4k_entries	72/dtlb1_4k_entries	72000000/' claims.tsv >large.tsv
exits 2 'a claim of too many entries is refused' simulate --describe large.tsv
matches 'a claim of too many entries is reported' '72000000 entries of a level are claimed' "$TMP/err"

plain_inputs simulate geometry
for model in zen4 skylake-client-xor7 no-tlb-knee; do
    simulate --seed 1 --preset geometry "$model" 2>/dev/null | geometry --quiet >"$model.tsv" 2>/dev/null
done
unset -f simulate geometry
same 'geometry is a description, with index bits' 'dtlb 1 72 72 full,dtlb 2 3072 12 0,1,2,3,4,5,6,9' "$(levels zen4.tsv)"
same 'geometry is a description, with folded bits' \
    'dtlb 1 64 4 0,1,2,3,dtlb 2 1536 12 0^7,1^8,2^9,3^10,4^11,5^12,6^13' "$(levels skylake-client-xor7.tsv)"
# Of an unknown replacement LRU is simulated.
change replacement '$column == "lru" && $2 == 1 ? "fifo" : "unknown"' zen4.tsv | change relation '"exclusive"' - '$2 == 2' >exclusive.tsv
change relation '"inclusive"' zen4.tsv '$2 == 2' >inclusive.tsv
same 'geometry is a description, with replacement and relation' 'fifo neither,lru exclusive lru neither,lru inclusive' \
    "$(for found in exclusive inclusive; do
        simulate --describe "$found.tsv" | awk -F '\t' '/^dtlb/ { print $6, $9 }' | paste -s -d , -
    done | paste -s -d ' ' -)"
same 'a level whose ways geometry does not know is fully associative' 'dtlb 2 2048 2048 full' \
    "$(sed "s/^\(dtlb${tab}2${tab}\)3072${tab}12${tab}256${tab}/\12048${tab}-${tab}-${tab}/" zen4.tsv >full.tsv; levels full.tsv | sed 's/.*,dtlb 2/dtlb 2/')"
exits 2 'geometry without a level is no machine with a TLB' tlbsim --machine no-tlb-knee.tsv --to summary "$ROOT/tests/data/abc.trace.tsv"
same 'a machine that geometry found is found again' "$(geometry --quiet <(simulate --seed 2 --preset geometry zen4.tsv) | grep -v '^#' | cut -f 1-7)" \
    "$(grep -v '^#' zen4.tsv | grep -v '^cache' | cut -f 1-7)"
prints 'a machine without times is simulated' '^# times: typical' simulate --seed 1 zen4.tsv "$points"
simulate --seed 1 zen4 "$points" >"$TMP/out"
lacks 'a machine with times does not' '^# times:' "$TMP/out"

sed "s/^\(dtlb${tab}2${tab}\)3072${tab}12${tab}256${tab}/\1-${tab}-${tab}-${tab}/" zen4.tsv >unsure.tsv
same 'a second level whose entries geometry does not know is left out' 'dtlb 1 72 72 full' "$(levels unsure.tsv 2>/dev/null)"
matches 'that it is left out is said' 'unsure.tsv:[0-9]+: level 2 is left out, as its entries are not known' \
    <(simulate --describe unsure.tsv 2>&1 >/dev/null)

# ---- here: this machine, by programs beside tlbsim, of which these stand in for sweep and geometry ----

if [ "$VARIANT" = plain ] && [ "$PLATFORM" = linux ]; then
    mkdir programs
    cp "$OUT/tlbsim" "$OUT/simulate" programs
    chase --quiet --pages 8 --samples 1 | grep '^#' >machine.tsv # what identifies this machine
    { grep '^#' zen4.tsv && cat machine.tsv && grep -v '^#' zen4.tsv; } >measured.tsv
    printf '#!/bin/sh\necho "$*" >>asked\ncat measured.tsv\n' >programs/sweep
    printf '#!/bin/sh\ncat\n' >programs/geometry
    chmod +x programs/*
    export XDG_CACHE_HOME=$TMP/cache
    exits 0 'here: this machine is measured' programs/tlbsim --machine here --to summary "$ROOT/tests/data/abc.trace.tsv"
    matches 'here: that it is measured is said' 'measuring the TLBs of this machine' "$TMP/err"
    same 'here: it is measured by the preset of geometry' '--preset geometry' "$(cat asked)"
    exits 0 'here: it is measured once' programs/simulate --describe here
    same 'here: and kept' 'dtlb 1 72 72,dtlb 2 3072 12' "$(awk -F '\t' '/^dtlb/ { print $1, $2, $3, $4 }' "$TMP/out" | paste -s -d , -)"
    same 'here: by one sweep' 1 "$(wc -l <asked)"
    matches 'here: that it is an earlier one is said, with its file' "here: as measured earlier .*$TMP/cache/tlblab/here-.*tsv" "$TMP/err"
    sed -i '/^# cpu:/d; 1i # cpu: Another Processor' "$TMP"/cache/tlblab/here-*.tsv
    exits 0 'here: a measurement of another processor is not used' programs/simulate --describe here
    same 'here: this one is measured instead' 2 "$(wc -l <asked)"
    matches 'here: that it is of another one is said' "here: .*tsv is of another machine: cpu was 'Another Processor', and is " "$TMP/err"
    exits 0 'here: the new measurement is kept' programs/simulate --describe here
    same 'here: and used' 2 "$(wc -l <asked)"
    rm -r "$TMP/cache"
    printf '#!/bin/sh\nsed "/^dtlb.1/s/72/-/"\n' >programs/geometry
    exits 2 'here: without a first level it is no machine' programs/tlbsim --machine here "$ROOT/tests/data/abc.trace.tsv"
    matches 'here: what was not found is reported' 'could not be measured' "$TMP/err"
    same 'here: nothing of it is kept' '' "$(ls "$TMP/cache/tlblab")"
    exits 2 'here: without a folder to keep it in it is refused' env -u HOME -u XDG_CACHE_HOME programs/tlbsim --machine here "$ROOT/tests/data/abc.trace.tsv"
    unset XDG_CACHE_HOME
else
    skip 'here: this machine is measured' 'the plain build on Linux shows it'
fi

# A simulation of TLBs asks for the size of a page and the levels.
printf '# page_bytes: 4K\nstructure\tlevel\tentries\tways\ndtlb\t1\t3\t-\n' >least.tsv
same 'a page size and a level are enough for tlbsim' 5 "$(tlbsim --machine least.tsv --to summary "$ROOT/tests/data/abc.trace.tsv" | tail -n 1 | cut -f 6)"
same 'a pipe is a machine for tlbsim' "$(tlbsim --machine zen4 --to summary "$ROOT/tests/data/abc.trace.tsv" | tail -n 2)" \
    "$(tlbsim --machine - --to summary "$ROOT/tests/data/abc.trace.tsv" <claims.tsv | tail -n 2)"
sed 1d least.tsv >pageless.tsv
exits 2 'a machine without the size of a page is refused' tlbsim --machine pageless.tsv "$ROOT/tests/data/abc.trace.tsv"
matches 'a machine without the size of a page is reported' "no metadata 'page_bytes'" "$TMP/err"
sed 's/	ways/	way/' least.tsv >wayless.tsv
exits 2 'a description without the column of ways is refused' simulate --describe wayless.tsv
matches 'a description without a column is reported with its line' "wayless.tsv:2: no column 'ways'" "$TMP/err"
finish_tests
