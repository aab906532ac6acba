#!/usr/bin/env bash
# machine-firmware.t: clock, nodes and memory channels of a machine whose files are made here; tables
# of the firmware that lie about their lengths; what record-machine takes of such a table.
. "${0%/*}/../../tap.sh"
long_with_sanitizers

root=$TMP/server
dmi=$root/sys/firmware/dmi/tables/DMI
cpu=$root/sys/devices/system/cpu
mkdir -p "${dmi%/*}" "$cpu"/cpu{0,1}/{cpufreq,microcode} "$cpu/intel_pstate" "$root/sys/devices/system/node/node"{0,1} "$root/proc"
echo 'Linux 6.12.0 x86_64' >"$root/uname.txt"
echo 0-1 | tee "$cpu/online" "$cpu/present" >"$cpu/possible"
printf 'processor\t: 0\nmodel name\t: a\\b \\x41\\\n\n' >"$root/proc/cpuinfo"

# value KEY: what is used of the last table; source KEY; why KEY: of what is unknown.
value() { awk -F '\t' -v key="$1" '$1 == key && $5 == "yes" { print $2 }' "$TMP/out"; }
why() { awk -F '\t' -v key="$1" '$1 == key && $2 == "unknown" { print $4 }' "$TMP/out"; }

# octal NUMBER BYTES: a little-endian number, as escapes of printf.
octal() {
    local number=$1 i
    for ((i = 0; i < $2; i++)); do
        printf '\\%03o' $((number & 255))
        number=$((number >> 8))
    done
}

# module TYPE BITS SIZE SPEED CONFIGURED DEVICE BANK [LENGTH]: a memory device (type 17, SMBIOS 3.3),
# with a serial number; LENGTH is what it says of itself.
module() {
    local text
    text=$(octal 17 1)$(octal "${8:-92}" 1)$(octal 4352 2)$(octal 4096 4)$(octal 72 2)$(octal "$2" 2)
    text=$text$(octal "$3" 2)$(octal 9 1)$(octal 0 1)$(octal 1 1)$(octal 2 1)$(octal "$1" 1)$(octal 128 2)
    text=$text$(octal "$4" 2)$(octal 3 1)$(octal 4 1)$(octal 0 1)$(octal 5 1)$(octal 1 1)$(octal 0 4)
    text=$text$(octal "$5" 2)$(octal 0 50)$(octal 8533 4)$(octal 8533 4)
    # shellcheck disable=SC2059 # octal escapes
    printf "$text$6\\0$7\\0Maker\\0SERIAL-4711\\0Part\\0\\0"
}

end_of_table() { printf '\177\004\000\000\000\000'; }
other_structure() { printf '\001\010\001\000\001\002\003\004Maker\0Product\0SERIAL-4711\0\0'; }

# ---- clock and nodes ----

for core in 0 1; do
    echo powersave >"$cpu/cpu$core/cpufreq/scaling_governor"
    echo 400000 >"$cpu/cpu$core/cpufreq/cpuinfo_min_freq"
    echo 5050500 >"$cpu/cpu$core/cpufreq/cpuinfo_max_freq"
    echo 3800000 >"$cpu/cpu$core/cpufreq/scaling_max_freq"
    echo 0xa601203 >"$cpu/cpu$core/microcode/version"
done
echo performance >"$cpu/cpu1/cpufreq/scaling_governor"
echo 1 >"$cpu/intel_pstate/no_turbo"
echo 0-1 >"$root/sys/devices/system/node/online"
echo '10 21' >"$root/sys/devices/system/node/node0/distance"
echo '21 10' >"$root/sys/devices/system/node/node1/distance"
exits 0 'machine: a machine with two nodes is read' machine --sysroot "$root"
same 'machine: the governors of all cores are claimed, each once' powersave,performance "$(value governor)"
same 'machine: no_turbo 1 means no turbo' no "$(value turbo)"
same 'machine: the clock has its bounds in GHz' '0.4 5.0505' "$(value min_ghz) $(value max_ghz)"
matches 'machine: a lower bound that somebody set is shown too' '^max_ghz	3\.8	GHz	sysfs cpu0 scaling_max_freq	no$' "$TMP/out"
same 'machine: the microcode is claimed' 0xa601203 "$(value microcode)"
same 'machine: each node has its distances' '2, 10 21, 21 10' "$(value numa_nodes), $(value node0_distances), $(value node1_distances)"
same 'machine: without a table of the firmware the channels are unknown, with the reason' \
    'no /sys/firmware/dmi/tables/DMI' "$(why memory_channels)"
