#!/usr/bin/env bash
# gpu.t: gpu on a simulated card: what list, chase and bandwidth write, and that detect finds the
# card's caches and TLBs.
. "${0%/*}/gpu.sh"

# ---- list ----

prints 'gpu list: it lists devices' "^device${tab}key${tab}value${tab}unit${tab}source${tab}used$" gpu list
matches 'gpu list: a claim has the name that was asked for' "^0${tab}memory_bytes${tab}268435456${tab}bytes${tab}CL_DEVICE_GLOBAL_MEM_SIZE${tab}yes" "$TMP/out"
matches 'gpu list: a value that the driver does not report is unknown' "^0${tab}clock_mhz${tab}unknown.*${tab}no" "$TMP/out"
matches 'gpu list: the rate of the memory is unknown, with the reason' "^0${tab}memory_gb_per_s${tab}unknown${tab}GB/s${tab}OpenCL has no" "$TMP/out"
exits 0 'gpu list: it lists a platform of a long name' with long_name gpu list
matches 'gpu list: a long name of a platform is cut, not unknown' "^0${tab}platform${tab}A platform whose name has more than 127 bytes: .{78,}${tab}-" "$TMP/out"
exits 0 'gpu list: it lists one device' with devices=2 gpu list --device 'card 200'
same 'gpu list: a device is found by a part of its name in any case' '1 Simulated Card 200' \
    "$(rows "$TMP/out" | awk -F '\t' '$2 == "name" { print $1, $3 }')"
exits 2 'gpu: a name that two devices have is refused' with devices=2 gpu chase --pages 4 --device simulated
matches 'gpu: a name that two devices have is answered with both' "several devices.*0 \(Simulated Card 100\), 1 \(Simulated Card 200\)" "$TMP/err"

# ---- chase ----

exits 0 'gpu chase: points of options are measured' with rising_ns=1e8 \
    gpu chase --pages 64:64k:x4 --layout local --samples 2 --loads 2000 --seed 1
same 'gpu chase: each size has the latency of its cache, also while the clock still rose' \
    '64 30 256 30 1024 180 4096 180 16384 450 65536 450' \
    "$(columns 'pages min_ns sample' "$TMP/out" | awk '$3 == 0 { print $1, $2 }' | paste -s -d ' ' -)"
same 'gpu chase: the arithmetic is that of the card' 4 "$(columns arithmetic_ns "$TMP/out" | sort -u)"
matches 'gpu chase: the processor is the device' '^# cpu: Simulated Card 100$' "$TMP/out"
for key in device device_type platform driver memory_limit_bytes backing seed; do
    matches "gpu chase: the metadata have $key" "^# $key: ." "$TMP/out"
done
same 'gpu chase: every row has runs and the backing of a device' '5 device' "$(columns 'runs backing' "$TMP/out" | tr '\t' ' ' | sort -u)"
cp "$TMP/out" "$TMP/samples.tsv"
exits 0 'gpu chase: its samples are read by latency' latency "$TMP/samples.tsv"
exits 0 'gpu chase: its samples are measured again' gpu chase --loads 2000 "$TMP/samples.tsv"
same 'gpu chase: the same seed gives the same chains and times' "$(columns 'pages sample ns' "$TMP/samples.tsv")" \
    "$(columns 'pages sample ns' "$TMP/out")"
exits 2 'chase: it refuses the points of a card' chase "$TMP/samples.tsv"
matches 'chase: it says who measures the points of a card' 'backing device: it is the memory of a card \(gpu chase\)' "$TMP/err"
exits 2 'chase: it refuses a kernel of cards' chase --kernel banks --pages 4
matches 'chase: it says who has a kernel of cards' 'kernel banks: it runs on graphics cards only \(gpu chase\)' "$TMP/err"

