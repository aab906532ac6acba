#!/usr/bin/env bash
# gpu-errors.t: what gpu does when a driver, a device or a command line fails it.
# shellcheck disable=SC2016 # of awk
. "${0%/*}/gpu.sh"

# refuses NAME REGEX SETTINGS COMMAND...: gpu exits 2, says why, and writes no row.
refuses() {
    local name=$1 regex=$2 settings=$3
    shift 3
    exits_saying 2 "gpu: $name gives status 2" "$regex" with "$settings" gpu "$@"
    same "gpu: $name gives no row" '' "$(rows "$TMP/out")"
}
quick=(chase --pages "64,128" --layout line --samples 2 --loads 500 --seed 1)

OCL_ICD_VENDORS=$TAP_FOLDER/none refuses 'no driver' '^gpu: no OpenCL driver here.*pocl-opencl-icd' '' list
refuses 'no device' '^gpu: the OpenCL driver has no device \(CL_DEVICE_NOT_FOUND\).*kernel module match' no_device list
refuses 'a driver of OpenCL 1.1' '^gpu: the driver of Simulated Card 100 has OpenCL 1\.1.*needs 1\.2' old "${quick[@]}"
refuses 'a device that cannot be opened' '^gpu: the device cannot be opened \(CL_DEVICE_NOT_AVAILABLE\)' no_context "${quick[@]}"
refuses 'a device that cannot time its kernels' '^gpu: the device cannot time its kernels \(CL_INVALID_QUEUE_PROPERTIES\)' no_queue "${quick[@]}"
refuses 'a device that does not report times' '^gpu: the device does not report how long.*CL_PROFILING_INFO_NOT_AVAILABLE' no_times "${quick[@]}"
refuses 'a compiler that fails' '^gpu: the compiler of the device.s driver fails \(CL_BUILD_PROGRAM_FAILURE\)' compile "${quick[@]}"
matches 'gpu: what the compiler says is reported' "^gpu: compiler: kernel\.cl:7: error: unknown word 'kernel'$" "$TMP/err"
refuses 'a chase that ends at a wrong place' "^gpu: the device's chase of 64 nodes ends at position .* its compiler or its memory is at fault" broken "${quick[@]}"
refuses 'bandwidth without a clock' '^gpu: the device cannot time its kernels' no_queue bandwidth --bytes 1M

# ---- devices that fail in the middle ----

exits 0 'gpu chase: a whole run' gpu "${quick[@]}"
cp "$TMP/out" "$TMP/whole.tsv"
exits 2 'gpu chase: a device that is lost gives status 2' with lost_after=110 gpu "${quick[@]}"
matches 'gpu chase: a device that is lost is reported with its status' '^gpu: the device ended a kernel \(CL_OUT_OF_RESOURCES\)' "$TMP/err"
cp "$TMP/out" "$TMP/part.tsv"
same 'gpu chase: the rows before a device was lost are kept' \
    "$(columns 'pages sample ns' "$TMP/whole.tsv" | head -n "$(rows "$TMP/part.tsv" | grep -c .)")" \
    "$(columns 'pages sample ns' "$TMP/part.tsv")"
check 'gpu chase: there are some rows before the device was lost, and not all' \
    test "$(rows "$TMP/part.tsv" | grep -c .)" -gt 0 -a "$(rows "$TMP/part.tsv" | grep -c .)" -lt 4
exits 0 'gpu chase: a run whose device was lost is resumed' gpu chase --resume "$TMP/part.tsv" --pages 64,128 --layout line --samples 2 --loads 500
same 'gpu chase: a resumed run has the rows of a whole one' "$(columns 'pages sample ns' "$TMP/whole.tsv")" \
    "$(columns 'pages sample ns' "$TMP/out")"
lost=$(for copies in {1..9}; do
    TLBLAB_CARD=lost_after_writes=$copies gpu "${quick[@]}" 2>&1 | grep -E 'lost device|^[0-9].*\t-\t' | cut -c 1-30
done | sort -u)
same 'gpu chase: a device that is lost while it gets memory does not pass for one without memory' \
    'gpu: the device ended a copy (' "$lost"