rm "$cpu/intel_pstate/no_turbo" && mkdir -p "$cpu/cpufreq" && echo 1 >"$cpu/cpufreq/boost"
machine --sysroot "$root" >"$TMP/out"
same 'machine: boost 1 means turbo' yes "$(value turbo)"

# ---- channels ----

# two_by_two SPEED BITS: four modules on two channels, and an empty socket.
two_by_two() {
    local channel slot
    other_structure
    for channel in A B; do
        for slot in 0 1; do
            module 34 "$2" 32767 6000 "$1" "DIMM $slot" "P0 CHANNEL $channel"
        done
    done
    module 34 64 0 0 0 'DIMM 0' 'P0 CHANNEL C'
    end_of_table
}

two_by_two 4800 64 >"$dmi"
exits 0 'machine: a table of the firmware is read' machine --sysroot "$root"
same 'machine: two modules on a channel are one channel' 2 "$(value memory_channels)"
same 'machine: the type of the memory is claimed' DDR5 "$(value memory_type)"
same 'machine: the configured speed counts, not what the module could' 4800 "$(value memory_mt_per_s)"
same 'machine: the peak is speed times width' '128 76.8' "$(value memory_bus_bits) $(value memory_peak_gb_per_s)"
same 'machine: each of these has the firmware as its source' 5 "$(grep -c '^memory_.*SMBIOS type 17.*yes$' "$TMP/out")"
: >"$root/proc/meminfo"
"$ROOT/scripts/record-machine" --pack "$root" >"$TMP/server.txt"
same 'machine: a folder that is packed into a file, its bytes too, is the same machine' \
    "$(grep -v '^#' "$TMP/out")" "$(machine --sysroot "$TMP/server.txt" | grep -v '^#')"
matches 'machine: a name with backslashes is as it was' '^cpu	a\\b \\x41\\	' "$TMP/out"
same 'record-machine: a packed file has each file of the folder' "$(cd "$root" && find . -type f | sed 's/^\.//' | sort)" \
    "$(cut -f 1 "$TMP/server.txt" | uniq)"
two_by_two 65535 64 >"$dmi" && machine --sysroot "$root" >"$TMP/out"
same 'machine: a speed too large for a word is read from the second one' 8533 "$(value memory_mt_per_s)"
{ module 35 16 32767 6400 0 'Board' 'x' && module 35 16 32767 6400 0 'Board' 'x'; } >"$dmi"
machine --sysroot "$root" >"$TMP/out"
same 'machine: without names each module is a channel' '2 25.6 LPDDR5' \
    "$(value memory_channels) $(value memory_peak_gb_per_s) $(value memory_type)"
matches 'machine: that each module is a channel is said' '^memory_channels	2	channels	.*one for each module assumed' "$TMP/out"
{ module 26 64 8192 2400 0 'CPU1_DIMM_A1' 'BANK 0' && module 26 64 8192 2400 0 'CPU1_DIMM_A2' 'BANK 1'; } >"$dmi"
machine --sysroot "$root" >"$TMP/out"
same 'machine: the letter of a socket names its channel' '1 19.2' "$(value memory_channels) $(value memory_peak_gb_per_s)"
for sockets in P0_:P1_ CPU1_:CPU2_ 'PROC 1 :PROC 2 '; do # one name of the bank, two of the device
    { for socket in "${sockets%:*}" "${sockets#*:}"; do
        module 26 64 8192 2400 0 "${socket}DIMM 1" 'CHANNEL A' && module 26 64 8192 2400 0 "${socket}DIMM 2" 'CHANNEL A'
    done; } >"$dmi"
    machine --sysroot "$root" >"$TMP/out"
    same "machine: channels of the same name on two sockets (${sockets#*:}) are two" '2 38.4' \
        "$(value memory_channels) $(value memory_peak_gb_per_s)"
