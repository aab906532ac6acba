#!/usr/bin/env bash
# own.sh: measures the same points on a device of OpenCL, or on this processor; or reads of the device with
# several strides. Without a device it writes a note.
#
# Usage: bash data/own.sh device|host [PAGES]
#        bash data/own.sh strides [BYTES]
set -eu
tools=$(cd "${0%/*}/../../.." && pwd -P)/bin

# points BACKING [PAGES]: lines 128 bytes apart, in random order, page after page.
points() {
    "$tools/plan" --layout local --spacing 128 --pages "${2:-64:128k:x1.19}" --samples 5 --seed 1 |
        awk -F '\t' -v OFS='\t' -v backing="$1" '{ for (k = 2; k <= NF; k++) if ($k ~ /^(scattered|contiguous|default)$/) $k = backing; print }'
}

# rows_or_note COLUMNS COMMAND...: its table, or where it has no rows a note and a header.
rows_or_note() {
    local rows columns=$1
    shift
    rows=$("$@" 2>/dev/null) || true
    if grep -qE '^([0-9]|read)' <<<"$rows"; then
        printf '%s\n' "$rows"
    else
        printf '# note: no device of OpenCL\n%b\n' "$columns"
    fi
}

case $1 in
host) points scattered "${2-}" | "$tools/chase" --quiet - ;;
device) points device "${2-}" | rows_or_note 'pages\tspacing_bytes\tns' "$tools/gpu" chase --quiet - ;;
strides)
    rows_or_note 'op\tspacing_bytes\tgb_per_s' "$tools/gpu" bandwidth --quiet --op read --bytes "${2:-64M}" \
        --spacing 4:256:x2 --samples 3
    ;;
esac