exits 2 'gpu bandwidth: a device that is lost gives status 2' with lost_after=400 gpu bandwidth --bytes 1M,2M --samples 4 --op read,write
check 'gpu bandwidth: the rows before a device was lost are kept' test "$(rows "$TMP/out" | grep -c .)" -gt 0
matches 'gpu bandwidth: a device that is lost is reported' '^gpu: the device ended a (kernel|copy) ' "$TMP/err"
lacks 'gpu bandwidth: a device that is lost brings no advice to resume, which bandwidth cannot' 'resume' "$TMP/err"
exits_saying 2 'gpu chase: a kernel that a watchdog ends gives status 2' '^gpu: the device ended a kernel \(CL_INVALID_COMMAND_QUEUE\): a watchdog' \
    with watchdog_ns=1e5 gpu chase --pages 64 --samples 1
exits 0 'gpu chase: on a slow device kernels stay below 100 ms' with watchdog_ns=1e8,memory_ns=20000,l1=2048,l2=4096,tlb1=4,tlb2=4 \
    gpu chase --pages 4k --layout line --samples 1
same 'gpu chase: on a slow device the latency is right' 20000 "$(columns ns "$TMP/out")"
exits 0 'gpu chase: with a clock of long ticks, too, kernels stay below 100 ms' \
    with watchdog_ns=1e8,tick_ns=1e5,memory_ns=2000,l1=2048,l2=4096,tlb1=4,tlb2=4 \
    gpu chase --pages 4k --layout line --samples 1
same 'gpu chase: with a clock of long ticks the latency is right within a tenth' yes \
    "$(columns ns "$TMP/out" | awk '{ print ($1 > 1800 && $1 < 2200 ? "yes" : $1) }')"
exits 0 'gpu bandwidth: kernels of few work items stay below 100 ms' with watchdog_ns=1e8 \
    gpu bandwidth --op read,triad --bytes 128M --items 8 --samples 1
same 'gpu bandwidth: a pass of several kernels goes over the working set once' '8 0.213 8 0.213' \
    "$(columns 'threads gb_per_s' "$TMP/out" | awk '{ printf "%d %.3f\n", $1, $2 }' | paste -s -d ' ' -)"
exits 1 'gpu chase: a device without memory for a point gives status 1' with memory=1048576 gpu chase --pages 64,64k --layout line --samples 1
same 'gpu chase: a point without memory is a row without a time' '64 30 65536 -' "$(columns 'pages ns' "$TMP/out" | tr '\t' ' ' | paste -s -d ' ' -)"
matches 'gpu chase: points without memory are counted' '^gpu: 1 samples need more memory than this device has' "$TMP/err"
refuses 'a kernel that the driver refuses' '^gpu: the device cannot start a kernel \(CL_OUT_OF_RESOURCES\)$' no_launch "${quick[@]}"
refuses 'more work items than a group of the kernel has' \
    '^gpu: 256 work items: a work group of this kernel has at most 128' '' chase --kernel banks --pages 256 --samples 1
exits 1 'gpu bandwidth: a stopped clock gives status 1' with tick_ns=1e12 gpu bandwidth --op read,to_device_pinned --bytes 1M --samples 1
same 'gpu bandwidth: a stopped clock is not a lack of memory' '- clock_stands' \
    "$(columns 'gb_per_s note' "$TMP/out" | tr '\t' ' ' | sort -u)"
matches 'gpu bandwidth: a stopped clock is reported' "^gpu: the device's clock did not tick during 2 samples" "$TMP/err"
lacks 'gpu bandwidth: a stopped clock gives no warning about memory' 'more memory' "$TMP/err"
refuses 'a buffer that cannot be mapped' "^gpu: the device cannot map a buffer into the host's memory" no_map \
    bandwidth --op to_device_pinned --bytes 1M --samples 1
