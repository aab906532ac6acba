#!/usr/bin/env bash
# own.sh: measures the same points on a device of OpenCL, or on this processor. Without a device it writes
# a note.
#
# Usage: bash data/own.sh device|host [PAGES]
set -eu
tools=$(cd "${0%/*}/../../.." && pwd -P)/bin
pages=${2:-64:128k:x1.19}

# points BACKING: lines 128 bytes apart, in random order, page after page.
points() {
    "$tools/sweep" --plan --layout local --spacing 128 --pages "$pages" --samples 5 --seed 1 |
        sed -E "s/\t(scattered|contiguous|default)(\t|\$)/\t$1\2/"
}

if [ "$1" = host ]; then
    points scattered | "$tools/chase" --quiet -
else
    rows=$(points device | "$tools/gpu" chase --quiet - 2>/dev/null) || true
    if grep -q '^[0-9]' <<<"$rows"; then
        printf '%s\n' "$rows"
    else
        printf '# note: no device of OpenCL\npages\tspacing_bytes\tns\n'
    fi
fi