exits 0 'gpu chase: bank conflicts are measured' gpu chase --kernel banks --pages 32 --spacing 4,8,128,132 --samples 1
same 'gpu chase: items that share a bank wait for one another' '4 25 8 50 128 800 132 25' \
    "$(columns 'spacing_bytes ns' "$TMP/out" | tr '\t' ' ' | paste -s -d ' ' -)"
exits 1 'gpu chase: a chain above the local memory gives status 1' gpu chase --kernel read_local --pages 16,64k --samples 1
same 'gpu chase: a chain above the local memory is a row without a time' '16 25 65536 -' \
    "$(columns 'pages ns' "$TMP/out" | tr '\t' ' ' | paste -s -d ' ' -)"
exits 0 'gpu chase: constant memory is measured' gpu chase --kernel read_constant --pages 16 --samples 1
same 'gpu chase: constant memory has its latency' 20 "$(columns ns "$TMP/out")"
exits 0 'gpu chase: several chains are measured' gpu chase --layout line --pages 64k --chains 1,4 --samples 1 --loads 1000
same 'gpu chase: an access of four chains takes a fourth' '- 450 4 112.5' \
    "$(columns 'chains ns' "$TMP/out" | sed 's/^1\t/-\t/' | tr '\t' ' ' | paste -s -d ' ' -)"
exits 0 'gpu chase: loads that fill whole rounds are measured' gpu chase --pages 64 --layout line --samples 1 --loads 1024
same 'gpu chase: loads that fill whole rounds are not rounded up' $((3 * 5 * 1024)) "$(columns loads "$TMP/out")"
exits 0 'gpu chase: fewer loads than chains are measured' gpu chase --pages 64 --layout line --chains 4 --samples 1 --loads 1
same 'gpu chase: fewer loads than chains are rounded up to a round of each' $((3 * 5 * 16 * 4)) "$(columns loads "$TMP/out")"
exits 0 'gpu chase: a clock that ticks in microseconds does' with tick_ns=1000 gpu chase --pages 64 --layout line --samples 1
same 'gpu chase: a clock that ticks in microseconds gives the latency within 2 per cent' yes \
    "$(columns ns "$TMP/out" | awk '{ print ($1 > 29.4 && $1 < 30.6 ? "yes" : $1) }')"

# Beyond 16 GiB positions count 64 bytes; a driver may make larger buffers than it claims.
far=memory=68719476736,allocation=17179869184,page=33554432,tlb1=16,tlb2=700
exits 0 'gpu chase: a chain beyond 16 GiB, and above the largest buffer claimed, is measured' \
    with $far,generous gpu chase --pages 512,1024 --spacing 32M --samples 1 --loads 500
same 'gpu chase: a chain beyond 16 GiB has its latency' '512 120 1024 480' \
    "$(columns 'pages ns' "$TMP/out" | tr '\t' ' ' | paste -s -d ' ' -)"
matches 'gpu chase: a larger buffer than claimed is the limit then' '^# memory_limit_bytes: 34359738368$' "$TMP/out"
exits 1 'gpu chase: where no buffer is larger than claimed, that is the limit' \
    with $far gpu chase --quiet --pages 512,1024 --spacing 32M --samples 1 --loads 500
matches 'gpu chase: the metadata have the largest buffer claimed' '^# memory_limit_bytes: 17179869184$' "$TMP/out"
same 'gpu chase: a chain above the limit is a row without a time' '512 120 1024 -' \
    "$(columns 'pages ns' "$TMP/out" | tr '\t' ' ' | paste -s -d ' ' -)"
exits_saying 2 'gpu chase: far nodes that are no multiple of 64 bytes apart are refused' 'beyond 16 GiB the nodes' \
    with $far,generous gpu chase --pages 8M --layout line --spacing 4104 --samples 1

# ---- the pipe ----

# measured FILE OPTION...: the loop of a plan and gpu chase.
measured() {
    local file=$1
    shift
    plan --gpu --seed 1 "$@" >"$TMP/points"
    gpu chase --quiet --loads 500 "$TMP/points" >"$file"
    while plan "$file" >"$TMP/points" && grep -q '^[0-9]' "$TMP/points"; do
        gpu chase --quiet --loads 500 "$TMP/points" >>"$file"
    done
}