exits 1 'gpu chase: a budget that ends first gives status 1' gpu chase --budget 1e-9 --pages 64 --layout line
same 'gpu chase: a budget that ends first leaves a table' '' "$(rows "$TMP/out")"
if [ "$PLATFORM" = linux ]; then
    exits 1 'gpu: a device in the memory of a busy processor has what is available' \
        with unified=1,memory=1e18,allocation=1e18 gpu bandwidth --op read --bytes 1M,512G --samples 1
    same 'gpu: a device in the memory of a processor has no more than that' does_not_fit \
        "$(columns 'bytes note' "$TMP/out" | awk '$1 > 1e9 { print $2 }')"
    check 'gpu bandwidth: the limit of memory is what is available, not what the device claims' \
        awk '/^# memory_limit_bytes:/ { limit = $3 } END { exit !(limit > 0 && limit < 1e17) }' "$TMP/out"
    if [ "$VARIANT" != asan ]; then # whose shadow needs more addresses than the limit
        in_2_gb() (ulimit -v 2000000 && "$@")
        exits 0 'gpu bandwidth: in shared memory every sample of an op fits, even above half of it' \
            in_2_gb with unified=1,memory=1e18,allocation=1e18 gpu bandwidth --op read,copy --bytes 1200M --samples 2
    fi
fi

# ---- command lines and data ----

# wrong NAME REGEX OPTION...
wrong() { is_refused "$1" "^gpu: .*$2" gpu "${@:3}"; }
wrong 'no command' 'which command\?'
wrong 'an unknown command' "no command 'lits'" lits
wrong 'an option of another command' '--op does not go with chase' chase --op read
wrong 'an operand of list' "unexpected operand 'x'" list x
wrong 'a number of no device, which is a part of a name' "--device '100': no such device; there are 0 \(Simulated" chase --pages 4 --device 100
wrong 'a device without a name' "--device '': expected a value" chase --pages 4 --device ''
wrong 'a list of a device that is not there' "--device 'nonsense': no such device" list --device nonsense
wrong 'points from two places' '--pages does not go with FILE' chase --pages 4 file
wrong 'no nodes' "--pages '0': expected a list .* from 1" chase --pages 0
wrong 'a layout that needs a file' 'come from a FILE' chase --pages 4 --layout box
wrong 'a spacing that holds no offset' 'multiples of 4' chase --pages 4 --layout line --spacing 6
wrong 'a kernel of processors' 'the kernels of a card are' chase --pages 4 --kernel write
wrong 'more work items than a group has' 'more nodes than a work group' chase --pages 2k --kernel banks
wrong 'options of points along with a file' '--samples does not go with the points of a table' chase --samples 3 file
wrong 'a kernel of more loads than it counts' "--loads '4294967296': expected a whole number from 1 to 4294967295" chase --pages 4 --loads 4294967296
wrong 'an unknown op' "--op 'reed': there are read, write, copy" bandwidth --op reed
wrong 'strides of writes' '--spacing does not go with --op write' bandwidth --op write --spacing 8
wrong 'an odd stride' 'multiples of 4' bandwidth --spacing 6
wrong 'work items of a transfer' 'to_device has no work items' bandwidth --op to_device --items 4
wrong 'a claim below zero' 'expected a number from 0.001' bandwidth --claim -3
wrong 'a set of two bytes' 'from 48' bandwidth --bytes 2
printf 'pages\tlayout\tspacing_bytes\n4\tline\t6\n' >"$TMP/odd.tsv"
wrong 'an impossible point' 'odd.tsv:2: spacing 6' chase "$TMP/odd.tsv"
printf 'pages\tlayout\tspacing_bytes\nfour\tline\t64\n' >"$TMP/text.tsv"
wrong 'text for a number' "text.tsv:2: column 'pages'" chase "$TMP/text.tsv"
exits 2 'plan: --gpu has no preset of page tables' plan --gpu --preset walk
exits 2 'plan: --gpu fixes the backing' plan --gpu --backing scattered
finish_tests
