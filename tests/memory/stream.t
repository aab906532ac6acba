#!/usr/bin/env bash
# stream.t: a streaming read is nothing but loads, read back from the object file that bandwidth was
# linked from.
. "${0%/*}/../tap.sh"

[ "$VARIANT" != asan ] || skip_all 'sanitizers add their own instructions'
command -v objdump >/dev/null || skip_all 'no objdump here'
case $(uname -m) in
x86_64 | amd64)
    kernels='plain_avx512:8 plain_avx2:16 plain_sse2:32'
    load='^v?mov[au]p[ds] +[-0-9a-fx]*\([%a-z0-9,]+\),%[xyz]mm[0-9]+$'
    ;;
aarch64 | arm64)
    kernels=plain_neon:32
    load='^ldr +q[0-9]+, \[x[0-9]+(, #[0-9a-fx-]+)?\]$'
    ;;
*) skip_all "no pattern for $(uname -m)" ;;
esac
object=$OUT/../memory/streams/stream_vector.o
[ -f "$object" ] || object=$OUT/.obj/plain/memory/streams/stream_vector.o
objdump -d --no-show-raw-insn "$object" >"$TMP/all" 2>"$TMP/err" || skip_all 'objdump cannot read it'

# The longest run of consecutive loads in a function, each from a different place.
loads_of() {
    awk -v name="$1" -v load="$load" '
        /^[0-9a-f]+ <.*>:$/ { inside = $0 ~ "<_?" name ">"; n = 0 }
        !inside || !/^ *[0-9a-f]+:/ { next }
        {
            sub(/^ *[0-9a-f]+:[ \t]*/, "")
            gsub(/[ \t]+/, " ")
            sub(/ +$/, "")
            if ($0 !~ load) { n = 0; split("", seen); next }
            place = $0
            gsub(/%[xyz]mm[0-9]+|q[0-9]+/, "", place)
            if (!(place in seen)) n++
            seen[place]
            if (n > best) best = n
        }
        END { print best + 0 }' "$TMP/all"
}

for kernel in $kernels; do
    same "${kernel%:*}: 512 bytes of consecutive loads" "${kernel#*:}" \
        "$(loads_of "${kernel%:*}")"
done
finish_tests
