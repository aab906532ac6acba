#!/usr/bin/env bash
# gpu-pocl.t: gpu on the processor itself, through PoCL: its kernels compile and run in a real driver.
. "${0%/*}/../tap.sh"
long_test
[ "$PLATFORM" != none ] || skip_all 'this build has no OpenCL'
gpu list >"$TMP/list.tsv" 2>"$TMP/err" || skip_all "$(sed 's/^gpu: //' "$TMP/err")"
device=$(awk -F '\t' '$2 == "platform" && /Portable Computing Language/ { print $1; exit }' "$TMP/list.tsv")
[ -n "$device" ] || skip_all 'no PoCL here (scripts/deps all)'
on=(--device "$device")

for kernel in read read_volatile read_local read_constant; do
    exits 0 "PoCL: $kernel is measured" gpu chase "${on[@]}" --kernel $kernel --layout line --pages 64,256 --samples 2
    same "PoCL: $kernel has a time above 0 in every row" 4 "$(columns ns "$TMP/out" | awk '$1 > 0 && $1 < 1e6' | grep -c .)"
    same "PoCL: a kernel of $kernel takes a millisecond or more" 4 \
        "$(columns 'ns loads' "$TMP/out" | awk '$1 * $2 > 5 * 1e6' | grep -c .)"
done
exits 0 'PoCL: bank conflicts are measured' gpu chase "${on[@]}" --kernel banks --pages 32 --spacing 4,128 --samples 1
exits 0 'PoCL: several chains are measured' gpu chase "${on[@]}" --layout line --pages 16k --chains 1,2,8,16 --samples 1
same 'PoCL: several chains have a row each' '1 2 8 16' "$(columns chains "$TMP/out" | paste -s -d ' ' -)"
exits 0 'PoCL: every op is measured' gpu bandwidth "${on[@]}" --bytes 64k,4M --samples 1
same 'PoCL: every op has a rate at every size' 16 "$(columns gb_per_s "$TMP/out" | awk '$1 > 0' | grep -c .)"
exits 0 'PoCL: strides and numbers of work items are measured' gpu bandwidth "${on[@]}" --bytes 4M --op read --spacing 4,256 --items 256,4k --samples 1
same 'PoCL: each stride and number of work items is a row' '4 256 4 4096 256 256 256 4096' \
    "$(columns 'spacing_bytes threads' "$TMP/out" | tr '\t' ' ' | paste -s -d ' ' -)"
exits 0 'PoCL: the device and the processor are compared' "$ROOT/tests/bench/gpu" "$TMP/bench" "$device" 5 32k 512 --samples 3
diagnose <"$TMP/out"
matches 'PoCL: both find a first cache' '^cache.1.[0-9.e+]*.[0-9.e+]*.[0-9.]*.(yes|no)$' "$TMP/out"
finish_tests