export TLBLAB_CARD=virtual_l1=1,l1=16384,l2=262144,tlb1=16,tlb2=48,memory=536870912,allocation=536870912
measured "$TMP/tlb.tsv" --pages 4,256 --samples 1
exits 0 'gpu: detect finds levels of the simulated card' detect "$TMP/tlb.tsv"
same 'gpu: detect finds the TLB levels of the simulated card, with a page that is assumed' \
    'dtlb 1 16 19 page_assumed dtlb 2 45 54 page_assumed' \
    "$(columns 'structure level entries_min entries_max note' "$TMP/out" | tr '\t' ' ' | paste -s -d ' ' -)"
same 'gpu: detect notes that volatile loads may have passed by the first cache' 'dtlb - cache l1_may_be_bypassed' \
    "$(simulate --seed 1 zen4 <(plan --pages 4,4k --samples 3) | sed 's/\tread\t/\tread_volatile\t/' | detect --quiet | columns 'structure level note' - |
        awk -F '\t' '$2 == 1 { print $1, ($3 ~ /l1/ ? "l1_may_be_bypassed" : "-") }' | paste -s -d ' ' -)"
exits 0 'gpu: walkpenalty reads samples of a simulated card' walkpenalty "$TMP/tlb.tsv"
same 'gpu: walkpenalty finds the penalties of the simulated card' '1 90 2 300 walk -' \
    "$(columns 'method level penalty_ns' "$TMP/out" | awk '/^control/ { print $2, $3 }' | paste -s -d ' ' -)"
measured "$TMP/caches.tsv" --preset caches --pages 32,8k --samples 1
exits 0 'gpu: detect finds caches of the simulated card' detect --method caches "$TMP/caches.tsv"
same 'gpu: detect finds the capacities of the caches, the hashed one as a range' 'yes yes' \
    "$(columns 'entries_min entries_max' "$TMP/out" | awk '{ want = NR == 1 ? 128 : 2048; print ($1 <= want && want <= $2 && $2 <= 1.5 * $1 ? "yes" : $1 " to " $2) }' |
        paste -s -d ' ' -)"
same 'simulate: a volatile load passes by the first cache' '4 2.8' \
    "$(simulate zen4 --seed 1 - <<<$'pages\tlayout\tspacing_bytes\tkernel\n4\tline\t64\tread_volatile' | columns 'pages ns' - | tr '\t' ' ')"
export TLBLAB_CARD=memory=67108864,allocation=67108864
exits 1 'gpu chase: a plan beyond the memory gives status 1' gpu chase --quiet --loads 500 <(plan --gpu --pages 4,256 --seed 1)
cp "$TMP/out" "$TMP/small.tsv"
same 'gpu chase: no row is missing beyond the memory' "$(plan --gpu --pages 4,256 --seed 1 | grep -c '^[0-9]')" \
    "$(rows "$TMP/small.tsv" | grep -c .)"
lacks 'gpu: a plan from these samples has nothing beyond the memory' '^(3[3-9]|[4-9][0-9]|[0-9]{3,})'"${tab}page" \
    <(plan "$TMP/small.tsv")
exits 0 'gpu: detect finds the TLB level whose reach the memory exceeds' detect --quiet "$TMP/small.tsv"
same 'gpu: detect does not find a TLB level whose reach exceeds the memory' 'dtlb 1 16 19' \
    "$(columns 'structure level entries_min entries_max' "$TMP/out" | grep dtlb | tr '\t' ' ' | paste -s -d ' ' -)"
exits 0 'gpu: walkpenalty reads samples that end before a walk' walkpenalty "$TMP/small.tsv"
matches 'gpu: walkpenalty says that the memory ended before a walk' "^control${tab}walk${tab}-.*not_reached" "$TMP/out"
unset TLBLAB_CARD