done
{ module 7 64 32767 0 0 'DIMM 0' ' ' && end_of_table; } >"$dmi" && machine --sysroot "$root" >"$TMP/out"
matches 'machine: a module without speed has no peak' 'states no speed' <(why memory_peak_gb_per_s)
same 'machine: a type that is no DRAM of a name is unknown' 'SMBIOS type 17 names no type of DRAM' "$(why memory_type)"
end_of_table >"$dmi" && machine --sysroot "$root" >"$TMP/out"
same 'machine: a table without modules is said' 'SMBIOS lists no memory module' "$(why memory_channels)"

# ---- tables that lie ----

# damaged NAME: the table is refused as a whole, with its place.
damaged() {
    exits 0 "machine: $1 is read" timeout 10 machine --sysroot "$root"
    matches "machine: $1 is damaged, and nothing is claimed" 'DMI is damaged at byte [0-9]+' <(why memory_peak_gb_per_s)
}
printf '\021\000\000\000\0\0' >"$dmi" && damaged 'a structure of no length'
printf '\021\003\000\000\0\0' >"$dmi" && damaged 'a structure shorter than its header'
printf '\021\377\000\000\0\0' >"$dmi" && damaged 'a structure that runs over the end'
printf '\021' >"$dmi" && damaged 'a table of one byte'
{ module 34 64 32767 6000 0 'DIMM 0' 'CHANNEL A' | head -c 92; } >"$dmi" && damaged 'a structure without strings'
{ module 34 64 32767 6000 0 'DIMM 0' 'CHANNEL A' | head -c 110; } >"$dmi" && damaged 'a string that runs over the end'
{ printf '\021\022\000\000%14s' ' ' && printf '\0\0'; } >"$dmi"
exits 0 'machine: a structure that ends before its speed is read' machine --sysroot "$root"
matches 'machine: a speed beyond the end of its structure is unknown' 'states no speed' <(why memory_mt_per_s)
: >"$dmi"
exits 0 'machine: an empty table is read' machine --sysroot "$root"
for seed in 1 2 3 4 5 6; do # every byte of a good table with a seeded mistake somewhere
    two_by_two 4800 64 | od -An -v -tu1 | awk -v seed="$seed" 'BEGIN { srand(seed) }
        { for (i = 1; i <= NF; i++) printf "\\%03o", rand() < 0.02 ? int(256 * rand()) : $i }' >"$TMP/bytes"
    # shellcheck disable=SC2059
    printf "$(cat "$TMP/bytes")" >"$dmi"
    exits 0 "machine: a table with mistakes ($seed) is read" timeout 10 machine --sysroot "$root"
done

# ---- recording ----

if [ "$PLATFORM" = linux ]; then
    two_by_two 4800 64 >"$TMP/table"
    exits 0 'record-machine: a machine with a table of the firmware is recorded' \
        env TLBLAB_DMI="$TMP/table" "$ROOT/scripts/record-machine" --no-sweep "$TMP/recorded"
    same 'record-machine: channels, speed and type are those of the table' '2 4800 DDR5 76.8' \
        "$(cp "$TMP/recorded/machine.tsv" "$TMP/out" && echo "$(value memory_channels) $(value memory_mt_per_s) $(value memory_type) $(value memory_peak_gb_per_s)")"
    check 'record-machine: no serial number of the table is recorded' test -z "$(grep -rl 'SERIAL\|Maker' "$TMP/recorded")"
else
    skip 'record-machine: a machine with a table of the firmware is recorded' 'only Linux keeps what it knows in files'
fi
finish_tests