# ---- bandwidth ----

exits 1 'gpu bandwidth: a size that does not fit gives status 1' gpu bandwidth --bytes 1M,64M,1G --samples 1 --claim 960
same 'gpu bandwidth: a size that does not fit is a row with a note' '- - does_not_fit' \
    "$(columns 'op bytes gb_per_s peak_percent note' "$TMP/out" | awk -F '\t' '$2 > 1e9 { print $3, $4, $5 }' | sort -u)"
same 'gpu bandwidth: what a cache delivers is marked, what the memory delivers is compared' \
    'read cache_effect,mostly_launch 165.5 read - 93.7' \
    "$(columns 'op bytes note peak_percent' "$TMP/out" | awk -F '\t' '$1 == "read" && $2 < 1e9 { print $1, $3, $4 }' | paste -s -d ' ' -)"
same 'gpu bandwidth: copies from memory that the driver locked are separate rows' \
    'to_device 8 to_device_pinned 24 from_device 6 from_device_pinned 20' \
    "$(columns 'op bytes gb_per_s' "$TMP/out" | awk -F '\t' '/device/ && $2 == 67108864 { print $1, int($3 + 0.5) }' | paste -s -d ' ' -)"
same 'gpu bandwidth: one work item for each element is no number of them' - "$(columns threads "$TMP/out" | sort -u)"
exits 0 'gpu bandwidth: strides are measured' gpu bandwidth --op read --bytes 64M --spacing 4:64:x2 --samples 1
same 'gpu bandwidth: a read beyond a sector moves the whole sector' '4 900 8 450 16 225 32 112 64 112' \
    "$(columns 'spacing_bytes gb_per_s' "$TMP/out" | awk '{ print $1, int($2 + 0.1) }' | paste -s -d ' ' -)"
exits 0 'gpu bandwidth: a spacing about the working set is measured' gpu bandwidth --op read --bytes 100,112 --spacing 100 --samples 1
same 'gpu bandwidth: a spacing above the whole elements of the working set gives no row' 112 "$(columns bytes "$TMP/out")"
exits 0 'gpu bandwidth: numbers of work items are measured' gpu bandwidth --op read --bytes 64M --items 64,1024,1M --samples 1
same 'gpu bandwidth: little in flight is little bandwidth' '64 1.7 1024 27.3 1048576 900.0' \
    "$(columns 'threads gb_per_s' "$TMP/out" | awk '{ printf "%d %.1f\n", $1, $2 }' | paste -s -d ' ' -)"
cp "$TMP/out" "$TMP/rates.tsv"
exits 0 'gpu bandwidth: the report reads its rates' report "$TMP/rates.tsv"

# ---- the benchmark ----

# It runs the programs above.
long_with_sanitizers
bench=(0 60 2k 32 --samples 1)
exits 0 'gpu bench: every step is measured' with memory=67108864,allocation=67108864 "$ROOT/tests/bench/gpu" "$TMP/bench" "${bench[@]}"
matches 'gpu bench: it finds the first cache' "^cache${tab}1${tab}6[0-9]{4}${tab}-${tab}-${tab}-$" "$TMP/out"
matches 'gpu bench: it finds the first TLB' "^dtlb${tab}1${tab}33554432${tab}-${tab}-${tab}-$" "$TMP/out"
exits 1 'gpu bench: a device that is lost in every step gives status 1' with lost_after=300 "$ROOT/tests/bench/gpu" "$TMP/lost" "${bench[@]}"
same 'gpu bench: a step whose device is lost keeps its rows, and the next ones go on' '2 2' \
    "$(grep -c '^\(caches\|banks\): status 2' "$TMP/err") $(find "$TMP/lost" -name '*.log' -exec grep -l 'rows so far are complete' {} + | grep -c -E '/(caches|banks)\.')"
finish_tests
